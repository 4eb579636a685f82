"""Losses as curves, with marks and with points on them."""

import numpy as np
import pytest
from specimens import ALL, LOSSES, MARKED, cloud, markers, on_loss, trace

from pages.shared.figures import palette
from pages.shared.figures.charts import losses, subgradients
from pages.shared.figures.charts.losses import losses_figure


def test_chosen_losses_have_their_colour_lie_on_top_of_the_faint_and_a_jump_has_a_filled_and_a_hollow_end():
    figure = ALL["losses"]()
    names = [drawn.name for drawn in figure.plotly.data]
    assert names == ["places", "ramp", "hinge", "hinge ends", "0/1", "0/1 ends"]
    line_colour, dash = palette.variant(14)
    line, ends = trace(figure, "0/1"), trace(figure, "0/1 ends")
    assert (line.line.color, line.line.dash) == (line_colour, dash)
    assert np.isnan(line.y[2]) and line.connectgaps is False
    filled = {(x, y): fill for x, y, fill in zip(ends.x, ends.y, ends.marker.color, strict=True)}
    assert filled == {(0.0, 1.0): palette.colour("page"), (0.0, 0.0): line_colour}
    assert trace(figure, "ramp").line.color == palette.colour("muted") and not trace(figure, "ramp").showlegend
    assert figure.alt == "ℓ(t) over t = 1 − y f: hinge and 0/1; faint behind: 1 other."


def slopes(drawn, layout):
    """The slope, the middle and the length, in lengths of the axes, of each short line of a trace."""
    x, y = (np.reshape(values, (-1, 3)) for values in (drawn.x, drawn.y))
    assert np.all(np.isnan(x[:, 2])) and np.all(np.isnan(y[:, 2])) and drawn.connectgaps is False
    across, up = x[:, 1] - x[:, 0], y[:, 1] - y[:, 0]
    length = np.hypot(across / np.ptp(layout["xaxis"]["range"]), up / np.ptp(layout["yaxis"]["range"]))
    return up / across, np.column_stack([x[:, :2].mean(axis=1), y[:, :2].mean(axis=1)]), length


def test_a_mark_on_a_loss_has_its_slope_and_one_beyond_the_axes_points_outwards():
    figure = ALL["marked losses"]()
    (slope,), (middle,), (length,) = slopes(trace(figure, "hinge slope"), figure.layout)
    assert (slope, *middle, length) == pytest.approx((1.0, 0.5, 0.5, 2 * subgradients.HALF), rel=1e-5)
    assert trace(figure, "hinge slope").line.color == palette.variant(0)[0]
    rings = trace(figure, "marked")
    assert rings.marker.symbol == ("circle-open", "triangle-right", "triangle-up")
    assert (rings.x[0], rings.y[0]) == (0.5, 0.5) and rings.x[1] < 1.0 and rings.y[2] < 4.0
    assert [list(row) for row in rings.customdata] == [
        ["hinge: the outlier", 0.5, 1],
        ["0/1: the outlier", 9, 0],
        ["exponential: the outlier", 0.2, 7],
    ]
    flat = losses_figure(LOSSES, "slope", MARKED)
    assert not [drawn.name for drawn in flat.plotly.data if drawn.name.endswith(" slope")]


def test_every_point_lies_on_its_loss_under_its_id_and_each_support_vector_has_its_slope():
    figure, points = ALL["points on a loss"](), cloud()
    found = markers(figure)
    assert found.keys() == set(range(40))
    places = np.array([found[k][:2] for k in range(40)])
    assert places[1:] == pytest.approx(np.column_stack([np.linspace(-1, 1, 39), np.linspace(-1, 1, 39) ** 2 / 2]))
    (low, high), top = figure.layout["xaxis"]["range"], figure.layout["yaxis"]["range"][1]
    assert (low, high, top) == (-2.0, 6.0, 6.0) and high - 0.3 < places[0, 0] < high and top - 0.3 < places[0, 1] < top
    slope, middles, _ = slopes(trace(figure, "slopes"), figure.layout)
    support = points.alpha != 0
    assert np.any(~support) and len(slope) == np.sum(support)
    expected = np.r_[50.0, np.linspace(-1, 1, 39)][support]
    assert slope == pytest.approx(expected, rel=1e-2, abs=1e-5) and middles == pytest.approx(places[support], abs=1e-5)


def test_the_axes_of_a_loss_stay_while_a_point_moves_a_little():
    before, after = (on_loss(np.linspace(-1.2, end, 40)).layout for end in (1.4, 1.5))
    assert before["uirevision"] == after["uirevision"] and before["xaxis"]["range"] == after["xaxis"]["range"]


def test_many_points_on_a_loss_are_counted_and_few_of_them_have_a_line():
    t = np.r_[np.full(60, -1.5), np.linspace(-1, 1, losses.MANY)]
    figure, few = on_loss(t), on_loss()
    assert len(trace(figure, "slopes").x) == 3 * losses.TANGENTS < len(trace(few, "slopes").x)
    sizes = np.concatenate([trace(figure, f"points {label}").marker.size for label in ("+1", "-1")])
    assert np.all(sizes == losses.DOT) and len(sizes) == len(t), "no sausage of markers"
    heights = [np.asarray(trace(figure, f"count {label}").y)[::2] for label in ("+1", "-1")]
    counts = np.sum(heights, axis=0) - 2 * figure.layout["yaxis"]["range"][0]
    assert counts.sum() / counts.max() == pytest.approx(len(t) / 60, rel=0.15) and np.argmax(counts) < 10
    assert "count the points" in figure.alt and "count the points" not in few.alt
