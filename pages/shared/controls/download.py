"""Downloads whose file is made on request: any text, and the whole screen."""

import streamlit as st

from pages.shared import carried, session
from pages.shared.choices import OWN, Data, Setting
from pages.shared.points import screen_document


def screen(data: Data, setting: Setting | None = None, studies=None, stem=None) -> None:
    """A download of all that restores this screen: controls, points, edits, and the models in `studies` if given."""
    settings = {name: value for name, value in carried.settings().items() if name != "hide"}
    points = session.own_set(dict(data.options)["data"]) if data.problem == OWN else None
    problem = session.problem(data)

    def make():
        return screen_document.text(problem, settings, data.edits, points, setting, studies)

    name = "Everything (JSON)" if setting else "This screen (JSON)"
    button(name, make, f"{stem or data.problem}.json", "application/json")


def button(label, make, name, mime) -> None:
    """A download button; `make()` returns the text of the file when the button is pressed, not on every run."""
    st.download_button(label, make, name, mime, on_click="ignore", key=f"download {label}")
