"""Several starts, one answer: shared by the solvers of machines that are not convex.

A descent ends in the basin in which it starts. So each machine is solved from several starts, all determined by the
data (a sample of weight two counts as two samples); the lowest objective is returned, with the number of starts that
reached it.
"""

import numpy as np

from svmcore.solvers import convex
from svmcore.status import Status

SAME = 1e-6  # relative difference up to which two objectives count as equal


def class_means(rows, y, C) -> tuple[np.ndarray, float]:
    """The machine between the means of the classes, f = +1 and -1 there: beta (N,) and intercept.

    rows: a `Rows`; y (N,) labels; each mean weights its samples by C, (N,). Robust if the classes are compact: k far
    points among n move a mean by k / n of their distance, and a direction by less. Zero if the means coincide.
    """
    weight = np.where(y > 0.0, C / C[y > 0.0].sum(), C / C[y < 0.0].sum())
    beta = y * weight
    f = rows.dot(np.arange(len(y)), beta)
    high, low = (float(weight[y == sign] @ f[y == sign]) for sign in (1.0, -1.0))
    if not high - low > 0.0:
        return np.zeros_like(beta), 0.0
    scale = 2.0 / (high - low)
    return scale * beta, -0.5 * scale * (high + low)


def lowest(found, tol) -> convex.Solution:
    """The best of the `convex.Solution` from all starts: local minima first, then by objective.

    The machine with w = 0 that puts all points into one class is a local minimum of every bounded loss. It is skipped
    if there is another minimum; otherwise its status says so. `tol` widens the comparison of objectives.
    """
    finished = [solution for solution in found if solution.status == Status.LOCAL_MINIMUM] or found
    best = min(finished, key=lambda solution: solution.objective)
    near = best.objective + SAME * abs(best.objective) + tol**2
    agreed = sum(solution.objective <= near for solution in finished)
    n_iter = sum(solution.n_iter for solution in found)
    return best._replace(n_iter=n_iter, n_starts=len(found), n_agreed=agreed)


def chosen(names, known, default) -> tuple[str, ...]:
    """`names` as a tuple (None: the default); ValueError, with the list of known names, for any other."""
    names = tuple(default) if names is None else (names,) if isinstance(names, str) else tuple(names)
    if not names or not set(names) <= set(known):
        raise ValueError(
            f"starts must be one or more of {', '.join(known)}; got {', '.join(map(str, names)) or 'none'}"
        )
    return names
