"""Watching a solver whose rounds each solve a box dual: what CCCP and re-weighting have in common."""

from abc import abstractmethod
from collections.abc import Iterator
from types import ModuleType

import numpy as np

from svmcore import duals
from svmcore.solvers.nonconvex import cccp
from svmcore.solvers.solution import Solution
from svmcore.watch import recording, sentences, trace

COLUMNS = {
    "low": "lower end of the box of α",
    "high": "upper end of the box of α",
    "state": "the position of α in its box",
    "steps": "steps of the inner solver",
    "inner": "how the inner solver ended",
}


class DualRounds(trace.Description):
    """A solver of rounds from the start "convex" or "means".

    A subclass says which `solver` it watches, by which `method`, with what a round solves its dual (`within`: "In these
    boxes"), and gives `serves`, `marks`, its `words` but for the title, and the abstract methods below.
    """

    solver: ModuleType
    method: type[cccp.Method]
    within: str

    def __init__(self, start, title):
        self.start, self.key = start, f"{self.solver.__name__.rpartition('.')[2]}_{start}"
        self.words = self.words._replace(title=title)

    @abstractmethod
    def _columns(self, tangent) -> dict:
        """The columns of the subclass, of a round with this tangent (N,)."""

    @abstractmethod
    def _changes(self, run, row) -> list[str]:
        """Sentences on what leads to the dual of this row."""

    @abstractmethod
    def _first_substep(self, run, row, given) -> list[str]:
        """Sentences on what is computed of the machine of the row before."""

    def rounds(self, given, *, tol, max_rounds) -> Iterator:
        """The start and every round, each as `recording.of_rounds` takes it; returns how the run ended."""
        task = given.task.validate()
        method = self.method(task)
        begun = cccp.begin(self.start, method)
        unknown, tangent = np.full(len(task.y), np.nan), method.tangent(begun.f)
        beta, intercept = (np.zeros(len(task.y)), 0.0) if begun.f is None else (begun.beta, begun.intercept)
        f = given.K @ beta + intercept
        objective = task.objective(f, float(beta @ (given.K @ beta)))
        now = cccp.Round(0, objective, np.nan, beta, intercept, unknown, unknown, tangent, f, 0, "none", "")
        yield self._row(now, task.y)
        for now in method.rounds(begun.f, tol=tol, max_rounds=max_rounds):
            yield self._row(now, task.y)
        return self._status(now, method, tol, max_rounds)

    def _row(self, now, y):
        qp = duals.BoxQP(now.lower, now.upper, np.zeros(len(y)), -y)
        row = {name: getattr(now, name) for name in ("iteration", "objective", "violation", "beta", "intercept")}
        row["low"], row["high"] = np.where(y > 0.0, (now.lower, now.upper), (-now.upper, -now.lower))
        row |= {"state": duals.box_state(qp, now.beta), "steps": now.n_iter, "inner": now.status}
        return row | self._columns(now.tangent)

    def _status(self, now, method, tol, max_rounds):
        return cccp.solution(method, now, self.start, tol, max_rounds).status

    def record(self, given, *, tol=1e-3, max_iter=None) -> trace.Trace:
        iterations = self.rounds(given, tol=tol, max_rounds=self._most(max_iter))
        return recording.of_rounds(iterations, self.key, tol=tol, max_rounds=self.solver.MAX_ROUNDS + 1)

    def solve(self, given, *, tol=1e-3, max_iter=None) -> Solution:
        return self.solver.solve(given.task, tol=tol, starts=self.start, max_rounds=self._most(max_iter))

    def _most(self, max_iter):
        most = self.solver.MAX_ROUNDS
        return most if max_iter is None else max(min(max_iter, most), 1)

    def why(self, run, t, given) -> list[str]:
        """Sentences on round t: what changes its dual, the inner solver, the objective, the states, the violation."""
        row = run.row(t)
        if row == 0:
            means = run.frame_beta[0].any()
            begun = "the machine between the means of the classes" if means else "there is no machine yet"
            lines = [f"The start: {begun}.", sentences.objective(np.nan, run.objective[0])]
        else:
            lines = [*self._changes(run, row), *self._solution_sentences(run, row, given)]
        return [*lines, sentences.end_sentence(run)] if t == run.n_iter else lines

    def _solution_sentences(self, run, row, given):
        now, before = (trace.moments(run, run.iteration[k], given) for k in (row, row - 1))
        return [
            f"{self.within} the inner solver took {sentences.with_count(int(run.events['steps'][row]), 'step')}: "
            f"{run.events['inner'][row]}.",
            sentences.objective(before.objective[0] - now.objective[0], now.objective[0]),
            sentences.state_changes(before.state[0], now.state[0]),
            f"The violation is {sentences.number(run.violation[row])}, the tolerance {sentences.number(run.tol)}.",
        ]

    def substeps(self, run, t, given) -> list[trace.Substep]:
        """The sub-steps of round t: the first two on the machine of the round before, the third on its own."""
        row = run.row(t)
        if row == 0 or run.iteration[row - 1] != t - 1:
            return []
        titles, ended = self.words.substeps, [sentences.end_sentence(run)] if t == run.n_iter else []
        marks = self.marks(run, t, given)
        unmoved = marks._replace(points=(), words=())
        return [
            trace.Substep(titles[0], self._first_substep(run, row, given), unmoved, t - 1, t - 1),
            trace.Substep(titles[1], self._changes(run, row), marks, t - 1, t),
            trace.Substep(titles[2], [*self._solution_sentences(run, row, given), *ended], unmoved, t, t),
        ]
