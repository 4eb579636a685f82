"""Any kernel, any four vectors: the solver that suits them, and an honest word on how it ended.

no box at all          one Cholesky factorisation (`linear_system`), conjugate gradients where it does not fit
up to 700 points       pair updates on the Gram matrix (`smo`)
more                   pair updates on working sets, kernel rows on demand (`decomposition`); a kernel that is
                       dear to compute again keeps its Gram matrix up to 5000 points
where pairs crawl      Newton steps on the free set (`polish`) and an interior point method on a low-rank factor
                       of the kernel matrix (`interior_point`)
"""

from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from svmcore import kernels
from svmcore.rows import Rows
from svmcore.solvers import decomposition, interior_point, linear_system, polish, smo

SOLVERS = ("auto", "smo", "direct", "cg")
SMALL = 700  # up to here the whole Gram matrix costs less than looking for a working set
DENSE = 5000  # a Gram matrix of 200 MB
FEW = 300  # below, pair updates are done before an interior point method has begun
PATIENCE = 200  # pair updates per point before other solvers take over
LARGEST_RANK = 1000
LARGEST_WHOLE = 2000
HOPE = 2e10  # operations that Newton steps may cost before it is known whether the bounds are right: below a second
CONVERGED = "converged"


class Solution(NamedTuple):
    """An answer and how far to trust it; `status` is "converged" or says in words what happened instead.

    `objective` is that of the BoxQP (the dual objective is its negative), `violation` max F over what may rise minus
    min F over what may fall, F = -linear - (K + diag(ridge)) beta; `route` names the solvers that took part.
    """

    beta: np.ndarray
    intercept: float
    objective: float
    violation: float
    n_iter: int
    status: str
    route: str


def solve(kernel, X, qp, *, tol=1e-3, max_iter=1_000_000, solver="auto") -> Solution:
    """Minimise the BoxQP `qp` for the kernel matrix of X, (N, d); a precomputed kernel takes (N, N).

    `tol` bounds the violation, `max_iter` the pair updates or conjugate gradient steps. Raises ValueError where `solver`
    cannot serve: "direct" and "cg" solve a linear system, so they need a problem without bounds (least squares), and
    "direct" a Gram matrix that fits.
    """
    if solver not in SOLVERS:
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}; got {solver!r}")
    unbounded = np.isinf(qp.lower).all() and np.isinf(qp.upper).all()
    if solver in ("direct", "cg") and not unbounded:
        raise ValueError(
            f"solver={solver!r} solves a linear system, which only loss='least_squares' has; use solver='auto' or 'smo'"
        )
    n = len(qp.linear)
    if solver == "direct" and n > DENSE:
        raise ValueError(
            f"solver='direct' needs the whole Gram matrix, at most {DENSE} points, got {n}; use solver='cg' or 'auto'"
        )
    if unbounded and solver != "smo":
        return _linear(kernel, X, qp, tol, max_iter, "cg" if solver == "cg" or n > DENSE else "direct")
    X = np.asarray(X, dtype=float)
    if solver == "auto" and kernel.name == "linear" and n > FEW and X.shape[1] <= n / 8:
        return _linear_kernel(kernel, X, qp, tol)
    return _pairs(kernel, X, qp, tol, max_iter, finish=solver == "auto")


def _linear(kernel, X, qp, tol, max_iter, solver):
    if solver == "direct":
        found, route = linear_system.direct(kernel(X), qp, overwrite=True, tol=tol), "one factorisation"
    else:
        K = kernel(X) if len(qp.linear) <= DENSE else lambda v: kernel.dot(X, X, v)
        found, route = linear_system.solve(K, qp, tol=tol, max_iter=max_iter), "conjugate gradients"
    return Solution(found.beta, found.intercept, found.objective, found.violation, found.n_iter, found.status, route)


def _pairs(kernel, X, qp, tol, max_iter, finish):
    """Pair updates; with `finish` only a budget of them, and then what does not crawl."""
    n, d = len(qp.linear), np.shape(X)[1]
    budget = min(max_iter, PATIENCE * (100 + n)) if finish else max_iter
    if n <= SMALL or (n <= DENSE and not kernel.is_cheap(d)):
        K, route = kernel(X), "pair updates"
        state = smo.solve(K, qp, tol=tol, max_iter=budget)
    else:
        K, route = Rows(kernel, X), "pair updates on working sets"
        state = decomposition.solve(K, qp, tol=tol, max_iter=budget)
    if finish and state.code == smo.RUNNING and state.n_iter < max_iter:
        with threadpool_limits(
            1, user_api="blas"
        ):  # many small products: on a busy machine threads stall 50 times as long
            return _finish(kernel, K, qp, state, tol, route)
    return _solution(qp, state.beta, state.F, state.n_iter, state.status, route)


def _linear_kernel(kernel, X, qp, tol):
    """Few features: the interior point method on X itself, whatever C; Newton steps put the last digits right."""
    with threadpool_limits(1, user_api="blas"):
        found = interior_point.solve(X - X.mean(axis=0), qp, tol=0.1 * tol)
        polished = polish.newton(Rows(kernel, X), qp, interior_point.crossover(found, qp), tol=tol)
    route = f"{found.n_iter} interior point iterations, {polished.rounds} Newton steps"
    return _solution(qp, polished.beta, polished.F, found.n_iter + polished.rounds, polished.status, route)


def _finish(kernel, K, qp, state, tol, route):
    """Newton steps from where the pairs stopped; if too many bounds are wrong there, an interior point before them."""
    polished = polish.newton(K, qp, state.beta, tol=tol, max_rounds=10, max_work=HOPE)
    n_iter, route = state.n_iter + polished.rounds, f"{route}, {polished.rounds} Newton steps"
    found = _interior(kernel, K, qp, tol) if polished.violation > tol else None
    if found is not None:
        again = polish.newton(K, qp, interior_point.crossover(found, qp), tol=tol)
        n_iter += found.n_iter + again.rounds
        route += f", {found.n_iter} interior point iterations, {again.rounds} Newton steps"
        polished = min(polished, again, key=lambda point: point.violation)
    return _solution(qp, polished.beta, polished.F, n_iter, polished.status, route)


def _interior(kernel, K, qp, tol):
    """The interior point method on a low-rank factor of K, else on the whole of it; None where neither is to be had."""
    whole = isinstance(K, np.ndarray)
    if not callable(kernel.name) and kernels.KERNELS[kernel.name].definite:
        column = K.__getitem__ if whole else lambda j: K.rows([j])[0]
        diagonal = K.diagonal() if whole else K.diagonal
        factor = interior_point.pivoted_cholesky(column, diagonal, max_rank=LARGEST_RANK)
        if factor.complete:
            return interior_point.solve(factor.L, qp, tol=0.1 * tol)
    if len(qp.linear) > LARGEST_WHOLE:
        return None
    return interior_point.solve_gram(K if whole else K.block(np.arange(len(qp.linear))), qp, tol=0.1 * tol)


def _solution(qp, beta, F, n_iter, status, route):
    """The answer with its intercept, objective and violation, all from beta and F."""
    rise, fall = beta < qp.upper, beta > qp.lower
    top, bottom = np.max(F, where=rise, initial=-smo.FORBIDDEN), np.min(F, where=fall, initial=smo.FORBIDDEN)
    state = smo.State(beta, F, np.empty((6, 0)), top=float(top), bottom=float(bottom))
    objective = 0.5 * float(beta @ (qp.linear - F))
    return Solution(beta, smo.intercept(qp, state), objective, state.violation, n_iter, status, route)
