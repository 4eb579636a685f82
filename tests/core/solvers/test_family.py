"""Every function `solve` belongs to one of the three forms that `svmcore.solvers` lists, and returns a Solution."""

import importlib
import inspect
import pkgutil

import pytest
from variants import overlapping

from svmcore import duals, solvers
from svmcore.kernels import Kernel
from svmcore.kernels.rows import Rows
from svmcore.solvers.solution import Solution, Task

FOUND = pkgutil.walk_packages(solvers.__path__, "svmcore.solvers.")
MODULES = [importlib.import_module(found.name) for found in FOUND if not found.ispkg]
SOLVERS = {module.__name__.rpartition(".")[2]: module.solve for module in MODULES if hasattr(module, "solve")}
RBF = Kernel("rbf", 0.5)
FORMS = {("K", "qp"), ("rows", "qp"), ("L", "qp"), ("kernel", "X", "qp"), ("task",)}
LOSSES = {
    "quasi_newton": "log", "cccp": "ramp", "half_quadratic": "rescaled_hinge", "zero_one": "zero_one",
    "isls": "least_squares", "router": "hinge",
}  # fmt: skip


@pytest.mark.parametrize("name", SOLVERS)
def test_a_solver_takes_one_of_three_problems_and_returns_a_solution(name):
    parameters = inspect.signature(SOLVERS[name]).parameters
    positional = tuple(key for key, each in parameters.items() if each.kind is each.POSITIONAL_OR_KEYWORD)
    assert positional in FORMS and {"tol", "max_iter"} <= set(parameters) and len(parameters) <= 8
    X, y = overlapping(60)
    loss = "least_squares" if name == "linear_system" else "epsilon_insensitive" if name == "doubled" else "hinge"
    qp = duals.epsilon_insensitive(y, 1.0, 0.1) if name == "doubled" else duals.build(loss, y, 1.0)
    problem = {"K": RBF(X), "rows": Rows(RBF, X), "L": X, "kernel": RBF, "X": X, "qp": qp}
    problem["task"] = Task(RBF, X, y, 1.0, LOSSES.get(name, "hinge"))
    found = SOLVERS[name](*(problem[key] for key in positional))
    assert isinstance(found, Solution) and found.beta.shape == (60,)
    assert found.status and found.route and found.n_iter > 0
