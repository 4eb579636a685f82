"""Tests of the claims on the walk from the 2-norm to the 1-norm SVM."""

from functools import lru_cache
from itertools import islice

import numpy as np

from svmcore import problems
from svmcore.papers import walk
from svmcore.papers.claims import at_most, claim, fact, format_mean, is_above, similar, together
from svmcore.solvers import reweighting

TWO_NORM, ONE_NORM = walk.MACHINES[0], walk.MACHINES[-1]
OPTIONS = {"bias": "absolute", "solver": "interior_point", "tol": 1e-9}


@claim("monotone", walk.PAPER, "An iteration of the re-weighting never raises the 1-norm objective (theorems 2 and 3).")
def monotone(rounds=reweighting.rounds) -> tuple[str, str]:
    """The largest relative change of the objective over three runs of 15 rounds."""
    worst = -np.inf
    for draw, C in enumerate((0.01, 0.1, 1.0)):
        points = problems.load("relevant_features", draw)
        values = np.array([step.objective for step in islice(rounds(points.X, points.y, C, **OPTIONS), 15)])
        worst = max(worst, float(np.max(np.diff(values) / values[:-1])))
    return fact(worst < 1e-9), (
        f"Largest relative change in three runs of 15 rounds: {worst:.1e} (negative: the objective always fell)."
    )


@claim("near_zero", walk.PAPER, "Convergence is fast, except for coordinates of the solution that are close to zero.")
def near_zero(rounds=reweighting.rounds) -> tuple[str, str]:
    """After 20 rounds the objective is within 1 %, and weights that are zero at the optimum are still left."""
    points = problems.load("relevant_features", 0)
    X, y, C = points.X, points.y, 0.05
    best = reweighting.linear_program(X, y, C, bias="absolute")
    steps = list(islice(rounds(X, y, C, **OPTIONS), 20))
    excess = [(steps[t - 1].objective - best.objective) / best.objective for t in (1, 2, 5, 20)]
    left, least = reweighting.nonzero(steps[-1].w), reweighting.nonzero(best.details.w)
    return fact(excess[3] < 0.01 < excess[0] and left > least), (
        f"Above the optimum after 1, 2, 5 and 20 rounds: {', '.join(f'{100 * e:.2g} %' for e in excess)}; then {left} "
        f"weights are not zero, at the optimum {least}."
    )


@claim(
    "worst_case",
    walk.PAPER,
    "The worst case of the objective never falls below 0.1 above the optimum; it comes from the gene expression sets.",
    "The gene sets converge slowly, but they converge if every round is solved exactly. With C = 1000 and rounds "
    "solved to 1e-3, the default of the paper's solver, the curve stays above 0.1.",
)
def worst_case(convergence=walk.convergence) -> tuple[str, str]:
    """The excess of the objective on a gene expression set after 20 rounds, solved exactly and not."""
    exact = {C: convergence("dlbcl", C, 20)[-1] for C in (0.1, 1.0, 1000.0)}
    loose = convergence("dlbcl", 1000.0, 20, exact=False)
    return fact(max(exact.values()) > 0.1), (
        "dlbcl after 20 rounds, (objective - optimum) / optimum: solved exactly "
        f"{', '.join(f'{value:.2g} with C = {C:g}' for C, value in exact.items())}; with rounds to 1e-3 and C = 1000 "
        f"{loose[-1]:.2g}, at least {min(loose):.2g} in any round."
    )


@lru_cache(64)
def _relevant(d_rel):
    """{machine: (10,) accuracy %} in 10 draws of 100 points."""
    found = np.array([walk.relevant(100, d_rel, draw, (-3, 2)) for draw in range(10)])[:, :, 0]
    return dict(zip((*walk.MACHINES, walk.CHOSEN), found.T, strict=True))


@claim("few_relevant", walk.PAPER, "If few features are relevant, one extra iteration beats the 2-norm SVM.")
def few_relevant(accuracies=_relevant) -> tuple[str, str]:
    """Paired differences of the accuracies of RW(2) and the 2-norm SVM with 1 and 5 relevant features."""
    gains = {d: accuracies(d)["RW(2)"] - accuracies(d)[TWO_NORM] for d in (1, 5)}
    parts = "; ".join(f"{d} relevant: {format_mean(gain)}" for d, gain in gains.items())
    return together(*map(is_above, gains.values())), f"RW(2) minus the 2-norm SVM in percentage points, {parts}."


@claim(
    "beats_one_norm",
    walk.PAPER,
    "The 1-norm SVM is better than one extra iteration only for a single relevant feature, where two extra iterations "
    "close the gap.",
    "With 50 relevant features one extra iteration is better, as claimed; with 5, ten draws do not decide it. With a "
    "single one there is no gap to close: the 1-norm SVM is not better there either.",
)
def beats_one_norm(accuracies=_relevant) -> tuple[str, str]:
    """Paired differences of RW(2), and at one relevant feature RW(3), to the 1-norm SVM."""
    ahead = {d: accuracies(d)["RW(2)"] - accuracies(d)[ONE_NORM] for d in (1, 5, 50)}
    third = accuracies(1)["RW(3)"] - accuracies(1)[ONE_NORM]
    verdict = together(is_above(-ahead[1]), is_above(ahead[5]), is_above(ahead[50]), at_most(-third, 0.5))
    parts = "; ".join(f"{d} relevant {format_mean(gain)}" for d, gain in ahead.items())
    return verdict, (
        f"RW(2) minus the 1-norm SVM in percentage points: {parts}. RW(3) minus the 1-norm SVM, 1 relevant: "
        f"{format_mean(third)}."
    )


@lru_cache(64)
def _halves(name, splits):
    """{machine: (splits,) accuracy %}; sonar in its own units."""
    powers, coding = ((-7, 1, 1), "standardised") if name in walk.GENES else ((-2, 4, 1), "raw")
    found = np.array([walk.evaluate_halves(name, split, powers, coding) for split in range(splits)])[:, :, 0]
    return dict(zip((*walk.MACHINES, walk.CHOSEN), found.T, strict=True))


@claim("genes", walk.PAPER, "On gene expression sets the best accuracy lies between the 2-norm SVM and the 1-norm SVM.")
def genes(accuracies=_halves) -> tuple[str, str]:
    """Paired differences of RW(3) to both ends, on two sets."""
    verdicts, parts = [], []
    for name in ("dlbcl", "srbct"):
        found = accuracies(name, 8)
        gains = [found["RW(3)"] - found[end] for end in (TWO_NORM, ONE_NORM)]
        verdicts += map(is_above, gains)
        parts.append(f"{name} {format_mean(gains[0])} and {format_mean(gains[1])}")
    return together(*verdicts), (
        f"RW(3) minus the 2-norm and the 1-norm SVM in percentage points, 8 splits: {'; '.join(parts)}."
    )


@claim("sonar", walk.PAPER, "On sonar all machines are about equally accurate.")
def sonar(accuracies=_halves) -> tuple[str, str]:
    """Paired differences to the mean of all machines are within three percentage points."""
    found = accuracies("sonar", 20)
    centre = np.mean([found[name] for name in walk.MACHINES], axis=0)
    apart = {name: found[name] - centre for name in walk.MACHINES}
    return together(*(similar(values, 3.0) for values in apart.values())), (
        "Accuracy minus the mean of all machines in percentage points, 20 splits, from the 2-norm SVM by RW(2) to the "
        f"1-norm SVM: {', '.join(map(format_mean, apart.values()))}."
    )


@claim(
    "rounds_by_validation",
    walk.PAPER,
    "A good number of iterations is easy to find with cross-validation.",
    "The number that cross-validation chooses costs less than one percentage point on average, but ten draws do not "
    "decide whether it is always so.",
)
def rounds_by_validation(accuracies=_relevant) -> tuple[str, str]:
    """The accuracy of the number of rounds that cross-validation chooses, against the best fixed number."""
    losses = {}
    for d_rel in (1, 5, 50):
        found = accuracies(d_rel)
        best = max(walk.MACHINES[:-1], key=lambda name: found[name].mean())
        losses[d_rel, best] = found[best] - found[walk.CHOSEN]
    parts = "; ".join(f"{d} relevant: {format_mean(-loss)} ({best})" for (d, best), loss in losses.items())
    return together(*(at_most(loss, 1.0) for loss in losses.values())), (
        f"Rounds by cross-validation minus the best number of rounds, in percentage points: {parts}."
    )
