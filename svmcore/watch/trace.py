"""What an iterative solver did, in a form that is the same for all of them.

A `Trace` is a table with one row per recorded iteration: row k says where the run stood after `iteration[k]`
iterations, and what happened in the step that led there (`events`, the solver's own columns). Beside it stand the
frames: at most 60 coefficient vectors at log-spaced iterations, the first and the last always among them.

How the vectors between two frames are had depends on what was cheaper to record. Pair updates are replayed from the
pairs (`smo.replay`, bit for bit); a solver whose rounds cost more than a copy of the vector keeps every one of them
(`iterates`). `at` hides the difference.

A solver takes part with

- a generator that yields one NamedTuple per round, from which `of_rounds` makes a Trace; a direct method has one
  answer and uses `of_solution`; pair updates have a recorder of their own, `svmcore.watch.smo`;
- a `Description`: its words, and how to run it watched and unwatched. `svmcore.watch.registry` lists them all.

Nothing here is called from within a solver: a watched run makes exactly the steps of an unwatched one.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from time import perf_counter
from typing import NamedTuple

import numpy as np

from svmcore import duals
from svmcore.solvers import smo

MOST_FRAMES = 60
ROOM_BYTES = 32e6  # what the iterates of one run may take
CONVERGED, LIMIT = "converged", "iteration limit"
STOPPED, ENDED = "stopped before the tolerance was met", "ended by itself"


class Given(NamedTuple):
    """What a solver was given: Gram matrix (N, N), box problem, labels (N,), and the primal problem they come from.

    `qp` is None for a loss that has no box dual; `C` is a number or (N,), `params` are the parameters of the loss.
    """

    K: np.ndarray
    qp: duals.BoxQP | None
    y: np.ndarray
    loss: str
    C: float | np.ndarray
    params: dict

    @classmethod
    def of(cls, kernel, X, y, loss, C, **params):
        """For the points X, (N, d), and a `kernels.Kernel`."""
        y = np.asarray(y, float)
        return cls(kernel(X), duals.build(loss, y, C, **params) if loss in duals.DUALS else None, y, loss, C, params)


class Trace(NamedTuple):
    """The table of a run: n rows, F frames of N coefficients. Iterations are numbered from 1, row 0 is the start.

    `objective` is what the solver minimises (for a box problem minus the dual objective) and `violation` its own
    measure of optimality, nan where it knows none. An entry of `events` has length n, or shape (n, N) for a vector
    per row; -1 or nan where a row has no such event. `seconds` is the time of the recorded run.
    """

    solver: str
    iteration: np.ndarray
    objective: np.ndarray
    violation: np.ndarray
    events: dict
    frame_iter: np.ndarray
    frame_beta: np.ndarray
    frame_intercept: np.ndarray
    iterates: np.ndarray  # (n, N), or (0, N) where pairs are replayed
    intercepts: np.ndarray  # (n,), or (0,)
    status: str
    tol: float
    n_iter: int
    stepwise: int  # so many iterations, from the first, have a row each, with its events
    seconds: float

    @property
    def reachable(self) -> np.ndarray:
        """The iteration numbers that `at` can give, ascending."""
        if len(self.iterates):
            return self.iteration
        return np.union1d(self.iteration[: self.stepwise + 1], self.frame_iter)


class Moments(NamedTuple):
    """A run at m iterations: what a picture needs. `state` holds the codes of `duals.box_state`."""

    iteration: np.ndarray  # (m,)
    beta: np.ndarray  # (m, N)
    intercept: np.ndarray  # (m,)
    objective: np.ndarray  # (m,)
    violation: np.ndarray  # (m,)
    state: np.ndarray  # (m, N)


class Marks(NamedTuple):
    """Points to ring, a word for each, and pairs of them to join, each with the length to write there.

    `crossed` are points that the solver leaves out, `band` = (low, high) is a strip low <= y f < high of the plane.
    """

    points: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    joined: tuple[tuple[int, int, float], ...] = ()
    crossed: tuple[int, ...] = ()
    band: tuple[float, float] | None = None


class Substep(NamedTuple):
    """A moment within an iteration, after a sub-step; `shown` is the iteration whose machine stands then, this one or
    the one before, `boxed` that whose boxes hold."""

    name: str
    said: list[str]
    marks: Marks
    shown: int
    boxed: int


def no_marks(trace, t, given) -> Marks:
    """For solvers whose steps single out no point."""
    return Marks()


def no_substeps(trace, t, given) -> list[Substep]:
    """For solvers whose iterations are shown as one step."""
    return []


class Description(NamedTuple):
    """All that a page needs to know about a solver.

    `unit` is what one iteration is called, `substeps` what happens within one, in order; `columns` explains each
    event. `why(trace, t, given)` is a list of sentences on iteration t, `marks(trace, t, given)` its `Marks`, and
    `within(trace, t, given)` its `Substep`s, none where t stands alone; `meant` says what the fields of its marks mean.
    `serves(given)` says whether the solver can take the problem, `solve(given, *, tol, max_iter)` runs it unwatched
    and `record(given, *, tol, max_iter)` gives its Trace. A `one_shot` solver has one iteration and no curve. `drawn`
    are charts of its own: (title, unit, on a log axis?, columns of the events, a number per row each). A solver with
    an `own` objective begins at the machine of the problem and minimises something else than its dual. `code` are the
    functions to read of its source, in this order.
    """

    key: str
    title: str
    unit: str
    substeps: tuple[str, ...]
    columns: dict[str, str]
    source: str
    serves: Callable
    solve: Callable
    record: Callable
    why: Callable
    marks: Callable = no_marks
    within: Callable = no_substeps
    meant: dict[str, str] = {}
    one_shot: bool = False
    drawn: tuple[tuple[str, str, bool, tuple[str, ...]], ...] = ()
    own: bool = False
    code: tuple[Callable, ...] = ()


def at(trace, t, given) -> np.ndarray:
    """The coefficients after t iterations, (N,); for an ascending array of m numbers (m, N).

    ValueError, with the nearest number that can be had, for an iteration that was not kept.
    """
    wanted = np.atleast_1d(np.asarray(t, np.int64))
    lost = wanted[~_kept_at(trace, wanted)]
    if len(lost):
        known = trace.reachable
        nearest = known[np.abs(known - lost[0]).argmin()]
        raise ValueError(f"iteration {lost[0]} of {trace.n_iter} was not kept; the nearest that was is {nearest}")
    if len(trace.iterates):
        betas = trace.iterates[np.searchsorted(trace.iteration, wanted)]
    else:
        frame, kept = _found(trace.frame_iter, wanted)
        betas, between = trace.frame_beta[frame], ~kept
        if between.any():
            betas[between] = _replayed(trace, wanted[between], given)
    return betas if np.ndim(t) else betas[0]


def _kept_at(trace, wanted):
    """Which of the iterations `at` can give: the question that `Trace.reachable` answers, without its long list."""
    if len(trace.iterates):
        return _found(trace.iteration, wanted)[1]
    return ((wanted >= 0) & (wanted <= trace.stepwise)) | _found(trace.frame_iter, wanted)[1]


def _found(ascending, wanted):
    """(row, whether it is there) of each of the wanted numbers."""
    row = np.searchsorted(ascending, wanted).clip(max=len(ascending) - 1)
    return row, ascending[row] == wanted


def _replayed(trace, wanted, given):
    """The coefficients after `wanted` steps, ascending, none beyond `stepwise`, replayed from a frame before them all.

    Not from one whose next step builds on the direction of the step before.
    """
    momentum, starts = trace.events["momentum"], trace.frame_iter[trace.frame_iter < wanted[0]]
    frame = int(np.flatnonzero(momentum[starts + 1] == 0.0)[-1])
    rows = slice(starts[frame] + 1, wanted[-1] + 1)
    columns = (trace.events[name][rows] for name in ("i", "j", "wanted", "momentum"))
    return smo.replay(given.qp, trace.frame_beta[frame], *columns, wanted - starts[frame])


def moments(trace, ts, given) -> Moments:
    """The run after each of the iterations `ts` (ascending, see `Trace.reachable`), with intercepts and box states.

    Where the solver does not know the intercepts they cost one product of the coefficients with K for all.
    """
    ts = np.atleast_1d(np.asarray(ts, np.int64))
    betas, rows = at(trace, ts, given), np.searchsorted(trace.iteration, ts)
    if len(trace.intercepts):
        intercept = trace.intercepts[rows]
    else:
        intercept = intercepts(given.qp, betas, residuals(given, betas))
    state = states(trace, rows, betas, given)
    return Moments(ts, betas, intercept, trace.objective[rows], trace.violation[rows], state)


def states(trace, rows, betas, given):
    """The codes of `duals.box_state` for the betas, (m, N), of these rows; without a box they are ZERO or FREE.

    A solver whose box moves says itself where each support value stands, in a column `state`.
    """
    if "state" in trace.events:
        return trace.events["state"][rows]
    if given.qp is None:
        return np.where(betas == 0.0, duals.ZERO, duals.FREE)
    return duals.box_state(given.qp, betas)


def box(trace, t) -> np.ndarray | None:
    """The bounds of alpha in iteration t, (2, N), of a solver that moves them and says so in "low" and "high"."""
    if "low" not in trace.events:
        return None
    row = np.searchsorted(trace.iteration, t)
    return np.stack([trace.events["low"][row], trace.events["high"][row]])


def residuals(given, betas):
    """F = -linear - (K + diag(ridge)) beta for each row of betas, (m, N)."""
    return -given.qp.linear - betas @ given.K - given.qp.ridge * betas


def bounds_of_intercept(qp, betas, F):
    """(top, bottom), (m,) each: the largest F that may rise, the smallest that may fall; -inf or inf without any."""
    top = np.max(F, axis=1, where=betas < qp.upper, initial=-np.inf)
    return top, np.min(F, axis=1, where=betas > qp.lower, initial=np.inf)


def intercepts(qp, betas, F):
    """As `smo.intercept`, for each row of betas and F, (m, N): shape (m,)."""
    free = (betas > qp.lower) & (betas < qp.upper)
    top, bottom = bounds_of_intercept(qp, betas, F)
    top, bottom = np.where(np.isinf(top), bottom, top), np.where(np.isinf(bottom), top, bottom)
    count = free.sum(axis=1)
    return np.where(count > 0, np.sum(F, axis=1, where=free) / np.maximum(count, 1), 0.5 * (top + bottom))


def spread(last, most=MOST_FRAMES):
    """At most `most` >= 2 of the numbers 0 .. last, each once: dense at first, then evenly on a log axis, the last too.

    >>> spread(1000, 12).tolist()
    [0, 2, 4, 7, 13, 24, 45, 84, 156, 290, 539, 1000]
    """
    stops = [0]
    while stops[-1] < last:
        here, left = max(stops[-1], 1), most - len(stops)
        stops.append(last if left == 1 else max(stops[-1] + 1, round(here * (last / here) ** (1.0 / left))))
    return np.array(stops)


def room_for(numbers) -> int:
    """How many rows of so many numbers may be kept."""
    return max(MOST_FRAMES, int(ROOM_BYTES // (8 * numbers)))


def sieve(rounds: Iterable, room) -> list:
    """Fewer than `room` >= 4 of the rounds, however many come: all of the first, then so many of each octave, the last.

    What a coarser sieve keeps the finer one has kept, so that nothing is missed later.
    """
    rounds, kept, count = iter(rounds), [], 0
    while True:
        fresh = list(islice(rounds, room - len(kept)))  # a loop of our own would cost more than some solvers' steps
        kept += enumerate(fresh, count)
        count += len(fresh)
        if len(kept) < room:
            return [one for _, one in kept]
        *others, last = kept
        fineness = count.bit_length()
        while len(others) > room // 2:
            fineness -= 1
            others = [(k, one) for k, one in others if k % (1 << max(k.bit_length() - fineness, 0)) == 0]
        kept = [*others, last]


def of_rounds(rounds, solver, *, y=None, tol=np.nan, max_rounds=10_000) -> Trace:
    """Run a generator of rounds to its end, or to `max_rounds`, and make a Trace of what it yields.

    A round is a NamedTuple with `beta` (N,), or `alpha` with the labels `y` given, and `intercept`; `iteration` (else
    counted from 0), `objective`, `violation` where the solver knows them. Each other field that is a number, a word or
    an array becomes a column of the events; see `states` for one called `state`. What is kept is a copy, within
    `ROOM_BYTES`: of many rounds log-spaced ones.

    The status is "iteration limit" where a further round was to come; else what the generator returned, if that is a
    string, else the `status` of its last round, else what the last violation says beside `tol`.
    """
    began, ended = perf_counter(), {}
    rows = _kept(_until(rounds, max_rounds, ended), y)
    seconds = perf_counter() - began
    if not rows:
        raise ValueError(f"{solver}: no round was yielded; yield the starting point first")
    events = {name: _column([row[name] for row in rows]) for name in rows[0] if name not in _KNOWN}
    iteration, objective, violation, intercept = (np.array([row[name] for row in rows]) for name in _NUMBERS)
    betas = np.stack([row["beta"] for row in rows])
    status = ended.get("status") or rows[-1].get("status")
    if not isinstance(status, str):
        status = CONVERGED if violation[-1] <= tol else STOPPED if violation[-1] > tol else ENDED
    frames = np.unique(np.searchsorted(iteration, iteration[0] + spread(iteration[-1] - iteration[0])))
    return Trace(
        solver, iteration, objective, violation, events, iteration[frames], betas[frames], intercept[frames],
        betas, intercept, str(status), float(tol), int(iteration[-1]), _consecutive(iteration), seconds,
    )  # fmt: skip


def of_solution(solver, solution, seconds, *, tol=np.nan, **events) -> Trace:
    """The Trace of a direct method: one frame, which is the answer, and what there is to say about it as events.

    `solution` has `beta`, `intercept`, `objective`, `violation` and `status`.
    """
    betas, intercept = solution.beta[None].copy(), np.array([solution.intercept])
    return Trace(
        solver, np.array([1]), np.array([solution.objective]), np.array([solution.violation]),
        {name: np.array([value]) for name, value in events.items()}, np.array([1]), betas, intercept,
        betas, intercept, solution.status, float(tol), 1, 1, seconds,
    )  # fmt: skip


_NUMBERS = ("iteration", "objective", "violation", "intercept")
_KNOWN = (*_NUMBERS, "beta", "alpha", "status")


def _until(rounds, most, ended):
    """At most `most` rounds; `ended` is told what the generator returned, or that it was not at its end."""
    rounds = iter(rounds)
    for _ in range(most):
        try:
            yield next(rounds)
        except StopIteration as end:
            ended["status"] = end.value
            return
    try:
        next(rounds)
        ended["status"] = LIMIT
    except StopIteration as end:
        ended["status"] = end.value


def _kept(rounds, y):
    """The rounds as dicts of copies, thinned to what there is room for."""
    rows = (_row(number, one, y) for number, one in enumerate(rounds))
    for first in rows:
        numbers = sum(np.size(value) for value in first.values())
        return sieve(_chained(first, rows), room_for(numbers))
    return []


def _chained(first, rest):
    yield first
    yield from rest


def _row(number, one, y):
    row = {"iteration": number, "objective": np.nan, "violation": np.nan, **one._asdict()}
    if "beta" not in row:
        if y is None:
            raise ValueError("a round without beta needs alpha, and the labels: of_rounds(..., y=y)")
        row["beta"] = y * row["alpha"]
    told = (np.ndarray, np.generic, int, float, str)
    return {name: np.copy(value)[()] for name, value in row.items() if isinstance(value, told)}


def _consecutive(iteration):
    """The last of the iteration numbers before the first gap."""
    gaps = np.flatnonzero(np.diff(iteration) > 1)
    return int(iteration[gaps[0] if len(gaps) else -1])


def _column(values):
    """An array of length n, or (n, ...) where all rows have the same shape; lists of different lengths stay objects."""
    if len({np.shape(value) for value in values}) == 1:
        return np.array(values)
    column = np.empty(len(values), object)
    column[:] = values
    return column
