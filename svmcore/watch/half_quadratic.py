"""Watching re-weighting (`solvers.nonconvex.half_quadratic`): the weights of the points, and their effect on P."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from svmcore import duals, losses
from svmcore.kernels import Kernel
from svmcore.losses.smooth import root
from svmcore.solvers.nonconvex import cccp, half_quadratic
from svmcore.solvers.solution import Solution, Task
from svmcore.watch import recording, sentences, trace
from svmcore.words import percent

SUBSTEPS = ("compute the loss of each point", "weight the points", "solve the dual with these weights")
SOURCE = "Xu, Cao, Hu, Principe (2017), Robust support vector machines based on the rescaled hinge loss function"
GRAM = Kernel("precomputed")
LITTLE = 0.01  # of the largest weight: a point with less is crossed
CHANGED = 0.1  # of the largest weight: a point whose weight changes by more is ringed
FARTHEST = 1e8  # slack up to which the cut is looked for


class Round(NamedTuple):
    """One round as `recording.of_rounds` takes it; row 0 is the start. (N,) where not a number.

    `weight` is that of each point in the machine of the round; `low` and `high` are the box of alpha, nan where there
    is none yet. `few` counts the points of hardly any weight. `state` is the position of alpha in its box, `steps` the
    number of steps of the inner solver, `inner` how it ended.
    """

    iteration: int
    objective: float
    violation: float
    beta: np.ndarray
    intercept: float
    weight: np.ndarray
    low: np.ndarray
    high: np.ndarray
    few: int
    state: np.ndarray
    steps: int
    inner: str


def rounds(given, start, *, tol, max_iter) -> Iterator[Round]:
    """The start and every round of re-weighting from it, each a `Round`; returns how the run ended.

    start: "convex", no machine, or "means", the machine between the means of the classes.
    """
    task, y = _task(given), given.y
    begun = cccp.begin(start, task, {})
    beta, intercept = (np.zeros(len(y)), 0.0) if begun.f is None else (begun.beta, begun.intercept)
    first, K_beta = begun.f, given.K @ beta
    unknown, weight = np.full(len(y), np.nan), half_quadratic.weights(task, first)
    state = np.where(beta == 0.0, duals.ZERO, duals.FREE)
    objective = task.objective(K_beta + intercept, float(beta @ K_beta))
    yield Round(
        0, objective, np.nan, beta, intercept, weight, unknown, unknown, _count(weight), state, 0, "none"
    )  # fmt: skip
    most = max(min(max_iter, half_quadratic.MAX_ROUNDS), 1)
    for now in half_quadratic.rounds(task, first, tol=tol, max_rounds=most):
        qp = duals.BoxQP(now.lower, now.upper, np.zeros(len(y)), -y)
        low, high = np.where(y > 0.0, now.lower, -now.upper), np.where(y > 0.0, now.upper, -now.lower)
        yield Round(
            now.iteration, now.objective, now.violation, now.beta, now.intercept, now.weight, low, high,
            _count(now.weight), duals.box_state(qp, now.beta), now.n_iter, now.status,
        )  # fmt: skip
    return half_quadratic.solve(task, tol=tol, starts=start, max_rounds=most).status


def _task(given):
    return Task(GRAM, given.K, given.y, given.C, given.loss, given.params).validate()


def _little(weight):
    return weight <= LITTLE * weight.max()


def _count(weight):
    return int(np.sum(_little(weight)))


def _cut(loss, params):
    """The slack beyond which a truncated loss is constant; infinite for one that keeps rising."""
    if loss.weight_of(FARTHEST, **params) > 0.0 or "mu" not in params:
        return np.inf
    own = loss.base_params(params)
    return float(root(lambda t: loss.base.value_of(t, **own) - params["mu"], 0.0, FARTHEST))


def _weights(weight):
    """Sentences on the weights of a round."""
    little = np.flatnonzero(_little(weight))
    largest, below = sentences.number(weight.max()), percent(LITTLE, ".0f")
    if not len(little):
        return [f"The weights lie between {sentences.number(weight.min())} and {largest}."]
    verb = "has" if len(little) == 1 else "have"
    return [
        f"{sentences.capital(sentences.list_points(little))} {verb} less than {below} of the largest weight, {largest}."
    ]


class HalfQuadratic(trace.Description):
    """Re-weighting from the start "convex" or "means"."""

    code = (half_quadratic.rounds, half_quadratic.weights)

    def __init__(self, start, title):
        self.start, self.key = start, f"half_quadratic_{start}"
        self.words = trace.Words(
            title=title,
            unit="round",
            substeps=SUBSTEPS,
            columns={
                "weight": "the weight of each point: the slope of the loss as a function of the loss of the base",
                "low": "lower end of the box of α",
                "high": "upper end of the box of α",
                "few": "the number of points with hardly any weight",
                "state": "the position of α in its box",
                "steps": "steps of the inner solver",
                "inner": "how the inner solver ended",
            },
            source=SOURCE,
            meant={"band": "loss not constant", "ringed": "weight changes", "crossed": "hardly any weight"},
            charts=(trace.Chart("Points with hardly any weight", "points", False, ("few",)),),
        )

    def serves(self, given) -> bool:
        """True for a concave function of a convex loss that has a box dual; see `trace.Description`."""
        loss = losses.get(given.loss)
        return loss.base is not None and loss.solved_by != "CCCP"

    def record(self, given, *, tol=1e-3, max_iter=half_quadratic.MAX_ROUNDS) -> trace.Trace:
        """Record a run, as in `trace.Description`."""
        iterations = rounds(given, self.start, tol=tol, max_iter=max_iter)
        return recording.of_rounds(iterations, self.key, tol=tol, max_rounds=half_quadratic.MAX_ROUNDS + 1)

    def solve(self, given, *, tol=1e-3, max_iter=half_quadratic.MAX_ROUNDS) -> Solution:
        """Solve without recording, as in `trace.Description`."""
        most = max(min(max_iter, half_quadratic.MAX_ROUNDS), 1)
        return half_quadratic.solve(_task(given), tol=tol, starts=self.start, max_rounds=most)

    def why(self, run, t, given) -> list[str]:
        """Sentences on round t: the weights, the inner solver, the objective, the states and the violation."""
        row = int(np.searchsorted(run.iteration, t))
        if row == 0:
            begun = "the machine between the means of the classes" if run.frame_beta[0].any() else "no machine yet"
            lines = [f"The start: {begun}.", sentences.objective(np.nan, run.objective[0])]
        else:
            lines = [*_weights(run.events["weight"][row]), *self._solution_sentences(run, row, given)]
        return [*lines, sentences.end_sentence(run)] if t == run.n_iter else lines

    def _solution_sentences(self, run, row, given):
        """Sentences on the machine of this row."""
        now, before = (trace.moments(run, run.iteration[k], given) for k in (row, row - 1))
        return [
            f"With these weights the inner solver took {sentences.with_count(int(run.events['steps'][row]), 'step')}: "
            f"{run.events['inner'][row]}.",
            sentences.objective(before.objective[0] - now.objective[0], now.objective[0]),
            sentences.state_changes(before.state[0], now.state[0]),
            f"The violation is {sentences.number(run.violation[row])}, the tolerance {sentences.number(run.tol)}.",
        ]

    def substeps(self, run, t, given) -> list[trace.Substep]:
        """The sub-steps of round t: the first two on the machine of the round before, the third on its own."""
        row = int(np.searchsorted(run.iteration, t))
        if row == 0 or run.iteration[row - 1] != t - 1:
            return []
        ended = [sentences.end_sentence(run)] if t == run.n_iter else []
        all_of_it = self.marks(run, t, given)
        unmoved = all_of_it._replace(points=(), words=())
        highest = f"The largest loss of the base is {sentences.number(self._heights(run, row, given).max())}."
        return [
            trace.Substep(SUBSTEPS[0], [highest], unmoved, t - 1, t - 1),
            trace.Substep(SUBSTEPS[1], _weights(run.events["weight"][row]), all_of_it, t - 1, t),
            trace.Substep(SUBSTEPS[2], [*self._solution_sentences(run, row, given), *ended], unmoved, t, t),
        ]

    def _heights(self, run, row, given):
        """The loss of the base at each point, for the machine of the row before."""
        task = _task(given)
        f = given.K @ run.iterates[row - 1] + run.intercepts[row - 1]
        if row == 1 and self.start == "convex":
            return np.zeros(len(given.y))
        return task.loss.base.value_of(1.0 - given.y * f, **task.loss.base_params(task.params))

    def marks(self, run, t, given) -> trace.Marks:
        """Points whose weights changed ringed, those of hardly any weight crossed; constant loss off the band."""
        row = int(np.searchsorted(run.iteration, t))
        weight, task = run.events["weight"][row], _task(given)
        before = run.events["weight"][row - 1] if row else weight
        points = np.flatnonzero(np.abs(weight - before) > CHANGED * max(weight.max(), before.max()))
        cut = _cut(task.loss, task.params)
        beyond = cut if task.loss(-1.0, **task.params) > 0.0 else 0.0
        return trace.Marks(
            tuple(map(int, points)),
            ("",) * len(points),
            crossed=tuple(map(int, np.flatnonzero(_little(weight)))),
            band=(1.0 - cut, 1.0 + beyond),
        )


DESCRIPTIONS = (
    HalfQuadratic("convex", "Re-weighting from the convex machine"),
    HalfQuadratic("means", "Re-weighting from the class means"),
)
