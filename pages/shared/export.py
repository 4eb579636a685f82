"""Taking it along: points, figure and code as files."""

import io

import numpy as np
import streamlit as st

from pages.shared import figures


def csv(points) -> str:
    """Training points as text: x1, x2, y, and per point alpha, margin, outlier (0 or 1).

    Of a regression x, y, and beta (for y in the unit that the page names), residual, outlier.
    """
    out = io.StringIO()
    if isinstance(points, figures.Samples):
        columns, header = (points.x, points.y, points.beta, points.residual), "x,y,beta,residual,outlier"
    else:
        columns, header = (points.X, points.y, points.alpha, points.margin), "x1,x2,y,alpha,margin,outlier"
    table = np.column_stack([*columns, points.outlier])
    np.savetxt(out, table, delimiter=",", header=header, comments="", fmt="%.17g")
    return out.getvalue()


def row(stem, points, figure, codes):
    """Points and figure as files, and one snippet per machine: {name: source text}; made when it is opened."""
    with st.expander(
        "Take it along: data, figure, code", icon=":material/download:", key="take", on_change="rerun"
    ) as box:
        if not box.open:
            return
        with st.container(horizontal=True):
            button("Points (CSV)", lambda: csv(points), f"{stem}.csv", "text/csv")
            button("Figure (HTML, works offline)", lambda: figures.to_html(figure), f"{stem}.html", "text/html")
        st.caption("PNG and SVG: the menu at the corner of each chart.")
        for name, code in codes.items():
            st.markdown(f"**{name}** in Python:")
            st.code(code, language="python")


def button(label, make, name, mime):
    """A download whose file is made when it is asked for, not on every run."""
    st.download_button(label, make, name, mime, on_click="ignore", key=f"download {name}")
