"""The sparse LS-SVM beside its neighbours, as arrays: the machine, the film of its rounds, the map over C and sigma."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pages.shared.choices import Data, Machine, Reweighting, Setting
from pages.shared.studies import arrays, runs, study, tasks
from pages.shared.studies.arrays import FREE, ZERO
from pages.shared.studies.support import Support
from svmcore import SparseLSSVC, SparseLSSVR, grid
from svmcore.kernels import Kernel
from svmcore.solvers import isls
from svmcore.watch import isls as watch_isls
from svmcore.watch import trace

LS = "least_squares"
NAME = "Sparse LS-SVM (ISLS)"
COLOURS = (1, 0, 2)  # of LS-SVM, ISLS and SVM
CELLS = 13  # values of C, and of sigma, in a map
C_POWERS, SIGMA_REACH = (-1.0, 3.0), 8.0
ENOUGH = 0.1  # seconds of timing
CONSTANT = "constant, no support vector"


def neighbours(task) -> tuple[Machine, Machine]:
    """The LS-SVM and the SVM for the key of a task, whose parameters are those they come with."""
    return Machine(LS), tasks.TASKS[task].svm


def machine(how: Reweighting) -> Machine:
    """What ISLS is called where machines are told apart by their loss: that of no other."""
    return Machine("isls", tuple(how._asdict().items()))


def estimator(task, machine: Machine, setting: Setting) -> SparseLSSVC | SparseLSSVR:
    """The svmcore estimator of that `machine`, for the key of a task."""
    return tasks.TASKS[task].sparse(
        C=setting.C, kernel=setting.kernel, gamma=setting.gamma, degree=setting.degree, coef0=setting.coef0,
        **Reweighting(**dict(machine.params)).options,
    )  # fmt: skip


def fit(problem, setting: Setting, how: Reweighting, xs, ys, unit=1.0) -> study.Study:
    """ISLS as the other machines are fitted, see `classification.fit` and `studies.regression.fit`."""
    X, y, kernel = problem.X, problem.y / unit, setting.as_kernel()
    found, seconds = _timed(lambda: isls.solve(kernel, X, y, setting.C, **how.options))
    return study.measured(tasks.of(problem), problem, setting, found, seconds, _read, xs, ys, unit)


def _read(found, f, squared_norm):
    dead = found.beta == 0.0
    words = np.where(dead, "dead: no support vector", "alive: α p = 1, near enough")
    return study.Reading(Support((-np.inf, np.inf), np.where(dead, ZERO, FREE), words), None, found.objective)


def _timed(solve):
    """What `solve` gives, and the seconds that it takes: of three times the shortest, where that takes no time."""
    taken = []
    while len(taken) < 3 and sum(taken) < ENOUGH:
        start = time.perf_counter()
        found = solve()
        taken.append(time.perf_counter() - start)
    return found, min(taken)


# -------------------------------------------------------------------------------------- the film


def given(problem, setting: Setting, unit=1.0) -> trace.Given:
    """What the solver is given; ValueError, in a sentence, for more points than can be watched."""
    runs.watchable(problem)
    kernel = setting.as_kernel()
    return trace.Given(
        kernel, problem.X, kernel(problem.X), None, problem.y / unit, LS, setting.C, {},
        outlier=problem.outlier, unit=unit,
    )  # fmt: skip


def rounds(given: trace.Given, how: Reweighting, extent) -> runs.Show:
    """The rounds as a film: the machine, |alpha| in order, and what is left, objective and step over the rounds."""
    seen = watch_isls.record(given, **how.options)
    stops = [runs.stop(seen, given, int(t)) for t in seen.frame_iter]
    film = runs.film_of(seen, given, stops, extent)
    sizes = np.abs(seen.frame_beta) * isls.reach(given.K)
    ranks = arrays.RankFilm(sizes, (isls.SUPPORT, "support vectors lie above"))
    every = list(range(len(stops)))
    return runs.Show(
        ticks=runs.ticks_of(seen, stops, film),
        screens=[runs.Screen("The machine", film, every), runs.Screen("Sizes of α in order", ranks, every)],
        charts=_charts(seen, [float(stop.iteration) for stop in stops]),
        facts=list(_facts(seen, how)),
    )


def _facts(seen, how):
    """What is said of every run, with what this stopping rule asks for."""
    step = ("|Δα| / N, asked for", f"{seen.events['step'][-1]:.2e}, {how.options['tol']:g}")
    for name, value in runs.facts_of(seen):
        if name.startswith("violation") and how.stop == "paper":
            yield from (step, ("violation", f"{seen.violation[-1]:.2e}"))
        else:
            yield name, value


def _charts(seen, places):
    x = seen.iteration
    gain = seen.objective - np.min(seen.objective)
    drawn = [
        ("Support vectors left", "points", seen.events["n_support"]),
        ("Objective: how far from its end", "distance", gain),
        ("Step of the coefficients, |Δα| / N", "|Δα| / N", seen.events["step"]),
    ]
    return [
        runs.Chart(title, [arrays.Line(title.partition(",")[0], x, np.asarray(y, float), k)], "round", unit, True,
                       places, log_x=False)
        for k, (title, unit, y) in enumerate(drawn)
    ]  # fmt: skip


# --------------------------------------------------------------------------------------- the map


class Asked(NamedTuple):
    """What a map is of: the points, the width that the problem suggests, and how ISLS runs."""

    data: Data
    sigma: float
    how: Reweighting

    @property
    def axes(self) -> tuple[np.ndarray, np.ndarray]:
        """The values of C and of sigma, (CELLS,) each, with three digits, so that they can be told and loaded."""
        reach = np.log10(SIGMA_REACH)
        ways = np.logspace(*C_POWERS, CELLS), self.sigma * np.logspace(-reach, reach, CELLS)
        return tuple(np.array([float(f"{value:.3g}") for value in way]) for way in ways)


class Cell(NamedTuple):
    """ISLS at one C and sigma; `error` as in `study.Numbers`: on the test points, else on the others."""

    column: int
    row: int
    error: float
    n_support: int
    status: str


def order() -> Iterator[tuple[int, int]]:
    """(column, row) of all cells, from coarse to fine, each once."""
    return ((column, row) for (row, column), _ in grid.coarse_to_fine(CELLS, CELLS))


def cells(asked: Asked, problem, unit=1.0) -> Iterator[Cell]:
    """The cells of the map in that `order`."""
    tested = len(problem.y_test) > 0
    X, y = (problem.X_test, problem.y_test) if tested else (problem.X, problem.y)
    C, sigma = asked.axes
    matrices, precomputed = {}, Kernel("precomputed")
    for column, row in order():
        kernel = Kernel("rbf", float(sigma[row]) ** -2.0)
        if row not in matrices:
            matrices = {row: kernel(problem.X)}  # a row of cells shares its matrix
        found = isls.solve(precomputed, matrices[row], problem.y / unit, float(C[column]), **asked.how.options)
        support = np.flatnonzero(found.beta)
        f = kernel.dot(X, problem.X[support], found.beta[support]) + found.intercept
        error = tasks.of(problem).error_of(unit * f, y)
        yield Cell(column, row, error, len(support), found.status)


def rasters(found) -> tuple[np.ndarray, np.ndarray]:
    """(errors, counts) of the cells so far, (CELLS, CELLS) each, nan where unknown or, of counts, where f is constant.

    A cell that is not there yet looks like the coarser one it will refine.
    """
    known = [((cell.row, cell.column), grid.stride_of((cell.row, cell.column)), cell) for cell in found]
    errors = grid.raster((CELLS, CELLS), [(place, stride, cell.error) for place, stride, cell in known])
    counts = grid.raster((CELLS, CELLS), [(place, stride, cell.n_support or np.nan) for place, stride, cell in known])
    return errors, counts


def best(found, most=8) -> list[Cell]:
    """The cells with the smallest errors, of equal ones that with fewer support vectors first."""
    living = [cell for cell in found if cell.n_support]
    return sorted(living, key=lambda cell: (round(cell.error, 6), cell.n_support))[:most]


def told(cell: Cell, asked: Asked, percent=True) -> str:
    """What a cell says of itself."""
    C, sigma = asked.axes
    error = f"error {100 * cell.error:.1f} %" if percent else f"RMSE {cell.error:.4g}"
    count = f"{cell.n_support} support vector{'s' * (cell.n_support != 1)}" if cell.n_support else CONSTANT
    return f"C = {C[cell.column]:.3g}, σ = {sigma[cell.row]:.3g}: {error}, {count}"


def texts(found, asked: Asked) -> list[list[str]]:
    """What each of the CELLS x CELLS cells says of itself, those that are not computed yet included."""
    known = {(cell.row, cell.column): told(cell, asked, asked.data.task != "regression") for cell in found}
    return [[known.get((row, column), "not computed yet") for column in range(CELLS)] for row in range(CELLS)]
