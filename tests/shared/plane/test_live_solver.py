"""The solver of a live file, in node: the machines are those of svmcore, and what cannot be solved is said."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import variants
import waiting

from docs import live_bundle
from pages.shared.studies import classification
from svmcore import SVC, live, losses, problems
from svmcore.kernels import KERNELS, Kernel
from svmcore.problems import REGISTRY
from svmcore.status import Status
from svmcore.warned import silently

MACHINE = "pages/shared/plane/live_file/machine.js"
TOLERANCE = 1e-6
CLEAR = 1e-4  # from the margin: a nearer point may have a support value or none
PLANAR = [key for key in problems.names("classification", planar=True) if REGISTRY[key].available()]
EVERY = list(itertools.product(PLANAR, variants.VARIANTS, live.KERNELS, (0.01, 1.0, 100.0)))
# every loss, kernel and C once or more, the hardest C for most; together a second
QUICK = [case for k, case in enumerate(EVERY) if case[0] in ("toy_outliers", "moons") and k % 7 == 0]


def described(key):
    loss = losses.get(key)
    return {"key": key, "parameters": [{"name": p.name} for p in loss.parameters], "box": live_bundle.box(loss)}


def setting_of(C, kernel="rbf", sigma=1.0, degree=3, coef0=1.0):
    return dict(C=C, kernel=kernel, sigma=float(sigma), degree=degree, coef0=coef0)


def solved(modules, X, y, loss, setting, params=None, **options):
    points = dict(zip(("x", "y", "label"), (X[:, 0].tolist(), X[:, 1].tolist(), y.tolist()), strict=True))
    xs, ys = (np.linspace(low, high, 12).tolist() for low, high in zip(X.min(axis=0), X.max(axis=0), strict=True))
    options = dict(xs=xs, ys=ys, tol=TOLERANCE) | options
    params = losses.get(loss).check() if params is None else params
    return modules.call("tests/js/replay.js", "fitOnGrid", points, described(loss), params, setting, options), xs, ys


def fitted(X, y, loss, setting, params=None):
    given = dict(C=setting["C"], kernel=setting["kernel"], gamma=setting["sigma"] ** -2.0)
    given |= dict(degree=setting["degree"], coef0=setting["coef0"], tol=TOLERANCE, loss_params=params)
    with silently():
        return SVC(loss=loss, **given).fit(X, y)


@pytest.mark.parametrize(
    "case", waiting.mostly_slow(EVERY, QUICK), ids=lambda case: f"{case[0]}-{case[1][0]}-{case[2:]}"
)
def test_it_is_the_machine_of_svmcore(modules, case):
    name, (loss, params), kernel, C = case
    problem = problems.load(name)
    setting = setting_of(C, kernel, REGISTRY[name].sigma)
    found, xs, ys = solved(modules, problem.X, problem.y, loss, setting, params)
    model = fitted(problem.X, problem.y, loss, setting, params)
    assert found["status"] == "CONVERGED" and found["violation"] <= 1.05 * TOLERANCE
    places = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    f = model.decision_function(places).reshape(len(ys), len(xs))
    assert np.abs(np.array(found["field"]) - f).max() <= 1e-4 * max(1.0, np.abs(f).max())
    assert found["dual"] == pytest.approx(model.objective_, rel=1e-6)
    assert found["primal"] == pytest.approx(found["dual"], rel=1e-3, abs=1e-4)
    clear = np.abs(problem.y * np.array(found["f"]) - 1.0) > CLEAR
    used = np.zeros(len(clear), bool)
    used[model.support_] = True
    assert np.array_equal(np.array(found["beta"])[clear] != 0.0, used[clear])


def test_a_kernel_is_that_of_the_registry(modules):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6, 2))
    for kernel in live.KERNELS:
        setting = setting_of(1.0, kernel, 1.3, degree=4, coef0=0.5)
        found = modules.call(MACHINE, "gramMatrix", dict(x=X[:, 0].tolist(), y=X[:, 1].tolist()), setting)
        centred = X - X.mean(axis=0) if kernel == "linear" else X
        assert np.allclose(np.reshape(found, (6, 6)), Kernel(kernel, 1.3**-2.0, 4, 0.5)(centred))
    assert set(live.KERNELS) <= set(KERNELS)


@pytest.mark.parametrize("loss", [key for key, _ in variants.VARIANTS])
def test_a_warm_start_ends_at_the_same_machine(modules, loss):
    problem = problems.load("moons", n=60)
    setting = setting_of(10.0, "rbf", 0.7)
    cold, *_ = solved(modules, problem.X, problem.y, loss, setting)
    X, y = problem.X.copy(), problem.y.copy()
    X[3] += 0.2  # a point has moved, and another one has changed its class
    y[7] = -y[7]
    alpha = [0.0 if k == 7 else value for k, value in enumerate(cold["alpha"])]
    warm, *_ = solved(modules, X, y, loss, setting | {"C": 20.0}, before={"alpha": alpha, "C": 10.0})
    anew, *_ = solved(modules, X, y, loss, setting | {"C": 20.0})
    assert warm["status"] == anew["status"] == "CONVERGED"
    assert np.abs(np.array(warm["field"]) - np.array(anew["field"])).max() < 1e-4
    assert abs(sum(warm["beta"])) < 1e-9 * 20.0 * len(y)


# ---------------------------------------------------------------------------------- hard cases


def same(k=6):
    return np.zeros((k, 2)), np.tile([1.0, -1.0], k // 2)


def line(k=20):
    x = np.linspace(-1.0, 1.0, k)
    return np.column_stack([x, 2.0 * x]), np.where(np.sin(7.0 * x) > 0.0, 1.0, -1.0)


def twice():
    problem = problems.load("moons", n=12)
    return np.vstack([problem.X, problem.X]), np.append(problem.y, -problem.y)


HARD = {"all in one place": same, "on a line": line, "each point twice, in both classes": twice}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("C", [1.0, 1e6])
def test_degenerate_points_end_with_a_status(modules, name, C):
    X, y = HARD[name]()
    whole = itertools.product(variants.VARIANTS, live.KERNELS)
    diagonal = zip(variants.VARIANTS, itertools.cycle(live.KERNELS), strict=False)  # with the C that takes its time
    for (loss, params), kernel in whole if C == 1.0 else diagonal:
        found, *_ = solved(modules, X, y, loss, setting_of(C, kernel), params, tol=1e-3)
        assert Status[found["status"]]
        if found["status"] == "CONVERGED":
            assert found["violation"] <= 1.05e-3 and np.isfinite(found["primal"]), (loss, kernel)


def test_a_large_C_does_not_hide_that_the_objective_is_far_from_the_optimum(modules):
    """C times a violation within the tolerance may be more than the optimum: a finer tolerance, or the words on it."""
    problem = problems.load("toy_outliers")
    for C in (1e3, 1e6):
        found, *_ = solved(modules, problem.X, problem.y, "hinge", setting_of(C, sigma=3.0), tol=1e-3)
        optimum = fitted(problem.X, problem.y, "hinge", setting_of(C, sigma=3.0)).objective_
        assert found["status"] == "CONVERGED" and found["primal"] == pytest.approx(optimum, rel=0.01)
    rounded, *_ = solved(modules, problem.X, problem.y, "hinge", setting_of(1e14, sigma=3.0), tol=1e-3)
    assert rounded["status"] != "CONVERGED"


def test_a_kernel_that_is_not_positive_semidefinite_has_no_optimum(modules):
    problem = problems.load("moons", n=30)
    found, *_ = solved(modules, problem.X, problem.y, "hinge", setting_of(1.0, "poly", coef0=-1.0))
    assert found["status"] == "STATIONARY"
    found, *_ = solved(modules, problem.X, problem.y, "squared_hinge", setting_of(1e6, "poly", coef0=-3.0))
    assert found["status"] in ("UNBOUNDED", "ITERATION_LIMIT", "STATIONARY", "ROUNDING")


def test_an_empty_class_is_said(modules):
    for label in ([1, 1], [-1], [], [1, -1]):
        said = classification.missing_sentence(SimpleNamespace(classes=(1.0, -1.0), y=np.array(label))) or ""
        assert modules.call(MACHINE, "missingSentence", {"label": label}) == said
        assert [name in said for name in ("+1", "−1")] == [1 not in label, -1 not in label]


def test_its_statuses_are_members_of_the_enumeration():
    source = (live_bundle.FOLDER / "solver.js").read_text(encoding="utf-8")
    for name in live_bundle.STATUSES[:-2]:
        assert f'"{name}"' in source and Status[name]
