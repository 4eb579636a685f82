"""Films of lines, maps of cells, residuals: what is drawn is what was given."""

import numpy as np
import pytest
import specimens
from written import numbers_in

from pages.shared.figures import palette
from pages.shared.figures.cells import cells_figure
from pages.shared.figures.charts.residuals import residuals_figure
from pages.shared.figures.curve import curve_figure
from pages.shared.figures.film import animated_figure
from pages.shared.figures.line_films import FLOOR, curve_film, rank_film
from pages.shared.panels import player
from pages.shared.plane.component import film_frames, payload
from pages.shared.studies import arrays
from pages.shared.studies.arrays import FREE, ZERO, Frame, FunctionCurve, Samples

N, MOMENTS = 30, 5
XS = np.linspace(0.0, 10.0, 40)
MEANT = {"ringed": "left", "crossed": "died"}


def samples(outliers=True):
    rng = np.random.default_rng(0)
    return Samples(rng.uniform(0, 10, N), rng.normal(size=N), outlier=np.arange(N) < 2 if outliers else None)


def moments():
    rng = np.random.default_rng(1)
    found = []
    for k in range(MOMENTS):
        beta = rng.normal(size=N) * (np.arange(N) >= 5 * k)
        state = np.where(beta == 0.0, ZERO, FREE)
        found.append(Frame(np.sin(XS + k), beta, state, ringed=(k + 6,), words=("",), crossed=(k, k + 1)))
    return found


def graph():
    return FunctionCurve(XS, np.array([-3.0, 3.0]))


def test_a_moment_put_into_the_traces_is_the_still_picture_of_it():
    given = samples()
    film = curve_film(graph(), moments(), given, meant=MEANT)
    largest = max(np.abs(moment.alpha).max() for moment in moments())
    shown = {trace.name: trace for trace in film.figure.plotly.data}
    for k, moment in enumerate(moments()):
        styled = given._replace(beta=moment.alpha, state=moment.state)
        still = curve_figure(graph()._replace(f=moment.f), styled, alpha_max=largest, sort=False, meant=MEANT)
        expected = {trace.name: trace for trace in still.plotly.data}
        assert set(shown) == set(expected)
        assert film.moves["curve"]["y"][k] == pytest.approx(expected["curve"].y, abs=1e-6)
        marker, style = expected["points"].marker, film.styles["points"]
        assert np.array_equal(shown["points"].x, given.x) and np.array_equal(shown["points"].y, given.y)
        assert np.array_equal(style["size"][k], marker.size)
        assert {film.table[row] for row in style["color"][k]} == {marker.color}
        assert [film.table[row] for row in style["edge"][k]] == list(marker.line.color)
        assert [film.table[row] for row in style["width"][k]] == pytest.approx(marker.line.width.tolist())
        assert (film.marks[k]["crossed"], film.marks[k]["ringed"]) == ([k, k + 1], [k + 6])
        assert numbers_in(film.marks[k]["sentence"]) == [1, 2]
    (key,) = [note.text for note in film.figure.plotly.layout.annotations if note.name == "key"]
    assert "left" in key and "died" in key and "β > 0" not in key


def test_sizes_are_drawn_in_order_as_powers_of_ten():
    rng = np.random.default_rng(0)
    sizes = 10.0 ** rng.uniform(-14, 2, (MOMENTS, N))
    sizes[2, :4] = 0.0
    film = rank_film(sizes, (1e-6, "above"))
    for k, row in enumerate(sizes):
        drawn = film.moves["ranked"]["y"][k]
        kept = np.sort(row[row >= FLOOR])[::-1]
        assert drawn[: len(kept)] == pytest.approx(np.log10(kept), abs=1e-5) and np.isnan(drawn[len(kept) :]).all()
        assert f"{np.sum(row > 1e-6)} of {N} above 10⁻⁶" in film.marks[k]["sentence"]
    axis = film.figure.plotly.layout.yaxis
    assert dict(zip(axis.tickvals, axis.ticktext, strict=True))[-12] == "10⁻¹²"
    level = next(trace for trace in film.figure.plotly.data if trace.name == "level")
    assert list(level.y) == [-6.0, -6.0] and axis.range[1] >= np.nanmax(film.moves["ranked"]["y"])
    empty = rank_film(np.zeros((2, 3)), (1e-6, "above"))  # everything dead
    assert np.isnan(empty.moves["ranked"]["y"]).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda: curve_film(graph(), moments(), samples(), meant=MEANT),
        lambda: rank_film(np.eye(3), (1e-6, "a")),
        specimens.walked,
    ],
    ids=["curve", "ranks", "norms"],
)
def test_the_exported_film_of_lines_holds_what_the_page_moves(make):
    film = make()
    moving = animated_figure(film, {k: f"round {k}" for k in range(len(film.marks))})
    names = [trace.name for trace in moving.data]
    assert len(moving.frames) == len(film.marks) and "var(--svm" not in str(moving.layout)
    for k, frame in enumerate(moving.frames):
        changed = dict(zip((names[at] for at in frame.traces), frame.data, strict=True))
        for name, moved in film.moves.items():
            for axis in moved.keys() & {"x", "y"}:
                assert np.array_equal(changed[name][axis], moved[axis][k], equal_nan=True)
            assert "level" not in moved or changed[name].contours.start == moved["level"][k]
        assert set(changed) == {*film.moves, *film.styles, "step", "ringed", "crossed"}
    assert player.megabytes(film) > player.PLOTLY
    sent = film_frames(film, "film", "r")
    assert sent["at"] == list(range(len(film.marks))) and set(sent["moves"]) == set(film.moves) and sent["z"] is None
    assert 500 < len(payload(film.figure, name="a", frames=sent)) < 400_000


def cells(values, **options):
    C, sigma = np.logspace(-1, 3, 5), np.logspace(-1, 1, 3)
    result = [["result"] * 5] * 3
    return cells_figure(C, sigma, values, result, at=(10.0, 1.0), quantity="Error", **options)


def test_the_deeper_the_smaller():
    values = np.arange(15.0).reshape(3, 5) + 2.0
    values[1, 1] = np.nan
    for options, scale in (({}, np.float64), ({"log": True}, np.log10)):
        figure = cells(values, **options)
        heat, ring = figure.plotly.data
        assert np.allclose(heat.z, scale(values), equal_nan=True) and heat.x == pytest.approx([-1, 0, 1, 2, 3])
        assert (heat.zmin, heat.zmax) == pytest.approx((scale(2.0), scale(16.0)))
        assert heat.colorscale == ((0.0, palette.colour("heat")), (1.0, palette.colour("page")))
        assert (ring.x[0], ring.y[0]) == (1.0, 0.0)
        ends, least, ringed = [0.1, 1e3, 0.1, 10], [2, 0.1, 0.1], [10, 1]
        assert numbers_in(figure.alt) == [*ends, *least, 16, 1, 15, *ringed]
    capped = cells(values, cap=5.0)
    assert capped.plotly.data[0].zmax == 5.0
    assert numbers_in(capped.plotly.layout.annotations[0].text) == [2, 5]
    assert cells(values, cap=1.0).plotly.data[0].zmax == 16.0  # a cap below everything is none
    unknown = cells(np.full((3, 5), np.nan))
    assert numbers_in(unknown.plotly.layout.annotations[0].text) == []
    assert cells(np.full((3, 5), 7.0)).plotly.data[0].zmax > 7.0


def test_ticks_of_the_cells_are_round_and_enough():
    axis = cells(np.ones((3, 5))).plotly.layout.xaxis
    assert axis.ticktext == ("0.1", "1", "10", "100", "1000")
    narrow = cells_figure(np.logspace(0, 1, 5), np.logspace(-1, 1, 3), np.ones((3, 5)), [], at=(1, 1), quantity="a")
    assert narrow.plotly.layout.xaxis.ticktext == ("1", "2", "5", "10")


def test_residuals_of_each_machine():
    x, rng = np.arange(9.0), np.random.default_rng(0)
    rests = [arrays.Line(name, x, rng.normal(size=9), k) for k, name in enumerate(("one", "two", "three"))]
    figure = residuals_figure(rests)
    assert [trace.name for trace in figure.plotly.data] == ["one", "two", "three"]
    for rest, trace in zip(rests, figure.plotly.data, strict=True):
        assert np.array_equal(trace.x, x) and np.array_equal(trace.y, rest.y)
    rms = [np.sqrt(np.mean(rest.y**2)) for rest in rests]
    assert numbers_in(figure.alt) == pytest.approx([9, *rms], rel=1e-3)
    looks = [(trace.marker.symbol, trace.marker.color) for trace in figure.plotly.data]
    assert [len(set(parts)) for parts in zip(*looks, strict=True)] == [3, 3]
