"""Taking it along: points, figure, the whole screen and code as files."""

import streamlit as st

from pages.shared import figures, files, frame, own, record, session
from pages.shared.choices import OWN, Data, Setting


def csv(points) -> str:
    """Training points as text: x1, x2, y, and per point alpha, margin, outlier (0 or 1).

    Of a regression x1, y, and beta (for y in the unit that the page names), residual, outlier.
    """
    if isinstance(points, figures.Samples):
        columns = dict(beta=points.beta, residual=points.residual, outlier=points.outlier)
        return files.csv_text(points.x[:, None], points.y, **columns)
    return files.csv_text(points.X, points.y, alpha=points.alpha, margin=points.margin, outlier=points.outlier)


def row(stem, data: Data, setting: Setting, studies, figure, codes):
    """Points, screen and figure as files, and one snippet per machine: {name: source text}; made when it is opened.

    `studies` is {machine: study}; support values in the points' own file are those of the first.
    """
    with st.expander(
        "Take it along: data, figure, code", icon=":material/download:", key="take", on_change="rerun"
    ) as box:
        if not box.open:
            return
        points, problem = next(iter(studies.values())).points, session.problem(data)
        with st.container(horizontal=True):
            button("Points (CSV)", lambda: csv(points), f"{stem}.csv", "text/csv")
            if data.problem == OWN and len(problem.y_test):
                test = problem.X_test, problem.y_test
                button("Test points (CSV)", lambda: files.csv_text(*test), f"{stem}-test.csv", "text/csv")
            button("Points (LIBSVM)", lambda: files.libsvm_text(problem.X, problem.y), f"{stem}.libsvm", "text/plain")
            screen(data, setting, studies, stem)
            button("Figure (HTML, works offline)", lambda: figures.to_html(figure), f"{stem}.html", "text/html")
        st.caption(
            f"The JSON file is the whole screen: choose it under “{own.TITLE}”, and all is back. PNG and SVG: the menu "
            "at the corner of each chart."
        )
        for name, code in codes.items():
            st.markdown(f"**{name}** in Python:")
            st.code(code, language="python")


def screen(data: Data, setting: Setting | None = None, studies=None, stem=None):
    """A download of everything that restores this screen, with the models where there are some."""
    settings = {name: value for name, value in frame.settings().items() if name != "hide"}
    points = session.own_set(dict(data.options)["data"]) if data.problem == OWN else None
    problem = session.problem(data)

    def make():
        return record.text(problem, settings, data.edits, points, setting, studies)

    name = "Everything (JSON)" if setting else "This screen (JSON)"
    button(name, make, f"{stem or data.problem}.json", "application/json")


def button(label, make, name, mime):
    """A download whose file is made when it is asked for, not on every run."""
    st.download_button(label, make, name, mime, on_click="ignore", key=f"download {label}")
