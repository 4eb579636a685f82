"""Bounded losses whose slope falls back to zero: a point far on the wrong side has no influence. None is convex.

Three are smooth. The rescaled hinge has a kink at the margin, and is a concave function of the hinge loss. Published
programs differ in places from the formulas of these losses; here are the formulas.
"""

from functools import partial

import numpy as np

from svmcore.losses.piecewise import hinge, least_squares
from svmcore.losses.registry import Loss, Parameter
from svmcore.losses.smooth import better_root, root

HEIGHT = Parameter("height", 1.0, latex=r"\lambda", meaning="the height to which the loss rises", low_open=True)
STEEPNESS = Parameter(
    name="a",
    default=2.0,
    latex="a",
    meaning="how fast the loss rises: the slope is largest at t = 1 / a, and small from a few times that on",
    low_open=True,
    gentler=-1.0,
)
WIDTH = Parameter(
    name="width",
    default=1.0,
    latex="s",
    meaning="the slack from which the loss levels off: towards infinity it is the convex loss that it bends",
    low_open=True,
    gentler=1.0,
)
TRIALS = 401  # places at which the prox of the wave loss is tried
BASINS = 3  # of them that are followed to their minimum


# ------------------------------------------------------------------------------------ rescaled hinge


def _eta(width):
    """eta = 1 / (1 - e^(-1 / width)), with which the loss is 1 at t = 1."""
    return -1.0 / np.expm1(-1.0 / width)


def _rescaled_value(t, width):
    return -_eta(width) * np.expm1(-np.maximum(t, 0.0) / width)


def _rescaled_weight(height, width):
    return _eta(width) / width * np.exp(-height / width)


def _rescaled_prox(z, c, width):
    """z itself beyond the margin; else the kink, or a minimum above it, which bisection finds as in `better_root`."""
    top = np.maximum(z, 0.0)
    inner = root(lambda v: v - z + c * _rescaled_weight(v, width), 0.0 * top, top)
    cost = c * _rescaled_value(inner, width) + 0.5 * (inner - z) ** 2
    return np.where(z <= 0.0, z, np.where(cost < 0.5 * z**2, inner, 0.0))


rescaled_hinge = Loss(
    key="rescaled_hinge",
    machine="Rescaled-hinge SVM",
    colour=19,
    latex=r"\frac{1 - e^{-\max(0,\, t) / s}}{1 - e^{-1 / s}}",
    value_of=_rescaled_value,
    slope_of=lambda t, width: np.where(t > 0.0, _rescaled_weight(np.maximum(t, 0.0), width), 0.0),
    prox_of=_rescaled_prox,
    curvature_of=lambda t, width: np.where(t > 0.0, -_rescaled_weight(np.maximum(t, 0.0), width) / width, 0.0),
    base=hinge,
    weight_of=_rescaled_weight,
    parameters=(WIDTH,),
    convex=False,
    bounded=True,
    sparse=True,
    solved_by="re-weighting",
    source="G. Xu, Z. Cao, B.-G. Hu, J. C. Principe (2017). Robust support vector machines based on the rescaled hinge "
    "loss function. Pattern Recognition 63, 139-148.",
)


# ------------------------------------------------------------------------------------------ smooth


def _prox(loss, z, c, steepest, **own):
    """The prox of a loss with its `own` parameters, for t > 0, whose slope falls fastest at `steepest`."""
    value, slope = partial(loss.value_of, **own), partial(loss.slope_of, **own)
    return better_root(value, slope, z, c, np.minimum(z, 0.0), np.maximum(z, 0.0), steepest)


def _roboss(t, a, height):
    x = a * np.maximum(t, 0.0)
    return -height * (np.expm1(-x) + x * np.exp(-x))


def _roboss_slope(t, a, height):
    x = a * np.maximum(t, 0.0)
    return height * a * x * np.exp(-x)


def _roboss_curvature(t, a, height):
    x = a * np.maximum(t, 0.0)
    return np.where(t > 0.0, height * a * a * (1.0 - x) * np.exp(-x), 0.0)


roboss = Loss(
    key="roboss",
    machine="RoBoSS-SVM",
    colour=20,
    latex=r"\begin{cases} \lambda\, (1 - (a t + 1)\, e^{-a t}) & t > 0 \\ 0 & t \le 0 \end{cases}",
    value_of=_roboss,
    slope_of=_roboss_slope,
    prox_of=lambda z, c, a, height: _prox(roboss, z, c, 2.0 / a, a=a, height=height),
    curvature_of=_roboss_curvature,
    parameters=(STEEPNESS, HEIGHT),
    convex=False,
    bounded=True,
    sparse=True,
    solved_by="quasi-Newton",
    source="M. Akhtar, M. Tanveer, M. Arshad (2023). RoBoSS: a robust, bounded, sparse, and smooth loss function for "
    "supervised learning. arXiv:2309.02250.",
)


def _growth(t, skew, damping):
    """damping t^2 e^(skew t), finite for every t."""
    return damping * t * t * np.exp(np.minimum(skew * t, 500.0))


def _wave(t, skew, damping):
    g = _growth(t, skew, damping)
    return g / (1.0 + g) / damping


def _wave_slope(t, skew, damping):
    g = _growth(t, skew, damping)
    return t * (2.0 + skew * t) * np.exp(np.minimum(skew * t, 500.0)) / (1.0 + g) / (1.0 + g)


def _wave_curvature(t, skew, damping):
    grown = np.exp(np.minimum(skew * t, 500.0))
    g = _growth(t, skew, damping)
    first = t * (2.0 + skew * t) * grown  # of g / damping
    second = (2.0 + 4.0 * skew * t + (skew * t) ** 2) * grown
    return second / (1.0 + g) / (1.0 + g) - 2.0 * damping * (first / (1.0 + g)) * (first / (1.0 + g)) / (1.0 + g)


def _wave_prox(z, c, skew, damping):
    """The lowest minimum: the cost has up to three, of which trial places find the basins.

    It is not farther from z than 0, which costs 1/2 z^2 alone.
    """
    z, c = np.broadcast_arrays(z, c)

    def cost(v):
        return c[..., None] * _wave(v, skew, damping) + 0.5 * (v - z[..., None]) ** 2

    shares, step = np.linspace(0.0, 2.0, TRIALS, retstep=True)
    tried = cost(z[..., None] * shares)
    inner = np.pad(tried, [(0, 0)] * z.ndim + [(1, 1)], constant_values=np.inf)
    basin = np.where((tried <= inner[..., :-2]) & (tried <= inner[..., 2:]), tried, np.inf)
    best = z[..., None] * shares[np.argsort(basin, axis=-1, kind="stable")[..., :BASINS]]
    edge = step * np.abs(z[..., None])
    ends = root(lambda v: v - z[..., None] + c[..., None] * _wave_slope(v, skew, damping), best - edge, best + edge)
    return np.take_along_axis(ends, np.argmin(cost(ends), axis=-1)[..., None], axis=-1)[..., 0]


wave = Loss(
    key="wave",
    machine="Wave-SVM",
    colour=21,
    latex=r"\frac{1}{\lambda} \left(1 - \frac{1}{1 + \lambda t^2 e^{a t}}\right)",
    value_of=_wave,
    slope_of=_wave_slope,
    prox_of=_wave_prox,
    curvature_of=_wave_curvature,
    parameters=(
        Parameter(
            name="skew",
            default=1.0,
            latex="a",
            meaning="how much less a point beyond the margin costs than one inside it: 0 makes both sides equal",
            gentler=-1.0,
        ),
        Parameter(
            name="damping",
            default=1.0,
            latex=r"\lambda",
            meaning="how soon the loss levels off: no point costs more than 1 / damping",
            low_open=True,
            gentler=-1.0,
        ),
    ),
    convex=False,
    bounded=True,
    solved_by="quasi-Newton",
    source="M. Akhtar, M. Tanveer, M. Arshad (2024). Advancing supervised learning with the wave loss function: a "
    "robust and smooth approach. arXiv:2404.18101.",
)


def _welsch_prox(z, c, width):
    return np.copysign(_prox(welsch, np.abs(z), c, np.sqrt(1.5) * width, width=width), z)


welsch = Loss(
    key="welsch",
    machine="Welsch-loss SVM",
    colour=22,
    latex=r"\tfrac{1}{2}\, s^2\, (1 - e^{-t^2 / s^2})",
    value_of=lambda t, width: -0.5 * width**2 * np.expm1(-((t / width) ** 2)),
    slope_of=lambda t, width: t * np.exp(-((t / width) ** 2)),
    prox_of=_welsch_prox,
    curvature_of=lambda t, width: (1.0 - 2.0 * (t / width) ** 2) * np.exp(-((t / width) ** 2)),
    base=least_squares,
    weight_of=lambda height, width: np.exp(-2.0 * height / width**2),
    parameters=(WIDTH,),
    convex=False,
    bounded=True,
    solved_by="quasi-Newton",
    source="A. Singh, R. Pokharel, J. C. Principe (2014). The C-loss function for pattern classification. Pattern "
    "Recognition 47(1), 441-453. J. E. Dennis, R. E. Welsch (1978). Techniques for nonlinear least squares and robust "
    "regression. Communications in Statistics B 7(4), 345-359.",
)
