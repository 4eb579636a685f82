"""The button that saves a screen as one live file, and what a teacher decides about it."""

from collections.abc import Sequence

import streamlit as st

from pages.shared.controls import download
from pages.shared.controls.widgets import raw_value
from pages.shared.screen.choices import LOSSES, Data, Machine, Setting
from pages.shared.screen.schema import HIDE
from pages.shared.studies import live_scene, results
from svmcore import live
from svmcore.words import join_words

MAY = {
    "points": "the points",
    "machine": "the machine",
    "parameters": "the parameters of its loss",
    "C": "C",
    "kernel": "the kernel",
}
HIDDEN = {"loss": "machine", "losses": "machine", "C": "C", "kernel": "kernel", "sigma": "kernel"}  # by `hide`


def save(place: str, data: Data, machines: Sequence[Machine], setting: Setting, link: str) -> None:
    """The button with its choices, at a `place` that is named once on the page; a sentence where there is no file."""
    refused = live_scene.refusal(data, machines, setting, len(results.problem(data).y))
    if refused:
        st.caption(refused)
        return
    kept = live_scene.kept_machines(machines)
    hidden = {HIDDEN[name] for name in (raw_value(HIDE) or "").split(",") if name in HIDDEN}
    with st.container(key=f"live_file_{place}"):
        may = st.multiselect(
            "Readers of the file may change",
            list(MAY),
            [name for name in MAY if name not in hidden],
            format_func=MAY.get,
            key=f"live_may_{place}",
            help="What is left out keeps its value and is not shown.",
        )
        title = st.text_input("Title of the file", key=f"live_title_{place}")
        question = st.text_input("Question", key=f"live_question_{place}")
        answer = st.text_input("Answer, behind a button", key=f"live_answer_{place}")
        words = live.Words(title, question, answer, link if link.startswith("http") else "")
        label = "Save as one live file"
        download.button(
            label,
            lambda: live.page(live_scene.scene(results.source, data, kept, setting), words, may),
            f"{data.problem}-live.html",
            "text/html",
            key=f"{label} {place}",
        )
        without = [LOSSES[machine.loss].machine for machine in machines if machine not in kept]
        st.caption(
            "One HTML file that opens by a double click, without a network: the points can be moved and the machine is "
            f"fitted again in the browser.{f' It has no room for the {join_words(without)}.' if without else ''}"
        )
