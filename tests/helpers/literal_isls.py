"""ISLS as the paper prints it (López et al. 2011, algorithm 1): the naive twin of `svmcore.solvers.isls`."""

import numpy as np

FIRST = {"absolute": np.abs, "inverse_square": lambda alpha: alpha**-2.0, "literal": lambda alpha: alpha}


def bordered(H, y):
    """[0 1'; 1 H] [b; x] = [0; y]: (x, b)."""
    system = np.block([[np.zeros((1, 1)), np.ones((1, len(y)))], [np.ones((len(y), 1)), H]])
    solved = np.linalg.solve(system, np.append(0.0, y))
    return solved[1:], solved[0]


def literal(K, y, C, init="absolute", tol=1e-4, max_iter=50):
    """(alpha, b) of the LS-SVM and of every round; C is a number or (N,)."""
    ridge = np.diag(np.broadcast_to(1.0 / np.asarray(C, float), len(y)))
    alpha, b = bordered(K + ridge, y)
    yield alpha, b
    weights = FIRST[init](alpha)
    for _ in range(max_iter):
        inverse = 1.0 / weights
        beta, b = bordered((K * inverse) @ K + ridge, y)
        before, alpha = alpha, inverse * (K @ beta)
        yield alpha, b
        if np.linalg.norm(alpha - before) / len(y) < tol:
            return
        with np.errstate(divide="ignore", over="ignore"):
            weights = alpha**-2.0
