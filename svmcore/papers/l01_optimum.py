"""Frequencies with which the starts and rules of the L0/1-SVM and the ramp-loss SVM reach the optimum in the plane."""

from collections.abc import Generator

import numpy as np

from svmcore import losses
from svmcore.papers.experiment import experiment
from svmcore.papers.l01 import PAPER
from svmcore.papers.table import Table
from svmcore.problems import load
from svmcore.solvers.nonconvex import global_optimum
from svmcore.studies import optimality

N, FLIPS, C = 60, 0.2, 1.0
LOSSES = global_optimum.LOSSES


def evaluate(draw, n=N) -> dict[str, dict[str, float]]:
    """{loss: {method: relative excess of its objective over the global optimum}} on one draw."""
    problem = load("label_flips", draw, n=n, noise=FLIPS)
    results = {}
    for loss in LOSSES:
        *_, last = optimality.compare(loss, {}, problem.X, problem.y, C)
        results[loss] = {method: last.excess(method) for method in last.found}
    return results


@experiment(
    "l01.optimum",
    paper=PAPER,
    title="how often the global optimum is reached",
    shows="The L0/1-SVM is NP-hard and ADMM is said to be effective for it; its limit, if there is one, is a local "
    "minimum. In the plane the global one is known.",
)
def optimum(work, quick, seed) -> Generator:
    """The Table of how often the optimum is reached, and the excess over it, by machine and method."""
    draws, n = (5, 30) if quick else (200, N)
    results = yield from work("draws", evaluate, [{"draw": draw, "n": n} for draw in range(seed, seed + draws)])
    rows = []
    for loss in LOSSES:
        for method in optimality.METHODS[loss]:
            excess = np.array([result[loss][method] for result in results])
            share = 100.0 * float(np.mean(excess <= optimality.REACHED))
            error = float(np.sqrt(share * (100.0 - share) / draws))
            above = np.round(100.0 * np.maximum(excess, 0.0), 4)  # the rest is rounding and tolerance
            rows.append((losses.get(loss).machine, method, share, error, float(np.median(above)), float(above.max())))
    return Table(
        ("machine", "method", "optimum reached %", "standard error", "median excess %", "largest excess %"),
        tuple(rows),
        (
            f"{draws} draws of {n} points of the authors' distribution with {100 * FLIPS:.0f} % of the labels flipped; "
            f"linear kernel, C = {C:g}. The optimum is proved for each draw, by enumeration.",
            "Every line but “all starts” is a single run; all starts are what the machines on the other pages use. A "
            f"method has reached the optimum if its objective is at most {100 * optimality.REACHED:g} % above it.",
        ),
    )
