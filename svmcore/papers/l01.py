"""Wang, Shao, Zhou, Zhang, Xiu (2019), Support Vector Machine Classifier via L0/1 Soft-Margin Loss: flips, leverage,
how often the optimum is reached.
"""

from collections.abc import Generator
from itertools import product

import numpy as np

from svmcore import SVC, losses, problems
from svmcore.papers.experiment import experiment
from svmcore.papers.table import MEASURED, Table, means
from svmcore.problems import features
from svmcore.solvers.nonconvex import global_optimum
from svmcore.studies import optimality, robustness

PAPER = "L0/1-SVM (Wang et al. 2019)"
MEAN, DEVIATIONS = np.array([0.5, -3.0]), np.sqrt([0.2, 3.0])  # of one class; the other is its image under x -> -x

LOSSES = ("least_squares", "squared_hinge", "hinge", "huber", "log", "least_absolute", "pinball", "ramp", "sigmoid")
LEVERAGE_MACHINES = {
    **{losses.get(key).machine: {"loss": key} for key in (*LOSSES, "zero_one")},
    "L0/1-SVM, authors' rules": {"loss": "zero_one", "solver_params": {"rules": "authors"}},
}
FLIPS_MACHINES = {
    name: LEVERAGE_MACHINES[name]
    for name in ("L0/1-SVM", "L0/1-SVM, authors' rules", "L1-SVM", "Pinball SVM", "LS-SVM", "Ramp-loss SVM")
}
NOT_OURS = (
    "The copy of the paper used here has its model, theorems and algorithm, but no formula and no table, so there are "
    "no numbers of the paper to compare with."
)
EXACT = "Accuracies are for clean points, from the formula for Gaussian classes instead of test points."


def accuracy(w, b, mean) -> float:
    """% of the points of N(mean, S), class +1, and N(-mean, S), class -1, on the correct side of w.x + b, exactly."""
    return 100.0 * features.gaussian_accuracy(w, b, mean, -mean, DEVIATIONS)


def evaluate(machines, levels, draw, mean) -> dict[str, list]:
    """{machine: [accuracy %, support vectors, iterations]} of linear machines on one draw at one level."""
    models = {name: SVC(kernel="linear", C=1.0, **options) for name, options in machines.items()}

    def error(model, _):
        return 100.0 - accuracy(model.coef_[0], float(model.intercept_[0]), mean)

    rows = robustness.study(models, levels, [draw], error)
    return {row.machine: [100.0 - row.error, row.n_support, row.n_iter] for row in rows}


def evaluate_flips(n, flips, draw) -> dict[str, list]:
    """{machine: [accuracy %, support vectors, iterations]} with a share of the training labels flipped."""
    return evaluate(FLIPS_MACHINES, robustness.own_levels("label_flips", {"n": n}, [flips]), draw, -MEAN)


@experiment(
    "l01.flips",
    paper=PAPER,
    title="synthetic data with flipped labels",
    shows="With flipped training labels the L0/1-SVM is said to predict as well as other machines or better, with far "
    "fewer support vectors and in a shorter time.",
)
def flips(work, quick, seed) -> Generator:
    """The Table of accuracies, support vectors and iterations by number of points, share of flips and machine."""
    sizes, draws = ((200,), 3) if quick else ((200, 1000), 20)
    _, _, shares = robustness.OWN_LEVELS["label_flips"]
    shares = (0.0, 0.1, 0.2) if quick else shares
    levels = list(product(sizes, shares))
    tasks = [{"n": n, "flips": share, "draw": seed + k} for n, share in levels for k in range(draws)]
    results = yield from work("draws", evaluate_flips, tasks)
    places = [(n, 100 * share) for n, share in levels]
    return Table(
        ("n", "flips %", "machine", "measure", *MEASURED),
        means(places, results, FLIPS_MACHINES, ("accuracy %", "support vectors", "iterations")),
        (
            NOT_OURS,
            "The distribution of the points is that of the authors' package; C = 1 for every machine, while the "
            "package tries C and sigma from 2^-7 to 2^7.",
            EXACT,
            "Iterations are those of each machine's own solver, so they are comparable only within a machine.",
        ),
    )


def evaluate_leverage(outliers, draw) -> dict[str, list]:
    """{machine: [accuracy %, support vectors, iterations]} with `outliers` distant points of label -1."""
    return evaluate(LEVERAGE_MACHINES, robustness.own_levels("leverage_outliers", values=[outliers]), draw, MEAN)


@experiment(
    "l01.leverage",
    paper=PAPER,
    title="outliers far from the classes",
    shows="The support vector operator of the L0/1-SVM is said to filter out outliers, so that they do not become "
    "support vectors during training.",
)
def leverage(work, quick, seed) -> Generator:
    """The Table of accuracies and support vectors by number of outliers and machine."""
    _, _, counts = robustness.OWN_LEVELS["leverage_outliers"]
    counts, draws = ((0, 10, 20), 3) if quick else (counts, 20)
    tasks = [{"outliers": k, "draw": draw} for k in counts for draw in range(seed, seed + draws)]
    results = yield from work("draws", evaluate_leverage, tasks)
    return Table(
        ("outliers", "machine", "measure", *MEASURED),
        means([(k,) for k in counts], results, LEVERAGE_MACHINES, ("accuracy %", "support vectors")),
        (
            NOT_OURS,
            "The experiment is our own, after the paper's remarks on outliers: 200 points of the authors' distribution "
            "and a clump of wrong labels around (6, -12); C = 1.",
            EXACT,
        ),
    )


# ---- the global optimum, in the plane ----

FLIPS, C = 0.2, 1.0


def evaluate_optimum(draw, n) -> dict[str, dict[str, float]]:
    """{loss: {method: relative excess of its objective over the global optimum}} on one draw."""
    problem = problems.load("label_flips", draw, n=n, noise=FLIPS)
    results = {}
    for loss in global_optimum.LOSSES:
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
    draws, n = (5, 30) if quick else (200, 60)
    results = yield from work("draws", evaluate_optimum, [{"draw": draw, "n": n} for draw in range(seed, seed + draws)])
    rows = []
    for loss in global_optimum.LOSSES:
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
