"""The points of a problem, and one machine that separates two classes. No Streamlit here, no figures drawn."""

from dataclasses import replace
from functools import partial

import numpy as np

from pages.shared.screen import edits, own_points
from pages.shared.screen.choices import NO_OUTLIERS, OWN, Data, Machine, Setting
from pages.shared.studies import study, support
from pages.shared.studies.arrays import Field, Points
from pages.shared.studies.formatting import percent
from svmcore import SVC, SparseLSSVC, duals, grid, losses, problems, slices
from svmcore.kernels import definiteness
from svmcore.problems import benchmarks, outliers
from svmcore.solvers import router
from svmcore.solvers.nonconvex import zero_one
from svmcore.status import Status
from svmcore.studies import paired, plane, robustness
from svmcore.words import number

BARE = np.array([[-3.0, -3.0], [3.0, 3.0]]) / 1.16  # corners: with its margin, a plane without points is -3 to 3


def make_problem(data: Data, points: own_points.Own = own_points.EMPTY) -> problems.Problem:
    """The training and test points that the controls describe: drawn, with outliers added, then edited."""
    return apply_edits(base_problem(data, points), data).problem


def base_problem(data: Data, points: own_points.Own = own_points.EMPTY) -> problems.Problem:
    """The points before the edits: the problem, or the reader's own `points`, with the outliers of the controls."""
    options = dict(data.options)
    if data.problem == OWN:
        problem = own_points.problem(points, data.seed, options.get("hold_out", 0.0), data.scaled)
    else:
        problem = problems.load(data.problem, data.seed, **options)
    if data.is_table:
        problem = replace(problem, slice=_slice(problem, data, points))
    if data.contamination != NO_OUTLIERS and data.amount:
        problem = outliers.KINDS[data.contamination].apply(problem, data.amount, data.seed)
    return problem


def feature_names(data: Data, points: own_points.Own) -> tuple[str, ...]:
    """The names of the features of a table, which may be the reader's own `points`."""
    return points.features if data.problem == OWN else benchmarks.feature_names(data.problem)


def _slice(problem, data, points):
    """The slice that the controls describe, of the points as drawn: it stays while they are edited."""
    if data.slice == "columns":
        across, up = int(data.across) - 1, int(data.up) - 1
        names = [name + ", standardised" * data.scaled for name in feature_names(data, points)]
        return slices.of_columns(problem.X, across, up, names)
    if data.slice == "w" and data.task == "classification" and missing_sentence(problem) is None:
        w = SVC(kernel="linear", C=1.0).fit(problem.X, problem.y).coef_[0]
        return slices.of_normal(problem.X, w)._replace(about="w of the linear L1-SVM with C = 1")
    return slices.of_components(problem.X)


def slice_sentence(problem) -> str:
    """A sentence on what a slice shows of the points of a problem, and what not; "" for a problem without one."""
    if problem.slice is None:
        return ""
    cut = problem.slice
    return (
        f"A slice of {problem.X.shape[1]} features, {cut.about}. f on it is the machine's own, points are projected, "
        f"far ones faint. Not seen: {percent(cut.unseen(problem.X), '.0f')} of their variance, and f elsewhere."
    )


def apply_edits(base, data: Data) -> edits.EditedProblem:
    """The base problem after the edits of `data`, without its outliers if they are switched off."""
    points = edits.apply(base, data.edits) if data.edits.edits else edits.EditedProblem(base, None)
    return points if data.on else points._replace(problem=outliers.without_outliers(points.problem))


def missing_sentence(problem) -> str | None:
    """A sentence on the points that are missing before a machine can be fitted; None if there are enough."""
    names = edits.class_names(problem.classes)
    classes = [name for label, name in names.items() if not np.any(problem.y == label)]
    return (
        f"Add points of class {' and of class '.join(classes)}: there is nothing to separate yet." if classes else None
    )


def bare(problem) -> Points:
    """The training points without a machine."""
    known = dict(outlier=problem.outlier, ids=problem.ids, classes=problem.classes, named=problem.named)
    if problem.slice is not None and len(problem.X):
        away = problem.slice.away(problem.X)
        known |= dict(inputs=problem.X, depth=np.searchsorted(np.quantile(away, [1 / 3, 2 / 3]), away))
    return Points(edits.places(problem), problem.y, **known)


def extent(xs, ys, problem) -> Field:
    """The plane without a machine; classes have no true curve to draw."""
    return Field(xs, ys, slice=problem.slice, named=problem.named)


def view(base, data: Data, size) -> tuple[np.ndarray, np.ndarray]:
    """Grid coordinates xs, ys, (size,) each: the base points with room around them, and points moved outside of it."""
    X = edits.places(base) if len(base.X) else BARE
    xs, ys = grid.axes(X, size, margin=0.58 * data.room - 0.5)
    places = edits.moved_places(data.edits)
    usual = np.transpose([xs[[0, -1]], ys[[0, -1]]])
    outside = places[np.any((places < usual[0]) | (places > usual[1]), axis=1)]
    return grid.axes(np.vstack([usual, outside]), size) if len(outside) else (xs, ys)


def estimator(machine: Machine, setting: Setting) -> SVC:
    return SVC(
        loss=machine.loss,
        loss_params=dict(machine.params) or None,
        **setting.parameters,
        tol=study.TOLERANCE,
        max_iter=study.MAX_ITER,
    )


def fit(problem, machine: Machine, setting: Setting, xs, ys, unit=1.0) -> study.FittedMachine:
    """Fit, measure, and evaluate on the grid xs (m,), ys (k,); the `unit` of labels is always 1."""
    solution, seconds = study.fit_model(estimator(machine, setting), problem.X, problem.y)
    read = partial(_read, machine, setting, problem)
    return study.make_study(TASK, problem, setting, solution, seconds, read, xs, ys, unit)


def _read(machine, setting, problem, solution, f, squared_norm):
    loss, params, y = machine.loss, dict(machine.params), problem.y
    reading = support.support_values(loss, params, setting.C, y, solution.beta, f)
    if losses.get(loss).solved_by not in router.DUAL:
        trivial = zero_one.trivial_objective(y, setting.C) if loss == "zero_one" else None
        above = None
        if trivial is not None and not solution.beta.any():
            above = zero_one.non_trivial_above(setting.as_kernel(), problem.X, y)
        return reading._replace(primal=solution.objective, trivial=trivial, above=above)
    primal = duals.primal_objective(loss, f, y, setting.C, squared_norm, **params)
    return reading._replace(primal=primal, dual=solution.objective)


def points(problem, beta, f, reading) -> Points:
    """The training points with the values f (N,) and beta (N,) of the machine and the states of a `support.Reading`."""
    margin = problem.y * f
    return bare(problem)._replace(
        alpha=problem.y * beta + 0.0,  # files have 0, not -0
        state=reading.state,
        margin=margin,
        slack=np.maximum(1.0 - margin, 0.0) if reading.flat else 1.0 - margin,
        kkt=reading.words,
    )


def film_size(n, screens=1) -> int:
    """Grid points per axis for n points: sixty frames of all screens stay below 1.5 MB (in a race, for n <= 360)."""
    return (80 if n <= 500 else 60) if screens == 1 else 60 if screens == 2 else 44


def folds(problem) -> int:
    """The largest number of folds with a point of each class in every fold."""
    return int(min(np.sum(problem.y > 0), np.sum(problem.y < 0)))


def curvature(now: study.FittedMachine, setting: Setting) -> float:
    """A quarter of the Laplacian of f under the polynomial kernel of degree two: the factor of |x|^2 in f."""
    beta = now.points.alpha * now.points.y
    return float(setting.gamma**2 * np.sum(beta * np.sum(now.points.X**2, axis=1)) / 2.0)


def movement(before: study.FittedMachine, now: study.FittedMachine) -> tuple[list[str], str]:
    """Movement of the boundaries: ([the share of the plane, the angle of a single one, the change of the test error],
    a phrase).
    """
    turned = robustness.angle(before.w, now.w) if now.w is not None else np.nan
    share, angle = percent(changed_share(before, now)), f"{turned:.1f}°" if np.isfinite(turned) else "–"
    return [share, angle, error_change(now, before)], f"changed {share} of the plane"


def changed_share(before, now) -> float:
    """The share (0 to 1) of the plane around the points of `before` (`svmcore.studies.plane`) that changes class; nan
    where one of them has no machine.
    """
    if Status.UNBOUNDED in (*before.statuses, *now.statuses):
        return np.nan
    axes = plane.view(before.points.X)
    return plane.changed_share(before.values_on(*axes), now.values_on(*axes))


def error_change(now, before) -> str:
    """The test error of one fit minus that of another on the same test points, with the standard error of the paired
    difference, as text; a dash for fewer than two test points, or where these differ.
    """
    if len(now.wrong) < 2 or len(now.wrong) != len(before.wrong):
        return "–"
    change, spread = (100.0 * value for value in paired.difference(now.wrong, before.wrong))
    return f"{number(change, '+.1f')} ± {number(spread, '.1f')} pp"


def error(f, y) -> float:
    """The share of values f (n,) with the wrong sign for the labels y; nan for n = 0."""
    return float(np.mean(np.where(f >= 0, 1.0, -1.0) != y)) if len(y) else float("nan")


def advice(X, setting: Setting) -> str | None:
    """A sentence if the kernel does not suit the points X (N, 2), with what to do about it; None if it does."""
    sample = X[:: max(1, len(X) // 200)]
    if setting.kernel == "rbf":
        return _width_advice(sample, setting.sigma)
    if definiteness.is_definite(setting.as_kernel(), X):
        return None
    remedy = "Choose an offset of 0 or more." if setting.kernel == "poly" else "Try an offset below 0 with a larger σ."
    eigenvalues = np.linalg.eigvalsh(setting.as_kernel()(sample))
    return (
        f"This kernel matrix is not positive semidefinite (eigenvalues from {number(eigenvalues[0], '.2g')} to "
        f"{number(eigenvalues[-1], '.2g')} on a sample). So there is no margin to maximise, and the solver finds "
        f"at best a stationary point instead of an optimum. {remedy}"
    )


def _width_advice(sample, sigma):
    squared = ((sample[:, None] - sample[None]) ** 2).sum(-1)
    spread = float(np.sqrt(squared.max()))
    if not spread:  # one place, for which every width is the same
        return None
    squared[squared == 0.0] = np.inf  # a repeated point is no neighbour
    near = float(np.median(np.sqrt(squared.min(axis=1))))
    hint = f"Try σ between {number(near, '.2g')} and {number(spread, '.2g')}."
    if sigma < near / 10:
        return (
            f"σ = {number(sigma, 'g')} is far below the distance between neighbours ({number(near, '.2g')}): each "
            f"point influences only itself, and the machine memorises the data. {hint}"
        )
    if sigma > 30 * spread:
        return (
            f"σ = {number(sigma, 'g')} is far above the spread of the points ({number(spread, '.2g')}): the kernel is "
            f"nearly the same for all pairs of points, and f is nearly linear. {hint}"
        )
    return None


class TwoClasses(study.Task):
    """Two classes and the boundary between them."""

    key = "classification"
    classes = True
    words = study.Words(
        error="error",
        written=percent,
        chart=(100.0, "error in %"),
        residual=("t", "1 - y_i f(x_i)"),
        together="All boundaries f = 0",
        movement=("plane changed", "angle turned", "test error change"),
        explained={name: name for name in ("plane changed", "angle turned")}
        | {"test error change": "paired difference"},
    )
    missing_sentence = staticmethod(missing_sentence)
    bare = staticmethod(bare)
    extent = staticmethod(extent)
    view = staticmethod(view)
    film_size = staticmethod(film_size)
    estimator = staticmethod(estimator)
    fit = staticmethod(fit)
    sparse = SparseLSSVC
    svm = Machine("hinge")
    error_of = staticmethod(error)
    folds = staticmethod(folds)
    score = staticmethod(lambda value, spread, unit: (value, spread))
    movement = staticmethod(movement)
    points = staticmethod(points)


TASK = TwoClasses()
