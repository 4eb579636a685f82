"""Position of a reader in the lessons: read from the link, moved by what the form of a question sends."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from pages.shared.controls import strip
from pages.shared.controls.widgets import checked_value, quote, show
from pages.shared.lessons import beginning, grading, own, progress, state
from pages.shared.lessons.answers import Answer, Late
from pages.shared.lessons.grading import Feedback
from pages.shared.lessons.lesson import Lesson, Prompt
from pages.shared.lessons.screens import prepared_answers
from pages.shared.page import url_state
from pages.shared.page.run import current, read_state
from pages.shared.plane import component
from pages.shared.screen.schema import ATTEMPT, GIVEN, LESSON, PROGRESS, PROMPT
from pages.shared.studies import formatting

PLACE = (LESSON, PROMPT, ATTEMPT, GIVEN, PROGRESS)  # in the link alone: none of them is in the strip
FORM = "question"  # key of the component with the form
MEMORY = "lessons_memory"  # key of the component with the memory of the browser
END = "end"  # in the place of a prompt: the summary
ANSWERED = "lessons_answered"  # the progress in this session
CONTROLLED = "lesson_controls"  # the names of the controls of the last prompt


class LessonPosition(NamedTuple):
    """The place: no `lesson` is the overview, a lesson without a `prompt` its summary.

    `number` counts prompts from 0, `attempt` is the draw. `given` is the answer that was locked in, None before, and
    `progress` as in `lessons.progress`.
    """

    lesson: Lesson | None
    prompt: Prompt | None
    number: int
    attempt: int
    given: Any
    progress: dict[str, str]

    @property
    def key(self) -> str:
        """Key that tells this question from all others."""
        return f"{self.lesson.id}/{self.prompt.id}/{self.attempt}"

    @property
    def marks(self) -> str:
        return progress.lesson_marks(self.progress, self.lesson.id, len(self.lesson.prompts))


def lessons() -> dict[str, Lesson]:
    """All lessons: those of the app, then those that the reader has brought."""
    return own.available_lessons(st.session_state)


def find_position() -> LessonPosition:
    """The place of this run. Call it before the controls of a prompt are shown."""
    now = _restore_progress(_read(*map(checked_value, PLACE)))
    message = take_message()
    if message and now.prompt and message["key"] == now.key:
        now = _move(now, message["action"], message["given"])
    return now


def take_message() -> dict[str, Any] | None:
    """Message of the form of a question, {form, key, action, given}, once; None if there is nothing new."""
    message = read_state(FORM, "answer", id=str, form=str, key=str, action=str)
    if not message or message["id"] == st.session_state.get("answer_taken"):
        return None
    st.session_state["answer_taken"] = message["id"]
    return message


def keep(now: LessonPosition) -> None:
    """Put the place into the link, and the progress into the memory of the browser."""
    st.session_state[ANSWERED] = now.progress
    text = progress.write(now.progress)
    prompt = now.prompt.id if now.prompt else END if now.lesson and now.lesson.prompts else ""
    given = "" if now.given is None else json.dumps(now.given, separators=(",", ":"))
    place = now.lesson.id if now.lesson else "", prompt, now.attempt, given, text
    for field, value in zip(PLACE, place, strict=True):
        url_state.give(field.name, value)
        strip.put(field, value, visible=False)
    component.browser_memory("lessons", text, bool(st.session_state.get("lessons_known")), key=MEMORY)
    if now.prompt and now.given is None:
        prepared_answers.lesson_answer(now.prompt, now.attempt, {})  # so that it is ready at the commitment


def forget() -> None:
    """Begin again: no answer to any lesson, in the link and in the browser. A callback of a button."""
    st.session_state["lessons_known"] = True
    st.session_state[ANSWERED] = {}
    url_state.give(PROGRESS.name, "")


def _read(lesson, prompt, attempt, given, text) -> LessonPosition:
    place = LessonPosition(None, None, 0, 0, None, progress.read(text))
    if lesson == beginning.KEY:
        return place._replace(lesson=beginning.as_lesson())
    if lesson not in lessons():
        if lesson:
            current().note(
                f"There is no lesson {quote(lesson)}. The lessons are {', '.join(lessons())}. A lesson of "
                "your own has to be loaded again from its file."
            )
        return place
    place = place._replace(lesson=lessons()[lesson])
    ids = [one.id for one in place.lesson.prompts]
    if prompt == END:
        return place._replace(number=len(ids))
    if prompt in ids:
        number = ids.index(prompt)
        asked = place.lesson.prompts[number]
        return place._replace(prompt=asked, number=number, attempt=attempt, given=_answer_in(given))
    if prompt:
        current().note(
            f"The lesson has no question {quote(prompt)}; its questions are {', '.join(ids)}. This is "
            "the first that is not answered."
        )
    first = place.marks.find(progress.OPEN)
    return _go_to(place, first if first >= 0 else len(ids))


def _answer_in(text):
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        current().note("The answer in the link could not be read; please answer again.")
        return None


def _restore_progress(now):
    """With the answers of this session, which a step back in the browser leaves as they are, and of earlier visits."""
    now = now._replace(progress=progress.merge(st.session_state.get(ANSWERED, {}), now.progress))
    remembered = read_state(MEMORY, "memory", text=str)
    if not remembered or st.session_state.get("lessons_known"):
        return now
    st.session_state["lessons_known"] = True
    return now._replace(progress=progress.merge(now.progress, progress.read(remembered["text"])))


def _move(now, action, given):
    """The place after a button of the form."""
    if action == "commit" and given is not None:
        return now._replace(given=given)
    if action == "again":
        _settle()
        return now._replace(attempt=now.attempt + 1, given=None)
    if action == "next":
        return _go_to(now, now.number + 1)
    if action == "before":
        return _go_to(now, max(now.number - 1, 0))
    return now


def _go_to(now, number):
    """At another prompt of the lesson, with the settings that this one begins with."""
    _settle()
    prompts = now.lesson.prompts
    return now._replace(prompt=prompts[number] if number < len(prompts) else None, number=number, attempt=0, given=None)


def _settle():
    """The controls of the last prompt as that prompt had them."""
    for name in st.session_state.get(CONTROLLED, ()):
        url_state.forget(name)


# ------------------------------------------------------------------------------------------ answers


def changed_controls(now: LessonPosition) -> dict[str, float]:
    """The controls of the prompt, in the strip, and {name: value} of those that the reader has set otherwise; none
    before the answer, which they would show.
    """
    prompt = now.prompt
    st.session_state[CONTROLLED] = prompt.controls
    if now.given is None:
        return {}
    return chosen_controls(prompt.controls, prepared_answers.lesson_case(prompt, 0, {}).after)


def chosen_controls(names: Sequence[str], begins: state.Setup) -> dict[str, float]:
    """Show these controls in the strip; {name: value} of those that differ from the set-up that it begins with."""
    found = {}
    for name in names:
        field = begins.screen.field(name) if begins.screen.applies(name) else state.FIELDS[name]
        if field.kind in ("text", "several"):
            continue
        value = show(field.only(state.FIELDS[name].options) if name == "problem" else field)
        if value != field.usual:
            found[name] = value
    return found


def grade_answer(
    now: LessonPosition, changes: dict[str, float]
) -> tuple[LessonPosition, Answer | None, Feedback | None]:
    """The place with the answer to its question and the feedback, both None before the commitment.

    What is no answer of this kind is left out, with a sentence; one for which the solvers are not ready stays, to be
    committed again.
    """
    if now.given is None:
        return now, None, None
    try:
        answer = prepared_answers.prepared_answer(now.prompt, now.attempt, changes)
    except Late:
        return now, None, None
    try:
        feedback = grading.grade(now.prompt, now.given, answer)
    except ValueError as error:
        current().note(f"This is not an answer to the question. {formatting.plain(str(error))}")
        return now._replace(given=None), None, None
    count = len(now.lesson.prompts)
    known = progress.record_answer(now.progress, now.lesson.id, count, now.number, feedback.right, now.attempt > 0)
    return now._replace(progress=known), answer, feedback
