"""Every loss with a box dual, at parameters that tell its formulas apart."""

VARIANTS = [
    ("hinge", {}),
    ("squared_hinge", {}),
    ("least_squares", {}),
    ("least_absolute", {}),
    ("pinball", {"tau": 0.3}),  # not 0.5: there tau and 1 - tau cannot be told apart
    ("huber", {"delta": 0.7}),
]
