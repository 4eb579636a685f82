"""The L0/1-SVM. Oracles: a fixture worked out by hand, the conditions written out, the global optimum."""

import tracemalloc

import numpy as np
import pytest
from five_points import LINEAR, PLAIN, X5, Y5, flips
from written import numbers_in

from svmcore import kernels, problems
from svmcore.solvers.nonconvex import admm, admm_steps, expansions, global_optimum, local_search, zero_one
from svmcore.solvers.solution import Task
from svmcore.status import Status


def test_the_fixture_is_solved_and_certified_also_by_an_exact_single_run():
    found = zero_one.solve(Task(LINEAR, X5, Y5, 1.0, "zero_one"))
    assert found.status == "local minimum" and (found.details.n_agreed, found.details.n_starts) == (5, 6)
    assert found.objective == pytest.approx(1.125, abs=1e-12) and found.violation < 1e-12
    assert found.beta == pytest.approx([0.125, 0.0, -0.125, 0.0, 0.0], abs=1e-12)
    assert np.flatnonzero(found.beta).tolist() == [0, 2]
    assert found.details.certificate == pytest.approx(2.0 / 9.0, abs=1e-12)  # the outlier has u = 3
    assert "best from" in found.route and found.n_iter > 3
    found = zero_one.solve(Task(LINEAR, X5, Y5, 1.0, "zero_one"), rules="paper", tol=1e-9)
    assert found.status == "local minimum" and found.details.certificate == pytest.approx(2.0 / 9.0, rel=1e-6)


def test_a_run_cut_short_and_one_with_an_indefinite_kernel_say_so():
    X, y = flips(0, 200, 0.1)
    found = zero_one.solve(Task(LINEAR, X, y, 1.0, "zero_one"), rules="robust", window=2.0, max_iter=7)
    assert (found.status, found.n_iter) == ("iteration limit", 7)
    assert found.violation > 1e-4 and found.details.certificate is None
    assert (found.details.n_agreed, found.details.n_starts, numbers_in(found.route)) == (1, 1, [1, 7])
    task = Task(kernels.Kernel("sigmoid", gamma=2.0, coef0=-1.0), *flips(0, 60, 0.1), 1.0, "zero_one")
    for rules in admm.RULES:
        found = zero_one.solve(task, rules=rules)
        assert found.status == Status.NOT_POSITIVE and np.all(np.isfinite(found.beta))


def test_the_trivial_solution_is_named_and_an_answer_without_certificate_not_called_converged(monkeypatch):
    found = zero_one.solve(Task(LINEAR, X5, Y5, 0.01, "zero_one"))  # 1/2 |w|^2 = 1/8 is more than two violators cost
    assert found.status == Status.TRIVIAL and not found.beta.any()
    assert (found.objective, found.intercept) == (pytest.approx(0.02), 1.0)
    assert found.details.certificate == pytest.approx(0.005)  # the minority has u = 2
    assert zero_one.solve(Task(LINEAR, X5, -Y5, 0.01, "zero_one")).intercept == -1.0
    monkeypatch.setattr(zero_one, "certificate", lambda *_: None)
    assert zero_one.solve(Task(LINEAR, X5, Y5, 1.0, "zero_one")).status == Status.INACCURATE_FEATURES


def test_the_bound_on_C_above_which_the_optimum_is_not_trivial():
    bound = zero_one.non_trivial_above(LINEAR, X5, Y5)
    assert bound == pytest.approx(0.125)  # 1/2 |w|^2 = 1/8 saves one of the two of the smaller class
    assert not global_optimum.find(X5, Y5, 0.99 * bound, "zero_one").w.any()
    X, y = flips(0, 40, 0.1)
    bound = zero_one.non_trivial_above(LINEAR, X, y)
    best, below = (global_optimum.find(X, y, C, "zero_one") for C in (1.001 * bound, 0.99 * bound))
    assert best.w.any() and best.objective < 1.001 * bound * min((y > 0).sum(), (y < 0).sum())
    assert not below.w.any()
    assert zero_one.non_trivial_above(LINEAR, np.zeros((4, 2)), np.array([1.0, -1.0, 1.0, -1.0])) is None
    indefinite, toy = kernels.Kernel("sigmoid", gamma=0.25, coef0=-1.0), problems.load("toy_outliers")
    assert zero_one.non_trivial_above(indefinite, toy.X, toy.y) is None


@pytest.mark.parametrize("rules", ["paper", "authors"])
def test_single_runs_are_reported_as_they_end(rules):
    X, y = flips(0, 200, 0.1)
    found = zero_one.solve(Task(LINEAR, X, y, 1.0, "zero_one"), rules=rules, max_iter=300)
    state = admm.run(expansions.Linear(X, y), admm.RULES[rules], max_iter=300)
    status = Status.UNCERTIFIED if state.status == Status.CONVERGED else state.status
    assert (found.status, found.objective, found.violation) == (status, state.objective, state.violation)
    assert np.array_equal(found.beta, state.beta) and np.array_equal(found.beta != 0, state.T)
    assert found.details.certificate is None


def is_p_stationary(form, beta, b, sigma):
    """w + A' lam = 0 holds by the choice of w; the rest of the conditions, with the proximal operator written out."""
    T = np.flatnonzero(beta)
    u = 1.0 - form.y * (form.expand(T, beta[T])[0] + b)
    u[np.abs(u) < 1e-7] = 0.0
    s = u + form.y * beta / (sigma * form.weight)
    window = np.sqrt(2.0 * form.C / sigma)
    prox = np.where((s > 0.0) & (s <= window), 0.0, s)
    return abs(beta.sum()) < 1e-9 * (1 + np.abs(beta).sum()) and np.abs(prox - u).max() < 1e-9


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gamma", [None, 0.5])
def test_the_certificate_is_exact(gamma, seed):
    X, y = flips(seed, 80, 0.15)
    weight = 0.5 + np.random.default_rng(seed).random(80) if seed % 2 else np.ones(80)
    kernel = LINEAR if gamma is None else kernels.Kernel("rbf", gamma=gamma)
    found = zero_one.solve(Task(kernel, X, y, 4.0 * weight, "zero_one"))
    form = expansions.Gram(kernel(X), y, 4.0 * weight.min(), weight / weight.min())
    assert zero_one.certificate(form, found.beta, found.intercept) == pytest.approx(found.details.certificate, rel=1e-5)
    assert is_p_stationary(form, found.beta, found.intercept, 1.0001 * found.details.certificate)
    assert is_p_stationary(form, found.beta, found.intercept, 1e6 * found.details.certificate)
    assert not is_p_stationary(form, found.beta, found.intercept, 0.999 * found.details.certificate)


def test_no_certificate_where_there_is_none():
    form, beta = expansions.Linear(X5, Y5), np.array([0.125, 0.0, -0.125, 0.0, 0.0])
    assert zero_one.certificate(form, beta, 0.0) == pytest.approx(2.0 / 9.0)
    assert zero_one.certificate(form, beta, 1e-4) is None  # y f = 1 fails on T
    assert zero_one.certificate(form, 1.01 * beta, 0.0) is None
    assert zero_one.certificate(form, beta + [1e-3, 0, 0, 0, 0], 0.0) is None  # the sum is not zero
    touching = expansions.Linear(np.array([[1.0], [1.0], [-1.0], [-1.0]]), np.array([1.0, 1.0, -1.0, -1.0]))
    assert zero_one.certificate(touching, np.array([0.5, 0.0, -0.5, 0.0]), 0.0) == pytest.approx(0.125)
    assert zero_one.certificate(touching, np.array([0.9, -0.4, -0.5, 0.0]), 0.0) is None  # alpha < 0
    X, y = flips(0, 40, 0.1)
    state = admm.run(expansions.Linear(X, y), PLAIN._replace(sigma=0.3), max_iter=40)
    assert zero_one.certificate(expansions.Linear(X, y), state.beta, state.intercept) is None
    assert zero_one.certificate(form, np.zeros(5), 1.0) == pytest.approx(0.5)  # w = 0, u = 2 for the minority
    y = np.array([1.0, -1.0])  # weights widen what is allowed to alpha
    form, beta = expansions.Linear(y[:, None], y, 1.0, [2.0, 5.0]), 0.5 * y
    assert zero_one.certificate(form, beta, 0.0) == pytest.approx(0.25 / (2 * 2.0**2))
    assert is_p_stationary(form, beta, 0.0, 1.001 / 32) and not is_p_stationary(form, beta, 0.0, 0.999 / 32)


def test_a_factor_of_low_rank_stands_for_the_gram_matrix(monkeypatch):
    monkeypatch.setattr(zero_one, "SMALL", 250)
    problem = problems.load("moons", 0, n=300)
    kernel = kernels.Kernel("rbf", gamma=0.2)
    factored = zero_one._form(kernel, problem.X, problem.y, 2.0, None)
    assert isinstance(factored, expansions.Linear) and factored.X.shape[1] <= 75
    K = kernel(problem.X)
    assert factored.X @ factored.X.T == pytest.approx(K, abs=1e-6)
    found = zero_one.solve(Task(kernel, problem.X, problem.y, 2.0, "zero_one"), max_iter=40)
    sigma = zero_one.certificate(expansions.Gram(K, problem.y, 2.0), found.beta, found.intercept, tol=1e-5)
    assert sigma == pytest.approx(found.details.certificate, rel=1e-3)
    monkeypatch.setattr(zero_one, "SMALL", 300)
    assert isinstance(zero_one._form(kernel, problem.X, problem.y, 2.0, None), expansions.Gram)
    whole = zero_one.solve(Task(kernel, problem.X, problem.y, 2.0, "zero_one"), max_iter=40)
    assert whole.objective == pytest.approx(found.objective, rel=0.1)


def test_which_form_is_chosen():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(450, 3)), np.where(np.arange(450) % 2, 1.0, -1.0)
    assert isinstance(zero_one._form(LINEAR, X, y, 1.0, None), expansions.Linear)
    assert isinstance(zero_one._form(LINEAR, X[:3], y[:3], 1.0, None), expansions.Gram)
    narrow = kernels.Kernel("rbf", gamma=1e3)
    assert isinstance(zero_one._form(narrow, X, y, 1.0, None), expansions.Gram)
    assert isinstance(zero_one._form(kernels.Kernel("precomputed"), X @ X.T, y, 1.0, None), expansions.Gram)
    some = (LINEAR, X[:60]), (kernels.Kernel("precomputed"), X[:60] @ X[:60].T)
    same = [zero_one.solve(Task(*points, y[:60], 1.0, "zero_one")) for points in some]
    assert same[0].objective == pytest.approx(same[1].objective, rel=0.2)


def test_the_strips_that_are_followed_are_the_best_along_the_run():
    X, y = flips(2, 100, 0.2)
    form, rules, best = expansions.Linear(X, y, 4.0), admm.RULES["robust"], {}
    for state in admm.iterate(form, rules):
        if state.iteration % 2 == 0 or state.is_done:
            strip = local_search.strip(form, X @ state.w, state.w @ state.w)
            if strip is not None and strip.objective < best.get(strip.key, np.inf):
                best[strip.key] = strip.objective
    strips, last = zero_one._promising_strips(form, rules, 1000)
    assert last.iteration == state.iteration and last.status == "converged" and len(best) > 10
    assert len({strip.key for strip in strips}) == 5
    assert [strip.objective for strip in strips] == pytest.approx(sorted(best.values())[:5], rel=1e-2)
    assert strips[0].objective == pytest.approx(min(best.values()))
    ends = [local_search.follow(form, strip).objective for strip in strips]
    assert zero_one.solve(Task(LINEAR, X, y, 4.0, "zero_one"), starts="robust").objective == min(ends) < max(ends)


def test_on_large_problems_a_run_is_left_after_looks_in_vain(monkeypatch):
    monkeypatch.setattr(zero_one, "LARGE", 50)
    monkeypatch.setattr(zero_one, "FEWER_LOOKS", (1, 1, 3))
    X, y = flips(2, 100, 0.2)
    form, rules = expansions.Linear(X, y, 4.0), admm.RULES["robust"]
    looks = [local_search.strip(form, X @ s.w, s.w @ s.w).objective for s in admm.iterate(form, rules, max_iter=60)]
    best = np.minimum.accumulate(looks)
    vain = next(k for k in range(3, 60) if best[k] == best[k - 3])
    strips, last = zero_one._promising_strips(form, rules, 1000)
    assert last.iteration == vain + 1 < 60 and strips[0].objective == pytest.approx(best[vain])


def test_the_compiled_functions_leave_the_interpreter_to_other_threads():
    for function in (admm_steps.advance, local_search._widest, local_search._next):
        assert function.targetoptions["nogil"]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"y": np.ones(5)}, "both of them"),
        ({"y": np.array([0.0, 1, 1, 0, 1])}, "labels -1 and \\+1"),
        ({"C": 0.0}, "C must be positive and finite, .* got 0"),
        ({"C": np.ones(4)}, "one for each of the 5 samples"),
        ({"X": X5[:4]}, "one row for each of the 5 labels"),
        ({"X": np.where(X5 == 3, np.nan, X5)}, "X must be finite"),
        ({"sigma": 0.0}, "sigma must be a positive finite number, or None"),
        ({"eta": -1.0}, "eta must be a positive finite number, got -1.0"),
        ({"settle": 0}, "settle must be a whole number of at least 1"),
        ({"test": "fast"}, "'strict' or 'loose'"),
        ({"step": 1.0}, "unknown rule 'step'; the rules are eta, "),
        ({"max_iter": 0}, "max_iter must be at least 1"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(change, message):
    given = {"X": X5, "y": Y5, "C": 1.0} | change
    with pytest.raises(ValueError, match=message):
        zero_one.solve(Task(LINEAR, given.pop("X"), given.pop("y"), given.pop("C"), "zero_one"), **given)


def test_a_gram_matrix_that_is_none_or_does_not_fit_is_refused(monkeypatch):
    with pytest.raises(ValueError, match=r"K must have shape \(5, 5\)"):
        expansions.Gram(np.eye(4), Y5)
    with pytest.raises(ValueError, match="K must be finite"):
        expansions.Gram(np.full((5, 5), np.inf), Y5)
    monkeypatch.setattr(zero_one, "SMALL", 10)
    monkeypatch.setattr(zero_one, "DENSE", 50)
    X, y = flips(0, 60, 0.1)
    with pytest.raises(ValueError, match="take at most 50 samples"):
        zero_one.solve(Task(kernels.Kernel("rbf", gamma=1e4), X, y, 1.0, "zero_one"))


@pytest.mark.slow
def test_a_hundred_thousand_samples_need_no_more_memory_than_they_are():
    rng = np.random.default_rng(0)
    n, d = 100_000, 100
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = np.outer(0.5 * y * rng.random(n), np.ones(d)) + rng.normal(size=(n, d))
    tracemalloc.start()
    form = expansions.Linear(X, y, 1.0)
    for state in admm.iterate(form, admm.RULES["robust"]._replace(window=1.5, growth=1.05), max_iter=60):
        assert state.iteration > 1 or state.size == n
    one_run = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    found = zero_one.solve(Task(LINEAR, X, y, 1.0, "zero_one"), max_iter=100)
    everything = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.status == "local minimum" and np.count_nonzero(found.beta) <= d + 1
    assert one_run < 0.7 * X.nbytes and everything < X.nbytes
