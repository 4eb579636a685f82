"""A Python snippet that reproduces what the page shows, with svmcore alone. A test runs every kind of it."""

from pages.shared.choices import NO_OUTLIERS, OWN, Data, Machine, Setting
from pages.shared.study import TOLERANCE
from svmcore import kernels


def code(data: Data, machine: Machine, setting: Setting, stem="points") -> str:
    """Source text that prints the training error, the test error, the support vectors and the dual objective.

    Points that no problem can draw, brought by the reader or edited by hand, come from the file "`stem`.csv" that
    `export` offers beside it.
    """
    by_hand = data.problem == OWN or bool(data.edits.edits)
    lines = list(_from_file(data, stem) if by_hand else _drawn(data))
    X, y = ("X", "y") if by_hand else ("problem.X", "problem.y")
    lines += [
        f"model = SVC({', '.join(_arguments(machine, setting))})",
        f"model.fit({X}, {y})",
        "",
        f'print("training error", 1 - model.score({X}, {y}))',
    ]
    if data.problem != OWN:
        lines.append('print("test error", 1 - model.score(problem.X_test, problem.y_test))')
    elif dict(data.options).get("hold_out"):
        lines.append('print("test error", 1 - model.score(X_test, y_test))')
    lines += [
        'print("support vectors", len(model.support_))',
        'print("objective", model.objective_, "violation", model.violation_, model.status_)',
    ]
    return "\n".join(lines) + "\n"


def _drawn(data):
    """The problem as it is drawn, with its outliers."""
    changed = data.contamination != NO_OUTLIERS and data.amount and data.on
    yield f"from svmcore import SVC, {'outliers, ' if changed or not data.on else ''}problems"
    yield ""
    yield _load(data)
    if changed:
        yield f"problem = outliers.{data.contamination}(problem, {data.amount!r}, seed={data.seed})"
    elif not data.on:
        yield "problem = outliers.without(problem)"


def _from_file(data, stem):
    """The points as they stand on the page, and what there is to test on."""
    yield "import numpy as np"
    yield ""
    yield "from svmcore import SVC" if data.problem == OWN else "from svmcore import SVC, problems"
    yield ""
    yield f'points = np.genfromtxt("{stem}.csv", delimiter=",", names=True)  # "Points (CSV)"'
    yield 'X, y = np.column_stack([points["x1"], points["x2"]]), points["y"]'
    if data.problem != OWN:
        yield f"{_load(data)}  # to test on"
    elif dict(data.options).get("hold_out"):
        yield f'test = np.genfromtxt("{stem}-test.csv", delimiter=",", names=True, ndmin=1)  # "Test points (CSV)"'
        yield 'X_test, y_test = np.column_stack([test["x1"], test["x2"]]), test["y"]'


def _load(data):
    options = "".join(f", {name}={value!r}" for name, value in data.options)
    return f"problem = problems.load({data.problem!r}, seed={data.seed}{options})"


def _arguments(machine, setting):
    yield f"loss={machine.loss!r}"
    if machine.params:
        yield f"loss_params={dict(machine.params)!r}"
    yield f"C={setting.C!r}"
    yield f"kernel={setting.kernel!r}"
    parameters = kernels.KERNELS[setting.kernel].parameters
    if "gamma" in parameters:
        yield f"gamma=1 / {setting.sigma!r} ** 2"
    if "degree" in parameters:
        yield f"degree={setting.degree!r}"
    if "coef0" in parameters:
        yield f"coef0={setting.coef0!r}"
    yield f"tol={TOLERANCE!r}"
