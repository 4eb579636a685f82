"""The film of a run on the page: transport, planes, curves, facts, and how to take it along."""

import hashlib
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.shared import controls, figures, files, plane, tables
from pages.shared.controls import download
from pages.shared.parts import panels
from pages.shared.studies.runs import Chart, Screen, Show

FILM = "film"
PLOTLY = 5  # megabytes of plotly.js in an exported film
OFFLINE = "The HTML plays offline in any browser: all frames and plotly.js are inside."


class Asked(NamedTuple):
    """What the browser asked for: every single step, or the whole run, and to begin `by` moments after `iteration`."""

    steps: bool
    iteration: int
    by: int

    @property
    def around(self) -> int | None:
        """The iteration around which every single step is wanted, None for the whole run."""
        return self.iteration if self.steps else None


def asked(of) -> Asked | None:
    """What the transport wants to see of the run that `of` names; None where it asked for nothing.

    It may refer to an earlier run, before a change of C, and is then ignored.
    """
    told = (st.session_state.get(FILM) or {}).get("film")
    if not told or told["run"] != _hash(of):
        return None
    return Asked(bool(told["steps"]), int(told["iteration"]), int(told["by"]))


def show(what: Show, stem, of, wanted: Asked | None = None) -> None:
    """The whole film of the run that `of` names; what it is called in files is `stem`."""
    if what.note:
        controls.note(what.note)
    start = _start(what, wanted)
    rev = transport(what.ticks, FILM, of, wanted, start=start, steps=what.steps, beyond=what.beyond)
    single = len(what.screens) == 1
    left, right = st.columns([0.56, 0.44] if single else [0.66, 0.34], gap="medium")
    with left:
        _screens(what, rev)
    with right:
        for shown in what.charts:
            chart(shown, FILM, rev, f"chart-{shown.title}")
    with left if len(what.charts) > len(what.screens) else right:
        st.html(tables.pairs(what.facts))
    films = {f"{stem}-{screen.name}": screen for screen in what.screens}
    take_along(films, what.ticks, curves=(f"{stem}-curves", what.charts))


def transport(ticks, key, of, wanted=None, **options) -> str:
    """The controls of the film `key`, of the run that `of` names; its revision, for reels and cursors.

    ticks: `runs.Tick`s; `options` as in `plane.transport`.
    """
    rev = _hash((of, wanted, [tick.iteration for tick in ticks]))
    plane.transport([tick._asdict() for tick in ticks], key=key, run=_hash(of), rev=rev, **options)
    return rev


def _hash(what):
    return hashlib.sha1(repr(what).encode()).hexdigest()


def _start(what, wanted):
    if wanted is None:
        return what.start
    away = [abs(tick.iteration - wanted.iteration) for tick in what.ticks]
    nearest = [k for k, gap in enumerate(away) if gap == min(away)][0 if wanted.by < 0 else -1]
    return min(max(nearest + wanted.by, 0), len(what.ticks) - 1)


def _screens(what, rev):
    single = len(what.screens) == 1
    cells = [st.container()] if single else panels.cells(len(what.screens), 2)
    for k, (cell, screen) in enumerate(zip(cells, what.screens, strict=False)):
        with cell:
            st.markdown(f"**{screen.name}**")
            reel = plane.reel(screen.film, FILM, rev, screen.at)
            plane.show(screen.film.figure, key=f"film-{k}", height=620 if single else 420, link="watched", reel=reel)


def chart(chart: Chart, film: str, rev: str, key: str, height=176) -> None:
    """A chart with a cursor that the transport of `film` at its `rev` moves; `height` in pixels without its legend."""
    picture = figures.history(
        chart.lines, xlabel=chart.xlabel, ylabel=chart.ylabel, log=chart.log, level=chart.level, log_x=chart.log_x
    )
    st.markdown(f"**{chart.title}**")
    cursor = {"film": film, "rev": rev, "places": chart.places}
    plane.show(picture, key=key, height=height + picture.layout["margin"]["b"], cursor=cursor)


def take_along(films: dict[str, Screen], ticks, *, curves=("", ()), key="take") -> None:
    """A folded part with downloads: `films` {file name: screen} with these ticks, and curves = (file name, charts)."""
    with st.expander("Take it along", icon=":material/download:", key=key, on_change="rerun") as box:
        if not box.open:
            return
        with st.container(horizontal=True):
            for stem, screen in films.items():
                label = f"{screen.name} (HTML, about {megabytes(screen.film):.0f} MB)"
                download.button(label, partial(film_html, screen, ticks), f"{stem}.html", "text/html")
            stem, charts = curves
            if charts:
                download.button("Curves (CSV)", lambda: curves_csv(charts), f"{stem}.csv", "text/csv")
        st.caption(OFFLINE)


def film_html(screen: Screen, ticks) -> str:
    """The film of one screen as a document of its own, each frame under the name of its first moment."""
    labels = {}
    for tick, k in zip(ticks, screen.at, strict=True):
        if k >= 0:
            labels.setdefault(k, tick.label)
    return figures.document(figures.animation(screen.film, labels, title=screen.name))


def megabytes(film) -> float:
    """About how large `film_html` is: plotly.js, and for each frame three fields or a line in float32, and the styles
    as text.
    """
    points = sum(style["size"].size for style in film.styles.values())
    numbers = sum(part.size for parts in (film.moves or {}).values() for part in parts.values())
    numbers += 0 if film.z is None else 3 * film.z.size
    return PLOTLY + 1e-6 * (numbers * 4 * 4 / 3 + 30 * points)


def curves_csv(charts) -> str:
    """All curves as text, one point a line."""
    curves = [(chart.title, line) for chart in charts for line in chart.lines]
    points = ([title, line.name, x, y] for title, line in curves for x, y in zip(line.x, line.y, strict=True))
    return files.rows_text([["chart", "curve", "x", "y"], *points])
