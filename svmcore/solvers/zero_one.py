"""The L0/1-SVM from data to an answer: several runs, the best local minimum, and a certificate.

    minimise  1/2 |w|^2 + C sum_i c_i [1 - y_i f(x_i) > 0],      f(x) = w.phi(x) + b

The problem is NP-hard and has very many local minima. With rules="robust" three runs of `admm` search for good ones:
each visits many w, the best strips of a run are followed to local minima (`local_search`), and the best of all is the
answer; `n_agreed` is the number of runs that found it. On 64 planar problems with 10 and 20 % of flipped labels it was
the global minimum every time (tests/core/test_zero_one.py); with kernels and many features this is unknown, and runs
often differ.

With rules="paper" or "authors" it is a single run, for comparison: usually no local minimum, as its status says.

Forms. The linear kernel with fewer features than samples never needs a Gram matrix. Others do, up to 5000 samples; if
the matrix has a low rank r, its factor L, (N, r), replaces X for any N.

References
    H. Wang, Y. Shao, S. Zhou, C. Zhang, N. Xiu (2022). Support vector machine classifier via L0/1 soft-margin loss.
        IEEE Transactions on Pattern Analysis and Machine Intelligence 44(10), 7253-7265; arXiv 1912.07418.
"""

import numpy as np
from threadpoolctl import threadpool_limits

from svmcore import kernels
from svmcore.kernels.rows import Rows
from svmcore.solvers import admm, interior_point, local_search
from svmcore.solvers.convex import Solution
from svmcore.solvers.expansions import Gram, Linear
from svmcore.status import Status

SMALL = 400  # up to here a Gram matrix is as good as a factor
DENSE = 5000  # a Gram matrix of 200 MB
FACTOR_BYTES = 500e6
LARGE = 2000
LOOKS = 2, 5, np.inf  # iterations between checks of the best strip, strips followed, checks in vain that end a run
FEWER_LOOKS = 10, 2, 10  # above LARGE samples

STARTS = (
    admm.RULES["robust"],
    admm.RULES["robust"]._replace(window=1.5, growth=1.05),
    admm.RULES["authors"],
)
SAME = 1e-6  # relative difference up to which objectives belong to the same minimum


def solve(kernel, X, y, C, *, weight=None, rules="robust", max_iter=1000, **changes) -> Solution:
    """The L0/1-SVM of X (N, d), with kernel "precomputed" of K (N, N), and labels y (N,) in {-1, +1}, both present.

    C: cost of a violator; weight (N,): factors on it, or None. rules, **changes: as in `admm.rules`; any change makes
    it a single run. max_iter: most iterations of a run. Raises ValueError for anything else.

    beta is zero except on the support, where y f = 1; samples with y f < 1 are ignored. `objective` is the primal one,
    `violation` the largest error in the conditions of a local minimum, `n_starts` the number of runs.
    """
    chosen = admm.rules(rules, **changes)
    if max_iter < 1:
        raise ValueError(f"max_iter must be at least 1, got {max_iter!r}")
    form = _form(kernel, X, y, C, weight)
    # many small products: on a busy machine the threads of BLAS would stall for fifty times as long
    with threadpool_limits(1, user_api="blas"):
        if chosen == admm.RULES["robust"]:
            return _best_of_several(form, max_iter)
        return _single(form, chosen, max_iter)


def certificate(form, beta, intercept, *, tol=1e-6) -> float | None:
    """The smallest sigma_0 such that this point is P-stationary for every sigma > sigma_0; None if there is none.

    form: `expansions.Linear` or `expansions.Gram`; beta (N,), w = sum beta_i x_i. Everything is computed anew: alpha =
    y beta must not be negative and sum(beta) must be zero; samples with alpha > 0 must have slack 0, each up to `tol`.
    Then, with u_i the positive slacks of the others and lam = -alpha, u is the proximal point of u - lam / (sigma c)
    exactly when no alpha is too large for the window, alpha_i <= c_i sqrt(2 C sigma), and no outlier lies in it,
    u_i > sqrt(2 C / sigma).

    A point with any certificate is a local minimum of the L0/1-SVM (Wang et al. 2022, theorems 3.2 and 3.4).
    """
    if _violation(form, beta, intercept) > tol:
        return None
    T = np.flatnonzero(beta)
    slack = _slack(form, beta, intercept)
    largest = np.max((beta[T] / form.weight[T]) ** 2, initial=0.0) / (2.0 * form.C)
    return float(max(largest, np.max(2.0 * form.C / slack[slack > tol] ** 2, initial=0.0)))


def _slack(form, beta, intercept):
    T = np.flatnonzero(beta)
    return 1.0 - form.y * (form.expand(T, beta[T])[0] + intercept)


def _violation(form, beta, intercept):
    """The largest error in: sum(beta) = 0, alpha >= 0, slack 0 on T, no slack between 0 and what counts as positive."""
    T = np.flatnonzero(beta)
    slack = _slack(form, beta, intercept)
    total = 1.0 + float(np.abs(beta).sum())
    negative = np.max(-form.y[T] * beta[T], initial=0.0) / total
    blurred = np.max(slack, where=slack <= local_search.ROUNDING, initial=0.0)
    on_T = np.max(np.abs(slack[T]), initial=0.0)
    return float(max(abs(float(beta.sum())) / total, negative, on_T, blurred))


def _best_of_several(form, max_iter):
    reached, n_iter, known, status = [], 0, {}, Status.EMPTY_WORKING_SET
    for rules in STARTS:
        strips, state = _promising(form, rules, max_iter)
        ends = [local_search.follow(form, strip, known) for strip in strips]
        reached += sorted((end for end in ends if end is not None), key=lambda margin: margin.objective)[:1]
        n_iter += state.iteration
        status = Status.NOT_POSITIVE if state.status == Status.NOT_POSITIVE else status
    route = f"{len(STARTS)} runs, {n_iter} ADMM iterations, {len(known)} hard margins"
    if not reached:
        return _trivial(form, n_iter, status, route)
    best = min(reached, key=lambda margin: margin.objective)
    beta = np.zeros(len(form))
    beta[best.idx] = best.beta
    agree = sum(margin.objective <= best.objective * (1.0 + SAME) for margin in reached)
    sigma = certificate(form, beta, best.intercept)
    return Solution(
        beta, best.intercept, best.objective, _violation(form, beta, best.intercept), n_iter,
        Status.INACCURATE_FEATURES if sigma is None else Status.CONVERGED, route, len(STARTS), agree, sigma,
    )  # fmt: skip


def _promising(form, rules, max_iter):
    """The best strips along a run, better than w = 0 and without two that keep the same samples; its last state."""
    every, few, patience = LOOKS if len(form) <= LARGE else FEWER_LOOKS
    below, best, state, in_vain = _trivial_objective(form), [], None, 0
    for state in admm.iterate(form, rules, max_iter=max_iter):
        if state.iteration % every and not state.done:
            continue
        values = form.y * (1.0 - state.slack) - state.intercept
        strip = local_search.strip(form, values, float(state.beta @ values), below)
        in_vain += 1
        if strip is not None and strip.key not in {other.key for other in best}:
            best, in_vain = sorted([*best, strip], key=lambda strip: strip.objective)[:few], 0
            below = best[-1].objective if len(best) == few else below
        if state.status == Status.CYCLING or in_vain == patience:
            break
    return best, state


def _trivial_objective(form):
    return form.C * float(min(form.weight[form.y > 0.0].sum(), form.weight[form.y < 0.0].sum()))


def _trivial(form, n_iter, status, route):
    """w = 0 and b = +-1: the class with the smaller weight is misclassified."""
    beta, objective = np.zeros(len(form)), _trivial_objective(form)
    intercept = 1.0 if form.weight @ form.y >= 0.0 else -1.0
    return Solution(
        beta, intercept, objective, 0.0, n_iter, status, route, len(STARTS), len(STARTS),
        certificate(form, beta, intercept),
    )  # fmt: skip


def _single(form, rules, max_iter):
    state = admm.solve(form, rules, max_iter=max_iter)
    return Solution(
        state.beta, state.intercept, state.objective, state.violation, state.iteration, state.status,
        f"1 run, {state.iteration} ADMM iterations", certificate=certificate(form, state.beta, state.intercept),
    )  # fmt: skip


def _form(kernel, X, y, C, weight):
    """The cheapest form of the problem."""
    n, d = np.shape(X)
    if kernel.name == "linear" and d < n:
        return Linear(X, y, C, weight)
    X, _ = kernel.checked(X)
    if n <= SMALL:
        return Gram(kernel(X), y, C, weight)
    factor = _factor(kernel, X)
    if factor is not None:
        return Linear(factor, y, C, weight)
    if n > DENSE:
        raise ValueError(
            f"the L0/1-SVM with this kernel needs a Gram matrix of {n} x {n} numbers; take at most {DENSE} samples, "
            "the linear kernel, or a smoother kernel (larger sigma), whose matrix has a factor of low rank"
        )
    return Gram(kernel(X), y, C, weight)


def _factor(kernel, X):
    """L (N, r) with L L' = K up to 1e-11 and r at most N / 4, or None."""
    if callable(kernel.name) or not kernels.KERNELS[kernel.name].definite:
        return None
    rows = Rows(kernel, X, FACTOR_BYTES)
    most = int(min(len(X) // 4, FACTOR_BYTES // (8 * len(X))))
    factor = interior_point.pivoted_cholesky(lambda j: rows.rows([j])[0], rows.diagonal, tol=1e-11, max_rank=most)
    return factor.L if factor.complete else None
