"""Downloads whose file is made on request: any text, points, and the whole screen."""

import streamlit as st

from pages.shared.files.delimited import csv_text
from pages.shared.files.libsvm import libsvm_text
from pages.shared.page import url_state
from pages.shared.screen import document
from pages.shared.screen.choices import OWN, Data, Setting
from pages.shared.studies import arrays, results
from svmcore.problems import Problem


def screen(data: Data, setting: Setting | None = None, studies=None, stem=None) -> None:
    """A download of all that restores this screen: controls, points, edits, and the models in `studies` if given."""
    settings = {name: value for name, value in url_state.settings().items() if name != "hide"}
    points = results.own_set(dict(data.options)["data"]) if data.problem == OWN else None
    problem = results.problem(data)

    def make():
        return document.text(problem, settings, data.edits, points, setting, studies)

    name = "Everything (JSON)" if setting else "This screen (JSON)"
    button(name, make, f"{stem or data.problem}.json", "application/json")


def points(points: arrays.Points | arrays.Samples, problem: Problem, stem: str, test: bool) -> None:
    """Downloads of the training points with their support values, of the problem as LIBSVM text, of test points."""
    button("Points (CSV)", lambda: points_csv(points), f"{stem}.csv", "text/csv")
    if test and len(problem.y_test):
        button("Test points (CSV)", lambda: csv_text(problem.X_test, problem.y_test), f"{stem}-test.csv", "text/csv")
    button("Points (LIBSVM)", lambda: libsvm_text(problem.X, problem.y), f"{stem}.libsvm", "text/plain")


def points_csv(points: arrays.Points | arrays.Samples) -> str:
    """Training points as text: x1, x2 (and x3, ... of a table), y, and per point alpha, margin, outlier (0 or 1).

    For a regression x1, y, and beta (for y in the unit shown on the page), residual, outlier; for more than two classes
    x1, x2, y, and predicted, outlier.
    """
    if isinstance(points, arrays.Samples):
        columns = dict(beta=points.beta, residual=points.residual, outlier=points.outlier)
        return csv_text(points.x[:, None], points.y, **columns)
    if points.predicted is not None:
        return csv_text(points.features, points.y, predicted=points.predicted, outlier=points.outlier)
    return csv_text(points.features, points.y, alpha=points.alpha, margin=points.margin, outlier=points.outlier)


def button(label, make, name, mime, key=None) -> None:
    """A download button; `make()` returns the text of the file when the button is pressed, not on every run. `key`, by
    default the label, is that of no other button of the page.
    """
    st.download_button(label, make, name, mime, on_click="ignore", key=f"download {key or label}")
