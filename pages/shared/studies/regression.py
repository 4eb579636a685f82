"""One machine on one regression problem with one input, as a page shows it (see `classification`).

The machine is fitted to y in a round unit, a power of ten near the spread of y, so that C, epsilon and the tolerance
have similar effects in every problem. beta, C, epsilon and the objectives are in that unit; pictures and errors are in
units of y.
"""

import math
from functools import partial

import numpy as np

from pages.shared.screen import edits
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import study, support
from pages.shared.studies.arrays import FREE, LOWER, UPPER, ZERO, FunctionCurve, Samples, select
from pages.shared.studies.support import Reading
from svmcore import SVR, SparseLSSVR, duals, grid
from svmcore.losses import regression as regression_losses
from svmcore.words import number

FINENESS = 6  # points of a curve per line of the grid of a plane
TRUE_CURVES = {"sinc"}  # problems whose test set is the curve from which the points were drawn


def missing_sentence(problem) -> str | None:
    """A sentence on the points that are missing before a machine can be fitted; None if there are enough."""
    return None if len(problem.y) > 1 else "Add at least two points: there is nothing to fit yet."


def bare(problem) -> Samples:
    """The training points without a machine."""
    return Samples(problem.X[:, 0], problem.y, outlier=problem.outlier, ids=problem.ids)


def view(base, data: Data, size) -> tuple[np.ndarray, np.ndarray]:
    """Places xs (size,) of the curve, and (low, high) of the picture, with points that were moved outside."""
    own, moved = edits.places(base), edits.moved_places(data.edits)
    low, high = np.transpose(grid.axes(own, 2, 0.58 * data.room - 0.5, square=False))
    outside = np.where((moved < low) | (moved > high), moved, own[0])  # in one axis or in both
    widest = np.transpose(grid.axes(np.vstack([own, outside]), 2, square=False))
    (left, bottom), (right, top) = np.minimum(low, widest[0]), np.maximum(high, widest[1])
    return np.linspace(left, right, size), np.array([bottom, top])


def estimator(machine: Machine, setting: Setting) -> SVR:
    """The svmcore estimator of a machine, for y in its unit, as in the snippet."""
    return SVR(**machine.for_curves, **setting.parameters, tol=study.TOLERANCE, max_iter=study.MAX_ITER)


def fit(problem, machine: Machine, setting: Setting, xs, ys, unit=1.0) -> study.FittedMachine:
    """Fit, measure, and evaluate at the places xs (m,); the picture reaches from ys[0] to ys[-1]."""
    solution, seconds = study.fit_model(estimator(machine, setting), problem.X, problem.y / unit)
    read = partial(_read, machine, setting, problem.y / unit)
    return study.make_study(TASK, problem, setting, solution, seconds, read, xs, ys, unit)


def _read(machine, setting, y, solution, f, squared_norm):
    loss, params, beta = machine.loss, dict(machine.params), solution.beta
    entry = regression_losses.get(loss)
    if entry.solved_by in support.BY_SLOPE:
        bounds, state = support.bounds(entry, params, setting.C), np.where(beta == 0, ZERO, FREE)
        return Reading(bounds, state, _words(loss, beta), float(solution.objective), tube=params.get("epsilon"))
    bound = np.inf if loss == "least_squares" else setting.C
    state = select([beta == 0, beta >= bound, beta <= -bound], [ZERO, UPPER, LOWER], FREE)
    primal = duals.regression_objective(loss, f, y, setting.C, squared_norm, **params)
    dual, tube = float(solution.objective), params.get("epsilon")
    return Reading((-bound, bound), state, _words(loss, state), primal, dual, tube=tube)


def samples(problem, beta, f, reading) -> Samples:
    """The training points with the values f (N,) in units of y, beta (N,), and the states of a `support.Reading`."""
    return bare(problem)._replace(beta=beta, state=reading.state, residual=problem.y - f, kkt=reading.words)


def extent(xs, ys, problem) -> FunctionCurve:
    """The picture without a machine, with the curve from which the points of `problem` were drawn, if it is known."""
    truth = (problem.X_test[:, 0], problem.y_test) if problem.name in TRUE_CURVES else None
    return FunctionCurve(xs, ys, truth=truth)


def film_size(n, screens=1) -> int:
    """The size of the still picture: a frame is a single line, for any number of points and screens."""
    return study.RESOLUTION


def folds(problem) -> int:
    """The largest number of folds: the number of points."""
    return len(problem.y)


def root_score(value, spread, unit) -> tuple[float, float]:
    """A mean squared error of `svmcore.tuning` and its standard error, as their roots, in units of y."""
    root = math.sqrt(value)
    return unit * root, unit * spread / (2.0 * root) if 0.0 < value < math.inf else spread


def curve_change(before: study.FittedMachine, now: study.FittedMachine) -> tuple[float, float]:
    """The largest and the root mean squared change of the curve over the range of the points of `before`."""
    xs = np.linspace(before.points.x.min(), before.points.x.max(), FINENESS * study.RESOLUTION)
    change = now.curve_at(xs) - before.curve_at(xs)
    return float(np.max(np.abs(change))), rms(change)


def movement(before: study.FittedMachine, now: study.FittedMachine) -> tuple[list[str], str]:
    """Movement of the curve: ([the largest change, its root mean square, the change of the test error], a phrase)."""
    largest, mean = (number(value, ".4g") for value in curve_change(before, now))
    change = number(now.numbers.test_error - before.numbers.test_error, "+.4g")
    return [largest, mean, change], f"moved by up to {largest}"


def error(f, y) -> float:
    """The root mean squared error of the values f (n,) for the targets y (n,); 0 for n = 0."""
    return rms(y - f)


def rms(values) -> float:
    """The root mean square of (n,) values; 0 for n = 0."""
    return float(np.sqrt(np.mean(np.square(values)))) if len(values) else 0.0


def _words(loss, state):
    """The optimality condition that holds at each point; `state` is beta itself for a loss without a box."""
    if loss in ("welsch", "hawkeye"):
        flat = "no support vector: the loss is flat there"
        return np.where(state == 0.0, flat, "support value β = C ℓ′(r), the slope of the loss")
    if loss == "least_squares":
        return np.full(len(state), "residual proportional to β")
    inside, edge, outside = {
        "epsilon_insensitive": ("inside the tube: |y − f| ≤ ε", "on the edge of the tube: |y − f| = ε", "|y − f| ≥ ε"),
        "least_absolute": ("on the curve: y = f", "on the curve: y = f", "off the curve"),
    }[loss]
    return select(
        [state == ZERO, state == UPPER, state == LOWER],
        [inside, f"at the upper bound, above the curve: {outside}", f"at the lower bound, below the curve: {outside}"],
        edge,
    )


class Curve(study.Task):
    """A curve through points."""

    key = "regression"
    classes = False
    words = study.Words(
        error="RMSE",
        written=partial(number, form=".4g"),
        chart=(1.0, "RMSE"),
        residual=("r", "y_i - f(x_i)"),
        together="All curves f",
        movement=("largest change", "RMS change", "test RMSE change"),
        explained={"test RMSE change": "RMSE"},
    )
    missing_sentence = staticmethod(missing_sentence)
    bare = staticmethod(bare)
    extent = staticmethod(extent)
    view = staticmethod(lambda base, data, size: view(base, data, FINENESS * size))
    film_size = staticmethod(film_size)
    estimator = staticmethod(estimator)
    fit = staticmethod(fit)
    sparse = SparseLSSVR
    svm = Machine("epsilon_insensitive", (("epsilon", 0.1),))
    error_of = staticmethod(error)
    folds = staticmethod(folds)
    score = staticmethod(root_score)
    movement = staticmethod(movement)
    points = staticmethod(samples)


TASK = Curve()
