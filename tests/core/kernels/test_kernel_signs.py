"""`Kernel.positive` beside the double precision of `dot`, and the bound of what single precision loses."""

import numpy as np
import pytest

from svmcore.kernels import Kernel, gaussian
from svmcore.kernels.kernel import MANY


def expansion(n, m, d, size=1.0, shift=0.0, seed=0):
    rng = np.random.default_rng(seed)
    return shift + rng.normal(size=(n, d)), shift + rng.normal(size=(m, d)), size * rng.normal(size=m)


@pytest.mark.parametrize("shift", [0.0, 1e4])
@pytest.mark.parametrize("gamma", [1e-6, 0.3, 10.0, 1e4])
@pytest.mark.parametrize(("m", "d"), [(1, 2), (60, 1), (60, 2), (400, 3), (600, 2), (100, 8)])
def test_single_precision_loses_no_more_than_it_says(m, d, gamma, shift):
    X, Z, c = expansion(500, m, d, shift=shift)
    f, lost = gaussian.dot_single(X, Z, c, gamma)
    error = np.abs(f - Kernel("rbf", gamma=gamma).dot(X, Z, c)).max()
    assert error <= lost
    assert lost <= 1e-6 * (m + 300) * np.abs(c).sum()


@pytest.mark.parametrize("size", [1.0, 1e6])
@pytest.mark.parametrize("kernel", [Kernel("rbf", gamma=0.5), Kernel("linear"), Kernel("poly")])
def test_signs_are_those_of_double_precision(kernel, size):
    X, Z, c = expansion(1000, 100, 2, size=size)
    assert len(X) * len(Z) >= MANY
    f = kernel.dot(X, Z, c)
    for k in range(20):  # the boundary runs just beside a point
        for beside in (-1e-10, 0.0, 1e-10):
            intercept = beside * size - f[k]
            np.testing.assert_array_equal(kernel.positive(X, Z, c, intercept), f + intercept >= 0.0)


def test_double_precision_for_the_unsure_only(monkeypatch):
    X, Z, c = expansion(1000, 100, 2)
    counts, double = [], gaussian.difference_dot
    monkeypatch.setattr(gaussian, "difference_dot", lambda x, *rest: (counts.append(x.shape[1]), double(x, *rest)))
    Kernel("rbf").positive(X, Z, c, 0.1)
    assert len(counts) == 1 and counts[0] < 100
    for points, size in ((X, 1e5), (1e140 * X, 1.0)):  # where single precision loses all
        assert gaussian.dot_single(points, Z, size * c, 1.0)[1] == np.inf
