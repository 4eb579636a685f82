"""The regularisation path: the same machine for many values of C or sigma, as a Trace whose iterations are the values.

Each value is one row and one frame, the machine of `convex.solve`. Along C the solution for one value is the start of
the next (`warm`). Along sigma the kernel matrix changes each time, and the last solution is not a reliably better start
than zero; the LS-SVM takes one factorisation for each value.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from svmcore import deadline, duals, grid, kernels, words
from svmcore.solvers.box_dual import convex, warm
from svmcore.solvers.solution import Solution
from svmcore.status import Status
from svmcore.watch import recording, sentences, trace

SYMBOLS = {"C": "C", "sigma": "σ"}
VALUES = 41
REACH = {"C": 3.0, "sigma": 1.5}  # powers of ten to either side of the problem's own value
SOURCE = "Hastie, Rosset, Tibshirani, Zhu (2004), The entire regularization path for the support vector machine"


def problem_at(given, name, value) -> trace.Given:
    """The problem with another `value` of `name`, "C" or "sigma"; gamma = 1 / sigma^2."""
    if name == "C":
        return given._replace(C=value, qp=duals.build(given.loss, given.y, value, **given.params))
    kernel = replace(given.kernel, gamma=value**-2)
    return given._replace(kernel=kernel, K=kernel(given.X))


def values_around(given, name) -> np.ndarray:
    """`VALUES` values of `name`, log-spaced about that of the problem, which is the one in the middle."""
    own = given.C if name == "C" else float(f"{given.kernel.gamma**-0.5:.12g}")  # gamma has rounded sigma
    return own * np.logspace(-REACH[name], REACH[name], VALUES)


def _solutions(given, values, name, tol, max_iter) -> Iterator[tuple]:
    """(value, its problem, the solution, whether it was warm-started) for each of the values."""
    start = last = None
    for value in map(float, values):
        now = problem_at(given, name, value)
        if last:  # coefficients without an upper bound grow with C, and `warm` stretches the others with their box
            beta, before = last
            start = warm.Start(beta * (value / before if np.isinf(now.qp.upper).any() else 1.0))
        found = convex.solve(now.kernel, now.X, now.qp, tol=tol, max_iter=max_iter, start=start)
        yield value, now, found, start is not None and found.route.startswith("pair updates")
        last = (found.beta, value) if name == "C" else None
        if deadline.is_over():
            return


def _round(k, name, value, given, found, warm):
    """One value of the path as `recording.of_rounds` takes it; errors are shares, nan without test points."""
    beta, intercept, test_error = found.beta, found.intercept, np.nan
    if given.test is not None:
        X, y = given.test
        test_error = _error(grid.decision_at(given.kernel, given.X, beta, intercept, X), y)
    return dict(
        iteration=k, objective=found.objective, violation=found.violation, beta=beta, intercept=intercept, name=name,
        value=value, ended=found.status, steps=found.n_iter, warm=warm, n_support=int(np.count_nonzero(beta)),
        training_error=_error(given.K @ beta + intercept, given.y), test_error=test_error,
        state=duals.box_state(given.qp, beta),
    )  # fmt: skip


def _error(f, y):
    return float(np.mean(np.where(f >= 0.0, 1.0, -1.0) != y))


class Path(trace.Description):
    """The path over "C" or "sigma"."""

    def __init__(self, name, symbol):
        self.key, self.over = f"path_{name}", name
        self.words = trace.Words(
            title=f"Regularisation path over {symbol}",
            unit="value",
            columns={
                "name": "C or sigma",
                "value": "its value",
                "ended": "how the solver ended",
                "steps": "steps of the solver at this value",
                "warm": "whether pair updates started at the previous solution",
                "n_support": "support vectors",
                "training_error": "share of training points on the wrong side",
                "test_error": "share of test points on the wrong side",
                "state": "the position of each support value in its box",
            },
            source=SOURCE,
        )

    def serves(self, given) -> bool:
        """True for a box dual, and over sigma a kernel that has a width; see `trace.Description`."""
        if given.qp is None or self.over == "C":
            return given.qp is not None and np.ndim(given.C) == 0
        name = given.kernel.name
        return not callable(name) and "gamma" in kernels.KERNELS[name].parameters

    def record(self, given, *, tol=1e-3, max_iter=1_000_000, values=None) -> trace.Trace:
        """Record a run, as in `trace.Description`, for at most 60 positive `values`: by default `values_around`.

        `max_iter` bounds the steps at each. The status is a success only if every value converged; `events["ended"]`
        has the status of each.
        """
        values = values_around(given, self.over) if values is None else values
        solutions = enumerate(_solutions(given, values, self.over, tol, max_iter), start=1)
        run = recording.of_rounds((_round(k, self.over, *found) for k, found in solutions), self.key, tol=tol)
        failed = [ended for ended in run.events["ended"] if ended != Status.CONVERGED]
        status = f"{len(failed)} of {len(values)} values: {failed[0]}" if failed else Status.CONVERGED
        return run._replace(status=status)

    def solve(self, given, *, tol=1e-3, max_iter=1_000_000) -> Solution:
        """The solution at the last value of the path; `n_iter` is the total over all values."""
        found, n_iter = None, 0
        for *_, found, _ in _solutions(given, values_around(given, self.over), self.over, tol, max_iter):
            n_iter += found.n_iter
        return found._replace(n_iter=n_iter)

    def why(self, run, t, given) -> list[str]:
        """Sentences on value t of the path: how it was solved, and what changed since the previous value."""
        row = run.row(t)
        now = run.events_at(row)
        start = "from the previous solution" if now["warm"] else "from zero"
        errors = f"training error {words.percent(now['training_error'], '.3g')}"
        if np.isfinite(now["test_error"]):
            errors += f", test error {words.percent(now['test_error'], '.3g')}"
        lines = [
            f"{SYMBOLS[now['name']]} = {sentences.number(now['value'])}: {now['ended']} "
            f"after {sentences.with_count(now['steps'], 'step')} {start}.",
            f"{sentences.with_count(now['n_support'], 'support vector')}, {errors}.",
        ]
        return lines if row == 0 else [*lines, sentences.state_changes(run.events["state"][row - 1], now["state"])]


DESCRIPTIONS = tuple(Path(name, symbol) for name, symbol in SYMBOLS.items())
