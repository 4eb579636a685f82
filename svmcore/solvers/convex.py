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

from svmcore.rows import Rows
from svmcore.solvers import decomposition, linear_system, smo

SOLVERS = ("auto", "smo", "direct", "cg")
SMALL = 700  # up to here the whole Gram matrix costs less than looking for a working set
DENSE = 5000  # a Gram matrix of 200 MB
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
    return _pairs(kernel, X, qp, tol, max_iter)


def _linear(kernel, X, qp, tol, max_iter, solver):
    if solver == "direct":
        found, route = linear_system.direct(kernel(X), qp, overwrite=True, tol=tol), "one factorisation"
    else:
        K = kernel(X) if len(qp.linear) <= DENSE else lambda v: kernel.dot(X, X, v)
        found, route = linear_system.solve(K, qp, tol=tol, max_iter=max_iter), "conjugate gradients"
    return Solution(found.beta, found.intercept, found.objective, found.violation, found.n_iter, found.status, route)


def _pairs(kernel, X, qp, tol, max_iter):
    n = len(qp.linear)
    if n <= SMALL or (n <= DENSE and not kernel.is_cheap(np.shape(X)[1])):
        state, route = smo.solve(kernel(X), qp, tol=tol, max_iter=max_iter), "pair updates"
    else:
        rows = Rows(kernel, X)
        state, route = decomposition.solve(rows, qp, tol=tol, max_iter=max_iter), "pair updates on working sets"
    return Solution(
        state.beta, smo.intercept(qp, state), state.objective, state.violation, state.n_iter, state.status, route
    )
