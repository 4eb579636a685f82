"""A Python snippet that reproduces what the page shows, with svmcore alone. A test runs every kind of it."""

from pages.shared.choices import NO_OUTLIERS, Data, Machine, Setting
from pages.shared.study import TOLERANCE
from svmcore import kernels


def code(data: Data, machine: Machine, setting: Setting, unit=1.0) -> str:
    """Source text that prints the training error, the test error, the support vectors and the dual objective.

    `unit` is what a machine of regression counts y in (`regression_study`).
    """
    if data.task == "regression":
        return _regression(data, machine, setting, unit)
    changed = data.contamination != NO_OUTLIERS and data.amount and data.on
    lines = [f"from svmcore import SVC, {'outliers, ' if changed or not data.on else ''}problems", ""]
    lines.append(_load(data))
    if changed:
        lines.append(f"problem = outliers.{data.contamination}(problem, {data.amount!r}, seed={data.seed})")
    elif not data.on:
        lines.append("problem = outliers.without(problem)")
    lines += [
        f"model = SVC({', '.join([*_loss(machine), *_arguments(setting)])})",
        "model.fit(problem.X, problem.y)",
        "",
        'print("training error", 1 - model.score(problem.X, problem.y))',
        'print("test error", 1 - model.score(problem.X_test, problem.y_test))',
        *_closing(),
    ]
    return "\n".join(lines) + "\n"


def _regression(data, machine, setting, unit):
    parameters = [f"loss={machine.loss!r}", *(f"{name}={value!r}" for name, value in machine.params)]
    scaled, back = (" / unit", "unit * ") if unit != 1.0 else ("", "")
    lines = [
        "import numpy as np",
        "",
        "from svmcore import SVR, problems",
        "",
        _load(data),
        *([f"unit = {unit!r}  # what the machine counts y in"] if scaled else []),
        f"model = SVR({', '.join([*parameters, *_arguments(setting)])})",
        f"model.fit(problem.X, problem.y{scaled})",
        "",
        'for name, X, y in (("training", problem.X, problem.y), ("test", problem.X_test, problem.y_test)):',
        f'    print(name, "RMSE", np.sqrt(np.mean((y - {back}model.predict(X)) ** 2)))',
        *_closing(),
    ]
    return "\n".join(lines) + "\n"


def _load(data):
    options = "".join(f", {name}={value!r}" for name, value in data.options)
    return f"problem = problems.load({data.problem!r}, seed={data.seed}{options})"


def _closing():
    yield 'print("support vectors", len(model.support_))'
    yield 'print("objective", model.objective_, "violation", model.violation_, model.status_)'


def _loss(machine):
    yield f"loss={machine.loss!r}"
    if machine.params:
        yield f"loss_params={dict(machine.params)!r}"


def _arguments(setting):
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
