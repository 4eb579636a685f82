"""The surface of f and the lift: heights, levels and the plane that cuts the paraboloid, against the machine."""

import numpy as np
import pytest

from pages.shared.figures import surface
from pages.shared.live import pictures
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import classification
from pages.shared.studies.source import Source

DATA = Data("circles", 0, ())
QUADRATIC = Setting(10.0, "poly", 2.0, 2, 1.0)


def drawn(setting, data=DATA):
    shown = pictures.playground(Source(), pictures.Screen(data, (Machine("hinge"),), setting), surface=True)
    return shown.studies[0], shown.figures


def by_name(figure):
    return {trace["name"]: trace for trace in figure.traces}


def test_the_surface_is_f_and_the_points_stand_at_their_labels():
    study, figures = drawn(Setting(10.0, "rbf", 0.5))
    assert "lift" not in figures
    traces = by_name(figures["surface"])
    assert np.allclose(traces["surface"]["z"], np.clip(study.field.f, -surface.TALL, surface.TALL))
    levels = traces["surface"]["contours"]["z"]
    assert (levels["start"], levels["end"], levels["size"]) == (-1, 1, 1)
    for label in (1, -1):
        dots = traces[f"points {label:+d}"]
        assert set(dots["z"]) == {label} and len(dots["x"]) == np.sum(study.points.y == label)


def test_the_machine_of_two_circles_is_a_plane_that_cuts_the_paraboloid_and_no_other_is():
    study, figures = drawn(QUADRATIC)
    traces = by_name(figures["lift"])
    bowl, cut = traces["paraboloid"]["z"], traces["cut"]["z"]
    colours, scale = traces["paraboloid"]["surfacecolor"], traces["paraboloid"]["colorscale"]
    assert np.array_equal(np.sign(colours), np.sign(study.field.f)) and np.abs(colours).max() <= 2.0
    assert [place for place, _ in scale] == [0.0, 0.5, 1.0]
    assert -traces["paraboloid"]["cmin"] == traces["paraboloid"]["cmax"] == 2.0
    across, up = np.meshgrid(study.field.xs, study.field.ys)
    assert np.allclose(bowl, across**2 + up**2, atol=1e-5)
    top, t = bowl.max(), classification.curvature(study, QUADRATIC)
    seen = (cut > -0.19 * top) & (cut < 1.19 * top)
    assert np.allclose(((bowl - cut) * t)[seen], study.field.f[seen], atol=1e-3 * np.abs(study.field.f).max())
    columns = np.column_stack([across[seen], up[seen], np.ones(seen.sum())])
    plane = columns @ np.linalg.lstsq(columns, cut[seen], rcond=None)[0]
    assert np.abs(plane - cut[seen]).max() < 0.2 * top
    for label in (1, -1):
        dots = traces[f"points {label:+d}"]
        assert np.allclose(dots["z"], dots["x"] ** 2 + dots["y"] ** 2)
    ends = np.array([-0.1, 0.0, 0.1])
    values = study.values_on(ends, ends)
    laplacian = (values[1, 0] + values[1, 2] + values[0, 1] + values[2, 1] - 4 * values[1, 1]) / 0.1**2
    assert t == pytest.approx(laplacian / 4, rel=1e-6)
    assert "lift" not in drawn(QUADRATIC._replace(degree=3))[1]
