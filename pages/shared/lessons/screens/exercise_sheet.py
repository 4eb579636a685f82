"""A student's exercise sheet: the prompts of a lesson on points of one's own, short answers, and the hand-in code."""

import streamlit as st

from pages.shared.lessons import handin, own, sheet
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.screens import navigation, prepared_answers, prompt_pictures, question_form
from pages.shared.lessons.screens.asked_pictures import PromptView
from pages.shared.lessons.screens.prompt_pictures import PromptAttempt
from pages.shared.lessons.wording import words
from pages.shared.page import callbacks
from pages.shared.studies import formatting

SHEETS = "exercise_sheets"  # of the session: {name: {"name": name, "given": {prompt: answer}, "texts": {k: text}, ...}}
SHORT, CODE = "Short answers", "Code"


def sheet_of(lesson: Lesson) -> None:
    """The sheet: number, prompts one at a time, short answers, code."""
    st.markdown(
        f"**{formatting.plain(lesson.title)}**, {lesson.time}. Your number determines your points; your "
        "neighbour has different ones. Answer, then copy the code at the end and hand it in as your course asks. "
        "A page that is loaded again is empty: with the code of what you have you can go on."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input("Your number (matriculation)", key="exercise_number", max_chars=40, width=260)
        with st.popover("Continue from a code", icon=":material/restore:"):
            st.text_area("A code that you made before", key="exercise_code", height=100)
            restore = callbacks.with_values(_restore, "exercise_code")
            st.button("Continue", key="exercise_restore", on_click=restore, args=(lesson,))
            if flaw := st.session_state.pop("exercise_flaw", None):  # here: what is below is covered
                st.error(flaw, icon=":material/error:")
    if not typed.strip():
        return
    try:
        number = handin.normalise_number(typed)
    except ValueError as error:
        st.error(str(error), icon=":material/error:")
        return
    filled = _sheet_answers(lesson, number)
    parts = [*(str(k) for k, _ in enumerate(lesson.prompts, 1)), SHORT, CODE]
    _take(lesson, number, filled, parts)
    part = st.pills("Part", parts, default=parts[0], key="exercise_part", label_visibility="collapsed") or parts[0]
    if part == CODE:
        _code(lesson, number, filled)
    elif part == SHORT:
        _texts(lesson, filled)
        st.button("Next", icon=":material/arrow_forward:", on_click=_go, args=(CODE,), key="exercise_next")
    else:
        _prompt(lesson, number, filled, int(part) - 1)


def _sheet_answers(lesson, number):
    """The answers of this number to this edition of the lesson, in the session."""
    name = f"exercise {handin.edition(lesson)} {number}"
    usual = {"name": name, "given": {}, "texts": {}, "restored": 0}
    return st.session_state.setdefault(SHEETS, {}).setdefault(name, usual)


def _go(part):
    st.session_state["exercise_part"] = part


def _key(lesson, number, prompt):
    """Key that tells this question from all others."""
    return f"{lesson.id}/{prompt.id}/{handin.seed(number)}"


def _take(lesson, number, filled, parts):
    """The answer that the form has sent, in the form in which a code has it, and the part that was asked for."""
    message = navigation.take_message()
    if message is None or message["form"] != _form(filled):
        return
    for index, prompt in enumerate(lesson.prompts):
        if message["key"] == _key(lesson, number, prompt):
            filled["given"][prompt.id] = _write_answer(prompt, message["given"])
            step = {"next": 1, "before": -1}.get(message["action"])
            if step:
                _go(parts[max(index + step, 0)])


def _form(filled):
    """The name of what the browser writes the answers on: another one after a code was read."""
    return f"{filled['name']} {filled['restored']}"


def _write_answer(prompt, given):
    if given in (None, []):
        return None
    if prompt.kind == "number" and isinstance(given, int):
        return float(given)
    return sorted(given) if prompt.answer_kind == "points" and isinstance(given, list) else given


def _prompt(lesson, number, filled, index):
    """The question beside its picture, which is the one of the Lessons page."""
    prompt, draw = lesson.prompts[index], handin.seed(number)
    look = PromptView(prompt, draw, filled["given"].get(prompt.id))
    case = prepared_answers.lesson_case(prompt, draw, {})
    asked = PromptAttempt(_key(lesson, number, prompt), look, case, form=_form(filled))
    with prompt_pictures.show_beside(asked):
        place = f"{index + 1} of {len(lesson.prompts)}" + (", on a new problem" if prompt.closing else "")
        question_form.show(asked, place, [("next", "Next", True)], commit="", first=index == 0)
        st.caption("Not answered yet." if look.given is None else "Kept. You can change it until you hand in.")


def _texts(lesson, filled):
    for k, question in enumerate(sheet.questions(lesson)):
        key, before = f"{filled['name']} text {k}", filled["texts"].get(k, "")
        limits = {"max_chars": handin.LONGEST_TEXT, "height": 110}
        filled["texts"][k] = st.text_area(words(question), before, key=key, **limits)


def _code(lesson, number, filled):
    given = tuple(filled["given"].get(prompt.id) for prompt in lesson.prompts)
    texts = tuple(filled["texts"].get(k, "").strip() for k, _ in enumerate(sheet.questions(lesson)))
    missing = [str(k) for k, answer in enumerate(given, 1) if answer is None]
    if missing:
        st.info(f"Not answered yet: {', '.join(missing)}. You can still make the code.", icon=":material/info:")
    st.markdown("Copy this code, all of it, with the button at its corner:")
    st.code(handin.write(handin.Handin(lesson.id, handin.edition(lesson), number, given, texts)), None, wrap_lines=True)
    st.caption(
        "The code contains your number, your answers and your texts; anyone with this app can read them. Nothing is "
        "stored here. Keep the code: with it you can continue later. Its checksum shows whether it arrived unchanged."
    )


def _restore(lesson, code):
    try:
        found = handin.read(code)
    except handin.CodeError as error:
        st.session_state["exercise_flaw"] = str(error)
        return
    if found.lesson != lesson.id:
        known = own.available_lessons(st.session_state).get(found.lesson)
        title = formatting.plain(known.title if known else found.lesson)
        st.session_state["exercise_flaw"] = f"This code belongs to the lesson “{title}”: choose that lesson first."
        return
    if found.edition != handin.edition(lesson) or len(found.given) != len(lesson.prompts):
        st.session_state["exercise_flaw"] = (
            "This code belongs to another edition of the lesson, whose questions differ, and cannot be continued here."
        )
        return
    st.session_state["exercise_number"] = found.number
    filled = _sheet_answers(lesson, found.number)
    filled["given"] = {prompt.id: answer for prompt, answer in zip(lesson.prompts, found.given, strict=True)}
    filled["texts"] = dict(enumerate(found.texts))
    filled["restored"] += 1  # what was begun on the picture is no longer the answer
    for name in [name for name in st.session_state if str(name).startswith(f"{filled['name']} ")]:
        del st.session_state[name]
