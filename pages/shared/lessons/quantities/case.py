"""The set-ups of a prompt and what is computed from them, each run and each walk once."""

from functools import lru_cache

import numpy as np

from pages.shared.lessons import state
from pages.shared.lessons.state import Setup
from pages.shared.screen.choices import ISLS, WALK
from pages.shared.studies import feature_walk, runs, sparsity
from pages.shared.studies.source import Source
from pages.shared.studies.study import FittedMachine
from svmcore.watch import curves, trace

BEFORE, AFTER = "before", "after"
MOST_STEPS = 5000  # of a run whose objectives are compared


class Case:
    """The set-ups of a prompt `before` and `after` the change, and what is computed from them; `at` is an iteration."""

    def __init__(self, before: Setup, after: Setup, at: int | None = None, source: Source = state.SOURCE):
        self.before, self.after, self.at, self.source = before, after, at, source
        self._objectives = {}

    def setup(self, of: str) -> Setup:
        """The set-up "before" or "after" the change."""
        return {BEFORE: self.before, AFTER: self.after}[of]

    def study(self, of: str = AFTER, loss: str = "") -> FittedMachine:
        """The machine with this loss, fitted; ValueError where points are missing."""
        at = self.setup(of)
        return self.source.fit(at.data, at.machine(loss), at.setting)

    def normal(self, of: str = AFTER, loss: str = "") -> np.ndarray:
        """The normal vector w (d,) of the boundary of that machine; ValueError for a kernel that has none."""
        found = self.study(of, loss).w
        if found is None:
            kernel = self.setup(of).setting.kernel
            raise ValueError(f"the kernel {kernel!r} has no normal vector; only the linear kernel has one")
        return found

    def problem(self, of: str = AFTER):
        """The points before or after the change."""
        return self.source.problem(self.setup(of).data)

    def row(self, name, of: str = AFTER) -> int | None:
        """The row of a named point in the points `of`; the name is that of the points before the change."""
        found = np.flatnonzero(self.problem(of).ids == state.row_of(name, self.before, self.source))
        return int(found[0]) if len(found) else None

    def record_run(self, solver: str = "", loss: str = "", of: str = AFTER) -> tuple:
        """(what a solver is given, its Trace); "" for the solver of the set-up. The rounds of ISLS are its own."""
        at = self.setup(of)
        machine, solver = at.machine(loss), solver or at.solver
        if not solver and machine.loss != ISLS:
            raise ValueError("no solver is named: write, for instance, solver = 'smo_second' into the state")
        return _record(self.source, at.data, machine, at.setting, solver)

    def objectives(self, solver: str = "", loss: str = "", only: np.ndarray | None = None) -> curves.Curves:
        """Both objectives after each step of a run, or `only` these; ValueError without a dual or beyond MOST_STEPS."""
        key = solver, loss, None if only is None else tuple(only.tolist())
        if key not in self._objectives:
            self._objectives[key] = self._compare(*self.record_run(solver, loss), only)
        return self._objectives[key]

    @staticmethod
    def _compare(given, recorded, only):
        steps = recorded.reachable if only is None else np.unique(np.minimum(only, recorded.n_iter))
        if len(steps) > MOST_STEPS:
            raise ValueError(f"the run has {len(steps):,} steps, and at most {MOST_STEPS:,} are compared: lower C")
        now = trace.moments(recorded, steps, given)
        frames = dict(frame_iter=steps, frame_beta=now.beta, frame_intercept=now.intercept)
        found = curves.curves(recorded._replace(**frames), given)
        if np.isnan(found.gap).any():
            raise ValueError("this machine has no dual objective; choose one with a convex loss, such as the L1-SVM")
        return found

    def steps(self, of: str = AFTER) -> feature_walk.Steps:
        """The feature walk; ValueError for a state of another problem."""
        walk = self.setup(of).walk
        if walk is None:
            raise ValueError(f"this quantity needs the feature walk, the state problem = {WALK!r}")
        return _follow_walk(walk)

    def redrawn(self, k: int) -> "Case":
        """The same with the seed of k draws later."""
        return Case(_later(self.before, k), _later(self.after, k), self.at, self.source)


def _later(at, k):
    screen = at.screen.replace("seed", at.data.seed + k)
    screen = screen._replace(data=screen.data._replace(edits=at.data.edits))  # which name points by their rows
    return at._replace(**screen._asdict(), origin=at.origin._replace(seed=screen.data.seed))


@lru_cache(16)
def _record(source, data, machine, setting, solver):
    problem = source.problem(data)
    if machine.loss == ISLS:
        given, options = sparsity.solver_input(problem, setting), sparsity.to_reweighting(machine)
        return given, runs.record(given, "isls", tuple(options._asdict().items()))
    given = runs.solver_input(problem, machine, setting)
    return given, runs.record(given, solver)


_follow_walk = lru_cache(16)(feature_walk.follow)
