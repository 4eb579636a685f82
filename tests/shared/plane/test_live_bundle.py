"""The script of a live file: it is up to date and small, and its figures are those of the app."""

import dataclasses
import gzip
import json
import math
import re
import subprocess

import numpy as np
import pytest
from javascript import ROOT
from serving import tool

from docs import live_bundle
from pages.shared.figures import marks
from pages.shared.figures.plane import plane_figure
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import classification, live_scene
from pages.shared.studies.source import Source
from svmcore import duals, live, losses

FOLDER = "pages/shared/plane/live_file"
FIGURE, NUMBERS = f"{FOLDER}/figure.js", "pages/shared/plane/web/base/numbers.js"


def test_the_script_of_svmcore_is_made_of_these_sources():
    assert live.source() == live_bundle.script(), "svmcore/live/live.js is stale: run `python -m docs`"


def test_it_is_plain_javascript_without_imports_and_addresses():
    script = live_bundle.script()
    assert not re.findall(r"^\s*(?:import|export)\b", script, re.MULTILINE)
    addresses = set(re.findall(r"https?://[^\s\"'`]+", script))
    assert addresses == {"http://www.w3.org/2000/svg"}, "a name space; nothing is fetched"
    done = subprocess.run([tool("node"), "--check", "-"], input=script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_file_is_small_and_so_is_what_was_written_for_it():
    scene = live_scene.scene(Source(), Data("moons", 0, (("n", 400),)), [Machine("hinge")], Setting(1.0, "rbf", 0.7))
    text = live.page(scene).encode()
    assert len(text) <= 250_000 and len(gzip.compress(text)) <= 80_000
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / FOLDER).glob("*.js"))
    assert lines <= 1500


def test_a_loss_whose_dual_it_cannot_write_is_refused(monkeypatch):
    boxes = {key: live_bundle.box(losses.get(key)) for key in duals.DUALS}
    assert boxes["pinball"] == {"low": (0.0, -1.0), "high": (1.0, 0.0), "curvature": (0.0, 0.0)}
    assert boxes["huber"]["curvature"] == (0.0, 1.0) and boxes["least_squares"]["high"] == (None,)
    both = dataclasses.replace(
        losses.huber, key="both", parameters=(*losses.pinball.parameters, *losses.huber.parameters)
    )
    monkeypatch.setitem(duals.DUALS, "both", lambda y, C, tau, delta: duals._box(y, C, -tau, 1.0, curvature=delta))
    assert live_bundle.box(both) == {"low": (0.0, -1.0, 0.0), "high": (1.0, 0.0, 0.0), "curvature": (0.0, 0.0, 1.0)}
    monkeypatch.setitem(duals.DUALS, "both", lambda y, C, tau, delta: duals._box(y, C, -tau * delta, 1.0))
    with pytest.raises(ValueError, match="the dual of both is not linear in its parameters"):
        live_bundle.box(both)
    monkeypatch.setitem(duals.DUALS, "pinball", lambda y, C, tau: duals._box(y, C, -(tau**2), 1.0))
    with pytest.raises(ValueError, match="not linear in its parameters"):
        live_bundle.box(losses.pinball)


# -------------------------------------------------------------------------------------- pictures


def drawn(compact, outliers, off, axes):
    """A fitted machine of the app: its figure, and the same as the content of figure.js."""
    data = Data("moons", 0, (("n", 40),), "flip_farthest" if outliers else "none", 2 if outliers else 0)
    source, machine, setting = Source(), Machine("pinball", (("tau", 0.3),)), Setting(2.0, "rbf", 0.8)
    study, before = source.fit(data, machine, setting), source.fit_before(data, machine, setting)
    rest = classification.bare(source.problem(data))._replace(ids=np.arange(40)) if off else None
    ghost = before and before.field
    figure = plane_figure(study.field, study.points, ghost=ghost, off=rest, compact=compact, axes=axes)
    points, field = study.points, study.field
    columns = dict(x=points.X[:, 0], y=points.X[:, 1], label=points.y, ids=points.ids, mark=points.outlier)
    content = dict(
        points={name: np.asarray(values).tolist() for name, values in columns.items()},
        off=dict(zip(("x", "y"), rest.X.T.tolist(), strict=True), ids=rest.ids.tolist())
        if off
        else dict(x=[], y=[], ids=[]),
        fit=dict(alpha=points.alpha.tolist(), state=points.state.tolist()),
        field=dict(xs=field.xs.tolist(), ys=field.ys.tolist(), f=field.f.tolist())
        | ({"ghost": ghost.f.tolist()} if ghost else {}),
        largest=marks.largest_alpha(points),
    )
    view = dict(x=[field.xs[0], field.xs[-1]], y=[field.ys[0], field.ys[-1]])
    return figure, content, dict(view=view, compact=compact, features=axes or ())


def plain(value):
    """As JSON has it."""
    return json.loads(json.dumps(value, default=lambda array: array.tolist()))


def alike(mine, theirs):
    if isinstance(theirs, dict):
        return set(mine) == set(theirs) and all(alike(mine[name], theirs[name]) for name in theirs)
    if isinstance(theirs, list):
        return len(mine) == len(theirs) and all(map(alike, mine, theirs))
    if isinstance(theirs, float) and isinstance(mine, (int, float)):
        return math.isclose(mine, theirs, rel_tol=1e-5, abs_tol=1e-6)
    return mine == theirs


@pytest.mark.parametrize(  # each pair of two of them
    "outliers, off, compact, axes",
    [
        (False, False, False, None),
        (True, True, False, ("height [cm]", "weight")),
        (True, False, True, ("a", "b")),
        (False, True, True, None),
    ],
)
def test_its_figures_are_those_of_the_app(modules, outliers, off, compact, axes):
    figure, content, options = drawn(compact, outliers, off, axes)
    templates = live_bundle.templates()
    found = modules.call(FIGURE, "figureOf", plain(templates), plain(content), plain(options))
    texts = ("hovertemplate", "hovertext", "text", "customdata")  # hover boxes are Plotly's
    assert [trace["name"] for trace in found["data"]] == [trace["name"] for trace in figure.traces]
    for mine, theirs in zip(found["data"], plain(figure.traces), strict=True):
        theirs = {name: value for name, value in theirs.items() if name not in texts}
        ids = [row[0] for row in mine.pop("customdata", [])]
        assert alike(mine, theirs), mine["name"]
        assert mine["name"] not in ("points +1", "outliers") or ids
    theirs = plain({name: value for name, value in figure.layout.items() if name not in ("template", "uirevision")})
    assert alike(found["layout"], theirs), (found["layout"], theirs)
    options["classes"] = {1: "+1 (<b>)", -1: "−1 ($&)"}
    named = modules.call(FIGURE, "figureOf", plain(templates), plain(content), plain(options))["layout"]
    key = "".join(note["text"] for note in named.get("annotations", []))
    assert compact or ("class +1 (‹b>)" in key and "class −1 ($&)" in key)


def test_its_numbers_are_written_as_those_of_the_app(modules):
    from svmcore.words import number

    for value in (0.0, 1.0, -12.0, 0.123456, 1234.5, 1.5e-7, -2e9, 175.885, 1e6, 123456.0):
        assert modules.call(NUMBERS, "formatNumber", value, 6) == (number(value, ".6g") if value else "0"), value
    assert modules.call(NUMBERS, "formatNumber", None, 3) == "–"
