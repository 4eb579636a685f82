"""Makes a Trace from the rounds of a generator, and chooses which iterations to keep."""

from collections.abc import Iterable
from itertools import chain, islice
from time import perf_counter

import numpy as np

from svmcore import deadline
from svmcore.status import Status
from svmcore.watch.trace import Trace

MOST_FRAMES = 60
ROOM_BYTES = 32e6  # the most memory for the iterates of one run


def spread(last, most=MOST_FRAMES) -> np.ndarray:
    """At most `most` >= 2 of the numbers 0 .. last: dense at first, then evenly spaced on a log axis, including the
    last.

    >>> spread(1000, 12).tolist()
    [0, 2, 4, 7, 13, 24, 45, 84, 156, 290, 539, 1000]
    """
    stops = [0]
    while stops[-1] < last:
        here, left = max(stops[-1], 1), most - len(stops)
        stops.append(last if left == 1 else max(stops[-1] + 1, round(here * (last / here) ** (1.0 / left))))
    return np.array(stops)


def room_for(numbers) -> int:
    """The number of rows of `numbers` floats each that may be kept within `ROOM_BYTES`."""
    return max(MOST_FRAMES, int(ROOM_BYTES // (8 * numbers)))


def sieve(rounds: Iterable, room) -> list:
    """Thin a stream to fewer than `room` >= 4 rounds: all early ones, then equally many per octave, and the last.

    Each coarser selection is a subset of the finer one before it, so that no round is needed that was already dropped.
    """
    rounds, kept, count = iter(rounds), [], 0
    while True:
        fresh = list(islice(rounds, room - len(kept)))  # a Python loop would cost more than some solvers' steps
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


def of_rounds(rounds, solver, *, tol=np.nan, max_rounds=10_000) -> Trace:
    """Run a generator of rounds to its end, or to `max_rounds`, and make a Trace of what it yields.

    A round is a NamedTuple or a dict with `beta` (N,) and `intercept`; `iteration` (else counted from 0), `objective`,
    `violation` if the solver has them. Each other field that is a number, a string or an array becomes a column of the
    events; see `trace.states` for one called `state`. Copies are kept, within `ROOM_BYTES`: of many rounds log-spaced
    ones. Raises ValueError if there is no round.

    The status is the iteration limit if a further round was to come; else what the generator returned, if that is a
    string, else the `status` of its last round, else it follows from the last violation and `tol`.
    """
    began, ended = perf_counter(), {}
    rows = _thin_rows(_take(rounds, max_rounds, ended))
    seconds = perf_counter() - began
    if not rows:
        raise ValueError(f"{solver}: no round was yielded; yield the starting point first")
    events = {name: _column([row[name] for row in rows]) for name in rows[0] if name not in _KNOWN}
    iteration, objective, violation, intercept = (np.array([row[name] for row in rows]) for name in _NUMBERS)
    betas = np.stack([row["beta"] for row in rows])
    status = ended.get("status") or rows[-1].get("status")
    if not isinstance(status, str):
        status = Status.CONVERGED if violation[-1] <= tol else Status.STOPPED if violation[-1] > tol else Status.ENDED
    status = deadline.final_status(status)
    frames = np.unique(np.searchsorted(iteration, iteration[0] + spread(iteration[-1] - iteration[0])))
    gaps = np.append(np.flatnonzero(np.diff(iteration) > 1), -1)
    return Trace(
        solver, iteration, objective, violation, events, iteration[frames], betas[frames], intercept[frames],
        betas, intercept, str(status), float(tol), int(iteration[-1]), int(iteration[gaps[0]]), seconds,
    )  # fmt: skip


_NUMBERS = ("iteration", "objective", "violation", "intercept")
_KNOWN = (*_NUMBERS, "beta", "status")


def _take(rounds, most, ended):
    """At most `most` rounds; `ended["status"]` becomes what the generator returned, or the iteration limit."""
    rounds = iter(rounds)
    try:
        for _ in range(most):
            yield next(rounds)
        next(rounds)
        ended["status"] = Status.ITERATION_LIMIT
    except StopIteration as end:
        ended["status"] = end.value


def _thin_rows(rounds):
    """The rounds as dicts of copies, thinned to the memory limit."""
    rows = (_row(number, one) for number, one in enumerate(rounds))
    for first in rows:
        numbers = sum(np.size(value) for value in first.values())
        return sieve(chain([first], rows), room_for(numbers))
    return []


def _row(number, one):
    row = {"iteration": number, "objective": np.nan, "violation": np.nan}
    row |= one if isinstance(one, dict) else one._asdict()
    kinds = (np.ndarray, np.generic, int, float, str)
    return {name: np.copy(value)[()] for name, value in row.items() if isinstance(value, kinds)}


def _column(values):
    """An array of length n, or (n, ...) where all rows have the same shape; lists of different lengths stay objects."""
    if len({np.shape(value) for value in values}) == 1:
        return np.array(values)
    column = np.empty(len(values), object)
    column[:] = values
    return column
