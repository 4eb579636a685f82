"""The cached calls, keyed by small values, and what all sessions share. The only file that says st.cache_data."""

from functools import lru_cache

import streamlit as st

from pages.shared import figures
from pages.shared.choices import OWN, Data, Machine, Reweighting, Setting, Walk
from pages.shared.jobs.background import LRU, Shared
from pages.shared.points import edits, own_points
from pages.shared.studies import (
    classification,
    feature_walk,
    lone_outlier,
    loss_curves,
    paper_models,
    runs,
    sparsity,
    tasks,
)
from pages.shared.studies.arrays import Field, Graph, Points, Samples
from pages.shared.studies.study import RESOLUTION, Study
from svmcore.problems import Problem
from svmcore.watch import trace

WHILE_MOVING = 50


@st.cache_resource(show_spinner=False)
def own_sets() -> LRU:
    """The sets of points that readers brought, for all sessions of this server."""
    return LRU(own_points.MOST_SETS)


def own_set(key) -> own_points.Own | None:
    """The set of this key, the empty one for "", None for one that the server does not have."""
    return own_sets().get(key) if key else own_points.EMPTY


@lru_cache(64)  # asked for some twenty times in a run: Streamlit's caches take 0.1 ms a call
def base(data: Data) -> Problem:
    """The points that the edits are relative to; shared, so not to be written to."""
    points = own_set(dict(data.options)["data"]) if data.problem == OWN else own_points.EMPTY
    if points is None:
        raise ValueError("These points have left the server's memory; choose their file again.")
    return classification.base_problem(data, points)


@lru_cache(64)
def edited(data: Data) -> edits.Edited:
    """The points that are fitted, and those that are switched off."""
    return classification.edited(base(data.base), data)


def problem(data: Data) -> Problem:
    """The points that are fitted, with those for testing."""
    return edited(data).problem


def off(data: Data) -> Points | Samples | None:
    """The points that are switched off, one by one."""
    left_out = edited(data).off
    return left_out and tasks.of(left_out).bare(left_out)


def view(data: Data, size=RESOLUTION) -> tuple:
    """Grid coordinates of the plane, xs and ys; of a regression the places of the curve, and (low, high) of y."""
    return tasks.of(data).view(base(data.base), data, size)


def extent(data: Data) -> Field | Graph:
    """The plane without a machine."""
    return tasks.of(data).extent(*view(data))


def fit(data: Data, machine: Machine, setting: Setting, moving=False) -> Study:
    """The machine on these points, drawn over the extent that the problem has with its outliers switched on.

    While a point is moving the grid is coarse and nothing is kept: the next place is another problem.
    """
    if moving:
        return _fit(data, machine, setting, WHILE_MOVING)
    return _kept_fit(data, machine, setting, RESOLUTION)


def _fit(data: Data, machine: Machine, setting: Setting, size) -> Study:
    return tasks.of(data).fit(problem(data), machine, setting, *view(data, size), unit(data))


_kept_fit = st.cache_data(_fit, max_entries=256, show_spinner="Solving …")


@st.cache_data(max_entries=128, show_spinner=False)
def most_outliers(data: Data) -> int:
    """How many labels can be flipped so that half of every class stays as it was."""
    y = base(data.base).y
    return int(min((y > 0).sum(), (y < 0).sum()))


def before(data: Data, machine: Machine, setting: Setting, moving=False) -> Study | None:
    """The machine on the clean points, or None where no outliers are switched on, or nothing is left without them.

    Where an outlier stands makes no difference to it, so that it is not solved anew while one moves.
    """
    if not data.on or not problem(data).outlier.any():
        return None
    clean = data._replace(on=False, edits=edits.without_outliers(base(data.base), data.edits))
    if tasks.of(clean).missing(problem(clean)):
        return None
    return _kept_fit(clean, machine, setting, WHILE_MOVING if moving else RESOLUTION)


@st.cache_data(max_entries=256, show_spinner=False)
def advice(data: Data, setting: Setting) -> str | None:
    """What to do where the kernel cannot do its work on these points, as a sentence; None where it may."""
    return classification.advice(problem(data).X, setting)


@st.cache_data(max_entries=256, show_spinner=False)
def curve(machine: Machine, what, c) -> loss_curves.Broken:
    """The curve of a loss: its "value", "slope" or "prox" with the weight `c`."""
    return loss_curves.curve(machine, what, c)


@st.cache_resource(max_entries=128, show_spinner=False)
def outlier_sweep(machine: Machine, kernel) -> Shared:
    """The `lone_outlier.Step`s of one machine, made once for all sessions."""
    return Shared(lone_outlier.sweep(machine, kernel))


@st.cache_data(max_entries=16, show_spinner="Solving …")
def sparse_model(name, C, sigma) -> tuple[Field, Points] | tuple[Graph, Samples]:
    """ISLS on all points of a set of its paper, as a picture shows it."""
    return paper_models.sparse(name, C, sigma)


# ---------------------------------------------------------------------------------- runs to watch


@st.cache_resource(max_entries=32, show_spinner=False)
def given(data: Data, machine: Machine, setting: Setting) -> trace.Given:
    """What a solver of this machine is given; ValueError for more points than can be watched."""
    return runs.given(problem(data), machine, setting)


@st.cache_resource(max_entries=16, show_spinner="Solving …")
def recorded(data: Data, machine: Machine, setting: Setting, solver) -> trace.Trace:
    """The run of the solver with this key of `registry.DESCRIPTIONS`."""
    return runs.record(given(data, machine, setting), solver)


@st.cache_resource(max_entries=16, show_spinner="Drawing the frames …")
def run(data: Data, machine: Machine, setting: Setting, solver, around) -> runs.Show:
    """The film of that run: of all of it, or, with an iteration `around`, every step about that."""
    seen, task = recorded(data, machine, setting, solver), given(data, machine, setting)
    return figures.drawn(runs.run(seen, task, _frames(data), around))


@st.cache_resource(max_entries=8, show_spinner="Racing …")
def race(data: Data, entrants, setting: Setting, clock) -> runs.Show:
    """Of (machine, solver, label) each."""
    tasks = [(label, solver, given(data, machine, setting)) for machine, solver, label in entrants]
    return figures.drawn(runs.compete(tasks, _frames(data, len(entrants)), clock))


@st.cache_resource(max_entries=8, show_spinner="Following the path …")
def path(data: Data, machine: Machine, setting: Setting, name) -> runs.Show:
    """The film of the regularisation path over `name`, "C" or "sigma"."""
    return figures.drawn(runs.along(given(data, machine, setting), name, _frames(data)))


# ---------------------------------------------------------------------------------- the sparse LS-SVM


@st.cache_data(max_entries=64, show_spinner="Solving …")
def sparse(data: Data, setting: Setting, how: Reweighting) -> Study:
    """ISLS on these points, beside the machines of `fit`."""
    return sparsity.fit(problem(data), setting, how, *view(data), unit(data))


@st.cache_resource(max_entries=8, show_spinner="Drawing the rounds …")
def rounds(data: Data, setting: Setting, how: Reweighting) -> runs.Show:
    """The film of the rounds of ISLS."""
    return figures.drawn(sparsity.rounds(sparsity.given(problem(data), setting, unit(data)), how, _frames(data, 2)))


def unit(data: Data) -> float:
    """What the machines count y in: 1 for labels."""
    return tasks.of(data).unit(base(data.drawn))


def _frames(data, screens=1):
    """What the frames of a film with so many pictures are drawn over."""
    task, known = tasks.of(data), problem(data)
    return task.extent(*view(data, task.film_size(len(known.y), screens)), known)


# ------------------------------------------------------------------------------- the feature walk


@st.cache_resource(max_entries=32, show_spinner="Walking …")
def walk(asked: Walk) -> tuple[feature_walk.Steps, feature_walk.Steps]:
    """The walk in all features, and in two of them."""
    steps = feature_walk.follow(asked)
    return steps, feature_walk.in_the_plane(steps, asked)
