"""The descents of smooth losses watched: the same run to the bit, each machine that of its step, each sentence true."""

import re

import numpy as np
import pytest
from variants import LOG_COSH, every_smooth, overlapping
from waiting import mostly_slow
from written import numbers_in

from svmcore import duals, losses, problems
from svmcore.kernels import Kernel
from svmcore.solvers import quasi_newton
from svmcore.solvers.solution import Task
from svmcore.status import Status
from svmcore.watch import curves, registry, sentences, trace
from svmcore.watch.quasi_newton import KINDS, QuasiNewton

KERNELS = {"linear": Kernel("linear"), "rbf": Kernel("rbf", gamma=0.5), "poly": Kernel("poly", 0.3, 3, 1.0)}


def given_of(loss, kernel="linear", n=80, outliers=8, C=1.0, **params):
    drawn = problems.load("leverage_outliers", 0, outliers=outliers, n=n)
    return trace.Given.classification(KERNELS[kernel], drawn.X, drawn.y, loss, C, **params)


def runs(given):
    """Of the descents alone: re-weighting serves some smooth losses, too."""
    served = [one for one in registry.solvers_for(given) if isinstance(one, QuasiNewton)]
    return [(description, description.record(given, tol=1e-4)) for description in served]


@pytest.mark.parametrize("kernel", mostly_slow(KERNELS, ("linear", "rbf")))
@every_smooth
def test_each_step_is_the_machine_of_its_objective(loss, params, kernel):
    """P of the expansion, from K alone, is P of the solver's (w, b); the pulls are slopes of the loss at that f."""
    given = given_of(loss, kernel, n=40, outliers=4, C=np.linspace(0.5, 2.0, 44), **params)
    for _, seen in runs(given):
        drawn = curves.curves(seen, given)
        rows = np.searchsorted(seen.iteration, seen.frame_iter)
        assert drawn.primal == pytest.approx(seen.objective[rows], rel=1e-7)
        assert np.all(np.diff(seen.objective) <= 1e-6 * seen.objective[0])  # it never rises, but for the last b
        f = seen.iterates @ given.K + seen.intercepts[:, None]
        pull = given.C * losses.get(loss).slope(1.0 - given.y * f, **params)
        assert seen.events["pull"][:-1] == pytest.approx(pull[:-1], rel=1e-4, abs=1e-6)
        assert seen.events["pull"][-1] == pytest.approx(pull[-1], rel=1e-4, abs=1e-4 * given.C.max())  # within tol
        # at the end the expansion is made of the pulls
        assert given.y * seen.iterates[-1] == pytest.approx(seen.events["pull"][-1], rel=1e-9)
        before = given.y * seen.iterates[-2]
        assert before == pytest.approx(seen.events["pull"][-2], abs=0.02 * np.abs(before).max())


@every_smooth
def test_the_gradient_is_that_of_p(loss, params):
    """By differences, for a linear kernel, whose w is X'beta; lengths are those in (scale w, b)."""
    given, X = given_of(loss, **params), problems.load("leverage_outliers", 0, outliers=8, n=80).X
    scale = np.sqrt(np.mean(np.sum(X**2, axis=1)))
    _, seen = runs(given)[0]
    row = len(seen.iteration) // 2
    w, b = X.T @ seen.iterates[row], seen.intercepts[row]

    def P(w, b):
        return duals.primal_objective(loss, X @ w + b, given.y, 1.0, w @ w, **params)

    assert P(w, b) == pytest.approx(seen.objective[row], rel=1e-9)
    h = 1e-5
    gradient = [(P(w + h * e, b) - P(w - h * e, b)) / (2 * h * scale) for e in np.eye(2)]
    gradient.append((P(w, b + h) - P(w, b - h)) / (2 * h))
    assert np.linalg.norm(gradient) == pytest.approx(seen.events["slope"][row], rel=1e-4, abs=1e-6)


@every_smooth
def test_an_expansion_of_centred_features_is_exact(loss, params):
    """A linear kernel with its points: f of a step is that of its beta, whatever the sum of the pulls."""
    drawn, loss = problems.load("leverage_outliers", 0, n=60), losses.get(loss)
    X, C = drawn.X + 5.0, np.full(70, 2.0)
    steps, found = quasi_newton.watch(Task(KERNELS["linear"], X, drawn.y, C, loss, params), start="means")
    assert len(steps) == found.n_iter + 1 and abs(steps[0].pull @ drawn.y) > 0.1
    for step in steps:
        within = 2e-4 if step is steps[-1] else 1e-6  # the last expansion is made of its pulls, within the tolerance
        f = X @ (X.T @ step.beta) + step.intercept
        w = X.T @ step.beta
        P = duals.primal_objective(loss, f, drawn.y, C, w @ w, **params)
        assert P == pytest.approx(step.objective, rel=1e-8)
        assert step.pull == pytest.approx(C * loss.slope(1.0 - drawn.y * f, **params), rel=1e-4, abs=within)


@every_smooth
def test_the_sentences_on_a_step(loss, params):
    given = given_of(loss, **params)
    first = {"zero": "w = 0 and b = 0", "means": "between the means", "log": "of the log loss"}
    for description, seen in runs(given):
        assert first[seen.solver.partition("_")[2]] in description.why(seen, 0, given)[0]
        for t in range(seen.n_iter + 1):
            (kind, gain, slope, largest, *_), pull = description.why(seen, t, given), seen.events["pull"][t]
            hardest, (point, size, few, _) = np.abs(pull).argmax(), numbers_in(largest)
            assert (point, few) == (hardest, np.sum(np.abs(pull) < 0.01 * np.abs(pull[hardest])))
            assert size == pytest.approx(pull[hardest], rel=6e-3)
            assert numbers_in(slope)[0] == pytest.approx(seen.events["slope"][t], rel=6e-3)
            fell = seen.objective[t - 1] - seen.objective[t] if t else np.nan
            assert gain == sentences.objective(fell, seen.objective[t])
            assert not t or kind == KINDS[seen.events["kind"][t]]
        assert seen.status in description.why(seen, seen.n_iter, given)[-1]


def test_a_bounded_loss_ignores_distant_points():
    given = given_of("sigmoid", a=2.0, n=200, outliers=20)
    for description, seen in runs(given):
        marks = description.marks(seen, seen.n_iter, given)
        pull, f = seen.events["pull"][-1], given.K @ seen.iterates[-1] + seen.intercepts[-1]
        wrong = np.flatnonzero((given.y * f < 0.0) & (pull < 0.01 * pull.max()))
        assert marks.crossed == tuple(wrong)
        # from the means all far points are given up; the log-loss machine has turned to them, and is trapped
        assert (set(range(200, 220)) <= set(marks.crossed)) == (description.key == "descent_means")
        assert marks.points == (pull.argmax(),) and "ignored" in description.words.meant["crossed"]
    for loss in ("log", "exponential"):
        given = given_of(loss, n=200, outliers=20)
        ((description, seen),) = runs(given)
        assert description.words.meant == {} and description.marks(seen, seen.n_iter, given).crossed == ()


@pytest.mark.parametrize("far", [-30.0, 30.0])
def test_support_values_of_both_signs(far, monkeypatch):
    """Sizes are compared: the hardest may be negative, and what is negative is not little."""
    monkeypatch.setitem(losses.LOSSES, LOG_COSH.key, LOG_COSH)
    X, y = overlapping(200)
    X, y = np.vstack([X, [far, 0.0]]), np.append(y, 1.0)  # far outside, on either side of the boundary
    given = trace.Given.classification(KERNELS["linear"], X, y, LOG_COSH.key, 0.02)
    ((description, seen),) = runs(given)
    assert seen.status == "converged"
    for t in range(seen.n_iter + 1):
        pull = seen.events["pull"][t]
        f = given.K @ seen.iterates[t] + seen.intercepts[t]
        assert pull == pytest.approx(0.02 * np.tanh(1.0 - given.y * f), rel=1e-4, abs=1e-5)
        hardest = max(range(201), key=lambda k: abs(pull[k]))
        few = [k for k in range(201) if abs(pull[k]) < 0.01 * abs(pull[hardest])]
        said = " ".join(description.why(seen, t, given))
        assert f"Point {hardest} " in said and f" = {sentences.number(pull[hardest])}; " in said
        assert re.search(rf"; {sentences.with_count(len(few), 'point')} (has|have) less than 1\u202f% of it", said)
        marks = description.marks(seen, t, given)
        assert marks.points == (hardest,) and set(marks.crossed) <= set(few)
    assert hardest == 200 and pull[200] == pytest.approx(-0.02 * np.sign(far), rel=1e-3)
    assert (pull < 0.0).sum() > 10 * max(len(few), 1)


def test_newton_takes_over_and_is_watched(monkeypatch):
    monkeypatch.setattr(quasi_newton, "PATIENCE", 4)
    ((description, seen),) = runs(given_of("log", "rbf", C=10.0))
    kinds = seen.events["kind"].tolist()
    assert kinds[:5] == ["start", *[quasi_newton.QUASI_NEWTON] * 4] and set(kinds[5:]) == {quasi_newton.NEWTON}
    assert np.array_equal(seen.frame_beta[-1], description.solve(given_of("log", "rbf", C=10.0), tol=1e-4).beta)


def test_how_a_run_ended_is_said_as_it_is():
    short = registry.DESCRIPTIONS["descent_zero"].record(given_of("log", "rbf", C=10.0), max_iter=3)
    assert (short.n_iter, short.status) == (3, Status.ITERATION_LIMIT)
    flat = registry.DESCRIPTIONS["descent_means"].record(given_of("sigmoid", C=1e-9))
    assert flat.status == Status.TRIVIAL and not flat.frame_beta[-1].any()
    nothing = trace.Given.classification(Kernel("precomputed"), np.zeros((4, 4)), [1, 1, 1, -1], "log", 1.0)
    seen = registry.DESCRIPTIONS["descent_zero"].record(nothing)
    assert seen.status == "converged" and np.array_equal(seen.frame_beta[-1] != 0.0, [True] * 4)
    assert seen.intercepts[-1] == pytest.approx(np.log(3.0), abs=1e-3)
    assert sentences.number(seen.violation[-1]) == "0"
