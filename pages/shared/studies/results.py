"""The results that all sessions share, with small values as keys."""

import os
import secrets
import time
import weakref
from contextlib import suppress
from functools import lru_cache

import numpy as np

from pages.shared.screen import own_points
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.server import cache
from pages.shared.server.cache import check_room, shared_cache
from pages.shared.server.jobs import SharedRows
from pages.shared.studies import classification, lone_outlier, point_sets, runs
from pages.shared.studies.source import Source
from pages.shared.studies.study import FittedMachine
from svmcore.problems import fetched
from svmcore.watch import trace

SECONDS = float(os.environ.get("SVM_LAB_SECONDS") or 6.0)  # that all solvers of one run of a page may take
SLOW = 0.3  # seconds of a fit from which the page says that it is solving
FITS = 256  # that all sessions share


@lru_cache(1)
def own_sets() -> point_sets.Sets:
    """The sets of points that readers have loaded, for all sessions of this server."""
    return point_sets.Sets()


def own_set(key) -> own_points.Own | None:
    """The set with this key, the empty set for "", None if the server does not have it."""
    return own_sets().get(key) if key else own_points.EMPTY


class UploadedTable:
    """The table (N, d + 1) of a file that a visitor has given in the place of a set that the server does not have.

    The visitor's session holds it, as long as that lasts; others find it by `key`, which is in no link.
    """

    def __init__(self, table: np.ndarray):
        self.key, self.table = secrets.token_urlsafe(16), table
        _given[self.key] = self


_given: weakref.WeakValueDictionary[str, UploadedTable] = weakref.WeakValueDictionary()


def take_file(name, content: bytes) -> UploadedTable:
    """A file in the place of the set `name`, for the session that keeps it, and for all if it is the published one.

    Raises ValueError, in a sentence, if it is not of the shape of the set, and if there is no memory for it.
    """
    check_room()
    table = fetched.check_content(name, content)
    if fetched.is_published(name, table):
        with suppress(OSError):  # a read-only folder
            fetched.store(name, content)
    return UploadedTable(table)


def points_of(key) -> own_points.Own | np.ndarray | None:
    """The set of points with this key, or the table of a file that was given; None if it is no longer there."""
    found = _given.get(key)
    return found.table if found else own_set(key)


class SharedSource(Source):
    """A Source of the points and machines of readers, with the fits of all sessions and their live channels."""

    def __init__(self, entries: int = 64):
        super().__init__(points_of, entries)

    def _kept_fit(self, data: Data, machine: Machine, setting: Setting, size) -> FittedMachine:
        kind = data.problem, machine.loss, setting.kernel

        def compute():
            began = time.monotonic()
            with cache.wait_spinner("Solving …" if _seconds.get(kind, SLOW) >= SLOW else ""):
                study = self._fit(data, machine, setting, size)
            _seconds[kind] = time.monotonic() - began
            return study

        return cache.RESULTS.compute("fit", (data, machine, setting, size), compute, FITS, cache.in_time)


_seconds: dict[tuple, float] = {}  # that the last fit took, by problem, loss and kernel, of which there are few

source = SharedSource()
base, problem, points_off = source.base, source.problem, source.points_off
view, extent, unit = source.view, source.extent, source.unit
fit, fit_before = source.fit, source.fit_before


def feature_names(data: Data) -> tuple[str, ...]:
    return classification.feature_names(data, own_set(dict(data.options).get("data", "")))


@lru_cache(128)
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


@shared_cache(128, timed=False)
def outlier_sweep(machine: Machine, kernel) -> SharedRows:
    """The `lone_outlier.Step`s of one machine, computed once for all sessions."""
    return SharedRows(lone_outlier.sweep(machine, kernel))


# ---------------------------------------------------------------------------------- runs to watch


@shared_cache(32)
def solver_input(data: Data, machine: Machine, setting: Setting) -> trace.Given:
    """The input of a solver of this machine; ValueError for more points than can be watched."""
    return runs.solver_input(problem(data), machine, setting)


@shared_cache(16, "Solving …")
def record_run(data: Data, machine: Machine, setting: Setting, solver, options=()) -> trace.Trace:
    """The run of the solver with this key of `registry.DESCRIPTIONS` and (name, value) pairs of its `options`."""
    return runs.record(solver_input(data, machine, setting), solver, options)
