"""The breakdown meter: labels are flipped one after another until each machine has changed a share of the plane."""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared.controls import download, sections
from pages.shared.controls.widgets import keep, raw_value
from pages.shared.figures.film import with_dial
from pages.shared.figures.gif import film_gif
from pages.shared.figures.palette import variant
from pages.shared.live import films
from pages.shared.page import callbacks, url_state
from pages.shared.page.job_panel import Job, JobPanel, threads
from pages.shared.panels import influence_map, player
from pages.shared.plane import component
from pages.shared.screen.choices import OWN, Data, Machine, Setting
from pages.shared.screen.schema import BROKEN, FLIPPING
from pages.shared.studies import classification, contaminated, formatting, tasks
from svmcore import problems
from svmcore.problems import Problem, outliers
from svmcore.problems.tables import rows_text, split
from svmcore.studies import breakdown
from svmcore.words import percent

DRAWS = 20
FEWEST = 5  # of the reader's own points in a class
PANEL = JobPanel(
    kind="breakdown",
    units="fits",
    start="Break them",
    resume="Go on breaking",
    stop="Stop breaking",
    stopped="Stopped after {made} of {total} fits; the numbers below are from these.",
    outdated="The settings have changed since these labels were flipped.",
    room=16,
)
ABOUT = (
    "How many wrong labels does it take? Labels are flipped one after another, up to half of them. A machine is "
    "*broken* when its boundary has changed so much that a given share of the plane is in the other class."
)
MEANING = (
    "The **breakdown point** of Donoho and Huber (1983) is the smallest share of the points that, put anywhere, can "
    "carry an estimate beyond all bounds. This number is something else: the points stay where they are, their labels "
    "are flipped in one order and not in the worst one, and “broken” is a share that you choose. So the smallest "
    "number of flips that changes this share of the plane may be lower, never higher."
)
HEAD = ("machine", "this draw", "median", "10th to 90th percentile", "not broken")


class BreakdownRequest(NamedTuple):
    """A race on draws of a problem, or on splits of the reader's own `points` (x1, x2, y), with labels flipped in an
    order of `outliers.ORDERS`; `seed` is that of the first draw.
    """

    problem: str
    options: tuple
    machines: tuple[Machine, ...]
    setting: Setting
    order: str
    seed: int
    points: tuple = ()

    def draw(self, seed) -> Problem:
        """The problem with this seed, without outliers."""
        if not self.points:
            return outliers.without_outliers(problems.load(self.problem, seed, **dict(self.options)))
        table = np.array(self.points)
        return split(table[:, :-1], table[:, -1], seed)

    @property
    def too_few(self) -> str:
        """A sentence where a class of the reader's own points is too small to be split and flipped; "" elsewhere."""
        smallest = min(sum(y == label for *_, y in self.points) for label in (1.0, -1.0))
        if self.problem != OWN or smallest >= FEWEST:
            return ""
        return f"The race needs at least {FEWEST} of your own points in each class; the smaller has {smallest}."


def request_of(data: Data, machines: list[Machine], setting: Setting, order) -> BreakdownRequest:
    """The race of a screen; of the reader's own points in one order, whatever was held out or contaminated."""
    request = BreakdownRequest(data.problem, data.options, tuple(machines), setting, order, data.seed)
    if data.problem != OWN:
        return request
    own = contaminated.shown_set(data)
    return request._replace(options=(), points=tuple(sorted(map(tuple, np.column_stack([own.X, own.y]).tolist()))))


def section(data: Data, machines: list[Machine], setting: Setting) -> None:
    """The race of this problem: its controls, its film on this draw, and the numbers of twenty draws."""
    if not tasks.task_of(data).classes or data.is_table:
        return  # the share of a plane
    title, first = "Break them: how many wrong labels?", next(iter(outliers.ORDERS))
    with sections.fold("compare", FLIPPING, title, ":material/heart_broken:", first) as opened:
        order, percentage = raw_value(FLIPPING), int(keep(BROKEN))
        if not opened:
            return
        share = percentage / 100.0
        st.markdown(ABOUT)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _widget(st.selectbox, FLIPPING, order, options=list(outliers.ORDERS), format_func=FLIPPING.label_of)
            ends = {"min_value": BROKEN.low, "max_value": BROKEN.high, "step": BROKEN.step}
            _widget(st.slider, BROKEN, percentage, **ends)
        request = request_of(data, machines, setting, order)
        if request.too_few:
            st.caption(request.too_few)
            return
        PANEL.button("compare", request, begin)
        job = PANEL.job("compare", request)
        if job and job.key == request:
            _race(request, share)
        PANEL.watch("compare", request, partial(_show, share=share))
        st.caption(MEANING)


def _widget(make, field, value, **options):
    state = dict(key=f"in_section_{field.name}", now=value, act=partial(url_state.give, field.name))
    callbacks.show_widget(make, field.label, **state, width=340, help=field.help or None, **options)


def begin(request: BreakdownRequest) -> Job:
    """Start the fits of twenty draws in the background."""
    models = {machine.name: classification.estimator(machine, request.setting) for machine in request.machines}
    seeds = range(request.seed, request.seed + DRAWS)
    fits = breakdown.race(models, request.draw, request.order, seeds, threads)
    points = len(request.draw(request.seed).y)
    return Job(request, fits, len(models) * DRAWS * len(breakdown.levels(points)))


def _race(request, share):
    """The film of the first draw, the lines, and how far each machine has come."""
    made = films.flip_race(request)
    race = made.view(share)
    dials = zip(race.screens, made.shares, strict=True)
    race = race._replace(screens=[one._replace(film=with_dial(one.film, mine, share)) for one, mine in dials])
    left, right = st.columns([0.6, 0.4], gap="small")
    with left:
        version = player.film(race, (request, share))
    with right:
        player.charts(race.charts, version)
        component.film_sentences(player.FILM)
    colours = [variant(machine.colour)[0] for machine in request.machines]
    name = f"breakdown-{request.problem}.gif"
    make = partial(film_gif, race.screens, race.ticks, colours)
    download.button("Ten seconds to send (GIF), with the area that has changed", make, name, "image/gif")


def _show(job, rows, share):
    broken = breakdown.broken_at(rows, share)
    st.html(formatting.grid(HEAD, [[name, *numbers(at)] for name, at in broken.items()]))
    draws = max(len(at) for at in broken.values())
    st.caption(
        f"Flips at which at least {percent(share, 'g')} of the plane has changed, on {draws} of {DRAWS} draws; labels "
        f"{outliers.ORDERS[job.key.order][0]}, at most half of them."
    )
    if found := influence_map.trouble(rows):
        st.caption(found)
    name = f"breakdown-{job.key.problem}.csv"
    download.button("Fits (CSV)", lambda: rows_text([breakdown.Row._fields, *rows]), name, "text/csv")


def numbers(at) -> list[str]:
    """The entries of `HEAD` for one machine: the flips (draws,) at which it breaks, inf where it does not."""
    low, middle, high = (_flips(value) for value in np.percentile(at, [10, 50, 90], method="nearest"))
    return [_flips(at[0]), middle, f"{low} to {high}", f"{int(np.isinf(at).sum())} of {len(at)}"]


def _flips(value):
    return f"{value:.0f}" if np.isfinite(value) else "–"
