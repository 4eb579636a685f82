"""Lessons: questions that are answered before the picture shows what happens."""

from pages.shared import frame

frame.begin("Lessons", "Predict first, then see what happens and why.")

from pages.shared import controls
from pages.shared.live import pictures
from pages.shared.parts import guards, lesson_flow, lesson_overview, lesson_prompt

with guards.guarded():
    now = lesson_flow.at()
    if now.prompt:
        question = lesson_prompt.asked(now)
        now = lesson_prompt.show(question, pictures.token("lessons", question.look))
    elif now.lesson:
        lesson_overview.summary(now)
    else:
        lesson_overview.show(now)
    lesson_flow.keep(now)
    controls.share()
