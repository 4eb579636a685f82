"""The screen of a prompt: its plane beside its form, and the way out."""

import streamlit as st

from pages.shared.lessons.screens import asked_pictures, navigation, prepared_answers, prompt_pictures, question_form
from pages.shared.lessons.screens import overview as lesson_overview
from pages.shared.lessons.screens.asked_pictures import PromptView
from pages.shared.lessons.screens.navigation import LessonPosition
from pages.shared.lessons.screens.prompt_pictures import PromptAttempt
from pages.shared.live import scene
from pages.shared.live.pictures import PictureSet
from pages.shared.studies.source import Source


def pictures(source: Source, look: PromptView, moving=False) -> PictureSet:
    """The planes of a question, and the feedback on its answer; they are never coarse."""
    sights = asked_pictures.prompt_planes(look, source)
    figures = {key: sight.drawing for key, sight in zip(prompt_pictures.KEYS, sights, strict=False)}
    return PictureSet(figures, [], [], question_form.feedback_texts(look, source))


def show(now: LessonPosition) -> LessonPosition:
    """Put the prompt at this place on the page. Returns the place with what the answer adds to the progress."""
    changes = navigation.changed_controls(now)
    now, answer, feedback = navigation.grade_answer(now, changes)
    case = answer.case if answer else prepared_answers.lesson_case(now.prompt, now.attempt, changes)
    look = PromptView(now.prompt, now.attempt, now.given, changes, answered=feedback is not None)
    asked = PromptAttempt(now.key, look, case, answer, feedback)
    with prompt_pictures.show_beside(asked, scene.register(pictures, look)):
        late = now.given is not None and feedback is None
        question_form.show(asked, _place(now), _buttons(now, look.answered), first=now.number == 0, late=late)
        _links(now, asked)
    return now


def _place(now):
    draw = f", another draw ({now.attempt})" if now.attempt else ""
    return f"**{now.lesson.title}** · question {now.number + 1} of {len(now.lesson.prompts)}{draw}"


def _buttons(now, locked):
    if not locked:
        return [("next", "Skip", False)]
    last = now.number + 1 == len(now.lesson.prompts)
    again = [("again", "Try again on another draw", False)] * now.prompt.any_draw
    return [("next", "Summary" if last else "Next question", True), *again]


def _links(now, asked):
    """The overview, and, once the answer is given, the page on which this screen can be changed."""
    with st.container(horizontal=True, gap="small", key="lesson_links"):
        overview = lesson_overview.overview_query(now)
        st.page_link(lesson_overview.PAGE, label="All lessons", icon=":material/list:", query_params=overview)
        if asked.look.answered:
            setup = asked.case.after
            name = setup.page.removeprefix("pages/").removesuffix(".py").replace("_", " ").capitalize()
            st.page_link(setup.page, label=f"Open on {name}", icon=":material/open_in_new:", query_params=setup.link)
