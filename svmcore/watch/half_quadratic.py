"""Watching re-weighting (`solvers.nonconvex.half_quadratic`): the weights of the points, and their effect on P."""

import numpy as np

from svmcore import losses
from svmcore.losses.smooth import root
from svmcore.solvers.nonconvex import half_quadratic
from svmcore.watch import dual_rounds, sentences, trace
from svmcore.words import percent

LITTLE = 0.01  # of the largest weight: a point with less is crossed
CHANGED = 0.1  # of the largest weight: a point whose weight changes by more is ringed
FARTHEST = 1e8  # slack up to which the cut is looked for


def _little(weight):
    return weight <= LITTLE * weight.max()


def _cut(loss, params):
    """The slack beyond which a truncated loss is constant; infinite for one that keeps rising."""
    if loss.weight_of(FARTHEST, **params) > 0.0 or "mu" not in params:
        return np.inf
    own = loss.base_params(params)
    return float(root(lambda t: loss.base.value_of(t, **own) - params["mu"], 0.0, FARTHEST))


class HalfQuadratic(dual_rounds.DualRounds):
    """Re-weighting from the start "convex" or "means"."""

    solver, method, within = half_quadratic, half_quadratic.Weighting, "With these weights"
    code = (half_quadratic.weights, half_quadratic.Weighting.rounds)
    words = trace.Words(
        title="",
        unit="round",
        substeps=("compute the loss of each point", "weight the points", "solve the dual with these weights"),
        columns={
            "weight": "the weight of each point: the slope of the loss as a function of the loss of the base",
            "few": "the number of points with hardly any weight",
            **dual_rounds.COLUMNS,
        },
        source="Xu, Cao, Hu, Principe (2017), Robust support vector machines based on the rescaled hinge loss function",
        meant={"band": "loss not constant", "ringed": "weight changes", "crossed": "hardly any weight"},
        charts=(trace.Chart("Points with hardly any weight", "points", False, ("few",)),),
    )

    def serves(self, given) -> bool:
        """True for a concave function of a convex loss that has a box dual; see `trace.Description`."""
        loss = losses.get(given.loss)
        return loss.base is not None and loss.solved_by != "CCCP"

    def _columns(self, tangent):
        return {"weight": tangent, "few": int(np.sum(_little(tangent)))}

    def _status(self, now, method, tol, max_rounds):
        return half_quadratic.solve(method.task, tol=tol, starts=self.start, max_rounds=max_rounds).status

    def _changes(self, run, row):
        weight = run.events["weight"][row]
        little, largest = np.flatnonzero(_little(weight)), sentences.number(weight.max())
        if not len(little):
            return [f"The weights lie between {sentences.number(weight.min())} and {largest}."]
        listed, verb = sentences.capital(sentences.list_points(little)), "has" if len(little) == 1 else "have"
        return [f"{listed} {verb} less than {percent(LITTLE, '.0f')} of the largest weight, {largest}."]

    def _first_substep(self, run, row, given):
        task, largest = given.task.validate(), 0.0  # where there is no machine yet
        if row > 1 or self.start != "convex":
            f = given.K @ run.iterates[row - 1] + run.intercepts[row - 1]
            largest = task.loss.base.value_of(task.slack(f), **task.loss.base_params(task.params)).max()
        return [f"The largest loss of the base is {sentences.number(largest)}."]

    def marks(self, run, t, given) -> trace.Marks:
        """Points whose weights changed ringed, those of hardly any weight crossed; constant loss off the band."""
        row = run.row(t)
        weight, task = run.events["weight"][row], given.task.validate()
        before = run.events["weight"][row - 1] if row else weight
        points = np.flatnonzero(np.abs(weight - before) > CHANGED * max(weight.max(), before.max()))
        cut = _cut(task.loss, task.params)
        beyond = cut if task.loss(-1.0, **task.params) > 0.0 else 0.0
        band = (1.0 - cut, 1.0 + beyond) if np.isfinite(cut) or not beyond else None  # else it is the whole plane
        return trace.Marks.without_words(points, np.flatnonzero(_little(weight)), band)


DESCRIPTIONS = (
    HalfQuadratic("convex", "Re-weighting from the convex machine"),
    HalfQuadratic("means", "Re-weighting from the class means"),
)
