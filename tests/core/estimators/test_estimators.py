"""Oracles: LIBSVM, and the same data in another form."""

from contextlib import nullcontext
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC as LibSVC
from variants import EACH
from waiting import mostly_slow

from svmcore import SVC, SVR, OneNormSVC, SparseLSSVC, SparseLSSVR, kernels, problems
from svmcore.kernels import KERNELS
from svmcore.losses import regression
from svmcore.solvers import router
from svmcore.solvers.box_dual import convex

MOONS = problems.load("moons", seed=1, n=200)
X, y = MOONS.X, MOONS.y


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid"])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_hinge_is_libsvm(kernel, C):
    options = dict(C=C, kernel=kernel, gamma=0.4, degree=2, coef0=1.0 if kernel == "poly" else -1.0, tol=1e-8)
    if kernel == "sigmoid":
        options.update(gamma=0.05, coef0=0.0)  # nearly definite: one optimum
    indefinite = pytest.warns(ConvergenceWarning, match="stationary point") if kernel == "sigmoid" else nullcontext()
    with indefinite:
        ours = SVC(**options).fit(X, y)
    theirs = LibSVC(**options).fit(X, y)
    # LIBSVM keeps kernel values in single precision
    assert ours.decision_function(X) == pytest.approx(theirs.decision_function(X), rel=5e-5, abs=2e-5)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=2e-5)
    assert np.array_equal(ours.classes_, theirs.classes_)
    if kernel == "linear":
        assert ours.coef_ == pytest.approx(theirs.coef_, abs=2e-5)


CLASSIFIERS = [SVC(loss, tol=1e-8) for loss in router.SOLVABLE]
REGRESSORS = [SVR(loss, tol=1e-8) for loss in regression.LOSSES]
QUICK = [machine for machine in CLASSIFIERS if machine.loss in EACH]


@pytest.mark.parametrize(
    "machine", [*mostly_slow(CLASSIFIERS, QUICK), *REGRESSORS, SparseLSSVC(), SparseLSSVR()], ids=repr
)
def test_one_machine_however_the_kernel_is_given(machine):
    some, labels = X[:60], y[:60]
    new, K = X[:20] + 0.1, partial(rbf_kernel, gamma=0.7)
    plain, given, own = (
        clone(machine).set_params(**options).fit(table, labels)
        for options, table in (({"gamma": 0.7}, some), ({"kernel": "precomputed"}, K(some)), ({"kernel": K}, some))
    )
    f = "decision_function" if hasattr(machine, "decision_function") else "predict"
    values = getattr(plain, f)(new)
    assert getattr(given, f)(K(new, some)) == pytest.approx(values, abs=1e-6)
    assert getattr(own, f)(new) == pytest.approx(values, abs=1e-6)
    assert given.support_vectors_.shape == (0, 60) and len(given.support_) == given.dual_coef_.size > 0


@pytest.mark.parametrize("machine", REGRESSORS, ids=repr)
def test_one_machine_where_there_is_room_for_rows_of_the_matrix_only(machine, monkeypatch):
    monkeypatch.setattr(convex, "DENSE", 50)
    monkeypatch.setattr(convex, "SMALL", 50)
    test_one_machine_however_the_kernel_is_given(machine)


@pytest.mark.parametrize("machine", [SVC, SVR, SparseLSSVC, SparseLSSVR, OneNormSVC])
def test_every_parameter_of_an_estimator_has_its_range(machine):
    unlike = set(machine().get_params()) ^ set(machine._parameter_constraints)
    assert not unlike, f"{', '.join(unlike)}: a parameter of {machine.__name__}, or of _parameter_constraints, alone"
    ours, theirs = machine().get_params(), LibSVC().get_params()
    assert all(ours[name] == theirs[name] for name in {"gamma", "degree", "coef0"} & set(ours))


@pytest.mark.parametrize("machine", [SVC, SVR])
def test_a_limit_reached_warns(machine):
    words = f"{machine().loss}: iteration limit after 3 iterations"
    with pytest.warns(ConvergenceWarning, match=words) as caught:
        model = machine(max_iter=3, solver="smo").fit(X, y)
    assert model.status_ == "iteration limit" and model.n_iter_ == 3 and model.violation_ > 1e-3
    assert caught[0].filename == __file__


def test_a_local_minimum_is_a_success_and_tells_how_many_starts_agreed():
    model = SVC("ramp", {"mu": 1.0}, C=2.0, gamma=0.7).fit(X, y)  # warnings are errors here
    assert model.status_ == "local minimum" and model.n_starts_ == 6 and 1 <= model.n_starts_agreed_ <= 6
    alone = SVC("ramp", {"mu": 1.0}, C=2.0, gamma=0.7, solver_params={"starts": "convex", "max_rounds": 50}).fit(X, y)
    assert alone.n_starts_ == alone.n_starts_agreed_ == 1 and alone.objective_ >= model.objective_
    convex = SVC().fit(X, y)
    assert convex.n_starts_ == 1 and convex.certificate_ is None


def test_the_0_1_machine_hands_on_its_certificate():
    model = SVC("zero_one", C=2.0, gamma=0.7).fit(X, y)
    assert model.status_ == "local minimum" and model.certificate_ > 0.0 and model.n_starts_ == 6
    with pytest.warns(ConvergenceWarning, match="only the rules' own stopping test was met"):
        alone = SVC("zero_one", C=2.0, gamma=0.7, solver_params={"rules": "authors"}).fit(X, y)
    assert alone.certificate_ is None and alone.n_starts_ == 1 and alone.objective_ > model.objective_
    assert len(model.support_) < 20  # a hinge machine has 80


def test_one_class_is_reported():
    rare = np.flatnonzero((y < 0) | (np.arange(len(y)) % 10 == 0))
    with pytest.warns(
        ConvergenceWarning, match="sigmoid: the trivial solution, w = 0, .*; a larger C gives .* iterations$"
    ):
        model = SVC("sigmoid", C=0.01).fit(X[rare], y[rare])
    assert len(model.support_) == 0 and np.all(model.predict(X) == -1.0)
    with pytest.warns(ConvergenceWarning, match="a larger C gives .* violation 2 where 0.001 was asked for$"):
        SVC("ramp", C=1e-12).fit(X[rare], y[rare])  # which a smaller C, the hint of other statuses, does not help


def test_a_linear_kernel_has_coef_and_no_gamma_and_a_point_on_the_boundary_is_of_the_second_class(monkeypatch):
    model = SVC(kernel="linear").fit([[-1.0], [1.0]], ["a", "b"])
    assert model.decision_function([[0.0]]) == 0.0 and model.predict([[0.0]]) == "b" and model.coef_.shape == (1, 1)
    with pytest.raises(AttributeError, match="linear"):
        _ = SVC().fit([[-1.0], [1.0]], ["a", "b"]).coef_
    monkeypatch.setattr(kernels, "resolve_gamma", lambda *_: pytest.fail("longer than a product of the kernel"))
    assert SVC(kernel="linear").fit(X, y).kernel_ == kernels.Kernel("linear")


@pytest.mark.parametrize("machine, params, data, words", [
    (SVC, dict(C=0.0), {}, "'C' parameter .* must be a float in the range"),
    (SVC, dict(loss="humbug"), {}, "'loss' parameter .* must be a str among {'hinge', 'squared_hinge', "),
    (SVC, dict(kernel="cubic"), {}, f"'kernel' parameter .* among {{{str([*KERNELS])[1:-1]}}}"),
    (SVC, dict(gamma=0.0), {}, "'gamma' parameter"),
    (SVC, dict(solver="cg"), {}, "only loss='least_squares' has"),
    (SVC, dict(loss="ramp", loss_params={"mu": -1.0}), {}, r"mu must lie in \(0, inf\), got -1"),
    (SVC, dict(solver_params={"starts": "convex"}), {}, "hinge, solved by box dual, takes no solver_params"),
    (SVC, dict(solver_params=3), {}, "'solver_params' parameter"),
    (SVC, {}, dict(X=[["a", "b"]] * 4), "could not convert|dtype='numeric'|convert string"),
    (SVC, {}, dict(y=[1, 1, 1, 1]), "SVC needs two classes, got 1 class: the data holds one class only, 1"),
    (SVC, {}, dict(y=[1, 2, 3, 1], sample_weight=[1, 1, 0, 1]), "every class with positive weight.*: 3; leave them"),
    (SVC, {}, dict(sample_weight=[1, -0.5, 1, 1]), "sample_weight must be >= 0, got -0.5.*the weight 0"),
    (SVC, dict(class_weight={1: 0.0}), {}, "class_weight must be positive and finite, got .1.0, 0.0. for the classes"),
    (SVC, dict(C=np.inf, loss="ramp"), {}, "C=inf asks for a hard margin, which hinge, squared_hinge, huber have"),
    (SVC, dict(C=np.inf, kernel="linear"), dict(X=np.arange(4.0)[:, None]), "no machine with this kernel separates"),
    (SVC, {}, dict(X=np.zeros((1, 2)), y=[1]), "class"),
    (SVC, {}, dict(sample_weight=[1, 0, 1, 0]), "both classes with positive weight"),
    (SVC, dict(kernel="precomputed"), dict(X=np.ones((4, 3))), "square Gram matrix"),
    (SVR, dict(loss="hinge"), {}, "must be a str among {'epsilon_insensitive', .*'hawkeye'}"),
    (SVR, dict(loss="welsch", loss_params={"a": 1.0}), {}, "welsch: unknown parameter 'a'; it takes width"),
    (SVR, dict(loss="hawkeye", loss_params={"a": -1}), {}, r"hawkeye: a must lie in \(0, inf\), got -1"),
    (SVR, dict(epsilon=-0.1), {}, "'epsilon' parameter .* must be a float in the range"),
    (SVR, dict(epsilon=float("inf")), {}, "'epsilon' parameter"),
    (SVR, dict(solver="direct"), {}, "only loss='least_squares' has"),
    (SVR, {}, dict(y=["a", "b", "c", "d"]), "targets must be real numbers, got an array of <U1; for classes use SVC"),
    (SVR, {}, dict(y=[1e21, 0.0, 0.0, 0.0]), r"targets must be below 1e\+20 in size, got 1e\+21; scale y"),
    (SVR, {}, dict(sample_weight=[0, 0, 0, 0]), "at least one non-zero"),
    (SparseLSSVC, dict(init="zeros"), {}, "'init' parameter"),
    (SparseLSSVR, dict(stop="soon"), {}, "'stop' parameter"),
    (SparseLSSVC, {}, dict(y=[1, 2, 3, 1]), "OneVsRestClassifier"),
    (SparseLSSVC, {}, dict(y=[1, 1, 1, 1]), "SparseLSSVC needs two classes, got 1 .* only, 1; add points of another"),
    (OneNormSVC, {}, dict(y=[0, 1, 2, 0]), "OneNormSVC needs two classes, got 3 classes"),
    (SparseLSSVR, {}, dict(y=["a", "b", "c", "d"]), "targets must be real numbers"),
])  # fmt: skip
def test_bad_input_gets_a_sentence(machine, params, data, words):
    data = {"X": np.arange(8.0).reshape(4, 2), "y": [0, 1, 0, 1], **data}
    with pytest.raises(ValueError, match=words):
        machine(**params).fit(data["X"], data["y"], data.get("sample_weight"))
