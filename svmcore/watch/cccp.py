"""Watching CCCP (`solvers.nonconvex.cccp`): the truncated points, the moves of their boxes, and the effect on P."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from svmcore import duals, losses
from svmcore.kernels import Kernel
from svmcore.kernels.rows import Rows
from svmcore.solvers.nonconvex import cccp, multistart
from svmcore.solvers.solution import Solution, Task
from svmcore.watch import recording, sentences, trace

SUBSTEPS = ("find the truncated points", "move their boxes", "solve the dual in these boxes")
SOURCE = "Collobert, Sinz, Weston, Bottou (2006), Trading convexity for scalability; Yuille, Rangarajan (2003)"
GRAM = Kernel("precomputed")


class Round(NamedTuple):
    """One round as `recording.of_rounds` takes it; row 0 is the start, without a box yet. (N,) where not a number.

    `cut` is as in `cccp.Round`: +1 above mu, -1 below -kappa. `low` and `high` are the box of alpha, nan where there is
    none yet. `above` and `below` count the truncated points. `state` is the position of alpha in its box, `steps` the
    number of steps of the inner solver, `inner` how it ended.
    """

    iteration: int
    objective: float
    violation: float
    beta: np.ndarray
    intercept: float
    cut: np.ndarray
    low: np.ndarray
    high: np.ndarray
    above: int
    below: int
    state: np.ndarray
    steps: int
    inner: str


def rounds(given, start, *, tol, max_iter) -> Iterator[Round]:
    """The start and every round of CCCP from it, each a `Round`; returns how the run ended.

    start: "convex", no machine and no truncated point, or "means", the machine between the means of the classes.
    """
    task, y = _task(given), given.y
    beta, intercept, cut = np.zeros(len(y)), 0.0, np.zeros(len(y), np.int8)
    if start == "means":
        beta, intercept = multistart.class_means(Rows(GRAM, given.K), y, task.C)
    K_beta = given.K @ beta
    f = K_beta + intercept
    if start == "means":
        cut = cccp.truncation_signs(task, f)
    objective = task.objective(f, float(beta @ K_beta))
    none, unknown = np.zeros(len(y)), np.full(len(y), np.nan)
    state = np.where(beta == 0.0, duals.ZERO, duals.FREE)
    yield Round(0, objective, np.nan, beta, intercept, cut, unknown, unknown, *_count_cut(cut), state, 0, "none")
    most = max(min(max_iter, cccp.MAX_ROUNDS), 1)
    first = f if start == "means" else None
    for now in cccp.rounds(task, first, tol=tol, max_rounds=most):
        qp = duals.BoxQP(now.lower, now.upper, none, -y)
        low, high = np.where(y > 0.0, now.lower, -now.upper), np.where(y > 0.0, now.upper, -now.lower)
        yield Round(
            now.iteration, now.objective, now.violation, now.beta, now.intercept, now.cut, low, high,
            *_count_cut(now.cut), duals.box_state(qp, now.beta), now.n_iter, now.status,
        )  # fmt: skip
    return cccp.solution(now, start, tol, most).status


def _task(given):
    return Task(GRAM, given.K, given.y, given.C, given.loss, given.params).validate()


def _count_cut(cut):
    """The numbers of points above mu and below -kappa."""
    return int(np.sum(cut > 0)), int(np.sum(cut < 0))


def _cut_before(run, row):
    """The cuts whose boxes were current before this row; those of the start, in row 0, take effect in round 1."""
    return run.events["cut"][row - 1] if row > 1 else np.zeros(len(run.events["cut"][0]))


def _inner_sentences(run, row, given):
    """Sentences on the inner solver in the boxes of this row."""
    now, before = (trace.moments(run, run.iteration[k], given) for k in (row, row - 1))
    return [
        f"In these boxes the inner solver took {sentences.with_count(int(run.events['steps'][row]), 'step')}: "
        f"{run.events['inner'][row]}.",
        sentences.objective(before.objective[0] - now.objective[0], now.objective[0]),
        sentences.state_changes(before.state[0], now.state[0]),
        f"The violation is {sentences.number(run.violation[row])}, the tolerance {sentences.number(run.tol)}.",
    ]


def _cuts(before, now):
    """Sentence on the boxes that moved from one vector of cuts to the next."""
    moves = (
        ("lies above μ", (now > 0) & (before <= 0), "truncated, the box of α moves down by C and 0 is its upper end"),
        ("lies below −κ", (now < 0) & (before >= 0), "truncated, the box of α moves up by τ C and 0 is its lower end"),
        ("lies between", (now == 0) & (before != 0), "no longer truncated, the box of α moves back"),
    )
    found = [_move_sentence(np.flatnonzero(some), where, effect) for where, some, effect in moves if some.any()]
    return found or ["No box moves."]


def _move_sentence(points, where, effect):
    return f"{_lie(points, where)}: {effect}."


def _lie(points, where):
    where = where if len(points) == 1 else where.replace("lies", "lie")
    return f"{sentences.capital(sentences.list_points(points))} {where}"


class Cccp(trace.Description):
    """CCCP from the start "convex" or "means"."""

    code = (cccp.rounds, cccp.truncation_signs)

    def __init__(self, start, title):
        self.start, self.key = start, f"cccp_{start}"
        self.words = trace.Words(
            title=title,
            unit="round",
            substeps=SUBSTEPS,
            columns={
                "cut": "+1 if a point is taken to lie above μ, -1 below -κ, 0 between",
                "low": "lower end of the box of α",
                "high": "upper end of the box of α",
                "above": "the number of points truncated above μ",
                "below": "the number of points truncated below -κ",
                "state": "the position of α in its box",
                "steps": "steps of the inner solver",
                "inner": "how the inner solver ended",
            },
            source=SOURCE,
            meant={"band": "loss not constant", "ringed": "box moves", "crossed": "truncated"},
            charts=(trace.Chart("Truncated points", "points", False, ("above", "below")),),
        )

    def serves(self, given) -> bool:
        """True for truncated losses; see `trace.Description`."""
        return losses.get(given.loss).solved_by == "CCCP"

    def record(self, given, *, tol=1e-3, max_iter=cccp.MAX_ROUNDS) -> trace.Trace:
        """Record a run, as in `trace.Description`."""
        iterations = rounds(given, self.start, tol=tol, max_iter=max_iter)
        return recording.of_rounds(iterations, self.key, tol=tol, max_rounds=cccp.MAX_ROUNDS + 1)

    def solve(self, given, *, tol=1e-3, max_iter=cccp.MAX_ROUNDS) -> Solution:
        """Solve without recording, as in `trace.Description`."""
        most = max(min(max_iter, cccp.MAX_ROUNDS), 1)
        return cccp.solve(_task(given), tol=tol, starts=self.start, max_rounds=most)

    def why(self, run, t, given) -> list[str]:
        """Sentences on round t: the boxes that moved and why, the inner solver, the objective, states and violation."""
        row = int(np.searchsorted(run.iteration, t))
        if row == 0:
            lines = [
                "The start: there is no machine yet, so no point is truncated."
                if not run.frame_beta[0].any()
                else "The start: the machine between the means of the classes.",
                sentences.objective(np.nan, run.objective[0]),
                *_cuts(np.zeros(len(given.y)), run.events["cut"][0]),
            ]
        else:
            lines = [*_cuts(_cut_before(run, row), run.events["cut"][row]), *_inner_sentences(run, row, given)]
        return [*lines, sentences.end_sentence(run)] if t == run.n_iter else lines

    def substeps(self, run, t, given) -> list[trace.Substep]:
        """The sub-steps of round t: the first two on the machine of the round before, the third on its own."""
        row = int(np.searchsorted(run.iteration, t))
        if row == 0 or run.iteration[row - 1] != t - 1:
            return []
        before, now = _cut_before(run, row), run.events["cut"][row]
        sides = ((now > 0, "above μ"), (now < 0, "below −κ"))
        off = [_lie(np.flatnonzero(some), f"lies {where}") for some, where in sides if some.any()]
        solved = [*_inner_sentences(run, row, given), *([sentences.end_sentence(run)] if t == run.n_iter else [])]
        all_of_it = self.marks(run, t, given)
        unmoved = all_of_it._replace(points=(), words=())
        return [
            trace.Substep(SUBSTEPS[0], [f"{'; '.join(off) or 'No point lies beyond a cut'}."], unmoved, t - 1, t - 1),
            trace.Substep(SUBSTEPS[1], _cuts(before, now), all_of_it, t - 1, t),
            trace.Substep(SUBSTEPS[2], solved, unmoved, t, t),
        ]

    def marks(self, run, t, given) -> trace.Marks:
        """Points whose boxes moved in round t ringed, truncated ones crossed; in the band the loss is not constant."""
        row = int(np.searchsorted(run.iteration, t))
        cut = run.events["cut"][row]
        points = np.flatnonzero(cut != _cut_before(run, row))
        params = losses.get(given.loss).check(**given.params)
        edges = (1.0 - params.get("mu", np.inf), 1.0 + params.get("kappa", 0.0))
        return trace.Marks(
            tuple(map(int, points)),
            ("",) * len(points),
            crossed=tuple(map(int, np.flatnonzero(cut))),
            band=edges,
        )


DESCRIPTIONS = (Cccp("convex", "CCCP from the convex machine"), Cccp("means", "CCCP from the class means"))
