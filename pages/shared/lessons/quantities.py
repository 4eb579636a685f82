"""What a prompt can ask for: one registry of quantities, each computed from the points and machines of the prompt.

A quantity is a function of a `Case` and of arguments with defaults. Frequent arguments: `loss`, the machine ("" for
the first one of the prompt); `of`, whether it is measured "before" or "after" the change. To add one: a function with
`@quantity`; its defaults say which arguments a lesson may set.
"""

import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pages.shared.lessons import state
from pages.shared.lessons.state import Setup
from pages.shared.studies import classification, feature_walk, runs, sparsity
from pages.shared.studies.source import Source
from pages.shared.studies.study import Study
from pages.shared.tables import percent
from svmcore import SVC, duals, losses
from svmcore.studies import influence, robustness
from svmcore.studies.robustness import clean_error
from svmcore.tuning import criteria
from svmcore.watch import trace

BEFORE, AFTER = "before", "after"
KINDS = {  # what a value is, as JSON has it
    "number": "a number",
    "key": "the key of a machine",
    "points": "a sorted list of points",
    "line": "[x0, y0, x1, y1]",
    "place": "[x, y, effect]",
    "order": "[[key, number], ...], the largest number first",
}


class Case:
    """The set-ups of a prompt `before` and `after` the change, and what is computed from them; `at` is an iteration."""

    def __init__(self, before: Setup, after: Setup, at: int | None = None, source: Source = state.SOURCE):
        self.before, self.after, self.at, self.source = before, after, at, source

    def setup(self, of: str) -> Setup:
        """The set-up "before" or "after" the change."""
        return {BEFORE: self.before, AFTER: self.after}[of]

    def study(self, of: str = AFTER, loss: str = "") -> Study:
        """The machine with this loss, fitted; ValueError where points are missing."""
        at = self.setup(of)
        return self.source.fit(at.data, at.machine(loss), at.setting)

    def problem(self, of: str = AFTER):
        """The points before or after the change."""
        return self.source.problem(self.setup(of).data)

    def row(self, name, of: str = AFTER) -> int | None:
        """The row of a named point in the points `of`; the name is that of the points before the change."""
        found = np.flatnonzero(self.problem(of).ids == state.row_of(name, self.before, self.source))
        return int(found[0]) if len(found) else None

    def recorded(self, solver: str = "", loss: str = "", of: str = AFTER) -> tuple:
        """(what a solver is given, its Trace); "" for the solver of the set-up. The rounds of ISLS are its own."""
        at = self.setup(of)
        return _recorded(self.source, at.data, at.machine(loss), at.setting, solver or at.solver)

    def steps(self, of: str = AFTER) -> feature_walk.Steps:
        """The feature walk."""
        return _walked(self.setup(of).walk)

    def redrawn(self, k: int) -> "Case":
        """The same with the seed of k draws later."""
        return Case(_later(self.before, k), _later(self.after, k), self.at, self.source)


def _later(at, k):
    walk = at.walk and at.walk._replace(seed=at.walk.seed + k)
    data, origin = (points._replace(seed=points.seed + k) for points in (at.data, at.origin))
    return at._replace(data=data, origin=origin, walk=walk)


@lru_cache(16)
def _recorded(source, data, machine, setting, solver):
    problem = source.problem(data)
    if machine.loss == sparsity.KEY:
        given, options = sparsity.given(problem, setting), sparsity.reweighting(machine)
        return given, runs.record(given, "isls", tuple(options._asdict().items()))
    given = runs.given(problem, machine, setting)
    return given, runs.record(given, solver)


@lru_cache(16)
def _walked(walk):
    return feature_walk.follow(walk)


class Quantity(NamedTuple):
    """An entry of the registry: `words` name it in a sentence, `kind` is a key of KINDS, `written` makes it a text."""

    key: str
    words: str
    kind: str
    unit: str
    written: Callable[[Any], str]
    compute: Callable[..., Any]


REGISTRY: dict[str, Quantity] = {}


def quantity(words, kind="number", unit="", written=None) -> Callable:
    """A decorator that registers `compute(case, **arguments)` under its name; the fields are those of `Quantity`."""

    def register(compute):
        text = written or {"number": "{:.3g}".format, "points": listed, "key": named, "place": placed}.get(kind, str)
        REGISTRY[compute.__name__] = Quantity(compute.__name__, words, kind, unit, text, compute)
        return compute

    return register


def check(name: str, arguments: dict) -> None:
    """Raises ValueError, in a sentence, for a quantity or an argument that there is not."""
    if name not in REGISTRY:
        raise ValueError(f"names the quantity {name!r}; known are {', '.join(sorted(REGISTRY))}")
    known = [*inspect.signature(REGISTRY[name].compute).parameters][1:]
    for argument, value in arguments.items():
        if argument not in known:
            has = f"has the arguments {', '.join(known)}" if known else "has no arguments"
            raise ValueError(f"gives {name!r} the argument {argument!r}, but it {has}")
        if argument == "of" and value not in (BEFORE, AFTER):
            raise ValueError(f"has of = {value!r}, but `of` must be before or after")
        if argument == "loss" and value not in state.WORDS["loss"]:
            raise ValueError(f"has loss = {value!r}, but loss must be one of {', '.join(state.WORDS['loss'])}")
        if argument == "point":
            state.point(value)
        if argument == "quantity":
            check(value, {})


def degrees(value: float) -> str:
    """An angle as text."""
    return "–" if np.isnan(value) else f"{value:.1f}°"


def count(value: float) -> str:
    """A number of points or steps as text."""
    return f"{value:,.0f}"


def points_of_percent(value: float) -> str:
    """A difference of two errors, in percentage points."""
    return f"{100 * value:+.1f} percentage points"


def listed(rows) -> str:
    """Points as text: "no point", "3 points"."""
    return "no point" if not len(rows) else "1 point" if len(rows) == 1 else f"{len(rows)} points"


def placed(value) -> str:
    """A place with its effect."""
    return f"({value[0]:.2g}, {value[1]:.2g}), where {percent(value[2])} of the plane changes class"


def named(key: str) -> str:
    """The name of the machine with this loss."""
    return sparsity.NAME if key == sparsity.KEY else losses.get(key).machine


# ------------------------------------------------------------------------------------------ boundaries


@quantity("the angle by which the boundary turns", unit="°", written=degrees)
def angle(case, loss="") -> float:
    """Degrees between the normal vectors before and after the change (linear kernel)."""
    return robustness.angle(case.study(BEFORE, loss).w, case.study(AFTER, loss).w)


@quantity("the angle between two boundaries", unit="°", written=degrees)
def angle_between(case, loss="", other="", of=AFTER) -> float:
    """Degrees between the normal vectors of the machines `loss` and `other` on the same points."""
    return robustness.angle(case.study(of, loss).w, case.study(of, other).w)


@quantity("the share of the plane that changes class", written=percent)
def changed_share(case, loss="") -> float:
    """The share (0 to 1) of the visible plane whose class differs before and after the change."""
    before, now = case.study(BEFORE, loss), case.study(AFTER, loss)
    if not (np.array_equal(before.field.xs, now.field.xs) and np.array_equal(before.field.ys, now.field.ys)):
        at = case.before
        before = classification.fit(case.problem(BEFORE), at.machine(loss), at.setting, now.field.xs, now.field.ys)
    return robustness.changed_share(before.field.f, now.field.f)


@quantity("the boundary", kind="line")
def boundary(case, loss="", of=AFTER) -> list[float]:
    """The ends of the line f = 0 within the picture (linear kernel); ValueError if it does not cross the picture."""
    study = case.study(of, loss)
    return ends(study.w, study.intercept, study.field.xs, study.field.ys)


def ends(w, intercept, xs, ys) -> list[float]:
    """[x0, y0, x1, y1] of the line w·x + intercept = 0 within the rectangle of xs and ys, ascending."""
    low, high = np.array([xs[0], ys[0]], float), np.array([xs[-1], ys[-1]], float)
    found = []
    for axis in (0, 1):
        if w[1 - axis] != 0.0:
            for at in (low[axis], high[axis]):
                across = -(intercept + w[axis] * at) / w[1 - axis]
                if low[1 - axis] <= across <= high[1 - axis]:
                    found.append((at, across) if axis == 0 else (across, at))
    if not found:
        raise ValueError("the boundary lies outside the picture")
    first, last = min(found), max(found)
    return [float(value) for value in (*first, *last)]


# ------------------------------------------------------------------------------------------ errors


@quantity("the training error", written=percent)
def train_error(case, loss="", of=AFTER) -> float:
    """The share (0 to 1) of misclassified training points."""
    return case.study(of, loss).numbers.train_error


@quantity("the test error", written=percent)
def test_error(case, loss="", of=AFTER) -> float:
    """The share (0 to 1) of misclassified test points."""
    return case.study(of, loss).numbers.test_error


@quantity("the change of the test error", written=points_of_percent)
def test_error_change(case, loss="") -> float:
    """The test error after the change minus that before it (-1 to 1)."""
    return test_error(case, loss) - test_error(case, loss, BEFORE)


@quantity("the change of the training error", written=points_of_percent)
def train_error_change(case, loss="") -> float:
    """The training error after the change minus that before it (-1 to 1)."""
    return train_error(case, loss) - train_error(case, loss, BEFORE)


# ------------------------------------------------------------------------------------------ support values


@quantity("the number of support vectors", unit="points", written=count)
def n_support(case, loss="", of=AFTER) -> int:
    """How many points have a support value that is not zero."""
    return case.study(of, loss).numbers.n_support


@quantity("the change of the number of support vectors", unit="points", written="{:+,.0f}".format)
def n_support_change(case, loss="") -> int:
    """The number of support vectors after the change minus that before it."""
    return n_support(case, loss) - n_support(case, loss, BEFORE)


@quantity("the share of the points that are support vectors", written=percent)
def support_share(case, loss="", of=AFTER) -> float:
    """Support vectors as a share (0 to 1) of the training points."""
    study = case.study(of, loss)
    return study.numbers.n_support / len(study.points.y)


@quantity("the number of support values at a bound", unit="points", written=count)
def n_at_bound(case, loss="", of=AFTER) -> int:
    """How many support values lie at an end of their box."""
    return case.study(of, loss).numbers.n_at_bound


@quantity("the support value of the point")
def alpha(case, point="farthest", loss="", of=AFTER) -> float:
    """The support value of a named point, 0 if it was deleted."""
    row = case.row(point, of)
    return 0.0 if row is None else float(case.study(of, loss).points.alpha[row])


@quantity("the support value of the outlier")
def outlier_alpha(case, loss="", of=AFTER) -> float:
    """The support value of the first outlier; ValueError without outliers."""
    study = case.study(of, loss)
    if not study.points.outlier.any():
        raise ValueError("there is no outlier")
    return float(study.points.alpha[study.points.outlier.argmax()])


@quantity("the number of starts that ended at another minimum", unit="starts", written=count)
def n_disagreed(case, loss="", of=AFTER) -> int:
    """How many starts of a solver with several starts did not reach the lowest minimum."""
    numbers = case.study(of, loss).numbers
    return numbers.n_starts - numbers.n_agreed


@quantity("the number of starts", unit="starts", written=count)
def n_starts(case, loss="", of=AFTER) -> int:
    """From how many starts the solver ran."""
    return case.study(of, loss).numbers.n_starts


@quantity("the largest support value")
def largest_alpha(case, loss="", of=AFTER) -> float:
    """The largest size of a support value."""
    return float(np.abs(case.study(of, loss).points.alpha).max())


@quantity("y f of the point")
def margin_of(case, point="farthest", loss="", of=AFTER) -> float:
    """y f(x) of a named point; ValueError if it was deleted."""
    row = case.row(point, of)
    if row is None:
        raise ValueError(f"the point {point} was deleted")
    return float(case.study(of, loss).points.margin[row])


@quantity("the support vectors", kind="points")
def support_vectors(case, loss="", of=AFTER) -> list[int]:
    """The ids of the points whose support value is not zero."""
    points = case.study(of, loss).points
    return sorted(points.named(np.flatnonzero(points.alpha)).tolist())


@quantity("the points that are not support vectors", kind="points")
def not_support(case, loss="", of=AFTER) -> list[int]:
    """The ids of the points whose support value is zero."""
    points = case.study(of, loss).points
    return sorted(points.named(np.flatnonzero(points.alpha == 0.0)).tolist())


@quantity("the points with the largest support values", kind="points")
def largest(case, k=3, loss="", of=AFTER) -> list[int]:
    """The ids of the k points with the largest sizes of support values."""
    points = case.study(of, loss).points
    return sorted(points.named(np.argsort(-np.abs(points.alpha), kind="stable")[:k]).tolist())


@quantity("the number of outliers among the largest support values", unit="points", written=count)
def outliers_among_largest(case, k=2, loss="", of=AFTER) -> int:
    """How many of the k points with the largest sizes of support values are outliers."""
    points = case.study(of, loss).points
    return int(points.outlier[np.argsort(-np.abs(points.alpha), kind="stable")[:k]].sum())


@quantity("the misclassified training points", kind="points")
def misclassified(case, loss="", of=AFTER) -> list[int]:
    """The ids of the training points on the wrong side of the boundary."""
    points = case.study(of, loss).points
    return sorted(points.named(np.flatnonzero(points.margin < 0.0)).tolist())


@quantity("the width of the margin")
def margin_width(case, loss="", of=AFTER) -> float:
    """2 / |w|, the distance between the lines f = -1 and f = 1."""
    return 2.0 / case.study(of, loss).numbers.norm


@quantity("the objective")
def objective(case, loss="", of=AFTER) -> float:
    """The quantity that the machine minimises."""
    return case.study(of, loss).numbers.primal


# ------------------------------------------------------------------------------------------ several machines


@quantity("the order of the machines", kind="order")
def order(case, quantity="angle", draws=1) -> list:
    """[[loss, value], ...] of the machines after the change, by another quantity, the largest first.

    The value is the mean over so many draws, this one and those that follow.
    """
    found = [[machine.loss, mean(case, quantity, machine.loss, draws)] for machine in case.after.machines]
    return sorted(found, key=lambda row: -row[1])


@quantity("the machine with the largest value", kind="key")
def most(case, quantity="angle", draws=1) -> str:
    """The loss of the machine with the largest value of another quantity, as in `order`."""
    return order(case, quantity, draws)[0][0]


@quantity("the machine with the smallest value", kind="key")
def least(case, quantity="angle", draws=1) -> str:
    """The loss of the machine with the smallest value of another quantity, as in `order`."""
    return order(case, quantity, draws)[-1][0]


@quantity("the mean over several draws")
def mean(case, quantity="test_error", loss="", draws=10) -> float:
    """The mean of another quantity over so many draws, this one and those that follow."""
    return float(np.mean([value_of(case.redrawn(k), quantity, loss) for k in range(draws)]))


@quantity("the spread over several draws")
def spread(case, quantity="test_error", loss="", draws=10) -> float:
    """The difference between the largest and the smallest value of another quantity over so many draws."""
    return float(np.ptp([value_of(case.redrawn(k), quantity, loss) for k in range(draws)]))


@quantity("the ratio of the two")
def ratio(case, quantity="angle", loss="", other="") -> float:
    """A quantity of the machine `loss` divided by that of the machine `other`; infinite for a zero below."""
    above, below = value_of(case, quantity, loss), value_of(case, quantity, other)
    return above / below if below else float("inf")


def value_of(case, quantity, loss) -> float:
    """Another quantity of the machine with this loss."""
    return REGISTRY[quantity].compute(case, loss=loss)


@quantity("the factor by which it grows", written="{:.2g}".format)
def growth(case, quantity="n_support", loss="") -> float:
    """A quantity after the change divided by the same before it; infinite for a zero below."""
    compute = REGISTRY[quantity].compute
    now, before = compute(case, loss=loss), compute(case, loss=loss, of=BEFORE)
    return now / before if before else float("inf")


# ------------------------------------------------------------------------------------------ outliers on the plane


CELLS = 16  # along each axis, where the most harmful place is sought
VIEW = 40  # lines of the grid on which two boundaries are compared


@quantity("the place where the point does the most harm", kind="place")
def worst_place(case, point="farthest", loss="") -> list[float]:
    """[x, y, share]: the middle of the cell to move the point to, and the share (0 to 1) of the plane that changes."""
    problem, at, row = case.problem(), case.after, case.row(point)
    xs, ys = case.source.view(at.data)
    found = influence.influence_map(
        {"machine": _model(at, loss)}, problem.X, problem.y, row, xs, ys, view=_view(xs, ys), cells=CELLS
    )
    best = max(found, key=lambda cell: (np.nan_to_num(cell.changed), -cell.row, -cell.column))
    across, up = influence.centres(xs, CELLS), influence.centres(ys, CELLS)
    return [float(across[best.column]), float(up[best.row]), float(best.changed)]


@quantity("the largest share of the plane that moving the point changes", written=percent)
def worst_share(case, point="farthest", loss="") -> float:
    """The share (0 to 1) of `worst_place`."""
    return worst_place(case, point, loss)[2]


def harm(case, place, point="farthest", loss="") -> float:
    """The share (0 to 1) of the plane that changes class if the point is moved to `place` (x, y)."""
    problem, at, row = case.problem(), case.after, case.row(point)
    places = np.stack(np.meshgrid(*_view(*case.source.view(at.data))), axis=-1).reshape(-1, 2)
    moved = problem.X.copy()
    moved[row] = place[:2]
    before, now = (_model(at, loss).fit(X, problem.y).decision_function(places) for X in (problem.X, moved))
    return robustness.changed_share(before, now)


def _view(xs, ys):
    return np.linspace(xs[0], xs[-1], VIEW), np.linspace(ys[0], ys[-1], VIEW)


def _model(at, loss) -> SVC:
    return classification.estimator(at.machine(loss), at.setting)


# ------------------------------------------------------------------------------------------ the width of a kernel


SIGMAS = (0.03, 0.1, 0.2, 0.4, 0.7, 1.2, 2.5, 7.0, 20.0)
BY = {"test": "the error on the test points", "cv": "cross-validation", "vc_bound": "the VC bound"}


@quantity("the best width σ")
def best_sigma(case, by="cv", loss="") -> float:
    """The σ of SIGMAS with the smallest value of a key of BY; of equal ones the widest."""
    values = {sigma: _judged(case, by, loss, sigma) for sigma in SIGMAS}
    return max(sigma for sigma, value in values.items() if value == min(values.values()))


@quantity("the test error at the σ that a criterion chooses", written=percent)
def chosen_error(case, by="cv", loss="") -> float:
    """The test error (0 to 1) at `best_sigma`."""
    return _judged(case, "test", loss, best_sigma(case, by, loss))


@quantity("the test error that the choice costs", written=points_of_percent)
def price_of_choice(case, by="cv", loss="") -> float:
    """The test error at the σ that a criterion chooses minus the smallest test error of SIGMAS."""
    return chosen_error(case, by, loss) - chosen_error(case, "test", loss)


@quantity("the error of cross-validation", written=percent)
def cv_error(case, loss="", of=AFTER) -> float:
    """The error (0 to 1) of ten-fold cross-validation on the training points."""
    return _judged(case, "cv", loss, case.setup(of).setting.sigma, of)


@quantity("the VC bound r²‖w‖²")
def vc_bound(case, loss="", of=AFTER) -> float:
    """The bound of the LS-SVM paper, infinite where it does not apply."""
    return _judged(case, "vc_bound", loss, case.setup(of).setting.sigma, of)


def _judged(case, by, loss, sigma, of=AFTER):
    at = case.setup(of)
    return _criterion(case.source, at.data, at.machine(loss), at.setting._replace(sigma=sigma), by)


@lru_cache(256)
def _criterion(source, data, machine, setting, by):
    problem, model = source.problem(data), classification.estimator(machine, setting)
    if by == "test":  # without the picture that a Study has
        return clean_error(model.fit(problem.X, problem.y), problem)
    points = criteria.Points(model, problem.X, problem.y)
    criterion = {"cv": criteria.CrossValidation, "vc_bound": criteria.VCBound}[by](points)
    return criterion(setting.C, setting.sigma).value


# ------------------------------------------------------------------------------------------ runs of solvers


@quantity("the number of steps", unit="steps", written=count)
def n_iter(case, solver="", loss="", of=AFTER) -> int:
    """The iterations of a run."""
    return case.recorded(solver, loss, of)[1].n_iter


@quantity("the ratio of the numbers of steps", written="{:.2g}".format)
def steps_ratio(case, solver="", other="smo_second", loss="") -> float:
    """The steps of one solver divided by those of another, on the same machine."""
    return n_iter(case, solver, loss) / n_iter(case, other, loss)


@quantity("the pair of the next step", kind="points")
def pair(case, solver="", loss="") -> list[int]:
    """The rows of the two points whose support values change in the step after iteration `at`."""
    run = case.recorded(solver, loss)[1]
    return sorted(int(run.events[name][case.at + 1]) for name in ("i", "j"))


@quantity("the place of the partner among the points of the other class, by distance", written=count)
def partner_rank(case, solver="", loss="") -> int:
    """1 if the pair of the next step is the point that rises and the closest one of the other class, 2 for the next."""
    i, j = (int(case.recorded(solver, loss)[1].events[name][case.at + 1]) for name in ("i", "j"))
    problem = case.problem()
    distance = np.linalg.norm(problem.X - problem.X[i], axis=1)
    return int(np.sum(distance[problem.y != problem.y[i]] < distance[j])) + 1


@quantity("the point that rises in the next step", unit="", written=count)
def riser(case, solver="", loss="") -> int:
    """The row of the point whose coefficient rises in the step after iteration `at`."""
    return int(case.recorded(solver, loss)[1].events["i"][case.at + 1])


@quantity("the share of the steps in which the violation rises", written=percent)
def violation_rises(case, solver="", loss="") -> float:
    """In which share (0 to 1) of the recorded steps the violation of the optimality conditions rises."""
    return float(np.mean(np.diff(case.recorded(solver, loss)[1].violation) > 0.0))


@quantity("the change of the objective in the next step", written="{:+.3g}".format)
def step_change(case, solver="", loss="") -> float:
    """How much the objective of the solver rises in the step after iteration `at`; a fall is negative."""
    objective = case.recorded(solver, loss)[1].objective
    return float(objective[case.at + 1] - objective[case.at])


@quantity("the number of steps in which the objective rises", unit="steps", written=count)
def n_rises(case, solver="", loss="") -> int:
    """In how many recorded steps the objective of the solver rises, beyond rounding."""
    objective = case.recorded(solver, loss)[1].objective
    return int(np.sum(np.diff(objective) > 1e-9 * np.abs(objective).max()))


@quantity("the number of support values that change in the next step", unit="points", written=count)
def n_moved(case, solver="", loss="") -> int:
    """How many support values differ between iteration `at` and the next one."""
    given, run = case.recorded(solver, loss)
    now, then = trace.at(run, np.array([case.at, case.at + 1]), given)
    return int(np.sum(now != then))


@quantity("the points dropped in the next round", kind="points")
def dropped(case, solver="", loss="") -> list[int]:
    """The ids of the points whose support value becomes zero in the iteration after `at`."""
    given, run = case.recorded(solver, loss)
    now, then = trace.moments(run, np.array([case.at, case.at + 1]), given).state != duals.ZERO
    return sorted(case.problem().ids[np.flatnonzero(now & ~then)].tolist())


@quantity("the number of support vectors after a round", unit="points", written=count)
def n_left(case, round=1, solver="", loss="") -> int:
    """How many support values are not zero after this iteration."""
    given, run = case.recorded(solver, loss)
    return int(np.sum(trace.moments(run, min(round, run.n_iter), given).state != duals.ZERO))


# ------------------------------------------------------------------------------------------ the feature walk


@quantity("the error on new points", written=percent)
def walk_error(case, round=1, of=AFTER) -> float:
    """The exact error (0 to 1) of a round of the feature walk; of the 1-norm SVM for round 0."""
    steps = case.steps(of)
    return float(1.0 - (steps.accuracy[round - 1] if round else steps.exact_accuracy))


@quantity("the number of features that are used", unit="features", written=count)
def walk_features(case, round=1, of=AFTER) -> int:
    """The features whose weight is at least a hundredth of the largest; of the 1-norm SVM for round 0."""
    steps = case.steps(of)
    return int(steps.n_features[round - 1]) if round else int(np.sum(np.abs(steps.exact.w) > 1e-9))


@quantity("the round with the smallest error", unit="rounds", written=count)
def best_round(case, of=AFTER) -> int:
    """The round of the feature walk with the smallest error on new points."""
    return int(case.steps(of).accuracy.argmax()) + 1


@quantity("the ratio of the two weights")
def plane_ratio(case, round=1, of=AFTER) -> float:
    """In the walk in two features: |weight| of the irrelevant one divided by that of the relevant one."""
    flat = feature_walk.in_the_plane(case.steps(of), case.setup(of).walk)
    relevant, irrelevant = np.abs(flat.w[round - 1] if round else flat.exact.w)
    return float(irrelevant / relevant) if relevant else float("inf")


@quantity("the relevant features among the largest weights", unit="features", written=count)
def relevant_found(case, round=1, of=AFTER) -> int:
    """How many of the d largest weights belong to the d relevant features."""
    steps, d = case.steps(of), case.setup(of).walk.d_rel
    size = np.abs(steps.w[round - 1] if round else steps.exact.w)
    return int(np.sum(np.argsort(-size, kind="stable")[:d] < d))
