"""The smallest enclosing ball of the points in feature space, and the resulting bound on the VC dimension.

    minimise r^2  subject to  |phi(x_k) - q|^2 <= r^2          has the dual
    maximise l'diag(K) - l'K l  subject to  l >= 0,  1'l = 1,   and then q = sum_k l_k phi(x_k)

Half the negative dual is a `svmcore.duals.BoxQP` with lower = 0, no upper bound, no ridge and linear = -diag(K) / 2.
The only difference is that its coefficients sum to one, not to zero: pair updates never change a sum, so `smo` solves
it unchanged, started at one of the points. The first step then goes half-way to a distant point.

Any l gives a value of the dual, which is at most r^2, and a centre q, whose distance to the farthest point is at least
r. The difference of the two is the certificate: it is 0 only at the optimum.

Sources: J. A. K. Suykens, J. Vandewalle (1999), Least squares support vector machine classifiers, Neural Processing
Letters 9(3), 293-300, equations (12) to (14); V. Vapnik (1998), Statistical Learning Theory, Wiley.
"""

from math import comb, inf
from typing import NamedTuple

import numpy as np

from svmcore import kernels
from svmcore.duals import BoxQP
from svmcore.solvers.box_dual import smo
from svmcore.status import Status


class Sphere(NamedTuple):
    """The ball about sum_k weights_k phi(x_k); all points lie within squared_radius + gap of its centre, squared.

    `squared_radius` is the value of the dual, at most the true one, which is at most squared_radius + gap.
    """

    weights: np.ndarray  # (N,), l: positive only for points on the sphere
    squared_radius: float
    gap: float
    squared_norm: float  # of the centre
    n_iter: int
    status: Status


def smallest(K, *, tol=1e-8, max_iter=1_000_000) -> Sphere:
    """The smallest enclosing ball of the points with the Gram matrix K, (N, N), positive semidefinite.

    `tol` bounds the gap as a share of the squared radius. Raises ValueError if K is not a Gram matrix.
    """
    K = np.ascontiguousarray(K, dtype=np.float64)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or not len(K):
        raise ValueError(f"K must be the square Gram matrix of at least one point, got shape {K.shape}")
    if not np.isfinite(K).all():
        raise ValueError("K must be finite; scale the points or change the kernel parameters")
    n, diagonal = len(K), K.diagonal()
    qp = BoxQP(np.zeros(n), np.full(n, inf), np.zeros(n), -0.5 * diagonal)
    weights = np.zeros(n)
    weights[0] = 1.0
    # the diameter of the ball is at least this long, and at most twice as long
    squared_reach = float(np.max(diagonal - 2.0 * K[0] + K[0, 0]))
    state = smo.start(K, qp, weights, F=smo.residual(K, qp, weights))
    if squared_reach > 0.0:
        state = smo.run(K, qp, state, tol=0.125 * tol * squared_reach, max_iter=max_iter)
    weights = state.beta
    products = K @ weights
    squared_norm = float(weights @ products)
    squared_radius = max(float(weights @ diagonal) - squared_norm, 0.0)
    farthest = float(np.max(diagonal - 2.0 * products)) + squared_norm
    status = state.status if squared_reach > 0.0 else Status.CONVERGED
    return Sphere(weights, squared_radius, max(farthest - squared_radius, 0.0), squared_norm, state.n_iter, status)


def vc_bound(squared_radius, squared_norm, dimension=inf) -> int:
    """h <= min(floor(r^2 |w|^2), n) + 1, equation (12), of hyperplanes with this |w|^2 on a ball of radius r.

    n is the `dimension` of the feature space. The bound holds for |w| in the canonical scaling, |f| >= 1 on all points;
    for a machine with errors it is only a measure of capacity, suited to compare kernels at one C. Over C it always
    prefers C -> 0, where w vanishes.
    """
    return int(min(np.floor(squared_radius * squared_norm), dimension)) + 1


def dimension(kernel: kernels.Kernel, n_features, n_points) -> int:
    """The dimension of the feature space; if that is infinite or unknown, of the span of the points: their number."""
    if kernel.name == "linear":
        return n_features
    if kernel.name == "poly":  # the monomials of this degree, and with an offset of all lower ones
        return comb(n_features + kernel.degree - (kernel.coef0 == 0.0), kernel.degree)
    return n_points
