"""The walk from the 2-norm to the 1-norm SVM as arrays and sentences: in 200 features, and in two of them.

No Streamlit here. Both walks penalise |b| or have no intercept, so that they converge to the linear programme's value.
"""

from itertools import islice
from typing import NamedTuple

import numpy as np

from pages.shared.screen.choices import Walk
from pages.shared.studies import arrays, glossary
from pages.shared.studies.formatting import percent
from pages.shared.studies.show import Chart, FilmPlane, FilmStep, FilmView, heights
from svmcore import duals, problems, words
from svmcore.problems import features
from svmcore.solvers import reweighting
from svmcore.solvers.solution import Solution
from svmcore.status import Status
from svmcore.words import number, with_count

TOL = 1e-6  # of each round
END = {"hinge": "linear programme", "squared_hinge": "1-norm SVM"}  # to which the walk converges
GRID = 90  # grid points per axis in the pictures of two features
ROOM = 1.12  # extent of a picture relative to its content
CIRCLE = 181  # points on a closed curve
IDEA = (
    "The 1-norm |w₁| + |w₂| + … has corners on the axes, where weights are zero; the 2-norm has none. Each round of "
    "the walk solves a 2-norm SVM with the penalty w²/|u| on each weight w, where u is the same weight in the "
    "previous round: a previously large weight is penalised little, a small one heavily."
)
IN_TWO = (
    "Both norms in the plane of two weights, after Figure 1 of Kujala, Aho and Elomaa (2009): {}, and {}, of the "
    "irrelevant features, if there are any, the one with the largest weight in the 2-norm SVM. Level lines show the "
    "error C Σ ℓ(1 − y w·x) of these two features alone, without an intercept."
)
IN_ALL = (
    "The same rounds with all 200 features, |b| in the norm. The objective decreases to that of the 1-norm SVM "
    "itself, which for the hinge loss is a linear programme; the lower bound does not need its solution."
)
KEYS = ("balls", "flat-points")  # of the two planes
SPEED = 2  # rounds a second
TIPS = glossary.tips({"excess, at most": "excess", "round": "RW(t)"})


class Steps(NamedTuple):
    """A walk of T rounds on X (n, d), y (n,), and `exact`, the 1-norm SVM to which it converges.

    w (T, d), g (T, d), alpha (T, n); the others (T,). `accuracy` (0 to 1) is the exact accuracy on new points, and
    `exact_accuracy` that of the 1-norm SVM; both None in the plane. `end` is what sentences call the 1-norm SVM.
    """

    X: np.ndarray
    y: np.ndarray
    w: np.ndarray
    intercept: np.ndarray
    g: np.ndarray
    alpha: np.ndarray
    objective: np.ndarray
    bound: np.ndarray
    n_features: np.ndarray
    exact: Solution
    accuracy: np.ndarray | None = None
    exact_accuracy: float | None = None
    end: str = END["hinge"]

    @property
    def excess(self) -> np.ndarray:
        """(T,) share by which the objective exceeds that of the linear programme, at least 0."""
        return np.maximum(self.objective / self.exact.objective - 1.0, 0.0)

    @property
    def gap_bound(self) -> np.ndarray:
        """(T,) upper bound on the excess, from the dual lower bound alone."""
        return np.maximum(self.objective / self.bound - 1.0, 0.0)


def follow(walk: Walk) -> Steps:
    """The walk in all 200 features, with |b| in the norm; ValueError if the linear programme cannot be solved."""
    problem = problems.load("relevant_features", seed=walk.seed, n=walk.n, d_rel=walk.d_rel)
    steps = _steps(problem.X, problem.y, walk, "absolute")
    shares = [features.accuracy(w, b, walk.d_rel) for w, b in zip(steps.w, steps.intercept, strict=True)]
    exact = features.accuracy(steps.exact.details.w, steps.exact.intercept, walk.d_rel)
    return steps._replace(accuracy=np.array(shares), exact_accuracy=exact)


def deceptive(steps: Steps, d_rel) -> int:
    """The irrelevant feature (from 0) with the largest weight in RW(1); the last feature if all are relevant."""
    size = np.abs(steps.w[0, d_rel:])
    return d_rel + int(np.argmax(size)) if size.size else steps.w.shape[1] - 1


def in_the_plane(steps: Steps, walk: Walk) -> Steps:
    """The walk in two features alone, the first and the `deceptive` one, without an intercept."""
    pair = [0, deceptive(steps, walk.d_rel)]
    return _steps(np.ascontiguousarray(steps.X[:, pair]), steps.y, walk, "none")


def _steps(X, y, walk, bias):
    exact = reweighting.optimum(X, y, walk.C, loss=walk.loss, bias=bias)
    if exact.status != Status.CONVERGED:
        raise ValueError(f"The {END[walk.loss]} ended with: {exact.status}. Choose another C, or fewer points.")
    rounds = list(islice(reweighting.rounds(X, y, walk.C, loss=walk.loss, bias=bias, tol=TOL), walk.rounds))
    columns = ("w", "intercept", "g", "alpha", "objective", "lower_bound", "n_features")
    w, intercept, g, *others = (np.array([getattr(now, name) for now in rounds]) for name in columns)
    return Steps(X, y, w, intercept, g[:, :-1], *others, exact, end=END[walk.loss])


# ------------------------------------------------------------------------------------- two features


def balls(steps: Steps, walk: Walk, names) -> arrays.NormFilm:
    """The plane of the two weights: in each round the ball of its norm that touches a level line of the error.

    `names` are those of the two features.
    """
    before = np.vstack([np.ones(2), np.abs(steps.w[:-1])])
    level = np.sum(np.divide(steps.w**2, before, out=np.zeros_like(steps.w), where=before > 0.0), axis=1)
    axes = np.sqrt(level[:, None] * before)  # semi-axes of each ellipse
    angle = np.linspace(0.0, 2.0 * np.pi, CIRCLE)
    size = np.abs(steps.w).sum(axis=1)
    reach = ROOM * max(float(axes.max()), float(size.max()), float(np.abs(steps.exact.details.w).sum()), 1e-3)
    xs = np.linspace(-reach, reach, GRID)
    every = np.column_stack([side.ravel() for side in np.meshgrid(xs, xs)])
    return arrays.NormFilm(
        arrays.Field(xs, xs, _errors(steps, walk, every).reshape(GRID, GRID)),
        error=_errors(steps, walk, steps.w),
        ellipse=(axes[:, :1] * np.cos(angle), axes[:, 1:] * np.sin(angle)),
        corner=size,
        path=steps.w,
        end=steps.exact.details.w,
        names=names,
        sentences=[f"Now: {where(w)}." for w in steps.w],
    )


def _errors(steps, walk, w):
    """C sum_i loss(1 - y_i x_i.w) for each row of w, (m, 2)."""
    t = np.maximum(1.0 - (steps.X * steps.y[:, None]) @ w.T, 0.0)
    return walk.C * (t if walk.loss == "hinge" else 0.5 * t * t).sum(axis=0)


def points(steps: Steps, walk: Walk, names) -> arrays.PlaneFilm:
    """The plane of the two features: the boundary of each round, and its support values as areas."""
    low, high = steps.X.min(axis=0), steps.X.max(axis=0)
    middle, half = (low + high) / 2, 0.55 * float(np.max(high - low))
    xs, ys = (np.linspace(m - half, m + half, GRID // 2) for m in middle)
    frames = []
    for w, alpha in zip(steps.w, steps.alpha, strict=True):
        f = (ys[:, None] * w[1] + xs[None, :] * w[0]).astype(np.float32)
        top = walk.C if walk.loss == "hinge" else np.inf
        state = np.select([alpha <= 0.0, alpha >= top], [duals.ZERO, duals.UPPER], duals.FREE)
        frames.append(arrays.Frame(f, alpha, state, steps.y * (steps.X @ w)))
    return arrays.PlaneFilm(xs, ys, frames, arrays.Points(steps.X, steps.y), axes=names)


def names(steps: Steps, d_rel) -> tuple[str, str]:
    """The names of the two features of the plane, with their relevance; `steps` is the walk in all features."""
    pair = (0, deceptive(steps, d_rel))
    return tuple(f"feature {j + 1} ({'relevant' if j < d_rel else 'irrelevant'})" for j in pair)


def two_features(flat: Steps, walk: Walk, names) -> FilmView:
    """The film of the walk in the two features `names`: sentences on each round, the planes of weights and points."""
    high = heights(flat.objective)
    ticks = [FilmStep(f"Round {t}", why_in_the_plane(flat, t), t, high[t - 1]) for t in range(1, walk.rounds + 1)]
    films = {"The weights": balls(flat, walk, names), "The points": points(flat, walk, names)}
    return FilmView(ticks, [FilmPlane(name, film, list(range(walk.rounds))) for name, film in films.items()], [], [])


def why_in_the_plane(steps: Steps, t) -> list[str]:
    """Sentences on round t = 1, 2, ... of the walk in two features."""
    k = t - 1
    if t == 1:
        sentences = ["Round 1 is the 2-norm SVM: it penalises all weights equally, and its ball is a circle."]
    else:
        u, g = np.abs(steps.w[k - 1]), steps.g[k]
        sentences = [
            f"The previous weights u, {where(steps.w[k - 1])}, define the ellipse. Its axes are proportional to √|u|, "
            f"{number(np.sqrt(u[0]))} to {number(np.sqrt(u[1]))}.",
            f"Each new weight is |u| g: the first is multiplied by {number(abs(g[0]))}, the second by "
            f"{number(abs(g[1]))}. " + _trend(abs(g[1])),
        ]
    sentences.append(f"The ball touches the error's level line at {where(steps.w[k])}.")
    return [*sentences, *_progress(steps, k), *_last(steps, t)]


def _trend(g):
    if g < 0.99:
        return "A factor below 1 makes the second weight shrink."
    if g < 1.01:
        return "With a factor near 1 the second weight stays."
    return "With a factor above 1 the second weight grows."


def where(w) -> str:
    """The coordinates in the plane of the weights, as text."""
    return f"w = ({', '.join(number(value) for value in w)})"


# ------------------------------------------------------------------------------------- all features


def why(steps: Steps, t, d_rel) -> list[str]:
    """Sentences on round t = 1, 2, ... of the walk in all features."""
    k = t - 1
    n_features = int(steps.n_features[k])
    threshold = reweighting.NEGLIGIBLE * np.abs(steps.w[k]).max()
    n_relevant = int(np.sum(np.abs(steps.w[k, :d_rel]) > threshold))
    exact = int(reweighting.nonzero(steps.exact.details.w))
    end = percent(steps.exact_accuracy)
    sentences = [
        "RW(1) is the 2-norm SVM." if t == 1 else f"RW({t}): {with_count(t - 1, 're-weighting')} of the features.",
        *_progress(steps, k),
        f"{with_count(n_features, 'weight')} of {steps.w.shape[1]} {'is' if n_features == 1 else 'are'} not "
        f"negligible, including {n_relevant} of the {d_rel} relevant features; "
        f"the 1-norm SVM has {with_count(exact, 'weight')}.",
        f"Accuracy on new points: {percent(steps.accuracy[k])}; the 2-norm SVM {percent(steps.accuracy[0])}, the "
        f"1-norm SVM {end}, the Bayes rule {percent(1.0 - features.BAYES_ERROR)}.",
    ]
    return [*sentences, *_last(steps, t)]


def all_features(steps: Steps, walk: Walk) -> FilmView:
    """The film of the walk in all features: sentences on each round and charts over the rounds, without screens."""
    high = heights(steps.objective)
    ticks = [FilmStep(f"RW({t})", why(steps, t, walk.d_rel), t, high[t - 1]) for t in range(1, walk.rounds + 1)]
    return FilmView(ticks, [], _charts(steps), [])


def sizes(steps: Steps, walk: Walk) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The arguments of `figures.charts.weights`: |w| (T, d), the relevant features (d,), |w| of the 1-norm SVM (d,)."""
    return np.abs(steps.w), np.arange(steps.w.shape[1]) < walk.d_rel, np.abs(steps.exact.details.w)


def _charts(steps):
    """Objective, accuracy and number of weights over the rounds, with the level of the 1-norm SVM."""
    rounds, exact = np.arange(1, len(steps.w) + 1), steps.exact
    objective = {"objective": steps.objective, "lower bound": steps.bound}
    share, count = {"the walk": 100.0 * steps.accuracy}, {"the walk": steps.n_features}
    drawn = [
        ("1-norm objective", objective, "objective", exact.objective),
        ("Accuracy on new points", share, "% correct", 100.0 * steps.exact_accuracy),
        ("Weights that are not negligible", count, "weights", float(np.count_nonzero(exact.details.w))),
    ]
    charts = []
    for title, curves, unit, level in drawn:
        lines = [arrays.Line(name, rounds, y, k) for k, (name, y) in enumerate(curves.items())]
        charts.append(Chart(title, lines, "round", unit, False, rounds.tolist(), (level, steps.end), log_x=False))
    return charts


def table(steps: Steps, walk: Walk) -> tuple[list[str], list[list[str]]]:
    """(head, rows) of texts: the rounds of the paper's tables, the last one, and the linear programme."""
    rows = [
        [
            f"RW({t})" + " = 2-norm SVM" * (t == 1),
            number(steps.objective[t - 1], ".4g"),
            percent(steps.gap_bound[t - 1]),
            str(steps.n_features[t - 1]),
            percent(steps.accuracy[t - 1]),
        ]
        for t in sorted({1, 2, 3, 5, 10, walk.rounds})
        if t <= walk.rounds
    ]
    exact, nonzero = steps.exact, str(np.count_nonzero(steps.exact.details.w))
    share = percent(steps.exact_accuracy)
    rows.append(["1-norm SVM", number(exact.objective, ".4g"), percent(exact.violation), nonzero, share])
    rows.append(["Bayes rule", "–", "–", str(walk.d_rel), percent(1.0 - features.BAYES_ERROR)])
    return ["round", "objective", "excess, at most", "weights", "correct"], rows


def _progress(steps, k):
    """The change of the 1-norm objective, and bounds on its distance from the optimum."""
    now, gain = steps.objective[k], steps.objective[k - 1] - steps.objective[k] if k else np.nan
    change = f"{'rises' if gain < 0.0 else 'falls'} by {number(abs(gain))} to" if k else "is"  # rises: by rounding
    return [
        f"The 1-norm objective {change} {number(now)}. The dual lower bound on the optimum is "
        f"{number(steps.bound[k])}, so the relative gap is {_gap(steps.gap_bound[k], 'at most ')} "
        f"(actual: {_gap(steps.excess[k])})."
    ]


def _gap(share, most=""):
    """A share as text; a visible one after the words `most`."""
    return f"less than {percent(0.001)}" if share < 0.0005 else most + percent(share)


def _last(steps, t):
    if t < len(steps.w):
        return []
    end = f"the {steps.end}'s {number(steps.exact.objective)}"
    if steps.excess[-1] < 1e-6:
        return [f"The walk has converged to {end}."]
    return [f"The walk ends {words.percent(steps.excess[-1], '.3g')} above {end}."]


# ----------------------------------------------------------------------------------- the experiment


def summary(rows) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The error on new points in percent over d_rel, of the `relevance.Row`s: (xs (k,), {method: rows mean, low, high
    of an array (3, k)}).

    low and high are the 10th and 90th percentile; xs are those that all methods share, in order. Without any, no names.
    """
    errors = {}
    for row in rows:
        errors.setdefault(row.method, {}).setdefault(row.d_rel, []).append(100.0 * (1.0 - row.accuracy))
    xs = sorted(set.intersection(*map(set, errors.values()))) if errors else []
    if not xs:
        return np.array(xs), {}
    return np.array(xs), {
        name: np.array([(np.mean(at[x]), *np.percentile(at[x], [10, 90])) for x in xs]).T for name, at in errors.items()
    }
