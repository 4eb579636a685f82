"""The regularisation path: the same machine for many values of C or sigma, as a Trace whose iterations are the values.

Each value is one row and one frame. Along C the solution for one value starts the next: as it is, or stretched with
the box, whichever has the lower objective; both keep sum(beta) = 0. Over 40 values from 0.01 to 10000, five losses on
Ripley's data and the spirals, that saved 34 to 82 percent of the time, except for the Least 1-Norm SVM on Ripley's
data, where it cost 17. Along sigma the kernel matrix is another one each time, and the last solution was not a reliably
better start than zero; the LS-SVM takes one factorisation for each value.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from svmcore import duals, grid, kernels
from svmcore.solvers import convex, linear_system, smo
from svmcore.status import Status
from svmcore.watch import sentences, trace

SYMBOLS = {"C": "C", "sigma": "σ"}
NAMES = tuple(SYMBOLS)


class Value(NamedTuple):
    """One value of the path as `trace.of_rounds` takes it; errors are shares, nan without test points."""

    iteration: int
    objective: float
    violation: float
    beta: np.ndarray
    intercept: float
    name: str  # of the hyperparameter
    value: float
    ended: str  # how the solver ended at this value
    steps: int
    warm: bool  # began at the last solution
    n_support: int
    training_error: float
    test_error: float
    state: np.ndarray


def path(kernel, X, y, loss, params, *, values, name="C", C=1.0, X_test=None, y_test=None, tol=1e-3) -> trace.Trace:
    """Solve for each of the `values` of `name`, "C" or "sigma" (gamma = 1 / sigma^2; `C` is then fixed).

    X (N, d), y (N,) labels, X_test (M, d) and y_test (M,) or None; at most 60 values, as many as a trace has frames.
    The status of the trace is "converged" only if every value converged; `events["ended"]` has the word for each.
    ValueError, in a sentence, for what cannot be.
    """
    values = np.asarray(values, float)
    if name not in NAMES:
        raise ValueError(f"a path runs over {' or '.join(NAMES)}, got {name!r}")
    if values.ndim != 1 or not 1 <= len(values) <= trace.MOST_FRAMES or not np.all((values > 0.0) & (values < np.inf)):
        raise ValueError(f"a path needs 1 to {trace.MOST_FRAMES} positive finite values of {name}, got {values}")
    known = () if callable(kernel.name) else kernels.KERNELS[kernel.name].parameters
    if name == "sigma" and "gamma" not in known:
        raise ValueError("a path over sigma needs a kernel with a width; take the Gaussian kernel, or a path over C")
    y, test = np.asarray(y, float), None if X_test is None else (X_test, np.asarray(y_test, float))
    rounds = _values(kernel, np.asarray(X, float), y, loss, params, values, name, C, test, tol)
    seen = trace.of_rounds(rounds, "path", tol=tol)
    failed = [ended for ended in seen.events["ended"] if ended != Status.CONVERGED]
    status = f"{len(failed)} of {len(values)} values: {failed[0]}" if failed else Status.CONVERGED
    return seen._replace(status=status)


def _values(kernel, X, y, loss, params, values, name, C, test, tol):
    K, beta = None, None
    for k, value in enumerate(values):
        if name == "C":
            C = value
        else:
            kernel, K, beta = replace(kernel, gamma=value**-2), None, None
        qp = duals.build(loss, y, C, **params)
        K = kernel(X) if K is None and len(y) <= convex.SMALL else K
        stretch = value / values[k - 1] if k else 1.0
        found, warm = _solved(kernel, X, K, qp, beta, stretch, tol)
        beta = found.beta
        f = (kernel.dot(X, X, beta) if K is None else K @ beta) + found.intercept
        yield Value(
            k + 1, found.objective, found.violation, beta, found.intercept,
            name, float(value), found.status, found.n_iter, warm, int(np.count_nonzero(beta)), _error(f, y),
            np.nan if test is None else _error(grid.decision_at(kernel, X, beta, found.intercept, test[0]), test[1]),
            duals.box_state(qp, beta),
        )  # fmt: skip


def _solved(kernel, X, K, qp, last, stretch, tol):
    """(solution, whether it began at the last one)."""
    if K is not None and np.isinf(qp.lower).all() and np.isinf(qp.upper).all():
        return linear_system.direct(K, qp, tol=tol), False
    if K is None or last is None:
        return convex.solve(kernel, X, qp, tol=tol), False
    state = smo.start(K, qp, _better(K, qp, last, stretch))
    state = smo.solve(K, qp, tol=tol, max_iter=convex.PATIENCE * (100 + len(last)), state=state)
    if state.code != smo.CONVERGED:
        return convex.solve(kernel, X, qp, tol=tol), False
    return convex.Solution(
        state.beta, smo.intercept(qp, state), state.objective, state.violation, state.n_iter, state.status, "warm"
    ), True


def _better(K, qp, beta, stretch):
    """beta as it is, if that lies in the box, or stretched as the box was: whichever has the lower objective."""
    squared, linear, ridge = beta @ (K @ beta), qp.linear @ beta, qp.ridge @ beta**2
    objective = {s: 0.5 * s * s * (squared + ridge) + s * linear for s in (1.0, stretch)}
    stays = np.all((beta >= qp.lower) & (beta <= qp.upper))
    best = 1.0 if stays and objective[1.0] <= objective[stretch] else stretch
    return np.clip(best * beta, qp.lower, qp.upper)


def _error(f, y):
    return float(np.mean(np.where(f >= 0.0, 1.0, -1.0) != y))


def why(seen, t, given) -> list[str]:
    """Sentences on value t of the path: how it was solved, and what changed beside the value before."""
    row = int(np.searchsorted(seen.iteration, t))
    now = {name: column[row] for name, column in seen.events.items()}
    began = "from the solution before" if now["warm"] else "from zero"
    errors = f"training error {sentences.number(100 * now['training_error'])} %"
    if np.isfinite(now["test_error"]):
        errors += f", test error {sentences.number(100 * now['test_error'])} %"
    said = [
        f"{SYMBOLS[now['name']]} = {sentences.number(now['value'])}: {now['ended']} "
        f"after {sentences.counted(now['steps'], 'step')} {began}.",
        f"{sentences.counted(now['n_support'], 'support vector')}, {errors}.",
    ]
    return said if row == 0 else [*said, sentences.changed(seen.events["state"][row - 1], now["state"])]


PATH = trace.Description(
    key="path",
    title="Regularisation path",
    unit="value",
    substeps=(),
    columns={
        "name": "C or sigma",
        "value": "its value",
        "ended": "how the solver ended",
        "steps": "steps of the solver at this value",
        "warm": "whether it began at the solution before",
        "n_support": "support vectors",
        "training_error": "share of training points on the wrong side",
        "test_error": "share of test points on the wrong side",
        "state": "where each support value stands in its box",
    },
    source="Hastie, Rosset, Tibshirani, Zhu (2004), The entire regularization path for the support vector machine",
    serves=lambda given: False,  # it needs the kernel and the points, not one Gram matrix: call `path`
    solve=path,
    record=path,
    why=why,
)
