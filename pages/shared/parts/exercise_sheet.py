"""A student's exercise sheet: the prompts of a lesson on points of one's own, short answers, and the hand-in code."""

import streamlit as st

from pages.shared import plane, tables
from pages.shared.lessons import answers, handin, sheet
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.wording import words
from pages.shared.parts import answer_fields, printed_pictures

SHEETS = "exercise_sheets"  # of the session: {(edition, number): {"given": {prompt: answer}, "texts": [...]}}
SHORT, CODE = "Short answers", "Code"
HEIGHT = 460


def sheet_of(lesson: Lesson) -> None:
    """The sheet: number, prompts one at a time, short answers, code."""
    st.markdown(
        f"**{tables.plain(lesson.title)}**, {lesson.minutes} minutes. Your number decides on your points: those of "
        "your neighbour are different. Answer, then copy the code of the last part and hand it in as your course asks."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input("Your number (matriculation)", key="exercise_number", max_chars=40, width=260)
        with st.popover("Continue from a code", icon=":material/restore:"):
            st.text_area("A code that you made before", key="exercise_code", height=100)
            st.button("Continue", key="exercise_restore", on_click=_restore, args=(lesson,))
    if flaw := st.session_state.pop("exercise_flaw", None):
        st.error(flaw, icon=":material/error:")
    if not typed.strip():
        return
    try:
        number = handin.normalised(typed)
    except ValueError as error:
        st.error(str(error), icon=":material/error:")
        return
    filled = _filled(lesson, number)
    parts = [*(str(k) for k, _ in enumerate(lesson.prompts, 1)), SHORT, CODE]
    part = st.pills("Part", parts, default=parts[0], key="exercise_part", label_visibility="collapsed") or parts[0]
    if part == CODE:
        _code(lesson, number, filled)
        return
    place = _texts(lesson, number, filled) if part == SHORT else _prompt(lesson, number, filled, int(part) - 1)
    following = parts[parts.index(part) + 1]
    place.button("Next", icon=":material/arrow_forward:", on_click=_go, args=(following,), key="exercise_next")


def _filled(lesson, number):
    """The answers of this number to this edition of the lesson, in the session."""
    sheets = st.session_state.setdefault(SHEETS, {})
    return sheets.setdefault((handin.edition(lesson), number), {"given": {}, "texts": {}})


def _go(part):
    st.session_state["exercise_part"] = part


def _prompt(lesson, number, filled, index):
    """The question beside its picture; the place for what follows the answer."""
    prompt = lesson.prompts[index]
    case = answers.case(prompt, handin.seed(number))
    left, right = st.columns([0.55, 0.45], gap="medium")
    given = filled["given"].get(prompt.id)
    with right:
        st.caption(f"{index + 1} of {len(lesson.prompts)}" + (", on a new problem" if prompt.closing else ""))
        st.markdown(f"**{words(prompt.question)}**")
        key = f"exercise {handin.edition(lesson)} {number} {prompt.id}"
        filled["given"][prompt.id] = given = answer_fields.field(prompt, case, given, key)
        st.caption("Not answered yet." if given is None else "Kept. You can change it until you hand in.")
    with left:
        if not case.before.walk:
            picture = printed_pictures.before(prompt, case, compact=False)
            plane.show(answer_fields.shown(picture, prompt, case, given), key="exercise", height=HEIGHT)
    return right


def _texts(lesson, number, filled):
    for k, question in enumerate(sheet.questions(lesson)):
        key = f"exercise {handin.edition(lesson)} {number} text {k}"
        filled["texts"][k] = st.text_area(
            words(question), filled["texts"].get(k, ""), key=key, max_chars=handin.LONGEST_TEXT, height=110
        )
    return st.container()


def _code(lesson, number, filled):
    given = tuple(filled["given"].get(prompt.id) for prompt in lesson.prompts)
    texts = tuple(filled["texts"].get(k, "").strip() for k, _ in enumerate(sheet.questions(lesson)))
    missing = [str(k) for k, answer in enumerate(given, 1) if answer is None]
    if missing:
        st.info(f"Not answered yet: {', '.join(missing)}. The code can be made all the same.", icon=":material/info:")
    st.markdown("Copy this code, all of it, with the button at its corner:")
    st.code(handin.write(handin.Handin(lesson.id, handin.edition(lesson), number, given, texts)), None, wrap_lines=True)
    st.caption(
        "The code holds your number, your answers and your texts, for everybody who has this app to read; nothing is "
        "stored here. Keep it: with it you can continue later. Its checksum tells whether it arrived unchanged."
    )


def _restore(lesson):
    """Fill in the sheet from a code."""
    try:
        found = handin.read(st.session_state["exercise_code"])
    except handin.CodeError as error:
        st.session_state["exercise_flaw"] = str(error)
        return
    if (found.lesson, found.edition) != (lesson.id, handin.edition(lesson)) or len(found.given) != len(lesson.prompts):
        st.session_state["exercise_flaw"] = (
            f"This code is not of this edition of “{tables.plain(lesson.title)}”, but of the lesson "
            f"“{tables.plain(found.lesson)}”. Choose its lesson first."
        )
        return
    st.session_state["exercise_number"] = found.number
    given = {prompt.id: answer for prompt, answer in zip(lesson.prompts, found.given, strict=True)}
    for name in [
        name for name in st.session_state if str(name).startswith(f"exercise {found.edition} {found.number} ")
    ]:
        del st.session_state[name]
    sheets = st.session_state.setdefault(SHEETS, {})
    sheets[found.edition, found.number] = {"given": given, "texts": dict(enumerate(found.texts))}
