"""The card of a scene on the page that it opens: its claim, what to do first, and the scenes beside it."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shared import controls
from pages.shared.parts import scene_question
from pages.shared.studies.scenes import SCENES, beside


def query(key: str) -> dict[str, str]:
    """The parameters of the link of a scene, with its name, so that the page shows its card; a presentation goes on.

    So do claims that are shown at once.
    """
    kept = {control.name: "1" for control in (controls.PRESENT, controls.CLAIMS) if control.current()}
    return SCENES[key].query | {"scene": key} | kept


@contextmanager
def shown() -> Iterator[None]:
    """The card of the scene in the link, if it names one of this page; before the answer its question in the place of
    the page.
    """
    key = controls.SCENE.value
    if key not in SCENES or SCENES[key].page != st.session_state["path"]:
        yield
    elif scene_question.asks(key):
        with scene_question.before(key):
            yield
    else:
        _card(key)
        yield


def _card(key):
    scene, (before, after) = SCENES[key], beside(key)
    with st.session_state["scene_place"], st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{scene.title}.** {scene.claim} **{scene.first}**")
        if said := scene_question.said(key):
            st.markdown(said)
        with st.container(width="content", key="scene_links", horizontal=True, gap="small"):
            for name, other, icon in (("previous", before, "arrow_back"), ("next", after, "arrow_forward")):
                if other:
                    with st.container(key=f"scene_{name}", width="content"):
                        label = f"{name.capitalize()} scene"
                        st.page_link(
                            SCENES[other].page, label=label, icon=f":material/{icon}:", query_params=query(other)
                        )
