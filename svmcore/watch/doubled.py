"""Watching pair updates on two coefficients per point (`solvers.box_dual.doubled`), for duals with a kink at zero.

The run is that of `watch.smo` on the 2N coefficients, replayed afterwards and folded: beta = rise + fall for each
point, as in the solution. A step moves one coefficient of a point, the positive or the negative one.
"""

import numpy as np

from svmcore import duals, losses
from svmcore.solvers.box_dual import doubled, smo_plain
from svmcore.solvers.solution import Solution
from svmcore.watch import recording, sentences, trace
from svmcore.watch import smo as watch_smo

CHUNK = 256  # rows that are replayed at a time
HALVES = ("above", "below")  # zero: the side of a point's first and second coefficient
ENTRIES = 12  # of a row
SIGNS = {"above": "positive", "below": "negative"}


def _twice(given):
    """The problem of the 2N coefficients."""
    C = given.weights
    qp = duals.insensitive_pinball(given.y, C, **given.params)
    return given._replace(
        X=np.tile(given.X, (2, 1)), K=np.tile(given.K, (2, 2)), qp=qp, y=np.tile(given.y, 2), C=np.tile(C, 2)
    )


def _steps(run, both, rows):
    """The rows of the Trace of the 2N coefficients, folded, as `recording.of_rounds` takes them; returns how it ended.

    Of point i the coefficient `rising`, "above" or "below" zero, rises; of point j the coefficient `falling` falls. In
    row 0, the start, i and j are -1 and numbers nan.
    """
    n, qp = len(both.y) // 2, both.qp
    low, high = qp.lower[n:], qp.upper[:n]
    for chunk in np.array_split(rows, -(-len(rows) // CHUNK)):
        betas, at = trace.coefficients_at(run, chunk, both), np.searchsorted(run.iteration, chunk)
        intercepts = trace.optimality(qp, betas, trace.residuals(both.K, qp, betas))[:, 0]
        folded, saved = doubled.fold(qp, betas)
        for k, (row, t) in enumerate(zip(at, chunk, strict=True)):
            i, j, wanted, step = (run.events[name][row] for name in ("i", "j", "wanted", "step"))
            beta = folded[k]
            held = [beta == 0.0, beta >= high, beta <= low]
            state = np.select(held, [duals.ZERO, duals.UPPER, duals.LOWER], duals.FREE)
            rising, falling = ("", "") if i < 0 else (HALVES[i // n], HALVES[j // n])
            yield dict(
                iteration=int(t), objective=run.objective[row] - saved[k], violation=run.violation[row], beta=beta,
                intercept=run.frame_intercept[-1] if t == run.n_iter else intercepts[k], i=int(i % n if i >= 0 else -1),
                j=int(j % n if j >= 0 else -1), rising=rising, falling=falling, wanted=wanted, step=step, state=state,
            )  # fmt: skip
    return run.status


class DoubledPairUpdates(trace.Description):
    """The pair updates of a `watch.smo.PairUpdates` on two coefficients per point."""

    code = (smo_plain.minimise, doubled.fold)

    def __init__(self, pairs):
        self.pairs, self.key = pairs, f"halves_{pairs.selection}"
        self.words = trace.Words(
            title=f"{pairs.words.title}, on two coefficients per point",
            unit="pair update",
            substeps=(
                "choose the coefficient to rise",
                "choose the coefficient to fall",
                "step to the minimum",
                "stop at a bound or zero",
            ),
            columns={
                "i": "the point whose coefficient rises",
                "j": "the point whose coefficient falls",
                "rising": "which coefficient of i rises, the one above or below zero",
                "falling": "which coefficient of j falls",
                "wanted": "the step to the minimum along the direction",
                "step": "the step taken, shorter if a bound or zero is reached first",
                "state": "the position of α in its box",
            },
            source=pairs.words.source,
        )

    def serves(self, given) -> bool:
        return losses.get(given.loss).solved_by == "doubled box dual"

    def record(self, given, *, tol=1e-3, max_iter=1_000_000) -> trace.Trace:
        both = _twice(given)
        run = self.pairs.record(both, tol=tol, max_iter=max_iter)
        known, room = run.reachable, recording.room_for(2 * len(given.y) + ENTRIES)
        rows = known[recording.spread(len(known) - 1, room)] if len(known) >= room else known
        steps = recording.of_rounds(_steps(run, both, rows), self.key, tol=tol, max_rounds=len(rows))
        return steps._replace(seconds=run.seconds)

    def solve(self, given, *, tol=1e-3, max_iter=1_000_000) -> Solution:
        both = _twice(given)
        return doubled.merge(both.qp, self.pairs.solve(both, tol=tol, max_iter=max_iter))

    def why(self, run, t, given) -> list[str]:
        """Sentences on step t: the coefficients that moved, the step to the minimum, the objective, changed states."""
        row, number = run.row(t), sentences.number
        now = run.events_at(row)
        if row == 0:
            lines = [sentences.start_sentence(run, run.violation[0])]
        elif now["i"] < 0 or run.iteration[row - 1] != t - 1:
            lines = [
                f"Only some of the {run.n_iter} steps were kept. After {t} the objective is "
                f"{number(run.objective[row])} and the violation {number(run.violation[row])}."
            ]
        else:
            whole = now["step"] == now["wanted"]
            taken = "is taken" if whole else f"is shortened to {number(now['step'])} by a bound or by zero"
            lines = [
                f"The {SIGNS[now['rising']]} coefficient of point {now['i']} rises, "
                f"the {SIGNS[now['falling']]} one of point {now['j']} falls.",
                f"Along this pair the objective is lowest after a step of {number(now['wanted'])}, which {taken}.",
                sentences.objective(run.objective[row - 1] - run.objective[row], run.objective[row]),
                sentences.state_changes(run.events["state"][row - 1], now["state"]),
                f"The violation is {number(run.violation[row])}, the tolerance {number(run.tol)}.",
            ]
        return [*lines, sentences.end_sentence(run)] if t == run.n_iter else lines

    def marks(self, run, t, given) -> trace.Marks:
        """The pair of step t, joined by its length."""
        row = run.row(t)
        i, j, step = (run.events[name][row] for name in ("i", "j", "step"))
        if i < 0:
            return trace.Marks()
        if i == j:
            return trace.Marks((int(i),), ("both coefficients",))
        return trace.Marks((int(i), int(j)), ("up", "down"), ((int(i), int(j), float(step)),))


DESCRIPTIONS = tuple(DoubledPairUpdates(pairs) for pairs in watch_smo.DESCRIPTIONS)
