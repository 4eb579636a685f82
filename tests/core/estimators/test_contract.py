"""scikit-learn's own contract checks, for every loss and every machine."""

from contextlib import nullcontext, suppress
from unittest import SkipTest

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from svmcore import SVC, SVR, OneNormSVC, SparseLSSVC, SparseLSSVR
from svmcore.losses import regression
from svmcore.solvers import router
from svmcore.warned import silently

# sample weights are compared to a relative 1e-7: solve tightly; with C = 1 bounded losses give up on some of the
# checks' random labels and put all points into one class, which warns
BOUNDED = {"sigmoid": {"C": 8.0}, "normalized_sigmoid": {"C": 8.0}}
OWN = BOUNDED | {"zero_one": {"C": 100.0, "max_iter": 100}}
CHECKED = {loss: SVC(loss=loss, tol=1e-10, **OWN.get(loss, {})) for loss in router.SOLVABLE}
REGRESSION = [SVR(loss=loss, tol=1e-10) for loss in regression.LOSSES]
WALK = [OneNormSVC(C=0.1, loss=loss, tol=1e-11, max_iter=10**6, n_rounds=3) for loss in ("hinge", "squared_hinge")]
QUICK = [CHECKED.pop(loss) for loss in ("hinge", "zero_one")]  # a convex loss and the count, which is bounded
QUICK += [SparseLSSVC(), SparseLSSVR(), REGRESSION[0], OneNormSVC(C=0.1, method="linear_program")]
SLOW = [pytest.param(model, marks=pytest.mark.slow) for model in (*CHECKED.values(), *REGRESSION[1:], *WALK)]


@pytest.mark.parametrize("estimator", [*QUICK, *SLOW], ids=repr)
def test_scikit_learn_contract(estimator):
    checks = [*estimator_checks_generator(estimator)]
    assert len(checks) > 50
    for model, check in checks:
        # this one sets max_iter=1000, too few steps for weights seven powers of ten apart and this tolerance
        quiet = silently() if "check_class_weight_classifiers" in str(check) else nullcontext()
        with quiet, suppress(SkipTest):  # array_api is skipped unless the environment asks for it
            check(model)
