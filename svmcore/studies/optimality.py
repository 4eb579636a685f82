"""Distances of the non-convex machines from the best possible one, in the plane, where that one is known.

`METHODS` lists the ways to the machine of a loss, from one start or rule to all starts; `compare` runs them and sets
their objectives beside the global optimum of `svmcore.solvers.nonconvex.global_optimum`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from svmcore import losses
from svmcore.kernels import Kernel
from svmcore.solvers import router
from svmcore.solvers.nonconvex import global_optimum
from svmcore.solvers.nonconvex.global_optimum import Best
from svmcore.solvers.solution import Task

LINEAR = Kernel("linear")
REACHED = 1e-4  # relative excess of an objective up to which the optimum counts as reached: that of the tolerances
TOLERANCE = 1e-5
EVERY = "all starts"
FROM = {  # what a run of CCCP or re-weighting starts at, by the name of the start
    "convex": "the convex machine",
    "hinge": "the L1-SVM",
    "least_absolute": "the Least 1-Norm SVM",
    "means": "the means of the classes",
    "one_class": "w = 0",
    "sigmoid": "the sigmoid machine",
    "annealed": "larger mu",
}


def _ways(method, left_out):
    """The solver_params of the ways to a machine from each start but one, and from all."""
    ways = {f"{method} from {words}": {"starts": start} for start, words in FROM.items() if start != left_out}
    return {**ways, EVERY: {}}


METHODS = {  # the solver_params of each way to the machine of a loss
    "zero_one": {
        "ADMM as printed": {"rules": "paper"},
        "ADMM, authors' rules": {"rules": "authors"},
        "authors' rules and local search": {"starts": "authors"},
        "robust rules and local search": {"starts": "robust"},
        "robust rules, faster, and local search": {"starts": "robust_fast"},
        "local search from the L1-SVM": {"starts": "hinge"},
        "local search from the Least 1-Norm SVM": {"starts": "least_absolute"},
        "local search from the LS-SVM": {"starts": "least_squares"},
        EVERY: {},
    },
    "ramp": _ways("CCCP", "convex"),  # which is the machine of the hinge loss
    **dict.fromkeys(global_optimum.SMOOTH, _ways("re-weighting", "least_absolute")),
}


class Compared(NamedTuple):
    """The best machine so far, and the objective that each method has found, by its name."""

    best: Best
    found: dict[str, float]

    def excess(self, method) -> float:
        """Relative distance of a method's objective above the best one; 0 up to rounding at the optimum."""
        return self.found[method] / self.best.objective - 1.0

    def is_optimal(self, method) -> bool:
        """True if a method found the optimum."""
        return self.excess(method) <= REACHED


def compare(loss, params, X, y, C, methods=None) -> Iterator[Compared]:
    """The comparison while the search for the optimum goes on; the last one is proved.

    X (N, 2), y (N,) labels, C positive, a number or (N,); loss, params as in `global_optimum.search`; methods: some
    of `METHODS`, all by default. Raises ValueError as `global_optimum.search` does.
    """
    loss = losses.get(loss)
    methods = METHODS[loss.key] if methods is None else methods
    solutions = {
        name: router.solve(Task(LINEAR, X, y, C, loss, params), tol=TOLERANCE, solver_params=way)
        for name, way in methods.items()
    }
    lowest = min(solutions.values(), key=lambda solution: solution.objective)
    found = {name: solution.objective for name, solution in solutions.items()}
    for best in global_optimum.search(X, y, C, loss, params, start=(X.T @ lowest.beta, lowest.intercept)):
        yield Compared(best, found)
