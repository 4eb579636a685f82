"""The cached calls, with small values as keys, and the stores of all sessions. The only file with st.cache_data."""

import json
import os
import secrets
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import lru_cache, wraps
from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import figures, traffic
from pages.shared.choices import Data, Machine, Reweighting, Setting, Walk
from pages.shared.jobs.background import LRU, Job, Results, Shared
from pages.shared.lessons import answers, outcome
from pages.shared.lessons.lesson import Prompt
from pages.shared.points import own_points
from pages.shared.rooms import sets
from pages.shared.studies import (
    classification,
    feature_walk,
    lone_outlier,
    loss_curves,
    one_vs_rest,
    paper_models,
    runs,
    sparsity,
)
from pages.shared.studies.arrays import Field, Graph, Points, Samples
from pages.shared.studies.show import Show
from pages.shared.studies.source import Source
from pages.shared.studies.study import RESOLUTION, Study
from svmcore import deadline
from svmcore.problems import fetched
from svmcore.watch import trace

LONGEST = 60.0  # seconds for an answer that is computed aside
SECONDS = float(os.environ.get("SVM_LAB_SECONDS") or 6.0)  # that all solvers of one run of a page may take
SLOW = 0.3  # seconds of a fit from which the page says that it is solving


@st.cache_resource(show_spinner=False)
def own_sets() -> sets.Sets:
    """The sets of points that readers have loaded, for all sessions of this server."""
    return sets.Sets()


def own_set(key) -> own_points.Own | None:
    """The set with this key, the empty set for "", None if the server does not have it."""
    return own_sets().get(key) if key else own_points.EMPTY


class Given(NamedTuple):
    """The table (N, d + 1) of a file that a visitor has given in the place of a set that the server does not have."""

    key: str
    table: np.ndarray


@st.cache_resource(show_spinner=False)
def given_files() -> LRU:
    """The files that visitors have given, for their sessions: `key` is in no link."""
    return LRU(own_points.MOST_SETS)


def take_file(name, content: bytes) -> None:
    """Use this file in the place of the set `name`, in this session, and in all if it is the published one.

    Raises ValueError, in a sentence, if it is not of the shape of the set.
    """
    table = fetched.checked(name, content)
    if fetched.is_published(name, table):
        with suppress(OSError):  # a read-only folder
            fetched.store(name, content)
    given = Given(secrets.token_urlsafe(16), table)
    given_files().put(given)
    st.session_state.setdefault("given", {})[name] = given.key


def points_of(key) -> own_points.Own | np.ndarray | None:
    """The set of points with this key, or the table of a file that was given; None if it is no longer there."""
    found = given_files().get(key)
    return found.table if found else own_set(key)


def _finished(cache, **options):
    """The decorator `cache`, of Streamlit, without results that a time limit may have cut short."""

    def decorate(compute):
        @wraps(compute)  # Streamlit tells functions apart by their names and their source
        def within_time(*arguments):
            result = compute(*arguments)
            if deadline.passed():
                raise _Unfinished(result)
            return result

        cached = cache(**options)(within_time)
        traffic.emptied_when_full(cached.clear)

        @wraps(compute)
        def call(*arguments):
            try:
                return cached(*arguments)
            except _Unfinished as unfinished:
                return unfinished.result

        call.clear = cached.clear
        return call

    return decorate


class _Unfinished(Exception):
    """Carries a result past Streamlit's cache."""

    def __init__(self, result):
        self.result = result


def kept(fit: Callable[..., Study]) -> Callable[..., Study]:
    """`fit` of a `Source`, computed once for all sessions and their live channels.

    Streamlit's own cache would copy the arrays and start a thread for the sentence, each time.
    """

    def cached(data: Data, machine: Machine, setting: Setting, size) -> Study:
        kind = data.problem, machine.loss, setting.kernel

        def compute():
            began = time.monotonic()
            with _solving() if _seconds.get(kind, SLOW) >= SLOW else nullcontext():
                study = fit(data, machine, setting, size)
            _seconds[kind] = time.monotonic() - began
            return study

        return _fits.get((data, machine, setting, size), compute, lambda: not deadline.passed())

    return cached


def _solving():
    return st.spinner("Solving …") if get_script_run_ctx(suppress_warning=True) else nullcontext()


_fits, _seconds = Results(256), {}  # the latter of the last fit of a kind
traffic.emptied_when_full(_fits.clear)

# called some twenty times in a run: Streamlit's caches take 0.1 ms a call
source = Source(points_of, lru_cache(64), kept)
base, edited, problem, off = source.base, source.edited, source.problem, source.off
view, extent, unit = source.view, source.extent, source.unit
fit, before = source.fit, source.before


@st.cache_data(max_entries=128, show_spinner=False)
def most_outliers(data: Data) -> int:
    """The largest number of labels that can be flipped with half of every class unchanged."""
    y = base(data.base).y
    return int(min((y > 0).sum(), (y < 0).sum()))


def advice(data: Data, setting: Setting) -> str | None:
    """A sentence if the kernel is unsuitable for these points, with what to do about it; None if it is suitable."""
    return _advice(data, setting._replace(C=1.0))  # it does not depend on C


@lru_cache(256)
def _advice(data, setting):
    return classification.advice(problem(data).X, setting)


@st.cache_data(max_entries=256, show_spinner=False)
def curve(machine: Machine, kind, c) -> loss_curves.Broken:
    """The curve of a loss; `kind` is "value", "slope" or "prox", the latter with the weight `c`."""
    return loss_curves.curve(machine, kind, c)


@_finished(st.cache_data, max_entries=32, show_spinner="Solving …")
def many_classes(data: Data, machine: Machine, setting: Setting) -> one_vs_rest.OneVsRest:
    """A machine for each class of a problem with more than two, and what they decide."""
    points = problem(data)
    return one_vs_rest.fit(points, machine, setting, *classification.view(points, data, RESOLUTION))


@st.cache_resource(max_entries=128, show_spinner=False)
def outlier_sweep(machine: Machine, kernel) -> Shared:
    """The `lone_outlier.Step`s of one machine, computed once for all sessions."""
    return Shared(lone_outlier.sweep(machine, kernel))


@_finished(st.cache_data, max_entries=16, show_spinner="Solving …")
def sparse_model(name, C, sigma) -> tuple[Field, Points] | tuple[Graph, Samples]:
    """ISLS on all points of a data set of its paper, as arrays for a picture."""
    return paper_models.sparse(name, C, sigma)


# ---------------------------------------------------------------------------------- runs to watch


@st.cache_resource(max_entries=32, show_spinner=False)
def given(data: Data, machine: Machine, setting: Setting) -> trace.Given:
    """The input of a solver of this machine; ValueError for more points than can be watched."""
    return runs.given(problem(data), machine, setting)


@_finished(st.cache_resource, max_entries=16, show_spinner="Solving …")
def recorded(data: Data, machine: Machine, setting: Setting, solver, options=()) -> trace.Trace:
    """The run of the solver with this key of `registry.DESCRIPTIONS` and (name, value) pairs of its `options`."""
    return runs.record(given(data, machine, setting), solver, options)


@_finished(st.cache_resource, max_entries=16, show_spinner="Drawing the frames …")
def run(data: Data, machine: Machine, setting: Setting, solver, options, centre) -> Show:
    """The film of that run: of the whole run, or, with an iteration `centre`, of every step near that iteration."""
    recording, task = recorded(data, machine, setting, solver, options), given(data, machine, setting)
    return figures.drawn(runs.run(recording, task, source.frames(data), centre))


@_finished(st.cache_resource, max_entries=8, show_spinner="Racing …")
def race(data: Data, entrants, setting: Setting, clock) -> Show:
    """The film of a race; `entrants` are (machine, solver, label), `clock` is "iterations" or "seconds"."""
    tasks = [(label, solver, given(data, machine, setting)) for machine, solver, label in entrants]
    return figures.drawn(runs.compete(tasks, source.frames(data, len(entrants)), clock))


@_finished(st.cache_resource, max_entries=8, show_spinner="Following the path …")
def path(data: Data, machine: Machine, setting: Setting, name) -> Show:
    """The film of the regularisation path over `name`, "C" or "sigma"."""
    return figures.drawn(runs.along(given(data, machine, setting), name, source.frames(data)))


# ---------------------------------------------------------------------------------- the sparse LS-SVM


def sparse(data: Data, setting: Setting, reweighting: Reweighting) -> Study:
    """ISLS on these points, a Study as those of `fit`."""
    return fit(data, sparsity.machine(reweighting), setting)


@_finished(st.cache_resource, max_entries=8, show_spinner="Drawing the rounds …")
def rounds(data: Data, setting: Setting, reweighting: Reweighting) -> Show:
    """The film of the rounds of ISLS."""
    given = sparsity.given(problem(data), setting, unit(data))
    return figures.drawn(sparsity.rounds(given, reweighting, source.frames(data, 2)))


# ------------------------------------------------------------------------------- the feature walk


@_finished(st.cache_resource, max_entries=32, show_spinner="Walking …")
def walk(choice: Walk) -> tuple[feature_walk.Steps, feature_walk.Steps]:
    """The walk in all features, and in two of them."""
    steps = feature_walk.follow(choice)
    return steps, feature_walk.in_the_plane(steps, choice)


# ------------------------------------------------------------------------------------- the lessons


@_finished(st.cache_resource, max_entries=64, show_spinner=False)
def lesson_case(prompt: Prompt, draw, changes) -> answers.Case:
    """The set-ups of a prompt before and after its change; `changes` {name: value} are the reader's."""
    return answers.case(prompt, draw, changes, source)


def lesson_answer(prompt: Prompt, draw, changes) -> Job:
    """The answer of a prompt: one row, with arguments as in `lesson_case`, computed once for all sessions.

    A thread of its own does it while readers think; the time limit of a page, which would be another one for each, does
    not hold there. After an error it is computed again when it is asked for again.
    """
    job = _lesson_answers(prompt, draw, changes)
    if job.error:
        _lesson_answers.clear(prompt, draw, changes)
    return job


@st.cache_resource(max_entries=64, show_spinner=False)
def _lesson_answers(prompt, draw, changes):
    def compute():
        with deadline.within(LONGEST):
            found = answers.answer(prompt, draw, changes, source)
        yield found

    return Job(prompt.id, compute(), 1)


def forget_lesson_answers() -> None:
    """All answers are computed again when they are asked for."""
    _lesson_answers.clear()


traffic.emptied_when_full(forget_lesson_answers)


# --------------------------------------------------------------------------------------- the rooms


@st.cache_resource(max_entries=64, show_spinner=False)
def room_outcome(prompt: Prompt, draw, rounds) -> Job:
    """What a room has answered, as `lessons.outcome` has it: one row, made when that of `lesson_answer` is.

    `rounds` is the JSON of the votes of each round.
    """

    def compute():
        answered = lesson_answer(prompt, draw, {})
        answered.wait()
        if answered.error:
            raise ValueError(answered.error)
        yield outcome.outcome(prompt, answered.rows[0], json.loads(rounds))

    return Job(prompt.id, compute(), 1)


traffic.emptied_when_full(room_outcome.clear)
