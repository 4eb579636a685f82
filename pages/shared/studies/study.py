"""What a page knows of one fitted machine, and in what two classes differ from a curve. No Streamlit, no pictures here.

A `Study` is a machine as arrays and numbers, whichever solver found it: `measured` makes one of a solution. A `Task` is
all that a page does otherwise for labels than for real targets, words and functions; `studies.tasks` has the two.
"""

import time
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from pages.shared.choices import Machine
from pages.shared.studies.arrays import LOWER, UPPER, Field, Graph, Points, Samples
from pages.shared.studies.support import Support
from svmcore.kernels import definiteness
from svmcore.solvers import convex
from svmcore.status import Status, succeeded

TOLERANCE = 1e-3
MAX_ITER = 1_000_000
RESOLUTION = 100  # lines of the grid of a plane


class Numbers(NamedTuple):
    """What the page says in figures; times are seconds.

    Errors are shares of wrong labels (0 to 1, nan without test points), of a regression root mean squared errors in
    units of y. `dual` is None where there is no dual problem, `gap` the primal objective less the dual one, None where
    that is no bound: there is none, or the kernel matrix is not positive semidefinite. `converged` is whether the run
    ended as it should: at the optimum, or at a local minimum for a loss that is not convex. `certificate` as in `SVC`.
    Of a run that is unbounded, sizes and objectives are nan: they are those of the moment when it was given up.
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
    gap: float | None = None


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
    def task(self) -> str:
        """The key of its `Task`."""
        return "regression" if isinstance(self.field, Graph) else "classification"

    @property
    def regression(self) -> bool:
        """Whether it is a curve that was fitted."""
        return self.task == "regression"


class Words(NamedTuple):
    """What is called otherwise: an `error`, how one is `written`, and its `chart` = (factor, name) on an axis; the
    argument of the loss and the `residual` that it stands for, in LaTeX; what pictures of several machines show
    `together`; the columns of a table of movements.
    """

    error: str
    written: Callable[[float], str]
    chart: tuple[float, str]
    residual: tuple[str, str]
    together: str
    movement: tuple[str, str, str]


class Task(NamedTuple):
    """What a page says and does otherwise for two `classes` than for a curve: words, and functions.

    `missing(problem)` is a sentence on what is needed before a fit, or None. `bare(problem)` are its points
    without a machine, `extent(xs, ys, problem=None)` the picture without one, with what the problem knows of the truth.
    `view(base, data, size)` gives xs and ys of a picture with `size` lines in its grid, and `film_size(n, screens)`
    that size for the frames of a film. `unit(problem)` is what machines count y in.

    `estimator(machine, setting)` is the svmcore estimator, `fit(problem, machine, setting, xs, ys, unit)` the Study of
    its machine; `sparse` is the class of the ISLS estimator and `svm` the machine that is shown beside it.
    `error_of(f, y)` is the error of values f (n,), `folds(problem)` the most folds that the points can be cut into,
    `scored(value, spread, unit)` a criterion of `svmcore.tuning` and its standard error as they are shown.
    `movement(before, now)` gives what stands in the columns of `words.movement`, and a phrase for a caption.

    `points(problem, beta, f, reading)` and `values(kernel, X, beta, intercept, xs, ys)` are the parts of `measured`.
    """

    key: str
    classes: bool
    words: Words
    missing: Callable
    bare: Callable
    extent: Callable
    view: Callable
    film_size: Callable
    unit: Callable
    estimator: Callable
    fit: Callable
    sparse: type
    svm: Machine
    error_of: Callable
    folds: Callable
    scored: Callable
    movement: Callable
    points: Callable
    values: Callable


class Reading(NamedTuple):
    """What a solution means for its machine: the support values, the objectives, None for `dual` where there is none.

    `flat`: points beyond the margin cost nothing. `tube` is the distance from f within which errors cost nothing, in
    the unit of the machine, None for a loss without.
    """

    support: Support
    dual: float | None
    primal: float
    flat: bool = False
    tube: float | None = None


def solved(model, X, y) -> tuple[convex.Solution, float]:
    """Fits an estimator of svmcore to X (N, d), y (N,): (what it found, seconds)."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the page shows the status itself
        model.fit(X, y)
    seconds = time.perf_counter() - start
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    starts = [getattr(model, name, default) for name, default in STARTS.items()]
    return convex.Solution(
        beta, float(model.intercept_[0]), model.objective_, model.violation_, model.n_iter_, model.status_,
        model.route_, *starts,
    ), seconds  # fmt: skip


STARTS = {"n_starts_": 1, "n_starts_agreed_": 1, "certificate_": None}  # of an estimator that has several


def measured(task: Task, problem, setting, found: convex.Solution, seconds, read, xs, ys, unit=1.0) -> Study:
    """The Study of a solution that took so many seconds, on the grid or at the places xs, in a picture up to ys.

    `found` is in the `unit` of the machine; `read(found, f, squared_norm)`, with the values f (N,) on the training
    points and |w|^2 in that unit, gives the `Reading`.
    """
    X, y, kernel, support = problem.X, problem.y, setting.as_kernel(), np.flatnonzero(found.beta)
    expansion = kernel, X[support], found.beta[support], found.intercept
    start = time.perf_counter()
    values = task.values(*expansion, xs, ys)
    grid_time = time.perf_counter() - start
    f, f_test = (kernel.dot(places, *expansion[1:3]) + found.intercept for places in (X, problem.X_test))
    squared_norm = float(found.beta @ (f - found.intercept))
    reading = read(found, f, squared_norm)
    state, f = reading.support.state, unit * f
    convex_dual = found.status == Status.CONVERGED or definiteness.is_definite(kernel, X)
    numbers = Numbers(
        train_error=task.error_of(f, y),
        test_error=task.error_of(unit * f_test, problem.y_test),
        n_support=len(support),
        n_at_bound=int(np.sum((state == UPPER) | (state == LOWER))),
        sum_alpha=float(np.abs(found.beta).sum()),
        norm=float(np.sqrt(max(squared_norm, 0.0))),
        dual=reading.dual,
        primal=reading.primal,
        violation=float(found.violation),
        status=found.status,
        converged=succeeded(found.status),
        route=found.route,
        n_iter=found.n_iter,
        solve_time=seconds,
        grid_time=grid_time,
        n_starts=found.n_starts,
        n_agreed=found.n_agreed,
        certificate=found.certificate,
        gap=reading.primal - reading.dual if reading.dual is not None and convex_dual else None,
    )
    if found.status == Status.UNBOUNDED:
        numbers = numbers._replace(**dict.fromkeys(("sum_alpha", "norm", "primal", "violation"), np.nan), dual=None)
    points = task.points(problem, found.beta, f, reading)
    field = task.extent(xs, ys, problem)._replace(f=unit * values)
    if reading.tube is not None:
        field = field._replace(tube=unit * reading.tube)
    w = found.beta[support] @ X[support] if setting.kernel == "linear" else None
    return Study(points, field, f, w, reading.support.bounds, found.intercept, numbers, unit)
