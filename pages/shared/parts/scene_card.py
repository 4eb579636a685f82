"""The card of a scene on the page that it opens: its claim, what to do first, and the scenes beside it."""

import streamlit as st

from pages.shared import controls
from pages.shared.studies.scenes import SCENES, beside


def query(key: str) -> dict[str, str]:
    """The parameters of the link of a scene, with its name, so that the page shows its card; a presentation goes on."""
    presenting = {"present": "1"} if controls.PRESENT.current() else {}
    return SCENES[key].query | {"scene": key} | presenting


def show() -> None:
    """The card of the scene in the link, if it names one."""
    key = controls.SCENE.value
    if key not in SCENES:
        return
    scene, (before, after) = SCENES[key], beside(key)
    with st.session_state["scene_place"], st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{scene.title}.** {scene.claim} **{scene.first}**")
        with st.container(width="content", key="scene_links", horizontal=True, gap="small"):
            for name, other, icon in (("previous", before, "arrow_back"), ("next", after, "arrow_forward")):
                if other:
                    with st.container(key=f"scene_{name}", width="content"):
                        label = f"{name.capitalize()} scene"
                        st.page_link(
                            SCENES[other].page, label=label, icon=f":material/{icon}:", query_params=query(other)
                        )
