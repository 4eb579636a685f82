"""ISLS: the literal algorithm as a naive twin, conditions recomputed, and how runs end."""

import itertools

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from variants import bordered

from svmcore import SparseLSSVC, SparseLSSVR, problems
from svmcore.kernels import Kernel
from svmcore.solvers import blas, isls
from svmcore.solvers.solution import Task
from svmcore.status import Status

GRAM = Kernel("precomputed")
FIRST = {"absolute": np.abs, "inverse_square": lambda alpha: alpha**-2.0, "literal": lambda alpha: alpha}


@pytest.fixture(autouse=True)
def one_thread():
    """Threads of BLAS stall on a busy machine; the twin has no better idea than to use them."""
    with blas.one_thread():
        yield


def literal(K, y, C, init="absolute", tol=1e-4, max_iter=50):
    """(alpha, b) of the LS-SVM and of every round, as the paper prints it (López et al. 2011, algorithm 1)."""
    ridge = np.diag(np.broadcast_to(1.0 / np.asarray(C, float), len(y)))
    alpha, b = bordered(K + ridge, y)
    yield alpha, b
    weights = FIRST[init](alpha)
    for _ in range(max_iter):
        inverse = 1.0 / weights
        beta, b = bordered((K * inverse) @ K + ridge, y)
        before, alpha = alpha, inverse * (K @ beta)
        yield alpha, b
        if np.linalg.norm(alpha - before) / len(y) < tol:
            return
        with np.errstate(divide="ignore", over="ignore"):
            weights = alpha**-2.0


EASY = [("ripley", 0.5, 10.0), ("ripley", 0.3, 10.0), ("moons", 0.7, 30.0), ("sinc", 2.0, 100.0)]
every_init = pytest.mark.parametrize("init", isls.INITS)


def given_of(name, sigma, n=None):
    drawn = problems.load(name, **({"n": n} if n else {}))
    return Kernel("rbf", sigma**-2)(drawn.X), drawn.y


def error_at(K, y, beta, intercept):
    return y - K @ beta - intercept


@every_init
@pytest.mark.parametrize("name, sigma, C", EASY)
def test_every_iterate_is_that_of_the_literal_algorithm(name, sigma, C, init):
    K, y = given_of(name, sigma)
    slow, fast = list(literal(K, y, C, init)), list(isls.rounds(K, y, C, init=init))
    assert len(slow) == len(fast) and [now.iteration for now in fast] == list(range(len(fast)))
    for (alpha, b), now in zip(slow, fast, strict=True):
        assert np.abs(now.beta - alpha).max() <= 1e-8 * max(1.0, np.abs(alpha).max())
        assert now.intercept == pytest.approx(b, abs=1e-8)
    for (before, _), (after, _), now in zip(slow, slow[1:], fast[1:], strict=False):
        assert now.step == pytest.approx(np.linalg.norm(after - before) / len(y), rel=1e-6, abs=1e-10)
        assert now.n_support == np.sum(np.abs(after) > 1e-6)


@pytest.mark.parametrize("init, name, sigma, C", [(isls.INITS[k % 2], *easy) for k, easy in enumerate(EASY)])
def test_each_round_obeys_its_rule_and_lowers_P(name, sigma, C, init):
    K, y = given_of(name, sigma)
    run = list(isls.rounds(K, y, C, init=init, stop="strict", tol=1e-8, max_iter=500))
    assert run[-1].violation <= 1e-8 and all(now.violation > 1e-8 for now in run[1:-1])
    for now in run:
        xi = error_at(K, y, now.beta, now.intercept)
        living = np.abs(now.beta) > isls.PRUNED
        assert abs(np.sum(xi)) < 1e-7 * len(y)  # the sum of the paper's beta
        # the rounding errors of p are those of a sum that cancels; beside 1 / beta they must be small
        assert now.p[living] == pytest.approx(C * (K @ xi)[living], rel=1e-5, abs=1e-5 * C)
        penalty = np.sum(np.log(np.abs(now.beta[living]) / isls.PRUNED))
        assert now.objective == pytest.approx(penalty + 0.5 * C * xi @ xi, rel=1e-9)
        products = np.abs(now.beta * now.p - 1.0)[np.abs(now.beta) > isls.SUPPORT]
        assert now.violation == pytest.approx(products.max(), rel=1e-12)
    for before, now in itertools.pairwise(run[1:]):
        new = np.where(np.abs(before.beta) > isls.PRUNED, before.beta**2 * now.p, 0.0)
        assert now.beta == pytest.approx(new, rel=1e-5, abs=1e-7)
        assert now.objective <= before.objective + 1e-6
        assert not np.any(now.beta[before.beta == 0.0])  # zero is never left
    last = run[-1]
    support = np.abs(last.beta) > isls.SUPPORT
    xi = error_at(K, y, last.beta, last.intercept)
    assert last.beta[support] * C * (K @ xi)[support] == pytest.approx(1.0, abs=1e-5)
    assert last.n_support == support.sum() < 0.2 * len(y)


@pytest.mark.parametrize(
    "name, sigma, C, options, status",
    [
        ("ripley", 0.5, 10.0, {}, "converged"),
        ("ripley", 0.5, 10.0, {"max_iter": 3}, Status.ITERATION_LIMIT),
        ("ripley", 1.0, 0.05, {}, Status.VANISHING),
        ("ripley", 1.0, 0.05, {"stop": "strict"}, Status.CONSTANT),
        ("ripley", 1.0, 1e-3, {}, Status.CONSTANT),
        ("motorcycle", 7.0, 100.0, {}, Status.INACCURATE_ISLS),
        ("ripley", 0.5, 1e300, {}, Status.INACCURATE_ISLS),
    ],
)
def test_how_it_ended_is_reported(name, sigma, C, options, status):
    K, y = given_of(name, sigma)
    found = isls.solve(Task(GRAM, K, y, C, "least_squares"), **options)
    assert found.status == status and np.all(np.isfinite(found.beta))
    assert found.n_iter == options.get("max_iter", found.n_iter) <= 50
    assert not np.any((found.beta != 0.0) & (np.abs(found.beta) <= isls.SUPPORT))
    if status == Status.CONSTANT:
        assert not found.beta.any() and found.intercept == pytest.approx(y.mean(), abs=1e-6)


@pytest.mark.parametrize("stop, tol", [("paper", 1e-4), ("strict", 1e-6)])
@pytest.mark.parametrize(
    "name, sigma, degree, C",
    [("moons", 0.1, 3, 1000.0), ("two_spirals", 0.5, 5, 10.0), ("ripley", 0.1, 3, 1000.0), ("moons", 0.5, 5, 10.0)],
)
def test_the_machine_that_is_returned_is_the_one_that_is_measured(name, sigma, degree, C, stop, tol):
    """Kernel values up to 1e11: coefficients of 1e-9 are most of f."""
    drawn = problems.load(name)
    K, y = Kernel("poly", sigma**-2, degree, 1.0)(drawn.X), drawn.y
    *_, last = isls.rounds(K, y, C, stop=stop, tol=tol, max_iter=200)
    found = isls.solve(Task(GRAM, K, y, C, "least_squares"), stop=stop, tol=tol, max_iter=200)
    whole, f = K @ last.beta + last.intercept, K @ found.beta + found.intercept
    assert np.abs(f - whole).max() < 1e-4
    assert np.sum(f * y < 0.0) == np.sum(whole * y < 0.0) and np.count_nonzero(found.beta) == last.n_support < 30
    support, xi = found.beta != 0.0, y - f
    assert np.sum(C * xi) == pytest.approx(0.0, abs=1e-6 * C * len(y))
    products = (found.beta * (K @ (C * xi)))[support]
    assert found.violation == pytest.approx(np.abs(products - 1.0).max(), rel=0.05, abs=1e-3)  # a sum that cancels
    size = (np.abs(found.beta) * np.abs(K).max(axis=1))[support]
    assert size.min() > isls.SUPPORT
    assert found.objective == pytest.approx(np.sum(np.log(size / isls.PRUNED)) + 0.5 * C * xi @ xi, rel=1e-6)
    assert stop == "paper" or found.violation <= 1e-3  # the paper's rule bounds the step, not the violation
    assert (found.status == "converged") == (stop == "paper" or found.violation <= tol)


@pytest.mark.parametrize("scale", [1e-2, 1.0, 1e3, 1e9])
def test_a_kernel_of_any_scale(scale):
    """Coefficients are 1 / scale times as large; absolute limits on them would keep all, or none."""
    K, y = given_of("ripley", 0.7)
    run = list(isls.rounds(scale * K, y, 10.0, init="inverse_square", stop="strict", tol=1e-3, max_iter=200))
    found = isls.solution(run[-1], scale * K, y, 10.0, stop="strict", tol=1e-3, max_iter=200)
    f, whole = (scale * K @ end.beta + end.intercept for end in (found, run[-1]))
    assert found.status == "converged" and 4 <= np.count_nonzero(found.beta) == run[-1].n_support <= 10
    assert np.abs(f - whole).max() < 1e-4 and np.mean(f * y < 0.0) < 0.15
    # the paper's rule waits for f, not for numbers
    last = isls.solve(Task(GRAM, scale * K, y, 10.0, "least_squares"), init="inverse_square")
    assert np.mean((scale * K @ last.beta + last.intercept) * y < 0.0) < 0.15 and last.violation < 1.1


def test_the_strict_rule_looks_at_the_machine_without_what_is_dying():
    """With this tolerance the iterate meets the rule one round before the machine that is returned does."""
    K, y = given_of("ripley", 0.5)
    *_, before, last = isls.rounds(K, y, 1000.0, stop="strict", tol=1e-2, max_iter=200)
    assert before.violation < 1e-4
    for now, expected in ((before, pytest.approx(0.0305, abs=5e-3)), (last, pytest.approx(0.0, abs=1e-2))):
        found = isls.solution(now, K, y, 1000.0, stop="strict", tol=1e-2, max_iter=200)
        xi = error_at(K, y, found.beta, found.intercept)
        products = (found.beta * 1000.0 * (K @ xi))[found.beta != 0.0]
        assert found.violation == pytest.approx(np.abs(products - 1.0).max(), abs=1e-5) == expected
    assert found.status == "converged"


def test_a_singular_round_ends_the_run_and_a_coefficient_that_starts_at_zero_has_a_weight():
    """The signed weights as printed: with K = 0 the first system is diag(0)."""
    given = np.zeros((4, 4)), np.array([1.0, -1.0, 0.0, 0.0]), 1.0
    run = list(isls.rounds(*given, init="literal"))
    found = isls.solution(run[-1], *given)
    assert (len(run), found.status) == (1, Status.SINGULAR_ROUND)
    # 1 / |beta| is no number to compute with where the LS-SVM meets a target exactly, as it does all equal ones
    for init in ("absolute", "inverse_square"):  # the second begins without any coefficient
        flat = isls.solve(Task(GRAM, np.eye(3), np.ones(3), 10.0, "least_squares"), init=init)
        assert not flat.beta.any() and flat.intercept == pytest.approx(1.0) and flat.status == Status.CONSTANT


@pytest.mark.parametrize(
    "options, words",
    [
        ({"init": "ones"}, "init must be one of absolute, inverse_square, literal; got 'ones'"),
        ({"stop": "never"}, "stop must be one of paper, strict; got 'never'"),
    ],
)
def test_unknown_options_and_too_many_points_get_a_sentence(options, words):
    K, y = given_of("sinc", 2.0, 20)
    with pytest.raises(ValueError, match=words):
        list(isls.rounds(K, y, 1.0, **options))
    with pytest.raises(ValueError, match=words):
        isls.solve(Task(GRAM, K, y, 1.0, "least_squares"), **options)
    with pytest.raises(ValueError, match="at most 5000 points, got 5001"):
        isls.solve(Task(Kernel("rbf", 1.0), np.zeros((5001, 1)), np.zeros(5001), 1.0, "least_squares"))


def test_the_estimators_are_the_solver_and_of_a_constant_warn_and_say_what_to_do():
    drawn = problems.load("ripley")
    model = SparseLSSVC(C=10.0, gamma=4.0).fit(drawn.X, drawn.y)
    task = Task(Kernel("rbf", 4.0), drawn.X, drawn.y, 10.0, "least_squares")
    found = isls.solve(task)
    assert np.array_equal(model.support_, np.flatnonzero(found.beta))
    # the matrix lies elsewhere in memory, and sums may be rounded in another order
    assert model.intercept_ == pytest.approx(found.intercept, abs=1e-9)
    assert model.dual_coef_[0] == pytest.approx(found.beta[model.support_], rel=1e-8)
    assert (model.n_iter_, model.status_) == (found.n_iter, "converged")
    assert model.violation_ == pytest.approx(found.violation, rel=1e-5)
    assert model.objective_ == pytest.approx(found.objective) and model.route_ == found.route
    as_numbers = SparseLSSVR(C=10.0, gamma=4.0).fit(drawn.X, drawn.y)  # one and the same problem
    assert as_numbers.predict(drawn.X_test) == pytest.approx(model.decision_function(drawn.X_test), abs=1e-8)
    assert np.array_equal(model.predict(drawn.X_test), np.where(as_numbers.predict(drawn.X_test) >= 0.0, 1.0, -1.0))
    for init, stop in (("inverse_square", "paper"), ("literal", "paper"), ("absolute", "strict")):
        other = SparseLSSVC(C=10.0, gamma=4.0, init=init, stop=stop, max_iter=500).fit(drawn.X, drawn.y)
        same = isls.solve(task, init=init, stop=stop, max_iter=500)
        assert np.array_equal(other.support_, np.flatnonzero(same.beta))
        assert other.dual_coef_[0] == pytest.approx(same.beta[other.support_], rel=1e-6)
    with pytest.warns(
        ConvergenceWarning, match="ISLS ended after 3 rounds with constant: .*choose a larger C$"
    ) as caught:
        model = SparseLSSVC(C=1e-3, gamma=1.0).fit(drawn.X, drawn.y)
    assert caught[0].filename == __file__ and len(model.support_) == 0 and model.dual_coef_.shape == (1, 0)
    assert model.decision_function(drawn.X_test) == pytest.approx(0.0, abs=1e-6)
    with pytest.warns(
        ConvergenceWarning, match="ISLS ended after 2 rounds with iteration limit; raise max_iter or tol$"
    ):
        SparseLSSVR(max_iter=2).fit(drawn.X, drawn.y)


@pytest.mark.parametrize("machine", [SparseLSSVC, SparseLSSVR])
def test_points_without_weight_are_no_support_vectors(machine):
    drawn = problems.load("moons", n=80)
    weight = np.random.default_rng(0).integers(0, 3, 80).astype(float)
    weighted = machine(gamma=1.5).fit(drawn.X, drawn.y, weight)
    assert np.all(weight[weighted.support_] > 0)
    assert np.array_equal(drawn.X[weighted.support_], weighted.support_vectors_)
