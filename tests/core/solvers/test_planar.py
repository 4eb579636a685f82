"""Many points with few features. Oracles: `smo` on the whole matrix, and what a state claims recomputed from it."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from variants import overlapping, uneven, violation

from svmcore import deadline, duals
from svmcore.kernels import Kernel, chebyshev, gaussian
from svmcore.solvers.box_dual import cells, convex, doubled, pair_updates, planar, planar_steps, smo, warm

N = 900
RBF = Kernel("rbf", 2.0)


def residuals_of(qp, found):
    return warm.Start(found.beta, found.details.image).F(qp)


@pytest.mark.parametrize("loss", duals.DUALS)
@pytest.mark.parametrize("tol", [1e-3, pytest.param(1e-6, marks=pytest.mark.slow)])
def test_ends_where_the_whole_matrix_does(loss, tol):
    X, y = overlapping(N)
    qp = uneven(loss, y)
    points = np.concatenate([X, X]) if len(qp.linear) > N else X
    K, state = RBF(points), planar.solve(RBF, points, qp, tol=tol)
    assert state.status == "converged" and state.violation <= tol
    assert violation(K, qp, state.beta) <= 1.01 * tol
    assert state.objective == pytest.approx(smo.run(K, qp, tol=tol).objective, rel=1e-6, abs=tol * N)
    dual = duals.dual_objective(qp, K @ state.beta, state.beta)
    assert state.objective == pytest.approx(-dual, rel=1e-9)


@pytest.mark.parametrize(
    "loss, C, n",
    [
        ("hinge", 100.0, 4500),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (("squared_hinge", 1.0, 9000), ("huber", 10.0, 9000))
        ),
    ],
)
def test_sets_of_sets_are_checked_in_double_precision(loss, C, n, monkeypatch):
    """So many coefficients that a set is itself solved in rounds, whose F is in single precision."""
    monkeypatch.setattr(planar, "OUTER", 500)
    monkeypatch.setattr(planar, "OUTER_FREE", 1000)
    X, y = overlapping(n)
    kernel, qp = Kernel("rbf", 1.0), uneven(loss, y, C)
    seen = []
    rounds = planar._rounds
    monkeypatch.setattr(planar, "_rounds", lambda *a: seen.append(a[-1] == np.inf) or rounds(*a))
    state = planar.solve(kernel, X, qp)
    assert True in seen and False in seen
    F = -qp.linear - kernel.dot(X, X, state.beta) - qp.ridge * state.beta
    assert residuals_of(qp, state) == pytest.approx(F, abs=1e-10 * np.abs(state.beta).sum())
    assert F[state.beta < qp.upper].max() - F[state.beta > qp.lower].min() <= 1.01e-3


def test_stops_at_its_limit_with_what_it_has():
    X, y = overlapping(N)
    qp = uneven("hinge", y, C=1000.0)
    state = planar.solve(RBF, X, qp, max_iter=70, start=warm.Start(np.zeros(N)))
    assert state.status == "iteration limit" and 70 <= state.n_iter <= 70 + planar.SET
    F = -qp.linear - RBF(X) @ state.beta
    assert residuals_of(qp, state) == pytest.approx(F, abs=1e-9 * max(1.0, np.abs(state.beta).sum()))


def test_the_convex_solver_sends_large_planes_here(monkeypatch):
    monkeypatch.setattr(convex, "LARGE", 800)
    X, y = overlapping(N)
    found = convex.solve(RBF, X, uneven("hinge", y))
    assert found.status == "converged" and "cells" in found.route
    assert "cells" in convex.solve(RBF, X, uneven("squared_hinge", y)).route
    assert "cells" not in convex.solve(RBF, np.hstack([X, X]), uneven("hinge", y)).route
    assert "cells" not in convex.solve(Kernel("linear"), X, uneven("hinge", y)).route
    regression = duals.epsilon_insensitive(np.sin(X[:, 0]), np.full(N, 5.0))
    both = doubled.solve(RBF, X, regression)
    assert both.status == "converged" and "cells" in both.route


@given(
    gamma=st.floats(1e-6, 30.0),
    seed=st.integers(0, 99),
    shift=st.sampled_from([0.0, 1e3]),
    flat=st.booleans(),
)
@settings(max_examples=20, deadline=None)
def test_an_expansion_multiplies_as_the_matrix_does(gamma, seed, shift, flat):
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(2, 60)) + shift
    if flat:
        columns[1] = shift
    some, c = rng.permutation(60)[:25], rng.normal(size=25)
    expansion = chebyshev.Expansion(columns, gamma)
    exact = Kernel("rbf", gamma)(columns.T, columns.T[some]) @ c
    np.testing.assert_allclose(expansion.dot(some, c), exact, atol=1e-12 * (1.0 + shift * gamma))


@pytest.mark.parametrize("sides", [(1e3,), (1e6,), (1e3, 0.1), (300.0, 300.0), (30.0, 1e4, 1.0)])
def test_what_an_expansion_builds_counts_and_is_bounded(sides):
    """Dense matrices of long expansions took seconds, and more memory than the Gram matrix."""
    X = np.random.default_rng(1).uniform(0.0, sides, (1600, len(sides)))
    y = np.where(np.sin(X[:, 0]) > 0.3, 1.0, -1.0)
    kernel, qp = Kernel("rbf", 1.0), uneven("hinge", y, C=1.0)
    planar.solve(kernel, X[:200], duals.BoxQP(*(vector[:200] for vector in qp)))  # reads compiled code
    tracemalloc.start()
    state = planar.solve(kernel, X, qp)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6 + 100 * X.nbytes
    assert state.status == "converged"
    assert violation(kernel(X), qp, state.beta) <= 1.01e-3
    points = planar._Points.from_rows(kernel, X)
    for count in (500, 1600):
        lengths = np.array(points.expansion.lengths(chebyshev.ERROR))
        if points.expands(count, single=False):
            assert lengths.prod() + np.sum(lengths**2) / 50 < 20 * count


@pytest.mark.parametrize("twice", [True, False])
def test_the_product_with_all_points_is_that_of_the_kernel(twice):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(2000, 2)) + 3.0
    X = np.concatenate([X, X]) if twice else X
    kernel, v = Kernel("rbf", 0.5), rng.normal(size=len(X))
    np.testing.assert_allclose(planar.product(kernel, X)(v), kernel.dot(X, X, v), atol=1e-13 * np.abs(v).sum())
    rows, some = planar.Rows(kernel, X), np.arange(500, 1500)
    np.testing.assert_allclose(rows.dot(some, v[some]), kernel.dot(X, X[some], v[some]), atol=1e-13 * np.abs(v).sum())
    np.testing.assert_array_equal(rows.block(some), kernel(X[some]))


@pytest.mark.parametrize("one_sign", [True, False])
@pytest.mark.parametrize("apart", [0.0, 1e3, 1e5])
def test_no_product_in_single_precision_loses_more_than_is_allowed_for(one_sign, apart):
    """Two clusters far apart lose more: coordinates have fewer digits then."""
    rng = np.random.default_rng(3)
    X, some, c = rng.normal(size=(3000, 2)) + 5.0, rng.permutation(3000)[:1500], 100.0 * rng.random(1500)
    X[::2] += apart
    c = c if one_sign else c - 50.0
    points = planar._Points.from_rows(Kernel("rbf", 0.3), X)
    lost = np.abs(points.dot(some, c, single=True) - Kernel("rbf", 0.3)(X, X[some]) @ c).max()
    assert points.expands(1500, single=True) == points.expands(1500, single=False) == (apart == 0.0)
    assert 0.0 < lost <= points.noise(c) < 0.01 * max(1.0, apart)


@pytest.mark.parametrize("n", [2000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_clusters_far_apart_take_as_few_steps_as_near_ones(n):
    """In rounds, and in sets of sets."""
    X, y = overlapping(n)
    steps = []
    for apart in (30.0, 1e6):
        found = planar.solve(RBF, X + apart * (np.arange(n) % 2)[:, None], uneven("hinge", y))
        assert found.status == "converged"
        steps.append(found.n_iter)
    assert steps[1] <= 3 * steps[0]


def test_f_of_an_answer_is_in_double_precision_though_all_updates_were_in_single(monkeypatch):
    X, y = overlapping(2000)
    kernel, qp = RBF, uneven("hinge", y, C=2.0)
    monkeypatch.setattr(planar, "FAINT", np.inf)
    products, lost = [], []
    dot, rounds = planar._Points.dot, planar._rounds

    def measured(points, qp, beta, F, *how):
        found = rounds(points, qp, beta, F, *how)
        lost.append(np.abs(F + qp.linear + kernel.dot(X, X, beta)).max())
        return found

    monkeypatch.setattr(planar._Points, "dot", lambda *a: products.append(a[3]) or dot(*a))
    monkeypatch.setattr(planar, "_rounds", measured)
    state = planar.solve(kernel, X, qp)
    assert products[-1] is False and all(products[:-1]) and len(products) > 1
    assert 1e-9 < max(lost) < 1e-4
    np.testing.assert_allclose(residuals_of(qp, state), -qp.linear - kernel.dot(X, X, state.beta), atol=1e-10)
    assert state.violation <= 1e-3 and state.status == "converged"


@pytest.mark.parametrize("few", [0, 20, np.inf])
@pytest.mark.parametrize("twice", [True, False])
def test_rounds_leave_f_as_it_is_for_the_coefficients_that_they_return(few, twice):
    """With two coefficients a point, too; no matter how often the loop of rounds is left and entered again."""
    X, y = overlapping(400)
    K = RBF(X)
    qp = duals.epsilon_insensitive(np.sin(X[:, 0]), np.full(400, 5.0), 0.1) if twice else uneven("hinge", y)
    K = np.tile(K, (2, 2)) if twice else K
    beta, F = np.zeros(len(K)), -qp.linear
    columns, memory = gaussian.columns(X), np.empty(1000)  # less than a set takes
    points = planar_steps.Points(columns, columns.astype(np.float32), RBF.gamma)
    plan = planar_steps.Plan(64, 1e-3, 10_000, 0.0, few)
    for _ in range(100):
        steps, code, moved, change = planar_steps.rounds(points, qp, beta, F, plan, memory)
        assert code == (smo.RUNNING if len(moved) else smo.CONVERGED) and (len(moved) > few or not len(moved))
        np.testing.assert_allclose(F - K[:, moved] @ change, -qp.linear - K @ beta, atol=1e-11)
        F -= K[:, moved] @ change
        if code == smo.CONVERGED:
            break
    assert code == smo.CONVERGED and smo.state_at(qp, beta, F).violation <= 1e-3


def test_rounds_end_for_a_look_at_the_clock(monkeypatch):
    """After the first round that follows the time limit, with an F that belongs to the coefficients."""
    X, y = overlapping(2000)
    qp, seen = uneven("hinge", y, C=1000.0), []
    rounds = planar_steps.rounds
    monkeypatch.setattr(
        planar.planar_steps, "rounds", lambda *a: seen.append(1) or rounds(*a[:-2], a[-2]._replace(few=0), a[-1])
    )
    with deadline.time_limit(0.0):
        state = planar.solve(RBF, X, qp)
    assert len(seen) == 1 and state.status == "iteration limit" and state.n_iter > 0
    np.testing.assert_allclose(residuals_of(qp, state), -qp.linear - RBF.dot(X, X, state.beta), atol=1e-8)


@pytest.mark.parametrize("C", [1e-6, 1e6])
def test_any_weight_of_the_loss(C):
    """Inputs of a thousand times the usual size, too; for C = 1e6 the run may end at its limit, with F as accurate."""
    X, y = overlapping(1200)
    kernel = Kernel("rbf", 1e-6)
    points, qp = 1e3 * X, uneven("hinge", y, C=C)
    state = planar.solve(kernel, points, qp, max_iter=3000)
    F = -qp.linear - kernel.dot(points, points, state.beta)
    assert residuals_of(qp, state) == pytest.approx(F, abs=1e-12 * max(1.0, np.abs(state.beta).sum()))
    reached = F[state.beta < qp.upper].max() - F[state.beta > qp.lower].min()
    assert (reached <= 1e-3) == (state.status == "converged") and state.violation == pytest.approx(reached, abs=1e-4)
    assert state.status == "converged" or C == 1e6


@pytest.mark.parametrize("n", [convex.SMALL, convex.SMALL + 1, convex.LARGE - 1, convex.LARGE])
def test_the_answer_is_accurate_on_both_sides_of_each_change_of_solver(n):
    X, y = overlapping(n)
    X[: n // 3] = X[n // 3 : 2 * (n // 3)]  # duplicates, some of them with the other label
    qp = uneven("hinge", y)
    found = convex.solve(RBF, X, qp)
    assert found.status == "converged" and ("cells" in found.route) == (n == convex.LARGE)
    assert violation(RBF(X), qp, found.beta) <= 1.01e-3


def test_cells_are_filled_up_to_their_amount_in_the_given_order_or_left_empty():
    cell, order = np.array([0, 1, 0, 1, 0]), np.array([3, 1, 2, 4, 0])
    lower, upper = np.array([0.0, -1.0, 0.0, -1.0, 0.0]), np.array([1.0, 0.0, 2.0, 0.0, 1.0])
    beta = np.empty(5)
    cells._fill(order, cell, np.array([2.5, 0.5]), lower, upper, beta)
    assert beta.tolist() == [0.0, -1.0, 2.0, -0.5, 0.5]
    X, y = overlapping(N)
    beta, steps = cells.begin(gaussian.columns(X), 1e6, uneven("hinge", y), 10_000)  # points too far apart
    assert not beta.any() and steps == 0


@pytest.mark.parametrize("loss", duals.DUALS)
def test_a_run_begins_at_a_feasible_point_that_is_nearly_optimal(loss):
    (X, y), kernel = overlapping(1500), Kernel("rbf", 0.1)
    qp = uneven(loss, y)
    beta, steps = cells.begin(gaussian.columns(X), kernel.gamma, qp, 10_000)
    assert np.all((beta >= qp.lower) & (beta <= qp.upper)) and abs(beta.sum()) <= 1e-12 * np.abs(beta).sum() and steps
    best = planar.solve(kernel, X, qp).objective
    objective = -duals.dual_objective(qp, kernel.dot(X, X, beta), beta)
    assert best <= objective <= 0.8 * best


@pytest.mark.parametrize("loss", duals.DUALS)
def test_finer_cells_lead_nearer_to_the_optimum(loss, monkeypatch):
    (X, y), kernel = overlapping(2500), Kernel("rbf", 0.01)
    qp, copies = uneven(loss, y), len(duals.build(loss, y, 1.0).linear) // len(y)
    points, start = planar._Points.from_rows(kernel, np.concatenate([X] * copies)), {}
    for many in (10**6, 200):
        monkeypatch.setattr(planar, "MANY", many)
        beta, _ = planar._begin(points, qp, 10**6)
        assert np.all(beta >= qp.lower) and np.all(beta <= qp.upper)
        assert abs(beta.sum()) <= 1e-12 * np.abs(beta).sum()
        start[many] = smo.optimality(qp, beta, points.residual(qp, beta))
    assert start[200][1] < start[10**6][1]
    assert start[200][2] < start[10**6][2]
    state = planar.solve(kernel, np.concatenate([X] * copies), qp)
    assert state.status == "converged" and violation(kernel(np.concatenate([X] * copies)), qp, state.beta) <= 1.01e-3


def test_points_of_the_plane_are_left_to_no_dense_solver(monkeypatch):
    """Where all others have failed the pair updates go on from what was reached."""
    X, y = overlapping(1600)
    monkeypatch.setattr(planar, "MANY", 500)
    monkeypatch.setattr(convex, "LONGEST", 100)
    monkeypatch.setattr(convex, "LONGEST_PER_POINT", 0)
    monkeypatch.setattr(convex, "HOPE", 0)
    monkeypatch.setattr(convex, "LARGEST_FACTOR", 0)
    monkeypatch.setattr(convex, "LARGEST_WHOLE", 0)
    monkeypatch.setattr(convex.decomposition, "solve", None)
    monkeypatch.setattr(Kernel, "product", None)
    qp = uneven("hinge", y)
    found = convex.solve(RBF, X, qp)
    monkeypatch.undo()
    assert found.status == "converged" and violation(RBF(X), qp, found.beta) <= 1.01e-3
    assert found.n_iter > 100


@given(seed=st.integers(0, 999), free=st.integers(0, 40), size=st.integers(2, 30))
@settings(max_examples=30, deadline=None)
def test_a_set_holds_the_free_coefficients_the_worst_violators_and_as_many_others_as_fit(seed, free, size):
    rng = np.random.default_rng(seed)
    lower, upper, F = np.full(60, -1.0), np.full(60, 1.0), rng.normal(size=60)
    F = np.clip(np.round(F), -1.0, 1.0) if seed % 2 else F  # many are the worst
    beta = np.where(np.arange(60) < free, 0.0, rng.choice([-1.0, 1.0], 60))
    qp = duals.BoxQP(lower, upper, np.zeros(60), np.zeros(60))
    assert planar_steps.FORBIDDEN == pair_updates.FORBIDDEN
    top, bottom = pair_updates.extremes(F, beta, lower, upper)
    chosen = np.empty(60, np.int64)
    count = planar_steps.choose(qp, beta, F, (top, bottom), (size, 30), chosen, np.empty(60))
    chosen = chosen[:count].tolist()
    assert chosen == sorted(set(chosen))
    kept = set(range(free)) if free <= 30 else set()
    assert kept <= set(chosen) and len(set(chosen) - kept) <= size + 4
    rising, falling = np.where(beta < 1.0, F, -np.inf), np.where(beta > -1.0, F, np.inf)
    if top > bottom:
        assert rising[chosen].max() == top and falling[chosen].min() == bottom
        middle = 0.5 * (top + bottom)
        violating = {k for k in range(60) if rising[k] > middle or falling[k] < middle} - kept
        assert len(violating & set(chosen)) >= min(len(violating), size // 2 - 1)
