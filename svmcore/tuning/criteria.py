"""Criteria for C and sigma: the error on held-out points, or the bound on the VC dimension.

A criterion is made for one estimator and its points, and then called with any number of pairs C and sigma.
"""

import time

import numpy as np
import sklearn
from joblib import delayed
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.utils import check_X_y, get_tags

from svmcore import duals, kernels
from svmcore.estimators import SVC, SVR
from svmcore.solvers import blas
from svmcore.solvers.box_dual import convex, fast_cross_validation, held_out, sphere
from svmcore.status import is_success
from svmcore.tuning.records import BETWEEN, Capacity, Evaluation
from svmcore.warned import silently

NOT_SEPARATED = "a point is misclassified, and the VC bound needs planes that separate the classes"
MOST_AT_ONCE = 2500  # points; with more, sets of coefficients are faster than a row of the Gram matrix in each step
BUDGET = 30  # pair updates per point, beyond which a fit by itself goes on with other methods
KEPT_BYTES = 256e6  # of Gram matrices
WITH_GAMMA = [name for name, info in kernels.KERNELS.items() if "gamma" in info.parameters]


class Points:
    """An estimator and its training points; finds its C and gamma, also inside a pipeline (`svc__C`)."""

    def __init__(self, estimator, X, y):
        self.estimator, self.classifies = estimator, is_classifier(estimator)
        self.X, self.y = check_X_y(X, y, dtype=np.float64, y_numeric=not self.classifies)
        self._C, self._gamma = _address(estimator, "C"), _address(estimator, "gamma")
        if self._C is None:
            raise ValueError(f"tuning needs an estimator with a parameter C, which {estimator!r} does not have")
        kernel = _address(estimator, "kernel")
        known = estimator.get_params().get(kernel, "linear")
        if self._gamma is None or known not in WITH_GAMMA:
            self._gamma = None

    @property
    def has_sigma(self) -> bool:
        """True if the kernel has a width sigma to tune."""
        return self._gamma is not None

    @property
    def C(self) -> float:
        return float(self.estimator.get_params()[self._C])

    def machine(self, C, sigma) -> BaseEstimator:
        """An unfitted copy of the estimator with this C and gamma = 1 / sigma^2."""
        gamma = {self._gamma: 1.0 / sigma**2} if self.has_sigma else {}
        return clone(self.estimator).set_params(**{self._C: C}, **gamma)

    def part(self, rows, columns) -> np.ndarray:
        """X of these rows; of a Gram matrix their kernel values with the points `columns`, (rows, columns)."""
        return self.X[np.ix_(rows, columns)] if get_tags(self.estimator).input_tags.pairwise else self.X[rows]


def _address(estimator, name):
    """The full name of the parameter `name` of the estimator or of an inner one; None if there is none."""
    found = [key for key in estimator.get_params() if key == name or key.endswith(f"__{name}")]
    if len(found) > 1 and name not in found:
        raise ValueError(f"tuning needs one parameter {name} of the estimator, got {', '.join(found)}")
    return name if name in found else found[0] if found else None


class CrossValidation:
    """The mean error on held-out folds: share of wrong labels of a classifier, mean squared error of a regressor.

    cv : number of folds, drawn by scikit-learn's (Stratified)KFold with `seed`; a splitter of scikit-learn, such as
        LeaveOneOut(); or the (train, test) index arrays themselves

    For an LS-SVM of svmcore all folds come from one factorisation, with the same values (`fast_cross_validation`); for
    other box duals of few points from the machine of all points (`held_out`), to the same accuracy.
    Raises ValueError for a `cv` that is none of these.
    """

    def __init__(self, points: Points, cv=10, seed=0):
        self.points, self.splits = points, _splits(points, cv, seed)
        self._grams = {}

    def __call__(self, C, sigma, parallel=None) -> Evaluation:
        """The evaluation at C and sigma; `parallel`: a joblib.Parallel for the folds, None for one after another."""
        began = time.perf_counter()
        fits = self._at_once(C, sigma)
        if fits is None:
            fits = self._one_by_one(self.points.machine(C, sigma), parallel)
        values = tuple(value for value, _ in fits)
        notes = BETWEEN.join(dict.fromkeys(note for _, note in fits if note))
        mean, deviation = (np.mean(values), np.std(values)) if np.isfinite(values).all() else (np.inf, 0.0)
        error = float(deviation / np.sqrt(max(len(values) - 1, 1)))  # np.std divides by the number of folds
        return Evaluation(C, sigma, float(mean), error, values, time.perf_counter() - began, notes)

    def _at_once(self, C, sigma):
        """(value, note) of each fold from one Gram matrix of all points; None if the machine is not of this kind."""
        points, machine = self.points, self.points.machine(C, sigma)
        if type(machine) not in (SVC, SVR) or any(
            len(train) + len(test) != len(points.y) for train, test in self.splits
        ):
            return None
        y = points.y
        if points.classifies:
            classes, code = np.unique(y, return_inverse=True)
            if len(classes) != 2 or any(np.ptp(code[train]) == 0 for train, _ in self.splits):
                return None
            y = 2.0 * code - 1.0
            if machine.class_weight is not None:
                return None
        predict_folds = self._in_closed_form if machine.loss == "least_squares" else self._from_all_points
        try:
            pairs = predict_folds(machine, y)
        except ValueError:
            pairs = None  # fitting one by one either works or says what is wrong
        if pairs is None:
            return None
        if points.classifies:
            return [(float(np.mean(np.where(f >= 0.0, 1.0, -1.0) != true)), "") for true, f in pairs]
        return [(float(np.mean((true - f) ** 2)), "") for true, f in pairs]

    def _in_closed_form(self, machine, y):
        """(target, f) at the points of each fold, of an LS-SVM; None if its system is not solved directly."""
        if machine.solver not in ("auto", "direct") or len(y) > convex.DENSE:
            return None
        folds, gamma = [test for _, test in self.splits], kernels.resolve_gamma(machine.gamma, self.points.X)
        K = kernels.Kernel.from_machine(machine, gamma=gamma)(self.points.X)
        with blas.one_thread():  # as where the machine itself is fitted
            residuals = fast_cross_validation.k_fold(K, duals.least_squares(y, machine.C), folds)
        return [(y[fold], y[fold] - residual) for fold, residual in zip(folds, residuals, strict=True)]

    def _from_all_points(self, machine, y):
        """The same of another box dual of few points; None if pair updates are not what solves it."""
        if machine.kernel == "linear" or machine.solver not in ("auto", "smo"):  # that kernel has faster methods
            return None
        if isinstance(machine.gamma, str) or not machine.C < np.inf or len(y) > MOST_AT_ONCE:
            return None
        kernel = kernels.Kernel.from_machine(machine)
        if not kernel.definite:
            return None
        qp = duals.build(machine.loss, y, machine.C, **(getattr(machine, "loss_params", None) or {}))
        folds, limit = [test for _, test in self.splits], min(machine.max_iter, BUDGET * (100 + len(y)))
        found = held_out.k_fold(self._gram(kernel), qp, folds, tol=machine.tol, max_iter=limit)
        if found is None:
            return None
        return [(y[fold], one.details.image[fold] + one.intercept) for fold, one in zip(folds, found, strict=True)]

    def _gram(self, kernel):
        """The Gram matrix of all points; those of the last kernels are kept, since every C needs them."""
        if kernel not in self._grams:
            while self._grams and (len(self._grams) + 1) * 8 * len(self.points.X) ** 2 > KEPT_BYTES:
                self._grams.pop(next(iter(self._grams)))
            self._grams[kernel] = kernel(self.points.X)
        return self._grams[kernel]

    def _one_by_one(self, machine, parallel):
        """(value, note) of each fold, by fitting a machine to each."""
        points = self.points
        tasks = (
            (machine, points.part(train, train), points.y[train], points.part(test, train), points.y[test])
            for train, test in self.splits
        )
        if parallel is None:
            return [fold(*task) for task in tasks]
        return parallel(delayed(_quiet_fold)(*task) for task in tasks)


def fold(machine, X, y, X_held, y_held) -> tuple[float, str]:
    """(value, note) of a copy of the machine fitted to X (n, d), y (n,) and tested on X_held (m, d), y_held (m,).

    The value is the share of wrong labels or the mean squared error; if the machine cannot be fitted, it is infinite
    and the note says why.
    """
    machine = clone(machine)
    try:
        found = machine.fit(X, y).predict(X_held)
    except ValueError as error:
        return np.inf, str(error)
    wrong = found != y_held if is_classifier(machine) else (found - y_held) ** 2
    return float(np.mean(wrong)), _note(machine)


def _note(machine):
    """ "" if the fit ended as it should or has no status, else its status."""
    status = getattr(machine, "status_", "")
    return "" if not status or is_success(status) else status


def _quiet_fold(*task):
    """`fold` without ConvergenceWarning: a worker process does not inherit it from its caller."""
    with silently():
        return fold(*task)


def _splits(points, cv, seed):
    """The (train, test) index arrays of all folds."""
    if isinstance(cv, (int, np.integer)):
        label, least = "points", len(points.y)
        if points.classifies:
            label, least = "points of each class", np.unique(points.y, return_counts=True)[1].min()
        if not 2 <= cv <= least:
            raise ValueError(f"cv must be from 2 to {least}, as many folds as there are {label}, got {cv}")
        folds = sklearn.model_selection.StratifiedKFold if points.classifies else sklearn.model_selection.KFold
        cv = folds(cv, shuffle=True, random_state=seed)
    splits = list(cv.split(points.X, points.y) if hasattr(cv, "split") else cv)
    if not splits:
        raise ValueError("cv must be a number of folds, a splitter, or (train, test) index arrays, got none of these")
    return [(np.asarray(train), np.asarray(test)) for train, test in splits]


class VCBound:
    """r^2 |w|^2 of the machine fitted to all points, which bounds the VC dimension of hyperplanes; it needs no folds.

    r is the radius of the smallest enclosing ball in feature space (`sphere`); w and b are divided by the
    smallest y f, so that y f >= 1 at all points, which the bound presupposes. It is infinite if a point is
    misclassified. Lower is better, among widths sigma at one C. Raises ValueError for an estimator other than `SVC`.
    """

    def __init__(self, points: Points):
        if not isinstance(points.estimator, SVC):
            raise ValueError(f"the VC bound needs a svmcore.SVC, got {points.estimator!r}")
        self.points = points

    def __call__(self, C, sigma, parallel=None) -> Capacity:
        began = time.perf_counter()
        value, known = self._measure(C, sigma)
        return Capacity(C, sigma, value, seconds=time.perf_counter() - began, **known)

    def _measure(self, C, sigma):
        """(the value, the other fields of the `Capacity`)."""
        points = self.points
        try:
            model = points.machine(C, sigma).fit(points.X, points.y)
        except ValueError as error:
            return np.inf, {"note": str(error)}
        K = model.kernel_(points.X)
        support, beta = model.support_, model.dual_coef_[0]
        products = K[:, support] @ beta
        signs = np.where(points.y == model.classes_[1], 1.0, -1.0)
        smallest = float(np.min(signs * (products + model.intercept_)))
        if smallest <= 0.0:
            return np.inf, {"note": BETWEEN.join(filter(None, [_note(model), NOT_SEPARATED]))}
        norm = max(float(beta @ products[support]), 0.0) / smallest**2
        radius = sphere.smallest(K).squared_radius
        bound = sphere.vc_bound(radius, norm, sphere.dimension(model.kernel_, model.n_features_in_, len(K)))
        return radius * norm, dict(note=_note(model), squared_radius=radius, squared_norm=norm, bound=bound)
