"""Oracles: scikit-learn's own contract checks, LIBSVM, and the same data in another form."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from svmcore import SVC, duals

# weights of the samples are compared to a relative 1e-7: solve tightly
CHECKED = [SVC(loss=loss, tol=1e-10) for loss in duals.DUALS]


@parametrize_with_checks(CHECKED)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
