"""What canvas.js draws, without a server. The level lines are tested in tests/js/contours.test.js."""

from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

pytestmark = pytest.mark.slow

WEB = Path(__file__).parents[3] / "pages/shared/plane/web"


@pytest.fixture
def modules(page):
    """A page from which the modules of the plane can be imported by name."""

    def answer(route):
        route.fulfill(path=next(WEB.rglob(Path(urlsplit(route.request.url).path).name)))

    page.route("http://127.0.0.1/**", answer)
    page.goto("http://127.0.0.1/transport.html")
    return page


DRAWN = """async (traces) => {
    const module = await import('/canvas.js');
    const axis = { _offset: 0, _length: 100, range: [-2, 2] };
    const canvas = document.createElement('canvas');
    for (const trace of traces) trace.z = trace.z.map((row) => Float32Array.from(row));
    module.drawFields(canvas, traces, { xaxis: axis, yaxis: axis }, [100, 100]);
    const { width, height } = canvas;
    return [...canvas.getContext('2d').getImageData(0, 0, width, height).data];
}"""


def test_a_strip_is_tinted_between_its_levels_and_edged_by_them(modules):
    axis = np.linspace(-2, 2, 21)
    z = (axis[None, :] + 0 * axis[:, None]).tolist()  # f = x
    line = dict(color="rgb(0,0,255)", width=2)
    strip = dict(
        type="contour", x=axis.tolist(), y=axis.tolist(), z=z, fillcolor="rgba(255,0,0,0.5)", line=line,
        contours=dict(type="constraint", operation="][", value=[-0.5, 1.0]),
    )  # fmt: skip
    side = 100
    drawn = np.array(modules.evaluate(DRAWN, [strip])).reshape(-1, side, 4)
    x = -2 + 4 * (np.arange(side) + 0.5) / side
    away = np.minimum(np.abs(x + 0.5), np.abs(x - 1.0)) > 0.1
    inside = (x > -0.5) & (x < 1.0)
    assert np.all(drawn[:, away & inside][..., 0] == 255) and np.all(drawn[:, away & inside][..., 3] == 128)
    assert np.all(drawn[:, away & ~inside][..., 3] == 0)
    for level in (-0.5, 1.0):
        near = drawn[50, np.abs(x - level) < 0.03]
        assert near[:, 2].max() > 200
    strip["contours"]["value"] = [-1e3, 1.0]  # no end on one side
    drawn = np.array(modules.evaluate(DRAWN, [strip])).reshape(-1, side, 4)
    assert np.all(drawn[:, away & (x < 1.0)][..., 3] == 128) and np.all(drawn[:, away & (x > 1.0)][..., 3] == 0)


NOTED = """async ([note, side]) => {
    const module = await import('/canvas.js');
    const axis = { _offset: 0, _length: side, range: [-2, 2] };
    const canvas = document.createElement('canvas');
    module.drawPoints(canvas, [], { xaxis: axis, yaxis: axis }, [side, side], { notes: [note] });
    return [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data];
}"""


CORNERS = [("left", "top"), ("right", "bottom"), ("left", "bottom"), ("right", "top")]


@pytest.mark.parametrize("corner", CORNERS, ids=str)
def test_a_note_stands_beside_its_line_at_the_edge(modules, corner):
    side, (xanchor, yanchor) = 200, corner
    font = dict(size=12, family="sans-serif", color="rgb(255,0,0)")
    note = dict(
        name="line", text="upper bound", y=0, xanchor=xanchor, yanchor=yanchor, font=font, bgcolor="rgb(0,0,255)"
    )
    drawn = np.array(modules.evaluate(NOTED, [note, side])).reshape(side, side, 4)
    rows, columns = np.nonzero(drawn[..., 0] > 200)
    from_edge = columns if xanchor == "left" else side - 1 - columns
    assert len(rows) > 20 and from_edge.max() < side / 2 and from_edge.min() <= 5
    beside = rows - side / 2 if yanchor == "top" else side / 2 - rows
    assert 0 < beside.min() and beside.max() < 2 * font["size"]
    assert not drawn[side // 2 - 1 : side // 2 + 1].any(), "the line is free"
