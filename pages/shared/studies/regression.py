"""One machine on one problem of regression with one input: what a page shows of it (see `classification`).

The machine is fitted to y in a round unit, a power of ten near the spread of y, so that C, epsilon and the tolerance
mean much the same for every problem. beta, C, epsilon and the objectives are in that unit, what is drawn and the errors
in units of y.
"""

import time

import numpy as np

from pages.shared.choices import Data, Machine, Setting
from pages.shared.points import edits
from pages.shared.studies import classification
from pages.shared.studies.arrays import FREE, LOWER, UPPER, ZERO, Graph, Samples
from svmcore import SVR, duals
from svmcore.status import succeeded

TRUE_CURVES = {"sinc"}  # problems whose test set is the curve that the points were drawn from


def unit(problem) -> float:
    """The power of ten next to the standard deviation of all targets, of training and of test; 1 where they are equal.

    It belongs to the problem as it is drawn: an edit does not change what C means.
    """
    spread = np.std(np.append(problem.y, problem.y_test))
    return float(f"1e{round(np.log10(spread))}") if spread > 0 else 1.0


def view(base, data: Data, size):
    """Places xs (size,) of the curve, and (low, high) of the picture: the base points, and what was put outside."""
    moved = edits.moved(data.edits)
    (left, right), ys = (
        _reach(own, far, 0.58 * data.room - 0.5) for own, far in zip(edits.places(base).T, moved.T, strict=True)
    )
    return np.linspace(left, right, size), np.array(ys)


def _reach(values, far, margin):
    """The range of one axis: the values with `margin` of their extent on each side, more where `far` is outside."""
    low, high = _with_room(values, margin)
    outside = far[(far < low) | (far > high)]
    if len(outside):
        lower, higher = _with_room(np.append(values, outside), 0.08)
        low, high = min(low, lower), max(high, higher)
    return low, high


def _with_room(values, margin):
    low, high = float(values.min()), float(values.max())
    room = margin * (high - low) or max(1.0, 1e-3 * abs(high))
    return low - room, high + room


def estimator(machine: Machine, setting: Setting) -> SVR:
    """The svmcore estimator that the page shows, of y in its unit; the snippet prints the same."""
    return SVR(
        loss=machine.loss,
        **dict(machine.params),
        C=setting.C,
        kernel=setting.kernel,
        gamma=setting.gamma,
        degree=setting.degree,
        coef0=setting.coef0,
        tol=classification.TOLERANCE,
        max_iter=classification.MAX_ITER,
    )


def fit(problem, machine: Machine, setting: Setting, xs, ys, unit=1.0) -> classification.Study:
    """Fit, measure, and evaluate at the places xs (m,); the picture reaches from ys[0] to ys[-1]."""
    X, y = problem.X, problem.y
    model = estimator(machine, setting)
    beta, solve_time = classification.solved(model, X, y / unit)
    start = time.perf_counter()
    curve = unit * model.predict(xs[:, None])
    grid_time = time.perf_counter() - start

    f, params = model.predict(X), dict(machine.params)
    squared_norm = float(beta @ (f - model.intercept_[0]))
    bound = np.inf if machine.loss == "least_squares" else setting.C
    state = np.select([beta == 0, beta >= bound, beta <= -bound], [ZERO, UPPER, LOWER], FREE)
    numbers = classification.Numbers.of(
        beta,
        state,
        squared_norm,
        train_error=rms(y - unit * f),
        test_error=rms(problem.y_test - unit * model.predict(problem.X_test)),
        dual=float(model.objective_),
        primal=duals.regression_objective(machine.loss, f, y / unit, setting.C, squared_norm, **params),
        violation=float(model.violation_),
        status=model.status_,
        converged=succeeded(model.status_),
        route=model.route_,
        n_iter=model.n_iter_,
        solve_time=solve_time,
        grid_time=grid_time,
    )
    samples = Samples(
        x=X[:, 0],
        y=y,
        beta=beta,
        state=state,
        residual=y - unit * f,
        kkt=_words(machine.loss, state),
        outlier=problem.outlier,
        ids=problem.ids,
    )
    tube = unit * params["epsilon"] if "epsilon" in params else None
    w = model.coef_[0] if setting.kernel == "linear" else None
    return classification.Study(
        samples,
        graph(problem, xs, ys, curve, tube),
        unit * f,
        w,
        (-bound, bound),
        float(model.intercept_[0]),
        numbers,
        unit,
    )


def graph(problem, xs, ys, f=None, tube=None) -> Graph:
    """The Graph of values f (m,) at the places xs, with the curve that the points were drawn from where it is known."""
    truth = (problem.X_test[:, 0], problem.y_test) if problem.name in TRUE_CURVES else None
    return Graph(xs, ys, f, tube, truth)


def moved(before: classification.Study, now: classification.Study):
    """How far the curve moved over the range of the points before: the largest and the root mean squared change."""
    xs = np.linspace(before.points.x.min(), before.points.x.max(), len(now.field.xs))
    change = np.interp(xs, now.field.xs, now.field.f) - np.interp(xs, before.field.xs, before.field.f)
    return float(np.max(np.abs(change))), rms(change)


def rms(values):
    """The root mean square of (n,) values, 0 without any."""
    return float(np.sqrt(np.mean(np.square(values)))) if len(values) else 0.0


def _words(loss, state):
    """The optimality condition that holds at each point."""
    if loss == "least_squares":
        return np.full(len(state), "residual proportional to β")
    inside, rim, outside = {
        "epsilon_insensitive": ("inside the tube: |y − f| ≤ ε", "on the rim of the tube: |y − f| = ε", "|y − f| ≥ ε"),
        "least_absolute": ("on the curve: y = f", "on the curve: y = f", "off the curve"),
    }[loss]
    return np.select(
        [state == ZERO, state == UPPER, state == LOWER],
        [inside, f"at the upper bound, above the curve: {outside}", f"at the lower bound, below the curve: {outside}"],
        rim,
    )
