"""The sparse LS-SVM (ISLS): re-weighting towards the 0-norm of the coefficients, for labels and real targets alike.

From the LS-SVM on, each round solves a ridge problem in the coefficients of f = K beta + b,

    minimise  1/2 sum_i lambda_i beta_i^2 + 1/2 sum_i C_i xi_i^2,    xi = y - f,

and then sets lambda_i = 1/beta_i^2. This majorises and lowers P = sum_i log|beta_i| + 1/2 sum_i C_i xi_i^2, a smooth
stand-in for the number of coefficients: the minimum has

    beta_i(new) = beta_i^2 p_i,    p = K (C xi(new)),     the correlations with the residuals

so that a small coefficient converges to zero quadratically, a zero remains zero, and in the limit beta_i is 0 or
beta_i p_i = 1.

The paper (its alpha is our beta, its beta our C xi) solves a bordered system of order N in every round. The same
iterates cost less if the data is weighted by C and centred once (S = rows of K - mean, t = y - mean, times sqrt(C)):

    (D G D + I) v = D h,   beta = D v,    G = S S', h = S t,  D = diag(|beta|) of the round before

on the active coefficients, a positive definite system that shrinks as coefficients are pruned.

References
    J. López, K. De Brabanter, J. R. Dorronsoro, J. A. K. Suykens (2011). Sparse LS-SVMs with L0-norm minimization.
        European Symposium on Artificial Neural Networks (ESANN), Bruges, 189-194 (algorithm 1).
    K. Huang, D. Zheng, J. Sun, Y. Hotta, K. Fujimoto, S. Naoi (2010). Sparse learning for support vector
        classification. Pattern Recognition Letters 31(13), 1944-1951.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dposv, dsysv
from threadpoolctl import ThreadpoolController

from svmcore import duals
from svmcore.solvers import convex, linear_system
from svmcore.status import Status

INITS = ("absolute", "inverse_square", "literal")
STOPS = ("paper", "strict")
MAX_ROUNDS = 50
BLAS = ThreadpoolController()  # created once: that takes as long as a small problem
PRUNED = 1e-8  # a smaller coefficient has no further effect: in the next round it is 1e-16 times its p
FEWER = 0.9  # the system is reduced to at most this share; pruned coefficients in it have no effect
SUPPORT = 1e-6  # the paper counts larger coefficients as support vectors

DROWNED = 10.0  # a violation that only rounding errors can cause


class Round(NamedTuple):
    """One round and the machine it led to; round 0 is the LS-SVM. Vectors have shape (N,).

    `objective` is P, the sum of log(|beta_i| / `PRUNED`) over the active coefficients and of 1/2 C_i xi_i^2 over all
    points. `violation`: the largest |beta_i p_i - 1| of the support, |beta_i| > `SUPPORT`, 0 at a minimum and about 1
    while one converges to zero; `n_support` counts them. `p` is 0 for coefficients pruned earlier. `step` is
    |beta - beta before|_2 / N, nan in round 0.
    """

    iteration: int
    objective: float
    violation: float
    beta: np.ndarray
    intercept: float
    p: np.ndarray
    n_support: int
    step: float


def rounds(K, y, C, *, init="absolute", tol=1e-4, max_iter=MAX_ROUNDS, stop="paper") -> Iterator[Round]:
    """The LS-SVM and the rounds of ISLS from it, until `stop` is met, no coefficient is left, or `max_iter` rounds.

    K: symmetric (N, N); y: labels -1, +1 or real targets (N,); C: positive, a number or (N,).
    init: the first weights lambda, from the LS-SVM's beta: "absolute" |beta|, the usable reading of the paper;
        "inverse_square" 1/beta^2, the rule of all later rounds; "literal" beta, as the paper prints it, which makes the
        first round a saddle point, not a minimum.
    stop: "paper", step < tol; "strict", violation <= tol.
    """
    _check(init, stop)
    y, C = np.asarray(y, float), np.broadcast_to(np.asarray(C, float), np.shape(y))
    step = _Step(np.asarray(K, float), y, C)
    first = linear_system.direct(K, duals.least_squares(y, C))
    now = step.round(0, np.arange(len(y)), first.beta, None)
    yield now
    for iteration in range(1, max_iter + 1):
        before, size = now.beta, np.abs(now.beta)
        if iteration == 1 and init == "literal":
            alive, beta = step.alive, step.saddle(before)
        elif iteration == 1 and init == "absolute":
            alive, beta = step.alive, step(np.maximum(size, PRUNED) ** -0.5)
        else:
            alive = step.keep(size > PRUNED)
            beta = step(size[alive])
        if beta is None:
            return
        now = step.round(iteration, alive, beta, before)
        yield now
        if settled(now, tol, stop) or not np.any(np.abs(now.beta) > PRUNED):
            return


class _Step:
    """What does not change from round to round, and a round for given weights."""

    def __init__(self, K, y, C):
        root = np.sqrt(C)
        self.level = float(C @ y / C.sum())
        self.means = C @ K / C.sum()  # of each column
        self.t = root * (y - self.level)
        self.S = (K - self.means[:, None]) * root  # K is symmetric: its rows are its columns
        self.G, self.h = self.S @ self.S.T, self.S @ self.t
        self.alive = np.arange(len(y))
        self.room = np.empty(len(y) ** 2)  # for every round's system: fresh memory would cost a third of its time

    def keep(self, active):
        """Reduce the system if a tenth is pruned, since copying earlier would cost more; returns its indices."""
        at = np.flatnonzero(active[self.alive])
        if len(at) <= FEWER * len(self.alive):
            self.G, self.h, self.S, self.alive = self.G[np.ix_(at, at)], self.h[at], self.S[at], self.alive[at]
        return self.alive

    def __call__(self, d):
        """The active coefficients for lambda = 1/d^2."""
        n = len(d)
        system = np.multiply(self.G, d, out=self.room[: n * n].reshape(n, n))
        system *= d[:, None]
        system.reshape(-1)[:: n + 1] += 1.0
        _, v, info = dposv(system.T, d * self.h, lower=1, overwrite_a=1)
        if not info:
            return d * v
        with np.errstate(divide="ignore", over="ignore"):
            return self.saddle(d**-2.0)

    def saddle(self, weights):
        """The same for any lambda, of either sign; None if the system is singular."""
        system = self.G + np.diag(weights)
        *_, beta, info = dsysv(system.T, self.h, lower=1, lwork=64 * len(weights), overwrite_a=1)
        return None if info or not np.isfinite(beta).all() else beta

    def round(self, iteration, alive, some, before) -> Round:
        """The machine with the coefficients `some` at the indices `alive`, as a Round."""
        n = len(self.t)
        beta, p = np.zeros(n), np.zeros(n)
        beta[alive] = some
        left = self.t - some @ self.S
        p[alive] = self.S @ left
        intercept = self.level - float(self.means @ beta)
        penalty = np.sum(np.log(np.maximum(np.abs(some), PRUNED) / PRUNED))
        objective = float(penalty + 0.5 * left @ left)
        support = np.abs(beta) > SUPPORT
        violation = float(np.max(np.abs(beta * p - 1.0), where=support, initial=0.0))
        moved = np.nan if before is None else float(np.linalg.norm(beta - before)) / n
        return Round(iteration, objective, violation, beta, intercept, p, int(support.sum()), moved)


def settled(now: Round, tol, stop) -> bool:
    """Whether the stopping rule is met after this round."""
    return now.iteration > 0 and (now.step < tol if stop == "paper" else now.violation <= tol)


def solve(kernel, X, y, C, *, init="absolute", tol=1e-4, max_iter=MAX_ROUNDS, stop="paper") -> convex.Solution:
    """The last of the `rounds` for the points X, (N, d); a precomputed kernel takes (N, N).

    Coefficients up to `SUPPORT` in size are set to zero in the solution. The
    status is "converged", or a sentence. ValueError for unknown options and for more points than a Gram matrix takes.
    """
    _check(init, stop)
    if len(y) > convex.DENSE:
        raise ValueError(f"ISLS needs the whole Gram matrix, at most {convex.DENSE} points, got {len(y)}; use fewer")
    with BLAS.limit(limits=1, user_api="blas"):  # systems that shrink: on a busy machine threads would stall
        for now in rounds(kernel(X), y, C, init=init, tol=tol, max_iter=max_iter, stop=stop):  # noqa: B007
            pass
    return solution(now, tol=tol, max_iter=max_iter, stop=stop)


def solution(now: Round, *, tol=1e-4, max_iter=MAX_ROUNDS, stop="paper") -> convex.Solution:
    """The Solution of a run that ended with this round."""
    holding = now.beta * now.p > 0.5
    if not now.n_support:
        status = Status.CONSTANT
    elif now.violation > DROWNED:
        status = Status.INACCURATE_ISLS
    elif settled(now, tol, stop):
        status = Status.CONVERGED if holding.any() else Status.VANISHING
    else:
        status = Status.ITERATION_LIMIT if now.iteration >= max_iter else Status.SINGULAR_ROUND
    beta = np.where(np.abs(now.beta) > SUPPORT, now.beta, 0.0)
    route = f"LS-SVM, {now.iteration} rounds of re-weighting"
    return convex.Solution(beta, now.intercept, now.objective, now.violation, now.iteration, status, route)


def _check(init, stop):
    if init not in INITS:
        raise ValueError(f"init must be one of {', '.join(INITS)}; got {init!r}")
    if stop not in STOPS:
        raise ValueError(f"stop must be one of {', '.join(STOPS)}; got {stop!r}")
