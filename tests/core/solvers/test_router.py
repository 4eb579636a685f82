"""The one place that knows which solver serves: every loss, its objective, its certificate, and what it refuses."""

import dataclasses

import numpy as np
import pytest
from variants import ALL, LINEAR, RBF, SMOOTH, TRUNCATED, each_loss, every_kernel, every_loss, overlapping, primal
from waiting import mostly_slow

from svmcore import losses, problems
from svmcore.kernels import Kernel
from svmcore.solvers import quasi_newton, router
from svmcore.solvers.nonconvex import cccp, zero_one
from svmcore.solvers.solution import Task
from svmcore.status import Status, is_success

every_nonconvex = each_loss([(key, ALL[key]) for key, loss in losses.LOSSES.items() if not loss.convex])


def test_every_loss_has_a_route():
    assert list(router.SOLVABLE) == list(losses.LOSSES)
    unknown = dataclasses.replace(losses.hinge, key="mine", solved_by="hand")
    with pytest.raises(
        ValueError, match=f"mine has no solver; the losses that have one are {', '.join(losses.LOSSES)}$"
    ):
        router.solve(Task(RBF, *overlapping(10), 1.0, unknown))


@pytest.mark.parametrize("rules", ["paper", "authors"])
def test_other_rules_are_one_run_and_no_success_without_a_certificate(rules):
    X, y = overlapping(30)
    found = router.solve(Task(LINEAR, X, y, 1.0, "zero_one"), max_iter=50, solver_params={"rules": rules, "sigma": 2.0})
    assert found.details.n_starts == 1 and found.n_iter <= 50
    assert is_success(found.status) == (found.details.certificate is not None)
    patient = router.solve(Task(LINEAR, X, y, 1.0, "zero_one"), solver_params={"rules": rules, "sigma": 1e-4})
    assert patient.n_iter <= router.MOST_ADMM


def drawn(seed):
    """A small problem of any balance, scale and kernel; every third with each point twice, some with both labels."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 50))
    X, y = rng.normal(size=(n, 2)), np.where(rng.random(n) < rng.uniform(0.2, 0.8), 1.0, -1.0)
    y[:2] = 1.0, -1.0
    X += 0.6 * y[:, None]
    if seed % 3 == 0:
        X[n // 2 :] = X[: n - n // 2]
    C = 10.0 ** rng.uniform(-3, 3)
    kernels = LINEAR, RBF, Kernel("poly", gamma=0.5, degree=3, coef0=1.0)
    return X, y, C, kernels[seed % 3 if seed % 2 else (seed // 2) % 3]


@every_nonconvex
@pytest.mark.parametrize("seed", mostly_slow([0, 3, 4, 6, 14, 21, 33], (4, 33)))
def test_no_convex_machine_and_no_constant_is_lower_than_the_answer(loss, params, seed):
    """5 of 180 answers were above the hinge machine, and others above w = 0, which was skipped."""
    X, y, C, kernel = drawn(seed)
    K, least = kernel(X), losses.get(loss)
    found = router.solve(Task(kernel, X, y, C, loss, params))
    hinge = router.solve(Task(kernel, X, y, C, "hinge"))
    constant = 1.0 if y.sum() >= 0.0 else -1.0
    for beta, intercept in ((hinge.beta, hinge.intercept), (np.zeros(len(y)), constant)):
        t = 1.0 - y * (K @ beta + intercept)
        if loss == "zero_one":
            t = np.where(t > 1e-6, t, 0.0)
        P = 0.5 * beta @ K @ beta + C * np.sum(least(t, **params))
        assert found.objective <= P * (1 + 1e-6)
    assert (found.status == Status.TRIVIAL) == (not found.beta.any())


@pytest.mark.parametrize("seed, n, C", [(35, 14, 17.8), (62, 27, 49.5)])
def test_the_0_1_machine_starts_from_the_hinge_machine_as_well(seed, n, C):
    """Runs of ADMM alone ended 16 and 17 % above what this start finds."""
    rng = np.random.default_rng(seed)
    assert int(rng.integers(10, 50)) == n
    X, y = rng.normal(size=(n, 2)), np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    X += 0.6 * y[:, None]
    C, kernel = 10.0 ** rng.uniform(-1, 3), Kernel("poly", gamma=1.0, degree=3, coef0=1.0)
    by_runs = router.solve(Task(kernel, X, y, C, "zero_one"), solver_params={"starts": tuple(zero_one.RUNS)})
    found = router.solve(Task(kernel, X, y, C, "zero_one"))
    assert by_runs.details.n_starts == 3 and found.objective < 0.9 * by_runs.objective
    assert found.status == "local minimum" and found.details.certificate is not None


@pytest.mark.parametrize(
    "loss, params, method",
    [("ramp", {"mu": 2.0}, cccp), ("sigmoid", {"a": 3.0}, quasi_newton)],
    ids=["ramp", "sigmoid"],
)
def test_the_lowest_start_is_taken_and_the_others_are_counted(loss, params, method):
    drawn = problems.load("leverage_outliers", 0, outliers=20)
    task = Task(LINEAR, drawn.X, drawn.y, 1.0, loss, params)
    alone = [router.solve(task, solver_params={"starts": name}) for name in method.DEFAULT_STARTS]
    together, objectives = router.solve(task), np.array([each.objective for each in alone])
    assert np.ptp(objectives) > 1.0  # they do not all agree here
    assert together.objective == objectives.min() and together.details.n_starts == len(alone)
    assert together.details.n_agreed == np.sum(objectives <= objectives.min() * (1 + 1e-6))
    assert all(each.details.n_starts == each.details.n_agreed == 1 for each in alone)
    assert loss == "ramp" or together.n_iter == sum(each.n_iter for each in alone)  # CCCP walks no path twice
    every = router.solve(task, solver_params={"starts": method.STARTS})
    assert every.details.n_starts == len(method.STARTS) and every.objective <= together.objective


@every_loss
@every_kernel
def test_the_objective_is_that_of_the_machine(loss, params, kernel):
    """The primal objective, computed anew from beta and the intercept: strong duality for the duals."""
    X, y = overlapping(50)
    C = np.random.default_rng(1).uniform(0.5, 3.0, 50)
    task = Task(kernel, X, y, C, loss, params)
    found = router.solve(task, tol=1e-8)
    assert found.status == ("converged" if losses.get(loss).convex else "local minimum")
    assert is_success(found.status) and found.violation <= 1e-8 and found.n_iter > 0
    assert (found.details.n_starts == 1) == losses.get(loss).convex
    assert 1 <= found.details.n_agreed <= found.details.n_starts
    assert found.objective == pytest.approx(primal(task, found.beta, found.intercept), rel=1e-6)
    # alpha is C times a slope of the loss: of t itself, or between those beside a kink
    t = 1.0 - y * (kernel(X) @ found.beta + found.intercept)
    slopes = [losses.get(loss).slope(t + h, **params) for h in (-1e-5, 0.0, 1e-5)]
    alpha = y * found.beta / C
    assert np.all(alpha >= np.min(slopes, axis=0) - 1e-4) and np.all(alpha <= np.max(slopes, axis=0) + 1e-4)


@every_loss
def test_defaults_are_filled_in_and_C_may_be_one_number(loss, params):
    X, y = overlapping(24, twins=[])
    named = router.solve(Task(RBF, X, y, np.full(24, 2.0), loss, losses.get(loss).check()))
    assert np.array_equal(router.solve(Task(RBF, X, y, 2.0, losses.get(loss))).beta, named.beta)


def test_the_parameters_of_the_solver_arrive():
    drawn = problems.load("leverage_outliers", 0, outliers=20)
    X, y = drawn.X, drawn.y
    one = router.solve(Task(LINEAR, X, y, 1.0, "ramp"), solver_params={"starts": "convex"})
    assert one.details.n_starts == 1 and one.objective > router.solve(Task(LINEAR, X, y, 1.0, "ramp")).objective + 1.0
    cut = router.solve(Task(LINEAR, X, y, 1.0, "ramp"), solver_params={"starts": ["convex"], "max_rounds": 1})
    assert cut.status == Status.ROUND_LIMIT and not is_success(cut.status)
    two = router.solve(Task(LINEAR, X, y, 1.0, "sigmoid"), solver_params={"starts": ("log", "zero")})
    assert two.details.n_starts == 2
    pairs = router.solve(Task(LINEAR, np.vstack([X, X]), np.append(y, y), 1.0, "ramp"), solver="smo")
    assert "pair updates" in pairs.route  # where "auto" takes an interior point


@each_loss(SMOOTH + TRUNCATED)
def test_limits_arrive(loss, params):
    X, y = overlapping(80)
    found = router.solve(Task(RBF, X, y, 100.0, loss, params), max_iter=2)
    assert found.status == Status.ITERATION_LIMIT  # the same words everywhere
    assert not is_success(found.status) and found.violation > 1e-3
    assert not losses.get(loss).convex or found.n_iter == 2


@pytest.mark.parametrize(
    "loss, given, words",
    [
        ("hinge", {"starts": "convex"}, "unknown name 'starts'; hinge, solved by box dual, takes no solver_params"),
        ("log", {"starts": "zero"}, "log, solved by quasi-Newton, takes no solver_params"),
        ("sigmoid", {"max_rounds": 3}, "unknown name 'max_rounds'; sigmoid, solved by quasi-Newton, takes starts"),
        ("ramp", {"sigma": 3}, "unknown name 'sigma'; ramp, solved by CCCP, takes starts, max_rounds"),
        ("ramp", {"max_rounds": 0}, "max_rounds must be a whole number of at least 1, got 0"),
        ("ramp", {"max_rounds": 2.5}, "max_rounds must be a whole number of at least 1, got 2.5"),
        ("zero_one", {"max_rounds": 3}, "zero_one, solved by ADMM, takes rules, starts, eta, .*, tol$"),
        ("zero_one", {"starts": "zero"}, "starts must be one or more of robust, .*, hinge, .*; got zero"),
        ("ramp", {"starts": 5}, "starts must be one or more of .*; got 5"),
        ("zero_one", {"starts": "hinge", "rules": "paper"}, "starts can be chosen for rules='robust' only"),
        ("zero_one", {"rules": "mine"}, "rules must be one of paper, authors, robust; got 'mine'"),
        ("zero_one", {"growth": 0.5}, "growth must be a finite number of at least 1, got 0.5"),
        ("ramp", {"starts": "there"}, "one or more of convex, hinge, .*, sigmoid, annealed; got there"),
        ("truncated_pinball", {"starts": "annealed"}, "one or more of convex, .*, sigmoid; got annealed"),
        ("rescaled_hinge", {"starts": "nowhere"}, "starts must be one or more of convex, hinge"),
        ("rescaled_hinge", {"max_rounds": 0}, "max_rounds must be a whole number"),
        ("sigmoid", {"starts": ("log", "up")}, "one or more of log, hinge, .*, annealed, one_class, zero; got log, up"),
        ("sigmoid", {"starts": ()}, "got none"),
        ("log", "smo", "log is solved by quasi-Newton steps only, got solver='smo'"),
        ("sigmoid", "direct", "sigmoid is solved by quasi-Newton steps only, got solver='direct'"),
        ("zero_one", "smo", "zero_one is solved by ADMM only, got solver='smo'"),
        ("insensitive_pinball", "cg", "only loss='least_squares' has"),
        ("ramp", "cg", "only loss='least_squares' has"),
    ],
)
def test_a_solver_that_cannot_serve_and_unknown_parameters_of_one_are_reported(loss, given, words):
    options = {"solver": given} if isinstance(given, str) else {"solver_params": given}
    with pytest.raises(ValueError, match=words):
        router.solve(Task(RBF, *overlapping(10), 1.0, loss), **options)


@pytest.mark.parametrize("loss, params", ALL.items())
def test_wrong_input_is_a_sentence(loss, params):
    X, y = overlapping(10)
    for C in (0.0, np.inf, np.ones(3)):
        with pytest.raises(ValueError, match="C must be positive and finite"):
            router.solve(Task(RBF, X, y, C, loss, params))
    with pytest.raises(ValueError, match="y must be a vector of finite numbers"):
        router.solve(Task(RBF, X, y * np.nan, 1.0, loss, params))
    with pytest.raises(ValueError, match="unknown parameter 'nu'"):
        router.solve(Task(RBF, X, y, 1.0, loss, {"nu": 1.0}))


@pytest.mark.parametrize("C", [1.0, 1e4])
@pytest.mark.parametrize("coef0", [-5.0, -100.0])
@pytest.mark.parametrize("loss", ["hinge", "least_absolute", "pinball", "huber", "ramp"])
def test_a_violation_within_the_tolerance_is_no_rounding_error(loss, coef0, C):
    """Conditions that hold with room to spare hold whatever rounding does; else the violation shows it."""
    problem = problems.load("toy_outliers")
    task = Task(Kernel("poly", gamma=1.0, degree=8, coef0=coef0), problem.X[:40], problem.y[:40], C, loss)
    found = router.solve(task)
    assert found.violation >= 0.0
    assert (found.status == Status.ROUNDING) <= (found.violation > 1e-3)
    if loss == "hinge" and coef0 < -10.0:
        assert found.status == Status.STATIONARY and found.violation == 0.0
