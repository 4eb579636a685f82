"""Base classes of the estimators: two classes, and scikit-learn's contract for a kernel expansion."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from svmcore import kernels, warned
from svmcore.estimators import checked, one_vs_one
from svmcore.kernels.kernel import mean
from svmcore.status import is_success
from svmcore.words import with_count

LARGEST_TARGET = 1e20  # the solvers use larger numbers for moves that are not allowed


class TwoClasses(ClassifierMixin):
    """A classifier of two classes by the sign of its `decision_function`."""

    def predict(self, X) -> np.ndarray:
        """The class of each row of X (n, d), (n,); f = 0 is the second class."""
        positive = self._positive(X)
        return self.classes_[positive.astype(int)]

    def _positive(self, X):
        """True if f >= 0 in each row of X, (n,)."""
        return self.decision_function(X) >= 0.0

    def _signs(self, y, weight):
        """The labels as -1 and +1, (n,); sets `classes_`. ValueError unless there are two classes, both with weight."""
        code = self._code(y, weight)
        if len(self.classes_) > 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes, got {len(self.classes_)} classes: "
                "Only binary classification is supported; use sklearn.multiclass.OneVsRestClassifier"
            )
        return 2.0 * code - 1.0

    def _code(self, y, weight):
        """The number of each label's class, (n,); sets `classes_`. ValueError for one class, or one without weight."""
        two = checked.two_values(y)
        if not (y.dtype.kind in "biu" or two and tuple(two[0]) == (-1.0, 1.0)):  # a slow check
            check_classification_targets(y)
        # sorting all of them would take longer than most fits
        self.classes_, code = two or np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes, got 1 class: "
                f"the data holds one class only, {self.classes_[0]}; add points of another class"
            )
        heavy = code[weight > 0.0]
        if two and not 0 < np.count_nonzero(heavy) < len(heavy):
            raise ValueError(
                "fit needs samples of both classes with positive weight, got fewer than two classes; see sample_weight"
            )
        if not two and (empty := np.bincount(heavy, minlength=len(self.classes_)) == 0).any():
            raise ValueError(
                "fit needs samples of every class with positive weight, which these have not: "
                f"{', '.join(map(str, self.classes_[empty]))}; leave them out of X and y, or see sample_weight"
            )
        return code

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class KernelMachine(checked.Settings, BaseEstimator):
    """The base of all machines with a kernel expansion f(x) = sum_j beta_j k(x_j, x) + b."""

    _parameter_constraints = {
        "C": [Interval(Real, 0.0, None, closed="neither")],
        "kernel": [StrOptions(kernels.KERNELS.keys()), callable],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0.0, None, closed="neither")],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "tol": [Interval(Real, 0.0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def _training_set(self, X, weight):
        """(kernel, points, kept): what is fitted, the rows `kept` of X of positive weight (n,); sets `kernel_`."""
        kept = np.flatnonzero(weight > 0.0)
        precomputed = self.kernel == "precomputed"
        if precomputed and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs the square Gram matrix of the training points, got shape {X.shape}"
            )
        self.kernel_ = kernels.Kernel.from_machine(self, gamma=self._gamma(X, weight))
        if len(kept) == len(X):
            return self.kernel_, X, kept
        return self.kernel_, X[np.ix_(kept, kept)] if precomputed else X[kept], kept

    def _keep(self, found, X, kept, code=None):
        """Set the fitted attributes from the `Solution` for the rows `kept` of X; warns unless it is a success.

        With `code`, the number of the class of each of these rows, the support vectors are in the order of the classes.
        """
        several = found.beta.ndim > 1
        nonzero = np.flatnonzero(found.beta.any(axis=1) if several else found.beta)
        if code is not None:
            group = code[nonzero]
            nonzero = nonzero[np.argsort(group, kind="stable")]
            self.n_support_ = np.bincount(group, minlength=len(self.classes_)).astype(np.int32)
        self.support_, self.shape_fit_ = kept[nonzero], X.shape
        # `take` needs a third of the time of an index
        rows = self.support_[:0] if self.kernel == "precomputed" else self.support_
        self.support_vectors_ = X.take(rows, axis=0)
        beta = found.beta[nonzero]
        self.dual_coef_ = one_vs_one.dual_coef(beta, self.n_support_) if several else beta[None, :]
        self.intercept_ = np.atleast_1d(found.intercept)
        if code is not None and self.kernel_.affine:
            self.intercept_ = self.intercept_ + self._loss_by_order(found.beta.reshape(len(kept), -1), X[kept])
        self.n_iter_ = found.n_iter if several else max(found.n_iter, 1)
        self.status_, self.violation_ = found.status, found.violation
        self.objective_, self.route_ = found.objective, found.route
        if not is_success(found.status):
            # skip fit and its wrapper: the warning points to the caller
            warned.warn(self._complaint(found), skipped=3)
        return self

    def _loss_by_order(self, beta, X):
        """The change of f at the mean of the points X, (machines,), by the order of the support vectors.

        Far from the origin w is a sum of large numbers that cancel, and the intercept belongs to one order of them.
        """
        middle, used = mean(X), [np.flatnonzero(column) for column in beta.T]
        before = [middle @ (X.take(rows, axis=0).T @ beta[rows, p]) for p, rows in enumerate(used)]
        return self.kernel_.affine[0] * (before - self._weights() @ middle)

    def _weights(self):
        """The sum of beta x over the support vectors, (machines, n_features), to the bit what `dot` multiplies with."""
        beta = self.dual_coef_[0] if len(self.intercept_) == 1 else self._columns()
        return np.atleast_2d((self.support_vectors_.T @ beta).T)

    def _last(self, X, kept):
        """beta (n, machines) of the last fit on the rows `kept` of X: with `warm_start`, of as many points; or None."""
        if not self.warm_start or getattr(self, "shape_fit_", None) != X.shape:
            return None
        beta = np.zeros((len(X), len(self.intercept_)))
        beta[self.support_] = self._columns()
        return beta[kept] if np.isfinite(beta).all() else None

    def _columns(self):
        """beta of the support vectors, one column for each machine, (n_SV, 1) or one-vs-one (n_SV, pairs)."""
        if len(self.dual_coef_) == 1:
            return self.dual_coef_.T
        return one_vs_one.columns(self.dual_coef_, self.n_support_)

    def _complaint(self, found):
        """The warning for a run that did not end as it should."""
        words = f"{self.loss}: {found.status} after {with_count(int(np.sum(found.n_iter)), 'iteration')}"
        if found.violation <= self.tol:
            return words
        hint = "; scale the inputs, lower C, or raise max_iter or tol" * (";" not in found.status)  # it has one itself
        return f"{words}, violation {found.violation:.3g} where {self.tol:g} was asked for{hint}"

    def _values(self, X):
        """f(x) for each row of X, (n,); one-vs-one (n, pairs)."""
        X = self._check_new(X)
        one = len(self.intercept_) == 1
        beta, b = (self.dual_coef_[0], self.intercept_[0]) if one else (self._columns(), self.intercept_)
        if self.kernel == "precomputed":
            return X[:, self.support_] @ beta + b
        return self.kernel_.dot(X, self.support_vectors_, beta) + b

    def _check_new(self, X):
        """New points, (n, d), as float64; the machine must be fitted."""
        if not hasattr(self, "intercept_"):  # scikit-learn's search for fitted attributes would take longer than f
            check_is_fitted(self)
        return checked.table(self, X)

    @property
    def coef_(self) -> np.ndarray:
        """w of the linear kernel, (1, n_features), one-vs-one (pairs, n_features); AttributeError for other kernels."""
        if self.kernel != "linear":
            raise AttributeError("coef_ exists for kernel='linear' only; use dual_coef_ and support_vectors_")
        check_is_fitted(self)
        w = self._weights()
        w.flags.writeable = False  # a change would be lost
        return w

    def _targets(self, y):
        """Real targets as float64, (n,). ValueError for other types, and for targets that are too large."""
        if y.dtype.kind not in "fiub":
            raise ValueError(f"targets must be real numbers, got an array of {y.dtype}; for classes use SVC")
        if not np.all(np.abs(y) < LARGEST_TARGET):
            raise ValueError(f"targets must be below {LARGEST_TARGET:.0e} in size, got {np.abs(y).max():.3g}; scale y")
        return y.astype(float)

    def _gamma(self, X, weight):
        if callable(self.kernel) or "gamma" not in kernels.KERNELS[self.kernel].parameters:
            return 1.0
        return kernels.resolve_gamma(self.gamma, X, weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
