"""The L0/1-SVM from data to an answer: several runs, the best local minimum, and a certificate.

    minimise  1/2 |w|^2 + C sum_i c_i [1 - y_i f(x_i) > 0],      f(x) = w.phi(x) + b

The problem is NP-hard and has very many local minima. With rules="robust" there are six starts: three runs of `admm`,
each of which visits many w, and the w of three convex machines. From each start the best strips are followed to local
minima (`local_search`), and the lowest is the answer; `n_agreed` is the number of starts that found it. On 64 planar
problems with 10 and 20 % of flipped labels it was the global minimum every time (a test). With
kernels and many features this is unknown, and the starts often lead to different minima.

With rules="paper" or "authors" there is a single run, for comparison; it usually ends at no local minimum, and its
status says so.

Forms. The linear kernel with fewer features than samples never needs a Gram matrix. Others do, up to 5000 samples; if
the matrix has a low rank r, its factor L, (N, r), replaces X for any N.

Source: Wang et al. (2022), see `admm`.
"""

from collections.abc import Callable

import numpy as np

from svmcore import deadline, duals, losses
from svmcore.kernels.rows import Rows
from svmcore.solvers import blas
from svmcore.solvers.box_dual import convex, interior_point
from svmcore.solvers.nonconvex import admm, local_search, multistart
from svmcore.solvers.nonconvex.expansions import Gram, Linear
from svmcore.solvers.solution import Details, Solution, Task
from svmcore.status import Status
from svmcore.words import with_count

SMALL = 400  # up to here a Gram matrix is as good as a factor
DENSE = 5000  # a Gram matrix of 200 MB
FACTOR_BYTES = 500e6
LARGE = 2000  # samples from which a run looks for strips less often
LOOKS = 2, 5, np.inf  # iterations between checks of the best strip, strips followed, checks in vain that end a run
FEWER_LOOKS = 10, 2, 10  # above LARGE samples
MOST_LOOKS = 100  # at once

RUNS = {
    "robust": admm.RULES["robust"],
    "robust_fast": admm.RULES["robust"]._replace(window=1.5, growth=1.05),
    "authors": admm.RULES["authors"],
}
MACHINES = ("hinge", "least_absolute", "least_squares")  # of convex losses
STARTS = (*RUNS, *MACHINES)
MACHINE_TOLERANCE = 1e-3
ACCURACY = 1e-6  # in the conditions of a local minimum


def solve(task, *, tol=None, max_iter=1000, rules="robust", starts=None, **changes) -> Solution:
    """The L0/1-SVM of a `Task` whose labels are -1 and +1, both present; weights are costs of a violator.

    rules, **changes: as in `admm.rules`; any change makes it a single run, else `starts` names some of `STARTS`: the
    runs of `RUNS`, or the machines of a convex loss. By default all of them, above `LARGE` samples the runs only.
    max_iter: most iterations of a run. `tol` is one of these changes: a local minimum is certified without it. Raises
    ValueError for anything else.

    beta is zero except on the support, where y f = 1; samples with y f < 1 are ignored. `objective` is the primal one,
    `violation` the largest error in the conditions of a local minimum.
    """
    kernel, X, y, C, *_ = task.validate()
    changes |= {} if tol is None else {"tol": tol}
    usual = STARTS if len(y) <= LARGE else tuple(RUNS)  # the memory of a convex machine is a multiple of that of X
    chosen, names = admm.rules(rules, **changes), multistart.check_names(starts, STARTS, usual)
    if max_iter < 1:
        raise ValueError(f"max_iter must be at least 1, got {max_iter!r}")
    if starts is not None and chosen != admm.RULES["robust"]:
        raise ValueError("starts can be chosen for rules='robust' only; other rules are a single run")
    form = _form(kernel, X, y, float(C.min()), C / C.min())
    with blas.one_thread():  # many small products
        several = chosen == admm.RULES["robust"]
        found = _best_of_several(form, names, kernel, X, max_iter) if several else _single(form, chosen, max_iter)
    if found.status != Status.CONVERGED:
        return found
    return found._replace(status=Status.UNCERTIFIED if found.details.certificate is None else Status.LOCAL_MINIMUM)


def measure(task, found) -> Callable:
    """The violation of a solution of the task, as `rounding.check` asks for it: in sum(beta) = 0, alpha >= 0, and
    y f = 1 on the support."""

    def violation(K_beta):
        alpha, total = task.y * found.beta, 1.0 + np.abs(found.beta).sum()
        slack = 1.0 - task.y * (K_beta + found.intercept)
        wrong = max(abs(found.beta.sum()), np.max(-alpha)) / total
        return max(wrong, np.max(np.abs(slack[found.beta != 0.0]), initial=0.0))

    return violation


def certificate(form, beta, intercept, *, tol=ACCURACY) -> float | None:
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


def _best_of_several(form, names, kernel, X, max_iter):
    known, found = {}, []
    for name in names:
        if name in RUNS:
            strips, state = _promising_strips(form, RUNS[name], max_iter)
            failed, n_iter = state.status == Status.NOT_POSITIVE, state.iteration
        else:
            strip = local_search.strip(form, *_direction_of(form, name, kernel, X), _trivial_objective(form))
            strips, failed, n_iter = [] if strip is None else [strip], False, 0
        found.append(_end(form, strips, known, name, failed)._replace(n_iter=n_iter))
    lowest = multistart.lowest(found)
    work = f"{with_count(lowest.n_iter, 'ADMM iteration')}, {with_count(len(known), 'hard margin')}"
    return lowest._replace(route=f"{lowest.route}; {work}")


def _end(form, strips, known, name, failed):
    """The lowest local minimum to which these strips lead, else w = 0."""
    margins = [margin for margin in (local_search.follow(form, strip, known) for strip in strips) if margin is not None]
    if failed or not margins:
        return _trivial(form, Status.NOT_POSITIVE if failed else Status.EMPTY_WORKING_SET)
    best = min(margins, key=lambda margin: margin.objective)
    beta = np.zeros(len(form))
    beta[best.idx] = best.beta
    sigma = certificate(form, beta, best.intercept)
    return Solution(
        beta, best.intercept, best.objective, _violation(form, beta, best.intercept), 0,
        Status.INACCURATE_FEATURES if sigma is None else Status.CONVERGED, f"best from {name}",
        Details(certificate=sigma),
    )  # fmt: skip


def _direction_of(form, name, kernel, X):
    """w.x_i (N,) and |w|^2 of the machine of a convex loss."""
    qp = duals.DUALS[name](form.y, form.C * form.weight)
    beta = convex.solve(kernel, X, qp, tol=MACHINE_TOLERANCE).beta
    support = np.flatnonzero(beta)
    return form.expand(support, beta[support])[:2]


def _promising_strips(form, rules, max_iter):
    """The best strips along a run, better than w = 0 and without two that keep the same samples; its last state."""
    every, few, patience = LOOKS if len(form) <= LARGE else FEWER_LOOKS
    below, best, in_vain = _trivial_objective(form), {}, 0
    state, most = admm.start(form, rules), max(admm.PIECE // (form.table.size * every), 1)
    while state.iteration < max_iter and not state.is_done and state.status != Status.CYCLING and in_vain < patience:
        looks = int(min(most, MOST_LOOKS, patience - in_vain))
        state, visits = admm.visit(form, rules, state, min(looks * every, max_iter - state.iteration), every)
        values = form.y * (1.0 - visits.slack) - visits.intercept[:, None]
        squared_norms = np.array([beta @ row for beta, row in zip(visits.beta, values, strict=True)])
        seen = 0
        while seen < len(values):
            at, strip = local_search.next_strip(form, values[seen:], squared_norms[seen:], below, best.values())
            seen += at + 1
            if strip is None:
                in_vain += at
                break
            best[strip.key], in_vain = strip, 0
            if len(best) > few:
                del best[max(reversed(best), key=lambda key: best[key].objective)]
            below = max(strip.objective for strip in best.values()) if len(best) == few else below
        if deadline.is_over():
            break
    return sorted(best.values(), key=lambda strip: strip.objective), state


def trivial_objective(y, C) -> float:
    """The objective of w = 0: the class with the smaller weight is ignored; y (N,) labels, C a number or (N,).

    Any machine with a smaller objective is not trivial (Wang et al. 2022, after theorem 3.1).
    """
    C = np.broadcast_to(np.asarray(C, float), np.shape(y))
    return float(min(C[y > 0.0].sum(), C[y < 0.0].sum()))


def non_trivial_above(kernel, X, y) -> float | None:
    """A C above which w = 0 is not the optimum of the L0/1-SVM; None if none is found. X (N, d), y (N,) labels.

    With m points in the smaller class, a machine that ignores k < m points is better than w = 0, which costs C m, for
    every C > 1/2 |w|^2 / (m - k) (Wang et al. 2022, after theorem 3.1). The smallest of these bounds is taken over all
    strips in the directions of the L1-SVM, the Least 1-Norm SVM and the LS-SVM with C = 1, then, up to `SMALL` points,
    of the L0/1-SVM just above the bound, again while that lowers it. A bound below 0, where an indefinite kernel makes
    |w|^2 negative, is none.
    """
    form, least = _form(kernel, X, y, 1.0, None), np.inf
    for name in MACHINES:
        least = min(least, local_search.cheapest(form, *_direction_of(form, name, kernel, X)))
    while 0.0 < least < np.inf and len(y) <= SMALL:
        C = 1.01 * least
        found = solve(Task(kernel, X, y, C, losses.zero_one))
        k = np.sum(_slack(form, found.beta, found.intercept) > local_search.ROUNDING)
        saved = trivial_objective(y, 1.0) - k
        if not (found.beta.any() and saved > 0 and (found.objective - C * k) / saved < 0.999 * least):
            break
        least = float((found.objective - C * k) / saved)
    return least if 0.0 < least < np.inf else None


def _trivial_objective(form):
    return trivial_objective(form.y, form.C * form.weight)


def _trivial(form, status):
    """w = 0 and b = +-1: the class with the smaller weight is misclassified."""
    beta, intercept = np.zeros(len(form)), multistart.one_class(form.y, form.weight)
    return Solution(
        beta, intercept, _trivial_objective(form), 0.0, 0, status, "no start is better than w = 0",
        Details(certificate=certificate(form, beta, intercept)),
    )  # fmt: skip


def _single(form, rules, max_iter):
    state = admm.run(form, rules, max_iter=max_iter)
    sigma = certificate(form, state.beta, state.intercept)
    return Solution(
        state.beta, state.intercept, state.objective, state.violation, state.iteration, state.status,
        f"1 run, {with_count(state.iteration, 'ADMM iteration')}", Details(certificate=sigma),
    )  # fmt: skip


def _form(kernel, X, y, C, weight):
    """The cheapest form of the problem."""
    n, d = np.shape(X)
    if kernel.name == "linear" and d < n:
        return Linear(X, y, C, weight)
    X, _ = kernel.check_points(X)
    factor = _factor(kernel, X) if n > SMALL else None
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
    if not kernel.definite:
        return None
    rows = Rows(kernel, X, FACTOR_BYTES)
    most = int(min(len(X) // 4, FACTOR_BYTES // (8 * len(X))))
    factor = interior_point.pivoted_cholesky(lambda j: rows.rows([j])[0], rows.diagonal, tol=1e-11, max_rank=most)
    return factor.L if factor.complete else None
