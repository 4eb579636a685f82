"""One machine on one problem: everything a page shows of it, computed once. No Streamlit here, no figures drawn."""

import time
import warnings
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from pages.shared.choices import NO_OUTLIERS, OWN, Data, Machine, Setting
from pages.shared.points import edits, own_points
from pages.shared.studies import support
from pages.shared.studies.arrays import LOWER, UPPER, Field, Graph, Points, Samples
from svmcore import SVC, duals, grid, kernels, losses, problems
from svmcore.problems import outliers
from svmcore.status import succeeded

TOLERANCE = 1e-3
MAX_ITER = 1_000_000
BARE = np.array([[-3.0, -3.0], [3.0, 3.0]]) / 1.16  # corners that give a plane without points, with its margin, -3 to 3


class Numbers(NamedTuple):
    """What the page says in figures; times are seconds.

    Errors are shares of wrong labels (0 to 1, nan without test points), of a regression root mean squared errors in
    units of y. `dual` is None where there is no dual problem, `converged` whether the run ended as it should: at the
    optimum, or at a local minimum where that is all that can be had. `certificate` as in `SVC`.
    """

    train_error: float
    test_error: float
    n_support: int
    n_at_bound: int
    sum_alpha: float
    norm: float
    dual: float | None
    primal: float
    violation: float
    status: str
    converged: bool
    route: str
    n_iter: int
    solve_time: float
    grid_time: float
    n_starts: int = 1
    n_agreed: int = 1
    certificate: float | None = None

    @classmethod
    def of(cls, beta, state, squared_norm, **others):
        """Numbers of the machine with these beta (N,), their state (N,) and |w|^2; `others` are the other fields."""
        return cls(
            n_support=int(np.count_nonzero(beta)),
            n_at_bound=int(np.sum((state == UPPER) | (state == LOWER))),
            sum_alpha=float(np.abs(beta).sum()),
            norm=float(np.sqrt(max(squared_norm, 0.0))),
            **others,
        )


class Study(NamedTuple):
    """The fitted machine as arrays: `f` (N,) on the training points, `w` (d,) for the linear kernel, else None.

    `bounds` are those of a support value; `unit` is what the machine counts y in (`studies.regression`).
    """

    points: Points | Samples
    field: Field | Graph
    f: np.ndarray
    w: np.ndarray | None
    bounds: tuple[float, float]
    intercept: float
    numbers: Numbers
    unit: float = 1.0

    @property
    def regression(self):
        """Whether it is a curve that was fitted."""
        return isinstance(self.field, Graph)


def make_problem(data: Data, points: own_points.Own = own_points.EMPTY):
    """The training and test points that the controls describe: drawn, spoiled, then edited by hand."""
    return edited(base_problem(data, points), data).problem


def base_problem(data: Data, points: own_points.Own = own_points.EMPTY):
    """The points before the edits: the problem, or the reader's own `points`, with the outliers of the laboratory."""
    options = dict(data.options)
    if data.problem == OWN:
        problem = own_points.problem(points, data.seed, options.get("hold_out", 0.0))
    else:
        problem = problems.load(data.problem, data.seed, **options)
    if data.contamination != NO_OUTLIERS and data.amount:
        problem = outliers.KINDS[data.contamination].apply(problem, data.amount, data.seed)
    return problem


def edited(base, data: Data) -> edits.Edited:
    """The base problem with the edits of `data` made, and its outliers removed where they are switched off."""
    found = edits.apply(base, data.edits) if data.edits.edits else edits.Edited(base, None)
    return found if data.on else found._replace(problem=outliers.without(found.problem))


def missing(problem) -> str | None:
    """What these points lack before a machine can be fitted to them, as a sentence; None where they will do."""
    if problem.task == "regression":
        return None if len(problem.y) > 1 else "Add at least two points: there is nothing to fit yet."
    classes = [words for label, words in ((1, "+1"), (-1, "−1")) if not np.any(problem.y == label)]
    return (
        f"Add points of class {' and of class '.join(classes)}: there is nothing to separate yet." if classes else None
    )


def bare(problem) -> Points | Samples:
    """The training points without a machine."""
    if problem.task == "regression":
        return Samples(problem.X[:, 0], problem.y, outlier=problem.outlier, ids=problem.ids)
    return Points(problem.X, problem.y, outlier=problem.outlier, ids=problem.ids)


def view(base, data: Data, size):
    """Grid coordinates xs, ys, (size,) each: the base points, with room around them, and what was put outside of it."""
    X = base.X if len(base.X) else BARE
    xs, ys = grid.axes(X, size, margin=0.58 * data.room - 0.5)
    places = edits.moved(data.edits)
    if len(places):
        low, high = np.array([xs[0], ys[0]]), np.array([xs[-1], ys[-1]])
        outside = places[np.any((places < low) | (places > high), axis=1)]
        if len(outside):
            xs, ys = grid.axes(np.vstack([X, outside]), size)
    return xs, ys


def estimator(machine: Machine, setting: Setting) -> SVC:
    """The svmcore estimator that the page shows; the snippet prints the same."""
    return SVC(
        loss=machine.loss,
        loss_params=dict(machine.params) or None,
        C=setting.C,
        kernel=setting.kernel,
        gamma=setting.gamma,
        degree=setting.degree,
        coef0=setting.coef0,
        tol=TOLERANCE,
        max_iter=MAX_ITER,
    )


def solved(model, X, y):
    """Fits the estimator; (beta (N,), seconds)."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the page shows the status itself
        model.fit(X, y)
    seconds = time.perf_counter() - start
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    return beta, seconds


def fit(problem, machine: Machine, setting: Setting, xs, ys) -> Study:
    """Fit, measure, and evaluate on the grid xs (m,), ys (k,)."""
    X, y = problem.X, problem.y
    model = estimator(machine, setting)
    beta, solve_time = solved(model, X, y)
    start = time.perf_counter()
    values = grid.decision(model.kernel_, model.support_vectors_, model.dual_coef_[0], model.intercept_[0], xs, ys)
    grid_time = time.perf_counter() - start

    f = model.decision_function(X)
    f_test = model.decision_function(problem.X_test) if len(problem.y_test) else np.empty(0)
    params = dict(machine.params)
    squared_norm = float(beta @ (f - model.intercept_[0]))
    bounds, state, words = support.of(machine.loss, params, setting.C, y, beta, f)
    dual = model.objective_ if losses.get(machine.loss).solved_by in support.DUAL else None
    if dual is None:
        primal = model.objective_
    else:
        primal = duals.primal_objective(machine.loss, f, y, setting.C, squared_norm, **params)
    numbers = Numbers.of(
        beta,
        state,
        squared_norm,
        train_error=error(f, y),
        test_error=error(f_test, problem.y_test),
        dual=dual,
        primal=primal,
        violation=float(model.violation_),
        status=model.status_,
        converged=succeeded(model.status_),
        route=model.route_,
        n_iter=model.n_iter_,
        solve_time=solve_time,
        grid_time=grid_time,
        n_starts=model.n_starts_,
        n_agreed=model.n_starts_agreed_,
        certificate=model.certificate_,
    )
    alpha, margin = y * beta, y * f
    slack = np.maximum(1.0 - margin, 0.0) if support.is_flat(machine.loss, params) else 1.0 - margin
    points = Points(
        X=X,
        y=y,
        alpha=alpha,
        state=state,
        margin=margin,
        slack=slack,
        kkt=words,
        outlier=problem.outlier,
        ids=problem.ids,
    )
    w = model.coef_[0] if setting.kernel == "linear" else None
    field = Field(xs, ys, values.astype(np.float32))
    return Study(points, field, f, w, bounds, float(model.intercept_[0]), numbers)


def error(f, y):
    """The share of values f (n,) with the wrong sign for the labels y; nan without any."""
    return float(np.mean(np.where(f >= 0, 1.0, -1.0) != y)) if len(y) else float("nan")


def advice(X, setting: Setting) -> str | None:
    """A sentence where the kernel cannot do its work on these points, and what to do about it; None where it may."""
    sample = X[:: max(1, len(X) // 200)]
    if setting.kernel == "rbf":
        return _width_advice(sample, setting.sigma)
    if kernels.KERNELS[setting.kernel].definite:
        return None
    eigenvalues = np.linalg.eigvalsh(setting.as_kernel()(sample))
    if eigenvalues[0] >= -1e-9 * eigenvalues[-1]:
        return None
    return (
        f"This kernel matrix is not positive semidefinite (eigenvalues from {eigenvalues[0]:.2g} to "
        f"{eigenvalues[-1]:.2g} on a sample): there is no margin to maximise, and what the solver finds is a "
        "stationary point, not an optimum. Try a larger σ or a smaller offset."
    )


def _width_advice(sample, sigma):
    squared = ((sample[:, None] - sample[None]) ** 2).sum(-1)
    spread = float(np.sqrt(squared.max()))
    np.fill_diagonal(squared, np.inf)
    near = float(np.median(np.sqrt(squared.min(axis=1))))
    hint = f"Try σ between {max(near, 1e-9):.2g} and {spread:.2g}."
    if sigma < near / 10:
        return (
            f"σ = {sigma:g} is far below the distance between neighbours ({near:.2g}): every point knows only "
            f"itself, and the machine learns by heart. {hint}"
        )
    if sigma > 30 * spread:
        return (
            f"σ = {sigma:g} is far above the spread of the points ({spread:.2g}): all points look alike to the "
            f"kernel, and f hardly bends. {hint}"
        )
    return None
