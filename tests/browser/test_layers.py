"""The level lines that layers.js traces, without a server: known curves, saddles, and every vertex on its line."""

from pathlib import Path

import numpy as np
import pytest

SOURCE = (Path(__file__).parents[2] / "pages/shared/plane/web/layers.js").read_text(encoding="utf-8")


@pytest.fixture
def level_paths(page):
    """level_paths(z, level) -> list of arrays (k, 2) of (column, row)."""

    def call(z, level):
        script = """async ([source, z, level]) => {
            const module = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
            return module.levelPaths(z, level);
        }"""
        paths = page.evaluate(script, [SOURCE, np.asarray(z, float).tolist(), level])
        return [np.array(path) for path in paths]

    return call


def value(z, path):
    """z between the nodes at each vertex; a vertex lies on an edge of the grid."""
    column, row = path.T
    c, r = np.minimum(column.astype(int), z.shape[1] - 2), np.minimum(row.astype(int), z.shape[0] - 2)
    s, t = column - c, row - r
    return (1 - t) * ((1 - s) * z[r, c] + s * z[r, c + 1]) + t * ((1 - s) * z[r + 1, c] + s * z[r + 1, c + 1])


def test_a_circle_is_one_closed_chain(level_paths):
    x = np.linspace(-2, 2, 41)
    (path,) = level_paths(x[None, :] ** 2 + x[:, None] ** 2, 1.0)
    assert np.array_equal(path[0], path[-1]) and len(path) > 60
    assert np.hypot(*(path * 0.1 - 2).T) == pytest.approx(1, abs=0.003)
    assert np.max(np.hypot(*np.diff(path, axis=0).T)) < 1.5  # neighbours in the chain are neighbours on the line


def test_a_straight_line_is_one_open_chain(level_paths):
    x = np.linspace(-1, 1, 20)
    (path,) = level_paths(x[None, :] + 2 * x[:, None], 0.1)
    ends = [path[0], path[-1]]
    assert all(np.any((end == 0) | (end == 19)) for end in ends)
    assert np.max(np.hypot(*np.diff(path, axis=0).T)) < 1.5


@pytest.mark.parametrize(
    "corners, inner",
    [
        ([[2, -1], [-1, 2]], "joined"),  # high corners on the diagonal, middle above the level
        ([[1, -2], [-2, 1]], "parted"),
        ([[-1, 2], [2, -1]], "joined"),  # the other diagonal
        ([[-2, 1], [1, -2]], "parted"),
    ],
)
def test_a_saddle_follows_its_middle(level_paths, corners, inner):
    """Two lines; each cuts off one corner: a low one where the high corners are joined, else a high one."""
    paths = level_paths(corners, 0.0)
    assert len(paths) == 2
    for path in paths:
        corner = np.round(path.mean(axis=0)).astype(int)  # the corner nearest to a line that cuts it off
        assert (corners[corner[1]][corner[0]] < 0) == (inner == "joined")


@pytest.mark.parametrize("seed", range(3))
def test_on_a_rough_field_every_vertex_lies_on_the_level(level_paths, seed):
    z = np.random.default_rng(seed).normal(size=(14, 17))
    for level in (-1.0, 0.0, 1.0):
        paths = level_paths(z, level)
        edges = np.concatenate([np.unique(path, axis=0) for path in paths])
        across = np.sum((z[:, 1:] > level) != (z[:, :-1] > level)) + np.sum((z[1:] > level) != (z[:-1] > level))
        assert len(edges) == len(np.unique(edges, axis=0)) == across  # each crossed edge once, in one chain
        assert np.concatenate([value(z, path) for path in paths]) == pytest.approx(level, abs=1e-9)


DRAWN = """async ([source, traces]) => {
    const module = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    const axis = { _offset: 0, _length: 100, range: [-2, 2] };
    const canvas = document.createElement('canvas');
    for (const trace of traces) trace.z = trace.z.map((row) => Float32Array.from(row));
    module.drawFields(canvas, traces, { xaxis: axis, yaxis: axis }, [100, 100]);
    const { width, height } = canvas;
    return [...canvas.getContext('2d').getImageData(0, 0, width, height).data];
}"""


def test_a_strip_is_tinted_between_its_levels_and_edged_by_them(page):
    axis = np.linspace(-2, 2, 21)
    z = (axis[None, :] + 0 * axis[:, None]).tolist()  # f = x
    line = dict(color="rgb(0,0,255)", width=2)
    strip = dict(
        type="contour", x=axis.tolist(), y=axis.tolist(), z=z, fillcolor="rgba(255,0,0,0.5)", line=line,
        contours=dict(type="constraint", operation="][", value=[-0.5, 1.0]),
    )  # fmt: skip
    side = 100
    drawn = np.array(page.evaluate(DRAWN, [SOURCE, [strip]])).reshape(-1, side, 4)
    x = -2 + 4 * (np.arange(side) + 0.5) / side
    away = np.minimum(np.abs(x + 0.5), np.abs(x - 1.0)) > 0.1
    inside = (x > -0.5) & (x < 1.0)
    assert np.all(drawn[:, away & inside][..., 0] == 255) and np.all(drawn[:, away & inside][..., 3] == 128)
    assert np.all(drawn[:, away & ~inside][..., 3] == 0)
    for level in (-0.5, 1.0):
        near = drawn[50, np.abs(x - level) < 0.03]
        assert near[:, 2].max() > 200
    strip["contours"]["value"] = [-1e3, 1.0]  # no end on one side
    drawn = np.array(page.evaluate(DRAWN, [SOURCE, [strip]])).reshape(-1, side, 4)
    assert np.all(drawn[:, away & (x < 1.0)][..., 3] == 128) and np.all(drawn[:, away & (x > 1.0)][..., 3] == 0)


def test_a_level_beyond_the_field_has_no_line(level_paths):
    assert level_paths(np.zeros((5, 5)), 1.0) == [] == level_paths(np.ones((5, 5)), 0.0)
