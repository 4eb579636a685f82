"""Two coefficients per point, for duals with a kink at zero: support vector regression, the insensitive pinball.

    minimise    1/2 b'K b + linear'b + up'max(b, 0) + down'max(-b, 0)   subject to   sum(b) = 0,   lower <= b <= upper

is no box quadratic programme because of the kinks, but becomes one with b = rise + fall, rise >= 0 >= fall: the two
halves of a `BoxQP` of 2N coefficients, whose linear terms are linear + up and linear - down
(`duals.epsilon_insensitive` and `duals.insensitive_pinball`). Each point then appears twice in the kernel matrix, and
every solver of `convex` can be used unchanged, within its own memory.

Source: V. Vapnik (1995), The Nature of Statistical Learning Theory, Springer; Chang and Lin (2011), LIBSVM: a library
for support vector machines, section 4.1.
"""

import numpy as np

from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import convex, warm
from svmcore.solvers.solution import Solution


def solve(kernel, X, qp, *, tol=1e-3, max_iter=1_000_000, solver="auto", start=None) -> Solution:
    """`convex.solve` for a BoxQP of 2N coefficients; the solution, and a `start`, have one beta per point. X is (N, d),
    precomputed (N, N).

    If a loose tolerance leaves a point with both coefficients, they are merged into one: only their sum is in f, and a
    single coefficient b = rise + fall costs less. `objective` is after merging, `violation` a bound on that after it.
    """
    if start is not None:
        image = None if start.image is None else np.tile(start.image, 2)
        start = warm.Start(np.concatenate([np.maximum(start.beta, 0.0), np.minimum(start.beta, 0.0)]), image)
    return merge(qp, convex.solve(*_twice(kernel, X), qp, tol=tol, max_iter=max_iter, solver=solver, start=start))


def merge(qp, found) -> Solution:
    """The solution of 2N coefficients with one beta per point."""
    (beta,), (saved,) = fold(qp, found.beta[None])
    image = None if found.details.image is None else found.details.image[: len(beta)]
    return found._replace(beta=beta, objective=found.objective - float(saved)).with_details(image=image)


def fold(qp, betas) -> tuple[np.ndarray, np.ndarray]:
    """Merge the two coefficients of each point of betas (m, 2N): beta (m, N), and the objective's decrease (m,)."""
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
