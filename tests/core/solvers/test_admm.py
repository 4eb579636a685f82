"""The ADMM iteration. Oracles: a fixture worked out by hand, a naive twin, least squares."""

import numpy as np
import pytest
from five_points import LINEAR, PLAIN, X5, Y5, flips

from svmcore import kernels
from svmcore.solvers.nonconvex import admm, admm_steps, expansions, zero_one
from svmcore.solvers.solution import Task
from svmcore.status import Status


@pytest.mark.parametrize(
    "changes, n_iter",
    [
        ({}, 20),
        ({"mean_over_all": True}, 71),
        ({"mean_over_all": True, "eta": 1.618}, 70),
        ({"sigma": 0.5}, 15),
    ],
)
def test_the_fixture_takes_so_many_iterations(changes, n_iter):
    """w = (0.5, 0), b = 0, alpha = 0.125 on samples 0 and 2, sample 4 given up."""
    state = admm.run(expansions.Linear(X5, Y5), PLAIN._replace(**changes), max_iter=200)
    assert (state.status, state.iteration) == ("converged", n_iter)
    assert state.violation == max(state.strict) < 1e-8
    assert state.w == pytest.approx([0.5, 0.0], abs=2e-8) and state.intercept == pytest.approx(0.0, abs=2e-8)
    assert np.flatnonzero(state.T).tolist() == [0, 2] and state.size == 2
    assert state.lam == pytest.approx([-0.125, 0.0, -0.125, 0.0, 0.0], abs=2e-8)
    assert (state.objective, state.n_violators, state.accuracy) == (pytest.approx(1.125), 1, 0.8)
    assert state.window == pytest.approx(np.sqrt(2.0 / state.sigma))


@pytest.mark.parametrize(
    "changes, status",
    [
        ({"sigma": 0.3}, Status.CYCLING),
        ({"sigma": 2.0}, Status.ONE_CLASS_WORKING_SET),
        ({"sigma": 8.0, "mean_over_all": True}, Status.EMPTY_WORKING_SET),
    ],
)
def test_runs_that_fail_say_how(changes, status):
    state = admm.run(expansions.Linear(X5, Y5), PLAIN._replace(**changes), max_iter=500)
    assert state.status == status
    assert state.is_done == (status != Status.CYCLING)
    if state.is_done:
        assert state.w == pytest.approx([0.0, 0.0], abs=1e-6)
        assert state.violation < 1e-8


def test_the_loose_test_asks_for_more_than_chance():
    form, rules = expansions.Linear(X5, Y5), admm.RULES["authors"]
    state = admm.run(form, rules)
    assert state.status == "converged" and max(state.loose) < 1e-3 < state.violation
    assert admm_steps._code(True, False, Y5[[0, 2]], state.seen) == admm_steps.RUNNING
    assert admm_steps._code(True, True, Y5[[0, 2]], state.seen) == admm_steps.CONVERGED


def naive(A, y, C, rules, n_iter, w):
    """The equations, one by one, on whole matrices; yields z, u, T, w, b, lam, sigma."""
    N, b, lam = len(y), 0.0, np.zeros(len(y))
    sigma, T, steady, theta = rules.sigma or 2 * C / rules.window**2, None, 0, None
    for k in range(n_iter):
        joint = rules.settle is not None and steady >= rules.settle
        if rules.adapt and k and k % 10 == 0:
            if theta[2] > 1e-3:
                sigma = min(2 * sigma, 10)
            elif theta[0] > 1e-3:
                sigma = min(max(0.01, sigma / 1.25), 5)
        if k and not joint:
            sigma *= rules.growth
        z = 1 - A @ w - b * y - lam / sigma
        if rules.guard and np.any(z > 0) and sigma > 2 * C / min(z[z > 0]) ** 2:
            sigma = 1.9 * C / min(z[z > 0]) ** 2
            z = 1 - A @ w - b * y - lam / sigma
        new = np.array([0 < value <= np.sqrt(2 * C / sigma) for value in z])
        steady = steady + 1 if k and np.array_equal(new, T) else 0
        T, u = new, np.where(new, 0.0, z)
        AT, yT, q = A[T], y[T], 1 - lam[T] / sigma
        if not T.any():
            w, b = np.zeros(len(w)), np.mean(y * (1 - u - lam / sigma))
        elif joint:
            B = np.column_stack([AT, yT])
            solution = np.linalg.solve(np.diag([1.0] * len(w) + [0.0]) + sigma * B.T @ B, sigma * B.T @ q)
            w, b = solution[:-1], solution[-1]
        else:
            w = np.linalg.solve(np.eye(len(w)) + sigma * AT.T @ AT, sigma * AT.T @ (q - b * yT))
            which = np.ones(N, bool) if rules.mean_over_all else T
            b = np.mean((y * (1 - u - A @ w - lam / sigma))[which])
        om = u + A @ w + b * y - 1
        lam = np.where(T, lam + rules.eta * sigma * om, 0.0)
        s = u - lam / sigma
        astray = u - np.where((0 < s) & (s <= np.sqrt(2 * C / sigma)), 0.0, s)
        slope, balance = w + A.T @ lam, abs(y @ lam)
        theta = (
            slope @ slope / (1 + w @ w),
            balance / (1 + T.sum()),
            om @ om / (N + np.sum((A @ w) ** 2)),
            astray @ astray / (1 + u @ u),
        )
        strict = (
            np.linalg.norm(slope) / (1 + np.linalg.norm(w)),
            balance / (1 + np.abs(lam).sum()),
            np.abs(om).max(),
            np.abs(astray).max(),
        )
        yield T, w, b, lam, sigma, theta, strict, joint


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("changes", [{}, {"sigma": 5.0}, {"sigma": 0.2, "mean_over_all": True, "eta": 1.3}])
@pytest.mark.parametrize("name", admm.RULES)
def test_the_iteration_is_the_equations(name, changes, seed):
    X, y = flips(seed, 40, 0.2)
    rules = admm.rules(name, **changes)._replace(tol=1e-300)
    twin = naive(y[:, None] * X, y, 3.0, rules, 120, np.full(2, rules.start))
    run = admm.iterate(expansions.Linear(X, y, 3.0), rules, max_iter=120)
    joints = 0
    for state, (T, w, b, lam, sigma, theta, strict, joint) in zip(run, twin, strict=True):
        assert np.array_equal(state.T, T) and state.joint == joint
        machine = np.hstack([state.w, state.intercept, X.T @ state.beta, state.slack, 0.1 * state.lam])
        expected = np.hstack([w, b, w, 1 - y * (X @ w + b), 0.1 * lam])
        np.testing.assert_allclose(machine, expected, rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(state.sigma, sigma, rtol=1e-7)
        np.testing.assert_allclose([*state.loose, *state.strict], [*theta, *strict], rtol=1e-4, atol=1e-7)
        joints += joint
    assert (joints > 0) == (name == "robust" and "eta" not in changes)


def test_what_a_state_costs():
    X, y = flips(0, 60, 0.2)
    c = np.where(np.arange(60) % 3, 1.0, 2.5)
    for state in admm.iterate(expansions.Linear(X, y, 3.0, c), admm.RULES["authors"], max_iter=30):
        violated = state.slack > np.where(state.T, 1e-3, 1e-6)
        assert state.objective == pytest.approx(0.5 * state.w @ state.w + 3.0 * c @ violated)
        assert state.n_violators == violated.sum() and state.accuracy == np.mean(y * (1 - state.slack) * y > 0)
    nearly = admm.run(expansions.Linear(X5, Y5), PLAIN._replace(tol=1e-4))
    assert 1e-6 < nearly.slack[nearly.T].max() < 1e-4 and nearly.n_violators == 1
    assert nearly.objective == pytest.approx(1.125, abs=1e-3)
    start = admm.start(expansions.Linear(X, y, 3.0), admm.RULES["paper"])
    assert start.iteration == 0 and not start.T.any() and not start.is_done and start.violation == np.inf
    assert start.w.tolist() == [0.01, 0.01] and start.objective == pytest.approx(1e-4 + 180.0)


def test_a_tie_at_the_end_of_the_window_goes_to_zero():
    z, T = np.array([-1.0, 0.0, 0.5, np.sqrt(2.0), 1.5]), np.zeros(5, bool)
    assert admm_steps._update_T(z, np.zeros(5), np.ones(5), 1.0, np.sqrt(2.0), np.empty(5), T) == (2, 0.5)
    assert T.tolist() == [False, False, True, True, False]


def test_sub_steps_lead_from_state_to_state():
    before, after = list(admm.iterate(expansions.Linear(X5, Y5), PLAIN, max_iter=3))[-2:]
    moment = before
    for fields in admm.SUBSTEPS.values():
        assert any(not np.array_equal(getattr(before, field), getattr(after, field)) for field in fields)
        moment = moment._replace(**{field: getattr(after, field) for field in fields})
    for field in ("T", "w", "beta", "intercept", "slack", "lam", "sigma", "window"):
        assert np.array_equal(getattr(moment, field), getattr(after, field))
    assert list(admm.SUBSTEPS) == ["update T", "solve w and b", "update lambda"]


@pytest.mark.parametrize("name", admm.RULES)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_linear_kernel_is_the_linear_form(name, weighted):
    X, y = flips(2, 50, 0.2)
    c = 0.5 + np.random.default_rng(0).random(50) if weighted else None
    rules = admm.RULES[name]._replace(start=0.0, tol=1e-8)
    one, other = expansions.Linear(X, y, 2.0, c), expansions.Gram(X @ X.T, y, 2.0, c)
    runs = admm.iterate(one, rules, max_iter=60), admm.iterate(other, rules, max_iter=60)
    for a, b in zip(*runs, strict=True):
        assert np.array_equal(a.T, b.T) and not b.w.size
        assert a.slack == pytest.approx(b.slack, abs=1e-8) and a.intercept == pytest.approx(b.intercept, abs=1e-8)
        assert a.lam == pytest.approx(b.lam, abs=1e-8) and a.objective == pytest.approx(b.objective, abs=1e-8)
        assert a.loose == pytest.approx(b.loose, abs=1e-8) and a.strict == pytest.approx(b.strict, abs=1e-7)


@pytest.mark.parametrize("kept, size", [(1, 3), (1, 30), (3, 3), (3, 30)])
@pytest.mark.parametrize("intercept", [None, 0.7])
def test_the_regression_on_T_is_weighted_least_squares(kept, size, intercept, monkeypatch):
    """|w|^2 / 2 + sigma / 2 sum c (s - b - w.x)^2 as one least-squares problem; in pieces and as a whole."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 5)) + 1.0, np.where(np.arange(40) % 2, 1.0, -1.0)
    c, sigma, idx = (0.5 + rng.random(40) if kept == 3 else np.full(40, 2.0)), 0.8, np.sort(rng.permutation(40)[:size])
    target = rng.normal(size=size)
    rows = np.column_stack([X[idx], np.ones(size)]) * np.sqrt(sigma * c[idx])[:, None]
    right = np.sqrt(sigma * c[idx]) * target
    penalty = np.eye(5, 6)
    if intercept is not None:
        right, rows, penalty = right - intercept * rows[:, 5], rows[:, :5], np.eye(5)
    solution = np.linalg.lstsq(np.vstack([rows, penalty]), np.concatenate([right, np.zeros(5)]), rcond=None)[0]
    b = solution[5] if intercept is None else intercept
    for piece in (admm_steps.PIECE, 7):
        monkeypatch.setattr(admm_steps, "PIECE", piece)
        for form in (expansions.Linear(X, y, 1.0, c), expansions.Gram(X @ X.T, y, 1.0, c)):
            w, values = np.zeros(0 if form.X is None else 5), np.empty(40)
            inner, total = admm_steps._products.py_func(form.table, idx, c, form.X is not None)
            dual = len(inner) == len(idx)
            factor = admm_steps._upper_factor(inner, 1.0, 1.0 / (sigma * c[idx]))[0] if dual else inner
            on_T = admm_steps.OnT(idx, y[idx], c[idx], target, 1.0 / (sigma * c[idx]))
            system = inner, total, factor
            free = intercept or 0.0, intercept is None
            beta, level, squared_norm = admm_steps._ridge(form.table, on_T, system, sigma, *free, w, values)
            assert dual == (form.X is None or size == 3)
            assert values == pytest.approx(X @ solution[:5], abs=1e-10) and level == pytest.approx(b)
            assert X[idx].T @ beta == pytest.approx(solution[:5], abs=1e-10)
            assert squared_norm == pytest.approx(solution[:5] @ solution[:5])
            assert admm_steps._squared_length(form.table, inner, idx, beta, w) == pytest.approx(squared_norm)


def test_a_sample_of_weight_two_is_the_sample_twice():
    X, y = flips(1, 60, 0.2)
    twice = np.concatenate([np.arange(60), np.arange(20)])
    c = np.where(np.arange(60) < 20, 2.0, 1.0)
    for rules in admm.RULES.values():
        weighted = admm.iterate(expansions.Linear(X, y, 2.0, c), rules, max_iter=25)
        doubled = admm.iterate(expansions.Linear(X[twice], y[twice], 2.0), rules, max_iter=25)
        for a, b in zip(weighted, doubled, strict=True):
            assert np.array_equal(a.T[twice], b.T) and a.w == pytest.approx(b.w, abs=1e-8)
            assert a.objective == pytest.approx(b.objective)
    problems = (X, y, 2.0 * c), (X[twice], y[twice], 2.0)
    one, other = (zero_one.solve(Task(LINEAR, *problem, "zero_one")) for problem in problems)
    assert one.objective == pytest.approx(other.objective)
    assert one.details.certificate == pytest.approx(other.details.certificate, rel=1)


@pytest.mark.parametrize("every, steps, rules", [(2, 61, "robust"), (7, 300, "authors"), (1, 40, "paper")])
def test_the_states_that_are_visited_are_those_of_the_iterations(every, steps, rules):
    X, y = flips(2, 100, 0.2)
    form, rules = expansions.Linear(X, y, 4.0), admm.RULES[rules]
    slow = []
    for state in admm.iterate(form, rules, max_iter=steps, every=every):
        slow.append(state)
        if state.status == Status.CYCLING:
            break
    last, visits = admm.visit(form, rules, admm.start(form, rules), steps, every)
    assert last.iteration == slow[-1].iteration and last.status == slow[-1].status
    for name in ("slack", "beta", "intercept"):
        assert np.array_equal(getattr(visits, name), [getattr(state, name) for state in slow])
    rest, more = admm.visit(form, rules, slow[5], steps - slow[5].iteration, every)
    assert np.array_equal(more.slack, visits.slack[6:]) and np.array_equal(rest.slack, last.slack)


@pytest.mark.parametrize("name", admm.RULES)
@pytest.mark.parametrize("kernel", [LINEAR, kernels.Kernel("rbf", gamma=0.5)])
def test_several_iterations_at_once_are_the_iterations_one_by_one(name, kernel):
    X, y = flips(1, 60, 0.2)
    form = expansions.Linear(X, y, 2.0) if kernel is LINEAR else expansions.Gram(kernel(X), y, 2.0)
    single = list(admm.iterate(form, admm.RULES[name], max_iter=65))
    for every in (7, 64):
        pieces = list(admm.iterate(form, admm.RULES[name], max_iter=65, every=every))
        assert [state.iteration for state in pieces] == [*range(every, len(single), every), len(single)]
        for piece in pieces:
            for left, right in zip(piece, single[piece.iteration - 1], strict=True):
                assert np.array_equal(left, right)


def test_a_matrix_that_is_not_positive_ends_a_piece_at_the_state_before():
    X, y = flips(0, 60, 0.1)
    form = expansions.Gram(kernels.Kernel("sigmoid", gamma=0.2, coef0=-0.1)(X), y, 1.0)
    single = list(admm.iterate(form, admm.RULES["robust"]))
    whole = admm.run(form, admm.RULES["robust"])
    assert whole.status == Status.NOT_POSITIVE and whole.iteration == single[-2].iteration > 0
    for left, right in zip(whole, single[-2]._replace(code=whole.code), strict=True):
        assert np.array_equal(left, right)
