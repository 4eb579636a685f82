"""A solution in the terms of its machine: the support values, their bounds, states and phrases. No Streamlit here."""

from typing import NamedTuple

import numpy as np

from pages.shared.studies.arrays import FREE, LOWER, UPPER, ZERO, select
from svmcore import duals, losses
from svmcore.solvers.nonconvex import local_search

STEEP = 1e20  # a slope above this is unbounded
WIDE = np.geomspace(1e-9, 1e3, 1200)  # 2.4 % apart
PLACES = np.concatenate([[1.0], -WIDE, WIDE])  # t among which a loss is steepest, for sigmoids at y f = 0
SMALL, AT_KINK = 1e-9, 1.5e-3  # t just beyond the margin, and a little more than the tolerance of the solvers
FAR = 1e9  # a loss that is not flat beyond the margin is not 0 so far out
ZOOMS, FINE = 3, np.linspace(-1.0, 1.0, 401)  # then looked at closer
BY_SLOPE = ("quasi-Newton", "re-weighting")  # losses whose support values are C times their slope


class Reading(NamedTuple):
    """A solution in the terms of its machine: `bounds` (low, high) of a support value, `state` (N,) ZERO, FREE, UPPER
    or LOWER, `words` (N,), and the objectives, `dual` None if there is none.

    `flat`: the loss is zero beyond the margin. `tube` is the half-width of the tube in which errors cost nothing, in
    the unit of the machine, None for a loss without a tube. `trivial` is the objective of w = 0 for the 0/1 loss, and
    `above`, where the run ended there, a C above which another machine is better.
    """

    bounds: tuple[float, float]
    state: np.ndarray
    words: np.ndarray
    primal: float = np.nan
    dual: float | None = None
    flat: bool = False
    tube: float | None = None
    trivial: float | None = None
    above: float | None = None


def support_values(loss, params, C, y, beta, f) -> Reading:
    """The support values of a fitted machine, without objectives: loss a key, params a dict, labels y (N,), its
    beta (N,), f (N,) on the points.

    A support value at a bound of zero is ZERO; machines without a box have only FREE and ZERO.
    """
    loss, params = losses.get(loss), losses.get(loss).check(**params)
    low, high = bounds(loss, params, C)
    alpha, t = y * beta, 1.0 - y * f
    if loss.solved_by in BY_SLOPE or loss.solved_by == "ADMM":
        state = np.where(alpha == 0.0, ZERO, FREE)
    else:
        state = select([alpha == 0.0, alpha >= high, alpha <= low], [ZERO, UPPER, LOWER], FREE)
    words, flat = _WORDS[loss.solved_by](loss, params, state, t, low), not loss([-5.0, -FAR], **params).any()
    return Reading((low, high), state, words, flat=flat)


def bounds(loss, params, C) -> tuple[float, float]:
    """The bounds of alpha_i: C times the range of the slope of the loss; (0, inf) for the 0/1 loss, which has none."""
    if loss.solved_by == "box dual":
        qp = duals.build(loss, np.array([1.0]), C, **params)
        return float(qp.lower[0]), float(qp.upper[0])
    if loss.solved_by == "ADMM":
        return 0.0, np.inf
    if loss.solved_by in BY_SLOPE:
        low, high = (
            s if abs(s) < STEEP else float(np.copysign(np.inf, s))
            for s in _slope_range(lambda t: loss.slope(t, **params))
        )
        return min(C * low, 0.0), max(C * high, 0.0)
    return -C * params.get("tau", 0.0) + 0.0, C  # the sum makes -0 a 0


def _slope_range(slope):
    """The smallest and the largest slope, to about eight digits."""
    ends = []
    for sign in (-1.0, 1.0):
        places = PLACES
        for zoom in range(ZOOMS + 1):
            at = places[np.argmax(sign * slope(places))]
            places = at + 0.025 * abs(at) * (2.0 / len(FINE)) ** zoom * FINE
        ends.append(float(slope(at)))
    return ends


def _box(loss, params, state, t, low):
    bent = loss.key in duals.DUALS and duals.build(loss, np.array([1.0]), 1.0, **params).ridge[0] > 0.0
    return select(
        [(state == ZERO) & (low == 0.0), state == ZERO, state == UPPER, state == LOWER, np.full(len(t), bent)],
        [
            "no support vector: y f ≥ 1",
            "support value zero: y f = 1",
            "at the upper bound: y f ≤ 1",
            "at the lower bound: y f ≥ 1",
            "free: slack proportional to α",
        ],
        "free: y f = 1",
    )


def _zone(loss, params, state, t, low):
    return select(
        [state == ZERO, state == UPPER, state == LOWER],
        [
            "no support vector: inside the insensitive zone",
            "at the upper bound: slack ≥ ε",
            "at the lower bound: −τ · slack ≥ ε",
        ],
        "free: on the edge of the insensitive zone",
    )


def _cut(loss, params, state, t, low):
    above, below = t > params.get("mu", np.inf), t < -params.get("kappa", np.inf)
    return select(
        [(state == ZERO) & above, (state == ZERO) & below & (low < 0.0)],
        ["truncated: slack > μ, support value zero", "truncated: slack < −κ, support value zero"],
        _box(loss, params, state, t, low),
    )


def _slope(loss, params, state, t, low):
    return np.where(
        state == ZERO, "support value zero: the loss is flat there", "support value α = C ℓ′(t), the slope of the loss"
    )


def _weight_words(loss, params, state, t, low):
    height = loss.base(t, **loss.base_params(params))
    has_kink = loss.slope(SMALL, **params) > AT_KINK
    return select(
        [
            (state == ZERO) & (loss.weight_of(height, **params) == 0.0),
            state == ZERO,
            has_kink & (np.abs(t) <= AT_KINK),
        ],
        ["truncated: loss = μ, support value zero", "no support vector: y f ≥ 1", "free: y f = 1"],
        "support value α = C ℓ′(t), the slope of the loss",
    )


def _describe_points(loss, params, state, t, low):
    return select(
        [state == FREE, t > local_search.ROUNDING],
        ["on the margin: y f = 1", "ignored: y f < 1, support value zero"],
        "beyond the margin: y f ≥ 1",
    )


_WORDS = {
    "box dual": _box,
    "doubled box dual": _zone,
    "CCCP": _cut,
    "quasi-Newton": _slope,
    "re-weighting": _weight_words,
    "ADMM": _describe_points,
}
