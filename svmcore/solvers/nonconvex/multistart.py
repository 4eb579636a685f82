"""Several starts, one answer: shared by the solvers of machines that are not convex.

A descent ends in the basin in which it starts. So each machine is solved from several starts, all determined by the
data (a sample of weight two counts as two samples); the lowest objective is returned, with the number of starts that
reached it. The machine of the hinge loss and w = 0 are among the starts, and no descent ends above its start, so that
neither of the two is ever lower than the answer; only `zero_one` leaves the hinge loss out for many samples.
"""

import numpy as np

from svmcore.solvers.solution import Solution
from svmcore.status import AT_ZERO, Status, is_success

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


def one_class(y, C) -> float:
    """The constant f, +1 or -1, that puts all samples into the class with the larger weight; y and C (N,)."""
    return 1.0 if C @ y >= 0.0 else -1.0


def lowest(found, tol=0.0) -> Solution:
    """The lowest of the solutions from all starts; of several that agree, one that ended as it should.

    The machine with w = 0 that puts all points into one class is a local minimum of every bounded loss: if it is the
    lowest, the status says so. A run that overflowed has no objective. Objectives that differ by less than the square
    of `tol` agree.
    """
    finite = [solution for solution in found if np.isfinite(solution.objective)]
    if not finite:
        return found[0]._replace(status=Status.OVERFLOW).with_details(n_starts=len(found), n_agreed=0)
    objectives = [solution.objective for solution in finite]
    objective = min(objectives)
    least = objective + SAME * abs(objective)
    agreed = sum(one <= least + tol**2 for one in objectives)
    # a small C makes all objectives small: then `tol` does not make a higher one the answer
    equal = [one for one in finite if one.objective <= least + tol**2 * min(1.0, max(0.0, *objectives))]
    best = min(equal, key=lambda solution: (not is_success(solution.status), solution.objective))
    status = Status.TRIVIAL if best.status in AT_ZERO else best.status
    best = best._replace(n_iter=sum(solution.n_iter for solution in found), status=status)
    return best.with_details(n_starts=len(found), n_agreed=agreed)


def lowest_minimum(found, tol, is_minimum) -> Solution:
    """The `lowest` solution that is a local minimum by `is_minimum(its index)`, if there is one."""
    while True:
        best = lowest(found, tol)
        k = next(k for k, one in enumerate(found) if one.beta is best.beta)
        if best.status != Status.LOCAL_MINIMUM or is_minimum(k):
            return best
        found[k] = found[k]._replace(status=Status.FLAT)


def check_names(names, known, default) -> tuple[str, ...]:
    """`names` as a tuple (None: the default); ValueError, with the list of known names, for any other."""
    names = tuple(default) if names is None else (names,) if np.isscalar(names) else tuple(names)
    if not names or not set(names) <= set(known):
        raise ValueError(
            f"starts must be one or more of {', '.join(known)}; got {', '.join(map(str, names)) or 'none'}"
        )
    return names
