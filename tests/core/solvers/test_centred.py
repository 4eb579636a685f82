"""A machine with a linear kernel does not depend on where the origin lies."""

import numpy as np
import pytest
from variants import every_loss, overlapping

from svmcore import SVC, SVR, losses
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import centred, convex
from svmcore.status import Status

FAR = np.array([1e6, -3e5])


@every_loss
@pytest.mark.parametrize("usual", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_machine_far_from_the_origin_is_that_near_it(loss, params, usual):
    X, y = overlapping(60)
    reweighted = losses.get(loss).solved_by == "re-weighting"
    C = 1.0 if usual == reweighted else 2000.0
    near, far = (SVC(loss, params, C=C, kernel="linear").fit(points, y) for points in (X, X + FAR))
    assert far.status_ == near.status_ in ("converged", "local minimum")
    assert far.objective_ == pytest.approx(near.objective_, rel=2e-3)
    assert far.violation_ <= 1.05 * far.tol
    # what the estimator computes for new points is the machine whose objective is reported
    f, w = far.decision_function(X + FAR), far.coef_[0]
    primal = 0.5 * w @ w + C * losses.get(loss)(1.0 - y * f, **params).sum()
    assert primal == pytest.approx(near.objective_, rel=5e-3)
    if not reweighted or C == 1.0:  # else 10 000 to 77 000 steps, by rounding alone
        assert far.n_iter_ <= 2 * near.n_iter_ + 100


@pytest.mark.parametrize("loss", ["epsilon_insensitive", "least_squares", "least_absolute"])
def test_a_regression_far_from_the_origin_is_that_near_it(loss):
    X, _ = overlapping(60)
    y = X @ [0.7, -0.2] + 0.1 * np.sin(9.0 * X[:, 0])
    near, far = (SVR(loss, C=50.0, kernel="linear").fit(points, y) for points in (X, X + FAR))
    assert far.status_ == near.status_ == "converged"
    assert far.predict(X + FAR) == pytest.approx(near.predict(X), abs=0.01)


def test_the_intercept_and_the_image_are_those_of_the_points_as_given_which_can_show_them():
    X, y = overlapping(40)
    kernel = Kernel("linear")
    qp = convex.duals.squared_hinge(y, 1.0)
    _, near = centred.points(kernel, X + 5.0)
    found = centred.restore(convex.solve(kernel, near, qp, tol=1e-9), kernel, X + 5.0, near, 1e-9)
    plain = convex.solve(kernel, X + 5.0, qp, tol=1e-9)
    assert found.intercept == pytest.approx(plain.intercept, abs=1e-7)
    assert found.details.image == pytest.approx(kernel(X + 5.0) @ found.beta, abs=1e-9)
    # coefficients of 1e9 for features near 1e6: a value of f is a sum of terms of 1e21
    found = convex.solve(Kernel("linear"), X, convex.duals.hinge(y, 1.0))
    huge = found._replace(beta=1e9 * found.beta)
    for points, status in ((X, "converged"), (X + FAR, Status.INACCURATE_FEATURES)):
        _, near = centred.points(Kernel("linear"), points)
        assert centred.restore(huge, Kernel("linear"), points, near, 1e-3).status == status
