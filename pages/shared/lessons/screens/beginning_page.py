"""The chapter before the lessons on the page: its text beside the picture that follows it."""

from collections.abc import Mapping

import streamlit as st

from pages.shared.controls import link
from pages.shared.lessons import beginning
from pages.shared.lessons.beginning import CHART, KEY, ChapterScreen
from pages.shared.lessons.screens import navigation, overview
from pages.shared.lessons.screens.navigation import LessonPosition
from pages.shared.live import scene
from pages.shared.page.run import current, read_state
from pages.shared.panels import editing
from pages.shared.plane import component

TEXT = f"{KEY}-text"  # key of the component with the text


def show(now: LessonPosition) -> None:
    """The chapter at the section where the text stands, and the way to the first lesson."""
    screen = _screen(read_state(TEXT, "place") or {})
    screen = screen._replace(data=editing.with_edits(screen.data))
    link.share(screen.data)
    current().hint = "First: drag a point."  # where the line says later what was dragged
    with editing.show_toolbar(screen.data):
        shown = scene.show(beginning.pictures, screen, points_version=editing.version(screen.data))
        left, right = st.columns([0.54, 0.46], gap="medium")
        with left:
            plane = dict(link=editing.POINTS, edit=True, live=shown.live)
            component.show_figure(
                shown.figures[KEY], key=KEY, fill=0.6 if screen.key in beginning.CHARTED else 0.94, **plane
            )
            component.show_figure(shown.figures[CHART], key=CHART, fill=0.34, link=editing.POINTS, live=shown.live)
        with right:
            message = {
                "chapter": KEY,
                "sections": beginning.chapter()["section"],
                "step": screen.step,
                "values": {"C": screen.C, "sigma": screen.sigma},
                "numbers": shown.numbers,
            }
            component.chapter_text(message, key=TEXT)
            st.markdown(f"**Now you can:** {beginning.chapter()['goal'].removeprefix('You can ')}")
            overview.link_next(now, next(iter(navigation.lessons().values())))
            st.page_link(overview.PAGE, label="All lessons", icon=":material/list:")


def _screen(place: Mapping[str, float]) -> ChapterScreen:
    """The screen of what the text has sent, {step, C, sigma}; what it cannot have is left out."""
    screen = ChapterScreen()
    for name in ("C", "sigma", "step"):
        try:
            screen = screen.replace(name, place[name])
        except (KeyError, TypeError, ValueError):
            continue
    return screen
