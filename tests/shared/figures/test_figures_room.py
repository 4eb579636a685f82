"""What a room has drawn, over the true picture."""

import numpy as np
import pytest
from specimens import cloud, plane_field, trace

from pages.shared.figures.charts import room
from pages.shared.figures.palette import colour
from pages.shared.figures.picture import machine_figure


@pytest.fixture
def below():
    return machine_figure(plane_field(), cloud())


def drawn_lines(figure):
    """(n, 2, 2) ends of all lines of the room."""
    traces = [t for t in figure.traces if t["name"].startswith("line ")]
    ends = [np.column_stack([t["x"], t["y"]]).reshape(-1, 3, 2)[:, :2] for t in traces]
    return np.concatenate(ends)


def test_lines_reach_over_the_whole_picture_below_the_thick_boundary(below):
    lines = [[0, 0, 1, 1], [-1, 2, -1, 1.5], [2, -1, 1, -1.2]]
    figure = room.room_lines_figure(below, lines)
    ends = drawn_lines(figure)
    assert len(ends) == 3
    for (x0, y0, x1, y1), (one, other) in zip(lines, ends, strict=True):
        for x, y in (one, other):
            assert abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) < 1e-4  # on the line
            assert abs(x) > 3 or abs(y) > 2  # outside of the picture
    names = [t["name"] for t in figure.traces]
    assert names.index("line 3") < names.index("boundary") < names.index("points +1")
    assert trace(figure, "boundary").line.width > trace(below, "boundary").line.width
    assert all(t["line"]["color"] == colour("haze") for t in figure.traces if t["name"].startswith("line "))
    assert "3 lines" in figure.alt


def test_a_thousand_lines_are_few_traces_and_none_is_lost(below):
    lines = np.random.default_rng(0).normal(size=(1000, 4))
    figure = room.room_lines_figure(below, lines)
    assert len(drawn_lines(figure)) == 1000 and len(figure.traces) - len(below.traces) == room.LAYERS
    assert len(room.room_lines_figure(below, []).traces) == len(below.traces)


def test_points_have_their_votes_as_area_and_number_and_the_right_ones_a_ring(below):
    points = cloud(4)
    figure = room.room_points_figure(below, points.X, [0, 4, 1, 0], [False, True, False, True])
    size = trace(figure, "votes").marker.size
    assert size[0] == size[3] == 0 and size[1] > size[2] > 0
    assert [note.text for note in figure.plotly.layout.annotations][-2:] == ["<b>1</b>", "<b>4</b>"]  # on top
    np.testing.assert_allclose(trace(figure, "true").x, points.X[[1, 3], 0])
    assert "No point has votes" in room.room_points_figure(below, points.X, [0] * 4, [False] * 4).alt


def test_places_are_a_cloud_and_the_word_at_the_edge_stays_inside(below):
    figure = room.room_places_figure(below, [[0, 0], [1, 1]], -1.0, (2.9, 0))
    assert trace(figure, "places").marker.symbol == "square" and len(trace(figure, "places").x) == 2
    assert figure.plotly.layout.annotations[-1].xanchor == "right"
    assert room.room_places_figure(below, [], 1.0, (0, 0)).plotly.layout.annotations[-1].xanchor == "center"


@pytest.mark.parametrize("log", [False, True])
def test_bars_of_both_votes_stand_side_by_side_and_the_truth_has_a_line(log):
    edges = np.geomspace(0.01, 1, 5) if log else np.linspace(0, 1, 5)
    counts = [np.array([1, 2, 0, 0]), np.array([0, 0, 3, 1])]
    names = ["vote 1", "vote 2"]
    figure = room.room_numbers_figure(edges, counts, names=names, true=0.5, said=0.25, unit="%", factor=100, log=log)
    ends = []
    for name, row in zip(names, counts, strict=True):
        bars = trace(figure, name)
        assert list(bars.y) == list(row)
        middle, half = np.asarray(bars.x), np.asarray(bars.width) / 2
        ends.append((middle - half, middle + half))
    if not log:
        np.testing.assert_allclose(ends[0][1], ends[1][0])
        np.testing.assert_allclose(ends[0][0], 100 * edges[:-1])
    assert list(trace(figure, "it is").x) == [50, 50] and list(trace(figure, "you").x) == [25, 25]
    assert "vote 1: 3 votes" in figure.alt


def test_without_the_answer_a_picture_of_the_room_has_no_mark_of_it(below):
    """The same pictures while the bars alone are shown."""
    edges, counts = np.arange(4.0), [np.array([1, 2, 0])]
    shown = room.room_numbers_figure(edges, counts, names=["vote 1"], true=None)
    assert [trace["name"] for trace in shown.traces] == ["vote 1"] and "It is" not in shown.alt
    places = room.room_places_figure(below, [[0.5, 0.5]], 1.0, None)
    points = room.room_points_figure(below, [[0.0, 0.0], [1.0, 1.0]], [2, 0], [False, False])
    assert not {"true", "it is"} & {trace["name"] for trace in (*places.traces, *points.traces)}
    assert not any("most harm" in word["text"] for word in places.layout["annotations"])
