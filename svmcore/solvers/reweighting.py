"""Re-weighting from the 2-norm to the 1-norm SVM (the walk), and the 1-norm SVM itself as a linear programme.

    minimise   |w|_1 + penalty(b) + sum_i C_i loss(1 - y_i (x_i.w + b))

Round t of the walk solves a 2-norm SVM in which feature j has the scale |u_j|, u being the weights of the round before
(1 in the first round: RW(1) is the 2-norm SVM itself):

    minimise   1/2 sum_j w_j^2 / |u_j| + penalty(b) + sum_i C_i loss(1 - y_i (x_i.w + b))

Since 1/2 (w_j^2 / |u_j| + |u_j|) >= |w_j|, with equality at w = u, no round raises the 1-norm objective. A weight that
is zero stays zero. The dual identity w = |u| g with g = X'(alpha y) gives the rate: a feature with |g_j| < 1 shrinks by
that factor in each round, one that stays has |g_j| = 1; these are the optimality conditions of the 1-norm SVM.

`alpha` of any round, times a factor that makes |g_j| <= 1, is feasible for the dual of the 1-norm SVM, so its value is
a lower bound on the optimum: the distance to the optimum is bounded without the linear programme.

The intercept is the weight of a constant feature; `bias` is its penalty.

    "squared"    b^2 / 2    its scale stays 1                    (walk)
    "absolute"   |b|        re-weighted like every other         (walk, linear programme)
    "free"       nothing                                         (linear programme)
    "none"       there is no intercept                           (walk, linear programme)

Sources: Kujala, Aho and Elomaa (2009), A Walk from 2-Norm SVM to 1-Norm SVM, ICDM, 836-841, Algorithm 1 and Theorems 1
to 3 (its |w|_u is a squared norm); Zhu, Rosset, Hastie and Tibshirani (2004), 1-norm support vector machines, for the
linear programme. The bound is our own.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
import scipy  # its `optimize`, which few need, is loaded on first use
from scipy import sparse

from svmcore import words
from svmcore.duals import BoxQP
from svmcore.solvers import blas
from svmcore.solvers.box_dual import coordinate, interior_point
from svmcore.solvers.solution import Details, Solution
from svmcore.status import Status

SOLVERS = ("coordinate", "interior_point")
WALK_BIASES = ("squared", "absolute", "none")
PROGRAMME_BIASES = ("absolute", "free", "none")
SQUARED_HINGE_BIASES = ("absolute", "none")
NEGLIGIBLE = 1e-6  # of the largest weight


class Round(NamedTuple):
    """Round t = `iteration` of the walk: RW(t). w (d,), alpha (n,), g (d + 1,) as above, g_b last.

    `objective` is the 1-norm objective, `error` its loss term; `lower_bound` the best bound so
    far. `violation` and `status` are those of the inner solver, which took `n_epochs`.
    """

    iteration: int
    w: np.ndarray
    intercept: float
    alpha: np.ndarray
    g: np.ndarray
    objective: float
    error: float
    lower_bound: float
    violation: float
    n_epochs: int
    status: str

    @property
    def gap(self) -> float:
        """Relative gap, 0 to 1: (objective - lower bound) / objective."""
        return relative_gap(self.objective, self.lower_bound)

    @property
    def n_features(self) -> int:
        """The number of weights that are not negligible."""
        return nonzero(self.w)


def relative_gap(objective, bound) -> float:
    """A bound on (objective - optimum) / objective, 0 to 1; 0 for an objective of 0."""
    return max(objective - bound, 0.0) / objective if objective > 0.0 else 0.0


def nonzero(w) -> int:
    """The number of weights w (d,) above `NEGLIGIBLE` times the largest."""
    size = np.abs(w)
    return int(np.count_nonzero(size > NEGLIGIBLE * size.max(initial=0.0)))


def rounds(X, y, C, *, loss="hinge", bias="squared", solver="coordinate", **stop) -> Iterator[Round]:
    """RW(1), RW(2), ... without end, each as a `Round`.

    X (n, d), an array or a scipy sparse matrix; y (n,) of -1 and +1; C a number or (n,); loss "hinge" or
    "squared_hinge". `stop` has tol=1e-4, max_iter=10_000 and the seed=0 of the coordinates. `solver` of the rounds:

        "coordinate"      until the projected gradients span at most `tol`, or for `max_iter` epochs; a round starts
                          from the alpha of the previous one, which takes 50 to 90 percent of the epochs of a start at
                          zero
        "interior_point"  to a violation of `tol` for any C, about 40 iterations per round of n min(n, d)^2 operations
                          each, so for arrays with few features or few points; where rounding stops it earlier,
                          coordinate descent continues

    Raises ValueError for an unknown bias, loss or solver, and for a sparse X with "interior_point".
    """
    check_penalty("the walk", bias, WALK_BIASES)
    if solver not in SOLVERS:
        raise ValueError(f"the solver of the rounds must be one of {', '.join(SOLVERS)}, got {solver!r}")
    if solver == "interior_point" and sparse.issparse(X):
        raise ValueError('the interior point method needs X as an array; choose solver="coordinate" for a sparse one')
    task = coordinate.task(X, y, C, loss=loss, bias=float(bias != "none"))
    bound, alpha, t = -np.inf, None, 0
    while True:
        t += 1
        found = _solve_round(task, solver, alpha, **stop)
        alpha, w, b = found.alpha, found.w[:-1].copy(), float(found.w[-1])
        g = coordinate.gradient(task, alpha)
        bound = max(bound, lower_bound(task, alpha, g, bias))
        error = error_of(X, y, C, w, b, loss)
        yield Round(
            t, w, b, alpha.copy(), g, norm(w, b, bias) + error, error, bound,
            found.violation, found.n_iter, found.status,
        )  # fmt: skip
        scale = np.abs(found.w)
        if bias != "absolute":
            scale[-1] = task.scale[-1]
        task = task.with_scale(scale)


def _solve_round(task, solver, alpha, tol=1e-4, max_iter=10_000, seed=0) -> coordinate.State:
    if solver == "interior_point":
        return _solve_exactly(task, tol, max_iter)
    return coordinate.run(task, tol=tol, max_iter=max_iter, alpha=alpha, seed=seed)


def _solve_exactly(task, tol, max_iter) -> coordinate.State:
    """The round of this task by the interior point method, `n_iter` counting its iterations and the epochs after it.

    Its constraint sum(beta) = 0 is that of an intercept which costs nothing, and this one is a feature: a last
    coefficient without bounds or cost, of a point at zero, takes up whatever the sum is.
    """
    n, used = len(task.y), task.scale > 0.0
    L = np.zeros((n + 1, int(used.sum())))
    L[:n] = np.column_stack([task.dense, np.ones(n)])[:, used] * np.sqrt(task.scale[used])
    positive = task.y > 0.0
    lower, upper = np.where(positive, 0.0, -task.upper), np.where(positive, task.upper, 0.0)
    qp = BoxQP(np.append(lower, -np.inf), np.append(upper, np.inf), np.append(task.ridge, 0.0), -np.append(task.y, 0.0))
    with blas.one_thread():
        found = interior_point.solve(L, qp, tol=tol)
    state = coordinate.start(task, alpha=np.clip(task.y * found.beta[:n], 0.0, task.upper))
    if found.status == Status.CONVERGED:
        return state._replace(violation=found.violation, n_iter=found.n_iter, is_done=True)
    state = coordinate.run(task, tol=tol, max_iter=max_iter, alpha=state.alpha)
    return state._replace(n_iter=found.n_iter + state.n_iter)


def walk(X, y, C, *, n_rounds=10, gap=1e-4, **options) -> Solution:
    """The last of `n_rounds` rounds, or the first whose relative gap is at most `gap`. `options` as for `rounds`."""
    epochs = 0
    for now in islice(rounds(X, y, C, **options), n_rounds):
        epochs += now.n_epochs
        if now.gap <= gap:
            break
    ended = Status.ALL_ROUNDS if now.status == Status.CONVERGED else Status.ITERATION_LIMIT
    status = Status.CONVERGED if now.gap <= gap else ended
    found = _solution(now.w, now.intercept, y * now.alpha, now.objective, now.lower_bound, now.iteration, status)
    return found.with_details(n_epochs=epochs)


def _solution(w, intercept, beta, objective, lower_bound, n_iter, status):
    """The solution with its relative gap as the violation."""
    gap, details = relative_gap(objective, lower_bound), Details(w=w, lower_bound=lower_bound)
    return Solution(beta, intercept, objective, gap, n_iter, status, "1-norm", details)


def check_penalty(what, bias, known) -> None:
    """Raises ValueError with the `known` penalties of the intercept for one that `what` does not have."""
    if bias not in known:
        raise ValueError(f"{what} has no penalty {bias!r} of the intercept; choose {words.join_words(known, 'or')}")


def norm(w, b, bias) -> float:
    """|w|_1 plus the penalty of the intercept."""
    return float(np.abs(w).sum()) + {"squared": 0.5 * b * b, "absolute": abs(b)}.get(bias, 0.0)


def error_of(X, y, C, w, b, loss="hinge") -> float:
    """sum_i C_i loss(1 - y_i (x_i.w + b)), the loss term of the objective; arguments as for `rounds`."""
    t = np.maximum(1.0 - y * (X @ w + b), 0.0)
    return float(np.sum(C * (t if loss == "hinge" else 0.5 * t * t)))


def lower_bound(task, alpha, g, bias) -> float:
    """The largest value of the dual of the 1-norm SVM at a multiple of alpha (n,); g (d + 1,) = X'(alpha y), sum last.

    The dual is  maximise sum(alpha) - 1/2 (ridge'alpha^2 + g_b^2 where the bias is squared)  over 0 <= alpha <= upper,
    |g_j| <= 1 for every feature, including the constant one if it is in the norm.
    """
    total = float(alpha.sum())
    if total == 0.0:
        return 0.0
    squared = float(task.ridge @ alpha**2) + (g[-1] ** 2 if bias == "squared" else 0.0)
    steepest = float(np.abs(g if bias == "absolute" else g[:-1]).max(initial=0.0))
    used = alpha > 0.0
    most = float(np.min(task.upper[used] / alpha[used]))
    most = min(most, 1.0 / steepest) if steepest > 0.0 else most
    multiple = min(most, total / squared) if squared > 0.0 else most
    return multiple * total - 0.5 * multiple**2 * squared


def linear_program(X, y, C, *, bias="free", max_iter=None, gap=1e-4) -> Solution:
    """The 1-norm SVM with hinge loss, solved exactly by HiGHS: exact zeros, and multipliers as a certificate.

    minimise  1'(p + q) + C'xi  over p, q, xi >= 0 with w = p - q (and |b| = b+ + b- if the bias is in the norm)
    subject to  y_i (x_i.w + b) + xi_i >= 1. Sparse matrices stay sparse; `max_iter` limits the simplex iterations.
    "inaccurate" if the relative gap is larger than `gap`. Raises ValueError for an unknown bias.
    """
    check_penalty("the linear programme", bias, PROGRAMME_BIASES)
    (n, d), C = X.shape, np.broadcast_to(np.asarray(C, float), len(y))
    ones = np.ones((n, int(bias == "absolute")))
    signed = sparse.diags_array(np.asarray(y, float)) @ sparse.hstack([sparse.csr_array(X), sparse.csr_array(ones)])
    free = sparse.csc_array(np.asarray(y, float)[:, None] * np.ones((n, int(bias == "free"))))
    matrix = sparse.hstack([-signed, signed, -free, -sparse.eye_array(n)], format="csc")
    k = signed.shape[1]
    cost = np.concatenate([np.ones(2 * k), np.zeros(free.shape[1]), C])
    bounds = np.zeros((len(cost), 2))
    bounds[:, 1] = np.inf
    bounds[2 * k : 2 * k + free.shape[1], 0] = -np.inf
    options = {} if max_iter is None else {"maxiter": max_iter}
    found = scipy.optimize.linprog(cost, A_ub=matrix, b_ub=-np.ones(n), bounds=bounds, method="highs", options=options)
    if found.x is None:
        return _solution(np.zeros(d), 0.0, np.zeros(n), float(C.sum()), 0.0, int(found.nit), _reason(found))
    weights = np.append(found.x[:k] - found.x[k : 2 * k], found.x[2 * k : 2 * k + free.shape[1]])
    w, b = weights[:d], float(weights[d:].sum())
    alpha = np.clip(-found.ineqlin.marginals, 0.0, C)
    task = coordinate.task(X, y, C)
    bound = lower_bound(task, alpha, coordinate.gradient(task, alpha), bias)
    objective = norm(w, b, bias) + error_of(X, y, C, w, b)
    status = Status.INACCURATE if found.success and relative_gap(objective, bound) > gap else _reason(found)
    return _solution(w, b, y * alpha, objective, bound, int(found.nit), status)


def optimum(X, y, C, *, loss="hinge", bias="absolute") -> Solution:
    """The 1-norm SVM to which the walk converges: the linear programme for "hinge"; for "squared_hinge" an interior
    point method, to a relative gap of about 1e-10.

    X (n, d), y (n,), C a number; bias "absolute" or "none". Raises ValueError for another bias with "squared_hinge".
    """
    if loss == "hinge":
        return linear_program(X, y, C, bias=bias)
    check_penalty("the squared hinge loss", bias, SQUARED_HINGE_BIASES)
    X = X.toarray() if sparse.issparse(X) else np.asarray(X, float)
    w, b, found = _squared_hinge(X, y, C, intercept=bias == "absolute")
    alpha = C * np.maximum(1.0 - y * (X @ w + b), 0.0)
    task = coordinate.task(X, y, C, loss=loss, bias=float(bias != "none"))
    bound = lower_bound(task, alpha, coordinate.gradient(task, alpha), bias)
    objective = norm(w, b, bias) + error_of(X, y, C, w, b, loss)
    ended = Status.INACCURATE if found.status == Status.CONVERGED else found.status
    status = Status.CONVERGED if relative_gap(objective, bound) <= 1e-3 else ended
    return _solution(w, b, y * alpha, objective, bound, found.n_iter, status)


def _squared_hinge(X, y, C, intercept):
    """(w, b, solution) of the minimum of |w|_1 (+ |b|) + C/2 sum_i max(0, 1 - y_i f(x_i))^2.

    With w = p - q and the excess s of the points beyond the margin it is the quadratic sum(p + q) + C/2 |1 - yf + s|^2
    of numbers that are not negative: a box. Coordinate descent would take the more epochs the larger C.
    """
    n, one = len(y), np.ones((len(y), int(intercept)))
    signed = y[:, None] * np.column_stack([X, one])
    k, pull = signed.shape[1], C * signed.sum(axis=0)
    # the last coefficient, without bounds or cost, of a point at zero, takes up what all others sum to
    L = np.sqrt(C) * np.vstack([signed.T, -signed.T, -np.eye(n), np.zeros((1, n))])
    lower = np.append(np.zeros(len(L) - 1), -np.inf)
    linear = np.concatenate([1.0 - pull, 1.0 + pull, np.full(n, C), [0.0]])
    with blas.one_thread():
        found = interior_point.solve(L, BoxQP(lower, np.full(len(L), np.inf), np.zeros(len(L)), linear), tol=1e-8)
    parts = np.where(found.details.multipliers.at_lower, 0.0, found.beta)
    weights = parts[:k] - parts[k : 2 * k]
    d = X.shape[1]
    return weights[:d], float(weights[d:].sum()), found


def _reason(found):
    known = {0: Status.CONVERGED, 1: Status.ITERATION_LIMIT, 4: Status.INACCURATE}  # 4: "numerical difficulties"
    return known.get(found.status, f"HiGHS: {found.message}")
