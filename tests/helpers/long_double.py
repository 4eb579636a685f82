"""An oracle for what a status claims: the optimality conditions of a fitted machine in extended precision, by formulas
of its own, and the hostile fits for which it is asked."""

import numpy as np
from variants import ALL

from svmcore import SVC, SVR, duals, losses

LD = np.longdouble
MARGIN = 1e-6  # the tolerance of the 0/1 loss
KERNELS = ("linear", "rbf", "poly", "sigmoid")
SCALES = "normal", "far", "far", "small", "large", "uneven", "constant", "twins", "line", "grid"


def gram(kernel, X, Z) -> np.ndarray:
    """The kernel matrix of X (n, d) and Z (m, d), (n, m), in extended precision."""
    X, Z = X.astype(LD), Z.astype(LD)
    if kernel.name == "rbf":
        return np.exp(-LD(kernel.gamma) * sum((x[:, None] - z) ** 2 for x, z in zip(X.T, Z.T, strict=True)))
    products = sum(x[:, None] * z for x, z in zip(X.T, Z.T, strict=True))
    if kernel.name == "linear":
        return products
    inside = LD(kernel.gamma) * products + LD(kernel.coef0)
    return inside**kernel.degree if kernel.name == "poly" else np.tanh(inside)


def violation(model, X, y) -> float:
    """The violation of a fitted SVC (labels y are -1 and 1) or SVR, as `router` defines it for its loss.

    K beta is that of the expansion in exact arithmetic. Where the conditions are those of f itself, under a kernel that
    is x'z but for constants f is the machine that predicts, w and the intercept in double precision.
    """
    beta, b = np.zeros(len(y), LD), LD(model.intercept_[0])
    beta[model.support_] = model.dual_coef_[0]
    kernel, vectors, c = model.kernel_, model.support_vectors_, model.dual_coef_[0]
    if kernel.name == "linear" or (kernel.name == "poly" and kernel.degree == 1):
        gamma, coef0 = (1.0, 0.0) if kernel.name == "linear" else (LD(kernel.gamma), kernel.coef0)
        image = gamma * ((X.astype(LD) - X.mean(axis=0)) @ (c.astype(LD) @ vectors.astype(LD)))
        f = gamma * (X.astype(LD) @ (vectors.T @ c)) + coef0 * c.sum() + b
    else:
        image = gram(kernel, X, vectors) @ c.astype(LD) if len(c) else np.zeros(len(y), LD)
        f = image + b
    params = dict(getattr(model, "loss_params", None) or {})
    C = np.full(len(y), model.C)
    if isinstance(model, SVR):
        if model.loss == "epsilon_insensitive":
            return _spread(duals.epsilon_insensitive(y, C, model.epsilon), *_double(beta, image))
        return _spread(duals.build(model.loss, y, C), beta, image)
    way = losses.get(model.loss).solved_by
    if way == "box dual":
        return _spread(duals.build(model.loss, y, C, **params), beta, image)
    if way == "doubled box dual":
        return _spread(duals.insensitive_pinball(y, C, **params), *_double(beta, image))
    loss, t = losses.get(model.loss), 1 - y * f
    if way in ("quasi-Newton", "re-weighting"):
        return _smooth(loss, params, (y * beta / C).astype(float), t, 1e-12 if way == "re-weighting" else 1e-300)
    if way == "ADMM":
        on, total = beta != 0, 1 + np.abs(beta).sum()
        wrong = max(np.max(-y * beta), abs(beta.sum())) / total
        return float(max(wrong, np.max(np.abs(t[on]), initial=0.0)))
    return _truncated(loss.check(**params), beta, image, y, C, t)


def _spread(qp, beta, image):
    F = -qp.linear.astype(LD) - image - qp.ridge.astype(LD) * beta
    rise, fall = beta < qp.upper, beta > qp.lower
    return float(max(F[rise].max() - F[fall].min(), 0)) if rise.any() and fall.any() else 0.0


def _double(beta, image):
    return np.concatenate([np.maximum(beta, 0), np.minimum(beta, 0)]), np.concatenate([image, image])


def _smooth(loss, params, share, t, nothing):
    """The smallest v such that each alpha / C is, to some ulp, a slope of the loss between t - v and t + v, or both are
    less than `nothing`."""

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


def _truncated(params, beta, image, y, C, t):
    """Every alpha / C lies between the slopes of the piece on which its t lies, or t lies so far from such a piece."""
    mu, kappa, tau = params.get("mu", np.inf), params.get("kappa", np.inf), params.get("tau", 0.0)
    share = (y * beta / C).astype(float)
    above, below = t > mu, t < -kappa
    low, high = np.where(above, -tau - 1.0, -tau), np.where(above, 0.0, 1.0)
    low, high = np.where(below, 0.0, low), np.where(below, 1.0 + tau, high)
    outside = (share < low - 1e-12) | (share > high + 1e-12)
    across = np.minimum(np.abs(t - mu), np.abs(t + kappa))[outside].max(initial=0.0)
    F = y - image
    rise, fall = np.where(y > 0, share < high, share > low), np.where(y > 0, share > low, share < high)
    apart = F[rise].max() - F[fall].min() if rise.any() and fall.any() else 0.0
    return float(max(apart, across, 0.0))


def hostile(seed, loss=None) -> tuple:
    """(an SVC or SVR that is not fitted, X, y) of some kind that is hard on arithmetic; `loss`: of an SVC."""
    rng = np.random.default_rng(seed)
    n, d, kind = int(rng.integers(2, 61)), int(rng.integers(1, 5)), SCALES[rng.integers(len(SCALES))]
    X, y = rng.normal(size=(n, d)), np.where(rng.random(n) < rng.uniform(0.1, 0.9), 1.0, -1.0)
    X += rng.uniform(0.0, 1.5) * y[:, None]
    if rng.random() < 0.15:
        y[:] = -1.0
    y[0], y[1] = 1.0, -1.0
    if kind == "far":
        X += 10.0 ** rng.uniform(0, 8)
    elif kind in ("small", "large"):
        X *= 10.0 ** (rng.uniform(-8, 0) if kind == "small" else rng.uniform(0, 8))
    elif kind == "uneven":
        X *= 10.0 ** rng.uniform(-4, 4, d)
    elif kind == "constant":
        X[:, -1] = 10.0 ** rng.uniform(0, 6)
    elif kind == "twins":
        X[n // 2 :] = X[: n - n // 2]
    elif kind == "line":
        X = np.outer(np.linspace(-1, 1, n), np.ones(d)) * 10.0 ** rng.uniform(-2, 3)
    elif kind == "grid":
        X = np.round(X)
    kernel = KERNELS[rng.integers(len(KERNELS))]
    gamma = "scale" if rng.random() < 0.6 else float(10.0 ** rng.uniform(-6, 6))
    options = {
        "C": float(10.0 ** rng.uniform(-8, 8)),
        "tol": float(10.0 ** -rng.integers(2, 11)) if rng.random() < 0.4 else 1e-3,
        "kernel": kernel,
        "gamma": gamma,
        "degree": int(rng.integers(1, 5)),
        "coef0": float(rng.choice([0.0, 1.0])),
    }
    if rng.random() < 0.1 and loss is None:
        loss = ("epsilon_insensitive", "least_squares", "least_absolute")[rng.integers(3)]
        return SVR(loss, **options), X, y + 0.3 * rng.normal(size=n)
    loss = loss or list(ALL)[rng.integers(len(ALL))]
    return SVC(loss, ALL[loss], **options), X, y
