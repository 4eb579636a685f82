"""López, Dorronsoro (2010), Least 1-Norm SVMs: a New SVM Variant between Standard and LS-SVMs: outliers, four sets."""

import re
from collections.abc import Generator
from itertools import product

import numpy as np
from sklearn.model_selection import StratifiedKFold

from svmcore import duals, problems
from svmcore.kernels import Kernel
from svmcore.papers import sets
from svmcore.papers.experiment import experiment
from svmcore.papers.table import COMPARED, MEASURED, Table, agrees, comparison, summary
from svmcore.problems import features, outliers
from svmcore.solvers.box_dual import fast_cross_validation, smo
from svmcore.studies.robustness import angle

PAPER = "Least 1-Norm SVM (López and Dorronsoro 2010)"
DUALS = {"LS-SVM": duals.least_squares, "Least 1-Norm SVM": duals.least_absolute, "L1-SVM": duals.hinge}
TOLERANCE = 1e-3  # of the paper, in (10) and (11)
MOST_UPDATES = 1_000_000
FEW = 0.25  # of the points of a set: where no more differ, as on titanic, each of these is fitted with its number


# ---- figure 1 ----

FLIPS = ("the farthest point of each class", "a random point of each class")


def plane(X, y, dual) -> tuple[np.ndarray, float]:
    """(w, b) of the linear machine with C = 1 for X (n, 2), y (n,); dual: a function of `svmcore.duals`."""
    K, qp = X @ X.T, dual(y, np.ones(len(y)))
    found = smo.solve(K, qp, tol=1e-6)
    return found.beta @ X, found.intercept


def accuracy(w, b) -> float:
    """% of all points of N((0, 0), I), class +1, and N((5, 2), I), class -1, on the correct side, exactly."""
    return 100.0 * features.gaussian_accuracy(w, b, np.zeros(2), np.array([5.0, 2.0]))


def evaluate_flips(draw) -> dict[str, dict]:
    """{machine: {flips: [rotation of the plane in degrees, accuracy % before, after]}} of one draw of the toy."""
    clean = problems.load("toy_outliers", draw)
    rng = np.random.default_rng(draw)
    chosen = [rng.choice(np.flatnonzero(clean.y == label)) for label in (1.0, -1.0)]
    labels = dict(zip(FLIPS, (outliers.flip_farthest(clean, 2).y, outliers.flip(clean, chosen).y), strict=True))
    result = {}
    for name, dual in DUALS.items():
        w, b = plane(clean.X, clean.y, dual)
        found = {kind: plane(clean.X, y, dual) for kind, y in labels.items()}
        result[name] = {kind: [angle(w, v), accuracy(w, b), accuracy(v, c)] for kind, (v, c) in found.items()}
    return result


@experiment(
    "least_1_norm.fig1",
    paper=PAPER,
    title="figure 1: one outlier for each class",
    shows="Two classes of twenty points; then the label of one point of each is switched. The plane of the LS-SVM "
    "changes its orientation remarkably, that of the Least 1-Norm SVM much less.",
)
def fig1(work, quick, seed) -> Generator:
    """The Table of rotations and accuracies by switched labels and machine."""
    draws = range(seed, seed + (20 if quick else 200))
    results = yield from work("draws", evaluate_flips, [{"draw": draw} for draw in draws])
    measures = ("turned, degrees", "accuracy % before", "accuracy % after")
    rows = [
        (kind, name, measure, *summary([result[name][kind][k] for result in results]))
        for kind, name, (k, measure) in product(FLIPS, DUALS, enumerate(measures))
    ]
    return Table(
        ("switched labels", "machine", "measure", *MEASURED),
        tuple(rows),
        (
            "The paper draws one set of points and prints no numbers; these are means over draws of the same "
            "distribution.",
            "The paper does not say which points are switched: both readings are shown. C = 1, as in the paper.",
            "Accuracies are for the whole distribution, from the formula for Gaussian classes.",
            "The L1-SVM is not in the figure of the paper.",
        ),
    )


# ---- table 2 ----

TRAINING = {"titanic": 150, "heart": 170, "breast_cancer": 200, "german": 700}
SHUFFLES = 10  # of the folds
RULES = {  # how far above the least error a place may be, from the shares of wrong labels of the best one
    "the smallest C within one standard error": lambda best: float(best.std(ddof=1) / np.sqrt(len(best))),
    "the smallest C within 0.1 percentage points": lambda best: 0.1,
    "the least error": lambda best: 0.0,
}
RULE, *OTHER_RULES = RULES
MACHINES = ("LS-SVM", "Least 1-Norm SVM")
GRID = 10.0 ** np.linspace(0, 2, 11), 10.0 ** np.linspace(0, 4, 21)  # C and sigma
PLACE = re.compile(r"([\w-][\w -]*) C = ([\d.e+]+), sigma = ([\d.e+]+)")
RUNS = 100  # of the paper
MEASURES = ("error %", "support vectors", "SMO iterations", "SMO iterations, second order")
PRINTED = {  # mean and deviation of error, support vectors, iterations: of the LS-SVM, of the Least 1-Norm SVM
    "titanic": (((22.4, 1.0), (150.0, 0.0), (390.1, 14.7)), ((22.4, 1.0), (71.4, 9.8), (53.7, 6.1))),
    "heart": (((15.6, 3.2), (169.9, 0.3), (261.3, 7.8)), ((15.6, 3.5), (169.9, 0.3), (120.1, 14.7))),
    "breast_cancer": (((25.7, 4.5), (199.8, 0.5), (424.6, 7.9)), ((25.9, 4.5), (195.9, 2.3), (3510.7, 701.9))),
    "german": (((23.3, 2.1), (699.4, 0.8), (3329.8, 38.0)), ((23.3, 2.2), (699.9, 0.3), (16167.4, 1419.3))),
}
THEIRS = {name: dict(zip(MACHINES, rows, strict=True)) for name, rows in PRINTED.items()}


def gaussian(sigma) -> Kernel:
    """The kernel of this paper, exp(-|x - z|^2 / sigma): sigma is not squared."""
    return Kernel("rbf", gamma=1 / sigma)


def validation_errors(name, machine, sigma, Cs, repeats, most) -> list[list]:
    """[[error % on each fold] for each C] in 10-fold cross-validation, repeated for `repeats` shuffles of (at most
    `most` rows of) the whole set.
    """
    X, y = (values[:most] for values in sets.whole(name))
    parts = []
    for shuffle in range(repeats):
        parts += StratifiedKFold(10, shuffle=True, random_state=shuffle).split(X, y)
    folds = [test for _, test in parts]
    rows, which = np.unique(np.column_stack([X, y]), axis=0, return_inverse=True)
    if machine == "LS-SVM" and len(rows) > FEW * len(y):
        K = gaussian(sigma)(X)
        residuals = [fast_cross_validation.k_fold(K, duals.least_squares(y, np.full(len(y), C)), folds) for C in Cs]
        wrong = [[np.sum(y[fold] * r >= 1.0) for fold, r in zip(folds, of_C, strict=True)] for of_C in residuals]
    else:
        K, labels = gaussian(sigma)(rows[:, :-1]), rows[:, -1]
        counts = ((np.bincount(which[part], minlength=len(rows)) for part in pair) for pair in parts)
        wrong = np.transpose([_wrong_by_C(K, labels, DUALS[machine], Cs, *pair) for pair in counts])
    return (100.0 * np.array(wrong) / [len(fold) for fold in folds]).tolist()


def _wrong_by_C(K, y, dual, Cs, training, held):
    """The number of held points that the machine misclassifies at each C, from small to large.

    K and y are of the distinct points; `training` and `held` (N,) count how often each occurs in either part: k points
    at one place with one label are a single point with k times the C. The coefficients of one C, scaled to the box of
    the next, are its start.
    """
    train, test = np.flatnonzero(training), np.flatnonzero(held)
    inner, outer, wrong = np.ascontiguousarray(K[np.ix_(train, train)]), K[np.ix_(test, train)], []
    beta = np.zeros(len(train))
    for k, C in enumerate(Cs):
        qp = dual(y[train], C * training[train])
        beta = np.clip(beta * (C / Cs[max(k - 1, 0)]), qp.lower, qp.upper)
        found = smo.solve(inner, qp, tol=TOLERANCE, max_iter=MOST_UPDATES, beta=beta)
        beta = found.beta
        wrong.append(held[test] @ ((outer @ beta + found.intercept) * y[test] <= 0.0))
    return wrong


def chosen_place(places, shares, rule=RULE) -> tuple[float, float]:
    """(C, sigma) by a rule of `RULES`: of all places whose mean error is close to the least one, those with the
    smallest C, and of these the sigma with the least error.

    places: (C, sigma) each; shares: [error % on each fold] each.
    """
    errors = np.mean(shares, axis=1)
    most = errors.min() + RULES[rule](np.array(shares[int(errors.argmin())])) + 1e-9
    close = [(C, error, -sigma) for (C, sigma), error in zip(places, errors, strict=True) if error <= most]
    C, _, sigma = min(close)
    return C, -sigma


def evaluate_split(name, split, chosen) -> dict[str, list]:
    """{machine: [test error %, support vectors, SMO iterations of first, of second order]} on one split.

    chosen: {machine: (C, sigma)}.
    """
    X, y = sets.whole(name)
    train, test = sets.split(TRAINING[name], len(y), split)
    result = {}
    for machine, (C, sigma) in chosen.items():
        kernel = gaussian(sigma)
        qp = DUALS[machine](y[train], np.full(len(train), C))
        K = kernel(X[train])
        found, second = (
            smo.solve(K, qp, tol=TOLERANCE, max_iter=MOST_UPDATES, selection=order) for order in ("first", "second")
        )
        f = kernel(X[test], X[train]) @ found.beta + found.intercept
        error = 100.0 * float(np.mean(f * y[test] <= 0.0))
        count = int(np.count_nonzero(np.abs(found.beta) > TOLERANCE))
        result[machine] = [error, count, found.n_iter, second.n_iter]
    return result


def _table_rows(work, chosen, splits):
    """The rows of the table for the places {set: {machine: (C, sigma)}}."""
    rows = []
    for name, places in chosen.items():
        tasks = [{"name": name, "split": split, "chosen": places} for split in splits]
        results = yield from work(f"{name}, splits", evaluate_split, tasks)
        for machine in DUALS:
            theirs = dict(zip(MEASURES, THEIRS[name].get(machine, ()), strict=False))
            for k, measure in enumerate(MEASURES):
                values = [result[machine][k] for result in results]
                printed = (*theirs[measure], RUNS) if measure in theirs else ()
                rows.append((name, machine, measure, *comparison(values, *printed)))
    return rows


def _places_text(chosen):
    """The note on the chosen places {set: {machine: (C, sigma)}}, which `chosen_places` reads."""
    where = "; ".join(
        f"{name}: " + ", ".join(f"{machine} C = {C:.3g}, sigma = {sigma:.3g}" for machine, (C, sigma) in own.items())
        for name, own in chosen.items()
    )
    return f"Chosen: {where}."


def chosen_places(table) -> dict[str, dict[str, tuple[float, float]]]:
    """{set: {machine: (C, sigma)}} of a Table of `table2`, from its note, to three digits; {} without one."""
    note = next((note for note in table.notes if note.startswith("Chosen: ")), "")
    parts = (part.partition(": ") for part in note.removeprefix("Chosen: ").removesuffix(".").split("; ") if part)
    return {
        name: {machine.strip(): (float(C), float(sigma)) for machine, C, sigma in PLACE.findall(own)}
        for name, _, own in parts
    }


def _agreement(rows):
    """Count the numbers in rows of the table that agree with the paper's, by measure."""
    found = {}
    for _, _, measure, *numbers in rows:
        found.setdefault(measure, []).append(agrees(dict(zip(COMPARED, numbers, strict=True))))
    known = {measure: [one for one in same if one is not None] for measure, same in found.items()}
    return ", ".join(f"{sum(same)} of {len(same)} ({measure})" for measure, same in known.items() if same)


@experiment(
    "least_1_norm.table2",
    paper=PAPER,
    title="table 2: errors, support vectors, iterations",
    shows="On four sets both machines reach similar errors. Neither is sparse, except the Least 1-Norm SVM on titanic, "
    "and sometimes one needs fewer SMO iterations, sometimes the other.",
)
def table2(work, quick, seed) -> Generator:
    """The Table of errors, support vectors and iterations by set and machine."""
    names = ("titanic", "heart") if quick else tuple(TRAINING)
    Cs, sigmas = ([float(f"{value:.4g}") for value in axis[:: 5 if quick else 1]] for axis in GRID)
    most, splits = (300, 10) if quick else (2201, 100)
    repeats = 1 if quick else SHUFFLES
    places, shares = [(C, sigma) for sigma in sigmas for C in Cs], {}
    for name in names:
        rest = {"Cs": Cs, "repeats": repeats, "most": most}
        grid = [{"name": name, "machine": m, "sigma": sigma, **rest} for m in DUALS for sigma in sigmas]
        found = iter((yield from work(f"{name}, cross-validation", validation_errors, grid)))
        shares[name] = {m: [one for _ in sigmas for one in next(found)] for m in DUALS}
    chosen, rows = {}, {}
    for rule in RULES:
        chosen[rule] = {n: {m: chosen_place(places, shares[n][m], rule) for m in DUALS} for n in names}
        rows[rule] = yield from _table_rows(work, chosen[rule], range(seed, seed + splits))
    others = "; ".join(f"{rule}: {_agreement(rows[rule])}" for rule in OTHER_RULES)
    return Table(
        ("set", "machine", "measure", *COMPARED),
        tuple(rows[RULE]),
        (
            f"{splits} random splits of the sizes of the paper, drawn by us: the 100 splits of the IDA repository are "
            "in no package registry.",
            "The paper prints neither its grid steps nor the chosen C and sigma, nor its rule for places that are "
            f"equally good. Ours: C from 1 to 100 in {len(Cs)}, sigma from {sigmas[0]:g} to {sigmas[-1]:g} in "
            f"{len(sigmas)} values, {'a decade' if quick else '0.2 decades'} apart; {RULE} of the least error. "
            f"Numbers that agree: {_agreement(rows[RULE])}. By other rules, {others}.",
            "Shuffles of 10 folds, where the paper takes 10: "
            f"{', '.join(f'{name} {repeats}' for name in names)}{'; on 300 rows of a set' * quick}.",
            "The kernel is that of this paper, exp(-|x - z|^2 / sigma): its sigma is the square of that of the app.",
            _places_text(chosen[RULE]),
            "Iterations are pair updates from zero until the paper's stopping rule 1e-3; those of first order are the "
            "paper's (8) and (9), those of second order the improvement that its section 5 proposes. They depend "
            "mainly on C and sigma.",
            "What differs: the paper's iterations are met at other places (C, sigma), by the LS-SVM on titanic at"
            " (1, 2) with 393, on breast_cancer at (1, 28) with 424, on german between C = 4 (2800 to 3150) and "
            "10 (4300 or more); on heart nowhere: every place in steps of an eighth of a decade needs 280 or "
            "more. No rule gives all of these: titanic needs the smallest C (the least error is at C = 100, with "
            "8140), german a larger one.",
            "The agreement depends on the grid: with half decades of C and sigma, and the same rule, 12 of the 24 "
            "numbers agree, because its places lie elsewhere (heart: C = 1, sigma = 316 for each machine); its errors "
            "differ from these by less than half a percentage point.",
            "The error of the LS-SVM on titanic is 22.66 % or more at every place of the grid, on the splits that"
            " we drew; the paper has 22.4 %.",
            f"A support vector has |alpha| > {TOLERANCE:g}, the tolerance of the solver; the paper does not say.",
            "The paper compares with the errors of an L1-SVM in another publication and does not print them; ours are "
            "by the same protocol.",
            "breast_cancer: the coding of its nine attributes as numbers is our own; that of the repository is "
            "unknown.",
        ),
    )
