"""Tests of the claims on the sparse LS-SVM and the L0/1-SVM."""

import time
from functools import lru_cache

import numpy as np
from sklearn import svm

from svmcore import SVC, SparseLSSVC, kernels, problems
from svmcore.papers import isls, l01, sets
from svmcore.papers.claims import OPEN, at_most, claim, fact, format_mean, is_above, together
from svmcore.problems import benchmarks
from svmcore.solvers.nonconvex import admm, zero_one
from svmcore.solvers.nonconvex.expansions import Linear
from svmcore.words import capital

# ---- López, De Brabanter, Dorronsoro, Suykens (2011) ----

SPLITS = 40
SETTINGS = {  # C and sigma, the best of 7 x 6 places in twice 10-fold cross-validation on all points
    "ripley": {"LS-SVM": (0.3, 0.5), "ISLS": (3.0, 0.5), "SVM": (0.3, 0.3)},
    "motorcycle": {"LS-SVM": (10.0, 0.7), "ISLS": (3.0, 0.5), "SVM": (3.0, 0.7)},
}


@lru_cache(64)
def _splits(name):
    """{machine: (SPLITS, 3) test error, support vectors, rounds}, the error in % or as a share of the variance."""
    X, y = isls.rows_of(name)
    found = {kind: [] for kind in isls.MACHINES}
    for draw in range(SPLITS):
        train, test = sets.split(len(y) - round(len(y) / 3), len(y), draw)
        inputs, targets = X, y
        if name not in isls.CLASSIFICATION:
            inputs, targets = benchmarks.standardise(X, X[train]), (y - y[train].mean()) / y[train].std()
        for kind in isls.MACHINES:
            C, sigma = SETTINGS[name][kind]
            model = isls.machine(name, kind).set_params(C=C, gamma=sigma**-2).fit(inputs[train], targets[train])
            f = model.predict(inputs[test])
            wrong = f != targets[test] if name in isls.CLASSIFICATION else (f - targets[test]) ** 2
            found[kind].append((100 * np.mean(wrong), len(model.support_), np.max(model.n_iter_)))
    return {kind: np.array(values, dtype=float) for kind, values in found.items()}


@claim("isls_sparse", isls.PAPER, "ISLS achieves very sparse models without significant loss of accuracy.")
def isls_sparse(results=_splits) -> tuple[str, str]:
    """On Ripley's data ISLS loses at most two percentage points and keeps at most a tenth of the points."""
    found = results("ripley")
    (ours, count, _), (ls, ls_count, _) = found["ISLS"].T, found["LS-SVM"].T
    return together(at_most(ours - ls, 2.0), at_most(count / ls_count, 0.1)), (
        f"Ripley, {len(ours)} splits: {ours.mean():.1f} % with {count.mean():.1f} support vectors, the LS-SVM "
        f"{ls.mean():.1f} % with {ls_count.mean():.0f}; difference {format_mean(ours - ls)} percentage points."
    )


@claim("isls_order", isls.PAPER, "SVMs are sparser than LS-SVMs, but not as sparse as ISLS.")
def isls_order(results=_splits) -> tuple[str, str]:
    """Paired numbers of support vectors of the three machines on both sets."""
    verdicts, parts = [], []
    for name in SETTINGS:
        counts = [results(name)[kind][:, 1] for kind in ("ISLS", "SVM", "LS-SVM")]
        verdicts += [is_above(counts[1] - counts[0]), is_above(counts[2] - counts[1])]
        parts.append(f"{name} {', '.join(f'{count.mean():.1f}' for count in counts)}")
    return together(*verdicts), f"Support vectors of ISLS, SVM and LS-SVM: {'; '.join(parts)}."


@claim("isls_rounds", isls.PAPER, "The number of iterations is usually quite low, around 15 or 20.")
def isls_rounds(results=_splits) -> tuple[str, str]:
    """At least three quarters of the runs need at most 20 rounds."""
    counts = np.concatenate([results(name)["ISLS"][:, 2] for name in SETTINGS])
    share = 100.0 * np.mean(counts <= 20)
    return is_above((counts <= 20).astype(float), 0.75), (
        f"{share:.0f} % of {len(counts)} runs on Ripley's and the motorcycle data need at most 20 rounds; median "
        f"{np.median(counts):.0f}, at most {counts.max():.0f}."
    )


@claim(
    "isls_stationary", isls.PAPER, "The weights converge to a stationary point, where sum lambda alpha^2 counts them."
)
def isls_stationary(model=None) -> tuple[str, str]:
    """Try one more round from the returned coefficients: they must return, and sum lambda alpha^2 be their number."""
    X, y = isls.rows_of("ripley")
    model = model or SparseLSSVC(stop="strict", tol=1e-8, max_iter=200)
    model.set_params(C=10.0, gamma=2.0).fit(X, y)
    keep, beta = model.support_, model.dual_coef_[0]
    K = kernels.Kernel("rbf", gamma=2.0)(X[keep], X)
    # minimise sum lambda beta^2 + C/2 |y - K'beta - b|^2 in beta and b, lambda = 1 / beta^2 of the model
    G = np.vstack([K, np.ones(len(X))])
    weight = np.append(1.0 / beta**2, 0.0)
    again = np.linalg.solve(10.0 * G @ G.T + np.diag(weight), 10.0 * G @ y)[:-1]
    apart, total = float(np.abs(again - beta).max() / np.abs(beta).max()), float(weight[:-1] @ again**2)
    return fact(apart < 1e-5 and abs(total - len(keep)) < 1e-3), (
        f"After {np.max(model.n_iter_)} rounds another round changes the {len(keep)} remaining coefficients by at most "
        f"{apart:.1e} of the largest; sum lambda alpha^2 = {total:.4f}."
    )


@claim("isls_testing", isls.PAPER, "ISLS is about 10 times faster in testing, considering the support vectors.")
def isls_testing(results=_splits) -> tuple[str, str]:
    """The LS-SVM evaluates the kernel at least ten times as often for a test point."""
    verdicts, parts = [], []
    for name in SETTINGS:
        ratio = results(name)["LS-SVM"][:, 1] / results(name)["ISLS"][:, 1]
        verdicts.append(is_above(ratio, 10.0))
        parts.append(f"{name} {ratio.mean():.0f} times")
    return together(*verdicts), f"Kernel evaluations of the LS-SVM per test point, against ISLS: {'; '.join(parts)}."


@claim(
    "svm_generalises",
    isls.PAPER,
    "SVMs generalise a bit better than LS-SVMs and ISLS for classification, but not for regression.",
    "The machines differ by less than a percentage point, so that even four times as many splits as in the paper do "
    "not decide which is better.",
)
def svm_generalises(results=_splits) -> tuple[str, str]:
    """Paired differences of the errors on Ripley's and the motorcycle data."""
    verdicts, parts = [], []
    for name in SETTINGS:
        for kind in ("LS-SVM", "ISLS"):
            gain = results(name)[kind][:, 0] - results(name)["SVM"][:, 0]
            verdicts.append(is_above(gain) if name in isls.CLASSIFICATION else at_most(gain, 0.0))
            parts.append(f"{name} {kind} {format_mean(gain)}")
    return together(*verdicts), (
        f"Error minus that of the SVM, in percentage points (motorcycle: % of the variance): {'; '.join(parts)}."
    )


# ---- Wang et al. (2019) ----

RULES = {"as printed": "paper", "by the authors' program": "authors", "with a growing penalty": "robust"}
LONG, TAIL, STILL = 1000, 50, 1e-6
DRAWS = 10


def _sequences(rules):
    """[(moved, certificate)] of each draw: the largest change of w and b in the last `TAIL` of `LONG` iterations, and
    the certificate of P-stationarity of the last one, None without any.
    """
    found = []
    for draw in range(DRAWS):
        points = problems.load("label_flips", draw)
        form, places = Linear(points.X, points.y, C=1.0), []
        for state in admm.iterate(form, admm.rules(rules, tol=1e-15), max_iter=LONG):
            places.append(np.append(state.w, state.intercept))
            last = state
        moved = float(np.abs(np.diff(places[-TAIL:], axis=0)).max()) if len(places) > 1 else 0.0
        found.append((moved, zero_one.certificate(form, last.beta, last.intercept, tol=1e-4)))
    return found


@claim(
    "stationary",
    l01.PAPER,
    "If the sequence converges, it converges to a P-stationary point, which is a local minimum.",
)
def stationary(sequences=_sequences) -> tuple[str, str]:
    """True if the limits of the sequences that converge to other than w = 0 are P-stationary."""
    converged, certified, parts = 0, 0, []
    for words, rules in RULES.items():
        ended = [certificate for moved, certificate in sequences(rules) if moved < STILL]
        stationary = sum(certificate is not None for certificate in ended)
        converged, certified = converged + len(ended), certified + stationary
        parts.append(
            f"{words} {len(ended)} of {DRAWS} sequences converge, {stationary} of them to a P-stationary point"
        )
    return fact(converged > 0 and certified == converged), f"{capital('; '.join(parts))}."


@claim("non_trivial", l01.PAPER, "With C above a bound the solution is not the trivial one, w = 0.")
def non_trivial(model=None) -> tuple[str, str]:
    """w is not 0 and the objective is less than that of w = 0, C times the number of points of the smaller class."""
    model, shares = model or SVC(loss="zero_one", kernel="linear"), []
    for draw in range(DRAWS):
        points = problems.load("label_flips", draw)
        model.fit(points.X, points.y)
        w, f = model.coef_[0], model.decision_function(points.X)
        slack = 1.0 - points.y * f
        objective = 0.5 * float(w @ w) + model.C * np.sum(slack > 1e-6)
        smaller = min(np.sum(points.y > 0), np.sum(points.y < 0))
        shares.append(objective / (model.C * smaller) if np.linalg.norm(w) > 1e-6 else np.inf)
    return fact(max(shares) < 1.0), (
        f"In {DRAWS} draws with C = {model.C:g} the objective is at most {max(shares):.2f} times that of w = 0."
    )


@lru_cache(64)
def _flips(n, draws):
    """{machine: (draws, 2) accuracy %, support vectors} with 20 % of the labels flipped."""
    results = [l01.evaluate_flips(n, 0.2, draw) for draw in range(draws)]
    return {name: np.array([r[name][:2] for r in results], dtype=float) for name in l01.FLIPS_MACHINES}


@claim(
    "fewer_vectors", l01.PAPER, "It uses far fewer support vectors than other methods, increasingly so with more data."
)
def fewer_vectors(flips=_flips) -> tuple[str, str]:
    """The ratio of support vectors, L1-SVM to L0/1-SVM, at 200 and 1000 points."""
    few, many = (flips(n, 3)["L1-SVM"][:, 1] / flips(n, 3)["L0/1-SVM"][:, 1] for n in (200, 1000))
    return together(is_above(few, 10.0), is_above(many - few)), (
        f"With 20 % of the labels flipped the L1-SVM keeps {few.mean():.0f} times as many of 200 points, "
        f"{many.mean():.0f} times as many of 1000."
    )


@claim(
    "accuracy",
    l01.PAPER,
    "It predicts more accurately than the other methods.",
    "A wide margin over many points averages out random label noise; a boundary determined by three support vectors "
    "does not. The gain of the 0/1 loss here is sparsity; it gains accuracy when outliers lie far away.",
)
def more_accurate(flips=_flips) -> tuple[str, str]:
    """Paired differences of the accuracy to every other machine, with random label noise."""
    found = flips(200, 10)
    ours = found["L0/1-SVM"][:, 0]
    gains = {name: ours - v[:, 0] for name, v in found.items() if not name.startswith("L0/1")}
    return together(*(is_above(gain) for gain in gains.values())), (
        f"With 20 % of 200 labels flipped {ours.mean():.2f} %; the difference to the others in percentage points: "
        f"{', '.join(f'{name} {format_mean(gain)}' for name, gain in gains.items())}."
    )


@claim("filter", l01.PAPER, "The support vector operator keeps outliers from being support vectors: it is robust.")
def outliers_filtered(loss="zero_one") -> tuple[str, str]:
    """No far outlier is a support vector, and the accuracy stays high."""
    clump, right = 0, []
    for draw in range(5):
        points = problems.load("leverage_outliers", draw, outliers=20)
        model = SVC(loss=loss, kernel="linear").fit(points.X, points.y)
        clump += int(points.added[model.support_].sum())
        right.append(l01.accuracy(model.coef_[0], float(model.intercept_[0]), l01.MEAN))
    hinge = np.mean([l01.evaluate_leverage(20, draw)["L1-SVM"][0] for draw in range(2)])
    return together(fact(clump == 0), is_above(right, 93.0)), (
        f"In 5 draws {clump} of 100 far outliers are support vectors; accuracy {np.mean(right):.1f} %, the L1-SVM "
        f"{hinge:.1f} %."
    )


FITS = 5
FASTER = 1.5  # as a factor
RIVALS = {
    "LIBSVM": svm.SVC(kernel="linear"),
    "LIBLINEAR": svm.LinearSVC(loss="hinge", max_iter=100_000, random_state=0),
}


def _seconds(model, n):
    """The least time in s of `FITS` fits to n points: what else runs on the machine only adds to it."""
    points, found = problems.load("label_flips", 0, n=n), []
    model.fit(points.X[:100], points.y[:100])  # so that compilation is not timed
    for _ in range(FITS):
        start = time.perf_counter()
        model.fit(points.X, points.y)
        found.append(time.perf_counter() - start)
    return min(found)


@claim(
    "faster",
    l01.PAPER,
    "It takes less time than other leading methods, increasingly so with more data.",
    "The authors' rules end after some 25 iterations, mostly before a local minimum. All of them are compiled here. "
    "For 1000 points LIBLINEAR, which is made for linear machines, takes about as long. Times depend on the computer.",
)
def faster(seconds=_seconds, sizes=(1000, 4000)) -> tuple[str, str]:
    """Training times over the number of points, against LIBSVM and LIBLINEAR; a factor of `FASTER` counts."""
    ours = SVC(loss="zero_one", kernel="linear", solver_params={"rules": "authors"})
    mine = [seconds(ours, n) for n in sizes]
    verdicts, parts = [], [f"L0/1-SVM by the authors' rules {', '.join(f'{1000 * s:.1f}' for s in mine)} ms"]
    for name, model in RIVALS.items():
        theirs = [seconds(model, n) for n in sizes]
        ratio = [b / a for a, b in zip(mine, theirs, strict=True)]
        verdicts += [_by_factor(min(ratio)), _by_factor(ratio[-1] / ratio[0])]
        parts.append(f"{name} {', '.join(f'{1000 * s:.1f}' for s in theirs)} ms")
    return together(*verdicts), f"{' and '.join(map(str, sizes))} points: {'; '.join(parts)}."


def _by_factor(ratio):
    return OPEN if 1 / FASTER < ratio < FASTER else fact(ratio >= FASTER)
