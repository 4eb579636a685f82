"""Watching the solvers of the LS-SVM's linear system: conjugate gradients, and the factorisation in one go."""

from operator import attrgetter
from time import perf_counter
from typing import NamedTuple

import numpy as np

from svmcore.solvers import linear_system
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


# what is kept of a state; its other vectors would take twice the memory again, and the time to be given it
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
    """The Trace of what `record` returned."""
    rounds = [Round(*kept) for kept in recorded]
    if len(rounds) > 1 and rounds[-1].iteration == rounds[-2].iteration:  # no further step was possible
        del rounds[-2]
    seen = recording.of_rounds(_told(rounds), "cg", tol=tol, max_rounds=len(rounds))
    return seen._replace(seconds=seconds)


def _told(rounds):
    """The rounds with the length of the residual, and the momentum of the step that led there."""
    before = None
    for one in rounds:
        consecutive = before is not None and before.iteration == one.iteration - 1
        momentum = before.momentum if consecutive else np.nan
        yield one._replace(residual=float(np.sqrt(one.residual)), momentum=momentum)
        before = one


def why(seen, t, given) -> list[str]:
    """Sentences on step t: the residual before and after, the direction, its curvature, the length of the step."""
    row = int(np.searchsorted(seen.iteration, t))
    residual, number = seen.events["residual"], sentences.number
    if row == 0:
        said = [sentences.beginning(seen, seen.violation[0]), f"The residual has length {number(residual[0])}."]
    elif seen.iteration[row - 1] != t - 1:
        said = [f"Of {seen.n_iter} steps some were kept. After {t} the residual has length {number(residual[row])}."]
    else:
        length, curvature, momentum = (seen.events[name][row] for name in ("length", "curvature", "momentum"))
        turned = "the residual alone" if momentum == 0.0 else f"the residual plus {number(momentum)} times the last one"
        said = [
            f"The direction is {turned}; the objective bends along it by {number(curvature)}.",
            f"The step to the minimum has length {number(length)}: the residual, {number(residual[row - 1])}, "
            f"squared and divided by the curvature.",
            f"The residual goes from {number(residual[row - 1])} to {number(residual[row])}.",
            sentences.objective(seen.objective[row - 1] - seen.objective[row], seen.objective[row]),
            f"The violation is {number(seen.violation[row])}, the tolerance {number(seen.tol)}.",
        ]
    return [*said, sentences.ending(seen)] if t == seen.n_iter else said


def why_at_once(seen, t, given) -> list[str]:
    """What one factorisation is: its size, its operations, its time."""
    n = int(seen.events["order"][0])
    return [
        f"One factorisation of a {n} x {n} matrix, {sentences.number(8e-6 * n * n)} MB: there are no steps to watch.",
        f"It takes {sentences.number(n**3 / 3)} multiplications and as many additions, "
        f"and took {sentences.number(1e3 * seen.seconds)} ms.",
        f"It ended so: {seen.status}, violation {sentences.number(seen.violation[0])}.",
    ]


def _unbounded(given):
    return given.qp is not None and bool(np.isinf(given.qp.lower).all() and np.isinf(given.qp.upper).all())


def _solve(given, *, tol=1e-3, max_iter=10_000):
    return linear_system.solve(given.K, given.qp, tol=tol, max_iter=max_iter)


def _record(given, *, tol=1e-3, max_iter=10_000):
    began = perf_counter()
    recorded = record(given.K, given.qp, tol=tol, max_iter=max_iter)
    return trace_of(recorded, tol=tol, seconds=perf_counter() - began)


def _solve_at_once(given, *, tol=1e-3, max_iter=1):
    return linear_system.direct(given.K, given.qp, tol=tol)


def _record_at_once(given, *, tol=1e-3, max_iter=1):
    began = perf_counter()
    found = linear_system.direct(given.K, given.qp, tol=tol)
    return recording.of_solution("direct", found, perf_counter() - began, tol=tol, order=len(given.K))


CG = trace.Description(
    key="cg",
    words=trace.Words(
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
    ),
    serves=_unbounded,
    solve=_solve,
    record=_record,
    why=why,
    code=(linear_system.steps, linear_system._step),
)

DIRECT = trace.Description(
    key="direct",
    words=trace.Words(
        title="One Cholesky factorisation",
        unit="factorisation",
        substeps=("factorise", "solve two triangular systems"),
        columns={"order": "rows of the matrix"},
        source="Suykens and Vandewalle (1999), Least squares support vector machine classifiers, equation (20)",
    ),
    serves=_unbounded,
    solve=_solve_at_once,
    record=_record_at_once,
    why=why_at_once,
    one_shot=True,
    code=(linear_system.direct,),
)
