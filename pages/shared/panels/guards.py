"""The conditions that end a page early, with a sentence; nothing that the reader made is lost."""

from contextlib import nullcontext

import streamlit as st

from pages.shared.figures.picture import machine_figure
from pages.shared.page.run import Unfinished, current
from pages.shared.panels import editing, points_table
from pages.shared.plane import component
from pages.shared.screen.choices import OWN, Data
from pages.shared.studies import results, tasks

OTHERS = {"regression": "is a regression", "multiclass": "has more than two classes, which Playground shows"}


def classes(data: Data) -> None:
    """End the page unless the problem has two classes."""
    if data.task != "classification":
        current().end(f"This page needs two classes, and this problem {OTHERS[data.task]}. Choose another problem.")


def one_machine(data: Data) -> None:
    """End the page if the problem has more classes than one machine separates."""
    if data.task == "multiclass":
        problem = OTHERS[data.task]
        sentence = f"This page needs two classes or a regression, and this problem {problem}. Choose another problem."
        current().end(sentence)


def enough(data: Data, toolbar=False) -> None:
    """End the page if there are too few points to fit; the points can still be edited, `toolbar` adds the toolbar."""
    problem = results.problem(data)
    task = tasks.task_of(problem)
    sentence = task.missing(problem)
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
