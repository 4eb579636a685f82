"""Films: a frame put into the traces is the still picture of its moment, in the browser and in the exported file."""

import numpy as np
import pytest
from written import numbers_in

from pages.shared.figures import palette
from pages.shared.figures.export import html_document
from pages.shared.figures.film import FIELDS, POINTS, STEP, animated_figure, plane_film
from pages.shared.figures.plane import STRIPS, plane_figure
from pages.shared.plane.component import film_frames, payload
from pages.shared.studies.arrays import CLIP, Field, Frame, Points
from svmcore.watch import sentences

N, FRAMES = 40, 7
XS, YS = np.linspace(-3, 3, 20), np.linspace(-2, 2, 21)
IDS = np.arange(N)[::-1] + 3


def points(ids=None, outliers=True):
    rng = np.random.default_rng(0)
    outlier = np.arange(N) < 3 if outliers else None
    return Points(rng.normal(size=(N, 2)), np.where(np.arange(N) % 3, 1.0, -1.0), outlier=outlier, ids=ids)


MEANT = {"band": "near", "ringed": "those in", "crossed": "those out"}


def frames(measured=True, banded=False):
    """Every sign and box state, zero alpha at first, fields that leave the scale; with a moving band or without."""
    rng = np.random.default_rng(1)
    found = []
    for k in range(FRAMES):
        state = (np.arange(N) + k) % 4
        alpha = np.select([state == 0, state == 2, state == 3], [0.0, 2.0, -2.0], rng.uniform(-2, 2, N)) * min(k, 1)
        f = (rng.normal() * XS[None, :] + 2 * YS[:, None]) * (1 + k)
        step = dict(ringed=(k, k + 1), words=("up", "down"), joined=((k, k + 1, 0.5 * k),)) if k else {}
        if banded:
            box = np.stack([np.full(N, -k), np.arange(N)])
            step |= dict(crossed=tuple(range(k, k + k)), band=(0.5 - k, 1.0) if k < 6 else (-np.inf, 1.5), box=box)
        found.append(Frame(f, alpha, np.where(alpha == 0, 0, state), rng.normal(size=N) if measured else None, **step))
    return found


def still(frame, given, compact=False):
    """The picture of this moment alone, its areas on the scale of all."""
    largest = max(np.abs(one.alpha).max() for one in frames())
    moment = given._replace(alpha=frame.alpha, state=frame.state)
    picture = plane_figure(Field(XS, YS, frame.f), moment, alpha_max=largest, compact=compact, timeless=True)
    return {trace.name: trace for trace in picture.plotly.data}


@pytest.mark.parametrize("compact", [False, True])
def test_a_frame_put_into_the_traces_is_the_still_picture_of_its_moment(compact):
    given = points(IDS)
    film = plane_film(XS, YS, frames(), given, compact=compact)
    assert film.z.dtype == np.int16 and film.z.shape == (FRAMES, 21, 20)
    shown = {trace.name: trace for trace in film.figure.plotly.data}
    for k, frame in enumerate(frames()):
        expected = still(frame, given, compact)
        assert set(shown) == set(expected)
        for name in FIELDS:
            z = np.clip(expected[name].z, -CLIP, CLIP)
            assert np.abs(film.z[k] * film.unit[k] - z).max() <= film.unit[k] * (1 + 1e-4)
        for name in POINTS:
            style, marker = film.styles[name], expected[name].marker
            assert np.array_equal(shown[name].x, expected[name].x)
            assert np.array_equal(shown[name].customdata[:, 0], expected[name].customdata[:, 0])
            assert np.array_equal(style["size"][k], np.float32(marker.size))
            assert [film.table[row] for row in style["color"][k]] == list(marker.color)
            assert [film.table[row] for row in style["edge"][k]] == list(marker.line.color)
            assert [film.table[row] for row in style["width"][k]] == pytest.approx(marker.line.width.tolist())
            symbols = np.broadcast_to(marker.symbol, len(marker.size)).tolist()
            assert [film.table[row] for row in style["symbol"][k]] == symbols


def test_marks_and_boxes_speak_of_ids():
    film = plane_film(XS, YS, frames(), points(IDS))
    assert film.marks[0] == {"ringed": [], "words": [], "joined": [], "crossed": [], "sentence": ""}
    for k in range(1, FRAMES):
        i, j = int(IDS[k]), int(IDS[k + 1])
        step = {"ringed": [i, j], "words": ["up", "down"], "joined": [[i, j, 0.5 * k]], "crossed": [], "sentence": ""}
        assert film.marks[k] == step
    rows = plane_film(XS, YS, frames(), points())
    assert rows.marks[2]["ringed"] == [2, 3]


@pytest.mark.parametrize("compact", [False, True])
def test_the_band_moves_with_the_frames_and_is_counted_in_words(compact):
    film = plane_film(XS, YS, frames(banded=True), points(IDS), meant=MEANT, compact=compact)
    names = [trace.name for trace in film.figure.plotly.data]
    assert names[:5] == ["field", *STRIPS, "margins", "boundary"]  # the lines lie above
    for k, frame in enumerate(frames(banded=True)):
        low, high = frame.band
        inside = {name: (film.strips[k][name][0], film.strips[k][name][1]) for name in STRIPS}
        for name, y in STRIPS.items():
            f = np.linspace(-4, 4, 101)
            within = (inside[name][0] <= f) & (f <= inside[name][1])
            assert np.array_equal(within, (low <= y * f) & (y * f <= high))
        assert film.marks[k]["crossed"] == IDS[k : 2 * k].tolist()
        told, ends = film.marks[k]["sentence"], [1.5] if k == 6 else [0.5 - k, 1.0]
        assert numbers_in(told) == [2 if k else 0, k, *ends]
        assert "ringed (those in)" in told and "crossed (those out)" in told and "(near)" in told
        assert np.array_equal(film.details["box"][k], frame.box)
    strip = next(trace for trace in film.figure.plotly.data if trace.name == "band +1")
    assert list(strip.contours.value) == film.strips[-1]["band +1"] and np.array_equal(
        strip.z, np.float32(frames()[-1].f)
    )
    key = [note.text for note in film.figure.plotly.layout.annotations if note.name == "key"]
    assert key == [] if compact else all(word in key[0] for word in MEANT.values())
    plain = plane_film(XS, YS, frames(), points())
    assert plain.strips is None and plain.details["box"] is None


def test_the_details_of_a_point_are_its_own():
    film = plane_film(XS, YS, frames(), points(IDS))
    assert film.details["ids"] == IDS.tolist()
    for k, frame in enumerate(frames()):
        assert film.details["alpha"][k] == pytest.approx(frame.alpha) and film.details["margin"][k] == pytest.approx(
            frame.margin, rel=1e-6
        )
        words = [film.details["states"][state] for state in film.details["state"][k]]
        assert words == [sentences.STATES[state] for state in frame.state]
    assert plane_film(XS, YS, frames(measured=False), points()).details is None


def plain(token):
    """The colour of "var(--svm-plus)" on a light page."""
    return palette.THEMES["light"][token.removeprefix("var(--svm-").removesuffix(")")]


@pytest.mark.parametrize("banded", [False, True])
def test_the_exported_frames_are_the_same_pictures(banded):
    given = points(IDS)
    film = plane_film(XS, YS, frames(banded=banded), given, meant=MEANT if banded else None)
    labels = {k: f"step {k}" for k in (0, 2, 6)}
    moving = animated_figure(film, labels)
    assert [frame.name for frame in moving.frames] == ["0", "2", "6"]
    (slider,) = moving.layout.sliders
    assert [step.label for step in slider.steps] == list(labels.values()) and slider.active == 2  # the last
    assert [step.args[0] for step in slider.steps] == [("0",), ("2",), ("6",)]
    names = [trace.name for trace in moving.data]
    spots = {int(key): tuple(spot) for key, spot in zip(IDS, given.X, strict=True)}
    for frame in moving.frames:
        k = int(frame.name)
        expected = still(frames()[k], given)
        changed = dict(zip((names[at] for at in frame.traces), frame.data, strict=True))
        assert set(changed) == {*FIELDS, *POINTS, *STEP, *(STRIPS if banded else ())}
        for name in STRIPS if banded else ():
            assert list(changed[name].contours.value) == film.strips[k][name]
            assert np.array_equal(changed[name].z, changed["field"].z)
        for name in FIELDS:
            assert np.abs(changed[name].z - np.clip(expected[name].z, -CLIP, CLIP)).max() <= film.unit[k]
        for name in POINTS:
            marker, drawn = expected[name].marker, changed[name].marker
            assert np.array_equal(drawn.size, np.float32(marker.size))
            assert list(drawn.color) == list(map(plain, marker.color))
            assert list(drawn.line.color) == list(map(plain, marker.line.color))
            assert drawn.line.width == pytest.approx(marker.line.width.tolist())
        ringed, crossed = ([spots[key] for key in film.marks[k][what]] for what in ("ringed", "crossed"))
        for name, expected in zip(STEP, (ringed, ringed, crossed), strict=True):
            assert list(zip(changed[name].x or (), changed[name].y or (), strict=True)) == expected
    assert moving.frames[2].data[-2].text == ("up 3", "down") and moving.frames[0].data[-2].x in ((), None)
    assert moving.frames[2].data[-1].marker.line.color == palette.THEMES["light"]["ink"]  # a cross is its line alone
    assert "var(--svm" not in moving.to_json()


def test_the_exported_file_waits_for_the_reader():
    film = plane_film(XS, YS, frames(), points())
    document = html_document(animated_figure(film, dict(enumerate("abcdefg"))))
    assert "Plotly.addFrames" in document and 'src="http' not in document
    assert "Plotly.animate(" not in document.split("Plotly.newPlot")[-1]


def test_sixty_frames_of_a_thousand_points_travel_light():
    """The most that one plane sends."""
    from pages.shared.studies import classification

    for n in (360, 500, 501, 1000):
        size, rng = classification.film_size(n), np.random.default_rng(0)
        X, y = rng.normal(size=(n, 2)), np.where(np.arange(n) % 2, 1.0, -1.0)
        axis = np.linspace(-3, 3, size)
        alpha = rng.uniform(-2, 2, n)
        frame = Frame(
            axis[:, None] * axis, alpha, np.arange(n) % 4, alpha, (0, 1), ("up", "down"), ((0, 1, 0.123456789),)
        )
        film = plane_film(axis, axis, [frame] * 60, Points(X, y))
        assert len(payload(film.figure, name="film-0", frames=film_frames(film, "film", "version"))) < 1.5e6
