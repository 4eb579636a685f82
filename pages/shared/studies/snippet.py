"""A Python snippet that reproduces the numbers of a page with svmcore alone. A test runs every kind of snippet."""

from pages.shared.screen.choices import NO_OUTLIERS, OWN, Data, Machine, Setting
from pages.shared.studies.study import TOLERANCE
from svmcore import kernels

ENDING = (
    'print("support vectors", len(model.support_))',
    'print("objective", model.objective_, "violation", model.violation_, model.status_)',
)


def code(data: Data, machine: Machine, setting: Setting, unit=1.0, stem="points") -> str:
    """Source text that prints the training error, the test error, the support vectors and the objective.

    `unit` is the unit of y in a regression (`studies.regression`). Points that cannot be drawn, because the reader
    loaded or edited them, come from the file "`stem`.csv", one of the downloads of `export`.
    """
    by_hand = data.problem == OWN or bool(data.edits.edits)
    train = ("X", "y") if by_hand else ("problem.X", "problem.y")
    test = ("X_test", "y_test") if data.problem == OWN else ("problem.X_test", "problem.y_test")
    tested = data.problem != OWN or _held_out(data)
    lines = [
        *(_from_file(data, stem) if by_hand else _drawn_problem(data)),
        *MACHINES[data.task](machine, setting, unit, train, test if tested else None),
    ]
    return "\n".join([*_imports("\n".join(lines)), "", *lines]) + "\n"


# --------------------------------------------------------------------------------------- the points


def _imports(source):
    """The imports of what the source text uses."""
    if "np." in source:
        yield "import numpy as np"
        yield ""
    if "OneVsRestClassifier(" in source:
        yield "from sklearn.multiclass import OneVsRestClassifier"
    used = {"SVC": "SVC(", "SVR": "SVR(", "problems": "= problems."}
    yield f"from svmcore import {', '.join(name for name, sign in used.items() if sign in source)}"
    if "= outliers." in source:
        yield "from svmcore.problems import outliers"


def _drawn_problem(data):
    yield _load(data)
    if data.contamination != NO_OUTLIERS and data.amount and data.on:
        yield f"problem = outliers.{data.contamination}(problem, {data.amount!r}, seed={data.seed})"
    elif not data.on:
        yield "problem = outliers.without_outliers(problem)"


def _from_file(data, stem):
    """The points as shown on the page, and the test points."""
    yield f'points = np.genfromtxt("{stem}.csv", delimiter=",", names=True)  # "Points (CSV)"'
    yield f'X, y = {_inputs("points", data.n_inputs)}, points["y"]'
    if data.problem != OWN:
        yield f"{_load(data)}  # for testing"
    elif _held_out(data):
        yield f'test = np.genfromtxt("{stem}-test.csv", delimiter=",", names=True, ndmin=1)  # "Test points (CSV)"'
        yield f'X_test, y_test = {_inputs("test", data.n_inputs)}, test["y"]'


def _inputs(table, d):
    if d == 1:
        return f'{table}["x1"][:, None]'
    columns = f'{table}["x1"], {table}["x2"]' if d == 2 else f'{table}[f"x{{k}}"] for k in range(1, {d + 1})'
    return f"np.column_stack([{columns}])"


def _load(data):
    options = "".join(f", {name}={value!r}" for name, value in data.options)
    return f"problem = problems.load({data.problem!r}, seed={data.seed}{options})"


def _held_out(data):
    return dict(data.options).get("hold_out")


# -------------------------------------------------------------------------------------- the machine


def _classification(machine, setting, unit, train, test):
    yield f"model = {_classifier(machine, setting)}"
    yield from _errors(train, test)
    yield from ENDING


def _one_vs_rest(machine, setting, unit, train, test):
    yield f"model = OneVsRestClassifier({_classifier(machine, setting)})"
    yield from _errors(train, test)
    yield "for kind, machine in zip(model.classes_, model.estimators_):"
    yield '    print("class", kind, "against the rest:", len(machine.support_), "support vectors,", machine.status_)'


def _classifier(machine, setting):
    params = [f"loss_params={dict(machine.params)!r}"] if machine.params else []
    return f"SVC({', '.join([f'loss={machine.loss!r}', *params, *_arguments(setting)])})"


def _errors(train, test):
    yield f"model.fit({', '.join(train)})"
    yield ""
    yield f'print("training error", 1 - model.score({", ".join(train)}))'
    if test:
        yield f'print("test error", 1 - model.score({", ".join(test)}))'


def _regression(machine, setting, unit, train, test):
    parameters = [f"{name}={value!r}" for name, value in machine.for_curves.items()]
    scaled, back = (" / unit", "unit * ") if unit != 1.0 else ("", "")
    if scaled:
        yield f"unit = {unit!r}  # of y in the machine"
    yield f"model = SVR({', '.join([*parameters, *_arguments(setting)])})"
    yield f"model.fit({', '.join(train)}{scaled})"
    yield ""
    yield f'for name, X, y in (("training", {", ".join(train)}), ("test", {", ".join(test)})):'
    yield f'    print(name, "RMSE", np.sqrt(np.mean((y - {back}model.predict(X)) ** 2)))'
    yield from ENDING


def _arguments(setting):
    yield f"C={setting.C!r}"
    yield f"kernel={setting.kernel!r}"
    for name in kernels.KERNELS[setting.kernel].parameters:
        yield f"gamma=1 / {setting.sigma!r} ** 2" if name == "gamma" else f"{name}={getattr(setting, name)!r}"
    yield f"tol={TOLERANCE!r}"


MACHINES = {"classification": _classification, "regression": _regression, "multiclass": _one_vs_rest}
