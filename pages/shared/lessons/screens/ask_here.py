"""A folded section in which a teacher asks a question about the screen; it becomes a part of an own lesson."""

from collections.abc import Sequence

import streamlit as st

from pages.shared.lessons import answers, draft
from pages.shared.lessons.draft import KINDS, Draft
from pages.shared.lessons.lesson import Watch
from pages.shared.lessons.quantities.catalogue import REGISTRY
from pages.shared.page import callbacks
from pages.shared.screen import schema
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.screen import Screen
from pages.shared.studies import formatting, results
from svmcore import losses

ADDED = "asked_about"  # of the session: what became of the last press


def section(data: Data, machines: Sequence[Machine], setting: Setting) -> None:
    """The section, with the computed answer and the button that adds the question to the file of the editor."""
    label = "Ask about this screen"
    with st.expander(label, icon=":material/contact_support:", key="ask_here", on_change="rerun") as box:
        if box.open:
            _form(Screen(data, tuple(machines), setting))


def _form(screen):
    st.caption(
        "Make a question for your students from these points and machines. Its answer is computed, and it is added to "
        "“My questions” on the Teach page, where you can try it, change it and save the file."
    )
    try:
        draft.state_of(screen)
    except ValueError as error:
        st.info(str(error), icon=":material/info:")
        return
    asked = _draft(screen)
    try:
        found = draft.answer(asked, screen, results.source)
        draft.text(asked, screen, found, "mine")
    except ValueError as error:
        st.info(answers.readable(str(error)), icon=":material/info:")
        return
    value = f"{len(found.value)} points" if asked.kind == "points" else found.text
    said = f"**The answer:** {REGISTRY[asked.quantity].words}: {formatting.plain(value)}."
    st.markdown("**The answer:** the line that the machine draws." if asked.kind == "line" else said)
    missing = not (asked.question.strip() and asked.why.strip() and asked.mistake.strip())
    add = callbacks.with_values(lambda: _add(asked, screen, found))
    st.button("Add to my lesson", icon=":material/add:", on_click=add, key="ask_add", disabled=missing)
    if missing:
        st.caption("A question, an explanation and a word on the usual mistake are needed.")
    _tell(asked)


def _draft(screen):
    several = len(screen.machines) > 1
    kinds = [kind for kind in KINDS if several or kind not in draft.OF_SEVERAL]
    if screen.setting.kernel != "linear":
        kinds.remove("line")
    left, right = st.columns(2, gap="medium")
    with left:
        kind = st.selectbox("Students", kinds, format_func=lambda key: KINDS[key][0], key="ask_kind")
        quantity = st.selectbox(
            "The answer is", KINDS[kind][1], format_func=lambda key: REGISTRY[key].words, key=f"ask_quantity_{kind}"
        )
        loss = screen.machines[0].loss
        if several and kind not in draft.OF_SEVERAL:
            keys = [machine.loss for machine in screen.machines]
            loss = st.selectbox("Of the", keys, format_func=lambda key: losses.get(key).machine, key="ask_loss")
        limits, ends = (), (0.0, 1.0)
        unit = answers.measure(Watch(quantity, {}))["unit"] if kind in ("choose", "number") else ""
        if kind == "choose":
            limits = _limits(unit)
        if kind == "number":
            label = f" in {unit}" if unit else ""
            ends = (
                st.number_input(f"Slider from{label}", value=0.0, key="ask_low"),
                st.number_input(f"to{label}", value=100.0, key="ask_high"),
            )
    with right:
        question = st.text_input("Question", key="ask_question")
        why = st.text_input("Explanation", "It is {value}.", key="ask_why", help="{value} stands for the answer.")
        usual = "You may have expected something else. Compare your answer with the picture."
        mistake = st.text_input("To those who are wrong", usual, key="ask_mistake")
    return Draft(kind, quantity, loss, question, why, mistake, limits, ends)


def _limits(unit):
    """The numbers between the ranges; one where none can be read."""
    label = f"Numbers between the ranges{f', in {unit}' if unit else ''}"
    given = st.text_input(label, "5, 20", key="ask_limits", help="“5, 20” makes three options.")
    try:
        return tuple(float(part) for part in given.replace(";", ",").split(",") if part.strip()) or (5.0,)
    except ValueError:
        st.caption("Write numbers with commas between them, such as 5, 20.")
        return (5.0,)


def _add(asked, screen, found):
    try:
        lesson = draft.add(st.session_state, asked, screen, found)
        st.session_state[ADDED] = asked, len(lesson.prompts), ""
    except ValueError as error:
        st.session_state[ADDED] = asked, 0, str(error)


def _tell(asked):
    """Tell what became of the question that stands in the form."""
    before, count, flaw = st.session_state.get(ADDED, (None, 0, ""))
    if before != asked:
        return
    if flaw:
        st.error(formatting.plain(flaw), icon=":material/error:")
        return
    st.success(f"Question {count} of “My questions”.", icon=":material/check:")
    query = {schema.SECTION.name: "own"}
    st.page_link("pages/teach.py", label="To the editor on the Teach page", icon=":material/edit:", query_params=query)
