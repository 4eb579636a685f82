"""Watching pair updates (`solvers.smo`): what the compiled loop writes down, and the sentences made of it.

`record` runs the solver and keeps seven numbers per step, which costs about one percent; `trace_of` makes the Trace
afterwards: one compiled pass rebuilds the frames from the pairs, bit for bit. Memory is bounded whatever the limit on
the steps: after the first `MAX_STEPS` only whole vectors are kept, each after a quarter more steps than the one before.
"""

from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from svmcore import duals
from svmcore.solvers import smo, smo_plain
from svmcore.watch import recording, sentences, trace

FIRST_ROOM = 2000  # steps; most runs need no second piece, and the array is small enough to be had at once
MAX_STEPS = 100_000  # rows of 56 bytes


class Checkpoint(NamedTuple):
    """The run after `n_iter` steps, where steps are no longer written down one by one."""

    n_iter: int
    beta: np.ndarray
    objective: float
    violation: float


def record(K, qp, *, tol=1e-3, max_iter=1_000_000, selection="conjugate", beta=None) -> tuple:
    """The run of `smo.solve`, the same to the last bit, from zero or from a feasible `beta` (N,).

    (state, records, checkpoints), which `trace_of` takes: the last State, pieces as `smo.room_for` makes them, and the
    run where steps are no longer written down. A plain tuple: for 40 points a whole run takes 17 microseconds.
    """
    state = None if beta is None else smo.start(K, qp, beta)
    stop = FIRST_ROOM if max_iter > FIRST_ROOM else max_iter
    records, checkpoints = [smo.room_for(stop)], []
    state = smo.solve(K, qp, tol=tol, max_iter=stop, selection=selection, state=state, record=records[0])
    while state.n_iter == stop < max_iter:
        if stop >= MAX_STEPS:
            checkpoints.append(Checkpoint(stop, state.beta.copy(), state.objective, state.violation))
        stop = min(4 * stop, MAX_STEPS) if stop < MAX_STEPS else stop + max(stop // 4, 1)
        stop = min(stop, max_iter)
        records.append(smo.room_for(min(stop, MAX_STEPS) - min(state.n_iter, MAX_STEPS)))
        state = smo.solve(K, qp, tol=tol, max_iter=stop, selection=selection, state=state, record=records[-1])
    return state, records, checkpoints


def trace_of(recorded, K, qp, *, tol, selection, beta=None, seconds=np.nan, most=recording.MOST_FRAMES) -> trace.Trace:
    """The Trace of what `record` returned, called with the same arguments; it has at most `most` frames."""
    state, records, checkpoints = recorded
    origin = np.zeros(len(qp.linear)) if beta is None else np.array(beta, float)
    begun = smo.start(K, qp, beta).objective
    steps = dict(zip(smo.Step._fields, np.concatenate(records)[: state.n_iter].T, strict=True))
    n = len(steps["step"])
    end = Checkpoint(state.n_iter, state.beta, state.objective, state.violation)
    known = [*(point for point in checkpoints if n <= point.n_iter < end.n_iter), end]
    later = [point for point in known if point.n_iter > n]

    iteration = np.append(np.arange(n + 1), [point.n_iter for point in later]).astype(np.int64)
    objective = np.concatenate([[begun], steps["objective"], [point.objective for point in later]])
    violation = np.concatenate([steps["violation"], [known[0].violation], [point.violation for point in later]])
    events = {name: _column(steps[name].astype(np.int64), -1, len(later)) for name in ("i", "j")}
    events |= {name: _column(steps[name], np.nan, len(later)) for name in ("wanted", "step", "momentum")}
    events["gain"] = _column(-np.diff(objective[: n + 1]), np.nan, len(later))

    chosen = np.unique(np.searchsorted(iteration, recording.spread(state.n_iter, most)))
    stops = iteration[chosen]
    columns = (events[name][1 : n + 1] for name in ("i", "j", "wanted", "momentum"))
    near = smo.replay(qp, origin, *columns, stops[stops <= n])
    far = [point.beta for point in later if point.n_iter in stops]
    betas = np.concatenate([near, np.reshape(far, (len(far), len(origin)))])
    intercepts = trace.intercepts(qp, betas, trace.residuals(K, qp, betas))
    intercepts[-1] = smo.intercept(qp, state)
    return trace.Trace(
        f"smo_{selection}", iteration, objective, violation, events, stops, betas, intercepts,
        np.empty((0, len(origin))), np.empty(0), state.status, float(tol), state.n_iter, n, seconds,
    )  # fmt: skip


def _column(values, nothing, n_later):
    """The events of the steps, with `nothing` for the start and for the rows that are no single step."""
    return np.concatenate([[nothing], values, np.full(n_later, nothing)])


class Facts(NamedTuple):
    """The numbers behind the sentences on one step. F is measured before it, F = -linear - (K + diag(ridge)) beta."""

    i: int  # rises
    j: int  # falls
    F_i: float
    F_j: float
    lowest: int  # of those that may fall, the one with the smallest F
    F_lowest: float
    wanted: float  # the step to the minimum along the direction
    step: float  # the step taken
    momentum: float  # the multiple of the last direction in this one
    blockers: tuple[int, ...]  # whose bounds were in the way
    gain: float  # by which the objective fell
    objective: float  # after the step
    before: np.ndarray  # (N,) states of the box
    after: np.ndarray  # (N,)


def facts(seen, t, given) -> Facts:
    """The numbers behind step t, 1 <= t <= seen.stepwise."""
    qp, row = given.qp, {name: column[t] for name, column in seen.events.items()}
    i, j, momentum, wanted, step = (row[name] for name in ("i", "j", "momentum", "wanted", "step"))
    earliest = max(t - 2, 0)
    *last, before, after = trace.at(seen, np.arange(earliest, t + 1), given)
    F = trace.residuals(given.K, qp, before[None])[0]
    lowest = int(np.argmin(np.where(before > qp.lower, F, np.inf)))
    return Facts(
        int(i), int(j), F[i], F[j], lowest, F[lowest], wanted, step, momentum,
        _blockers(qp, before, _direction(seen, t, before, last, i, j, momentum), wanted, step),
        row["gain"], seen.objective[t], duals.box_state(qp, before), duals.box_state(qp, after),
    )  # fmt: skip


def _direction(seen, t, before, last, i, j, momentum):
    """e_i - e_j, plus a multiple of the last direction: that of the last step, which was then taken whole."""
    direction = np.zeros(len(before))
    if momentum != 0.0:
        direction += momentum * (before - last[0]) / seen.events["step"][t - 1]
    direction[i] += 1.0
    direction[j] -= 1.0
    return direction


def _blockers(qp, before, direction, wanted, step):
    if step == wanted:
        return ()
    moving = np.flatnonzero(direction)
    bound = np.where(direction > 0.0, qp.upper, qp.lower)
    room = ((bound - before)[moving] / direction[moving]).clip(min=0.0)
    return tuple(int(k) for k in moving[room <= room.min() * (1.0 + 1e-9)])


def why(seen, t, given) -> list[str]:
    """Sentences on step t: who violated most, how far the step would have gone, what stopped it, what it gained."""
    if t == 0:
        said = [sentences.beginning(seen, seen.violation[0])]
    elif t > seen.stepwise:
        row = np.searchsorted(seen.iteration, t)
        violation = sentences.number(seen.violation[row])
        said = [
            f"Only the first {seen.stepwise} steps were written down one by one. "
            f"After {t} the objective is {sentences.number(seen.objective[row])} and the violation {violation}."
        ]
    else:
        said = _sentences(facts(seen, t, given), seen)
    return [*said, sentences.ending(seen)] if t == seen.n_iter else said


def _sentences(fact, seen):
    number = sentences.number
    is_lowest = fact.F_j - fact.F_lowest <= 1e-9 * (fact.F_i - fact.F_lowest)  # F of equals differs by rounding
    if is_lowest:
        partner = f"has the smallest F = {number(fact.F_j)} of all that may"
    else:
        partner = (
            f"has F = {number(fact.F_j)}: with it the step promises to gain more than with point {fact.lowest}, "
            f"whose F = {number(fact.F_lowest)} is the smallest"
        )
    bent = "" if fact.momentum == 0.0 else f" and {number(fact.momentum)} times the last direction"
    return [
        f"Point {fact.i} may rise and has the largest F = {number(fact.F_i)} of all that may; "
        f"point {fact.j} may fall and {partner}.",
        f"The largest F exceeds the smallest by {number(fact.F_i - fact.F_lowest)}, "
        f"the tolerance is {number(seen.tol)}.",
        f"Along this pair{bent} the objective is lowest after a step of {number(fact.wanted)}.",
        _stopped(fact),
        sentences.objective(fact.gain, fact.objective),
        sentences.changed(fact.before, fact.after),
    ]


def _stopped(fact):
    if not fact.blockers:
        return "Nothing is in the way: the whole step is taken."
    whose, length = sentences.listed(fact.blockers), sentences.number(fact.step)
    where = f"after {length}" if length != sentences.number(fact.wanted) else "a hair earlier"
    verb, plural = ("stops", "") if len(fact.blockers) == 1 else ("stop", "s")
    said = f"The bound{plural} of {whose} {verb} it {where}"
    return f"{said}, so that the next step begins a new direction." if fact.momentum != 0.0 else f"{said}."


def marks(seen, t, given) -> trace.Marks:
    """The pair of step t, joined by its length."""
    if not 1 <= t <= seen.stepwise:
        return trace.Marks()
    i, j = int(seen.events["i"][t]), int(seen.events["j"][t])
    return trace.Marks((i, j), ("up", "down"), ((i, j, float(seen.events["step"][t])),))


def _solve(given, *, tol=1e-3, max_iter=1_000_000, selection):
    return smo.solve(given.K, given.qp, tol=tol, max_iter=max_iter, selection=selection)


def _record(given, *, tol=1e-3, max_iter=1_000_000, selection):
    began = perf_counter()
    recorded = record(given.K, given.qp, tol=tol, max_iter=max_iter, selection=selection)
    seconds = perf_counter() - began
    return trace_of(recorded, given.K, given.qp, tol=tol, selection=selection, seconds=seconds)


TITLES = {
    "first": ("SMO, first order", "Keerthi et al. (2001), Improvements to Platt's SMO algorithm"),
    "second": ("SMO, second order", "Fan, Chen, Lin (2005), Working set selection using second order information"),
    "conjugate": ("SMO, conjugate", "Torres-Barrán, Alaíz, Dorronsoro (2021), Faster SVM training via conjugate SMO"),
}
DESCRIPTIONS = [
    trace.Description(
        key=f"smo_{selection}",
        words=trace.Words(
            title=title,
            unit="pair update",
            substeps=("choose who rises", "choose who falls", "step to the minimum", "stop at the box", "update F"),
            columns={
                "i": "the point whose coefficient rises",
                "j": "the point whose coefficient falls",
                "wanted": "the step to the minimum along the direction",
                "step": "the step taken, shorter where the box is in the way",
                "momentum": "the multiple of the last direction in this one",
                "gain": "by how much the objective falls",
            },
            source=source,
        ),
        serves=lambda given: given.qp is not None,
        solve=partial(_solve, selection=selection),
        record=partial(_record, selection=selection),
        why=why,
        marks=marks,
        code=(smo_plain.solve,),
    )
    for selection, (title, source) in TITLES.items()
]
