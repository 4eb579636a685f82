"""Downloads whose file is made when it is asked for: any text, and the whole screen."""

import streamlit as st

from pages.shared import carried, session
from pages.shared.choices import OWN, Data, Setting
from pages.shared.points import screen_document


def screen(data: Data, setting: Setting | None = None, studies=None, stem=None):
    """A download of everything that restores this screen, with the models where there are some."""
    settings = {name: value for name, value in carried.settings().items() if name != "hide"}
    points = session.own_set(dict(data.options)["data"]) if data.problem == OWN else None
    problem = session.problem(data)

    def make():
        return screen_document.text(problem, settings, data.edits, points, setting, studies)

    name = "Everything (JSON)" if setting else "This screen (JSON)"
    button(name, make, f"{stem or data.problem}.json", "application/json")


def button(label, make, name, mime):
    """A download whose file is made when it is asked for, not on every run."""
    st.download_button(label, make, name, mime, on_click="ignore", key=f"download {label}")
