"""The script of a live file: the JavaScript of the plane, a solver, and what svmcore says of losses and kernels.

It is made by plain concatenation (`js_bundle`), the same to the byte from the same sources. `python -m docs` writes it
to `svmcore/live/live.js`, so that svmcore needs nothing of the app; a test compares the two.
"""

import json
import re
from pathlib import Path

import numpy as np

from pages.shared.figures import palette
from pages.shared.figures.plane import plane_figure
from pages.shared.screen import schema
from pages.shared.server import js_bundle
from pages.shared.studies.arrays import Field, Points
from svmcore import duals, live, losses
from svmcore.kernels import KERNELS
from svmcore.status import Status
from svmcore.words import spell

FOLDER = Path(__file__).parents[1] / "pages" / "shared" / "plane" / "live_file"
ENTRY = FOLDER / "page.js"
TEXTS = ("web/plane.html", "web/editing/toolbar.html", "web/plane.css")
TEXTS += ("live_file/live_file.html", "live_file/live_file.css")
HEAD = "// SVM Lab: live pictures. BSD-3-Clause. The sources are in pages/shared/plane."
FIELDS = {"gamma": "sigma", "degree": "degree", "coef0": "coef0"}  # of the parameters of a kernel
STATUSES = ("CONVERGED", "ITERATION_LIMIT", "ROUNDING", "UNBOUNDED", "STATIONARY", "WIDE_GAP")  # of live_file
SPECIAL = ("ghost", "outliers", "off")  # what is not in every picture, in the order of figure.js
LEFT_OUT = ("x", "y", "z", "customdata", "text", "hovertext", "hovertemplate")  # of a trace: what each picture has anew
# What only the app has, reduced to what a plane needs of it.
ABSENT = {
    "answer_drawing": "export class AnswerDrawing {}\n",
    "drag_handle": "export class DragHandle {}\n",
    "playback": "export const enableScrubbing = undefined;\nexport class Playback {\nfollow() {} markAgain() {} "
    "hold(id) { this.heldPoint = id; } traces(data) { return data; }\n}\n",
    "presenter": "export const enlargement = () => 1;\nexport const enlarge = (figure) => figure;\n",
    "live": "export const live = {};\n",
    # the points of two files have no names that differ
    "history": "export const recallHistory = () => {};\nexport const rememberHistory = () => {};\n",
}
_LINE = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_BLOCK = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def script() -> str:
    """The script, which opens the pictures of the page that loads it; without the comments of its sources."""
    modules = {name: _short(text) for name, text in js_bundle.reachable_modules(ENTRY, ABSENT).items()}
    paths = [FOLDER.parent / name for name in TEXTS]
    files = {path.name: _INDENT.sub("", path.read_text(encoding="utf-8")) for path in paths}
    data = json.dumps(_data(), ensure_ascii=False, separators=(",", ":"))
    whole = js_bundle.join_modules(modules, files).replace('"__DATA__"', data)
    return f"{HEAD}\n(() => {{\n{whole}\n$page.openPictures();\n}})();\n"


def _short(text):
    return _INDENT.sub("", _BLOCK.sub("", _LINE.sub("", text)))


def _data():
    return {
        "losses": [_loss(losses.get(key)) for key in duals.DUALS],
        "kernels": [
            {"key": key, "label": KERNELS[key].label, "fields": [FIELDS[name] for name in KERNELS[key].parameters]}
            for key in live.KERNELS
        ],
        "statuses": {name: str(Status[name]) for name in STATUSES},
        "themes": palette.THEMES,
        "templates": templates(),
        "fields": {
            "C": _range(schema.C, powers=(-2, 3)),
            "sigma": _range(schema.SIGMA, powers=(-1, 1)),
            "degree": _range(schema.DEGREE, step=1),
            "coef0": _range(schema.COEF0, step=schema.COEF0.step),
        },
    }


def _range(field, **more):
    return {**_labels(field.short or field.label), "low": field.low, "high": field.high, **more}


def _labels(label):
    return {"label": label} | ({"heard": spell(label)} if spell(label) != label else {})


def _loss(loss):
    parameters = [
        {
            "name": p.name,
            **_labels(p.letter),
            **{key: schema.of_parameter(p)[key] for key in ("default", "low", "high")},
        }
        for p in loss.parameters
    ]
    return {"key": loss.key, "machine": loss.machine, "parameters": parameters, "box": box(loss)}


def box(loss) -> dict:
    """The dual of a loss with C = 1, {"low", "high", "curvature": (constant, slope in each of its parameters)}.

    None stands for infinity. ValueError for a loss whose dual is not linear in its parameters.
    """

    def numbers_of(values):
        params = {p.name: value for p, value in zip(loss.parameters, values, strict=True)}
        qp = duals.build(loss, np.array([1.0]), 1.0, **params)
        return np.array([qp.lower[0], qp.upper[0], qp.ridge[0]])

    start, steps = np.full(len(loss.parameters), 0.25), np.eye(len(loss.parameters))
    base = numbers_of(start)
    finite = np.isfinite(base)
    slopes = np.zeros((len(steps), 3))
    for slope, step in zip(slopes, steps, strict=True):
        slope[finite] = 2.0 * (numbers_of(start + 0.5 * step) - base)[finite]
    constants = base - 0.25 * slopes.sum(axis=0)
    for values in (np.full(len(steps), 0.5), np.linspace(0.5, 0.75, len(steps))):
        if not np.allclose((constants + values @ slopes)[finite], numbers_of(values)[finite], rtol=0.0, atol=1e-15):
            raise ValueError(f"the dual of {loss.key} is not linear in its parameters")
    numbers = [(float(constants[k]) if finite[k] else None, *slopes[:, k].tolist()) for k in range(3)]
    return dict(zip(("low", "high", "curvature"), numbers, strict=True))


def templates() -> dict:
    """The parts of a picture that no number changes, alone ("plain") and among several ("compact"): see figure.js."""
    return {"plain": _template(False), "compact": _template(True)}


def _template(compact):
    """The traces and the layout of a picture with everything in it, and its key for each choice of what is special."""
    axis = np.linspace(-1.0, 1.0, 3)
    field = Field(axis, axis, axis[:, None] + axis)
    X, y = np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([-1.0, 1.0])
    off = Points(X, y)

    def figure_with(special, axes=None):
        outlier = np.array([False, "outliers" in special])
        known = dict(alpha=np.ones(2), state=np.ones(2, int), margin=np.ones(2))
        points = Points(X, y, **known, outlier=outlier, ids=np.arange(2))
        options = dict(ghost=field if "ghost" in special else None, off=off if "off" in special else None)
        return plane_figure(field, points, compact=compact, axes=axes, **options)

    def layout_of(figure):
        layout = {key: value for key, value in figure.layout.items() if key not in ("template", "uirevision")}
        return {**layout, "meta": {"layers": True}}

    whole = figure_with(SPECIAL)
    found = {"traces": {trace["name"]: _bare(trace) for trace in whole.traces}, "layout": layout_of(whole)}
    if not compact:
        found["named"] = layout_of(figure_with(SPECIAL, ("x1", "x2")))
        choices = [[name for bit, name in enumerate(SPECIAL) if number & 1 << bit] for number in range(8)]
        layouts = {" ".join(special): figure_with(special).layout for special in choices}
        found["keys"] = {
            key: {"text": given["annotations"][0]["text"], "entries": given["meta"]["key"]}
            for key, given in layouts.items()
        }
    return found


def _bare(trace):
    """The trace without the arrays that each picture has anew."""
    kept = {key: value for key, value in trace.items() if key not in LEFT_OUT}
    if "marker" in kept:
        size = kept["marker"]["size"]
        line = {key: value for key, value in kept["marker"]["line"].items() if np.isscalar(value)}
        kept["marker"] = {**kept["marker"], "size": float(np.asarray(size)[0]), "line": line}
        if not isinstance(kept["marker"]["color"], str):
            del kept["marker"]["color"]
    return kept
