"""Leave-one-out and k-fold residuals of an LS-SVM without fitting it again: all of them from one factorisation.

The LS-SVM is linear in y. With H = K + diag(ridge) and H^-1 1 = u, the system (`linear_system`)

    H beta + b 1 = y,   1'beta = 0       has the solution       beta = R y,   R = H^-1 - u u' / 1'u.

Removing the points S is equivalent to changing their targets to the values that the machine without them has there:
their beta is then zero. Since R_SS times this change is beta_S, the residuals of the machine without S are

    y_S - f^(-S)(x_S) = (R_SS)^-1 beta_S,      of a single point      beta_i / R_ii.

Sources: G. C. Cawley, N. L. C. Talbot (2004), Fast exact leave-one-out cross-validation of sparse least-squares support
vector machines, Neural Networks 17(10), 1467-1475; S. An, W. Liu, S. Venkatesh (2007), Fast cross-validation algorithms
for least squares support vector machine and kernel ridge regression, Pattern Recognition 40(8), 2154-2162.
"""

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri


def k_fold(K, qp, folds) -> list[np.ndarray]:
    """For each fold, an array of indices, the residuals y - f there of the machine fitted to all other points.

    K: symmetric, (N, N); qp: `duals.least_squares(y, C)`, with one C per point if need be. At least two points must
    remain outside every fold. Raises ValueError if K + diag(ridge) is not positive definite: the machine without a
    fold may then not exist.
    """
    R = solution_operator(K, qp)
    beta = -(R @ qp.linear)
    return [np.linalg.solve(R[np.ix_(fold, fold)], beta[fold]) for fold in folds]


def solution_operator(K, qp) -> np.ndarray:
    """R with beta = R y, (N, N) symmetric; its rows sum to zero. Arguments and ValueError as for `k_fold`."""
    H = np.array(K, dtype=np.float64)
    H.reshape(-1)[:: len(H) + 1] += qp.ridge
    factor, failed = dpotrf(H.T, lower=1, clean=0, overwrite_a=1)
    if failed or not np.isfinite(factor.diagonal()).all():
        raise ValueError("held-out residuals need a positive definite K + diag(ridge); choose another kernel")
    triangle = np.tril(dpotri(factor, lower=1, overwrite_c=1)[0])
    inverse = triangle + np.tril(triangle, -1).T
    u = inverse.sum(axis=1)
    return inverse - np.outer(u, u) / u.sum()
