"""Every loss, at parameters that tell its formulas apart, and points that are hard on all of them."""

import numpy as np

# every loss with a box dual
VARIANTS = [
    ("hinge", {}),
    ("squared_hinge", {}),
    ("least_squares", {}),
    ("least_absolute", {}),
    ("pinball", {"tau": 0.3}),  # not 0.5: there tau and 1 - tau cannot be told apart
    ("huber", {"delta": 0.7}),
]

# every other loss that has a solver
KINKED = [("insensitive_pinball", {"tau": 0.3, "epsilon": 0.2})]
SMOOTH = [
    ("exponential", {}),
    ("log", {}),
    ("sigmoid", {"a": 3.0}),
    ("normalized_sigmoid", {"lam": 0.7}),
]
TRUNCATED = [
    ("ramp", {"mu": 1.5}),
    ("truncated_pinball", {"tau": 0.3, "kappa": 0.2}),
    ("asymmetric_truncated_pinball", {"tau": 0.3, "kappa": 0.2, "mu": 1.5}),
]
EVERY = VARIANTS + KINKED + SMOOTH + TRUNCATED
COUNTED = [("zero_one", {})]
ALL = dict(EVERY + COUNTED)


def overlapping(n, seed=0, d=2, twins=(3, 4, 5)):
    """(X, y): two overlapping clouds in d dimensions, labels in turns; the `twins` lie where point 1 lies."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, d)) + 0.7 * y[:, None]
    X[list(twins)] = X[1]
    return X, y
