"""Live pictures: a machine and its points as one HTML file that computes, without a server and without a network.

    from svmcore import SVC, live
    model = SVC(loss="hinge", C=10.0).fit(X, y)
    live.html(model, X, y)                     in a notebook the picture shows itself
    live.html(model, X, y).save("picture.html")

In the file points can be dragged, added, flipped and deleted, and the settings changed; the machine is fitted again in
the browser, by the dual with four vectors of `svmcore.duals`. The script of the file is `live.js` beside this module,
which the project makes of the sources of its app.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from svmcore import duals, grid, losses
from svmcore.estimators import SVC
from svmcore.finite import is_finite

KERNELS = ("linear", "poly", "rbf")
SETTING = ("C", "kernel", "sigma", "degree", "coef0")
MAY = ("points", "machine", "parameters", "C", "kernel")  # what a reader of the file may change
MOST_POINTS = 1000  # a Gram matrix of eight megabytes, fitted while a hand waits
MOST_MACHINES = 4
HEIGHT = 760  # pixels of the frame in a notebook
SCRIPT = Path(__file__).with_name("live.js")
ALONE = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


class Words(NamedTuple):
    """The texts around a picture: a title, a question with its answer behind a button, and the address of the app with
    this screen. Texts may have **strong** and *stressed* words and [links](https://...); an empty one is left out.
    """

    title: str = ""
    question: str = ""
    answer: str = ""
    link: str = ""


NO_WORDS = Words()


class Scene(NamedTuple):
    """The content of a live picture.

    base: columns ids, x, y, label (-1 or 1), mark (an outlier) and clean (the label before it was made an outlier),
    lists of one length. machines: {"loss": key, "params": {name: value}} each. setting: C, kernel, sigma, which
    is gamma^(-1/2), degree, coef0. view: {"x": (left, right), "y": (low, high)}. step: the powers of ten that
    places are multiples of. edits: rows (id, flags, x, y) as the app has them. classes: {label: name}, those of -1 and
    1. features: the names of both, none for x1 and x2.
    """

    base: Mapping[str, Sequence]
    machines: Sequence[Mapping[str, Any]]
    setting: Mapping[str, Any]
    view: Mapping[str, tuple[float, float]]
    step: tuple[int, int]
    edits: Sequence[Sequence[int]] = ()
    classes: Mapping[int, str] = {1: "+1", -1: "−1"}
    features: Sequence[str] = ()


class Live(str):
    """The text of the file."""

    def save(self, path) -> Path:
        """Write the file; returns its path."""
        Path(path).write_text(self, encoding="utf-8")
        return Path(path)

    def _repr_html_(self) -> str:
        """The picture in a frame, for a notebook."""
        look = f'title="Support vector machine, live" style="width: 100%; height: {HEIGHT}px; border: 0"'
        return f'<iframe {look} srcdoc="{escape(self)}"></iframe>'


def html(model, X, y, *, words=NO_WORDS, may=MAY) -> Live:
    """The live picture of an `SVC` that was fitted to X (N, 2), y (N,) without sample weights.

    may: which of `MAY` a reader can change. Raises ValueError, in a sentence, for what a file does not have: another
    loss than those of `svmcore.duals.DUALS`, another kernel than those of `KERNELS`, not two features, more than
    `MOST_POINTS` points.
    """
    if not isinstance(model, SVC) or not hasattr(model, "kernel_"):
        raise ValueError(f"html needs an SVC after its fit(X, y), got {model!r}")
    if len(model.classes_) != 2 or model.class_weight is not None or not math.isfinite(model.C):
        raise ValueError("a live picture has two classes, one finite C and no class weights; fit such an SVC")
    X, y = np.asarray(X, float), np.asarray(y)
    if X.ndim != 2 or X.shape[1] != 2 or len(y) != len(X) or not is_finite(X):
        raise ValueError(f"a live picture shows points of the plane: X of shape (n, 2) and n labels, got {X.shape}")
    if X.shape != model.shape_fit_:
        raise ValueError(f"html needs the points of the fit, {model.shape_fit_[0]} of them, got {len(X)}")
    unknown = set(np.unique(y).tolist()) - set(model.classes_.tolist())
    if unknown:
        raise ValueError(
            f"the machine was fitted to the classes {model.classes_.tolist()}, y has also {sorted(unknown)}"
        )
    label = np.where(y == model.classes_[1], 1, -1)
    kernel = model.kernel_
    scene = Scene(
        base=columns(X, label),
        machines=[{"loss": model.loss, "params": losses.get(model.loss).check(**(model.loss_params or {}))}],
        setting={
            "C": float(model.C),
            "kernel": kernel.name,
            "sigma": float(kernel.gamma) ** -0.5,
            "degree": int(kernel.degree),
            "coef0": float(kernel.coef0),
        },
        view=view(X),
        step=step(X),
        classes=names(model.classes_),
        features=[str(name).replace("<", "‹") for name in getattr(model, "feature_names_in_", ())],
    )
    return page(scene, words, may)


def page(scene: Scene, words: Words = NO_WORDS, may: Sequence[str] = MAY, script: str | None = None) -> Live:
    """The file of a scene. `script` is the address of `live.js` for pages that share it; by default the file holds it.

    Raises ValueError, in a sentence, for what the script does not have.
    """
    unknown = [name for name in may if name not in MAY]
    if unknown:
        raise ValueError(f"a reader may change {', '.join(MAY)}, got {', '.join(map(repr, unknown))}")
    keys = [machine["loss"] for machine in scene.machines]
    sentence = refusal(keys, scene.setting["kernel"], len(scene.base["ids"]))
    if sentence:
        raise ValueError(sentence)
    title = words.title or "Support vector machine, live"
    spec = {**scene._asdict(), **words._asdict(), "may": list(may)}
    data = json.dumps(spec, ensure_ascii=False, default=_plain, allow_nan=False).replace("<", "\\u003c")
    guard = "" if script else f'<meta http-equiv="Content-Security-Policy" content="{ALONE}">\n'
    code = f'<script src="{escape(script)}"></script>' if script else f"<script>\n{source()}</script>"
    return Live(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n{guard}'
        f"<title>{escape(title)}</title>\n</head>\n<body>\n"
        f'<main class="live-file">\n<script type="application/json">{data}</script>\n'
        "<noscript>This picture computes in the browser: allow scripts to see it.</noscript>\n</main>\n"
        f"{code}\n</body>\n</html>\n"
    )


@lru_cache(1)
def source() -> str:
    return SCRIPT.read_text(encoding="utf-8")


def refusal(keys, kernel, n) -> str:
    """The reason why these losses and this kernel on n points cannot be in a file, as a sentence; "" if they can."""
    strange = [losses.get(key).machine for key in keys if key not in duals.DUALS]
    if strange:
        machines = ", ".join(losses.get(key).machine for key in duals.DUALS)
        return f"A live file has the machines {machines}, not {', '.join(strange)}."
    if kernel not in KERNELS:
        return f"A live file has the kernels {', '.join(KERNELS)}, not {kernel}."
    if not 0 < len(keys) <= MOST_MACHINES:
        return f"A live file has one to {MOST_MACHINES} machines, not {len(keys)}; leave some out."
    if n > MOST_POINTS:
        return f"A live file has at most {MOST_POINTS} points, not {n}; choose fewer."
    return ""


def columns(X, label, ids=None, mark=None, clean=None) -> dict[str, list]:
    """The points of a `Scene`: X (N, 2), label (N,) and what is known of them besides, (N,) each."""
    n = len(X)
    given = {"ids": ids, "x": X[:, 0], "y": X[:, 1], "label": label, "mark": mark, "clean": clean}
    usual = {"ids": np.arange(n), "mark": np.zeros(n, bool), "clean": label}
    return {name: np.asarray(usual[name] if values is None else values).tolist() for name, values in given.items()}


def view(X) -> dict[str, tuple[float, float]]:
    """A square around the points X (N, 2), as the view of a `Scene`."""
    xs, ys = grid.axes(X, 2)
    return {"x": (float(xs[0]), float(xs[-1])), "y": (float(ys[0]), float(ys[-1]))}


def step(X) -> tuple[int, int]:
    """The power of ten that divides the span of X (N, 2) into a thousand to ten thousand steps, for both axes."""
    span, reach = float(np.ptp(X, axis=0).max()), float(np.abs(X).max())
    power = math.floor(math.log10(span / 1000)) if span > 0 else -3
    if reach > 0:
        power = max(power, math.floor(math.log10(reach)) - 8)  # a place has to be a whole number of 31 bits
    return power, power


def names(classes) -> dict[int, str]:
    """The names of two classes, {1: that of the second, -1: that of the first}: "+1", or "+1 (yes)" for a label "yes",
    as in the app, since sentences say +1 and −1."""
    first, second = np.asarray(classes).tolist()
    return {
        sign: name if label == sign else f"{name} ({label})"
        for sign, name, label in ((1, "+1", second), (-1, "−1", first))
    }


def _plain(value):
    """A number of NumPy, which JSON does not know, as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written to a live file")
