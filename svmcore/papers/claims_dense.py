"""Tests of the claims on the LS-SVM and the Least 1-Norm SVM."""

from functools import cache

import numpy as np

from svmcore import duals, problems
from svmcore.papers import least_1_norm, ls_svm
from svmcore.papers.claims import claim
from svmcore.solvers import linear_system, smo

# ---- Suykens and Vandewalle (1999) ----


@claim(
    "linear_system", ls_svm.PAPER, "The LS-SVM follows from a set of linear equations, without quadratic programming."
)
def linear_equations() -> tuple[bool, str]:
    """Direct solution and pair updates on the quadratic programme give the same f."""
    points, kernel = problems.load("ripley"), ls_svm.gaussian(0.7)
    K, qp = kernel(points.X), duals.least_squares(points.y, np.ones(len(points.y)))
    solved = linear_system.direct(K, qp)
    state = smo.solve(K, qp, tol=1e-9)
    apart = float(np.abs(K @ (solved.beta - state.beta) + solved.intercept - smo.intercept(qp, state)).max())
    return apart < 1e-6, (
        f"One factorisation and {state.n_iter} pair updates on the quadratic programme of 250 points give f that "
        f"differ by at most {apart:.1e}."
    )


@claim(
    "proportional", ls_svm.PAPER, "The support values are proportional to the errors at the points: alpha = gamma e."
)
def proportional_to_errors() -> tuple[bool, str]:
    """alpha_i = gamma e_i at every point of the two spirals."""
    points, kernel, gamma = problems.load("two_spirals"), ls_svm.gaussian(1.0), 10.0
    beta, intercept = ls_svm.machine(points.X, points.y, gamma, kernel)
    errors = 1.0 - points.y * (kernel(points.X) @ beta + intercept)
    apart = float(np.abs(points.y * beta - gamma * errors).max())
    return apart < 1e-9, f"On the two spirals with gamma = 10, alpha and gamma e differ by at most {apart:.1e}."


@claim(
    "near_and_far",
    ls_svm.PAPER,
    "Points close to the decision line and far from it have the largest support values; with inequality constraints "
    "only points near the line have any.",
)
def near_and_far() -> tuple[bool, str]:
    """Mean |alpha| by bands of y f: high at both ends for the LS-SVM, 0 beyond the margin for the L1-SVM."""
    results = [ls_svm.support_values(draw) for draw in range(10)]
    ls = np.nanmean(np.array([result["LS-SVM"] for result in results], dtype=float), axis=0)
    far_hinge = max(result["L1-SVM"][3] for result in results)
    shape = ls[0] > ls[1] > ls[2] < ls[3] < ls[4]
    return bool(shape and far_hinge == 0), (
        f"Mean |alpha| from near to far: {', '.join(f'{value:.2f}' for value in ls[:5])}; of the L1-SVM beyond the "
        f"margin {far_hinge:g}."
    )


@claim("spirals", ls_svm.PAPER, "With sigma = gamma = 1 the two spirals are separated with excellent generalisation.")
def two_spirals() -> tuple[bool, str]:
    """Training and test error at sigma = gamma = 1 are both 0."""
    training, test, _ = ls_svm.spirals(1.0, 1.0)
    return training == test == 0, f"Training error {training:g} %, error half-way between the points {test:g} %."


@claim("wide_range", ls_svm.PAPER, "On two spirals the method gives good results over a wide range of sigma and gamma.")
def wide_range() -> tuple[bool, str]:
    """Errors below 5 % for every gamma, over at least a factor of 4 in sigma."""
    errors = {s: [ls_svm.spirals(s, g)[1] for g in (0.1, 1.0, 10.0, 1000.0)] for s in (0.125, 0.25, 0.5, 1.0, 2.0, 4.0)}
    good = [s for s, found in errors.items() if max(found) < 5]
    return max(good) >= 4 * min(good), (
        f"Below 5 % for every gamma from 0.1 to 1000 with sigma from {min(good):g} to {max(good):g}; at sigma = 2 from "
        f"{min(errors[2.0]):.0f} to {max(errors[2.0]):.0f} %, at 4 from {min(errors[4.0]):.0f} % up."
    )


@claim(
    "vc_bound",
    ls_svm.PAPER,
    "The parameters of the kernels, such as sigma, can be optimally chosen by the bound (12) on the VC dimension.",
    "As the kernel widens, r^2 falls faster than |w|^2 rises, so the bound selects the widest kernel of the grid. It "
    "applies to planes that separate the points, and these classes overlap.",
)
def vc_bound() -> tuple[bool, str]:
    """The 10-fold error at the sigma chosen by the bound, against the smallest one on the grid."""
    squared = (0.05, 0.25, 0.5, 1.0, 5.0, 10.0)
    worse = []
    for gamma in (1.0, 10.0):
        found = np.array([ls_svm.bound(s**0.5, gamma, 0) for s in squared])
        worse.append((found[found[:, 2].argmin(), 3], found[:, 3].min(), squared[found[:, 2].argmin()] ** 0.5))
    close = all(chosen < best + 1.5 for chosen, best, _ in worse)
    return close, "On Ripley's data " + "; ".join(
        f"at gamma = {gamma} it chooses sigma = {sigma:.2g}, with a 10-fold error of {chosen:.1f} %; the smallest is "
        f"{best:.1f} %"
        for gamma, (chosen, best, sigma) in zip((1, 10), worse, strict=True)
    ) + "."


# ---- López and Dorronsoro (2010) ----

CHOSEN = {  # C and sigma found by the full run of least_1_norm.table2
    "titanic": {"LS-SVM": (1.0, 1.0), "Least 1-Norm SVM": (3.16, 1.0)},
    "heart": {"LS-SVM": (3.16, 3160.0), "Least 1-Norm SVM": (3.16, 1000.0)},
    "breast_cancer": {"LS-SVM": (1.0, 31.6), "Least 1-Norm SVM": (1.0, 10.0)},
}


@cache
def _table2(name, splits=10):
    """{machine: [error, support vectors, iterations]}, means, and the spread of the errors."""
    results = [least_1_norm.tested(name, split, CHOSEN[name]) for split in range(splits)]
    found = {machine: np.array([r[machine] for r in results]) for machine in least_1_norm.MACHINES}
    return {machine: values.mean(axis=0) for machine, values in found.items()}, found["LS-SVM"][:, 0].std()


@claim("similar_accuracy", least_1_norm.PAPER, "The Least 1-Norm SVM reaches errors similar to those of the LS-SVM.")
def similar_accuracy() -> tuple[bool, str]:
    """The mean errors differ by at most the spread over the splits."""
    parts, similar = [], True
    for name in CHOSEN:
        mean, spread = _table2(name)
        ls, ours = (mean[machine][0] for machine in least_1_norm.MACHINES)
        similar &= abs(ls - ours) <= spread
        parts.append(f"{name} {ls:.1f} and {ours:.1f} % (spread {spread:.1f})")
    return bool(similar), "LS-SVM and Least 1-Norm SVM: " + "; ".join(parts) + "."


@claim("not_sparse", least_1_norm.PAPER, "Neither machine is sparse, except the Least 1-Norm SVM on titanic.")
def not_sparse() -> tuple[bool, str]:
    """Shares of support vectors: above 90 %, except for the Least 1-Norm SVM on titanic."""
    share = {}
    for name in CHOSEN:
        mean, _ = _table2(name)
        share[name] = [100 * mean[m][1] / least_1_norm.TRAINING[name] for m in least_1_norm.MACHINES]
    dense = all(min(pair) > 90 for name, pair in share.items() if name != "titanic") and share["titanic"][0] > 90
    return bool(dense and share["titanic"][1] < 75), "Support vectors of LS-SVM and Least 1-Norm SVM: " + "; ".join(
        f"{name} {pair[0]:.0f} and {pair[1]:.0f} %" for name, pair in share.items()
    ) + "."


@claim(
    "varied_speed",
    least_1_norm.PAPER,
    "Sometimes the LS-SVM needs fewer SMO iterations, sometimes the Least 1-Norm SVM.",
)
def varied_speed() -> tuple[bool, str]:
    """Each machine needs fewer SMO iterations on some set."""
    counts = {name: [_table2(name)[0][m][2] for m in least_1_norm.MACHINES] for name in CHOSEN}
    faster = {ls < ours for ls, ours in counts.values()}
    return len(faster) == 2, "LS-SVM and Least 1-Norm SVM: " + "; ".join(
        f"{name} {ls:.0f} and {ours:.0f}" for name, (ls, ours) in counts.items()
    ) + " iterations."


@claim(
    "outliers_turn",
    least_1_norm.PAPER,
    "With one outlier for each class the LS-SVM hyperplane changes its orientation remarkably, the Least 1-Norm one "
    "less.",
)
def outliers_turn() -> tuple[bool, str]:
    """Mean rotation of the two planes by one flipped label per class."""
    results = [least_1_norm.spoiled(draw) for draw in range(20)]
    turned = {
        kind: [np.mean([r[machine][kind][0] for r in results]) for machine in least_1_norm.MACHINES]
        for kind in least_1_norm.FLIPS
    }
    return all(ls > 2 * ours for ls, ours in turned.values()), "Rotated by " + "; ".join(
        f"{ls:.1f} and {ours:.1f} degrees for {kind}" for kind, (ls, ours) in turned.items()
    ) + "."


@claim(
    "gain",
    least_1_norm.PAPER,
    "A pair update lowers the dual by Delta^2 / |Z|^2.",
    "A slip of the paper: the minimum along the pair lies Delta^2 / (2 |Z|^2) lower. Nothing depends on it: the factor "
    "does not change which pair is best.",
)
def gain() -> tuple[bool, str]:
    """The decrease of the dual by the first pair update, as a share of Delta^2 / |Z|^2."""
    points = problems.load("toy_outliers")
    K, qp = points.X @ points.X.T, duals.least_absolute(points.y, np.full(40, 1e6))
    state = smo.advance(K, qp, smo.start(K, qp), 1, tol=1e-9, selection="first")
    i, j = np.flatnonzero(state.beta)
    stretch = abs(points.y[i] - points.y[j]) ** 2 / (K[i, i] + K[j, j] - 2 * K[i, j])
    share = -state.objective / stretch
    return abs(share - 1) < 1e-9, f"The first update lowered the dual by {share:.6f} times this amount."
