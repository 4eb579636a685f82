"""A screen as one JSON document (see pages.shared.files): its points, controls, edits and models. No Streamlit here.

`points` are those that were fitted. `settings` holds the controls by their names in a link, the edits as `codec` writes
them, and under "own" the reader's own points before these edits. `model` names the version, the kernel, and per
machine its alpha, one per point: f(x) = sum_i alpha_i y_i k(x_i, x) + intercept. A machine of regression has beta
instead: f(x) = unit (sum_i beta_i k(x_i, x) + intercept). Of more than two classes there is a machine for each, against
the rest: its y_i is 1 for the points of its "class" and -1 for all others.
"""

import math
from typing import NamedTuple

import numpy as np

import svmcore
from pages.shared.files.document import json_text, read_json
from pages.shared.files.table import LARGEST, MOST_CLASSES, MOST_ROWS, point_columns
from pages.shared.screen import codec, edits, own_points
from pages.shared.screen.choices import MOST_FEATURES
from svmcore import kernels


class Document(NamedTuple):
    """Content of a document: controls by name, edits, and the reader's own points, None for those of a problem."""

    values: dict
    edits: edits.Edits
    points: own_points.Own | None


def text(problem, settings, script, points=None, setting=None, studies=None) -> str:
    """The document of a fitted problem, the controls {name: value}, the edits, own points, and {machine: study}."""
    controls = {**settings, "edits": codec.encode(script)}
    if points is not None:
        controls["own"] = {
            **point_columns(points.X, points.y),
            "features": points.features,
            "classes": points.classes,
            "source": points.source,
        }
    model = {"svmcore": svmcore.__version__}
    if setting:
        parameters = kernels.KERNELS[setting.kernel].parameters
        model |= {
            "C": setting.C,
            "kernel": {"name": setting.kernel, **{name: getattr(setting, name) for name in parameters}},
            "machines": [row for machine, study in (studies or {}).items() for row in _machines(machine, study)],
        }
    return json_text(point_columns(problem.X, problem.y, outlier=problem.outlier, id=problem.ids), controls, model)


def _machines(machine, study):
    """One, or one for each class against the rest."""
    if study.task != "multiclass":
        return [_machine(machine, study)]
    each = zip(study.points.classes, study.machines, strict=True)
    return [{"class": label, **_machine(machine, one)} for label, one in each]


def _machine(machine, study):
    """An infinite bound is left out, because JSON cannot represent it."""
    curve = study.task == "regression"
    values = {"beta": study.points.beta, "unit": study.unit} if curve else {"alpha": study.points.alpha}
    bounds = {name: bound for name, bound in zip(("lower", "upper"), study.bounds, strict=True) if math.isfinite(bound)}
    return {
        "loss": machine.loss,
        "parameters": dict(machine.params),
        "status": study.numbers.status,
        "intercept": study.intercept,
        **bounds,
        **values,
    }


def read(raw: bytes | str) -> Document | None:
    """Read a document that `reading.read_table` has accepted; None for a document of points alone.

    ValueError, in a sentence, where the edits or the own points are damaged. The values of the controls are checked by
    the controls.
    """
    _, settings, _ = read_json((raw if isinstance(raw, str) else raw.decode("utf-8")).removeprefix("\ufeff"))
    if not isinstance(settings.get("problem"), str):
        return None
    script, brought = settings.pop("edits", ""), settings.pop("own", None)
    if not isinstance(script, str):
        raise ValueError('The "edits" of this file are not text; download it again.')
    return Document(settings, codec.decode(script), None if brought is None else _own(brought))


def _own(brought):
    try:
        y = np.array(brought["y"], dtype=float)
        names = [tuple(map(str, brought.get(of, getattr(own_points.EMPTY, of)))) for of in ("features", "classes")]
        features, classes = map(len, names)
        X = np.column_stack([np.array(brought[f"x{k}"], dtype=float) for k in range(1, features + 1)])
        well = 2 <= features <= MOST_FEATURES and 2 <= classes <= MOST_CLASSES
        whole = X.shape == (len(y), features) and well and len(y) <= MOST_ROWS
        good = whole and set(y) in (set(own_points.labels(classes)), set()) and np.all(np.abs(X) <= LARGEST)
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        good = False
    if not good:
        raise ValueError('The points under "own" in this file are damaged; download it again.')
    return own_points.Own(X, y, *names, str(brought.get("source", "")))
