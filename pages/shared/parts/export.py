"""Downloads: points, figure, the whole screen and code as files."""

import streamlit as st

from pages.shared import figures, files, session
from pages.shared.choices import OWN, Data, Setting
from pages.shared.controls import download
from pages.shared.points import own_points
from pages.shared.studies import arrays


def csv(points) -> str:
    """Training points as text: x1, x2, y, and per point alpha, margin, outlier (0 or 1).

    For a regression x1, y, and beta (for y in the unit shown on the page), residual, outlier; for more than two classes
    x1, x2, y, and predicted, outlier.
    """
    if isinstance(points, arrays.Samples):
        columns = dict(beta=points.beta, residual=points.residual, outlier=points.outlier)
        return files.csv_text(points.x[:, None], points.y, **columns)
    if points.predicted is not None:
        return files.csv_text(points.X, points.y, predicted=points.predicted, outlier=points.outlier)
    return files.csv_text(points.X, points.y, alpha=points.alpha, margin=points.margin, outlier=points.outlier)


def row(stem, data: Data, setting: Setting, studies, figure, codes) -> None:
    """A folded section with points, screen and figure as files, and one snippet per machine, {name: source text}.

    `studies` is {machine: study}; the support values in the file of the points are those of the first machine.
    """
    with st.expander("Download: data, figure, code", icon=":material/download:", key="take", on_change="rerun") as box:
        if not box.open:
            return
        points, problem = next(iter(studies.values())).points, session.problem(data)
        with st.container(horizontal=True):
            download.button("Points (CSV)", lambda: csv(points), f"{stem}.csv", "text/csv")
            if data.problem == OWN and len(problem.y_test):
                test = problem.X_test, problem.y_test
                download.button("Test points (CSV)", lambda: files.csv_text(*test), f"{stem}-test.csv", "text/csv")
            download.button(
                "Points (LIBSVM)", lambda: files.libsvm_text(problem.X, problem.y), f"{stem}.libsvm", "text/plain"
            )
            download.screen(data, setting, studies, stem)
            download.button(
                "Figure (HTML, works offline)", lambda: figures.to_html(figure), f"{stem}.html", "text/html"
            )
        st.caption(
            f"The JSON file restores the points and the settings when it is loaded under “{own_points.TITLE}”. The "
            "menu at the corner of each chart saves PNG and SVG files."
        )
        for name, code in codes.items():
            st.markdown(f"**{name}** in Python:")
            st.code(code, language="python")
