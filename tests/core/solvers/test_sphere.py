"""The smallest enclosing ball: a closed form and its own certificate; the VC bound by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import smo, sphere

KERNELS = {"linear": Kernel("linear"), "rbf": Kernel("rbf", 0.5), "cubic": Kernel("poly", 1.0, 3, 1.0)}


def cloud(n=50, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def ball(X, **options):
    """The ball of points in the plane, and its centre there."""
    found = sphere.smallest(Kernel("linear")(X), **options)
    return found, found.weights @ X


def test_two_points_at_distance_two_and_a_single_place():
    found, centre = ball(np.array([[4.0, 1.0], [6.0, 1.0]]))
    assert found.squared_radius == pytest.approx(1.0, rel=1e-12) and centre == pytest.approx([5.0, 1.0])
    assert found.weights == pytest.approx([0.5, 0.5]) and found.status == "converged"
    for points in (np.ones((1, 2)), np.full((5, 2), 3.0)):
        found, centre = ball(points)
        assert found.squared_radius == found.gap == 0.0 and found.status == "converged"
        assert centre == pytest.approx(points[0])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 25), st.integers(1, 4), st.sampled_from(sorted(KERNELS)))
def test_the_certificate(seed, n, d, name):
    """All points lie in the ball, weights are a mean, positive on the sphere only, and the gap is as small as asked."""
    K = KERNELS[name](np.round(cloud(n, d, seed), 1))  # rounded: some points coincide
    found = sphere.smallest(K)
    distances = K.diagonal() - 2.0 * (K @ found.weights) + found.squared_norm
    scale = max(found.squared_radius, 1e-12)
    assert found.weights.min() >= 0.0 and found.weights.sum() == pytest.approx(1.0, rel=1e-12)
    assert distances.max() <= found.squared_radius + found.gap + 1e-12 * scale
    assert found.gap <= 1.1e-8 * scale + 1e-12
    assert np.all(distances[found.weights > 1e-3] >= found.squared_radius - 1e-4 * scale)


def test_a_loose_tolerance_and_a_limit_are_told():
    K = KERNELS["rbf"](cloud(200))
    exact, loose = sphere.smallest(K), sphere.smallest(K, tol=1e-2)
    assert loose.n_iter < exact.n_iter and 1e-8 < loose.gap <= 1e-2 * loose.squared_radius
    assert loose.squared_radius <= exact.squared_radius <= loose.squared_radius + loose.gap
    found = sphere.smallest(K, max_iter=3)
    assert found.status == smo.STATUS[smo.RUNNING] and found.n_iter == 3 and found.gap > 1e-3


@pytest.mark.parametrize("K", [np.ones((2, 3)), np.empty((0, 0)), np.array([[np.inf]])])
def test_what_is_no_gram_matrix_is_a_sentence(K):
    with pytest.raises(ValueError, match="K must be"):
        sphere.smallest(K)


def test_dimensions_and_the_vc_bound():
    bounds = {(0.5, 7.0): 4, (0.5, 7.0, 2): 3, (0.0, 7.0): 1, (1.0, 0.99): 1, (1.0, 1.0): 2}
    assert {given: sphere.vc_bound(*given) for given in bounds} == bounds
    assert sphere.dimension(Kernel("linear"), 3, 50) == 3
    assert sphere.dimension(Kernel("rbf", 1.0), 3, 50) == 50
    # 1, x, y, x^2, xy, y^2; without an offset the last three
    assert sphere.dimension(Kernel("poly", 1.0, 2, 1.0), 2, 50) == 6
    assert sphere.dimension(Kernel("poly", 1.0, 2, 0.0), 2, 50) == 3
