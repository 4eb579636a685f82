"""The sparse LS-SVM as arrays: the machine beside LS-SVM and SVM, the film of its rounds, the map over C and sigma."""

import time
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from pages.shared.screen.choices import ISLS, Data, Machine, Reweighting, Setting
from pages.shared.studies import arrays, glossary, runs, study, tasks
from pages.shared.studies.arrays import FREE, ZERO
from pages.shared.studies.show import Chart, FilmPlane, FilmView
from pages.shared.studies.support import Reading
from svmcore import SparseLSSVC, SparseLSSVR, grid
from svmcore.kernels import Kernel
from svmcore.solvers import isls
from svmcore.solvers.solution import Task
from svmcore.watch import isls as watch_isls
from svmcore.watch import trace
from svmcore.words import number, with_count

LS = "least_squares"
COLOURS = (1, 0, 2)  # of LS-SVM, ISLS and SVM
CELLS = 13  # values of C, and of sigma, in a map
C_POWERS, SIGMA_REACH = (-1.0, 3.0), 8.0
ENOUGH = 0.1  # seconds of timing
CONSTANT = "constant, no support vector"


def machine(reweighting: Reweighting) -> Machine:
    """ISLS as a Machine."""
    return Machine(ISLS, tuple(reweighting._asdict().items()))


def to_reweighting(machine: Machine) -> Reweighting:
    """The inverse of `machine`."""
    return Reweighting(**dict(machine.params))


def estimator(task, machine: Machine, setting: Setting) -> SparseLSSVC | SparseLSSVR:
    """The svmcore estimator of that `machine`, for the key of a task."""
    return tasks.TASKS[task].sparse(**setting.parameters, **to_reweighting(machine).options)


def fit(problem, setting: Setting, reweighting: Reweighting, xs, ys, unit=1.0) -> study.FittedMachine:
    """ISLS fitted and measured as in `classification.fit` and `studies.regression.fit`."""
    X, y, kernel = problem.X, problem.y / unit, setting.as_kernel()
    task = Task(kernel, X, y, setting.C, LS)
    solution, seconds = _time(lambda: isls.solve(task, **reweighting.options))
    read = partial(_read, task)
    return study.make_study(tasks.task_of(problem), problem, setting, solution, seconds, read, xs, ys, unit)


def _read(task, solution, f, squared_norm):
    support = np.flatnonzero(solution.beta)
    p = task.kernel(task.X[support], task.X) @ (task.C * (task.y - f))
    words = ["pruned: no support vector"] * len(f)
    for k, stable in zip(support, solution.beta[support] * p, strict=True):
        words[k] = f"support vector: β p = {number(stable)}"
    state = np.where(solution.beta, FREE, ZERO)
    return Reading((-np.inf, np.inf), state, np.array(words), solution.objective)


def _time(solve):
    """The result of `solve`, and its time in seconds: for short times the shortest of three."""
    seconds = []
    while len(seconds) < 3 and sum(seconds) < ENOUGH:
        start = time.perf_counter()
        solution = solve()
        seconds.append(time.perf_counter() - start)
    return solution, min(seconds)


# -------------------------------------------------------------------------------------- the film


def solver_input(problem, setting: Setting, unit=1.0) -> trace.Given:
    """The input of the solver; ValueError for more points than can be recorded."""
    runs.watchable(problem)
    kernel = setting.as_kernel()
    return trace.Given(
        kernel, problem.X, kernel(problem.X), None, problem.y / unit, LS, setting.C, {},
        outlier=problem.outlier, unit=unit,
    )  # fmt: skip


def rounds(given: trace.Given, reweighting: Reweighting, extent) -> FilmView:
    """The film of the rounds: the machine, the effects of its coefficients in order; support vectors, objective and
    step over the rounds.
    """
    recorded = watch_isls.ISLS.record(given, **reweighting.options)
    stops = [runs.stop(recorded, given, int(t)) for t in recorded.frame_iter]
    film = runs.film_of(recorded, given, stops, extent)
    sizes = np.abs(recorded.frame_beta) * isls.reach(given.K)
    ranks = arrays.RankFilm(sizes, (isls.SUPPORT, "support vectors lie above"))
    every = list(range(len(stops)))
    return FilmView(
        ticks=runs.ticks_of(recorded, stops, film),
        screens=[FilmPlane("The machine", film, every), FilmPlane("Effects of β on f in order", ranks, every)],
        charts=_charts(recorded, [float(stop.iteration) for stop in stops]),
        facts=list(_facts(recorded, reweighting)),
    )


def _facts(recorded, reweighting):
    """The facts of every run, with the quantity that this stopping rule compares with its tolerance."""
    step = ("|Δβ| / N, tolerance", f"{number(recorded.events['step'][-1], '.2e')}, {reweighting.options['tol']:g}")
    for name, value in runs.facts_of(recorded):
        if name.startswith("violation") and reweighting.stop == "paper":
            yield from (step, ("violation", number(recorded.violation[-1], ".2e")))
        else:
            yield name, value


def _charts(recorded, places):
    x = recorded.iteration
    gain = recorded.objective - np.min(recorded.objective)
    drawn = [
        ("Support vectors left", "points", recorded.events["n_support"], glossary.meaning("pruned")),
        (runs.DISTANCE, "distance", gain, glossary.meaning("objective", "stationary point")),
        ("Step of the coefficients, |Δβ| / N", "|Δβ| / N", recorded.events["step"], glossary.meaning("round")),
    ]
    return [
        Chart(title, [arrays.Line(title.partition(",")[0], x, np.asarray(y, float), k)], "round", unit, True,
                   places, log_x=False, help=tip)
        for k, (title, unit, y, tip) in enumerate(drawn)
    ]  # fmt: skip


# --------------------------------------------------------------------------------------- the map


class MapRequest(NamedTuple):
    """A map: its points, the width suggested by the problem, and the options of ISLS."""

    data: Data
    sigma: float
    reweighting: Reweighting

    @property
    def axes(self) -> tuple[np.ndarray, np.ndarray]:
        """The values of C and of sigma, (CELLS,) each, with three digits, so that the loaded value is the one shown."""
        reach = np.log10(SIGMA_REACH)
        axes = np.logspace(*C_POWERS, CELLS), self.sigma * np.logspace(-reach, reach, CELLS)
        return tuple(np.array([float(f"{value:.3g}") for value in axis]) for axis in axes)


class Cell(NamedTuple):
    """ISLS at one C and sigma; `error` as in `study.Numbers`, on the test points, else the training points."""

    column: int
    row: int
    error: float
    n_support: int
    status: str


def order() -> Iterator[tuple[int, int]]:
    """(column, row) of all cells, from coarse to fine, each once."""
    return ((column, row) for (row, column), _ in grid.coarse_to_fine(CELLS, CELLS))


def cells(request: MapRequest, problem, unit=1.0) -> Iterator[Cell]:
    tested = len(problem.y_test) > 0
    X, y = (problem.X_test, problem.y_test) if tested else (problem.X, problem.y)
    C, sigma = request.axes
    matrices, precomputed = {}, Kernel("precomputed")
    for column, row in order():
        kernel = Kernel("rbf", float(sigma[row]) ** -2.0)
        if row not in matrices:
            matrices = {row: kernel(problem.X)}  # a row of cells shares its matrix
        y_fit, options = problem.y / unit, request.reweighting.options
        solution = isls.solve(Task(precomputed, matrices[row], y_fit, float(C[column]), LS), **options)
        f = grid.decision_at(kernel, problem.X, solution.beta, solution.intercept, X)
        error = tasks.task_of(problem).error_of(unit * f, y)
        yield Cell(column, row, error, int(np.count_nonzero(solution.beta)), solution.status)


def rasters(cells) -> tuple[np.ndarray, np.ndarray]:
    """(errors, counts) of the cells so far, (CELLS, CELLS) each; nan if unknown, counts also if f is constant.

    A cell that is not computed yet has the value of the coarser one that it will refine.
    """
    placed = [((cell.row, cell.column), grid.stride_of((cell.row, cell.column)), cell) for cell in cells]
    errors = grid.raster((CELLS, CELLS), [(place, stride, cell.error) for place, stride, cell in placed])
    counts = grid.raster((CELLS, CELLS), [(place, stride, cell.n_support or np.nan) for place, stride, cell in placed])
    return errors, counts


def best(cells) -> list[Cell]:
    """The eight cells with the smallest errors; equal errors are sorted by the number of support vectors."""
    fitted = [cell for cell in cells if cell.n_support]
    return sorted(fitted, key=lambda cell: (float(f"{cell.error:.6g}"), cell.n_support))[:8]


def description(cell: Cell, request: MapRequest) -> str:
    """A phrase on a cell: its C and sigma, its error, its support vectors."""
    (C, sigma), words = request.axes, tasks.task_of(request.data).words
    error = f"{words.error} {words.written(cell.error)}"
    count = with_count(cell.n_support, "support vector") if cell.n_support else CONSTANT
    return f"C = {number(C[cell.column])}, σ = {number(sigma[cell.row])}: {error}, {count}"


def texts(cells, request: MapRequest) -> list[list[str]]:
    """The description of each of the CELLS x CELLS cells, computed or not."""
    known = {(cell.row, cell.column): description(cell, request) for cell in cells}
    return [[known.get((row, column), "not computed yet") for column in range(CELLS)] for row in range(CELLS)]
