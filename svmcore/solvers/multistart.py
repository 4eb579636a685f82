"""Many starts, one answer: what the solvers of machines that are not convex share.

A descent ends in the valley where it began. So each machine is solved from several starts, all of them determined by
the data (a sample of weight two counts as two samples), the lowest objective is taken, and it is told how many starts
agreed on it.
"""

import numpy as np

from svmcore.solvers import convex
from svmcore.status import Status

SAME = 1e-6  # relative difference of two objectives that are called one


def class_means(rows, y, C):
    """The machine between the means of the classes, f = +1 and -1 there: beta (N,) and intercept.

    Each mean counts its samples by C, (N,). Robust where the classes are compact: k far points among n move a mean by
    k / n of their distance, and a direction by less. Zero weights where the means coincide.
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
    """The best of the `convex.Solution` from all starts: local minima before all else, then by objective.

    The machine with w = 0 that puts all points into one class is a valley of every bounded loss. It is passed over
    where there is another, and told by its status where there is none.
    """
    finished = [solution for solution in found if solution.status == Status.LOCAL_MINIMUM] or found
    best = min(finished, key=lambda solution: solution.objective)
    near = best.objective + SAME * abs(best.objective) + tol**2
    agreed = sum(solution.objective <= near for solution in finished)
    n_iter = sum(solution.n_iter for solution in found)
    return best._replace(n_iter=n_iter, n_starts=len(found), n_agreed=agreed)


def chosen(names, known, default) -> tuple[str, ...]:
    """`names` as a tuple (None: the default); ValueError with the known ones for anything else."""
    names = tuple(default) if names is None else (names,) if isinstance(names, str) else tuple(names)
    if not names or not set(names) <= set(known):
        raise ValueError(
            f"starts must be one or more of {', '.join(known)}; got {', '.join(map(str, names)) or 'none'}"
        )
    return names
