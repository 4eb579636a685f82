"""López, De Brabanter, Dorronsoro, Suykens (2011), Sparse LS-SVMs with L0-norm minimization: errors and sparsity."""

from collections.abc import Generator

import numpy as np

from svmcore import SVC, SVR, SparseLSSVC, SparseLSSVR, problems, tuning
from svmcore.papers import sets
from svmcore.papers.experiment import experiment
from svmcore.papers.table import COMPARED, Table, compared

PAPER = "Sparse LS-SVM (López et al. 2011)"
CLASSIFICATION = ("ripley", "fourclass")
SETS = (*CLASSIFICATION, "motorcycle", "fossil")
MACHINES = ("LS-SVM", "ISLS", "SVM")
THEIRS = {  # test error (in %, or mean squared), support vectors
    "ripley": {"LS-SVM": (12.8, 167.0), "ISLS": (13.4, 13.0), "SVM": (11.6, 61.8)},
    "fourclass": {"LS-SVM": (0.0, 575.0), "ISLS": (0.0, 54.4), "SVM": (0.0, 232.2)},
    "motorcycle": {"LS-SVM": (503.1, 89.0), "ISLS": (533.1, 8.4), "SVM": (604.7, 73.2)},
    "fossil": {"LS-SVM": (7.5e-10, 71.0), "ISLS": (8.1e-10, 6.2), "SVM": (4.2e-09, 48.9)},
}


def machine(name, kind) -> SVC | SVR | SparseLSSVC | SparseLSSVR:
    """The estimator of a `kind` of `MACHINES` for the set `name`, with C and sigma still to be tuned."""
    if name in CLASSIFICATION:
        return {"LS-SVM": SVC(loss="least_squares"), "ISLS": SparseLSSVC(), "SVM": SVC()}[kind]
    return {"LS-SVM": SVR(loss="least_squares"), "ISLS": SparseLSSVR(), "SVM": SVR(epsilon=0.1)}[kind]


def rows_of(name) -> tuple[np.ndarray, np.ndarray]:
    """X (N, d) and y (N,) of the set; of Ripley's the 250 points that the paper uses."""
    if name == "ripley":
        points = problems.load(name)
        return points.X, points.y
    return sets.whole(name)


def unit_of(name, y) -> float:
    """The unit of the targets y (N,): a power of ten near their spread; 1 for labels."""
    return 1.0 if name in CLASSIFICATION else float(f"1e{round(np.log10(np.std(y)))}")


def tuned(name, kind, X, y, seed, search) -> SVC | SVR | SparseLSSVC | SparseLSSVR:
    """The unfitted estimator with C and sigma from coupled simulated annealing and cross-validation.

    search: options of `tuning.tune`.
    """
    return tuning.tune(machine(name, kind), X, y, "csa", seed=seed, **search).estimator


def halves(name, draw, search) -> dict[str, list]:
    """{machine: [test error, support vectors]}: 2/3 of the points for tuning and training, 1/3 for testing."""
    X, y = rows_of(name)
    train, test = sets.split(len(y) - round(len(y) / 3), len(y), draw)
    Z, X = (sets.standardised(X[rows], like=X[train]) for rows in (test, train))
    classes = name in CLASSIFICATION
    level, unit = (0.0, 1.0) if classes else (y[train].mean(), y[train].std())
    result = {}
    for kind in MACHINES:
        target = (y[train] - level) / unit
        model = tuned(name, kind, X, target, draw, search).fit(X, target)
        if classes:
            error = 100.0 * float(np.mean(model.predict(Z) != y[test]))
        else:
            error = float(np.mean((y[test] - level - unit * model.predict(Z)) ** 2))
        result[kind] = [error, len(model.support_)]
    return result


def present(names) -> tuple[list[str], list[str]]:
    """The sets whose data is present, and a list with a note on the others."""
    here = [name for name in names if problems.available(name)]
    absent = [name for name in names if name not in here]
    note = f"Left out: {', '.join(absent)}, whose data may not be distributed with the project; fetch it with " + (
        f"`python -m svmcore.problems fetch {' '.join(absent)}`."
    )
    return here, [note] if absent else []


@experiment(
    "isls.table1",
    paper=PAPER,
    title="table 1: errors and support vectors",
    shows="On two classification and two regression sets ISLS keeps a few support vectors, with errors comparable "
    "to those of the LS-SVM, which keeps all points, and of the SVM.",
)
def table1(work, quick, seed) -> Generator:
    """The Table of errors and support vectors by set and machine."""
    names, notes = present(("ripley", "motorcycle") if quick else SETS)
    draws, search = (2, {"rounds": 2, "refinement": 5, "cv": 5}) if quick else (10, {})
    rows = []
    for name in names:
        tasks = [{"name": name, "draw": seed + k, "search": search} for k in range(draws)]
        results = yield from work(f"{name}, splits", halves, tasks)
        measures = ("error %" if name in CLASSIFICATION else "mean squared error", "support vectors")
        for kind in MACHINES:
            for k, measure in enumerate(measures):
                values = [result[kind][k] for result in results]
                rows.append((name, kind, measure, *compared(values, THEIRS[name][kind][k])))
    return Table(
        ("set", "machine", "measure", *COMPARED),
        tuple(rows),
        (
            *notes,
            f"{draws} random splits, 2/3 and 1/3, drawn by us; the paper has 10 and prints no spread.",
            "Each machine has its own C and sigma: coupled simulated annealing with 5 starters, then a simplex, on the "
            f"{'5' if quick else '10'}-fold cross-validation error of the training part. The paper tuned with "
            "LS-SVMlab (the same method) and LIBSVM (a grid).",
            "Inputs, and targets of regression, are standardised by the training part; errors are in units of the set.",
            "SVM regression has epsilon = 0.1 standard deviations of y; the paper does not state its value.",
            "ISLS starts from lambda = |alpha|, the usable reading of the paper's lambda = alpha, which may be "
            "negative.",
        ),
    )


def sparse_model(name, seed, search) -> list:
    """[C, sigma, support vectors, rounds, training error] of ISLS on all points, in the units of the app's pages."""
    X, y = rows_of(name)
    unit = unit_of(name, y)
    model = tuned(name, "ISLS", X, y / unit, seed, search).fit(X, y / unit)
    f = model.predict(X)
    error = 100.0 * float(np.mean(f != y)) if name in CLASSIFICATION else float(np.mean((y - unit * f) ** 2))
    return [model.C, model.gamma**-0.5, len(model.support_), model.n_iter_, error]


@experiment(
    "isls.fig1",
    paper=PAPER,
    title="figure 1: examples of sparse models",
    shows="ISLS on all points of each set: few support vectors, and a model that fits the distribution of the points "
    "well.",
)
def fig1(work, quick, seed) -> Generator:
    """The Table of one sparse model per set."""
    names, notes = present(("ripley", "motorcycle") if quick else SETS)
    search = {"rounds": 3, "refinement": 10, "cv": 5} if quick else {}
    tasks = [{"name": name, "seed": seed, "search": search} for name in names]
    results = yield from work("sets", sparse_model, tasks)
    return Table(
        ("set", "C", "sigma", "support vectors", "rounds", "training error"),
        tuple((name, *result) for name, result in zip(names, results, strict=True)),
        (
            *notes,
            "The paper draws the models and prints no C, sigma or count; a point is a support vector if its |alpha| is "
            "above 10^-6, as in the paper.",
            "Points are not standardised; regression targets are in units of a power of ten near their spread, so that "
            "C means the same as on the other pages.",
            "Training errors are in % or mean squared.",
        ),
    )
