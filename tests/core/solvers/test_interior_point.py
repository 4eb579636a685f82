"""Oracles: certificate (KKT recomputed, primal = dual), closed form, the whole matrix."""

import numpy as np
import pytest
from variants import every_variant, gaussian, overlapping, violation

from svmcore import deadline, duals
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import interior_point
from svmcore.solvers.solution import Details, Solution
from svmcore.status import Status


def rounding(K, beta):
    """What evaluating F may lose: both ends of the violation, and the ridge."""
    return 3.0 * np.finfo(float).eps * np.abs(K).max() * np.abs(beta).sum()


def objective(K, qp, beta):
    return 0.5 * beta @ (K @ beta + qp.ridge * beta) + qp.linear @ beta


@every_variant
@pytest.mark.parametrize("C", [1e-6, 1e-3, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("n", [60, pytest.param(250, marks=pytest.mark.slow)])
def test_optimal_to_rounding_for_any_C(loss, params, C, n):
    X, y = overlapping(n)
    qp = duals.build(loss, y, C, **params)
    centred = X - X.mean(axis=0)
    runs = [
        (centred @ centred.T, interior_point.solve(centred, qp, tol=1e-9)),
        (gaussian(X), interior_point.solve_gram(gaussian(X), qp, tol=1e-9)),
    ]
    for K, result in runs:
        beta = interior_point.crossover(result, qp)
        assert violation(K, qp, beta) <= max(1e-9, rounding(K, beta))
        assert result.n_iter <= (5 if loss == "least_squares" else 36)  # a step, and corrections of what it rounds
        if C <= 1e3:
            assert result.status == "converged" and result.violation <= 1e-9
            f = K @ result.beta + result.intercept
            primal = duals.primal_objective(loss, f, y, C, result.beta @ K @ result.beta, **params)
            assert primal == pytest.approx(duals.dual_objective(qp, K @ result.beta, result.beta), rel=1e-8)
            assert result.objective == pytest.approx(-primal, rel=1e-8)


@pytest.mark.parametrize("C", [pytest.param(1e5, marks=pytest.mark.slow), 1e6])
def test_low_rank_does_not_lose_the_free_coefficients_at_large_C(C):
    X, y = overlapping(800)
    K, qp = gaussian(X, 0.1), duals.build("least_absolute", y, C)
    factor = interior_point.pivoted_cholesky(lambda j: K[:, j], K.diagonal())
    result = interior_point.solve(factor.L, qp, tol=1e-9)
    assert result.n_iter <= 30
    beta = interior_point.crossover(result, qp)
    assert violation(K, qp, beta) <= 2.0 * rounding(K, beta)


def test_an_empty_box_is_an_absent_sample():
    X, y = overlapping(60)
    K, qp = gaussian(X), duals.build("least_absolute", y, 3.0)
    absent = np.arange(60) % 7 == 0
    closed = qp._replace(lower=np.where(absent, 0.0, qp.lower), upper=np.where(absent, 0.0, qp.upper))
    result = interior_point.solve_gram(K, closed, tol=1e-9)
    rest = ~absent
    alone = interior_point.solve_gram(K[np.ix_(rest, rest)], duals.build("least_absolute", y[rest], 3.0), tol=1e-9)
    np.testing.assert_array_equal(result.beta[absent], 0.0)
    np.testing.assert_allclose(result.beta[rest], alone.beta)
    low = interior_point.solve(interior_point.pivoted_cholesky(lambda j: K[:, j], np.ones(60)).L, closed, tol=1e-9)
    np.testing.assert_allclose(low.beta, result.beta, atol=1e-6)
    for gram, found in ((K, result), (X @ X.T, interior_point.solve(X, closed, tol=1e-9))):  # whole, and of low rank
        assert violation(gram, closed, interior_point.crossover(found, closed)) <= 1e-9


@every_variant
@pytest.mark.parametrize("C", [pytest.param(1e-6, marks=pytest.mark.slow), 1.0, 1e6])
@pytest.mark.parametrize("kind", ["lattice", "few positives", "separable", "constant", "weights", "small"])
def test_degenerate_data(loss, params, C, kind):
    """Many equal points, many points exactly on the margin, a hard margin, no information at all; uneven scales."""
    rng = np.random.default_rng(3)
    X, y = overlapping(90)
    if kind == "lattice":
        X, y = rng.integers(0, 3, size=(90, 3)).astype(float), np.where(rng.random(90) < 0.35, 1.0, -1.0)
    elif kind == "few positives":
        y = np.where(np.arange(90) < 3, 1.0, -1.0)
    elif kind == "separable":
        X = X + 3.0 * y[:, None]
    elif kind == "weights":
        C = C * 10.0 ** rng.uniform(-4, 4, 90)
    elif kind == "small":
        X *= 1e-4
    else:
        X[:] = 1.0
    qp = duals.build(loss, y, C, **params)
    centred = X - X.mean(axis=0)
    beta = interior_point.crossover(interior_point.solve(centred, qp, tol=1e-9), qp)
    K = centred @ centred.T
    assert violation(K, qp, beta) <= max(1e-9, rounding(K, beta))


def test_regression_targets_of_any_scale():
    X, _ = overlapping(80)
    K = gaussian(X)
    for scale in (1e-4, 1e4):
        for C in (1e-6, 10.0):
            qp = duals.build("least_absolute", scale * np.sin(X[:, 0]), C)
            result = interior_point.solve_gram(K, qp, tol=1e-9 * scale)
            beta = interior_point.crossover(result, qp)
            assert violation(K, qp, beta) <= max(1e-9 * scale, rounding(K, beta))
            assert result.n_iter <= 13
    # with another unit of F, by a power of two, each number of the run is that of the other run in this unit
    y, unit = np.sin(X[:, 0]), 2.0**-13
    one = interior_point.solve_gram(K, duals.build("least_absolute", y, 1.0), tol=1e-9)
    other = interior_point.solve_gram(K, duals.build("least_absolute", unit * y, unit), tol=1e-9 * unit)
    assert other.n_iter == one.n_iter
    np.testing.assert_array_equal(other.beta, unit * one.beta)
    zero = interior_point.solve_gram(K, duals.build("least_absolute", np.zeros(80), 1.0))
    assert zero.status == "converged" and not zero.beta.any()


def test_factor_reproduces_the_matrix_and_asks_for_its_columns_only():
    X, _ = overlapping(150)
    K, asked = gaussian(X, 0.05), []

    def column(j):
        asked.append(j)
        return K[:, j]

    factor = interior_point.pivoted_cholesky(column, K.diagonal(), tol=1e-10)
    assert factor.complete and factor.error <= 1e-10
    assert asked == list(factor.pivots) and len(set(asked)) == factor.L.shape[1] < 100
    # the rest is positive semidefinite, so no entry exceeds its diagonal
    np.testing.assert_allclose(factor.L @ factor.L.T, K, atol=1.1e-10)


def test_factor_stops_at_the_rank_of_the_matrix_or_where_it_must():
    X = np.random.default_rng(0).normal(size=(70, 4))
    K = X @ X.T
    assert interior_point.pivoted_cholesky(lambda j: K[:, j], K.diagonal(), tol=1e-12).L.shape == (70, 4)
    cut = interior_point.pivoted_cholesky(lambda j: K[:, j], K.diagonal(), max_rank=3)
    assert cut.L.shape == (70, 3) and not cut.complete and cut.error > 0.01
    smooth = gaussian(overlapping(30)[0], 0.01)
    pivots = interior_point.pivoted_cholesky(lambda j: smooth[:, j], np.ones(30), tol=0.0).pivots
    assert len(set(pivots)) == len(pivots)
    nothing = interior_point.pivoted_cholesky(lambda j: np.zeros(5), np.zeros(5))
    assert nothing.L.shape == (5, 0) and nothing.complete
    qp = duals.build("hinge", np.array([1.0, -1.0, 1.0, -1.0, -1.0]), 1.0)
    assert interior_point.solve(nothing.L, qp).status == "converged"
    with deadline.time_limit(0.0):
        late = interior_point.pivoted_cholesky(lambda j: K[:, j], K.diagonal())
    assert late.L.shape == (70, 0) and not late.complete


def inside(beta, below, above, at_lower, at_upper):
    multipliers = interior_point.Multipliers(below, above, at_lower, at_upper)
    return Solution(beta, 0.0, 0.0, 0.0, 1, "converged", "", Details(multipliers=multipliers))


def test_crossover_repairs_the_sum_and_leaves_the_bounds_if_it_may():
    qp = duals.build("hinge", np.array([1.0, 1.0, -1.0, -1.0]), 1.0)
    result = inside(
        beta=np.array([1.0, 1.0, -1e-9, -1.0]),
        below=np.array([0.0, 0.0, 0.0, 0.1]), above=np.array([0.4, 0.2, 0.3, 0.0]),
        at_lower=np.array([False, False, False, True]), at_upper=np.array([True, True, True, False]),
    )  # fmt: skip
    # too large by one: of those that can fall, the coefficient with the smallest multiplier gives way
    np.testing.assert_array_equal(interior_point.crossover(result, qp), [1.0, 0.0, 0.0, -1.0])
    # of one class there is only zero
    alone = duals.build("hinge", np.ones(5), 1.0)
    found = interior_point.solve(np.ones((5, 1)), alone)
    np.testing.assert_array_equal(interior_point.crossover(found, alone), 0.0)
    assert found.status == "converged" and found.n_iter == 0
    two = interior_point.solve_gram(np.eye(2), duals.build("hinge", np.array([1.0, -1.0]), 10.0), tol=1e-9)
    np.testing.assert_allclose(two.beta, [1.0, -1.0])  # f = 1 and -1 there
    # all on their bounds, with a sum that is zero up to rounding: one moved by 1e-17 would look free, with F anywhere
    qp = duals.build("hinge", np.array([1.0, 1.0, 1.0, -1.0]), np.array([0.1, 0.2, 0.3, 0.6]))
    zero, on = np.zeros(4), np.array([True, True, True, False])
    assert qp.upper[on].sum() != 0.6
    result = inside(qp.upper * on + qp.lower * ~on, zero, zero, ~on, on)
    np.testing.assert_array_equal(interior_point.crossover(result, qp), [0.1, 0.2, 0.3, -0.6])
    # what is too much is shared among free coefficients without bounds
    qp = duals.build("least_squares", np.array([1.0, -1.0, 1.0]), 1.0)
    off = np.zeros(3, bool)
    result = inside(np.array([3.0, 1.0, -1.0]), off * 0.0, off * 0.0, off, off)
    np.testing.assert_allclose(interior_point.crossover(result, qp), [2.0, 0.0, -2.0])


def test_says_so_when_it_does_not_arrive_or_cannot_begin():
    X, y = overlapping(60)
    qp = duals.build("hinge", y, 10.0)
    cut = interior_point.solve_gram(gaussian(X), qp, tol=1e-9, max_iter=3)
    assert (cut.n_iter, cut.status) == (3, "iteration limit")
    assert np.all(np.isfinite(interior_point.crossover(cut, qp)))
    indefinite = Kernel("sigmoid", 1.0, coef0=-1.0)(X)
    assert np.linalg.eigvalsh(indefinite)[0] < -1.0
    assert interior_point.solve_gram(indefinite, qp).status == Status.NOT_POSITIVE
    hopeless = interior_point.solve_gram(gaussian(X), duals.build("hinge", y, 1e6), tol=1e-15)
    assert hopeless.status == Status.ROUNDING and hopeless.violation < 1e-6
    qp = duals.build("hinge", np.array([1.0, -1.0]), 1.0)
    with pytest.raises(ValueError, match="one row for each of the 2 coefficients, got shape"):
        interior_point.solve(np.ones((3, 1)), qp)
    with pytest.raises(ValueError, match="square matrix"):
        interior_point.solve_gram(np.ones((2, 1)), qp)
    with pytest.raises(ValueError, match="zero must lie in the box"):
        interior_point.solve(np.ones((2, 1)), qp._replace(lower=np.array([0.5, -1.0])))
