"""A Python snippet that reproduces what the page shows, with svmcore alone. A test runs every kind of it."""

from pages.shared.choices import NO_OUTLIERS, Data, Machine, Setting
from pages.shared.study import TOLERANCE
from svmcore import kernels


def code(data: Data, machine: Machine, setting: Setting) -> str:
    """Source text that prints the training error, the test error, the support vectors and the dual objective."""
    changed = data.contamination != NO_OUTLIERS and data.amount and data.on
    lines = [f"from svmcore import SVC, {'outliers, ' if changed or not data.on else ''}problems", ""]
    options = "".join(f", {name}={value!r}" for name, value in data.options)
    lines.append(f"problem = problems.load({data.problem!r}, seed={data.seed}{options})")
    if changed:
        lines.append(f"problem = outliers.{data.contamination}(problem, {data.amount!r}, seed={data.seed})")
    elif not data.on:
        lines.append("problem = outliers.without(problem)")
    lines += [
        f"model = SVC({', '.join(_arguments(machine, setting))})",
        "model.fit(problem.X, problem.y)",
        "",
        'print("training error", 1 - model.score(problem.X, problem.y))',
        'print("test error", 1 - model.score(problem.X_test, problem.y_test))',
        'print("support vectors", len(model.support_))',
        'print("objective", model.objective_, "violation", model.violation_, model.status_)',
    ]
    return "\n".join(lines) + "\n"


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
