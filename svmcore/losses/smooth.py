"""Smooth losses, with a second derivative; the bounded ones are not convex.

All are functions of the margin y f = 1 - t, and a prox is a root of 0 = v - z + c loss'(v).

`compiled_as` of a loss says that it is  height * form(steepness (t - 1))  for one of three forms, whose formulas
`solvers.descent` has in compiled code:

    exponential   e^x, beyond `LARGEST_EXPONENT` its tangent
    softplus      ln(1 + e^x)
    logistic      1 / (1 + e^-x)
"""

from functools import partial

import numpy as np
from scipy.special import expit, wrightomega

from svmcore.losses.registry import Loss, Parameter

LARGEST_EXPONENT = 50.0
HALVINGS = 90  # a bracket of width 1e12 shrinks to an ulp of one


def root(increasing, low, high):
    """The zero, between `low` and `high`, of an increasing function, by bisection of each entry."""
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        above = increasing(middle) > 0.0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return 0.5 * (low + high)


def better_root(value, slope, z, c, low, high, middle):
    """The prox of a loss that is not convex: the better of the two minima of g(v) = c value(v) + 1/2 (v - z)^2.

    Both lie in [low, high], and g is concave at most around `middle`, where the slope of the loss falls fastest: one
    lies before `middle`, one behind it. On one side g' has a second zero, the maximum in between. If that side has the
    better minimum, more than half of the way from there to `middle` lies between the two zeros, since g' bends to one
    side only: a halving meets it, and bisection ends in the minimum.
    """

    def gradient(v):
        return v - z + c * slope(v)

    middle = np.clip(middle, low, high)
    one, other = root(gradient, low, middle), root(gradient, middle, high)
    cost = [c * value(v) + 0.5 * (v - z) ** 2 for v in (one, other)]
    return np.where(cost[0] <= cost[1], one, other)


def _exponential(t):
    exponent = t - 1.0
    return np.exp(np.minimum(exponent, LARGEST_EXPONENT)) * (1.0 + np.maximum(exponent - LARGEST_EXPONENT, 0.0))


def _exponential_prox(z, c):
    # u = c exp(v - 1) is Lambert's W(c exp(z - 1)), taken of the logarithm so that nothing overflows
    with np.errstate(divide="ignore"):
        log_c = np.log(c)
        u = wrightomega(log_c + z - 1.0)
    # the same v twice, once without cancellation
    v = np.where(u < 1.0, z - u, 1.0 + np.log(np.maximum(u, 1.0)) - np.where(c > 0.0, log_c, 0.0))
    on_the_line = z - c * np.exp(LARGEST_EXPONENT)
    return np.where(on_the_line > 1.0 + LARGEST_EXPONENT, on_the_line, v)


exponential = Loss(
    key="exponential",
    machine="Exponential-loss SVM",
    colour=7,
    latex=r"e^{t - 1} = e^{-y f}",
    # the tangent from exponent 50 on: no optimum lies there, since f = 0 costs only e^0 per point
    value_of=_exponential,
    slope_of=lambda t: np.exp(np.minimum(t - 1.0, LARGEST_EXPONENT)),
    prox_of=_exponential_prox,
    curvature_of=lambda t: np.where(t < 1.0 + LARGEST_EXPONENT, np.exp(np.minimum(t - 1.0, LARGEST_EXPONENT)), 0.0),
    compiled_as=lambda: ("exponential", 1.0, 1.0),
    solved_by="quasi-Newton",
    source="Y. Freund, R. E. Schapire (1997). A decision-theoretic generalization of on-line learning and an "
    "application to boosting. Journal of Computer and System Sciences 55(1), 119-139.",
)

log = Loss(
    key="log",
    machine="Log-loss SVM",
    colour=8,
    latex=r"\ln(1 + e^{t - 1}) = \ln(1 + e^{-y f})",
    value_of=lambda t: np.logaddexp(0.0, t - 1.0),
    slope_of=lambda t: expit(t - 1.0),
    prox_of=lambda z, c: root(lambda v: v - z + c * expit(v - 1.0), z - c, z),
    curvature_of=lambda t: expit(t - 1.0) * expit(1.0 - t),
    compiled_as=lambda: ("softplus", 1.0, 1.0),
    solved_by="quasi-Newton",
    source="J. Friedman, T. Hastie, R. Tibshirani (2000). Additive logistic regression: a statistical view of "
    "boosting. Annals of Statistics 28(2), 337-407.",
)


def _sigmoid(t, a):
    return expit(a * (t - 1.0))


def _sigmoid_slope(t, a):
    return a * expit(a * (t - 1.0)) * expit(a * (1.0 - t))


def _sigmoid_curvature(t, a):
    return _sigmoid_slope(t, a) * a * np.tanh(0.5 * a * (1.0 - t))


def _sigmoid_prox(z, c, a):
    # the slope falls fastest where s = (3 + sqrt(3)) / 6, of s' ~ s (1 - s)
    steepest = 1.0 + np.log(2.0 + np.sqrt(3.0)) / a
    value, slope = (partial(formula, a=a) for formula in (_sigmoid, _sigmoid_slope))
    return better_root(value, slope, z, c, z - 0.25 * a * c, z, steepest)


sigmoid = Loss(
    key="sigmoid",
    machine="Sigmoid-loss SVM",
    colour=12,
    latex=r"\frac{1}{1 + e^{a (1 - t)}} = \frac{1}{1 + e^{a\, y f}}",
    value_of=_sigmoid,
    slope_of=_sigmoid_slope,
    prox_of=_sigmoid_prox,
    curvature_of=_sigmoid_curvature,
    parameters=(
        Parameter(
            name="a",
            default=2.0,
            latex="a",
            meaning="the steepness of the step: towards infinity the loss counts the errors",
            low_open=True,
            gentler=-1.0,
        ),
    ),
    convex=False,
    bounded=True,
    compiled_as=lambda a: ("logistic", 1.0, a),
    solved_by="quasi-Newton",
    source="F. Pérez-Cruz, A. Navia-Vázquez, A. R. Figueiras-Vidal, A. Artés-Rodríguez (2003). Empirical risk "
    "minimization for support vector classifiers. IEEE Transactions on Neural Networks 14(2), 296-303.",
)

normalized_sigmoid = Loss(
    key="normalized_sigmoid",
    machine="Normalised-sigmoid SVM",
    colour=13,
    latex=r"1 - \tanh(\lambda (1 - t)) = 1 - \tanh(\lambda\, y f)",
    # twice the sigmoid loss with a = 2 lambda
    value_of=lambda t, lam: 2.0 * _sigmoid(t, 2.0 * lam),
    slope_of=lambda t, lam: 2.0 * _sigmoid_slope(t, 2.0 * lam),
    prox_of=lambda z, c, lam: _sigmoid_prox(z, 2.0 * c, 2.0 * lam),
    curvature_of=lambda t, lam: 2.0 * _sigmoid_curvature(t, 2.0 * lam),
    parameters=(
        Parameter(
            name="lam",
            default=1.0,
            latex=r"\lambda",
            meaning="the steepness of the step: towards infinity the loss is twice the number of errors",
            low_open=True,
            gentler=-1.0,
        ),
    ),
    convex=False,
    bounded=True,
    compiled_as=lambda lam: ("logistic", 2.0, 2.0 * lam),
    solved_by="quasi-Newton",
    source="L. Mason, J. Baxter, P. Bartlett, M. Frean (2000). Boosting algorithms as gradient descent. "
    "Advances in Neural Information Processing Systems 12, 512-518.",
)
