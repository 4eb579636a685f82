"""More than two classes, weights of classes and the hard margin, against LIBSVM."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_blobs
from sklearn.svm import SVC as LibSVC
from sklearn.svm import SVR as LibSVR

from svmcore import SVC, SVR, problems

CLOSE = 5e-5  # LIBSVM keeps kernel values in single precision


@pytest.fixture(scope="module", params=[3, 5])
def blobs(request):
    """Classes that overlap, with names that are not in the order of their appearance."""
    X, y = make_blobs(n_samples=40 * request.param, centers=request.param, cluster_std=2.5, random_state=4)
    return X / 3.0, np.array(["d", "a", "c", "e", "b"])[y]


def both(X, y, **options):
    return tuple(kind(tol=1e-8, **options).fit(X, y) for kind in (SVC, LibSVC))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("shape", ["ovo", "ovr"])
def test_several_classes_are_libsvms(blobs, kernel, shape):
    X, y = blobs
    ours, theirs = both(X, y, kernel=kernel, C=3.0, decision_function_shape=shape)
    new = X[::3] + 0.1
    assert ours.decision_function(new) == pytest.approx(theirs.decision_function(new), abs=CLOSE)
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    assert np.array_equal(ours.support_, theirs.support_) and np.array_equal(ours.n_support_, theirs.n_support_)
    assert ours.dual_coef_ == pytest.approx(theirs.dual_coef_, abs=3e-3)  # less well determined than f
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=CLOSE)
    assert ours.n_iter_.shape == theirs.n_iter_.shape and ours.status_ == "converged" and ours.violation_ <= 1e-8
    if kernel == "linear":
        assert ours.coef_ == pytest.approx(theirs.coef_, abs=CLOSE)


def test_ties_are_broken_as_there():
    X, y = make_blobs(n_samples=60, centers=4, cluster_std=4.0, random_state=1)
    ours, theirs = both(X, y, gamma=50.0, break_ties=True)
    new = np.random.default_rng(0).uniform(-12.0, 12.0, (500, 2))
    assert np.array_equal(ours.predict(new), theirs.predict(new))
    assert (ours.set_params(break_ties=False).predict(new) != theirs.predict(new)).any()
    with pytest.raises(ValueError, match="break_ties must be False when decision_function_shape is 'ovo'"):
        ours.set_params(break_ties=True, decision_function_shape="ovo").predict(new)


def test_several_classes_from_a_gram_matrix_and_from_the_last_fit(blobs):
    X, y = blobs
    plain = SVC(gamma=0.7, tol=1e-8).fit(X, y)
    given = SVC(kernel="precomputed", tol=1e-8).fit(plain.kernel_(X), y)
    assert given.decision_function(plain.kernel_(X)) == pytest.approx(plain.decision_function(X), abs=1e-6)
    again = SVC(gamma=0.7, tol=1e-8, warm_start=True).fit(X, y).fit(X, y)
    assert (again.n_iter_ == 1).all() and again.decision_function(X) == pytest.approx(
        plain.decision_function(X), abs=1e-6
    )


@pytest.mark.parametrize("class_weight", ["balanced", {"a": 7.0, "d": 0.2}])
def test_weights_of_classes_are_libsvms(blobs, class_weight):
    X, y = blobs
    keep = (y != "a") | (np.arange(len(y)) % 4 == 0)
    X, y = X[keep], y[keep]
    weight = np.random.default_rng(3).uniform(0.2, 2.0, len(y))
    ours, theirs = (
        kind(tol=1e-8, class_weight=class_weight, gamma=0.5, decision_function_shape="ovo").fit(X, y, weight)
        for kind in (SVC, LibSVC)
    )
    assert ours.class_weight_ == pytest.approx(theirs.class_weight_)
    assert ours.decision_function(X) == pytest.approx(theirs.decision_function(X), abs=CLOSE)
    two = np.isin(y, ["a", "d"])
    ours, theirs = both(X[two], y[two], class_weight=class_weight)
    assert ours.decision_function(X) == pytest.approx(theirs.decision_function(X), abs=CLOSE)
    assert np.array_equal(ours.support_, theirs.support_) and np.array_equal(ours.n_support_, theirs.n_support_)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "huber"])
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_a_hard_margin_is_libsvms_for_a_large_C(kernel, scale, loss):
    X, y = make_blobs(n_samples=60, centers=2, cluster_std=1.2, random_state=6)
    ours = SVC(kernel=kernel, loss=loss, C=np.inf).fit(X * scale, y)
    theirs = LibSVC(kernel=kernel, C=1e10, tol=1e-6).fit(X, y)
    assert ours.decision_function(X * scale) == pytest.approx(theirs.decision_function(X), abs=1e-3)
    margin = np.where(y == 1, 1.0, -1.0) * ours.decision_function(X * scale)
    assert 1.0 - 1e-6 <= margin.min() <= 1.001 and ours.status_ == "converged"


def test_a_tube_without_errors_is_libsvms_for_a_large_C():
    problem = problems.load("sinc", n=60, noise=0.05)
    ours = SVR(C=np.inf, epsilon=0.2, gamma=0.5).fit(problem.X, problem.y)
    theirs = LibSVR(C=1e8, epsilon=0.2, gamma=0.5, tol=1e-6).fit(problem.X, problem.y)
    assert ours.predict(problem.X) == pytest.approx(theirs.predict(problem.X), abs=1e-3)
    assert np.abs(ours.predict(problem.X) - problem.y).max() == pytest.approx(0.2, abs=1e-6)
    with pytest.raises(ValueError, match="no error beyond epsilon=0, but no machine with this kernel has that"):
        SVR(C=np.inf, epsilon=0.0, kernel="linear").fit(problem.X, problem.y)
    with pytest.raises(ValueError, match="which least_squares has not; choose a finite C"):
        SVR(C=np.inf, loss="least_squares").fit(problem.X, problem.y)


@pytest.mark.parametrize("n", [40, 400])
@pytest.mark.parametrize("shift", [0.0, 1e5])
def test_classes_that_overlap_have_no_hard_margin(n, shift):
    X, y = make_blobs(n_samples=n, centers=2, cluster_std=6.0, random_state=0)
    with pytest.raises(ValueError, match="no machine with this kernel separates the classes: choose a finite C"):
        SVC(kernel="linear", C=np.inf).fit(X + shift, y)
    assert SVC(C=np.inf, gamma=1.0).fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize("name", ["probability", "shrinking", "cache_size", "verbose"])
@pytest.mark.parametrize("kind", [SVC, SVR])
def test_what_is_missing_says_what_to_do_instead(kind, name):
    with pytest.raises(TypeError, match=f"{kind.__name__} has no parameter '{name}': .*(Calibrated|leave it out)"):
        kind(**{name: True})
    with pytest.raises(TypeError, match="unexpected keyword argument 'sigma'"):
        kind(sigma=1.0)


def test_probabilities_and_sparse_data_have_another_way(blobs):
    X, y = blobs
    model = SVC().fit(X, y)
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match="SVC has no probabilities: .*CalibratedClassifierCV"):
        model.predict_proba(X)
    share = CalibratedClassifierCV(SVC(), method="sigmoid", ensemble=False).fit(X, y).predict_proba(X)
    assert share.sum(axis=1) == pytest.approx(1.0) and share.shape[1] == len(model.classes_)
    with pytest.raises(TypeError, match=r"takes a dense X, got a sparse csr_matrix: use X.toarray\(\).*OneNormSVC"):
        SVC().fit(csr_matrix(X), y)
    with pytest.raises(TypeError, match=r"SVR takes a dense X, got a sparse csr_matrix: use X.toarray\(\)$"):
        SVR().fit(csr_matrix(X), X[:, 0])
    with pytest.raises(ValueError, match=r"fitted to a dense X, got a sparse csr_matrix: use X.toarray\(\)"):
        model.predict(csr_matrix(X))
