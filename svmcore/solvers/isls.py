"""The sparse LS-SVM (ISLS): re-weighting towards the 0-norm of the coefficients, for labels and real targets alike.

From the LS-SVM on, each round solves a ridge problem in the coefficients of f = K beta + b,

    minimise  1/2 sum_i lambda_i beta_i^2 + 1/2 sum_i C_i xi_i^2,    xi = y - f,

and then sets lambda_i = 1/beta_i^2. This majorises and lowers P = sum_i log|beta_i| + 1/2 sum_i C_i xi_i^2, a penalty
close to the number of coefficients. P itself has no minimum (it is -inf if any beta_i is 0): a run ends at a stationary
point on the coefficients that are left. A round has

    beta_i(new) = beta_i^2 p_i,    p = K (C xi(new)),     the correlations with the residuals

so that a small coefficient converges to zero quadratically, a zero remains zero, and in the limit beta_i is 0 or
beta_i p_i = 1.

A coefficient is small by its effect on f, |beta_i| max_j |K_ij|, the largest change of a value at the points: this is
the same for inputs and kernels of any scale, and for a Gaussian kernel it is |beta_i|, the measure of the paper.

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

from svmcore import deadline, duals
from svmcore.solvers import blas
from svmcore.solvers.box_dual import convex, linear_system
from svmcore.solvers.solution import Solution
from svmcore.status import Status
from svmcore.words import with_count

INITS = ("absolute", "inverse_square", "literal")
STOPS = ("paper", "strict")
MAX_ROUNDS = 50
PRUNED = 1e-8  # a smaller effect on f is none: in the next round the coefficient is 1e-16 times its p
FEWER = 0.9  # the system is reduced to at most this share; pruned coefficients in it have no effect
SUPPORT = 1e-6  # the paper counts coefficients with a larger effect on f as support vectors

DROWNED = 10.0  # a violation that only rounding errors can cause


class Round(NamedTuple):
    """One round and the machine it led to; round 0 is the LS-SVM. Vectors have shape (N,).

    `size` is the effect of each coefficient on f, |beta_i| max_j |K_ij|. `objective` is the sum of
    log(size_i / `PRUNED`) over the active coefficients and of 1/2 C_i xi_i^2 over all points: P up to a constant.
    `violation`: the largest |beta_i p_i - 1| of the support, size_i > `SUPPORT`, 0 at a stationary point and about 1
    while one converges to zero; `n_support` counts them. `p` is 0 for coefficients pruned earlier. `step` is
    |beta - beta before|_2 / N, each coefficient times its max_j |K_ij|; nan in round 0.
    """

    iteration: int
    objective: float
    violation: float
    beta: np.ndarray
    intercept: float
    p: np.ndarray
    size: np.ndarray
    n_support: int
    step: float


def rounds(K, y, C, *, init="absolute", tol=1e-4, max_iter=MAX_ROUNDS, stop="paper") -> Iterator[Round]:
    """The LS-SVM and the rounds of ISLS from it, until `stop` is met, no coefficient is left, or `max_iter` rounds.

    K: symmetric (N, N); y: labels -1, +1 or real targets (N,); C: positive, a number or (N,).
    init: the first weights lambda, from the LS-SVM's beta: "absolute" |beta|, the usable reading of the paper;
        "inverse_square" 1/beta^2, the rule of all later rounds; "literal" beta, as the paper prints it, which makes the
        first round a saddle point, not a minimum.
    stop: "paper", step < tol; "strict", violation <= tol, also that of the machine without what is below `SUPPORT`.
    """
    if init not in INITS:
        raise ValueError(f"init must be one of {', '.join(INITS)}; got {init!r}")
    if stop not in STOPS:
        raise ValueError(f"stop must be one of {', '.join(STOPS)}; got {stop!r}")
    K, (y, C) = np.asarray(K, float), duals.check_targets(y, C)
    step = _Step(K, y, C)
    first = linear_system.direct(K, duals.least_squares(y, C))
    now = step.round(0, np.arange(len(y)), first.beta, None)
    yield now
    for iteration in range(1, max_iter + 1):
        before, weight = now.beta, np.abs(now.beta)
        if iteration == 1 and init == "literal":
            alive, beta = step.alive, step.saddle(before)
        elif iteration == 1 and init == "absolute":
            alive, beta = step.alive, step(np.maximum(weight, PRUNED) ** -0.5)
        else:
            alive = step.keep(now.size > PRUNED)
            beta = step(weight[alive])
        if beta is None:
            return
        now = step.round(iteration, alive, beta, before)
        yield now
        if is_settled(now, K, y, C, tol, stop) or not np.any(now.size > PRUNED) or deadline.is_over():
            return


class _Step:
    """Data that do not change from round to round, and a round for given weights."""

    def __init__(self, K, y, C):
        root = np.sqrt(C)
        self.level = float(C @ y / C.sum())
        self.means = C @ K / C.sum()  # of each column
        self.t = root * (y - self.level)
        self.S = (K - self.means[:, None]) * root  # K is symmetric: its rows are its columns
        self.G, self.h = self.S @ self.S.T, self.S @ self.t
        self.reach = reach(K)
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
        if not n:  # LAPACK takes no empty system
            return d
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            system = np.multiply(self.G, d, out=self.room[: n * n].reshape(n, n))
            system *= d[:, None]
            diagonal = system.reshape(-1)[:: n + 1]
            diagonal += 1.0
            if np.isfinite(diagonal).all():  # an infinite one would make its coefficient zero
                _, v, info = dposv(system.T, d * self.h, lower=1, overwrite_a=1)
                if not info:
                    return d * v
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
        size = self.reach * np.abs(beta)
        objective, violation, support = _measures(beta, size, p, left)
        moved = np.nan if before is None else float(np.linalg.norm(self.reach * (beta - before))) / n
        return Round(iteration, objective, violation, beta, intercept, p, size, int(support.sum()), moved)


def reach(K) -> np.ndarray:
    """max_j |K_ij|, (N,): the largest effect of a coefficient of one on a value of f."""
    return np.maximum(K.max(axis=1), -K.min(axis=1))


def _measures(beta, size, p, left):
    """(objective, violation, mask of the support (N,)) ; `left` are the weighted errors sqrt(C) xi."""
    support = size > SUPPORT
    violation = float(np.max(np.abs(beta * p - 1.0), where=support, initial=0.0))
    return float(np.sum(np.log(np.maximum(size, PRUNED) / PRUNED)) + 0.5 * left @ left), violation, support


def machine(now: Round, K, y, C) -> Round:
    """The round without the coefficients of negligible effect, measured on the rest: what `solve` returns if it ends
    here. K (N, N), y and C (N,) as in `rounds`.
    """
    (y, C), support = duals.check_targets(y, C), np.flatnonzero(now.size > SUPPORT)
    beta = np.zeros(len(y))
    beta[support] = now.beta[support]
    K_beta = beta[support] @ K[support]
    intercept = float(C @ (y - K_beta) / C.sum())
    xi = y - K_beta - intercept
    p = K @ (C * xi)
    size = np.where(beta, now.size, 0.0)
    objective, violation, _ = _measures(beta, size, p, np.sqrt(C) * xi)
    return now._replace(beta=beta, intercept=intercept, objective=objective, violation=violation, p=p)


def is_settled(now: Round, K, y, C, tol, stop) -> bool:
    """True if the stopping rule is met after this round."""
    if stop == "paper":
        return now.step < tol
    return now.iteration > 0 and now.violation <= tol and machine(now, K, y, C).violation <= tol


def solve(task, *, tol=1e-4, max_iter=MAX_ROUNDS, init="absolute", stop="paper") -> Solution:
    """The last of the `rounds` for a `Task` with labels or real targets; its loss is the squared error.

    Coefficients whose effect on f is at most `SUPPORT`, on their way to zero when the rule was met, are zero in the
    solution, and objective and violation are those of the solution. The status is "converged", or a sentence.
    ValueError for unknown options and for more points than a Gram matrix takes.
    """
    if len(task.y) > convex.DENSE:
        raise ValueError(
            f"ISLS needs the whole Gram matrix, at most {convex.DENSE} points, got {len(task.y)}; use fewer"
        )
    K, (y, C) = task.kernel(task.X), duals.check_targets(task.y, task.C)
    with blas.one_thread():  # systems that shrink: on a busy machine threads would stall
        for now in rounds(K, y, C, init=init, tol=tol, max_iter=max_iter, stop=stop):  # noqa: B007
            pass
        return solution(now, K, y, C, tol=tol, max_iter=max_iter, stop=stop)


def solution(now: Round, K, y, C, *, tol=1e-4, max_iter=MAX_ROUNDS, stop="paper") -> Solution:
    """The Solution of a run that ended with this round; K (N, N), y and C (N,) as in `rounds`."""
    found = machine(now, K, y, C)
    if not now.n_support and now.iteration:
        status = Status.CONSTANT
    elif found.violation > DROWNED:
        status = Status.INACCURATE_ISLS
    elif is_settled(now, K, y, C, tol, stop):
        status = Status.CONVERGED if np.any(found.beta * found.p > 0.5) else Status.VANISHING
    else:
        status = Status.ITERATION_LIMIT if now.iteration >= max_iter else Status.SINGULAR_ROUND
    route = f"LS-SVM, {with_count(now.iteration, 'round')} of re-weighting"
    status = deadline.final_status(status)
    return Solution(found.beta, found.intercept, found.objective, found.violation, now.iteration, status, route)
