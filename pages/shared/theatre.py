"""The film of a run on the page: transport, planes, curves, facts, and how to take it along."""

import csv
import hashlib
import io

import streamlit as st

from pages.shared import export, figures, plane, tables
from pages.shared.watching import Show

FILM = "film"


def around():
    """The iteration about which the reader wants every single step, None for the whole run."""
    told = st.session_state.get(FILM)
    wanted = told.get("film") if told else None
    return int(wanted["iteration"]) if wanted and wanted["steps"] else None


def show(what: Show, stem):
    """The whole film; what it is called in files is `stem`."""
    rev = hashlib.sha1(repr((stem, what.ticks)).encode()).hexdigest()
    ticks = [tick._asdict() for tick in what.ticks]
    plane.transport(ticks, key=FILM, rev=rev, start=what.start, steps=what.steps)
    left, right = st.columns([0.56, 0.44] if len(what.screens) == 1 else [0.66, 0.34], gap="medium")
    with left:
        _screens(what)
    with right:
        for chart in what.charts:
            _chart(chart)
        st.html(tables.pairs(what.facts))
    _take(what, stem)


def _screens(what):
    single = len(what.screens) == 1
    cells = [st.container()] if single else [c for _ in range(0, len(what.screens), 2) for c in st.columns(2)]
    for k, (cell, screen) in enumerate(zip(cells, what.screens, strict=False)):
        with cell:
            st.markdown(f"**{screen.name}**")
            reel = plane.reel(screen.film, FILM, screen.at)
            plane.show(screen.film.figure, key=f"film-{k}", height=620 if single else 420, link="watched", reel=reel)


def _chart(chart):
    picture = figures.history(
        chart.lines, xlabel=chart.xlabel, ylabel=chart.ylabel, log=chart.log, level=chart.level, log_x=chart.log_x
    )
    st.markdown(f"**{chart.title}**")
    height = 190 + 20 * len(chart.lines)
    plane.show(picture, key=f"chart-{chart.title}", height=height, cursor={"film": FILM, "places": chart.places})


def _take(what, stem):
    with st.expander("Take it along", icon=":material/download:", key="take", on_change="rerun") as box:
        if not box.open:
            return
        labels = [tick.label for tick in what.ticks]
        with st.container(horizontal=True):
            for screen in what.screens:
                export.button(
                    f"{screen.name} (HTML, plays offline)",
                    lambda film=screen.film, at=screen.at: figures.to_html(
                        figures.animation(film, [label for label, k in zip(labels, at, strict=True) if k >= 0])
                    ),
                    f"{stem}-{screen.name}.html",
                    "text/html",
                )
            export.button("Curves (CSV)", lambda: curves_csv(what.charts), f"{stem}-curves.csv", "text/csv")


def curves_csv(charts):
    """All curves as text, one point a line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["chart", "curve", "x", "y"])
    for chart in charts:
        for line in chart.lines:
            writer.writerows([chart.title, line.name, x, y] for x, y in zip(line.x, line.y, strict=True))
    return out.getvalue()
