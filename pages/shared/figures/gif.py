"""A film as an animated GIF of ten seconds, to be sent: its planes side by side, drawn without a browser."""

import io
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from pages.shared.figures import palette
from pages.shared.figures.plane import LIMIT
from pages.shared.studies.formatting import spell

SECONDS = 10.0
LAST = 1.5  # seconds for which the last moment stays
FEWEST = 0.04  # seconds of a moment: browsers slow down what is faster
MOST = 120  # moments; of more, some are left out
SIDE, GAP, ROW = 320, 12, 24  # pixels of a plane, between planes, and of a line of text
FINER = 2  # drawn so much larger, and made smaller: smooth edges
BANDS = 8  # colours of the field on either side of f = 0
CHANGED = 0.45  # opacity of the area that has changed class
PLAIN = str.maketrans({"\u2212": "-", "\u202f": " ", "\u00a0": " "})


def film_gif(screens: Sequence, ticks: Sequence, colours: Sequence[str] = ()) -> bytes:
    """The GIF of `show.FilmPlane`s whose films have a field, with the names of its `show.FilmStep`s.

    With `colours`, one token for each plane, the area that has changed class since the first moment has that colour.
    ValueError for a film without a field.
    """
    if any(screen.film.z is None for screen in screens):
        raise ValueError("A GIF shows planes; this film has none.")
    tones = palette.THEMES["light"]
    shown = np.unique(np.linspace(0, len(ticks) - 1, min(len(ticks), MOST)).astype(int))
    across = min(len(screens), 2)
    size = (across * (SIDE + GAP) + GAP, -(-len(screens) // across) * (SIDE + ROW + GAP) + ROW + GAP)
    colours = colours or [None] * len(screens)
    planes = [_Plane(screen.film, tones, colour) for screen, colour in zip(screens, colours, strict=True)]
    pictures = []
    for moment in shown:
        page = Image.new("RGB", size, tones["page"])
        pen = ImageDraw.Draw(page)
        for k, (plane, screen) in enumerate(zip(planes, screens, strict=True)):
            left, top = GAP + k % across * (SIDE + GAP), GAP + k // across * (SIDE + ROW + GAP)
            title = next((word for word in ticks[moment].words if word.startswith(f"{screen.name}:")), screen.name)
            _write(pen, (left, top), title, tones["ink"])
            page.paste(plane.draw(max(screen.at[moment], 0)), (left, top + ROW))
        _write(pen, (GAP, size[1] - ROW), ticks[moment].label, tones["ink"])
        pictures.append(page)
    first, *others = _quantize(pictures)
    each = max((SECONDS - LAST) / max(len(others), 1), FEWEST)
    duration = [round(1000 * each)] * len(others) + [round(1000 * LAST)]
    out = io.BytesIO()
    first.save(out, "GIF", save_all=True, append_images=others, duration=duration, loop=0)
    return out.getvalue()


def _quantize(pictures):
    """The pictures in 256 colours, the same for all, so that nothing flickers."""
    some = [pictures[k] for k in sorted({0, len(pictures) // 3, 2 * len(pictures) // 3, len(pictures) - 1})]
    sheet = Image.new("RGB", (some[0].width, some[0].height * len(some)))
    for k, picture in enumerate(some):
        sheet.paste(picture, (0, k * picture.height))
    colours = sheet.quantize(256, dither=Image.Dither.NONE)
    return [picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in pictures]


def _write(pen, place, text, ink):
    pen.text(place, spell(text).translate(PLAIN), fill=ink, font=_font())


@lru_cache(1)
def _font():
    return ImageFont.load_default(15)


class _Plane:
    def __init__(self, film, tones, colour):
        self._film, self._tones = film, tones
        self._table = palette.replace_tokens(film.table, tones)
        self._colour = colour and palette.rgb(palette.replace_tokens(colour, tones))
        minus, page, plus = (
            np.array(palette.rgb(tones[name]), float) for name in ("field-minus", "page", "field-plus")
        )
        share = np.linspace(-1.0, 1.0, 2 * BANDS)[:, None]
        self._bands = np.where(share < 0, page - share * (minus - page), page + share * (plus - page))
        layout = film.figure.layout
        self._ends = layout["xaxis"]["range"], layout["yaxis"]["range"]
        self._dots = [trace for trace in film.figure.traces if trace["name"] in film.styles]

    def draw(self, k):
        f = self._values(k)
        picture = self._bands[np.clip((f / LIMIT + 1.0) * BANDS, 0, 2 * BANDS - 1).astype(int)]
        if self._colour:
            changed = (f >= 0.0) != (self._values(0) >= 0.0)
            picture[changed] += CHANGED * (np.array(self._colour) - picture[changed])
        picture[_edges(f >= 0.0)] = palette.rgb(self._tones["ink"])
        image = Image.fromarray(picture[::-1].astype(np.uint8))
        self._mark(ImageDraw.Draw(image), k)
        return image.resize((SIDE, SIDE), Image.Resampling.LANCZOS)

    def _values(self, k):
        """f of frame k at every pixel, from the bottom up."""
        z = Image.fromarray(self._film.z[k].astype(np.float32) * np.float32(self._film.unit[k]))
        return np.asarray(z.resize((FINER * SIDE, FINER * SIDE), Image.Resampling.BILINEAR))

    def _mark(self, pen, k):
        """The points, with a ring around those that the frame marks."""
        ringed = set(self._film.marks[k]["ringed"])
        for trace in self._dots:
            styles = {name: values[k] for name, values in self._film.styles[trace["name"]].items()}
            for row, (x, y, data) in enumerate(zip(trace["x"], trace["y"], trace["customdata"], strict=True)):
                place, radius = self._pixel(x, y), FINER * max(float(styles["size"][row]), 3.0) / 2
                fill, edge, symbol = (self._table[styles[name][row]] for name in ("color", "edge", "symbol"))
                draw = pen.ellipse if symbol.startswith("circle") else pen.rectangle
                inks = {"fill": _solid(fill, self._tones), "outline": _solid(edge, self._tones)}
                draw(_box_of(place, radius), width=FINER, **inks)
                if symbol.endswith("-dot"):
                    pen.ellipse(_box_of(place, 1.5 * FINER), fill=inks["outline"])
                if int(data[0]) in ringed:
                    pen.ellipse(_box_of(place, 9 * FINER), outline=self._tones["accent"], width=2 * FINER)

    def _pixel(self, x, y):
        (left, right), (low, high) = self._ends
        side = FINER * SIDE
        return side * (x - left) / (right - left), side * (high - y) / (high - low)


def _edges(inside):
    """The pixels on either side of a boundary, as broad as a line."""
    line = np.zeros_like(inside)
    for drawn, area in ((line, inside), (line.T, inside.T)):
        steps = np.diff(area, axis=0)
        for shift in range(2 * FINER):
            drawn[shift : shift + len(steps)] |= steps[: len(drawn) - shift]
    return line


def _box_of(place, radius):
    x, y = place
    return x - radius, y - radius, x + radius, y + radius


def _solid(text, tones):
    """A colour of a marker; what shines through is drawn in the colour of the page."""
    return text if str(text).startswith("#") else tones["page"]
