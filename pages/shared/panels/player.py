"""The film of a run on the page: transport, planes, curves, facts and downloads."""

import hashlib
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.shared.controls import download, strip, widgets
from pages.shared.figures.charts.history import history_figure
from pages.shared.figures.export import html_document
from pages.shared.figures.film import animated_figure
from pages.shared.figures.gif import film_gif
from pages.shared.page.run import current, read_state, session
from pages.shared.panels import machine_numbers
from pages.shared.plane import component
from pages.shared.screen.schema import NOWHERE, STEP
from pages.shared.studies import formatting
from pages.shared.studies.runs import FACT_TIPS
from pages.shared.studies.show import Chart, FilmPlane, FilmView
from svmcore.problems.tables import rows_text

FILM = "film"
ABOVE = 4  # charts that stand above the sentences on the moment
SPEEDS = ((20, 2), (60, 5), (float("inf"), 12))  # moments a second of films with at most so many moments
UNDER = 96  # pixels of the controls under a film
PLOTLY = 5  # megabytes of plotly.js in an exported film
OFFLINE = "The HTML file plays offline in any browser: it contains all frames and plotly.js."


class FilmRequest(NamedTuple):
    """The moments that the browser requests: single steps or the whole run, from `by` moments after `iteration`."""

    steps: bool
    iteration: int
    by: int

    @property
    def centre(self) -> int | None:
        """The iteration around which single steps are requested, None for the whole run."""
        return self.iteration if self.steps else None


def read_request(run) -> FilmRequest | None:
    """The request of the transport for `run`, any value that identifies it; None if there is none.

    A request for another run, such as the one before a change of C, is ignored.
    """
    message = read_state(FILM, "film", steps=bool | None, iteration=int, by=int)
    if not message or message.get("run") != _hash(run):
        return None
    return FilmRequest(bool(message["steps"]), message["iteration"], message["by"])


def show(what: FilmView, stem, run, request: FilmRequest | None = None) -> None:
    """The whole film of `run`, as in `read_request`; the names of its files begin with `stem`."""
    if what.note:
        current().note(what.note)
    if len(what.screens) > 1:
        current().hint = "First: press Play."  # the sentences on a moment of several runs are always there
    with st.container(key="stage"):
        left, right = st.columns([0.41, 0.59] if len(what.screens) == 1 else 2, gap="small")
    with left:
        version = film(what, run, request)
    with right:
        charts(what.charts[:ABOVE], version)
        component.film_sentences(FILM)
        charts(what.charts[ABOVE:], version)
        facts(what)
    downloads(what, stem)


def film(what: FilmView, run, request: FilmRequest | None = None) -> str:
    """The planes of a film as high as the window, over its controls; its version."""
    pictures = st.container()
    speed = next(speed for most, speed in SPEEDS if len(what.ticks) <= most)
    version = transport(
        what.ticks, FILM, run, request, start=_start(what, request), plays=what.plays, ends=True, steps=what.steps,
        beyond=what.beyond, speed=speed,
    )  # fmt: skip
    single, rows = len(what.screens) == 1, -(-len(what.screens) // 2)
    with pictures:
        cells = [st.container()] if single else machine_numbers.cells(len(what.screens), 2)
    size = dict(fill=1 / rows, less=UNDER // rows + 8 * (rows - 1))
    for number in range(len(what.screens)):
        show_plane(what, number, cells[number], version, **size)
    return version


def show_plane(what: FilmView, number: int, cell, version: str, **size) -> None:
    """One plane of a film in a container; `size` as in `component.show_figure`."""
    shown = what.screens[number]
    with cell:
        frames = component.film_frames(shown.film, FILM, version, shown.at)
        edge = shown.name, "", ""
        component.show_figure(shown.film.figure, edge=edge, key=f"film-{number}", **size, link="watched", frames=frames)


def facts(what: FilmView) -> None:
    """Show what is known of the run as a whole."""
    st.html(formatting.pairs(what.facts, tips=FACT_TIPS))


def transport(ticks, key, run, request=None, *, start=None, linked=True, plays=False, **options) -> str:
    """The controls of the film `key` of `run`, as in `read_request`; returns its version, for frames and cursors.

    ticks: `FilmStep`s; linked: whether the moment is in the link, which only one film of a page can have; `start`,
    `plays` (unless the link says where) and `options` as in `component.transport`.
    """
    iterations, run = [tick.iteration for tick in ticks], _hash(run)
    version = _hash((run, request, iterations))
    named = first_moment(run, iterations, read_state(key, "moment", run=str, iteration=int)) if linked else None
    options |= dict(start=start, plays=plays) if named is None else dict(start=named)
    component.transport([tick._asdict() for tick in ticks], key=key, run=run, version=version, **options)
    return version


def first_moment(run: str, iterations: list[int], rested: dict | None) -> int | None:
    """Moment at which the film of `run` begins if a link or a file says so, as a place in its `iterations`.

    rested: {run, iteration}, where the browser, in which the film runs, rested last; it goes into the link. The film of
    another run, as after a change of C, stands at the same part of its way, and so does the link.
    """
    arrived = current().arrived or STEP.name in session().brought
    step = widgets.checked_value(STEP)
    known, share = st.session_state.get("film_rests", (None, None))
    if arrived:
        share = None if step == NOWHERE else _nearest(iterations, step) / max(len(iterations) - 1, 1)
    elif rested and rested["run"] == run:
        step = rested["iteration"]
        share = _nearest(iterations, step) / max(len(iterations) - 1, 1)
    elif known != run:
        step = NOWHERE if share is None else iterations[round(share * (len(iterations) - 1))]
    st.session_state["film_rests"], session().values[STEP.name] = (run, share), step
    strip.put(STEP, step, visible=False)
    return _nearest(iterations, step) if arrived and step != NOWHERE else None


def _nearest(iterations, step):
    return min(range(len(iterations)), key=lambda k: abs(iterations[k] - step))


def _hash(run):
    return hashlib.sha1(repr(run).encode()).hexdigest()


def _start(what, request):
    if request is None:
        return what.start
    away = [abs(tick.iteration - request.iteration) for tick in what.ticks]
    nearest = [k for k, gap in enumerate(away) if gap == min(away)][0 if request.by < 0 else -1]
    return min(max(nearest + request.by, 0), len(what.ticks) - 1)


def charts(shown: list[Chart], version: str) -> None:
    """The charts in rows of two, or one below the other where there are no more than two."""
    across = 1 if len(shown) <= 2 else 2
    rows = -(-len(shown) // across)
    for cell, one in zip(machine_numbers.cells(len(shown), across), shown, strict=False):
        with cell:
            chart(one, FILM, version, f"chart-{one.title}", fill=0.84 / min(rows, 2), less=8)


def chart(chart: Chart, film: str, version: str, key: str, **size) -> None:
    """A chart with a cursor that the transport of `film` at its `version` moves; `size` as in
    `component.show_figure`."""
    picture = history_figure(
        chart.lines, xlabel=chart.xlabel, ylabel=chart.ylabel, log=chart.log, level=chart.level, log_x=chart.log_x
    )
    cursor = {"film": film, "version": version, "places": chart.places}
    component.show_figure(picture, heading=chart.title, help=chart.help or None, key=key, cursor=cursor, **size)


def downloads(what: FilmView, stem, key="take") -> None:
    """An expander with the planes of a film and its curves as files, whose names begin with `stem`."""
    with st.expander("Download: film, curves", icon=":material/download:", key=key, on_change="rerun") as box:
        if not box.open:
            return
        with st.container(horizontal=True):
            for screen in what.screens:
                label = f"{screen.name} (HTML, about {megabytes(screen.film):.0f} MB)"
                make = partial(film_html, screen, what.ticks)
                download.button(label, make, f"{stem}-{screen.name}.html", "text/html")
            planes = [screen for screen in what.screens if screen.film.z is not None]
            if planes:
                name = f"{stem}-{planes[0].name}.gif"
                download.button("Ten seconds to send (GIF)", partial(film_gif, planes, what.ticks), name, "image/gif")
            if what.charts:
                download.button("Curves (CSV)", lambda: curves_csv(what.charts), f"{stem}-curves.csv", "text/csv")
        st.caption(OFFLINE)


def film_html(screen: FilmPlane, ticks) -> str:
    """The film of one screen as a complete HTML document; each frame has the label of its first moment."""
    labels = {}
    for tick, k in zip(ticks, screen.at, strict=True):
        if k >= 0:
            labels.setdefault(k, tick.label)
    return html_document(animated_figure(screen.film, labels, title=screen.name))


def megabytes(film) -> float:
    """The approximate size of `film_html`: plotly.js, and for each frame three fields or a line in float32, and the
    styles as text.
    """
    points = sum(style["size"].size for style in film.styles.values())
    numbers = sum(part.size for parts in (film.moves or {}).values() for part in parts.values())
    numbers += 0 if film.z is None else 3 * film.z.size
    return PLOTLY + 1e-6 * (numbers * 4 * 4 / 3 + 30 * points)


def curves_csv(charts) -> str:
    curves = [(chart.title, line) for chart in charts for line in chart.lines]
    points = ([title, line.name, x, y] for title, line in curves for x, y in zip(line.x, line.y, strict=True))
    return rows_text([["chart", "curve", "x", "y"], *points])
