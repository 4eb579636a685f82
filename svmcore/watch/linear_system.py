"""Watching the solvers of the LS-SVM's linear system: conjugate gradients, and one factorisation."""

from operator import attrgetter
from time import perf_counter
from typing import NamedTuple

import numpy as np

from svmcore.solvers.box_dual import linear_system
from svmcore.solvers.solution import Solution
from svmcore.status import Status
from svmcore.watch import recording, sentences, trace

SOURCE = "Nocedal and Wright (2006), Numerical Optimization, 2nd edition, Algorithms 5.2 and 16.2"


class Round(NamedTuple):
    """One conjugate gradient step as `recording.of_rounds` takes it."""

    iteration: int
    objective: float
    violation: float
    beta: np.ndarray
    intercept: float
    residual: float
    length: float
    curvature: float
    momentum: float
    status: Status


# the recorded part of a state; its other vectors would triple the memory, and the time to allocate it
_kept = attrgetter(
    "n_iter", "objective", "violation", "beta", "intercept", "squared", "length", "curvature", "momentum", "status"
)


def record(K, qp, *, tol=1e-3, max_iter=10_000) -> list[tuple]:
    """The run of `linear_system.solve` for `trace_of`: of many steps log-spaced ones, within `recording.ROOM_BYTES`."""
    start = linear_system.start(K, qp)
    room = recording.room_for(len(qp.linear) + len(Round._fields)) - 1
    kept = recording.sieve(map(_kept, linear_system.steps(K, qp, start, max_iter, tol=tol)), room)
    return [_kept(start), *kept] if kept else [_kept(linear_system.advance(K, qp, start, 0, tol=tol))]


def trace_of(recorded, *, tol, seconds=np.nan) -> trace.Trace:
    rounds = [Round(*kept) for kept in recorded]
    if len(rounds) > 1 and rounds[-1].iteration == rounds[-2].iteration:  # no further step was possible
        del rounds[-2]
    run = recording.of_rounds(_with_momentum(rounds), "cg", tol=tol, max_rounds=len(rounds))
    return run._replace(seconds=seconds)


def _with_momentum(rounds):
    """The rounds with the length of the residual, and the momentum of the step that led there."""
    before = None
    for one in rounds:
        consecutive = before is not None and before.iteration == one.iteration - 1
        momentum = before.momentum if consecutive else np.nan
        yield one._replace(residual=float(np.sqrt(one.residual)), momentum=momentum)
        before = one


def _has_no_bounds(given):
    return given.qp is not None and bool(np.isinf(given.qp.lower).all() and np.isinf(given.qp.upper).all())


class ConjugateGradients(trace.Description):
    """Conjugate gradients on the linear system of a dual without bounds."""

    key = "cg"
    words = trace.Words(
        title="Conjugate gradients",
        unit="conjugate gradient step",
        substeps=("multiply the direction by H", "length of the step", "move", "new residual", "new direction"),
        columns={
            "residual": "length of the residual, the gradient on the plane sum(beta) = 0",
            "length": "length of the step, in units of the direction",
            "curvature": "d'Hd of the direction d",
            "momentum": "the multiple of the last direction in this one",
        },
        source=SOURCE,
    )
    code = (linear_system.steps, linear_system._step)

    def serves(self, given) -> bool:
        """True for a box dual without bounds; see `trace.Description`."""
        return _has_no_bounds(given)

    def solve(self, given, *, tol=1e-3, max_iter=10_000) -> Solution:
        return linear_system.solve(given.K, given.qp, tol=tol, max_iter=max_iter)

    def record(self, given, *, tol=1e-3, max_iter=10_000) -> trace.Trace:
        began = perf_counter()
        recorded = record(given.K, given.qp, tol=tol, max_iter=max_iter)
        return trace_of(recorded, tol=tol, seconds=perf_counter() - began)

    def why(self, run, t, given) -> list[str]:
        """Sentences on step t: the residual before and after, the direction, its curvature, the length of the step."""
        row = int(np.searchsorted(run.iteration, t))
        residual, number = run.events["residual"], sentences.number
        if row == 0:
            lines = [sentences.start_sentence(run, run.violation[0]), f"The residual has length {number(residual[0])}."]
        elif run.iteration[row - 1] != t - 1:
            lines = [
                f"Only some of the {run.n_iter} steps were kept. "
                f"After {t} the residual has length {number(residual[row])}."
            ]
        else:
            length, curvature, momentum = (run.events[name][row] for name in ("length", "curvature", "momentum"))
            added = " alone" if momentum == 0.0 else f" plus {number(momentum)} times the last direction"
            lines = [
                f"The direction is the residual{added}; "
                f"the curvature of the objective along it is {number(curvature)}.",
                f"The step to the minimum has length {number(length)}: the residual, {number(residual[row - 1])}, "
                "squared and divided by the curvature.",
                f"The residual goes from {number(residual[row - 1])} to {number(residual[row])}.",
                sentences.objective(run.objective[row - 1] - run.objective[row], run.objective[row]),
                f"The violation is {number(run.violation[row])}, the tolerance {number(run.tol)}.",
            ]
        return [*lines, sentences.end_sentence(run)] if t == run.n_iter else lines


class Factorisation(trace.Description):
    """One factorisation of the linear system of a dual without bounds."""

    key = "direct"
    words = trace.Words(
        title="One Cholesky factorisation",
        unit="factorisation",
        substeps=("factorise", "solve two triangular systems"),
        columns={"order": "rows of the matrix"},
        source="Suykens and Vandewalle (1999), Least squares support vector machine classifiers, equation (20)",
    )
    one_shot = True
    code = (linear_system.direct,)

    def serves(self, given) -> bool:
        """True for a box dual without bounds; see `trace.Description`."""
        return _has_no_bounds(given)

    def solve(self, given, *, tol=1e-3, max_iter=1) -> Solution:
        return linear_system.direct(given.K, given.qp, tol=tol)

    def record(self, given, *, tol=1e-3, max_iter=1) -> trace.Trace:
        began = perf_counter()
        found = linear_system.direct(given.K, given.qp, tol=tol)
        return recording.of_solution(self.key, found, perf_counter() - began, tol=tol, order=len(given.K))

    def why(self, run, t, given) -> list[str]:
        """Sentences on a single factorisation: its size, its operations, its time, how it ended."""
        n = int(run.events["order"][0])
        return [
            f"One factorisation of a {n} x {n} matrix, {sentences.number(8e-6 * n * n)} MB: "
            "there are no steps to watch.",
            f"It takes {sentences.number(n**3 / 3)} multiplications and as many additions, "
            f"and took {sentences.number(1e3 * run.seconds)} ms.",
            f"It ended with: {run.status}, violation {sentences.number(run.violation[0])}.",
        ]


CG, DIRECT = ConjugateGradients(), Factorisation()
