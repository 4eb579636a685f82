"""Claims of scenes, as far as no prompt of the scene computes them, held against the numbers that its page shows."""

import numpy as np
import pytest

from pages.shared.screen.choices import NO_OUTLIERS, Data, Machine, Reweighting, Setting, Walk
from pages.shared.studies import classification, feature_walk, loss_curves, runs, sparsity
from pages.shared.studies.scenes import SCENES
from svmcore import grid, problems
from svmcore.problems import REGISTRY, outliers
from svmcore.studies import breakdown, robustness
from svmcore.watch import registry


def opened(name):
    """{loss: (FittedMachine, the one before the outliers)} of a scene."""
    query = SCENES[name].query
    entry = REGISTRY[query.get("problem", "toy_outliers")]
    options = tuple((o.name, type(o.default)(query[o.name])) for o in entry.options if o.name in query)
    kind = query.get("contamination", NO_OUTLIERS)
    amount = outliers.KINDS[kind].default if kind != NO_OUTLIERS else 0
    data = Data(entry.key, 0, options, kind, amount)
    setting = Setting(float(query.get("C", entry.C)), entry.kernel, float(query.get("sigma", entry.sigma)), 3, 1.0)
    problem, clean = classification.make_problem(data), classification.make_problem(data._replace(on=False))
    xs, ys = grid.axes(problem.X, 60)
    losses = query.get("losses", query.get("loss", "hinge")).split(",")
    return {
        loss: tuple(classification.fit(p, Machine(loss), setting, xs, ys) for p in (problem, clean)) for loss in losses
    }


def turned(pair):
    now, before = pair
    return robustness.angle(before.w, now.w)


def test_ls_svm_fig1():
    now, _ = opened("ls_svm_fig1")["least_squares"]
    assert now.numbers.n_support == len(now.points.y)
    distance = np.abs(np.abs(now.f) - 1.0)  # to the +-1 line, in units of the margin
    largest = np.argsort(-np.abs(now.points.alpha))[:5]
    assert np.abs(now.points.alpha) == pytest.approx(
        distance * 1.0, abs=1e-9
    )  # alpha = C (1 - y f), no point misjudged
    assert np.min(now.f[largest] * now.points.y[largest]) < 1.0 < np.max(now.f * now.points.y)


def test_fan():
    problem, changed = problems.load("leverage_outliers", 0, outliers=1), {}
    clean = outliers.without_outliers(problem)
    for loss in SCENES["fan"].query["losses"].split(","):
        model = classification.estimator(Machine(loss), Setting(1.0, "linear", 1.0))
        normals = []
        for share in np.linspace(
            0.5, 1.5, 7
        ):  # the point is dragged along the line through the middle of the clean ones
            X = problem.X.copy()
            X[-1] = clean.X.mean(axis=0) + share * (X[-1] - clean.X.mean(axis=0))
            normals.append(model.fit(X, problem.y).coef_[0].copy())
        changed[loss] = max(robustness.angle(normals[0], normal) for normal in normals)
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
    wide = classification.estimator(Machine("welsch", (("width", 10.0),)), Setting(1.0, "linear", 1.0, 3, 1.0))
    problem = problems.load("leverage_outliers", 0, outliers=20)
    assert wide.fit(problem.X, problem.y).score(problem.X_test, problem.y_test) < 0.85


def test_broken():
    query, losses = SCENES["broken"].query, SCENES["broken"].query["losses"].split(",")
    machines = {loss: classification.estimator(Machine(loss), Setting(1.0, "linear", 1.0)) for loss in losses}
    rows = breakdown.race(machines, lambda seed: problems.load("toy_outliers", seed), query["flipping"], [0])
    assert {loss: at[0] for loss, at in breakdown.broken_at(rows, float(query["broken"]) / 100).items()} == {
        "hinge": 12,
        "zero_one": 19,
    }


def test_lift():
    problem = problems.load("circles", 0)
    errors = {}
    for kernel in ("linear", "poly"):
        setting = Setting(REGISTRY["circles"].C, kernel, REGISTRY["circles"].sigma, 2)
        model = classification.estimator(Machine("hinge"), setting).fit(problem.X, problem.y)
        errors[kernel] = 1 - model.score(problem.X, problem.y)
    assert errors["poly"] <= 0.02 and errors["linear"] > 0.3


def recorded(name, loss, solver):
    """(what the solver was given, its Trace) of a scene on the Convergence page."""
    query = SCENES[name].query
    entry = REGISTRY[query["problem"]]
    options = tuple((o.name, type(o.default)(query[o.name])) for o in entry.options if o.name in query)
    setting = Setting(float(query.get("C", entry.C)), entry.kernel, entry.sigma, 3, 1.0)
    given = runs.solver_input(classification.make_problem(Data(entry.key, 0, options)), Machine(loss), setting)
    return given, runs.record(given, solver)


def test_bent():
    query = SCENES["bent"].query
    entry = REGISTRY[query["problem"]]
    problem = classification.make_problem(Data(entry.key, 0, (("outliers", int(query["outliers"])),)))
    film = loss_curves.morph(
        problem, Setting(entry.C, entry.kernel, entry.sigma, 3, 1.0), (*grid.axes(problem.X, 10), None)
    )
    error = next(line.y for line in film.charts[0].lines if line.name == "test error")
    low = error < 4.0
    assert low[0] and low[-1] and np.all(low | (error > 18.0))
    assert np.count_nonzero(low[1:] != low[:-1]) == 2, "one jump where the points win, one where they lose"


def test_window():
    (solver, _), *_ = runs.solver_titles("zero_one")  # the one that the page begins with
    given, seen = recorded("window", "zero_one", solver)
    first, last = (registry.solver_of(seen).marks(seen, t, given) for t in (1, seen.n_iter))
    assert len(first.points) == 220 and first.band[0] < 0.0 < last.band[0]
    assert (
        len(last.points) == 3 and set(range(200, 220)) < set(last.crossed) and "three points" in SCENES["window"].claim
    )
    assert np.count_nonzero(seen.frame_beta[-1]) == 3 and seen.status == "local minimum"


def test_conjugate_gradients():
    query = SCENES["conjugate_gradients"].query
    given, seen = recorded("conjugate_gradients", query["loss"], query["solver"])
    assert (seen.n_iter, seen.status, len(given.y)) == (12, "converged", 360)
    assert np.count_nonzero(seen.frame_beta[-1]) == 360
    f = seen.frame_beta @ given.K + seen.frame_intercept[:, None]
    assert np.all(np.sign(f[1:]) == given.y)


def test_pruned():
    query = SCENES["pruned"].query
    setting = Setting(float(query["C"]), "rbf", float(query["sigma"]), 3, 1.0)
    problem = problems.load("ripley")
    xs, ys = grid.axes(problem.X, 20)
    full = classification.fit(problem, Machine("least_squares"), setting, xs, ys).numbers
    few = sparsity.fit(problem, setting, Reweighting(), xs, ys).numbers
    assert (full.n_support, few.n_support, few.n_iter) == (250, 6, 9) and few.converged
    assert few.test_error <= full.test_error


def test_few_features():
    query = SCENES["few_features"].query
    steps = feature_walk.follow(Walk(100, int(query["d_rel"]), 0, 0.03, int(query["rounds"])))
    errors = 1.0 - steps.accuracy
    assert 1 / errors[0] == pytest.approx(6, abs=0.5) and steps.n_features[0] == 200
    assert errors.argmin() == 2 and 1 / errors[2] == pytest.approx(13, abs=0.5)
    assert errors[2] < 1.0 - steps.exact_accuracy and np.count_nonzero(np.abs(steps.exact.details.w) > 1e-9) < 20
