"""The LS-SVM: without a box, the dual is one linear system.

    minimise  1/2 beta'H beta + linear'beta   subject to  sum(beta) = 0,        H = K + diag(ridge)

is stationary where  H beta + b = -linear  and  sum(beta) = 0. For the LS-SVM ridge = 1/C and linear = -y: this is
equation (20) of Suykens and Vandewalle (1999) in beta = y * alpha. Two ways to solve it:

    direct                    one Cholesky factorisation, to the last digits
    start, advance, solve     conjugate gradients that can be stopped and resumed, for a Gram matrix or a function
                              v -> K v
    steps                     the same, one state at a time

Both report the violation max F - min F with F = -linear - H beta, as the pair-update solver does (López and Dorronsoro
2010, equation (10)). At the optimum it is 0, and each entry of F is the intercept.

References
    J. A. K. Suykens, J. Vandewalle (1999). Least squares support vector machine classifiers. Neural Processing
        Letters 9(3), 293-300.
    J. R. Bunch, L. Kaufman (1977). Some stable methods for calculating inertia and solving symmetric linear systems.
        Mathematics of Computation 31(137), 163-179.
    J. Nocedal, S. J. Wright (2006). Numerical Optimization, 2nd edition. Springer. Algorithm 5.2 (conjugate
        gradients), Algorithm 16.2 (on a plane), Theorem 16.3 (inertia).
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.linalg.blas import ddot, dsymv, dtrsv
from scipy.linalg.lapack import dpotrf, dsysvx

from svmcore import deadline, duals
from svmcore.solvers.solution import Solution
from svmcore.status import Status

DIRECT = "one factorisation"  # the route
CHECK_EVERY = 50  # conjugate gradient steps


@np.errstate(over="ignore", invalid="ignore")
def direct(K, qp, overwrite=False, *, tol=1e-3) -> Solution:
    """Solve by a Cholesky factorisation, or a symmetric indefinite one if H is not positive definite.

    K: symmetric, shape (N, N); qp: a `duals.BoxQP` without bounds. With overwrite=True the factor is written over K,
    which saves the time and the memory of a copy. Overflow and singularity end in a status, never in an exception; a K
    of another shape, or bounds, raise ValueError.

    With H = LL', u = L^-1 1 and v = -L^-1 linear, the plane sum(beta) = 0 makes b u the projection of v on u: b = u'v /
    u'u and beta = L^-T (v - b u), one triangular solve less than from H eta = 1 and H nu = -linear. Iterative
    refinement would not help: the violation is already at the rounding error of the product K beta itself.
    """
    _check(K, qp)
    H = np.asarray(K)
    if not (overwrite and H.dtype == np.float64 and H.flags.forc and H.flags.writeable):
        H = np.array(H, dtype=np.float64, order="K")
    H = H if H.flags.f_contiguous else H.T  # the column order of LAPACK; transposing a symmetric matrix is free
    # LAPACK is faster on this triangle; the other one preserves the entries of H
    diagonal = H.T.reshape(-1)[:: len(H) + 1]
    diagonal += qp.ridge
    kept = diagonal.copy()
    failed = dpotrf(H, lower=1, clean=0, overwrite_a=1)[1]
    if failed:
        diagonal[:] = kept
        return _indefinite(np.triu(H), qp, tol)

    u = dtrsv(H, np.ones(len(H)), lower=1, overwrite_x=1)
    v = dtrsv(H, -qp.linear, lower=1, overwrite_x=1)
    squared = ddot(u, u)
    if not squared > 0.0:
        return _zero_solution(qp.linear, np.inf, Status.OVERFLOW)
    intercept = ddot(u, v) / squared
    beta = dtrsv(H, v - intercept * u, lower=1, trans=1, overwrite_x=1)
    diagonal[:] = kept
    return _solution_at(H, qp, beta, intercept, tol, Status.CONVERGED)


def _indefinite(H, qp, tol) -> Solution:
    """Bunch and Kaufman's factorisation of the bordered system; H is an upper triangle.

    Only the plane sum(beta) = 0 matters: H is positive definite there exactly when the bordered matrix has a single
    negative eigenvalue, and the factorisation counts them.
    """
    n, linear = len(H), qp.linear
    # as large as the entries of H, so that poor scaling does not look like singularity
    border = np.abs(H).max() or 1.0
    if not np.isfinite(border):
        return _zero_solution(linear, np.inf, Status.OVERFLOW)
    bordered = np.zeros((n + 1, n + 1), order="F")
    bordered[:n, :n] = H
    bordered[:n, n] = border
    _, factor, pivots, _, x, _, _, _, info = dsysvx(bordered, np.append(-linear, 0.0), lwork=64 * n, overwrite_a=1)
    has_zero_pivot = 0 < info <= n + 1
    if has_zero_pivot or not np.all(np.isfinite(x)):
        return _zero_solution(linear, _spread(linear), Status.SINGULAR)
    negative = np.sum(factor.diagonal()[pivots > 0] < 0.0) + np.sum(pivots < 0) // 2
    status = Status.SINGULAR if info else Status.CONVERGED if negative == 1 else Status.STATIONARY
    return _solution_at(np.asfortranarray(H), qp, x[:n, 0].copy(), border * x[n, 0], tol, status)


def _solution_at(H, qp, beta, intercept, tol, status) -> Solution:
    """The solution with its violation, computed anew from the upper triangle of H."""
    linear = qp.linear
    F = dsymv(-1.0, H, beta, beta=-1.0, y=linear)
    violation = _spread(F)
    if not violation < np.inf:
        return _zero_solution(linear, np.inf, Status.OVERFLOW)
    if violation > tol:
        status = Status.SINGULAR if status == Status.SINGULAR else Status.INACCURATE
        if violation > _spread(linear):
            return _zero_solution(linear, _spread(linear), status)
    found = Solution(beta, intercept, 0.5 * ddot(beta, linear - F), violation, 1, status, DIRECT)
    return _with_gap(found, qp, F - intercept)


def _zero_solution(linear, violation, status) -> Solution:
    """beta = 0, a constant f: feasible for any matrix, and better than a result that is all rounding error."""
    return Solution(np.zeros(len(linear)), -float(np.mean(linear)), 0.0, violation, 1, status, DIRECT)


class State(NamedTuple):
    """The conjugate gradient iteration after a step; the arrays are never changed in place."""

    beta: np.ndarray
    residual: np.ndarray  # F - mean(F): minus the gradient, projected on the plane sum(beta) = 0
    direction: np.ndarray
    intercept: float  # mean(F)
    violation: float
    objective: float
    squared: float  # length of the residual, squared
    restarted: float  # the violation at the last start or restart
    momentum: float = 0.0  # the multiple of the last direction in this one; 0 after a start or restart
    length: float = np.nan  # of the last step
    curvature: float = np.nan  # d'Hd of its direction d
    n_iter: int = 0
    status: Status = Status.ITERATION_LIMIT

    @property
    def is_done(self) -> bool:
        """True if further steps are of no use: see `status`."""
        return self.status != Status.ITERATION_LIMIT


def start(K, qp) -> State:
    """The state at the origin. K: a symmetric matrix (N, N), or a function v -> K v."""
    _check(K, qp)
    state = _computed_from(np.zeros(len(qp.linear)), _product(K, qp), qp)
    return state if np.isfinite(state.violation) else state._replace(violation=np.inf, status=Status.OVERFLOW)


def advance(K, qp, state: State, n_steps, *, tol=1e-3) -> State:
    """Up to `n_steps` steps, each a product with K; fewer if the violation reaches `tol`, or if steps are of no use.

    The result is bit for bit the same whether the steps are taken at once or in pieces.
    """
    state = _with_status(state, tol)
    for after in steps(K, qp, state, n_steps, tol=tol):
        state = after
    return state


def steps(K, qp, state: State, n_steps, *, tol=1e-3) -> Iterator[State]:
    """The states that `advance` passes through, one after each step, the last with the status of the run."""
    multiply = _product(K, qp)
    state = _with_status(state, tol)
    for _ in range(n_steps):
        if state.is_done or (state.n_iter % CHECK_EVERY == 0 and deadline.is_over()):
            return
        state = _step(state, multiply, qp)
        if state.violation <= tol or state.n_iter % CHECK_EVERY == 0:
            state = _check_residual(state, multiply, qp, tol)
            state = _with_status(state, tol)
        yield state


def solve(K, qp, *, tol=1e-3, max_iter=10_000) -> Solution:
    """Conjugate gradients from zero until the violation is at most `tol`, or until a status says why it is not."""
    state = advance(K, qp, start(K, qp), max_iter, tol=tol)
    beta, residual, _, intercept, violation, objective, *_ = state
    found = Solution(beta, intercept, objective, violation, state.n_iter, state.status, "conjugate gradients")
    return _with_gap(found, qp, residual)


def _with_gap(found, qp, residual):
    """The solution with its gap, from F less the intercept, (N,)."""
    return found.with_details(gap=duals.gap(qp, found.beta, residual + qp.ridge * found.beta))


def _with_status(state: State, tol) -> State:
    """The state with the status that this tolerance gives; earlier steps may have used another one."""
    if state.violation <= tol:
        return state._replace(status=Status.CONVERGED)
    return state._replace(status=Status.ITERATION_LIMIT) if state.status == Status.CONVERGED else state


def _step(state: State, multiply, qp) -> State:
    """One step of Hestenes and Stiefel on the plane sum(beta) = 0."""
    product = multiply(state.direction)
    curvature = state.direction @ product
    if not curvature > 0.0:
        return state._replace(status=Status.NEGATIVE_CURVATURE if np.isfinite(curvature) else Status.OVERFLOW)
    mean = product.mean()
    length = state.squared / curvature
    beta = state.beta + length * state.direction
    residual = state.residual - length * (product - mean)
    squared = residual @ residual
    momentum = squared / state.squared
    return state._replace(
        beta=beta,
        residual=residual,
        direction=residual + momentum * state.direction,
        intercept=state.intercept - length * mean,
        violation=_spread(residual),
        objective=_objective(beta, residual, qp),
        squared=squared,
        momentum=momentum,
        length=length,
        curvature=curvature,
        n_iter=state.n_iter + 1,
    )


def _check_residual(state: State, multiply, qp, tol) -> State:
    """Report the violation of the true residual; if the updated one has drifted away from it, restart from it."""
    true = _computed_from(state.beta, multiply, qp)
    if _spread(true.residual - state.residual) <= 0.1 * true.violation:
        return state._replace(violation=true.violation)
    stalled = true.violation > max(tol, 0.5 * state.restarted)
    status = Status.INACCURATE if stalled else Status.ITERATION_LIMIT
    return true._replace(length=state.length, curvature=state.curvature, n_iter=state.n_iter, status=status)


def _computed_from(beta, multiply, qp) -> State:
    F = -qp.linear - multiply(beta)
    intercept = float(F.mean())
    residual = F - intercept
    violation = _spread(residual)
    objective, squared = _objective(beta, residual, qp), residual @ residual
    return State(beta, residual, residual, intercept, violation, objective, squared, restarted=violation)


def _objective(beta, residual, qp):
    """1/2 beta'H beta + linear'beta without a product: H beta = -linear - F, and the mean of F meets sum(beta) = 0."""
    return float(0.5 * beta @ (qp.linear - residual))


def _product(K, qp):
    """The function v -> H v."""
    multiply = K if callable(K) else np.asarray(K).__matmul__

    @np.errstate(over="ignore", invalid="ignore")
    def product(v):
        return multiply(v) + qp.ridge * v

    return product


def _spread(F):
    """max F - min F; found by position, which for short vectors takes half the time of max and min."""
    return float(F[F.argmax()] - F[F.argmin()])


def _check(K, qp):
    n = len(qp.linear)
    if not callable(K) and np.shape(K) != (n, n):
        raise ValueError(f"K must have shape ({n}, {n}) to match the problem, got {np.shape(K)}")
    if qp.lower[qp.lower.argmax()] > -np.inf or qp.upper[qp.upper.argmin()] < np.inf:
        raise ValueError("a linear system has no bounds: use duals.least_squares, or a solver for boxes")
