"""Checks of the arguments of `fit` and `decision_function`: those of scikit-learn, each made once.

scikit-learn's checks serve any container of any type, and for forty points they take far longer than the solver. A
plain float64 array of finite numbers needs none of their conversions, so it is accepted after the few tests that can
fail; everything else goes to scikit-learn, which converts it or says what is wrong.
"""

from functools import lru_cache, wraps
from operator import attrgetter

import numpy as np
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.utils.class_weight import compute_class_weight
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
    if issparse(X):
        other = ", or for a linear machine svmcore.OneNormSVC, which takes sparse data" * is_classifier(estimator)
        raise TypeError(
            f"{type(estimator).__name__} takes a dense X, got a sparse {type(X).__name__}: use X.toarray(){other}"
        )
    return validate_data(estimator, X, y, dtype=np.float64, **options)


def table(estimator, X) -> np.ndarray:
    """X (m, d) as float64, with the features of the points that the estimator was fitted to."""
    if _is_plain(X) and X.shape[1] == estimator.n_features_in_ and not hasattr(estimator, "feature_names_in_"):
        return X
    if issparse(X):
        raise ValueError(
            f"{type(estimator).__name__} was fitted to a dense X, got a sparse {type(X).__name__}: use X.toarray()"
        )
    return validate_data(estimator, X, dtype=np.float64, reset=False)


def weights(given, X) -> np.ndarray:
    """Sample weights (n,) as float64, all >= 0; None is a weight of 1 each."""
    if given is None:
        return np.ones(len(X))
    weight = _check_sample_weight(given, X, dtype=np.float64)
    if weight.min() < 0.0:
        raise ValueError(
            f"sample_weight must be >= 0, got {weight.min():g}: Negative values in data would ask for errors; "
            "give a sample that is not to count the weight 0"
        )
    return weight


def class_weights(given, classes, y) -> np.ndarray:
    """The weight of each class, (k,), of a dict, "balanced" or None; ValueError unless they are positive and finite."""
    weight = compute_class_weight(given, classes=classes, y=y)
    if not ((weight > 0.0) & (weight < np.inf)).all():
        raise ValueError(
            f"class_weight must be positive and finite, got {weight.tolist()} for the classes {classes.tolist()}; "
            "leave out the points of a class that is not to count"
        )
    return weight


def estimator(kind):
    """A class of which each instance says what to do instead of parameters that scikit-learn's own has."""
    init = kind.__init__

    @wraps(init)
    def after_check(estimator, *args, **given):
        for name in given:
            if name in INSTEAD:
                raise TypeError(f"{type(estimator).__name__} has no parameter {name!r}: {INSTEAD[name]}")
        init(estimator, *args, **given)

    kind.__init__ = after_check
    return kind


CALIBRATED = "for probabilities use sklearn.calibration.CalibratedClassifierCV(SVC(), method='sigmoid', ensemble=False)"
INSTEAD = {
    "probability": CALIBRATED,
    "shrinking": "it never changed the machine; leave it out",
    "cache_size": "no kernel cache is needed; leave it out",
    "verbose": "leave it out, and read n_iter_, status_ and violation_ after fit",
    "nu": "svmcore has no nu-SVM; choose C",
}


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
    @lru_cache(64)
    def _get_param_names(cls):
        return super()._get_param_names()

    def _validate_params(self):
        values = attrgetter(*self._get_param_names())(self)
        types = tuple(map(type, values))
        # of a dictionary only the type is checked here; what is in it may change, and `fit` looks at it
        plain = tuple(None if kind is dict else value for kind, value in zip(types, values, strict=True))
        if not PLAIN.issuperset(types):  # a function is not to be kept alive
            super()._validate_params()
        elif (key := (type(self), types, plain)) not in _passed:
            super()._validate_params()
            if len(_passed) >= REMEMBERED:
                _passed.clear()
            _passed.add(key)


PLAIN = {str, int, float, bool, type(None), np.float64, np.int64, dict}
REMEMBERED = 1024
_passed: set[tuple] = set()


def _is_plain(X):
    return type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and X.size > 0 and is_finite(X)


def _is_vector(y):
    plain = type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuf"
    return plain and (y.dtype.kind != "f" or bool(np.isfinite(y).all()))
