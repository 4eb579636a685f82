"""From a loss to four vectors: the dual of every convex machine is one box quadratic programme.

With beta_i = y_i alpha_i and f(x) = sum_j beta_j k(x_j, x) + b, the machine

    minimise  1/2 |w|^2 + sum_i C_i loss(1 - y_i f(x_i))

has the dual

    minimise  1/2 beta'(K + diag(ridge)) beta + linear'beta
    subject to  sum(beta) = 0,  lower <= beta <= upper,          linear = -y.

The general term of the dual is C_i loss*(alpha_i / C_i) with the conjugate loss*(s) = max_t s t - loss(t). For these
losses it is curvature s^2 / 2 on an interval and infinite elsewhere, and these three numbers define the dual:

    loss             machine               alpha between     ridge      loss*(s)
    hinge            L1-SVM                     0 ..  C      0          0             on [0, 1]
    squared_hinge    L2-SVM                     0 .. inf     1/C        s^2 / 2       on [0, inf)
    least_squares    LS-SVM                  -inf .. inf     1/C        s^2 / 2       everywhere
    least_absolute   Least 1-Norm SVM          -C ..  C      0          0             on [-1, 1]
    pinball          Pinball SVM           -tau C ..  C      0          0             on [-tau, 1]
    huber            Huberised-hinge SVM        0 ..  C      delta/C    delta s^2 / 2 on [0, 1]

The bounds on beta are those on alpha, mirrored where y = -1. After this point there are no labels and no losses.
C is a number or one per sample: class weights and sample weights need no code of their own.

Two families need a little more than four vectors. The insensitive zone of a pinball loss puts a kink at zero into the
linear term, loss*(s) = epsilon max(s, -s / tau) on [-tau, 1], which takes two coefficients per point
(`doubled`). A truncated loss is a pinball loss minus its excess beyond the cuts: `truncated_box` is the box for a
given set of points beyond the cuts, and CCCP updates that set.

A certificate that needs no second solver: any beta in the box with sum zero and any (w, b) satisfy
`dual_objective <= primal_objective`, and both are optimal exactly when the two are equal.

    f = K @ beta + b
    gap = primal_objective("hinge", f, y, C, beta @ K @ beta) - dual_objective(qp, K @ beta, beta)

Regression, with real y and loss(y_i - f(x_i)), uses the same table: its rows least_squares and least_absolute do
not depend on the sign of y. Vapnik's `epsilon_insensitive` loss has the same kink at zero: it adds epsilon |beta| to
the dual.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from svmcore import losses
from svmcore.finite import all_between, is_finite
from svmcore.losses import regression

ZERO, FREE, UPPER, LOWER = range(4)  # the position of a support value in its box
NEVER_ENDS = 1e8  # an insensitive zone as wide as this is treated as unbounded


class BoxQP(NamedTuple):
    """The four vectors, float64 of shape (N,); bounds may be infinite, lower <= 0 <= upper."""

    lower: np.ndarray
    upper: np.ndarray
    ridge: np.ndarray
    linear: np.ndarray


def hinge(y, C) -> BoxQP:
    """L1-SVM: 0 <= alpha <= C."""
    return _box(y, C, 0.0, 1.0)


def squared_hinge(y, C) -> BoxQP:
    """L2-SVM: 0 <= alpha, and 1/C on the diagonal of the Gram matrix."""
    return _box(y, C, 0.0, np.inf, curvature=1.0)


def least_squares(y, C) -> BoxQP:
    """LS-SVM: no box, and 1/C on the diagonal. y may be any real target: |1 - y f| = |y - f| for labels."""
    return _box(y, C, -np.inf, np.inf, curvature=1.0)


def least_absolute(y, C) -> BoxQP:
    """Least 1-Norm SVM: -C <= alpha <= C. y may be any real target, as for `least_squares`."""
    return _box(y, C, -1.0, 1.0)


def pinball(y, C, tau=0.5) -> BoxQP:
    """Pinball SVM: -tau C <= alpha <= C."""
    return _box(y, C, -losses.pinball.check(tau=tau)["tau"], 1.0)


def huber(y, C, delta=0.5) -> BoxQP:
    """Huberised-hinge SVM: 0 <= alpha <= C, and delta/C on the diagonal."""
    return _box(y, C, 0.0, 1.0, curvature=losses.huber.check(delta=delta)["delta"])


def insensitive_pinball(y, C, tau=0.5, epsilon=0.1) -> BoxQP:
    """Insensitive-zone pinball SVM: -tau C <= alpha <= C; alpha > 0 costs epsilon per unit, alpha < 0 epsilon / tau.

    2N coefficients, as for `epsilon_insensitive`.
    """
    params = losses.insensitive_pinball.check(tau=tau, epsilon=epsilon)
    tau, epsilon = params["tau"], params["epsilon"]
    if epsilon >= NEVER_ENDS * tau:
        tau = 0.0
    box = _box(y, C, -tau, 1.0)
    above, below = epsilon, epsilon / tau if tau else 0.0
    positive = box.linear < 0.0
    return _double(box, np.where(positive, above, below), np.where(positive, below, above))


def epsilon_insensitive(y, C, epsilon=0.1) -> BoxQP:
    """Support vector regression on real y: -C <= beta <= C, and |beta| costs epsilon per unit. 2N coefficients."""
    epsilon = regression.epsilon_insensitive.check(epsilon=epsilon)["epsilon"]
    return _double(least_absolute(y, C), epsilon, epsilon)


def truncated_box(y, C, tau, above, below) -> BoxQP:
    """The box of a truncated pinball loss (tau = 0: of the ramp loss), given the points beyond its cuts.

    above, below: masks, (N,). -tau C <= alpha <= C, moved by -C for points above the upper cut, mu < t, and by tau C
    for points below the lower one, t < -kappa: there zero becomes a bound.
    """
    shift = np.where(below, tau, 0.0) - np.where(above, 1.0, 0.0)
    return _box(y, C, shift - tau, shift + 1.0)


DUALS = {dual.__name__: dual for dual in (hinge, squared_hinge, least_squares, least_absolute, pinball, huber)}


def build(loss, y, C, **params) -> BoxQP:
    """The four vectors for a loss given by name or as a `losses.Loss`.

    y: labels -1.0 and +1.0, shape (N,); C: positive, a number or shape (N,); params: those of the loss.
    Raises ValueError, with what was expected, for anything else.
    """
    loss = losses.get(loss)
    params = loss.check(**params)
    if loss.key not in DUALS:
        raise ValueError(f"{loss.key} has no box dual; the losses that have one are {', '.join(DUALS)}")
    return DUALS[loss.key](y, C, **params)


def primal_objective(loss, f, y, C, squared_norm, **params) -> float:
    """1/2 |w|^2 + sum_i C_i loss(1 - y_i f_i), with f = K beta + b of shape (N,) and squared_norm = beta'K beta."""
    loss = losses.get(loss)
    t = 1.0 - np.asarray(y, float) * f
    return float(0.5 * squared_norm + np.sum(C * loss(t, **params)))


def regression_objective(loss, f, y, C, squared_norm, **params) -> float:
    """1/2 |w|^2 + sum_i C_i loss(y_i - f_i), the primal objective of regression; arguments as `primal_objective`."""
    residual = np.asarray(y, float) - f
    return float(0.5 * squared_norm + np.sum(C * regression.get(loss)(residual, **params)))


def dual_objective(qp: BoxQP, K_beta, beta) -> float:
    """-(1/2 beta'(K + diag(ridge)) beta + linear'beta): the lower bound on the primal objective, K_beta = K @ beta."""
    return float(-(0.5 * beta @ (K_beta + qp.ridge * beta) + qp.linear @ beta))


def gap(qp: BoxQP, beta, error) -> float:
    """Primal less dual objective of a machine, 0 at the optimum: error = -linear - K beta - intercept, (N,).

    For any four vectors: the primal objective is that of the best coefficients in the box for these errors.
    """
    F = np.asarray(error, float) - qp.ridge * beta
    return gap_and_image(qp, np.asarray(beta, float), F, 0.0)[0]


def gap_and_image(qp: BoxQP, beta, F, intercept) -> tuple[float, np.ndarray]:
    """The `gap`, and K beta (N,), of a point with its F = -linear - (K + diag(ridge)) beta, (N,)."""
    image = np.empty(len(F))
    return _gap(*qp, beta, F, intercept, image), image


@njit(cache=True, nogil=True, error_model="numpy")
def _gap(lower, upper, ridge, linear, beta, F, intercept, image):
    total = 0.0
    for k in range(beta.size):
        residual = F[k] + ridge[k] * beta[k]
        image[k] = -linear[k] - residual
        error = residual - intercept
        best = beta[k] if error == 0.0 else upper[k] if error > 0.0 else lower[k]
        if ridge[k] > 0.0:
            best = min(max(error / ridge[k], lower[k]), upper[k])
        total += (best - beta[k]) * (error - 0.5 * ridge[k] * (best + beta[k]))
    return total


def box_state(qp: BoxQP, beta) -> np.ndarray:
    """ZERO, FREE, UPPER or LOWER for each alpha_i = y_i beta_i, in the shape of beta; a bound at zero is ZERO."""
    positive = qp.linear < 0
    at_upper = np.where(positive, beta >= qp.upper, beta <= qp.lower)
    at_lower = np.where(positive, beta <= qp.lower, beta >= qp.upper)
    return np.select([beta == 0, at_upper, at_lower], [ZERO, UPPER, LOWER], FREE)


def check_targets(y, C) -> tuple[np.ndarray, np.ndarray]:
    """Targets and weights as vectors, (N,) each; ValueError unless targets are finite and weights positive."""
    y = np.asarray(y, float)
    if y.ndim != 1 or y.size == 0 or not is_finite(y):
        raise ValueError(f"y must be a vector of finite numbers, got an array of shape {y.shape}")
    C = np.asarray(C, float)
    if C.shape not in ((), y.shape) or not all_between(C, 0.0, np.inf):
        least = f"an array of shape {C.shape} with smallest entry {np.min(C, initial=np.inf):g}"
        raise ValueError(
            f"C must be positive and finite, one number or one for each of the {y.size} samples, got "
            f"{least if C.ndim else f'{C:g}'}; leave out samples of weight zero"
        )
    return y, C if C.ndim else np.full(y.shape, C)


def _box(y, C, low, high, curvature=0.0) -> BoxQP:
    """C_i [low, high] as bounds on alpha_i, mirrored to bounds on beta_i; curvature / C_i as ridge."""
    y, C = check_targets(y, C)
    shifted = isinstance(low, np.ndarray)  # as for a truncated loss
    vectors = np.empty((4, len(y)))  # a new array: one that is read-only would compile a second version
    vectors[0], vectors[1], vectors[2], vectors[3] = low, high, C, y
    if not _write_box(vectors, curvature, shifted or bool(low != -high)):
        raise ValueError("y must hold the labels -1 and +1 only; encode the two classes so")
    return BoxQP(*vectors)


@njit(cache=True, nogil=True)
def _write_box(vectors, curvature, mirrored):
    """The rows low, high, C, y become lower, upper, ridge, linear; False if a y to be mirrored is not -1 or +1."""
    lower, upper, ridge, linear = vectors[0], vectors[1], vectors[2], vectors[3]
    labels = True
    for k in range(lower.size):
        low, high, C, y = lower[k], upper[k], ridge[k], linear[k]
        if mirrored:
            low, high = min(y * low, y * high), max(y * low, y * high)
            labels = labels and abs(y) == 1.0
        lower[k], upper[k], ridge[k], linear[k] = C * low, C * high, curvature / C, -y
    return labels


def _double(box, rise, fall) -> BoxQP:
    """The box with rise max(beta, 0) + fall max(-beta, 0) added: 2N coefficients, beta = first half + second half.

    The first half is >= 0 and costs `rise` per unit, the second is <= 0 and costs `fall` per unit.
    """
    zero = np.zeros(len(box.linear))
    return BoxQP(
        lower=np.concatenate([zero, box.lower]),
        upper=np.concatenate([box.upper, zero]),
        ridge=np.concatenate([box.ridge, box.ridge]),
        linear=np.concatenate([box.linear + rise, box.linear - fall]),
    )
