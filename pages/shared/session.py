"""The cached calls, with small values as keys, and the stores of all sessions. The only file with st.cache_data."""

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
    """The sets of points that readers have loaded, for all sessions of this server."""
    return LRU(own_points.MOST_SETS)


def own_set(key) -> own_points.Own | None:
    """The set with this key, the empty set for "", None if the server does not have it."""
    return own_sets().get(key) if key else own_points.EMPTY


@lru_cache(64)  # called some twenty times in a run: Streamlit's caches take 0.1 ms a call
def base(data: Data) -> Problem:
    """The points that the edits are relative to; shared, so do not write to them.

    Raises ValueError if the reader's own points are no longer on the server.
    """
    points = own_set(dict(data.options)["data"]) if data.problem == OWN else own_points.EMPTY
    if points is None:
        raise ValueError("These points are no longer in the server's memory; choose their file again.")
    return classification.base_problem(data, points)


@lru_cache(64)
def edited(data: Data) -> edits.Edited:
    """The points that are fitted, and those that are switched off."""
    return classification.edited(base(data.base), data)


def problem(data: Data) -> Problem:
    """The points that are fitted, with the test points."""
    return edited(data).problem


def off(data: Data) -> Points | Samples | None:
    """The points that are switched off individually; None without any."""
    left_out = edited(data).off
    return left_out and tasks.of(left_out).bare(left_out)


def view(data: Data, size=RESOLUTION) -> tuple:
    """Grid coordinates xs and ys of the plane; for a regression the x of the curve and (low, high) of y."""
    return tasks.of(data).view(base(data.base), data, size)


def extent(data: Data) -> Field | Graph:
    """The plane without a machine."""
    return tasks.of(data).extent(*view(data))


def fit(data: Data, machine: Machine, setting: Setting, moving=False) -> Study:
    """The machine on these points, drawn over the extent of the problem with its outliers switched on.

    While a point is being moved, the grid is coarse and nothing is cached: the next position is a different problem.
    """
    if moving:
        return _fit(data, machine, setting, WHILE_MOVING)
    return _cached_fit(data, machine, setting, RESOLUTION)


def _fit(data: Data, machine: Machine, setting: Setting, size) -> Study:
    return tasks.of(data).fit(problem(data), machine, setting, *view(data, size), unit(data))


_cached_fit = st.cache_data(_fit, max_entries=256, show_spinner="Solving …")


@st.cache_data(max_entries=128, show_spinner=False)
def most_outliers(data: Data) -> int:
    """The largest number of labels that can be flipped with half of every class unchanged."""
    y = base(data.base).y
    return int(min((y > 0).sum(), (y < 0).sum()))


def before(data: Data, machine: Machine, setting: Setting, moving=False) -> Study | None:
    """The machine on the clean points; None if no outliers are switched on, or too few points are left without them.

    It does not depend on the positions of the outliers, so it is not solved again while one is moved.
    """
    if not data.on or not problem(data).outlier.any():
        return None
    clean = data._replace(on=False, edits=edits.without_outliers(base(data.base), data.edits))
    if tasks.of(clean).missing(problem(clean)):
        return None
    return _cached_fit(clean, machine, setting, WHILE_MOVING if moving else RESOLUTION)


@st.cache_data(max_entries=256, show_spinner=False)
def advice(data: Data, setting: Setting) -> str | None:
    """A sentence if the kernel is unsuitable for these points, with what to do about it; None if it is suitable."""
    return classification.advice(problem(data).X, setting)


@st.cache_data(max_entries=256, show_spinner=False)
def curve(machine: Machine, kind, c) -> loss_curves.Broken:
    """The curve of a loss; `kind` is "value", "slope" or "prox", the latter with the weight `c`."""
    return loss_curves.curve(machine, kind, c)


@st.cache_resource(max_entries=128, show_spinner=False)
def outlier_sweep(machine: Machine, kernel) -> Shared:
    """The `lone_outlier.Step`s of one machine, computed once for all sessions."""
    return Shared(lone_outlier.sweep(machine, kernel))


@st.cache_data(max_entries=16, show_spinner="Solving …")
def sparse_model(name, C, sigma) -> tuple[Field, Points] | tuple[Graph, Samples]:
    """ISLS on all points of a data set of its paper, as arrays for a picture."""
    return paper_models.sparse(name, C, sigma)


# ---------------------------------------------------------------------------------- runs to watch


@st.cache_resource(max_entries=32, show_spinner=False)
def given(data: Data, machine: Machine, setting: Setting) -> trace.Given:
    """The input of a solver of this machine; ValueError for more points than can be watched."""
    return runs.given(problem(data), machine, setting)


@st.cache_resource(max_entries=16, show_spinner="Solving …")
def recorded(data: Data, machine: Machine, setting: Setting, solver) -> trace.Trace:
    """The run of the solver with this key of `registry.DESCRIPTIONS`."""
    return runs.record(given(data, machine, setting), solver)


@st.cache_resource(max_entries=16, show_spinner="Drawing the frames …")
def run(data: Data, machine: Machine, setting: Setting, solver, centre) -> runs.Show:
    """The film of that run: of the whole run, or, with an iteration `centre`, of every step near that iteration."""
    recording, task = recorded(data, machine, setting, solver), given(data, machine, setting)
    return figures.drawn(runs.run(recording, task, _frames(data), centre))


@st.cache_resource(max_entries=8, show_spinner="Racing …")
def race(data: Data, entrants, setting: Setting, clock) -> runs.Show:
    """The film of a race; `entrants` are (machine, solver, label), `clock` is "iterations" or "seconds"."""
    tasks = [(label, solver, given(data, machine, setting)) for machine, solver, label in entrants]
    return figures.drawn(runs.compete(tasks, _frames(data, len(entrants)), clock))


@st.cache_resource(max_entries=8, show_spinner="Following the path …")
def path(data: Data, machine: Machine, setting: Setting, name) -> runs.Show:
    """The film of the regularisation path over `name`, "C" or "sigma"."""
    return figures.drawn(runs.along(given(data, machine, setting), name, _frames(data)))


# ---------------------------------------------------------------------------------- the sparse LS-SVM


@st.cache_data(max_entries=64, show_spinner="Solving …")
def sparse(data: Data, setting: Setting, reweighting: Reweighting) -> Study:
    """ISLS on these points, a Study as those of `fit`."""
    return sparsity.fit(problem(data), setting, reweighting, *view(data), unit(data))


@st.cache_resource(max_entries=8, show_spinner="Drawing the rounds …")
def rounds(data: Data, setting: Setting, reweighting: Reweighting) -> runs.Show:
    """The film of the rounds of ISLS."""
    given = sparsity.given(problem(data), setting, unit(data))
    return figures.drawn(sparsity.rounds(given, reweighting, _frames(data, 2)))


def unit(data: Data) -> float:
    """The unit in which the machines measure y; 1 for labels."""
    return tasks.of(data).unit(base(data.drawn))


def _frames(data, screens=1):
    """The extent of the frames of a film with so many pictures."""
    task, points = tasks.of(data), problem(data)
    return task.extent(*view(data, task.film_size(len(points.y), screens)), points)


# ------------------------------------------------------------------------------- the feature walk


@st.cache_resource(max_entries=32, show_spinner="Walking …")
def walk(choice: Walk) -> tuple[feature_walk.Steps, feature_walk.Steps]:
    """The walk in all features, and in two of them."""
    steps = feature_walk.follow(choice)
    return steps, feature_walk.in_the_plane(steps, choice)
