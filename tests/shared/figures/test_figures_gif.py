"""The GIF of a film: ten seconds, the sign of f, the changed area, rings; against the arrays of the film."""

import io
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from pages.shared.figures import gif, palette
from pages.shared.figures.drawing import film_of
from pages.shared.screen.choices import Machine, Setting
from pages.shared.studies import arrays, many_draws
from pages.shared.studies.show import FilmPlane, FilmStep
from svmcore import problems

MACHINES = (Machine("hinge"), Machine("least_squares"))
MADE = many_draws.flip_labels(
    problems.load("toy_outliers", 0, n=20), "farthest", 0, MACHINES, Setting(1.0, "linear", 2.0)
)
VIEW = MADE._replace(films=[film_of(film) for film in MADE.films]).view(2.0)  # to the end
COLOURS = [palette.variant(machine.colour)[0] for machine in MACHINES]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Planes of fewer pixels, which take less time."""
    monkeypatch.setattr(gif, "SIDE", 120)
    monkeypatch.setattr(gif, "MOST", 30)


def frames(content):
    """The frames of a GIF as arrays (height, width, 3), and the seconds of each."""
    with Image.open(io.BytesIO(content)) as picture:
        found = []
        for k in range(picture.n_frames):
            picture.seek(k)
            found.append((np.asarray(picture.convert("RGB")).astype(int), picture.info["duration"] / 1000))
    return [image for image, _ in found], [seconds for _, seconds in found]


def test_it_lasts_ten_seconds_and_where_f_changes_its_sign_the_machine_has_its_colour():
    images, seconds = frames(gif.film_gif(VIEW.screens, VIEW.ticks, COLOURS))
    assert len(images) == len(VIEW.ticks) == 11 and sum(seconds) == pytest.approx(gif.SECONDS, abs=0.1)
    assert images[0].shape == (gif.SIDE + 2 * (gif.ROW + gif.GAP), 2 * gif.SIDE + 3 * gif.GAP, 3), "all planes"
    plain, _ = frames(gif.film_gif(VIEW.screens, VIEW.ticks))
    k = int(np.argmax(MADE.shares[1]))
    f = [frame.f for frame in MADE.films[1].frames]
    row, column = np.argwhere((f[0] < -0.2) & (f[k] > 0.2) | (f[0] > 0.2) & (f[k] < -0.2))[0]
    left, top = 2 * gif.GAP + gif.SIDE, gif.GAP + gif.ROW
    count = len(f[0])
    x, y = (int((at + 0.5) / count * gif.SIDE) for at in (column, count - 1 - row))
    tinted, bare = (pictures[k][top + y, left + x] for pictures in (images, plain))
    ink = np.array([int(palette.THEMES["light"][COLOURS[1][10:-1]][i : i + 2], 16) for i in (1, 3, 5)])
    assert np.abs(tinted - ink).sum() < np.abs(bare - ink).sum() - 30
    assert np.abs(images[0] - plain[0]).mean() < 3.0  # nothing has changed yet, but for the palette


def test_of_a_long_film_some_moments_are_left_out_and_lines_are_refused():
    ticks = [FilmStep(str(k), [], k) for k in range(500)]
    screen = VIEW.screens[0]._replace(at=[0] * 500)
    _, seconds = frames(gif.film_gif([screen], ticks))
    assert len(seconds) <= 30 and sum(seconds) == pytest.approx(gif.SECONDS, abs=0.5)
    line = FilmPlane("loss", film_of(arrays.LossFilm(np.arange(3.0), np.ones((2, 3)), ["a", "b"])), [0, 1])
    with pytest.raises(ValueError, match="has none"):
        gif.film_gif([line], ticks[:2])


def test_the_field_has_the_colours_of_its_signs():
    images, _ = frames(gif.film_gif(VIEW.screens[:1], VIEW.ticks))
    theme = palette.THEMES["light"]
    f, picture = MADE.films[0].frames[0].f, images[0][gif.GAP + gif.ROW :, gif.GAP :]
    for sign, own, other in ((1, "field-plus", "field-minus"), (-1, "field-minus", "field-plus")):
        row, column = np.unravel_index(np.argmax(sign * f), f.shape)
        x, y = (int(np.clip((at + 0.5) / len(f) * gif.SIDE, 1, gif.SIDE - 2)) for at in (column, len(f) - 1 - row))
        near, far = (np.abs(picture[y, x] - palette.rgb(theme[name])).sum() for name in (own, other))
        assert sign * f[row, column] > gif.LIMIT and near < 20 < far - 30


def test_markers_have_their_diameters():
    """What they cover of the picture is the sum of their areas, but for edges and those that overlap."""
    film, theme = VIEW.screens[0].film, palette.THEMES["light"]
    drawn = np.asarray(gif._Plane(film, theme, None).draw(0)).astype(int)
    none = film._replace(figure=film.figure._replace(traces=[]))
    bare = np.asarray(gif._Plane(none, theme, None).draw(0)).astype(int)
    sizes = np.concatenate([style["size"][0] for style in film.styles.values()])
    area = np.sum(np.pi / 4.0 * np.maximum(sizes, 3.0) ** 2)
    assert 0.4 * area < np.count_nonzero(np.abs(drawn - bare).sum(axis=2) > 30) < 2.5 * area


def test_letters_that_its_font_does_not_have_are_spelled():
    written = []
    pen = SimpleNamespace(text=lambda place, text, **_: written.append(text))
    gif._write(pen, (0, 0), "Ramp-loss SVM (μ = −2)", "black")
    assert written == ["Ramp-loss SVM (mu = -2)"]
