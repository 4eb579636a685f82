"""Claims of scenes, as far as no prompt of the scene computes them, held against the numbers that its page shows."""

import numpy as np
import pytest

from pages.shared.screen.choices import WALK, Machine, Reweighting
from pages.shared.screen.screen import Screen
from pages.shared.studies import classification, feature_walk, loss_curves, runs, sparsity
from pages.shared.studies.arrays import Field
from pages.shared.studies.scenes import SCENES
from svmcore import grid, problems
from svmcore.problems import outliers
from svmcore.studies import breakdown, robustness
from svmcore.watch import registry


def screen_of(name):
    return Screen.read(SCENES[name].query)


def opened(name):
    """{loss: (FittedMachine, the one before the outliers)} of a scene."""
    scene = screen_of(name)
    problem, clean = map(classification.make_problem, (scene.data, scene.data._replace(on=False)))
    xs, ys = grid.axes(problem.X, 60)
    return {
        machine.loss: tuple(classification.fit(p, machine, scene.setting, xs, ys) for p in (problem, clean))
        for machine in scene.machines
    }


def turned(pair):
    now, before = pair
    return robustness.angle(before.w, now.w)


def test_ls_svm_fig1():
    now, _ = opened("ls_svm_fig1")["least_squares"]
    assert now.numbers.n_support == len(now.points.y)
    distance = np.abs(np.abs(now.f) - 1.0)  # to the +-1 line, in units of the margin
    largest = np.argsort(-np.abs(now.points.alpha))[:5]
    assert np.abs(now.points.alpha) == pytest.approx(distance, abs=1e-9)  # C (1 - y f), and no point is misjudged
    assert np.min(now.f[largest] * now.points.y[largest]) < 1.0 < np.max(now.f * now.points.y)


def test_fan():
    scene, changed = screen_of("fan"), {}
    problem = classification.make_problem(scene.data)
    clean = outliers.without_outliers(problem)
    for machine in scene.machines:
        model = classification.estimator(machine, scene.setting)
        normals = []
        for share in np.linspace(0.5, 1.5, 7):  # dragged along the line through the middle of the clean ones
            X = problem.X.copy()
            X[-1] = clean.X.mean(axis=0) + share * (X[-1] - clean.X.mean(axis=0))
            normals.append(model.fit(X, problem.y).coef_[0].copy())
        changed[machine.loss] = max(robustness.angle(normals[0], normal) for normal in normals)
    assert changed["least_squares"] > 5.0 > 0.5 > changed["zero_one"]


def test_ignored_outliers():
    scene = opened("ignored_outliers")
    errors = {loss: now.numbers.test_error for loss, (now, _) in scene.items()}
    assert min(errors["hinge"], errors["least_absolute"]) > 0.15
    assert max(errors["ramp"], errors["zero_one"]) < 0.05
    assert min(turned(scene["hinge"]), turned(scene["least_absolute"])) > 10.0
    assert max(turned(scene["ramp"]), turned(scene["zero_one"])) < 5.0
    for loss in ("ramp", "zero_one"):
        now, _ = scene[loss]
        assert np.all(now.points.alpha[now.points.outlier] == 0.0) and now.numbers.status == "local minimum"


def test_influence_ends():
    scene = opened("influence_ends")
    assert min(turned(scene[loss]) for loss in ("hinge", "least_squares")) > 10.0
    for loss in ("roboss", "welsch"):
        now, _ = scene[loss]
        assert turned(scene[loss]) < 1.0 and now.numbers.test_error < 0.05 and now.numbers.status == "local minimum"
        assert np.abs(now.points.alpha[now.points.outlier]).max() < 1e-6
    shown = screen_of("influence_ends")
    wide = classification.estimator(Machine("welsch", (("width", 10.0),)), shown.setting)
    problem = classification.make_problem(shown.data)
    assert wide.fit(problem.X, problem.y).score(problem.X_test, problem.y_test) < 0.85


def test_broken():
    query, scene = SCENES["broken"].query, screen_of("broken")
    machines = {machine.loss: classification.estimator(machine, scene.setting) for machine in scene.machines}
    rows = breakdown.race(machines, lambda seed: problems.load("toy_outliers", seed), query["flipping"], [0])
    assert {loss: at[0] for loss, at in breakdown.broken_at(rows, float(query["broken"]) / 100).items()} == {
        "hinge": 12,
        "zero_one": 19,
    }


def test_lift():
    scene = screen_of("lift")
    problem, errors = classification.make_problem(scene.data), []
    for setting in (scene.setting, scene.setting._replace(kernel="linear")):
        model = classification.estimator(*scene.machines, setting).fit(problem.X, problem.y)
        errors.append(1 - model.score(problem.X, problem.y))
    assert errors[0] <= 0.02 and errors[1] > 0.3


def recorded(name, solver):
    """(what the solver was given, its Trace) of a scene on the Convergence page."""
    scene = screen_of(name)
    given = runs.solver_input(classification.make_problem(scene.data), *scene.machines, scene.setting)
    return given, runs.record(given, solver)


def test_bent():
    scene = screen_of("bent")
    problem = classification.make_problem(scene.data)
    film = loss_curves.morph(problem, scene.setting, Field(*grid.axes(problem.X, 10)))
    error = next(line.y for line in film.charts[0].lines if line.name == "test error")
    low = error < 4.0
    assert low[0] and low[-1] and np.all(low | (error > 18.0))
    assert np.count_nonzero(low[1:] != low[:-1]) == 2, "one jump where the points win, one where they lose"


def test_window():
    (solver, _), *_ = runs.solver_titles("zero_one")  # the one that the page begins with
    given, seen = recorded("window", solver)
    first, last = (registry.solver_of(seen).marks(seen, t, given) for t in (1, seen.n_iter))
    assert len(first.points) == 220 and first.band[0] < 0.0 < last.band[0]
    assert len(last.points) == 3 and "three points" in SCENES["window"].claim
    assert set(range(200, 220)) < set(last.crossed)
    assert np.count_nonzero(seen.frame_beta[-1]) == 3 and seen.status == "local minimum"


def test_conjugate_gradients():
    given, seen = recorded("conjugate_gradients", SCENES["conjugate_gradients"].query["solver"])
    assert (seen.n_iter, seen.status, len(given.y)) == (12, "converged", 360)
    assert np.count_nonzero(seen.frame_beta[-1]) == 360
    f = seen.frame_beta @ given.K + seen.frame_intercept[:, None]
    assert np.all(np.sign(f[1:]) == given.y)


def test_pruned():
    scene = screen_of("pruned")
    problem, setting = classification.make_problem(scene.data), scene.setting
    xs, ys = grid.axes(problem.X, 20)
    full = classification.fit(problem, Machine("least_squares"), setting, xs, ys).numbers
    few = sparsity.fit(problem, setting, Reweighting(), xs, ys).numbers
    assert (full.n_support, few.n_support, few.n_iter) == (250, 6, 9) and few.converged
    assert few.test_error <= full.test_error


def test_few_features():
    steps = feature_walk.follow(Screen.read({**SCENES["few_features"].query, "problem": WALK}).walk)
    errors = 1.0 - steps.accuracy
    assert 1 / errors[0] == pytest.approx(6, abs=0.5) and steps.n_features[0] == 200
    assert errors.argmin() == 2 and 1 / errors[2] == pytest.approx(13, abs=0.5)
    assert errors[2] < 1.0 - steps.exact_accuracy and np.count_nonzero(np.abs(steps.exact.details.w) > 1e-9) < 20
