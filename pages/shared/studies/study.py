"""One fitted machine as a page shows it, and the difference of classes and curves. No Streamlit, no pictures here.

A `FittedMachine` is arrays and numbers, for any solver: `make_study` makes one from a solution. A `Task` has all
texts and functions that differ between labels and real targets; `studies.tasks` has them.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pages.shared.screen.choices import Machine
from pages.shared.studies.arrays import LOWER, UPPER, Field, FunctionCurve, Points, Samples
from svmcore import grid
from svmcore.kernels import Kernel, definiteness
from svmcore.solvers.solution import Details, Solution
from svmcore.status import Status, is_success
from svmcore.warned import silently

TOLERANCE = 1e-3
MAX_ITER = 1_000_000
RESOLUTION = 100  # lines of the grid of a plane
LARGEST = 1e38  # |f| of a picture, whose numbers are in single precision


class Numbers(NamedTuple):
    """The numbers that a page shows; times are seconds.

    Errors are shares of misclassified points (0 to 1, nan without test points), of a regression root mean squared
    errors in units of y. `dual` is None if there is no dual problem, `gap` the primal less the dual objective, None if
    that is no bound: no dual problem, or a kernel matrix that is not positive semidefinite. `converged` is whether the
    run ended as it should: at the optimum, or at a local minimum for a loss that is not convex. `certificate` as in
    `SVC`; `trivial` is the objective of w = 0 for the 0/1 loss, and `above`, where the run ended there, a C above which
    another machine is better. Errors, sizes and objectives of an unbounded run are nan: there is no machine. `norm` is
    nan where an indefinite kernel makes the square of w negative.
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
    trivial: float | None = None
    above: float | None = None


class FittedMachine(NamedTuple):
    """The fitted machine as arrays: `f` (N,) on the training points, `w` (d,) for the linear kernel, else None.

    `bounds` are those of a support value; `unit` is the unit in which the machine measures y (`studies.regression`).
    `f_test` (n_test,) are the values on the test points; of two classes, `wrong` (n_test,) marks those that are
    misclassified, for paired differences, none of them after an unbounded run.
    """

    points: Points | Samples
    field: Field | FunctionCurve
    f: np.ndarray
    w: np.ndarray | None
    bounds: tuple[float, float]
    intercept: float
    numbers: Numbers
    unit: float = 1.0
    kernel: Kernel | None = None
    f_test: np.ndarray | None = None
    wrong: np.ndarray | None = None

    def values_on(self, xs, ys) -> np.ndarray:
        """The values f (k, m) on another grid xs (m,), ys (k,) of the plane, of two classes."""
        beta = self.points.alpha * self.points.y
        X, cut = self.points.features, self.field.slice
        return grid.decision(self.kernel, X, beta, self.intercept, xs, ys, cut)

    def curve_at(self, xs) -> np.ndarray:
        """The values f (m,) at places xs (m,) of a regression, in and beyond its picture."""
        x, beta = self.points.x[:, None], self.points.beta
        return self.unit * grid.decision_at(self.kernel, x, beta, self.intercept, xs[:, None])

    @property
    def statuses(self) -> list[str]:
        """Statuses of the runs of its machines: one, in `one_vs_rest` one for each class."""
        return [self.numbers.status]

    @property
    def task(self) -> str:
        return "regression" if isinstance(self.field, FunctionCurve) else "classification"


class Words(NamedTuple):
    """The texts that differ: the name of an `error`, how one is `written`, and its `chart` = (factor, name) on an axis;
    the argument of the loss and the `residual` that it stands for, in LaTeX; the heading of a picture with all machines
    `together`; the columns of a table of movements, and their glossary terms in `explained` {column: term}.
    """

    error: str
    written: Callable[[float], str]
    chart: tuple[float, str]
    residual: tuple[str, str]
    together: str
    movement: tuple[str, str, str]
    explained: dict[str, str]


class Task(ABC):
    """Texts and functions of a page that differ between two `classes` and a curve; `studies.tasks` has the objects.

    `sparse` is the class of the ISLS estimator and `svm` the machine that is shown beside it.
    """

    key: str
    classes: bool
    words: Words
    sparse: type
    svm: Machine

    @staticmethod
    @abstractmethod
    def missing_sentence(problem) -> str | None:
        """A sentence on what is needed before a fit, or None."""

    @staticmethod
    @abstractmethod
    def bare(problem) -> Points | Samples:
        """The points without a machine."""

    @staticmethod
    @abstractmethod
    def extent(xs, ys, problem) -> Field | FunctionCurve:
        """The picture without a machine, with the true curve if it is known."""

    @staticmethod
    @abstractmethod
    def view(base, data, size) -> tuple[np.ndarray, np.ndarray]:
        """xs and ys of a picture with `size` lines in its grid."""

    @staticmethod
    @abstractmethod
    def film_size(n, screens=1) -> int:
        """The `size` of the frames of a film of n points."""

    @staticmethod
    @abstractmethod
    def estimator(machine, setting):
        """The estimator of svmcore."""

    @staticmethod
    @abstractmethod
    def fit(problem, machine, setting, xs, ys, unit=1.0) -> FittedMachine:
        """Fit, measure, and evaluate on the grid."""

    @staticmethod
    @abstractmethod
    def error_of(f, y) -> float:
        """The error of values f (n,)."""

    @staticmethod
    @abstractmethod
    def folds(problem) -> int:
        """The largest number of folds for the points."""

    @staticmethod
    @abstractmethod
    def score(value, spread, unit) -> tuple[float, float]:
        """A criterion of `svmcore.tuning` and its standard error as they are shown."""

    @staticmethod
    @abstractmethod
    def movement(before, now) -> tuple[list[str], str]:
        """The entries of the columns `Words.movement`, and a phrase for a caption."""

    @staticmethod
    @abstractmethod
    def points(problem, beta, f, reading) -> Points | Samples:
        """The points of a FittedMachine, with the `Reading` of its solution."""


def fit_model(model, X, y) -> tuple[Solution, float]:
    """Fits an estimator of svmcore to X (N, d), y (N,): (its solution, seconds)."""
    start = time.perf_counter()
    with silently():  # the page shows the status
        model.fit(X, y)
    seconds = time.perf_counter() - start
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    details = Details(
        n_starts=model.n_starts_, n_agreed=model.n_starts_agreed_, certificate=getattr(model, "certificate_", None)
    )
    return Solution(
        beta, float(model.intercept_[0]), model.objective_, model.violation_, int(np.max(model.n_iter_)), model.status_,
        model.route_, details,
    ), seconds  # fmt: skip


def make_study(task: Task, problem, setting, solution: Solution, seconds, read, xs, ys, unit=1.0) -> FittedMachine:  # noqa: PLR0913
    """Make the FittedMachine of a solution: f on the grid xs, ys, or at the places xs in a picture to ys.

    An unbounded run has no machine, only meaningless numbers of the step at which it stopped: f = 0 is shown.
    `solution`, found in so many `seconds`, is in the `unit` of the machine; `read(solution, f, squared_norm)`, with the
    values f (N,) on the training points and |w|^2 in that unit, gives the `Reading`.
    """
    endless = solution.status == Status.UNBOUNDED
    if endless:
        solution = solution._replace(beta=np.zeros_like(solution.beta), intercept=0.0)
    X, y, kernel = problem.X, problem.y, setting.as_kernel()
    expansion = kernel, X, solution.beta, solution.intercept
    start = time.perf_counter()
    if task.classes:
        f = grid.decision(*expansion, xs, ys, problem.slice)
        values = np.clip(f, -LARGEST, LARGEST).astype(np.float32)
    else:
        values = grid.decision_at(*expansion, xs[:, None])
    grid_time = time.perf_counter() - start
    f, f_test = (grid.decision_at(*expansion, places) for places in (X, problem.X_test))
    terms = solution.beta * (f - solution.intercept)
    squared_norm, rounded = float(terms.sum()), 1e-9 * float(np.abs(terms).sum())
    reading = read(solution, f, squared_norm)
    state, f, f_test = reading.state, unit * f, unit * f_test
    convex_dual = solution.status == Status.CONVERGED or definiteness.is_definite(kernel, X)
    numbers = Numbers(
        train_error=task.error_of(f, y),
        test_error=task.error_of(f_test, problem.y_test),
        n_support=int(np.count_nonzero(solution.beta)),
        n_at_bound=int(np.sum((state == UPPER) | (state == LOWER))),
        sum_alpha=float(np.abs(solution.beta).sum()),
        norm=float(np.sqrt(max(squared_norm, 0.0))) if squared_norm >= -rounded else np.nan,
        dual=reading.dual,
        primal=reading.primal,
        violation=float(solution.violation),
        status=solution.status,
        converged=is_success(solution.status),
        route=solution.route,
        n_iter=solution.n_iter,
        solve_time=seconds,
        grid_time=grid_time,
        n_starts=solution.details.n_starts,
        n_agreed=solution.details.n_agreed,
        certificate=solution.details.certificate,
        gap=reading.primal - reading.dual if reading.dual is not None and convex_dual else None,
        trivial=reading.trivial,
        above=reading.above,
    )
    wrong = (f_test >= 0.0) != (problem.y_test > 0.0) if task.classes else None
    if endless:
        wrong = wrong[:0] if task.classes else None
        unknown = ("train_error", "test_error", "sum_alpha", "norm", "primal", "violation")
        numbers = numbers._replace(**dict.fromkeys(unknown, np.nan), dual=None)
    points = task.points(problem, solution.beta, f, reading)
    field = task.extent(xs, ys, problem)._replace(f=unit * values)
    if reading.tube is not None:
        field = field._replace(tube=unit * reading.tube)
    w = solution.beta @ X if setting.kernel == "linear" else None
    return FittedMachine(points, field, f, w, reading.bounds, solution.intercept, numbers, unit, kernel, f_test, wrong)
