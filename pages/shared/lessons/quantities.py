"""What a prompt can ask for: one registry of quantities, each computed from the points and machines of the prompt.

A quantity is a function of a `Case` and of arguments with defaults. Frequent arguments: `loss`, the machine ("" for
the first one of the prompt); `of`, whether it is measured "before" or "after" the change. To add one: a function with
`@quantity`; its defaults say which arguments a lesson may set.
"""

import inspect
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from pages.shared.lessons import state
from pages.shared.lessons.state import Setup
from pages.shared.studies import classification, feature_walk, runs, sparsity
from pages.shared.studies.source import Source
from pages.shared.studies.study import Study
from pages.shared.tables import percent
from svmcore import SVC, losses
from svmcore.studies import influence, robustness

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

    @cached_property
    def run(self) -> tuple:
        """(what the solver is given, its Trace) after the change."""
        return self.recorded(self.after.solver)

    def recorded(self, solver: str, loss: str = "") -> tuple:
        """(what the solver with this key is given, its Trace) after the change."""
        at = self.after
        if sparsity.KEY in (loss, at.machine(loss).loss):
            given = sparsity.given(self.problem(), at.setting)
            options = tuple(sparsity.reweighting(at.machine(loss)).options.items())
            limits = {name: value for name, value in options if name in ("init", "stop")}
            return given, runs.record(given, "isls", tuple(limits.items()))
        given = runs.given(self.problem(), at.machine(loss), at.setting)
        return given, runs.record(given, solver)

    @cached_property
    def steps(self) -> feature_walk.Steps:
        """The feature walk after the change."""
        return feature_walk.follow(self.after.walk)


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
        text = written or {"number": "{:.3g}".format, "points": listed, "key": named}.get(kind, str)
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
def order(case, quantity="angle") -> list:
    """[[loss, value], ...] of the machines after the change, by another quantity, the largest first."""
    found = [[machine.loss, value_of(case, quantity, machine.loss)] for machine in case.after.machines]
    return sorted(found, key=lambda row: -row[1])


@quantity("the machine with the largest value", kind="key")
def most(case, quantity="angle") -> str:
    """The loss of the machine with the largest value of another quantity."""
    return order(case, quantity)[0][0]


@quantity("the machine with the smallest value", kind="key")
def least(case, quantity="angle") -> str:
    """The loss of the machine with the smallest value of another quantity."""
    return order(case, quantity)[-1][0]


@quantity("the ratio of the two")
def ratio(case, quantity="angle", loss="", other="") -> float:
    """A quantity of the machine `loss` divided by that of the machine `other`; infinite for a zero below."""
    above, below = value_of(case, quantity, loss), value_of(case, quantity, other)
    return above / below if below else float("inf")


def value_of(case, quantity, loss) -> float:
    """Another quantity of the machine with this loss."""
    return REGISTRY[quantity].compute(case, loss=loss)


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
