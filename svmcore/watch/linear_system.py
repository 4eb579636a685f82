"""Watching the solvers of the LS-SVM's linear system: conjugate gradients, and one factorisation."""

from operator import attrgetter
from time import perf_counter

import numpy as np

from svmcore.solvers.box_dual import linear_system
from svmcore.solvers.solution import Solution
from svmcore.watch import recording, sentences, trace

# the recorded part of a state; its other vectors would triple the memory, and the time to allocate it
KEPT = (
    "n_iter", "objective", "violation", "beta", "intercept", "squared", "length", "curvature", "momentum", "status"
)  # fmt: skip
_kept = attrgetter(*KEPT)


def _rounds(states):
    """The kept states as `recording.of_rounds` takes them, each with the momentum of the step that led there."""
    last, next_momentum = None, np.nan
    for n_iter, objective, violation, beta, intercept, squared, length, curvature, momentum, status in states:
        yield dict(
            iteration=n_iter, objective=objective, violation=violation, beta=beta, intercept=intercept,
            residual=float(np.sqrt(squared)), length=length, curvature=curvature,
            momentum=next_momentum if last == n_iter - 1 else np.nan, status=status,
        )  # fmt: skip
        last, next_momentum = n_iter, momentum


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
        source="Nocedal and Wright (2006), Numerical Optimization, 2nd edition, Algorithms 5.2 and 16.2",
    )
    code = (linear_system.steps, linear_system._step)

    def serves(self, given) -> bool:
        return _has_no_bounds(given)

    def solve(self, given, *, tol=1e-3, max_iter=10_000) -> Solution:
        return linear_system.solve(given.K, given.qp, tol=tol, max_iter=max_iter)

    def record(self, given, *, tol=1e-3, max_iter=10_000) -> trace.Trace:
        """Record a run, as in `trace.Description`: of many steps log-spaced ones, within `recording.ROOM_BYTES`."""
        K, qp, began = given.K, given.qp, perf_counter()
        start, room = linear_system.start(K, qp), recording.room_for(len(qp.linear) + len(KEPT)) - 1
        steps = recording.sieve(map(_kept, linear_system.steps(K, qp, start, max_iter, tol=tol)), room)
        states = [_kept(start), *steps] if steps else [_kept(linear_system.advance(K, qp, start, 0, tol=tol))]
        seconds = perf_counter() - began
        if len(states) > 1 and states[-1][0] == states[-2][0]:  # no further step was possible
            del states[-2]
        run = recording.of_rounds(_rounds(states), self.key, tol=tol, max_rounds=len(states))
        return run._replace(seconds=seconds)

    def why(self, run, t, given) -> list[str]:
        """Sentences on step t: the residual before and after, the direction, its curvature, the length of the step."""
        row = run.row(t)
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
        return _has_no_bounds(given)

    def solve(self, given, *, tol=1e-3, max_iter=1) -> Solution:
        return linear_system.direct(given.K, given.qp, tol=tol)

    def record(self, given, *, tol=1e-3, max_iter=1) -> trace.Trace:
        began = perf_counter()
        beta, intercept, objective, violation, n_iter, status, *_ = linear_system.direct(given.K, given.qp, tol=tol)
        seconds = perf_counter() - began
        answer = dict(
            iteration=n_iter, objective=objective, violation=violation, beta=beta, intercept=intercept, status=status,
            order=len(given.K),
        )  # fmt: skip
        return recording.of_rounds([answer], self.key, tol=tol)._replace(seconds=seconds)

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
