"""Oracle: the dense product for every kernel; identities for the axes."""

import numpy as np
import pytest
from calls import recorded
from hypothesis import given, settings
from hypothesis import strategies as st
from variants import laplace

from svmcore import grid
from svmcore.grid import axes, decision, decision_at
from svmcore.kernels import KERNELS, Kernel

NAMED = [Kernel(key, 0.5, 3, 1.0) for key in KERNELS if key != "precomputed"]
EVERY = [*NAMED, Kernel("rbf", gamma=1e18), Kernel("rbf", gamma=1e-18), Kernel(laplace)]
each_kernel = pytest.mark.parametrize("kernel", EVERY, ids=lambda k: k.latex)


def problem(N=60, T=4, seed=0):
    """Points, iterates with exact zeros (the first ten in all of them), and the axes of a grid that is not square."""
    rng = np.random.default_rng(seed)
    X, B, b = rng.normal(size=(N, 2)), rng.normal(size=(T, N)), rng.normal(size=T)
    B[:, :10] = 0.0
    B[rng.random(B.shape) < 0.3] = 0.0
    return X, B, b, np.linspace(-2, 3, 31), np.linspace(-1, 2, 23)


X, B, b, xs, ys = problem()


@each_kernel
def test_plane_is_the_dense_product(kernel):
    X, B, b, xs, ys = problem()
    xs[3], ys[4] = X[20]  # a grid point on a point: where a very narrow kernel is not zero
    f = decision(kernel, X, B[0], b[0], xs, ys)
    assert f.shape == (23, 31) and f.flags.c_contiguous
    # one grid point at a time, straight from f(x) = sum_j beta_j k(x_j, x) + b
    expected = np.array([[kernel(np.array([[x, y]]), X)[0] @ B[0] + b[0] for x in xs] for y in ys])
    np.testing.assert_allclose(f, expected, rtol=0, atol=1e-13 * max(1, np.abs(expected).max()))


@each_kernel
def test_many_iterates_are_single_ones_and_no_support_vector_gives_the_intercept(kernel):
    f = decision(kernel, X, B, b, xs, ys)
    assert f.shape == (4, 23, 31) and f.flags.c_contiguous
    for frame, beta, intercept in zip(f, B, b, strict=True):
        np.testing.assert_allclose(frame, decision(kernel, X, beta, intercept, xs, ys), rtol=0, atol=1e-12)
    np.testing.assert_allclose(decision(kernel, X, B, 0.5, xs, ys), f - b[:, None, None] + 0.5, atol=1e-12)
    assert decision(kernel, X, B[:1], b[:1], xs, ys).shape == (1, 23, 31)
    np.testing.assert_array_equal(decision(kernel, X, 0 * B[0], 1.5, xs, ys), np.full((23, 31), 1.5))
    np.testing.assert_array_equal(decision_at(kernel, X, 0 * B, b, X), np.repeat(b[:, None], len(X), axis=1))


@pytest.mark.parametrize("T", [1, 3])
def test_points_in_several_batches(T, monkeypatch):
    X, B, b, xs, ys = problem(T=T)
    whole = decision(Kernel("rbf"), X, B, b, xs, ys)
    monkeypatch.setattr(grid, "AT_ONCE", 7)
    np.testing.assert_allclose(decision(Kernel("rbf"), X, B, b, xs, ys), whole, atol=1e-13)


@each_kernel
def test_arbitrary_points(kernel):
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    f = decision(kernel, X, B, b, xs, ys).reshape(4, -1)
    np.testing.assert_allclose(decision_at(kernel, X, B, b, points), f, rtol=0, atol=1e-11)
    one = decision_at(kernel, X, B[1], b[1], points)
    assert one.shape == (23 * 31,)
    np.testing.assert_allclose(one, f[1], rtol=0, atol=1e-11)


def test_arbitrary_points_of_many_features_and_precomputed():
    rng = np.random.default_rng(0)
    X, points, beta = rng.normal(size=(40, 15)), rng.normal(size=(9, 15)), rng.normal(size=40)
    beta[5:20] = 0.0
    expected = Kernel("rbf")(points, X) @ beta + 0.25
    np.testing.assert_allclose(decision_at(Kernel("rbf"), X, beta, 0.25, points), expected, atol=1e-13)
    given, train = Kernel("rbf")(points, X), Kernel("rbf")(X)
    np.testing.assert_allclose(decision_at(Kernel("precomputed"), train, beta, 0.25, given), expected, atol=1e-13)


@pytest.mark.parametrize("kernel", [Kernel("rbf"), Kernel("poly"), Kernel(laplace)], ids=lambda k: k.latex)
def test_zero_coefficients_are_dropped(kernel, monkeypatch):
    lengths = recorded(monkeypatch, Kernel, "values", lambda self, X, Z: (len(X), len(Z)))
    decision(kernel, X, B, b, xs, ys)
    active = np.count_nonzero(B.any(axis=0))
    assert active <= 50 and {active} <= set(np.ravel(lengths)) and 60 not in np.ravel(lengths)


@each_kernel
def test_memory_stays_bounded(kernel, monkeypatch):
    """No Gram piece larger than the block, whatever the grid."""
    monkeypatch.setattr("svmcore.kernels.kernel.BLOCK_BYTES", 8 * 50 * 11)
    sizes = recorded(monkeypatch, Kernel, "values", lambda self, X, Z: len(X) * len(Z))
    f = decision(kernel, X, B, b, xs, ys)
    monkeypatch.undo()
    assert max(sizes, default=0) <= max(50 * 11, 50 * 31)  # the factors of the Gaussian are one line of the grid wide
    np.testing.assert_allclose(f, decision(kernel, X, B, b, xs, ys), atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(
    n=st.integers(1, 20),
    scale=st.sampled_from([0.0, 1e-12, 1e-3, 1.0, 1e9, 1e100]),
    shift=st.sampled_from([0.0, 1.0, -1e6, 1e12]),
    square=st.booleans(),
)
def test_axes_cover_the_points(n, scale, shift, square):
    X = scale * np.random.default_rng(n).normal(size=(n, 2)) + shift
    xs, ys = axes(X, 50, square=square)
    for grid_line, values in ((xs, X[:, 0]), (ys, X[:, 1])):
        assert grid_line.shape == (50,) and (np.diff(grid_line) > 0).all()
        assert grid_line[0] < values.min() and values.max() < grid_line[-1]
    if square:
        assert np.ptp(xs) == pytest.approx(np.ptp(ys), rel=1e-3)


@pytest.mark.parametrize("X, size, options, across, up", [
    ([[0, 0], [10, 2]], 3, dict(margin=0.1, square=False), [-1, 5, 11], [-0.2, 1, 2.2]),
    ([[0, 0], [10, 2]], 3, dict(margin=0.1), [-1, 5, 11], [-5, 1, 7]),
    ([[3, 3]] * 4, 5, {}, [2, 2.5, 3, 3.5, 4], [2, 2.5, 3, 3.5, 4]),
    ([[0, 5], [2, 5]], 3, dict(margin=0.0, square=False), [0, 1, 2], [4, 5, 6]),
])  # fmt: skip
def test_margin_is_a_share_of_the_extent_and_one_place_or_a_line_gets_a_plane(X, size, options, across, up):
    np.testing.assert_allclose(axes(np.array(X, float), size, **options), [across, up])


@pytest.mark.parametrize("X, size, sentence", [
    (np.zeros((4, 3)), 9, r"one point of the plane, shape \(n, 2\), got shape \(4, 3\)"),
    (np.zeros((0, 2)), 9, r"at least one point of the plane.*got shape \(0, 2\)"),
    (np.array([[0.0, np.nan]]), 9, "finite points; remove NaN"),
    (np.zeros((4, 2)), 1, "at least 2 grid points each way, got 1"),
])  # fmt: skip
def test_axes_refuses(X, size, sentence):
    with pytest.raises(ValueError, match=sentence):
        axes(X, size)


def test_decision_refuses():
    with pytest.raises(ValueError, match="no values between its points"):
        decision(Kernel("precomputed"), np.eye(60), B[0], 0.0, xs, ys)
    with pytest.raises(ValueError, match="need two features or a slice, got 3"):
        decision(Kernel("linear"), np.zeros((60, 3)), B[0], 0.0, xs, ys)
    with pytest.raises(ValueError, match=r"for the N rows of X \(N, d\), got shapes \(59,\) and \(60, 2\)"):
        decision(Kernel("linear"), X, B[0, :-1], 0.0, xs, ys)
    with pytest.raises(ValueError, match=r"one for each row of beta \(4, 60\), got shape \(3,\)"):
        decision(Kernel("linear"), X, B, b[:3], xs, ys)
    with pytest.raises(ValueError, match=r"intercept must be one number.*got shape \(1,\)"):
        decision_at(Kernel("linear"), X, B[0], b[:1], X)


@pytest.mark.parametrize("shape", [(13, 13), (24, 8), (5,), (1, 3), (4, 5, 6)])
@pytest.mark.parametrize("centred", [False, True])
def test_coarse_to_fine_is_complete_and_says_its_strides(shape, centred):
    cells = list(grid.coarse_to_fine(*shape, centred=centred))
    assert sorted(cell for cell, _ in cells) == list(np.ndindex(*shape))
    strides = [stride for _, stride in cells]
    assert strides == sorted(strides, reverse=True) == [grid.stride_of(cell, centred) for cell, _ in cells]
    first = 1 if centred else 0
    coarse = {cell for cell in np.ndindex(*shape) if all(index % 4 == first for index in cell)}
    assert {cell for cell, stride in cells if stride == 4} == coarse


@pytest.mark.parametrize("centred", [False, True])
def test_a_raster_shows_the_finest_cell_known(centred):
    shape = (8, 12)
    cells = list(grid.coarse_to_fine(*shape, centred=centred))
    values = {cell: 1.0 + k for k, (cell, _) in enumerate(cells)}
    for known in (cells[:3], cells[:6], cells[:20], cells):
        found = grid.raster(shape, [(cell, stride, values[cell]) for cell, stride in reversed(known)])
        for place in np.ndindex(*shape):
            around = [(n, cell) for cell, n in known if np.array_equal(np.array(cell) // n, np.array(place) // n)]
            assert found[place] == values[min(around)[1]] if around else np.isnan(found[place])
