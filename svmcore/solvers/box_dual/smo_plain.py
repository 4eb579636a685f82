"""Sequential minimal optimisation in twenty lines of NumPy, to be read before `smo`. The app runs the
other one: it is compiled, updates F after each step instead of computing it anew, and can make each direction conjugate
to the previous one.
"""

import numpy as np

MIN_CURVATURE = 1e-12  # for a kernel that is not positive semidefinite, pairs may have no curvature


def minimise(K, qp, *, tol=1e-3, max_iter=1000, second_order=False) -> tuple[np.ndarray, list]:
    """Minimise 1/2 b'H b + linear'b subject to sum(b) = 0, lower <= b <= upper, with H = K + diag(ridge).

    From b = 0 on, each step moves two coefficients by the same length, so that the sum stays zero.
    With F = -linear - H b, which is minus the gradient:

    1. Choose i, the coefficient with the largest F of those that may rise, and j, of those that may
       fall, the one with the smallest F or (second order) with the largest decrease of the objective.
    2. Along e_i - e_j the objective is lowest after a step of (F_i - F_j) / (H_ii + H_jj - 2 H_ij).
    3. Take this step, or stop exactly on the first bound.

    At the optimum no F that may rise exceeds one that may fall; the run ends when none does so by
    more than `tol`, or after `max_iter` steps.

    K: Gram matrix (N, N); qp: a `duals.BoxQP`.
    Returns b, (N,), and for each step (i, j, the length to the minimum, the length taken).

    Sources: Platt (1998), Fast training of support vector machines using sequential minimal
    optimization; Keerthi et al. (2001), Improvements to Platt's SMO algorithm (first order); Fan, Chen
    and Lin (2005), Working set selection using second order information.
    """
    H = K + np.diag(qp.ridge)
    beta, steps = np.zeros(len(H)), []
    while len(steps) < max_iter:
        F = -qp.linear - H @ beta
        rising = np.where(beta < qp.upper, F, -np.inf)
        i = np.argmax(rising)
        excess = np.where(beta > qp.lower, rising[i] - F, -np.inf)
        if excess.max() <= tol:
            break
        curvature = np.maximum(H[i, i] + H.diagonal() - 2.0 * H[i], MIN_CURVATURE)
        j = np.argmax(np.maximum(excess, 0.0) ** 2 / curvature if second_order else excess)
        wanted = excess[j] / curvature[j]
        room_i, room_j = qp.upper[i] - beta[i], beta[j] - qp.lower[j]
        step = min(wanted, room_i, room_j)
        # beta + (upper - beta) may miss the bound by the last digit
        beta[i] = qp.upper[i] if step == room_i else beta[i] + step
        beta[j] = qp.lower[j] if step == room_j else beta[j] - step
        steps.append((i, j, wanted, step))
    return beta, steps
