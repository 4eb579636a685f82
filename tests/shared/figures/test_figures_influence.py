"""The heat map: colours are the computed shares on one scale, the cross is at the point, hover and words agree."""

import numpy as np
import pytest
from specimens import markers, trace

from pages.shared.figures import palette
from pages.shared.figures.influence import influence_figure
from pages.shared.figures.plane import plane_figure
from pages.shared.screen.edits import point_name
from pages.shared.studies.arrays import Field, Points
from svmcore.problems import Names

XS, YS = np.linspace(-2, 6, 50), np.linspace(0, 4, 40)


def cloud(n=9):
    rng = np.random.default_rng(0)
    X = np.array([2, 2]) + rng.normal(size=(n, 2))
    return Points(X, np.where(np.arange(n) % 2, 1.0, -1.0), outlier=np.arange(n) == 2)


def slope(cells=8):
    """Shares that grow to the right and, half as fast, upwards; the largest is 0.36."""
    return 0.03 * np.arange(cells)[None, :] + 0.0215 * np.arange(cells)[:, None]


def picture(shares=None, largest=0.5, chosen=3, **options):
    shares = slope() if shares is None else shares
    return influence_figure(boundary(), shares, cloud(), chosen, largest=largest, **options)


def boundary():
    return Field(XS, YS, XS[None, :] - 2 + 0 * YS[:, None])


def test_the_colours_are_the_shares_of_the_cells_and_reach_the_edge_on_an_even_grid():
    heat = trace(picture(), "influence")
    inner = np.asarray(heat.z)[1:-1, 1:-1]
    assert inner == pytest.approx(slope(), abs=1e-7) and heat.z.dtype == np.float32  # row = y, column = x
    assert heat.x[1:-1] == pytest.approx([-1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5])
    assert heat.y[1:-1] == pytest.approx([0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75])
    assert heat.x[0] <= -2 and heat.x[-1] >= 6 and heat.y[0] <= 0 and heat.y[-1] >= 4
    for nodes in (heat.x, heat.y):
        assert np.diff(nodes) == pytest.approx(np.diff(nodes)[0], rel=1e-5)
    z = np.asarray(heat.z)
    assert np.array_equal(z[0], z[1]) and np.array_equal(z[-1], z[-2]) and np.array_equal(z[:, 0], z[:, 1])


def test_one_scale_from_the_page_to_the_darkest_colour_for_all_machines():
    scales = [trace(picture(shares, largest=0.4), "influence") for shares in (slope(), 0.1 * slope())]
    for heat in scales:
        levels = heat.contours
        assert [heat.zmin, heat.zmax] == [0, 0.4] and heat.zauto is False
        assert [levels.start, levels.end, levels.size] == pytest.approx([0.02, 0.38, 0.02])
        assert [tuple(stop) for stop in heat.colorscale] == [
            (0.0, palette.colour("page")),
            (1.0, palette.colour("heat")),
        ]
        assert "coloring" not in levels or levels.coloring != "none"  # a fill, see canvas.js


@pytest.mark.parametrize("largest", [0.0, float("nan")])
def test_a_map_without_any_change_has_a_scale_still(largest):
    heat = trace(picture(np.zeros((8, 8)), largest=largest), "influence")
    assert heat.contours.size > 0 and heat.zmax > 0


@pytest.mark.parametrize("chosen", [0, 3, 8])
@pytest.mark.parametrize("compact", [True, False])
def test_the_cross_is_at_the_chosen_point(chosen, compact):
    figure, (x, y) = picture(chosen=chosen, compact=compact), cloud().X[chosen]
    assert (trace(figure, "chosen").x[0], trace(figure, "chosen").y[0]) == (x, y)
    cross = np.stack([trace(figure, "cross").x, trace(figure, "cross").y], axis=1)
    arms = cross[np.isfinite(cross).all(axis=1)].reshape(4, 2, 2)  # four arms, two ends each
    assert arms.mean(axis=(0, 1)) == pytest.approx([x, y])
    away = arms - [x, y]
    assert np.all(np.min(np.abs(away), axis=2) < 1e-12)  # along the axes
    assert len({tuple(np.sign(np.round(arm.mean(axis=0), 9))) for arm in away}) == 4
    assert np.abs(away).max() == pytest.approx(0.07 * 8) and np.linalg.norm(away, axis=2).min() > 0.02 * 8
    assert not np.isfinite(cross[2::3]).any()  # the pen is lifted between the arms


def test_layers_can_draw_every_trace():
    """What canvas.js knows: contours, lines, circles and squares; the rest is left to hover boxes."""
    for one in picture().plotly.data:
        if one.type == "contour":
            assert one.contours.size > 0
            continue
        assert one.mode in ("markers", "lines", "none")
        if one.mode == "markers":
            assert one.marker.symbol in ("circle", "square", "circle-open")
            width = np.asarray(one.marker.line.width, np.float64)
            assert np.array_equal(width, width.astype(np.float32))  # others do not survive a canvas, and are not drawn
        if one.mode == "lines":
            assert one.line.width > 0


def test_heat_below_the_boundary_below_points_below_the_cross():
    line = trace(picture(), "boundary")
    assert [line.contours.start, line.contours.end] == [0, 0] and line.contours.coloring == "none"
    assert np.array_equal(line.z, boundary().f.astype(np.float32))
    names = [one.name for one in picture().plotly.data]
    assert names == ["influence", "boundary", "places", "points +1", "points -1", "outliers", "chosen", "cross"]


def test_a_place_tells_its_share_and_rings_no_point():
    shares = slope()
    shares[4, 1] = np.nan
    places = trace(picture(shares), "places")
    result = {
        (round(float(x), 3), round(float(y), 3)): result
        for x, y, result in zip(places.x, places.y, places.customdata, strict=True)
    }
    assert len(result) == 63 and (-0.5, 2.25) not in result
    assert result[3.5, 1.25][1] == pytest.approx(100 * shares[2, 5])
    assert np.isnan(places.customdata[:, 0]).all()  # chart.js takes it for the index of a training point
    assert "customdata[1]" in places.hovertemplate and "changes class" in places.hovertemplate


def test_points_are_known_by_their_ids():
    named = cloud()._replace(ids=np.array([5, 6, 7, 8, 9, 10, 11, -1, -2]))
    figure = influence_figure(boundary(), slope(), named, 8, largest=0.5)
    places = dict(zip(named.ids.tolist(), map(tuple, named.X), strict=True))
    assert {key: drawn[:2] for key, drawn in markers(figure).items()} == places
    assert trace(figure, "outliers").customdata.tolist() == [[7]] and trace(figure, "outliers").x[0] == named.X[2, 0]
    assert f"{point_name(-2)} of class -1" in figure.alt
    assert trace(figure, "chosen").x[0] == named.X[8, 0]


def test_what_is_unknown_has_no_colour():
    shares = slope()
    shares[:4] = np.nan
    heat = trace(picture(shares), "influence")
    assert np.isnan(heat.z[:5]).all() and np.isfinite(heat.z[5:]).all()


def test_the_plane_is_the_whole_plane():
    layout = picture().plotly.layout
    assert list(layout.xaxis.range) == [-2, 6] and list(layout.yaxis.range) == [0, 4]
    assert layout.meta["layers"] is True
    same = plane_figure(boundary(), cloud()).plotly.layout
    assert layout.uirevision == same.uirevision


def test_the_key_tells_the_scale_in_words():
    [key] = picture(largest=0.234).plotly.layout.annotations
    assert all(part in key.text for part in ("none 0\u202f%", "darkest 23.4\u202f%", "f = 0", "outlier", "⊕"))
    assert not picture(compact=True).plotly.layout.annotations
    [there], [here] = (figure.plotly.layout.annotations for figure in (plane_figure(boundary(), cloud()), picture()))
    assert there.yshift == here.yshift  # below the ticks
    points = cloud()._replace(named=Names(("weight", "height")))
    named = plane_figure(boundary(), points), influence_figure(boundary(), slope(), points, 3, largest=0.5)
    [there], [here] = (figure.plotly.layout.annotations for figure in named)
    assert there.yshift == here.yshift < -30  # below the name of the axis, too


def test_words_agree_with_the_numbers():
    shares = slope()
    text = picture(shares).alt
    x, y = cloud().X[3]
    away = np.hypot(5.5 - x, 3.75 - y)
    assert text == (
        "Influence map: the share of the plane that changes class if point 3 of class +1 is moved. "
        f"Largest share {100 * shares.max():.1f}\u202f%, median {100 * np.median(shares):.1f}\u202f%. "
        "The largest share is at "
        f"(5.5, 3.75), at the top right, at distance {away:.3g}. 9 points, 4 of class +1 and 5 of class -1. "
        "A line marks the current boundary f = 0."
    )
    shares[0] = np.nan
    assert " 8 cells of 64 " in picture(shares).alt
    assert picture(np.full((8, 8), np.nan), chosen=0).alt.endswith("No cell is computed yet.")


@pytest.mark.parametrize(
    "place, words",
    [((0, 0), "at the bottom left"), ((4, 4), "halfway up in the middle"), ((7, 3), "at the top in the middle")],
)
def test_the_worst_place_in_words(place, words):
    shares = np.zeros((8, 8))
    shares[place] = 0.2
    assert f", {words}, " in picture(shares).alt
