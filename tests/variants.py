"""Every loss with a box dual, at parameters that tell its formulas apart."""

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
