"""Downloads: points, figure, the whole screen and code as files."""

import streamlit as st

from pages.shared.controls import download, link, live_file
from pages.shared.figures.export import to_html
from pages.shared.screen import own_points
from pages.shared.screen.choices import OWN, Data, Setting
from pages.shared.studies import results


def row(stem, data: Data, setting: Setting, studies, figure, codes) -> None:
    """A folded section with points, screen and figure as files, and one snippet per machine, {name: source text}.

    `studies` is {machine: study}; the support values in the file of the points are those of the first machine.
    """
    with st.expander("Download: data, figure, code", icon=":material/download:", key="take", on_change="rerun") as box:
        if not box.open:
            return
        points, problem = next(iter(studies.values())).points, results.problem(data)
        with st.container(horizontal=True):
            download.points(points, problem, stem, test=data.problem == OWN)
            download.screen(data, setting, studies, stem)
            download.button("Figure (HTML, works offline)", lambda: to_html(figure), f"{stem}.html", "text/html")
        first = next(iter(studies))
        st.caption(
            f"The CSV file has the support values and {'residuals' if data.task == 'regression' else 'margins'} of one "
            f"machine, {first.name}. "
            * (len(studies) > 1)
            + "The CSV and LIBSVM files have the features standardised, in their order x1, x2, … "
            * (data.is_table and data.scaled)
            + f"The JSON file restores the points and the settings when it is loaded under “{own_points.TITLE}”. The "
            "menu at the corner of each chart saves PNG and SVG files."
        )
        live_file.save("download", data, list(studies), setting, link.link())
        for name, code in codes.items():
            st.markdown(f"**{name}** in Python:")
            st.code(code, language="python")
