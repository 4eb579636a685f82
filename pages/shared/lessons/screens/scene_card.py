"""The links to all scenes, and the card of a scene on the page that it opens: its claim, what to do first, and the
scenes beside it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shared.controls.widgets import checked_value, raw_value
from pages.shared.lessons import beginning
from pages.shared.lessons.screens import scene_question
from pages.shared.page.run import Run
from pages.shared.screen import schema
from pages.shared.studies.scenes import SCENES, neighbours

FIRST = 3  # of the scenes, on the first screen


def query(key: str) -> dict[str, str]:
    """The parameters of the link of a scene, with its name, so that the page shows its card; a presentation goes on.

    So do claims that are shown at once.
    """
    kept = {field.name: "1" for field in (schema.PRESENT, schema.CLAIMS) if checked_value(field)}
    return SCENES[key].query | {"scene": key} | kept


def links() -> None:
    """The link to the first chapter, and one per scene with its question, all but three in a list that opens."""
    title, first = f"**{beginning.chapter().title}**: begin here", {"lesson": beginning.KEY}
    st.page_link("pages/lessons.py", label=title, icon=":material/swipe_vertical:", query_params=first)
    with st.container(key="scenes", gap="xxsmall"):
        for key in list(SCENES)[:FIRST]:
            _open(key)
        with st.expander(f"All {len(SCENES)} scenes"):
            for key in list(SCENES)[FIRST:]:
                _open(key)


def _open(key):
    scene = SCENES[key]
    st.page_link(
        scene.page,
        label=f"**{scene.title}.** {scene_question.question(key)}".strip(),
        icon=":material/play_circle:",
        query_params=query(key),
        help=None if scene_question.asks(key) else scene.claim,
    )


@contextmanager
def surround_page(run: Run) -> Iterator[None]:
    """The card of the scene in the link, if it names one of this page; before the answer its question in the place of
    the page.
    """
    key = raw_value(schema.SCENE)
    if key not in SCENES or SCENES[key].page != run.path:
        yield
    elif scene_question.asks(key):
        with scene_question.ask_before(key):
            yield
    else:
        with run.places.scene:
            _card(key)
        yield


def _card(key):
    scene, (before, after) = SCENES[key], neighbours(key)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{scene.title}.** {scene.claim} **{scene.first}**")
        if said := scene_question.prediction_text(key):
            st.markdown(said)
        with st.container(width="content", key="scene_links", horizontal=True, gap="small"):
            for name, other, icon in (("previous", before, "arrow_back"), ("next", after, "arrow_forward")):
                if other:
                    _link(name, other, icon)


def _link(name, other, icon):
    with st.container(key=f"scene_{name}", width="content"):
        label = f"{name.capitalize()} scene"
        st.page_link(SCENES[other].page, label=label, icon=f":material/{icon}:", query_params=query(other))
