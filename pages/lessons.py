"""Lessons: questions that are answered before the picture shows what happens."""

from pages.shared.page.page import page

with page("Lessons", "Predict first, then see what happens and why."):
    from pages.shared.lessons.screens import beginning_page, navigation, overview, prompt_page

    now = navigation.find_position()
    if now.prompt:
        now = prompt_page.show(now)
    elif now.lesson and not now.lesson.prompts:
        beginning_page.show(now)
    elif now.lesson:
        overview.summary(now)
    else:
        overview.show(now)
    navigation.keep(now)
