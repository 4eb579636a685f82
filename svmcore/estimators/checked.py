"""Checks of the arguments of `fit` and `decision_function`: those of scikit-learn, each made once.

scikit-learn's checks serve any container of any type, and for forty points they take far longer than the solver. A
plain float64 array of finite numbers needs none of their conversions, so it is accepted after the few tests that can
fail; everything else goes to scikit-learn, which converts it or says what is wrong.
"""

from functools import wraps
from operator import attrgetter

import numpy as np
from sklearn import get_config
from sklearn.utils.validation import _check_sample_weight, validate_data

from svmcore.finite import is_finite


def parameters(fit):
    """`fit` of an estimator, after its parameters have passed their checks."""

    @wraps(fit)
    def after_checks(estimator, *args, **kwargs):
        if not get_config()["skip_parameter_validation"]:
            estimator._validate_params()
        return fit(estimator, *args, **kwargs)

    return after_checks


def table_and_targets(estimator, X, y, **options) -> tuple[np.ndarray, np.ndarray]:
    """X (n, d) as float64 and y (n,), and `n_features_in_` set; `options` as for scikit-learn's `validate_data`."""
    if _is_plain(X) and _is_vector(y) and len(X) == len(y) and not hasattr(estimator, "feature_names_in_"):
        estimator.n_features_in_ = X.shape[1]
        return X, y
    return validate_data(estimator, X, y, dtype=np.float64, **options)


def table(estimator, X) -> np.ndarray:
    """X (m, d) as float64, with the features of the points that the estimator was fitted to."""
    known = _is_plain(X) and X.shape[1] == estimator.n_features_in_ and not hasattr(estimator, "feature_names_in_")
    return X if known else validate_data(estimator, X, dtype=np.float64, reset=False)


def weights(given, X) -> np.ndarray:
    """Sample weights (n,) as float64, all >= 0; None is a weight of 1 each."""
    if given is None:
        return np.ones(len(X))
    return _check_sample_weight(given, X, dtype=np.float64, ensure_non_negative=True)


def two_values(y):
    """(the two values of y in ascending order, where y (n,) is the second one); None if there are not two numbers."""
    if y.dtype.kind not in "biuf" or not y.size:
        return None
    others = y != y[0]
    one, other = y[0], y[others.argmax()]
    if one == other or np.count_nonzero(y == other) != np.count_nonzero(others):
        return None
    return (np.array([one, other]), others) if one < other else (np.array([other, one]), ~others)


class Settings:
    """A mixin that remembers the names of an estimator's parameters, and the values that have passed their checks."""

    @classmethod
    def _get_param_names(cls):
        names = _names.get(cls)
        if names is None:
            names = _names[cls] = super()._get_param_names()
        return names

    def _validate_params(self):
        values = attrgetter(*self._get_param_names())(self)
        types = tuple(map(type, values))
        if not PLAIN.issuperset(types):  # a function or a dictionary, which may change, and is not to be kept alive
            super()._validate_params()
        elif (key := (type(self), types, values)) not in _passed:
            super()._validate_params()
            if len(_passed) >= REMEMBERED:
                _passed.clear()
            _passed.add(key)


PLAIN = {str, int, float, bool, type(None), np.float64, np.int64}
REMEMBERED = 1024
_names: dict[type, list[str]] = {}
_passed: set[tuple] = set()


def _is_plain(X):
    if type(X) is not np.ndarray or X.dtype != np.float64 or X.ndim != 2 or not X.size:
        return False
    return is_finite(X)


def _is_vector(y):
    if type(y) is not np.ndarray or y.ndim != 1 or y.dtype.kind not in "biuf":
        return False
    return y.dtype.kind != "f" or bool(np.isfinite(y).all())
