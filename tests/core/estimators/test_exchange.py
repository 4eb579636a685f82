"""Machines as text: what is read back computes the same f, and LIBSVM agrees."""

import io
import json

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_svmlight_file
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from svmcore import SVC, SVR, OneNormSVC, SparseLSSVC, problems
from svmcore.estimators import exchange
from svmcore.kernels import KERNELS
from svmcore.warned import silently

MOONS = problems.load("moons", n=40)
NUMBERS = {"gamma": 0.2, "degree": 2, "coef0": -0.5}
NAMED = [key for key in KERNELS if key != "precomputed"]
MACHINES = {
    **{name: (lambda name=name: SVC(kernel=name, **NUMBERS), "moons") for name in NAMED},
    "least squares": (lambda: SVC(loss="least_squares", gamma=1.0), "moons"),
    "sparse": (lambda: SparseLSSVC(C=10.0, gamma=1.0), "moons"),
    "regression": (lambda: SVR(C=10.0, gamma=1.0), "sinc"),
}


@pytest.fixture(scope="module", params=MACHINES)
def fitted(request):
    """A machine, and rows on which it is compared."""
    build, name = MACHINES[request.param]
    problem = problems.load(name, n=60)
    with silently():  # tanh has no optimum to reach
        model = build().fit(problem.X, problem.y)
    return model, problem.X_test[:50]


def values(model, X):
    return model.decision_function(X) if hasattr(model, "classes_") else model.predict(X)


def same(model, other, X):
    """The same function; the order of the sum may differ in LIBSVM's files."""
    np.testing.assert_allclose(values(other, X), values(model, X), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(other.predict(X), model.predict(X))


def written(model, write, missing):
    """What `write` returns; where nothing is declared for the kernel the sentence is tested, and the test ends."""
    if getattr(model.kernel_.family, missing):
        return write(model)
    with pytest.raises(ValueError, match=f"{model.kernel_.name} kernel"):
        write(model)
    pytest.skip(f"the {model.kernel_.name} kernel declares no {missing}")


def test_json_and_back(fitted):
    model, X = fitted
    text = exchange.as_json(model)
    other = exchange.from_json(text)
    same(model, other, X)
    assert type(other) is type(model) and other.get_params() == model.get_params()
    assert exchange.as_json(other) == text


def test_a_libsvm_file_and_back_and_it_says_what_libsvm_computes(fitted):
    """sum coef k(sv, x) - rho, read from the lines as the documentation of LIBSVM describes them."""
    model, X = fitted
    text = written(model, exchange.as_libsvm, "libsvm")
    same(model, exchange.from_libsvm(text, X.shape[1]), X)
    head, _, body = text.partition("SV\n")
    head = dict(line.split(" ", 1) for line in head.splitlines())
    vectors, weights = load_svmlight_file(io.BytesIO(body.encode()), n_features=X.shape[1], zero_based=False)
    parameters = {name: float(head[name]) for name in ("gamma", "degree", "coef0") if name in head}
    gram = pairwise_kernels(X, vectors.toarray(), head["kernel_type"], **parameters)
    f = gram @ weights - float(head["rho"])
    np.testing.assert_allclose(f, values(model, X), rtol=1e-9, atol=1e-9)
    if hasattr(model, "classes_"):
        counts = [int(count) for count in head["nr_sv"].split()]
        assert head["svm_type"] == "c_svc" and int(head["total_sv"]) == len(weights) == sum(counts)
        first, second = map(int, head["label"].split())
        np.testing.assert_array_equal(np.where(f > 0, first, second), model.predict(X))


def test_the_source_needs_numpy_alone(fitted):
    model, X = fitted
    source = written(model, exchange.as_numpy, "numpy")
    assert [line.split()[1] for line in source.splitlines() if "import" in line] == ["numpy"]
    names = {}
    exec(source, names)
    np.testing.assert_allclose(names["decision_function"](X), values(model, X), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(names["predict"](X), model.predict(X), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("shift", [[0.0, 0.0, 1e6], [1e7, 1e7, 1e7]], ids=["a constant column", "far from the origin"])
@pytest.mark.parametrize("kernel", [{"kernel": "linear"}, {"kernel": "poly", "degree": 1, "gamma": 0.5, "coef0": 1.0}])
def test_a_linear_machine_is_exported_as_it_predicts(kernel, shift):
    """A sum over support vectors was wrong by 0.76 at a column of 1e6."""
    rng = np.random.default_rng(0)
    X = np.c_[rng.normal(size=(60, 2)), np.zeros(60)] + shift
    y = np.where(X[:, 0] - shift[0] + 0.7 * rng.normal(size=60) > 0, 1, -1)
    with silently():
        model = SVC(C=1000.0, **kernel).fit(X, y)
    names, f = {}, model.decision_function(X)
    exec(exchange.as_numpy(model), names)
    assert np.abs(f).max() < 1e3  # not what rounding makes of 1e14
    for export in (names["decision_function"], exchange.from_libsvm(exchange.as_libsvm(model), 3).decision_function):
        np.testing.assert_allclose(export(X), f, rtol=0, atol=1e-15 * np.abs(X).max() * np.abs(names["W"]).max() * 10)
    if kernel["kernel"] == "linear":
        np.testing.assert_array_equal(X @ model.coef_[0] + model.intercept_[0], f)


def test_classes_may_have_names_and_be_three():
    model = SVC(gamma=1.0).fit(MOONS.X, np.where(MOONS.y > 0, "yes", "no"))
    assert set(exchange.from_json(exchange.as_json(model)).predict(MOONS.X)) == {"yes", "no"}
    with pytest.raises(ValueError, match="LIBSVM needs classes that are integers, got .'no', 'yes'.; fit to 0 and 1"):
        exchange.as_libsvm(model)
    X, y = load_iris(return_X_y=True)
    model = SVC(C=2.0, gamma=0.3).fit(X, y)
    text = exchange.as_json(model)
    other = exchange.from_json(text)
    same(model, other, X)
    assert exchange.as_json(other) == text
    for write in exchange.as_libsvm, exchange.as_numpy:
        with pytest.raises(ValueError, match="expected a machine of two classes, got one of 3: write it with as_json"):
            write(model)
    for part, damaged in (("classes", [0, 1]), ("n_support", [1, 1, 1]), ("intercept", [0.0])):
        with pytest.raises(ValueError, match="expected (as many classes|2 coefficients for each of 3)"):
            exchange.from_json(json.dumps({**json.loads(text), part: damaged}))


def test_what_cannot_be_written_is_said():
    with pytest.raises(TypeError, match="expected one of SVC, SVR, .* got OneNormSVC"):
        exchange.as_json(OneNormSVC().fit(MOONS.X, MOONS.y))
    with pytest.raises(TypeError, match="got Pipeline; pass the last step of a pipeline"):
        exchange.as_json(make_pipeline(StandardScaler(), SVC()).fit(MOONS.X, MOONS.y))
    with pytest.raises(ValueError, match="'format' is missing"):
        exchange.from_json("{}")
    parts = json.loads(exchange.as_json(SVC(gamma=1.0).fit(MOONS.X, MOONS.y)))
    damage = {"format": "other"}, {"version": 2}, {"estimator": "Popen"}, {"beta": [1.0]}, {"kernel": {"name": "x"}}
    others = ("svm_type c_svc", "not JSON at line 1, column 1; pass"), ("[1]", "a JSON object, got list")
    for text, got in (*others, *((json.dumps(parts | change), "") for change in damage)):
        with pytest.raises(ValueError, match=f"expected a machine written by as_json.*{got}"):
            exchange.from_json(text)
    gram = SVC(kernel="precomputed").fit(MOONS.X @ MOONS.X.T, MOONS.y)
    with pytest.raises(ValueError, match="a matrix or a function cannot be written"):
        exchange.as_numpy(gram)


GOOD = (
    "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.1\nlabel 1 -1\nSV\n1 1:0.5\n-1 2:0.5\n"
)


@pytest.mark.parametrize("old, new, says", [
    (GOOD, "", "got an empty text"),
    ("c_svc", "one_class", "line 1: expected svm_type to be one of c_svc, .* got 'one_class'"),
    ("rbf", "precomputed", "line 2: expected kernel_type"),
    ("gamma 0.5", "gamma much", "line 3: expected a number after gamma, got 'much'"),
    ("nr_class 2", "nr_class 3", "line 4: expected two classes, got 3"),
    ("total_sv 2", "total_sv 5", "expected 5 support vectors, got 2"),
    ("rho 0.1\n", "", "begins with 'rho'"),
    ("label 1 -1", "label 1", "line 7: expected two labels, got 1"),
    ("2:0.5", "2=0.5", "line 10: expected cells index:value, got '2=0.5'"),
    ("2:0.5", "0:0.5", "line 10: expected indices from 1 on"),
    ("1:0.5", "1:nan", "expected finite numbers"),
    ("gamma 0.5", "gamma -1", "gamma must be a positive"),
])  # fmt: skip
def test_a_damaged_libsvm_file_is_explained(old, new, says):
    assert exchange.from_libsvm(GOOD).n_features_in_ == 2
    with pytest.raises(ValueError, match=says):
        exchange.from_libsvm(GOOD.replace(old, new))


def test_a_libsvm_file_has_the_class_where_f_is_positive_first():
    one, other = exchange.from_libsvm(GOOD), exchange.from_libsvm(GOOD.replace("label 1 -1", "label -1 1"))
    X = np.array([[0.5, 0.0], [0.0, 0.5], [0.3, 0.2]])
    np.testing.assert_array_equal(other.decision_function(X), -one.decision_function(X))
    np.testing.assert_array_equal(other.predict(X), -one.predict(X))
