"""The losses: value, slope, prox, and what to say about each.

A loss is a function of t = 1 - y f(x): t > 0 means that the point lies inside the margin or on the wrong side,
t < 0 that it lies beyond the margin. The machine it belongs to minimises

    1/2 |w|^2 + sum_i C_i loss(t_i).

Squared losses carry the factor 1/2. Each loss is one entry, and everything else reads the entries:

    losses.hinge(t)                      the values
    losses.pinball(t, tau=0.3)           parameters are keywords; left out, they take their defaults
    losses.hinge.slope(t)                a subgradient; at a kink or a jump the one nearest to zero
    losses.hinge.prox(z, c)              argmin_v  c loss(v) + 1/2 (v - z)^2,  c >= 0 a number or one per entry
    losses.get("pinball"), losses.LOSSES the registry, in teaching order

Arrays of any shape go in and arrays of the same shape come out. Each family has a file: `piecewise` (convex, lines and
parabolas), `smooth` (with a second derivative), `truncated` (constant beyond a cut), `redescending` (flat far out).

The prox of a piecewise linear convex loss is z minus z clipped to the box of its dual (`duals`), by Moreau: prox = z -
c * prox of the conjugate. The prox of a truncated loss is the better of two points, that of a smooth one a root. If
the argmin has two points (non-convex losses only), the one with the smaller loss is returned.
Reference: Parikh and Boyd (2014), Proximal algorithms, Foundations and Trends in Optimization 1(3), 127-239.
"""

from svmcore.losses.piecewise import (
    hinge,
    huber,
    insensitive_pinball,
    least_absolute,
    least_squares,
    pinball,
    squared_hinge,
)
from svmcore.losses.redescending import rescaled_hinge, roboss, wave, welsch
from svmcore.losses.registry import LOSSES, Loss, Parameter, get
from svmcore.losses.smooth import exponential, log, normalized_sigmoid, sigmoid
from svmcore.losses.truncated import (
    asymmetric_truncated_pinball,
    ramp,
    truncate,
    truncated_huber,
    truncated_least_squares,
    truncated_pinball,
    truncated_squared_hinge,
    zero_one,
)

__all__ = ["LOSSES", "Loss", "Parameter", "get", "truncate"]

TEACHING_ORDER = (
    hinge, squared_hinge, least_squares, least_absolute, pinball, insensitive_pinball, huber,
    exponential, log,
    ramp, truncated_pinball, asymmetric_truncated_pinball, sigmoid, normalized_sigmoid, zero_one,
    truncated_least_squares, truncated_squared_hinge, truncated_huber, rescaled_hinge, roboss, wave, welsch,
)  # fmt: skip
LOSSES.update({loss.key: loss for loss in TEACHING_ORDER})
