"""The app in plain Streamlit: what it shows is what its machine computed."""

import base64
from pathlib import Path

import numpy as np
import plotly.io
import pytest
from sources import imports
from streamlit.testing.v1 import AppTest

from svmcore import SVC, problems

MOONS = problems.load("moons")
FILE = Path(__file__).parents[1] / "docs" / "plain.py"


@pytest.fixture(scope="module")
def screen():
    """The page after the slider was moved to C = 100."""
    app = AppTest.from_file(str(FILE), default_timeout=60).run()
    app = app.slider(key="C").set_value(2.0).run()
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def machine():
    return SVC(C=100.0, gamma=1 / MOONS.sigma**2).fit(MOONS.X, MOONS.y)


@pytest.fixture(scope="module")
def traces(screen):
    """{name: trace} of the picture."""
    return {trace.name: trace for trace in plotly.io.from_json(screen.get("plotly_chart")[0].proto.spec).data}


def numbers(packed):
    """The array that Plotly packed as base64."""
    values = np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])
    return values.reshape([int(n) for n in str(packed.get("shape", -1)).split(",")])


@pytest.mark.parametrize("level, dash", [(-1, "dash"), (0, "solid"), (1, "dash")])
def test_the_lines_are_those_of_the_fitted_machine(traces, machine, level, dash):
    (trace,) = (t for t in traces.values() if t.type == "contour" and t.contours.value == level)
    points = np.stack(np.meshgrid(numbers(trace.x), numbers(trace.y)), -1).reshape(-1, 2)
    f = numbers(trace.z)
    assert f.ravel() == pytest.approx(machine.decision_function(points))
    assert trace.line.dash == dash and trace.name.endswith({-1: "f = −1", 0: "f = 0", 1: "f = +1"}[level])
    assert f.min() < level < f.max()


def test_the_area_of_a_point_is_its_share_of_the_bound(traces, machine):
    share = np.zeros(len(MOONS.y))
    share[machine.support_] = np.abs(machine.dual_coef_[0]) / machine.C
    for label in 1, -1:
        trace, mine = traces[f"y = {label:+d}"], MOONS.y == label
        assert np.array_equal(np.transpose([numbers(trace.x), numbers(trace.y)]), MOONS.X[mine])
        assert numbers(trace.marker.size) == pytest.approx(share[mine]) and trace.marker.sizemode == "area"


def test_the_sentence_has_the_numbers_of_the_machine(screen, machine):
    errors = 1 - machine.score(MOONS.X_test, MOONS.y_test)
    sentence = screen.markdown[0].value
    for fact in f"{len(machine.support_)} support vectors", f"{errors:.1%}", machine.status_:
        assert fact in sentence


def test_it_is_short_and_needs_nothing_of_the_app():
    assert len(FILE.read_text(encoding="utf-8").splitlines()) <= 60
    modules = {name.partition(".")[0] for name in imports(FILE)}
    assert modules == {"sys", "pathlib", "numpy", "plotly", "streamlit", "svmcore"}
