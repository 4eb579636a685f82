"""The forms of the cockpit in which a lecturer asks the class: a question of a lesson, or a free one."""

import streamlit as st

from pages.shared.classroom import ballot, polls, votes
from pages.shared.classroom.rooms import Room
from pages.shared.classroom.screens.vote_forms import ENDS, refusal
from pages.shared.lessons import lesson, own
from pages.shared.lessons.screens import prepared_answers
from pages.shared.page import callbacks
from pages.shared.studies import formatting

KINDS = {"choose": "A choice", "number": "A number"}
DETAILS = {"choose": ("options",), "number": (*ENDS, "unit")}
ANSWERED = {
    "choose": "Answered by a choice.",
    "number": "Answered by a number on a slider.",
    "line": "Answered by a line that is drawn on the picture.",
    "points": "Answered by points that are chosen on the picture.",
    "place": "Answered by a point that is moved on the picture.",
    "order": "Answered by an order of machines.",
}
PATIENCE = 10.0  # seconds for which the answer of a question is waited for before it is asked
LESSON = "ask_lesson"  # in the session: the lesson chosen in the form
TOLD = "room_trouble"  # in the session: whether a form was refused, and what went wrong


def trouble(in_form: bool = False) -> None:
    """Show what was wrong with the last attempt, beside the forms if it was one of theirs, which may be far below."""
    of_form, told = st.session_state.get(TOLD, (False, ""))
    if told and of_form == in_form:
        st.info(formatting.plain(told), icon=":material/info:")


def next_step(room: Room) -> tuple[str, str] | None:
    """(lesson, prompt) of what comes next: by the plan, else in the lesson asked last, else first in the chosen one."""
    if room.plan:
        return room.plan[room.step] if room.step < len(room.plan) else None
    lessons = own.available_lessons(st.session_state)
    key, prompt = room.last or (st.session_state.get(LESSON) or next(iter(lessons)), "")
    ids = [one.id for one in lessons[key].prompts] if key in lessons else []
    following = ids.index(prompt) + 1 if prompt in ids else 0
    return (key, ids[following]) if following < len(ids) else None


def step_words(step: tuple[str, str]) -> str:
    """A question of a lesson in one line."""
    found = _find(step)
    return f"{found[0].title}: {lesson.short(found[1].question, 100)}" if found else step[1]


def ask_step(code: str, key: str, step: tuple[str, str]) -> None:
    """Ask the class a question of a lesson, by its keys; ValueError for one that this session does not have."""
    found = _find(step)
    if found is None:
        raise ValueError(f"The lesson {step[0]!r} is not loaded: load it again under “Own lessons” on the Teach page.")
    _ask_prompt(code, key, *found, 0)


def _find(step):
    """(lesson, prompt) with these keys; None in a session that does not have them."""
    chosen = own.available_lessons(st.session_state).get(step[0])
    return next(((chosen, one) for one in chosen.prompts if one.id == step[1]), None) if chosen else None


def act(action, *arguments) -> None:
    """A change of the room; what goes wrong is a sentence in the cockpit."""
    st.session_state[TOLD] = action in (_ask_prompt, polls.ask), refusal(action, *arguments)


def prompt_form(code: str, key: str) -> None:
    """A question of a lesson, which the phones show with its picture."""
    lessons = own.available_lessons(st.session_state)
    with st.container(border=True):
        st.markdown("**Ask a question of a lesson**")
        titles = own.titles(lessons)
        chosen = lessons[st.selectbox("Lesson", list(titles), format_func=titles.get, key=LESSON)]
        texts = {one.id: f"{k}. {lesson.plain(one.question)}" for k, one in enumerate(chosen.prompts, 1)}
        prompt = chosen.prompt(
            st.selectbox("Question of the lesson", list(texts), format_func=texts.get, key=f"ask_prompt_{chosen.id}")
        )
        st.caption(f"{formatting.plain(lesson.plain(prompt.question))}  \n{ANSWERED[prompt.answer_kind]}")
        draw = 0
        if prompt.any_draw:
            draw = st.number_input("Draw of its points", 0, 1000, 0, key="ask_draw")
        st.button("Show it to the class", key="ask_prompt", type="primary", icon=":material/cast:",
                  on_click=act, args=(_ask_prompt, code, key, chosen, prompt, draw))  # fmt: skip


def _ask_prompt(code, key, chosen, prompt, draw):
    text = st.session_state.get(own.TEXTS, {}).get(chosen.id, "")
    try:
        asked = ballot.question(chosen, prompt, draw, prepared_answers.lesson_case(prompt, draw, {}))
    except ValueError as error:
        raise ValueError(f"This question cannot be asked: {error}") from error
    computed = prepared_answers.lesson_answer(prompt, draw, {})
    computed.wait(PATIENCE)
    if computed.error:
        raise ValueError(f"This question cannot be asked. {computed.error}")
    polls.ask(code, key, *asked, text)


def free_form(code: str, key: str) -> None:
    """A question of the lecturer's own, which needs no picture."""
    with st.container(border=True):
        st.markdown("**Ask the class**")
        kind = st.segmented_control(
            "Kind", list(KINDS), default="choose", format_func=KINDS.get, key="ask_kind", label_visibility="collapsed"
        )
        st.text_input("Question", key="ask_text", max_chars=votes.LONGEST)
        if kind == "number":
            with st.container(horizontal=True):
                st.number_input("Smallest number", value=None, key="ask_low", format="%g")
                st.number_input("Largest number", value=None, key="ask_high", format="%g")
                st.text_input("Unit", key="ask_unit", max_chars=20)
        else:
            st.text_area("Options, one in each line", key="ask_options", height=120, max_chars=4000)
        kind = kind or "choose"
        ask = callbacks.with_values(_ask, "ask_text", *(f"ask_{name}" for name in DETAILS[kind]))
        st.button("Ask", key="ask", type="primary", on_click=ask, args=(code, key, kind))


def _ask(code, key, kind, text, *values):
    details = dict(zip(DETAILS[kind], values, strict=True))
    if kind == "choose":
        details["options"] = details["options"].splitlines()
    act(polls.ask, code, key, kind, text, details)
    if not st.session_state[TOLD][1]:
        for name in ("ask_text", "ask_options", "ask_unit"):
            if name in st.session_state:
                st.session_state[name] = ""
