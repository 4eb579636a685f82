"""Small multiples on Playground: each plane is the machine with its C and sigma, also while something moves."""

import numpy as np
import pytest
from screen import healthy, open_page, pictures, traces

from pages.shared.live import pictures as live_pictures
from pages.shared.screen import schema
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import classification
from pages.shared.studies.source import Source

DATA, MACHINE = Data("moons", 0, (("n", 40), ("noise", 0.2))), Machine("hinge")


def test_the_settings_are_around_that_of_the_page():
    middle = Setting(3.0, "rbf", 0.7)
    found = live_pictures.settings_around(middle)
    assert len(found) == 25 and found["cell-2-2"] == middle
    assert (found["cell-0-4"].C, found["cell-0-4"].sigma) == pytest.approx((300.0, 0.175))
    ends = live_pictures.settings_around(Setting(1e6, "linear", 1.0))
    assert len(ends) == 5 and ends["cell-0-4"].C == schema.C.high


@pytest.mark.parametrize("moving", [False, True])
def test_a_plane_is_the_machine_with_its_setting(moving):
    source, screen = Source(), live_pictures.Screen(DATA, (MACHINE,), Setting(1.0, "rbf", 0.7))
    drawn = live_pictures.playground_multiples(source, screen, moving)
    assert len(drawn.figures) == 25 + len(live_pictures.playground(source, screen, moving).figures)
    problem, (xs, ys) = source.problem(DATA), source.view(DATA, live_pictures.THUMBNAIL)
    for key, setting in live_pictures.settings_around(screen.setting).items():
        model = classification.estimator(MACHINE, setting).fit(problem.X, problem.y)
        places = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        (field,) = (trace for trace in drawn.figures[key].traces if trace["name"] == "field")
        assert np.allclose(field["z"], model.decision_function(places).reshape(len(ys), len(xs)), atol=2e-3)


@pytest.mark.usefixtures("warm")
def test_a_link_opens_them_and_a_name_opens_one():
    link = dict(problem="moons", n="40")
    app = healthy(open_page("pages/playground.py", **link))
    assert "cell-0-0" not in pictures(app) and "multiples" not in app.query_params
    app = healthy(open_page("pages/playground.py", **link, multiples="true"))
    assert len([name for name in pictures(app) if name.startswith("cell-")]) == 25
    assert (
        "C = 10, σ = 1.4" in (names := [b.label for b in app.button if b.key.startswith("open-")]) and len(names) == 25
    )
    app.button(key="open-cell-3-3").click().run()
    assert (app.query_params["C"], app.query_params["sigma"]) == ("10", "1.4")
    assert app.button(key="open-cell-2-2").disabled and np.allclose(
        traces(app, "cell-2-2")["field"]["z"][0][0], traces(app, "plane")["field"]["z"][0][0]
    )
