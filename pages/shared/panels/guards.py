"""The conditions that end a page early, with a sentence; nothing that the reader made is lost."""

from contextlib import nullcontext

import streamlit as st

from pages.shared.figures.picture import machine_figure
from pages.shared.page import url_state
from pages.shared.page.run import Unfinished, current
from pages.shared.panels import editing, points_table
from pages.shared.plane import component
from pages.shared.screen.choices import OWN, Data
from pages.shared.studies import results, tasks

OTHERS = {"regression": "is a regression", "multiclass": "has more than two classes"}
NEEDED = {"classification": "two classes", "regression": "a regression"}


def require_task(data: Data, tasks_of_page) -> None:
    """End the page if the problem has none of its tasks: by a link, since the menu of the page does not list it."""
    if data.task not in tasks_of_page:
        needed = " or ".join(NEEDED[task] for task in tasks_of_page)
        current().hint = ""
        said = f"This page needs {needed}, and this problem {OTHERS[data.task]}. Choose another problem."
        st.info(said, icon=":material/info:")
        link = dict(label="Open on Playground", icon=":material/open_in_new:", query_params=url_state.query())
        st.page_link("pages/playground.py", **link)
        raise Unfinished


def enough(data: Data, toolbar=False) -> None:
    """End the page if there are too few points to fit; the points can still be edited, `toolbar` adds the toolbar."""
    problem = results.problem(data)
    task = tasks.task_of(problem)
    sentence = task.missing_sentence(problem)
    if sentence is None:
        return
    if data.problem == OWN:
        sentence += " Click in the plane, or load a file with “Load points”."
        current().hint = "First: choose a class in the toolbar and click in the plane."
    st.info(sentence, icon=":material/touch_app:")
    picture = machine_figure(results.extent(data), task.bare(problem), off=results.points_off(data))
    with editing.show_toolbar(data) if toolbar else nullcontext():
        component.show_figure(picture, key="bare", fill=1, less=70, link=editing.POINTS, edit=True)
    points_table.editor(data)
    raise Unfinished
