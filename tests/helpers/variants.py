"""Every loss, at parameters that tell its formulas apart, points that are hard on all of them, and what a solution
has to fulfil, computed from scratch.
"""

import numpy as np
import pytest
from scipy.special import expit

from svmcore import duals, losses
from svmcore.kernels import Kernel
from svmcore.solvers.solution import Task

LINEAR, RBF = Kernel("linear"), Kernel("rbf", gamma=0.7)
every_kernel = pytest.mark.parametrize("kernel", [LINEAR, RBF], ids=["linear", "rbf"])
# not the defaults: at tau = 0.5, tau and 1 - tau cannot be told apart; for a new loss `_odd` finds some
PARAMS = {
    "pinball": {"tau": 0.3},
    "insensitive_pinball": {"tau": 0.3, "epsilon": 0.2},
    "huber": {"delta": 0.7},
    "ramp": {"mu": 1.5},
    "truncated_pinball": {"tau": 0.3, "kappa": 0.2},
    "asymmetric_truncated_pinball": {"tau": 0.3, "kappa": 0.2, "mu": 1.5},
    "sigmoid": {"a": 3.0},
    "normalized_sigmoid": {"lam": 0.7},
}


def _odd(loss):
    """Parameters that are not the defaults: within a range of finite length 0.3 of it, else 0.7 of the default."""
    own = {p.name: p.low + 0.3 * (p.high - p.low) if np.isfinite(p.high) else 0.7 * p.default for p in loss.parameters}
    return own | PARAMS.get(loss.key, {})


ALL = {key: _odd(loss) for key, loss in losses.LOSSES.items()}


def _solved_by(way):
    return [(key, ALL[key]) for key, loss in losses.LOSSES.items() if loss.solved_by == way]


VARIANTS = [(key, ALL[key]) for key in duals.DUALS]  # every loss with a box dual
SMOOTH, TRUNCATED, REWEIGHTED, COUNTED = map(_solved_by, ("quasi-Newton", "CCCP", "re-weighting", "ADMM"))
# a loss of each solver, convex or not, with support vectors or without
EACH = {(loss.solved_by, loss.convex, loss.sparse): key for key, loss in reversed(losses.LOSSES.items())}.values()
EVERY = VARIANTS + [pair for pair in ALL.items() if pair not in [*VARIANTS, *COUNTED]]


def each_loss(pairs):
    """For every pair (loss, params), a test with these arguments."""
    return pytest.mark.parametrize("loss, params", pairs, ids=[key for key, _ in pairs])


every_loss, every_variant, every_smooth, every_truncated = map(each_loss, (EVERY, VARIANTS, SMOOTH, TRUNCATED))

# smooth, with support values of both signs, which no loss of the registry has that is solved by its primal
LOG_COSH = losses.Loss(
    key="log_cosh",
    machine="Log-cosh SVM",
    colour=99,
    latex=r"\ln\cosh t",
    solved_by="quasi-Newton",
    source="a loss of the tests",
    value_of=lambda t: np.abs(t) + np.log1p(np.exp(-2.0 * np.abs(t))) - np.log(2.0),
    slope_of=np.tanh,
    prox_of=NotImplemented,
    curvature_of=lambda t: 4.0 * expit(2.0 * t) * expit(-2.0 * t),
)


def overlapping(n, seed=0, d=2, twins=(3, 4, 5)):
    """(X, y): two overlapping clouds in d dimensions, labels in turns; the `twins` lie where point 1 lies."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, d)) + 0.7 * y[:, None]
    X[list(twins)] = X[1]
    return X, y


def normal(n, d, seed=0):
    """n points (n, d) about the origin."""
    return np.random.default_rng(seed).normal(size=(n, d))


def gaussian(X, gamma=1.0):
    """The Gaussian matrix of the points, by numpy."""
    return np.exp(-gamma * ((X[:, None] - X) ** 2).sum(-1))


def laplace(X, Z):
    """A kernel of one's own, which is no key of KERNELS and dear to compute again."""
    return np.exp(-np.abs(X[:, None] - Z[None]).sum(axis=-1))


def uneven(loss, y, C=5.0):
    """The box dual of a loss; no two samples have the same weight."""
    return duals.build(loss, y, C * (1.0 + 0.1 * np.sin(np.arange(len(y)))), **ALL[loss])


def violation(K, qp, beta):
    """How far beta is from the conditions of a box dual; its bounds are kept to the last digit, its sum nearly so."""
    assert np.all(beta >= qp.lower) and np.all(beta <= qp.upper)
    assert abs(beta.sum()) <= 1e-12 * np.abs(beta).sum()
    F = -qp.linear - K @ beta - qp.ridge * beta
    return F[beta < qp.upper].max(initial=-np.inf) - F[beta > qp.lower].min(initial=np.inf)


def expanded(model, n):
    """beta of all n points of a fitted machine, of which it keeps that of the support vectors."""
    beta = np.zeros(n)
    beta[model.support_] = model.dual_coef_[0]
    return beta


def bordered(H, y):
    """[0 1'; 1 H] [b; x] = [0; y], the LS-SVM by numpy: (x, b)."""
    system = np.block([[np.zeros((1, 1)), np.ones((1, len(y)))], [np.ones((len(y), 1)), H]])
    solved = np.linalg.solve(system, np.append(0.0, y))
    return solved[1:], solved[0]


def distance_to_slopes(loss, params, share, t, nothing):
    """The smallest v such that each share alpha / C is, to some ulp, a slope of the loss between t - v and t + v, or
    both are less than `nothing`; share and t (N,)."""

    def holds(v):
        beside = np.clip(np.array([[-1e-300], [1e-300]]), t - v, t + v)  # of the kink
        slopes = loss.slope(np.vstack([t + v * np.linspace(-1, 1, 41)[:, None], beside]).astype(float), **params)
        room = 1e-13 * np.abs(share) + 1e-16 * slopes.max(axis=0) + nothing
        return np.all((share >= slopes.min(axis=0) - room) & (share <= slopes.max(axis=0) + room))

    low, high = 0.0, 1e-12
    while not holds(high):
        low, high = high, 10.0 * high
        if high > 1e6:
            return np.inf
    for _ in range(12):
        middle = np.sqrt(max(low, 0.01 * high) * high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return float(high)


def task(loss, params, kernel, X, y, C):
    return Task(kernel, X, y, C, loss, params).validate()


def primal(task, beta, intercept):
    """P of the machine from its coefficients alone."""
    K_beta = task.kernel(task.X) @ beta
    return duals.primal_objective(task.loss, K_beta + intercept, task.y, task.C, beta @ K_beta, **task.params)
