"""The cached calls, with small values as keys, and the stores of all sessions. The only file with st.cache_data."""

import json
import os
import secrets
import time
import weakref
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import lru_cache, wraps

import numpy as np
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import figures, memory
from pages.shared.choices import Data, Machine, Reweighting, Setting, Walk
from pages.shared.jobs.background import Job, Results, Shared
from pages.shared.lessons import answers, outcome
from pages.shared.lessons.lesson import Prompt
from pages.shared.points import own_points
from pages.shared.rooms import sets
from pages.shared.studies import (
    classification,
    feature_walk,
    lone_outlier,
    loss_curves,
    runs,
    sparsity,
)
from pages.shared.studies.arrays import Field, Graph, Points, Samples
from pages.shared.studies.show import Show
from pages.shared.studies.source import Source
from pages.shared.studies.study import Study
from svmcore import deadline
from svmcore.problems import fetched
from svmcore.watch import trace

LONGEST = 60.0  # seconds for an answer that is computed aside
SECONDS = float(os.environ.get("SVM_LAB_SECONDS") or 6.0)  # that all solvers of one run of a page may take
TRIED = 10.0  # seconds after which an answer that could not be computed is tried again
SLOW = 0.3  # seconds of a fit from which the page says that it is solving


@st.cache_resource(show_spinner=False)
def own_sets() -> sets.Sets:
    """The sets of points that readers have loaded, for all sessions of this server."""
    return sets.Sets()


def own_set(key) -> own_points.Own | None:
    """The set with this key, the empty set for "", None if the server does not have it."""
    return own_sets().get(key) if key else own_points.EMPTY


class Given:
    """The table (N, d + 1) of a file that a visitor has given in the place of a set that the server does not have.

    The visitor's session holds it, as long as that lasts; others find it by `key`, which is in no link.
    """

    def __init__(self, table: np.ndarray):
        self.key, self.table = secrets.token_urlsafe(16), table
        _given[self.key] = self


_given: weakref.WeakValueDictionary[str, Given] = weakref.WeakValueDictionary()


def take_file(name, content: bytes) -> None:
    """Use this file in the place of the set `name`, in this session, and in all if it is the published one.

    Raises ValueError, in a sentence, if it is not of the shape of the set, and if there is no memory for it.
    """
    memory.room_for_files()
    table = fetched.checked(name, content)
    if fetched.is_published(name, table):
        with suppress(OSError):  # a read-only folder
            fetched.store(name, content)
    given = Given(table)
    st.session_state.setdefault("given_files", {})[name] = given
    st.session_state.setdefault("given", {})[name] = given.key


def points_of(key) -> own_points.Own | np.ndarray | None:
    """The set of points with this key, or the table of a file that was given; None if it is no longer there."""
    found = _given.get(key)
    return found.table if found else own_set(key)


def computed(room: int, spinner: str = "", timed: bool = True) -> Callable:
    """Decorator: the last `room` results are kept for all sessions, see `Results`; `spinner` is shown meanwhile.

    Arguments that are not hashable must be told apart by `repr`. What the time limit of a page may have cut short is
    not kept; `timed` is false where it reaches nothing. `clear()` of the function forgets all, `drop(...)` one result.
    """

    def decorate(compute):
        results = Results(room)

        @wraps(compute)
        def call(*arguments):
            def work():
                with _solving(spinner) if spinner else nullcontext():
                    return compute(*arguments)

            return results.get(_key(arguments), work, lambda: not timed or not deadline.passed())

        call.clear, call.drop = results.clear, lambda *arguments: results.drop(_key(arguments))
        return call

    return decorate


def _key(arguments):
    try:
        hash(arguments)
    except TypeError:
        return repr(arguments)
    return arguments


def kept(fit: Callable[..., Study]) -> Callable[..., Study]:
    """`fit` of a `Source`, computed once for all sessions and their live channels.

    Streamlit's own cache would copy the arrays and start a thread for the sentence, each time.
    """

    def cached(data: Data, machine: Machine, setting: Setting, size) -> Study:
        kind = data.problem, machine.loss, setting.kernel

        def compute():
            began = time.monotonic()
            with _solving("Solving …") if _seconds.get(kind, SLOW) >= SLOW else nullcontext():
                study = fit(data, machine, setting, size)
            _seconds[kind] = time.monotonic() - began
            return study

        return _fits.get((data, machine, setting, size), compute, lambda: not deadline.passed())

    return cached


def _solving(words):
    return st.spinner(words) if get_script_run_ctx(suppress_warning=True) else nullcontext()


_fits = Results(256)
_seconds: dict[tuple, float] = {}  # that the last fit took, by problem, loss and kernel

# not Streamlit's own cache: these are called some twenty times in a run, and it takes 0.1 ms a call
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


@computed(128, timed=False)
def outlier_sweep(machine: Machine, kernel) -> Shared:
    """The `lone_outlier.Step`s of one machine, computed once for all sessions."""
    return Shared(lone_outlier.sweep(machine, kernel))


@computed(16, "Solving …")
def sparse_model(name, C, sigma) -> tuple[Field, Points] | tuple[Graph, Samples]:
    """ISLS on all points of a data set of its paper, as arrays for a picture."""
    from pages.shared.studies import paper_models  # here: no first picture waits for the claims of all papers

    return paper_models.sparse(name, C, sigma)


# ---------------------------------------------------------------------------------- runs to watch


@computed(32)
def given(data: Data, machine: Machine, setting: Setting) -> trace.Given:
    """The input of a solver of this machine; ValueError for more points than can be watched."""
    return runs.given(problem(data), machine, setting)


@computed(16, "Solving …")
def recorded(data: Data, machine: Machine, setting: Setting, solver, options=()) -> trace.Trace:
    """The run of the solver with this key of `registry.DESCRIPTIONS` and (name, value) pairs of its `options`."""
    return runs.record(given(data, machine, setting), solver, options)


@computed(16, "Drawing the frames …")
def run(data: Data, machine: Machine, setting: Setting, solver, options, centre) -> Show:
    """The film of that run: of the whole run, or, with an iteration `centre`, of every step near that iteration."""
    recording, task = recorded(data, machine, setting, solver, options), given(data, machine, setting)
    return figures.drawn(runs.run(recording, task, source.frames(data), centre))


@computed(8, "Racing …")
def race(data: Data, entrants, setting: Setting, clock) -> Show:
    """The film of a race; `entrants` are (machine, solver, label), `clock` is "iterations" or "seconds"."""
    tasks = [(label, solver, given(data, machine, setting)) for machine, solver, label in entrants]
    return figures.drawn(runs.compete(tasks, source.frames(data, len(entrants)), clock))


@computed(8, "Following the path …")
def path(data: Data, machine: Machine, setting: Setting, name) -> Show:
    """The film of the regularisation path over `name`, "C" or "sigma"."""
    return figures.drawn(runs.along(given(data, machine, setting), name, source.frames(data)))


# ---------------------------------------------------------------------------------- the sparse LS-SVM


def sparse(data: Data, setting: Setting, reweighting: Reweighting) -> Study:
    """ISLS on these points, a Study as those of `fit`."""
    return fit(data, sparsity.machine(reweighting), setting)


@computed(8, "Drawing the rounds …")
def rounds(data: Data, setting: Setting, reweighting: Reweighting) -> Show:
    """The film of the rounds of ISLS."""
    given = sparsity.given(problem(data), setting, unit(data))
    return figures.drawn(sparsity.rounds(given, reweighting, source.frames(data, 2)))


# ------------------------------------------------------------------------------- the feature walk


@computed(32, "Walking …")
def walk(choice: Walk) -> tuple[feature_walk.Steps, feature_walk.Steps]:
    """The walk in all features, and in two of them."""
    steps = feature_walk.follow(choice)
    return steps, feature_walk.in_the_plane(steps, choice)


# ------------------------------------------------------------------------------------- the lessons


@computed(64)
def lesson_case(prompt: Prompt, draw, changes) -> answers.Case:
    """The set-ups of a prompt before and after its change; `changes` {name: value} are the reader's."""
    return answers.case(prompt, draw, changes, source)


def lesson_answer(prompt: Prompt, draw, changes) -> Job:
    """The answer of a prompt: one row, with arguments as in `lesson_case`, computed once for all sessions.

    A thread of its own does it while readers think; the time limit of a page, which would be another one for each, does
    not hold there. After an error it is computed again when it is asked for again, but not at once: all who wait for it
    should see the error.
    """
    job = _lesson_answers(prompt, draw, changes)
    if job.error and time.monotonic() - job.failed > TRIED:
        _lesson_answers.drop(prompt, draw, changes)
        return _lesson_answers(prompt, draw, changes)
    return job


@computed(64, timed=False)
def _lesson_answers(prompt, draw, changes):
    def compute():
        with deadline.within(LONGEST):
            found = answers.answer(prompt, draw, changes, source)
        yield found

    return Job(prompt.id, compute(), 1)


# --------------------------------------------------------------------------------------- the rooms


@computed(64, timed=False)
def room_outcome(prompt: Prompt, draw, rounds) -> Job:
    """What a room has answered, as `lessons.outcome` has it: one row. It waits for that of `lesson_answer`.

    `rounds` is the JSON of the votes of each round.
    """
    answered = lesson_answer(prompt, draw, {})
    answered.wait()

    def compute():
        if answered.error:
            raise ValueError(answered.error)
        yield outcome.outcome(prompt, answered.rows[0], json.loads(rounds))

    return Job(prompt.id, compute(), 1)
