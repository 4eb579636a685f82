"""The film of a run on the page: transport, planes, curves, facts and downloads."""

import hashlib
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.shared import controls, figures, files, plane, tables
from pages.shared.controls import download
from pages.shared.parts import panels
from pages.shared.studies.runs import FACT_TIPS
from pages.shared.studies.show import Chart, Screen, Show

FILM = "film"
ABOVE = 4  # charts that stand above the sentences on the moment
SPEEDS = ((20, 2), (60, 5), (float("inf"), 12))  # moments a second of films with at most so many moments
UNDER = 84  # pixels of the controls under a film
PLOTLY = 5  # megabytes of plotly.js in an exported film
OFFLINE = "The HTML file plays offline in any browser: it contains all frames and plotly.js."


class Request(NamedTuple):
    """The moments that the browser requests: single steps or the whole run, from `by` moments after `iteration`."""

    steps: bool
    iteration: int
    by: int

    @property
    def centre(self) -> int | None:
        """The iteration around which single steps are requested, None for the whole run."""
        return self.iteration if self.steps else None


def requested(run) -> Request | None:
    """The request of the transport for `run`, any value that identifies it; None if there is none.

    A request for another run, such as the one before a change of C, is ignored.
    """
    message = (st.session_state.get(FILM) or {}).get("film")
    if not message or message["run"] != _hash(run):
        return None
    return Request(bool(message["steps"]), int(message["iteration"]), int(message["by"]))


def show(what: Show, stem, run, request: Request | None = None) -> None:
    """The whole film of `run`, as in `requested`; the names of its files begin with `stem`."""
    if what.note:
        controls.note(what.note)
    start = _start(what, request)
    with st.container(key="stage"):
        left, right = st.columns([0.41, 0.59] if len(what.screens) == 1 else 2, gap="small")
    with left:
        rev = film(what, run, start, request)
    with right:
        charts(what.charts[:ABOVE], rev)
        plane.words(FILM, key="film_words")
        charts(what.charts[ABOVE:], rev)
        facts(what)
    downloads(what, stem)


def film(what: Show, run, start=None, request: Request | None = None) -> str:
    """The planes of a film as high as the window, over its controls; its revision."""
    pictures = st.container()
    rev = _controls(what, run, start, request)
    single, rows = len(what.screens) == 1, -(-len(what.screens) // 2)
    with pictures:
        cells = [st.container()] if single else panels.cells(len(what.screens), 2)
    size = dict(fill=1 / rows, less=UNDER // rows + 8 * (rows - 1))
    for number, cell in zip(range(len(what.screens)), cells, strict=False):
        screen(what, number, cell, rev, **size)
    return rev


def controlled(what: Show, run, below: int) -> str:
    """The first plane of a film over its controls and sentences, which take `below` pixels; its revision."""
    picture = st.container()
    rev = _controls(what, run, what.start, None)
    plane.words(FILM, key="film_words")
    screen(what, 0, picture, rev, fill=1, less=below)
    return rev


def screen(what: Show, number: int, cell, rev: str, **size) -> None:
    """One plane of a film in a container; `size` as in `plane.show`."""
    shown = what.screens[number]
    with cell:
        reel = plane.reel(shown.film, FILM, rev, shown.at)
        edge = shown.name, "", ""
        plane.show(shown.film.figure, edge=edge, key=f"film-{number}", **size, link="watched", reel=reel)


def _controls(what, run, start, request):
    speed = next(speed for most, speed in SPEEDS if len(what.ticks) <= most)
    return transport(
        what.ticks, FILM, run, request, start=start, ends=True, steps=what.steps, beyond=what.beyond, speed=speed
    )


def facts(what: Show) -> None:
    """What is known of the run as a whole."""
    st.html(tables.pairs(what.facts, tips=FACT_TIPS))


def downloads(what: Show, stem) -> None:
    """The film and its curves as files, whose names begin with `stem`."""
    films = {f"{stem}-{screen.name}": screen for screen in what.screens}
    take_along(films, what.ticks, curves=(f"{stem}-curves", what.charts))


def transport(ticks, key, run, request=None, *, start=None, linked=True, **options) -> str:
    """The controls of the film `key` of `run`, as in `requested`; returns its revision, for reels and cursors.

    ticks: `Tick`s; linked: whether the moment is in the link, which only one film of a page can have; `start` and
    `options` as in `plane.transport`.
    """
    iterations, run = [tick.iteration for tick in ticks], _hash(run)
    rev = _hash((run, request, iterations))
    named = controls.moment(run, iterations, (st.session_state.get(key) or {}).get("moment")) if linked else None
    start = start if named is None else named
    plane.transport([tick._asdict() for tick in ticks], key=key, run=run, rev=rev, start=start, **options)
    return rev


def _hash(run):
    return hashlib.sha1(repr(run).encode()).hexdigest()


def _start(what, request):
    if request is None:
        return what.start
    away = [abs(tick.iteration - request.iteration) for tick in what.ticks]
    nearest = [k for k, gap in enumerate(away) if gap == min(away)][0 if request.by < 0 else -1]
    return min(max(nearest + request.by, 0), len(what.ticks) - 1)


def charts(shown: list[Chart], rev: str) -> None:
    """The charts in rows of two, or one below the other where there are no more than two."""
    across = 1 if len(shown) <= 2 else 2
    rows = -(-len(shown) // across)
    for cell, one in zip(panels.cells(len(shown), across), shown, strict=False):
        with cell:
            chart(one, FILM, rev, f"chart-{one.title}", fill=0.77 / min(rows, 2), less=8)


def chart(chart: Chart, film: str, rev: str, key: str, **size) -> None:
    """A chart with a cursor that the transport of `film` at its `rev` moves; `size` as in `plane.show`."""
    picture = figures.history(
        chart.lines, xlabel=chart.xlabel, ylabel=chart.ylabel, log=chart.log, level=chart.level, log_x=chart.log_x
    )
    cursor = {"film": film, "rev": rev, "places": chart.places}
    plane.show(picture, heading=chart.title, help=chart.help or None, key=key, cursor=cursor, **size)


def take_along(films: dict[str, Screen], ticks, *, curves=("", ()), key="take") -> None:
    """An expander with downloads: `films` {file name: screen} with these ticks, and curves = (file name, charts)."""
    with st.expander("Download: film, curves", icon=":material/download:", key=key, on_change="rerun") as box:
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
    """The film of one screen as a complete HTML document; each frame has the label of its first moment."""
    labels = {}
    for tick, k in zip(ticks, screen.at, strict=True):
        if k >= 0:
            labels.setdefault(k, tick.label)
    return figures.document(figures.animation(screen.film, labels, title=screen.name))


def megabytes(film) -> float:
    """The approximate size of `film_html`: plotly.js, and for each frame three fields or a line in float32, and the
    styles as text.
    """
    points = sum(style["size"].size for style in film.styles.values())
    numbers = sum(part.size for parts in (film.moves or {}).values() for part in parts.values())
    numbers += 0 if film.z is None else 3 * film.z.size
    return PLOTLY + 1e-6 * (numbers * 4 * 4 / 3 + 30 * points)


def curves_csv(charts) -> str:
    """All curves as CSV text, one point per line."""
    curves = [(chart.title, line) for chart in charts for line in chart.lines]
    points = ([title, line.name, x, y] for title, line in curves for x, y in zip(line.x, line.y, strict=True))
    return files.rows_text([["chart", "curve", "x", "y"], *points])
