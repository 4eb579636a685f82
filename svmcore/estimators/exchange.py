"""Fitted kernel machines as text: JSON, LIBSVM model files, and NumPy source that needs nothing of this package.

Each text holds f(x) = sum_j beta_j k(x_j, x) + b exactly: numbers are written so that they are read back bit by bit. Of
a linear kernel the source and the model file hold w and b, as the machine predicts: far from the origin the sum over j
of large numbers has rounding errors of its own.
A machine that is read back predicts; what only a fit knows (`support_`, `status_`, `violation_`, ...) it does not have.
"""

import json
from dataclasses import asdict
from numbers import Integral

import numpy as np
from sklearn.utils.validation import check_is_fitted

from svmcore import kernels
from svmcore.estimators.base import KernelMachine
from svmcore.estimators.sparse import SparseLSSVC, SparseLSSVR
from svmcore.estimators.svm import SVC, SVR

FORMAT, VERSION = "svmcore-machine", 1
ESTIMATORS = {one.__name__: one for one in (SVC, SVR, SparseLSSVC, SparseLSSVR)}
LIBSVM_KERNELS = {family.libsvm: key for key, family in kernels.KERNELS.items() if family.libsvm}
LIBSVM_TYPES = {"c_svc": SVC, "nu_svc": SVC, "epsilon_svr": SVR, "nu_svr": SVR}


def as_json(model: KernelMachine) -> str:
    """A fitted machine as one JSON object; `from_json` reads it.

    Raises TypeError for an estimator that is no kernel machine, ValueError for a kernel that is a matrix or a function
    or for classes that JSON cannot hold.
    """
    kernel = _kernel(model)
    parts = {
        "format": FORMAT,
        "version": VERSION,
        "estimator": type(model).__name__,
        "parameters": model.get_params(),
        "kernel": asdict(kernel),
        "n_features": int(model.n_features_in_),
        "support_vectors": model.support_vectors_.tolist(),
        "beta": model.dual_coef_[0].tolist(),
        "intercept": float(model.intercept_[0]),
    }
    if hasattr(model, "classes_"):
        parts["classes"] = model.classes_.tolist()
    if len(model.dual_coef_) > 1:
        table, several = model.dual_coef_.tolist(), model.n_support_.tolist()
        parts |= {"beta": table, "intercept": model.intercept_.tolist(), "n_support": several}
    try:
        return json.dumps(parts, allow_nan=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise ValueError(f"this machine cannot be written as JSON: {error}") from error


def from_json(text: str) -> KernelMachine:
    """The machine of `as_json`. Raises ValueError for anything else, with what was expected."""
    try:
        parts = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"expected a machine written by as_json, got text that is not JSON at line {error.lineno}, column "
            f"{error.colno}; pass the whole text that as_json returned"
        ) from error
    if not isinstance(parts, dict):
        raise ValueError(f"expected a machine written by as_json, a JSON object, got {type(parts).__name__}")
    try:
        if parts["format"] != FORMAT or parts["version"] != VERSION:
            raise ValueError(f"expected {FORMAT} of version {VERSION}, got {parts['format']!r} {parts['version']!r}")
        model = ESTIMATORS[parts["estimator"]](**parts["parameters"])
        kernel = kernels.Kernel(**parts["kernel"])
        beta, intercept = (np.array(parts[name], dtype=float) for name in ("beta", "intercept"))
        vectors = np.array(parts["support_vectors"], dtype=float).reshape(beta.shape[-1], parts["n_features"])
        return _restore_fit(model, kernel, vectors, beta, intercept, parts.get("classes"), parts.get("n_support"))
    except KeyError as error:
        raise ValueError(f"expected a machine written by as_json: {error} is missing or unknown") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"expected a machine written by as_json: {error}") from error


def as_libsvm(model: KernelMachine) -> str:
    """A fitted machine as the text of a LIBSVM model file; `svm-predict` and `from_libsvm` read it.

    The file says `c_svc` or `epsilon_svr` whatever the loss was: it holds the function, not the problem. A linear
    machine has a single vector, w with the coefficient 1. Raises ValueError for classes that are not integers, as
    LIBSVM asks for them, for more than two, and as `as_json` does.
    """
    kernel = _kernel_of_one(model)
    beta, vectors, intercept = model.dual_coef_[0], model.support_vectors_, float(model.intercept_[0])
    if kernel.affine:
        w, intercept = _weights(model)
        kernel, beta, vectors = kernels.Kernel("linear"), np.ones(1), w[None]
    if kernel.family.libsvm is None:
        raise ValueError(f"LIBSVM has no {kernel.name} kernel; it has {', '.join(LIBSVM_KERNELS.values())}")
    classifies = hasattr(model, "classes_")
    lines = [f"svm_type {'c_svc' if classifies else 'epsilon_svr'}", f"kernel_type {kernel.family.libsvm}"]
    lines += [f"{name} {getattr(kernel, name)!r}" for name in KERNEL_FIELDS if name in kernel.parameters]
    lines += ["nr_class 2", f"total_sv {len(beta)}", f"rho {-intercept!r}"]
    if classifies:
        if model.classes_.dtype.kind not in "iuf" or np.any(model.classes_ % 1):
            raise ValueError(f"LIBSVM needs classes that are integers, got {model.classes_.tolist()}; fit to 0 and 1")
        order = np.argsort(beta <= 0.0, kind="stable")  # LIBSVM's first class is where f > 0; its coefficients lead
        beta, vectors = beta[order], vectors[order]
        second, first = (int(one) for one in model.classes_)
        lines += [f"label {first} {second}", f"nr_sv {(beta > 0.0).sum()} {(beta <= 0.0).sum()}"]
    lines.append("SV")
    for weight, vector in zip(beta.tolist(), vectors.tolist(), strict=True):
        lines.append(" ".join([repr(weight), *(f"{i}:{value!r}" for i, value in enumerate(vector, 1) if value)]) + " ")
    return "\n".join(lines) + "\n"


def from_libsvm(text: str, n_features: int | None = None) -> SVC | SVR:
    """A LIBSVM model file (two classes, or a regression) as a machine that predicts.

    `n_features` is the number of inputs if it is larger than the largest index in the file. Raises ValueError with the
    line for a file that is damaged, of another kind, or with a kernel given as a matrix.
    """
    lines = text.splitlines()
    head, start = {}, len(lines)
    for number, line in enumerate(lines, 1):
        name, _, rest = line.strip().partition(" ")
        if name == "SV":
            start = number
            break
        head[name] = (rest, number)
    if start == len(lines) and not head:
        raise ValueError("expected a LIBSVM model file, got an empty text")
    estimator = _one_of(head, "svm_type", LIBSVM_TYPES)
    name = _one_of(head, "kernel_type", LIBSVM_KERNELS)
    if estimator is SVC and _number(head, "nr_class", int) != 2:
        raise ValueError(f"line {head['nr_class'][1]}: expected two classes, got {head['nr_class'][0]}")
    given = {key: _number(head, key, kind) for key, kind in KERNEL_FIELDS.items() if key in head}
    kernel = kernels.Kernel(name, **{"gamma": 1.0, "degree": 3, "coef0": 0.0, **given})
    beta, vectors = _vectors(lines, start, n_features)
    if len(beta) != _number(head, "total_sv", int):
        raise ValueError(f"line {len(lines)}: expected {head['total_sv'][0]} support vectors, got {len(beta)}")
    model = estimator(kernel=name, gamma=kernel.gamma, degree=kernel.degree, coef0=kernel.coef0)
    classes = None
    if estimator is SVC:
        labels = [int(label) for label in _entry(head, "label")[0].split()]
        if len(labels) != 2:
            raise ValueError(f"line {head['label'][1]}: expected two labels, got {len(labels)}")
        classes = sorted(labels)
        if labels[0] == classes[0]:  # LIBSVM's f > 0 is the first label, ours the larger one
            beta, head["rho"] = -beta, (str(-_number(head, "rho", float)), head["rho"][1])
    return _restore_fit(model, kernel, vectors, beta, -_number(head, "rho", float), classes)


def as_numpy(model: KernelMachine) -> str:
    """Python source with `decision_function(X)` and `predict(X)` of a fitted machine; it imports numpy alone.

    Raises ValueError for a machine of more than two classes, and as `as_json` does.
    """
    kernel = _kernel_of_one(model)
    if kernel.family.numpy is None:
        raise ValueError(f"the {kernel.name} kernel has no source in NumPy; write the machine with as_json")
    classifies, points, function = hasattr(model, "classes_"), "np.asarray(X, dtype=float)", []
    if kernel.affine:
        w, intercept = _weights(model)
        formula, f = "w.x + b", f"{points} @ W + INTERCEPT"
        numbers = [f"W = np.array({w.tolist()!r})"]
    else:
        kinds = {name: int if one.kind is Integral else float for name, one in kernels.PARAMETERS.items()}
        values = {name: kinds[name](value) for name, value in kernel.parameters.items()}
        formula, f = "sum_j beta_j k(x_j, x) + b", f"kernel({points}, SUPPORT_VECTORS) @ BETA + INTERCEPT"
        intercept, vectors = float(model.intercept_[0]), model.support_vectors_.tolist()
        numbers = [f"SUPPORT_VECTORS = np.array({vectors!r}).reshape(-1, {model.n_features_in_})"]
        numbers += [f"BETA = np.array({model.dual_coef_[0].tolist()!r})"]
        function = ["", "def kernel(x, z):", f"    return {kernel.family.numpy.format(**values)}", ""]
    numbers += [f"INTERCEPT = {intercept!r}"]
    if classifies:
        numbers += [f"CLASSES = np.array({model.classes_.tolist()!r})"]
    head = [f'"""{type(model).__name__}, {kernel.name} kernel: f(x) = {formula}."""', "", "import numpy as np", ""]
    decision = ["", "def decision_function(X):", f"    return {f}", "", ""]
    predict = ["def predict(X):", "    values = decision_function(X)"]
    predict += [f"    return {'CLASSES[(values >= 0).astype(int)]' if classifies else 'values'}"]
    return "\n".join([*head, *numbers, "", *function, *decision, *predict]) + "\n"


# ------------------------------------------------------------------------------------------- parts


KERNEL_FIELDS = {"degree": int, "gamma": float, "coef0": float}


def _weights(model):
    """(w (d,), b) of a kernel that is a x'z + c, computed as `predict` does."""
    (scale, constant), beta = model.kernel_.affine, model.dual_coef_[0]
    w = scale * (model.support_vectors_.T @ beta)
    return w, float(model.intercept_[0]) + (constant * float(beta.sum()) if constant else 0.0)


def _kernel(model):
    """The kernel of a fitted machine that can be written."""
    if not isinstance(model, KernelMachine):
        raise TypeError(
            f"expected one of {', '.join(ESTIMATORS)}, got {type(model).__name__}; pass the last step of a "
            "pipeline, the best_estimator_ of a search, or each of the estimators_ of one-vs-rest"
        )
    check_is_fitted(model)
    if callable(model.kernel_.name) or model.kernel_.name == "precomputed":
        raise ValueError("a kernel that is a matrix or a function cannot be written; use a named kernel")
    return model.kernel_


def _kernel_of_one(model):
    """The kernel of a fitted machine that has one f."""
    kernel = _kernel(model)
    if len(model.intercept_) > 1:
        raise ValueError(
            f"expected a machine of two classes, got one of {len(model.classes_)}: write it with as_json, or fit "
            "sklearn.multiclass.OneVsRestClassifier and write each of its estimators_"
        )
    return kernel


def _restore_fit(model, kernel, vectors, beta, intercept, classes, n_support=None):
    """`model` with what it needs to predict; ValueError where the parts do not fit together."""
    if not all(np.isfinite(part).all() for part in (vectors, beta, intercept)):
        raise ValueError("expected finite numbers")
    model.kernel_, model.support_vectors_, model.n_features_in_ = kernel, vectors, vectors.shape[1]
    model.dual_coef_, model.intercept_ = np.atleast_2d(beta), np.atleast_1d(intercept)
    if n_support is not None:
        model.n_support_ = np.array(n_support, np.int32)
    if classes is not None:
        model.classes_ = np.array(classes)
        several = n_support is not None and isinstance(model, SVC)
        k = len(n_support) if several else 2
        if model.classes_.shape != (k,) or model.intercept_.shape != (k * (k - 1) // 2,):
            raise ValueError(f"expected {'as many' if several else 'two'} classes, got {classes!r}")
        if several and (beta.shape[0] != k - 1 or sum(n_support) != beta.shape[1]):
            raise ValueError(f"expected {k - 1} coefficients for each of {sum(n_support)} support vectors")
    return model


def _plain(value):
    """A number of numpy as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} has no form in JSON")


def _entry(head, name):
    if name not in head:
        raise ValueError(f"expected a line that begins with {name!r} before the support vectors, found none")
    return head[name]


def _one_of(head, name, known):
    text, number = _entry(head, name)
    if text not in known:
        raise ValueError(f"line {number}: expected {name} to be one of {', '.join(known)}, got {text!r}")
    return known[text]


def _number(head, name, kind):
    text, number = _entry(head, name)
    try:
        return kind(text)
    except ValueError as error:
        raise ValueError(f"line {number}: expected a number after {name}, got {text!r}") from error


def _vectors(lines, start, n_features):
    """beta (n,) and the support vectors (n, d) below line `start`."""
    rows = [(number, line.split()) for number, line in enumerate(lines[start:], start + 1) if line.strip()]
    entries = []
    for number, (_, *cells) in rows:
        try:
            entries.append([(int(index), float(value)) for index, value in (cell.split(":") for cell in cells)])
        except ValueError as error:
            raise ValueError(f"line {number}: expected cells index:value, got {' '.join(cells)!r}") from error
        if any(index < 1 for index, _ in entries[-1]):
            raise ValueError(f"line {number}: expected indices from 1 on")
    width = max([index for row in entries for index, _ in row], default=1)
    if n_features is not None and n_features < width:
        raise ValueError(f"expected at least {width} features, as the file has, got n_features={n_features}")
    vectors = np.zeros((len(rows), n_features or width))
    for vector, row in zip(vectors, entries, strict=True):
        for index, value in row:
            vector[index - 1] = value
    try:
        return np.array([float(cells[0]) for _, cells in rows]), vectors
    except ValueError as error:
        raise ValueError(f"expected a number before the cells of each support vector: {error}") from error
