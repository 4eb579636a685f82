"""A kink at zero: each coefficient is split in two, and the same solvers solve twice as many.

    minimise    1/2 b'(K + diag(ridge)) b + linear'b + rise'max(b, 0) + fall'max(-b, 0)
    subject to  sum(b) = 0,   lower <= b <= upper,        lower <= 0 <= upper,  rise + fall >= 0

With b = p + m, 0 <= p <= upper, lower <= m <= 0, this is a `duals.BoxQP` in z = (p, m): the linear term is linear +
rise on p and linear - fall on m, and the kernel matrix is K in each of its four blocks, which is the kernel matrix of
the points listed twice. At the optimum p_i m_i = 0, since both would only cost more.

The epsilon of support vector regression and the insensitive zone of a pinball loss are such kinks.
Source: Vapnik (1995), The Nature of Statistical Learning Theory, section 6.3 (two multipliers a sample).
"""

import numpy as np

from svmcore.duals import BoxQP, KinkedQP
from svmcore.solvers import convex


def doubled(qp: KinkedQP) -> BoxQP:
    """The four vectors of z = (p, m), each (2 N,)."""
    box = qp.box
    nothing = np.zeros_like(box.linear)
    return BoxQP(
        lower=np.concatenate([nothing, box.lower]),
        upper=np.concatenate([box.upper, nothing]),
        ridge=np.concatenate([box.ridge, box.ridge]),
        linear=np.concatenate([box.linear + qp.rise, box.linear - qp.fall]),
    )


def points(kernel, X):
    """X listed twice, (2 N, d); a precomputed kernel matrix in each of four blocks, (2 N, 2 N)."""
    return np.tile(X, (2, 2) if kernel.name == "precomputed" else (2, 1))


def folded(z):
    """b = p + m, (N,)."""
    return z[: len(z) // 2] + z[len(z) // 2 :]


def solve(kernel, X, qp: KinkedQP, **options) -> convex.Solution:
    """As `convex.solve`, with the same options: beta is folded, the objective is that of the kinked problem."""
    found = convex.solve(kernel, points(kernel, X), doubled(qp), **options)
    p, m = np.split(found.beta, 2)
    # a run that ends before p m = 0 pays for both
    overlap = (qp.rise + qp.fall) @ np.minimum(p, -m) - qp.box.ridge @ (p * m)
    return found._replace(beta=folded(found.beta), objective=found.objective - float(overlap))
