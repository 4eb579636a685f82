"""Watching pair updates (`solvers.box_dual.smo`): the record of the compiled loop, and sentences about its steps.

`record` runs the solver and keeps seven numbers per step, which costs about one percent; `trace_of` makes the Trace
afterwards: one compiled pass rebuilds the frames from the pairs, bit for bit. Memory is bounded whatever the limit on
the steps: after the first `MAX_STEPS` only whole vectors are kept, each after a quarter more steps than the one before.
"""

from time import perf_counter

import numpy as np

from svmcore import deadline, duals
from svmcore.solvers.box_dual import smo, smo_plain
from svmcore.solvers.box_dual.pair_updates import MIN_CURVATURE
from svmcore.solvers.solution import Solution
from svmcore.watch import recording, sentences, trace

FIRST_ROOM = 2000  # steps; most runs need no second piece, and allocating a small array is fast
MAX_STEPS = 100_000  # rows of 56 bytes


def record(K, qp, *, tol=1e-3, max_iter=1_000_000, selection="conjugate", beta=None) -> tuple:
    """The run of `smo.run`, the same to the last bit, from zero or from a feasible `beta` (N,).

    Returns (state, records, checkpoints) for `trace_of`: the last State, pieces of `smo.room_for`, and the States from
    which on steps are no longer recorded one by one. A plain tuple, as for 40 points a whole run takes 17 microseconds.
    """
    state = smo.start(K, qp, beta)
    stop = FIRST_ROOM if max_iter > FIRST_ROOM else max_iter
    records, checkpoints = [smo.room_for(stop)], []
    state = smo.run(K, qp, state, tol=tol, max_iter=stop, selection=selection, record=records[0])
    while state.n_iter == stop < max_iter:
        if stop >= MAX_STEPS:
            checkpoints.append(state._replace(beta=state.beta.copy()))  # steps change it in place
        stop = min(4 * stop, MAX_STEPS) if stop < MAX_STEPS else stop + max(stop // 4, 1)
        stop = min(stop, max_iter)
        records.append(smo.room_for(min(stop, MAX_STEPS) - min(state.n_iter, MAX_STEPS)))
        state = smo.run(K, qp, state, tol=tol, max_iter=stop, selection=selection, record=records[-1])
    return state, records, checkpoints


def trace_of(recorded, K, qp, *, tol, selection, beta=None, seconds=np.nan) -> trace.Trace:
    """The Trace of what `record` returned, called with the same arguments."""
    state, records, checkpoints = recorded
    origin = np.zeros(len(qp.linear)) if beta is None else np.array(beta, float)
    begun = smo.start(K, qp, beta).objective
    steps = dict(zip(smo.Step._fields, np.concatenate(records)[: state.n_iter].T, strict=True))
    n = len(steps["step"])
    known = [*(point for point in checkpoints if n <= point.n_iter < state.n_iter), state]
    later = [point for point in known if point.n_iter > n]

    iteration = np.append(np.arange(n + 1), [point.n_iter for point in later]).astype(np.int64)
    objective = np.concatenate([[begun], steps["objective"], [point.objective for point in later]])
    violation = np.concatenate([steps["violation"], [known[0].violation], [point.violation for point in later]])
    events = {name: _column(steps[name].astype(np.int64), -1, len(later)) for name in ("i", "j")}
    events |= {name: _column(steps[name], np.nan, len(later)) for name in ("wanted", "step", "momentum")}
    events["gain"] = _column(-np.diff(objective[: n + 1]), np.nan, len(later))

    chosen = np.unique(np.searchsorted(iteration, recording.spread(state.n_iter, recording.MOST_FRAMES)))
    stops = iteration[chosen]
    columns = (events[name][1 : n + 1] for name in ("i", "j", "wanted", "momentum"))
    near = smo.replay(qp, origin, *columns, stops[stops <= n])
    far = [point.beta for point in later if point.n_iter in stops]
    betas = np.concatenate([near, np.reshape(far, (len(far), len(origin)))])
    intercepts = trace.optimality(qp, betas, trace.residuals(K, qp, betas))[:, 0]
    intercepts[-1] = smo.intercept(qp, state)
    return trace.Trace(
        f"smo_{selection}", iteration, objective, violation, events, stops, betas, intercepts,
        np.empty((0, len(origin))), np.empty(0), deadline.final_status(state.status), float(tol), state.n_iter, n,
        seconds,
    )  # fmt: skip


def _column(values, nothing, n_later):
    """The events of the steps, with `nothing` for the start and for the rows that are no single step."""
    return np.concatenate([[nothing], values, np.full(n_later, nothing)])


def _direction(run, t, before, last, i, j, momentum):
    """e_i - e_j, plus a multiple of the last direction: that of the last step, which was then a full step."""
    direction = np.zeros(len(before))
    if momentum != 0.0:
        direction += momentum * (before - last[0]) / run.events["step"][t - 1]
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


def _sentences(run, t, given):
    """Sentences on step t, 1 <= t <= run.stepwise; F = -linear - (K + diag(ridge)) beta is measured before it."""
    qp, now, number = given.qp, run.events_at(t), sentences.number
    i, j, momentum, wanted, step = (now[name] for name in ("i", "j", "momentum", "wanted", "step"))
    *last, before, after = trace.coefficients_at(run, np.arange(max(t - 2, 0), t + 1), given)
    F = trace.residuals(given.K, qp, before[None])[0]
    lowest = np.argmin(np.where(before > qp.lower, F, np.inf))
    excess = F[i] - F[lowest]
    largest, smallest = sentences.format_pair(F[i], F[lowest])
    if F[j] - F[lowest] <= 1e-9 * excess:  # equal F may differ by rounding
        partner = f"has the smallest F = {smallest} of all that may"
    else:
        partner = (
            f"has F = {number(F[j])}: its estimated gain is larger than that of point {lowest}, "
            f"whose F = {smallest} is the smallest"
        )
    if wanted * MIN_CURVATURE >= 0.99 * (F[i] - F[j]):
        reach = "has no curvature or a negative one: it falls until a bound is reached"
    else:
        reach = f"is lowest after a step of {number(wanted)}"
    bent = "" if momentum == 0.0 else f" and {number(momentum)} times the last direction"
    blockers = _blockers(qp, before, _direction(run, t, before, last, i, j, momentum), wanted, step)
    return [
        f"Point {i} may rise and has the largest F = {largest} of all that may; point {j} may fall and {partner}.",
        f"The largest F exceeds the smallest by {number(excess)}, the tolerance is {number(run.tol)}.",
        f"Along this pair{bent} the objective {reach}.",
        _stop_sentence(blockers, wanted, step, momentum),
        sentences.objective(now["gain"], run.objective[t]),
        sentences.state_changes(duals.box_state(qp, before), duals.box_state(qp, after)),
    ]


def _stop_sentence(blockers, wanted, step, momentum):
    if not blockers:
        return "No bound is reached: the full step is taken."
    points, length = sentences.list_points(blockers), sentences.number(step)
    where = f"after {length}" if length != sentences.number(wanted) else "slightly earlier"
    verb, plural = ("stops", "") if len(blockers) == 1 else ("stop", "s")
    sentence = f"The bound{plural} of {points} {verb} it {where}"
    return f"{sentence}, so the next step begins a new direction." if momentum != 0.0 else f"{sentence}."


class PairUpdates(trace.Description):
    """Pair updates with one of `smo.SELECTIONS`."""

    code = (smo_plain.minimise,)

    def __init__(self, selection, title, source):
        self.selection, self.key = selection, f"smo_{selection}"
        self.words = trace.Words(
            title=title,
            unit="pair update",
            substeps=("choose i, to rise", "choose j, to fall", "step to the minimum", "stop at a bound", "update F"),
            columns={
                "i": "the point whose coefficient rises",
                "j": "the point whose coefficient falls",
                "wanted": "the step to the minimum along the direction",
                "step": "the step taken, shorter if a bound is reached first",
                "momentum": "the multiple of the last direction in this one",
                "gain": "the decrease of the objective",
            },
            source=source,
        )

    def serves(self, given) -> bool:
        return given.qp is not None

    def solve(self, given, *, tol=1e-3, max_iter=1_000_000) -> Solution:
        return smo.solve(given.K, given.qp, tol=tol, max_iter=max_iter, selection=self.selection)

    def record(self, given, *, tol=1e-3, max_iter=1_000_000) -> trace.Trace:
        began = perf_counter()
        recorded = record(given.K, given.qp, tol=tol, max_iter=max_iter, selection=self.selection)
        seconds = perf_counter() - began
        return trace_of(recorded, given.K, given.qp, tol=tol, selection=self.selection, seconds=seconds)

    def why(self, run, t, given) -> list[str]:
        """Sentences on step t: the pair, the violation, the step to the minimum, the bound that stopped it, gain."""
        if t == 0:
            lines = [sentences.start_sentence(run, run.violation[0])]
        elif t > run.stepwise:
            row = run.row(t)
            violation = sentences.number(run.violation[row])
            lines = [
                f"Only the first {run.stepwise:,} steps were recorded one by one. "
                f"After {t:,} the objective is {sentences.number(run.objective[row])} and the violation {violation}."
            ]
        else:
            lines = _sentences(run, t, given)
        return [*lines, sentences.end_sentence(run)] if t == run.n_iter else lines

    def marks(self, run, t, given) -> trace.Marks:
        """The pair of step t, joined by its length."""
        if not 1 <= t <= run.stepwise:
            return trace.Marks()
        i, j = int(run.events["i"][t]), int(run.events["j"][t])
        return trace.Marks((i, j), ("up", "down"), ((i, j, float(run.events["step"][t])),))


DESCRIPTIONS = tuple(
    PairUpdates(selection, f"SMO, {way}", source)
    for selection, way, source in (
        ("first", "first order", "Keerthi et al. (2001), Improvements to Platt's SMO algorithm"),
        ("second", "second order", "Fan, Chen, Lin (2005), Working set selection using second order information"),
        ("conjugate", "conjugate", "Torres-Barrán, Alaíz, Dorronsoro (2021), Faster SVM training via conjugate SMO"),
    )
)
