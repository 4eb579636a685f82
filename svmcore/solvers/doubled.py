"""Two coefficients a point, where the dual has a kink at zero: support vector regression, the insensitive pinball.

    minimise    1/2 b'K b + linear'b + up'max(b, 0) + down'max(-b, 0)   subject to   sum(b) = 0,   lower <= b <= upper

is no box quadratic programme for the kinks, but becomes one with b = rise + fall, rise >= 0 >= fall: the two halves of
a `BoxQP` of 2N coefficients, whose linear terms are linear + up and linear - down (`duals.epsilon_insensitive` and
`duals.insensitive_pinball`). Each point then stands twice in the kernel matrix, and every solver of `convex` serves as
it is, within its own memory.

Source: V. Vapnik (1995), The Nature of Statistical Learning Theory, Springer; Chang and Lin (2011), LIBSVM: a library
for support vector machines, section 4.1.4.
"""

import numpy as np

from svmcore.kernels import Kernel
from svmcore.solvers import convex


def solve(kernel, X, qp, **options) -> convex.Solution:
    """`convex.solve` for a BoxQP of 2N coefficients, in the solution one beta a point; X (N, d), or (N, N) precomputed.

    A point that a loose tolerance has left with both coefficients is settled: only their sum is in f, and b = rise +
    fall alone on its side costs less. `objective` is that of the settled point, `violation` a bound on its violation.
    """
    found = convex.solve(*_twice(kernel, X), qp, **options)
    (beta,), (saved,) = folded(qp, found.beta[None])
    return found._replace(beta=beta, objective=found.objective - float(saved))


def folded(qp, betas):
    """(beta, by how much it costs less) of m vectors of 2N coefficients, (m, N) and (m,); each point settled."""
    rise, fall = np.split(betas, 2, axis=1)
    beta = rise + fall
    settled = np.concatenate([np.maximum(beta, 0.0), np.minimum(beta, 0.0)], axis=1)
    return beta, (betas - settled) @ qp.linear


def _twice(kernel, X):
    """The kernel and points whose matrix is [[K, K], [K, K]]."""
    if kernel.name != "precomputed":
        return kernel, np.concatenate([X, X])
    K = kernel(X)
    numbers = np.tile(np.arange(len(K), dtype=float), 2)[:, None]
    return Kernel(lambda A, B: K[np.ix_(A[:, 0].astype(int), B[:, 0].astype(int))]), numbers
