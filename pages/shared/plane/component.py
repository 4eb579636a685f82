"""A Plotly figure on the page, updated in place.

`st.plotly_chart` builds a new chart for every change: twice the time, and the zoom is lost. This component
(Components v2, inline: no build step, no iframe, nothing fetched from outside) keeps one chart and gives it new
figures. They come from pages.shared.figures and hold colour tokens, which chart.js replaces by the theme on the page.
"""

import functools
import json
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared.figures import palette
from pages.shared.page import callbacks
from pages.shared.page.run import read_state
from pages.shared.server import js_bundle, static_files

MANY = 16  # strings from which on a list of them is sent as places in its different ones
_NESTED = (dict, list, tuple)
_TYPES = {code: np.dtype(f"<{code}") for code in ("f4", "f8", "i2", "i4", "u2", "u4", "i1", "u1")}


def _entry():
    """The script that loads the component. Streamlit sends it with every figure, so it only says where the rest is."""
    script = (js_bundle.WEB / js_bundle.ENTRY).read_text(encoding="utf-8").replace("__BUNDLE__", js_bundle.path())
    for word, value in (("THEMES", palette.THEMES), ("PLOTLY", static_files.PLOTLY)):
        script = script.replace(f'"__{word}__"', json.dumps(value))
    return script


@functools.lru_cache(1)
def _component() -> Callable:
    """The component, declared when a page first shows it: Streamlit serves only what the run of a page declares."""
    mount = '<div class="svm-mount"></div>'
    return st.components.v2.component("svm_plane", html=mount, js=_entry(), isolate_styles=False)


class LiveScene(NamedTuple):
    """The scene of a page whose live channel draws its figures: its id, the version of its pictures, and whether the
    browser got these from the channel, so that they are not sent again.
    """

    id: str
    version: int
    in_browser: bool


class Options(NamedTuple):
    """Options of a plane besides its figure.

    `link`: charts with the same link ring the same training point when one of them is hovered or clicked; this needs
    `customdata[k][0]` = its id. With `edit` the points can be moved, added and deleted; the `point_editor` of that link
    sends the edits.

    `drag_handle`, {name, label, low, high, step, value, ends}: a point of the picture is dragged along the line between
    two `ends` and moves the control of that name between `low` and `high`.

    A `transport` moves the planes that have `frames`, see `film_frames`, and the charts that have a `cursor`, {film,
    version, places}: the place on the horizontal axis for each of its moments.

    The traces named in `trail` leave the last thirty of their lines behind while something moves.

    `ask`: the answer to a `question` is drawn on the plane, {form, key, kind, given, locked, ...}, see
    answer_drawing.js.
    """

    height: int = 480  # in pixels; a plane too narrow for it becomes less high
    fill: float = 0.0  # in place of `height`: its share of what the window has below the controls
    less: int = 0  # pixels that this share is smaller
    edge: tuple[str, str, str] | None = None  # inside the frame: its name, a line of numbers, the live key of this line
    link: str | None = None
    edit: bool = False
    drag_handle: dict | None = None
    frames: dict | None = None
    cursor: dict | None = None
    ask: dict | None = None
    trail: tuple[str, ...] = ()
    live: LiveScene | None = None  # whose live channel knows the figure by its key


def show_figure(figure, *, key, heading="", help=None, alt=None, on_pick=None, live=None, **options) -> None:
    """Put `figure` on the page; the same `key` updates the same chart in place. `options` are those of `Options`.

    `heading` is shown above the chart, with `help` as its tip. `alt` describes the picture to readers who cannot see
    it (default: that of the figure); it begins with the heading, or the name at the edge.

    With `on_pick` a click on a place that has a hover box calls on_pick(x, y), before the run that it starts. A plane
    that is `live` tells in the state "missing" the version of a figure that it should have and has not.
    """
    if heading:
        st.container(key=f"title-{key}").markdown(f"**{heading}**", help=help)
    pick = on_pick is not None
    alt = figure.alt if alt is None else alt
    name, line, _ = options.get("edge") or (heading, "", "")
    alt = ". ".join(part.rstrip(".") for part in (name, line, alt) if part) + "." * alt.endswith(".")
    if live and live.in_browser and (st.session_state.get(key) or {}).get("missing") == live.version:
        live = live._replace(in_browser=False)
    data = payload(figure, name=key, alt=alt, heading=heading, pick=pick, live=live, **options)
    shown = dict(key=key, data=data, height="content", **({"on_missing_change": _ignore} if live else {}))
    if pick:
        callbacks.show_widget(_component(), **shown, on="on_pick_change", act=_on_pick, args=(on_pick, key))
    else:
        _component()(**shown)


def _on_pick(on_pick, key, state):
    place = read_state(key, "pick", x=int | float, y=int | float)
    if place:
        on_pick(place["x"], place["y"])


def point_editor(message, *, key, act) -> None:
    """The toolbar of the planes that are linked as `key`: it sends the edits of their points to Python.

    `message` is what the browser needs: session, version, draw, ack, base (columns ids, x, y, label, mark), step, edits
    (rows id, flags, x, y), labels of the classes, [] for a regression, classes {label: name}; folded, a `quiet` toolbar
    is one button. A new `version` replaces the points, a new `draw` also their history; a new `session`, which knows
    nothing of what was sent before, is sent the edits that no run has answered. `ack` is the `seq` of the newest
    message that this run has seen. The answers are the state "edits" of the component, {version, seq, chosen, step,
    edits}; `act` is called before the run that one starts.
    """
    _component()(key=key, data=pack({"editor": key, **message}), height="content", on_edits_change=act)


def control_bar(message, *, key) -> None:
    """The controls of the page, with its numbers. `message` is {controls, ack, numbers, changed, resets}.

    controls: the controls as plain data, see `screen.fields`; changed: the labels of those that "Reset" would
    change; resets: whether there is any that it could change.
    A change is the state "update" of the component, {id, values, action}; the run that has taken it answers with its id
    as `ack`, and until then the browser shows, and sends again, what it has changed.
    """
    _component()(key=key, data=pack(message), height="content", on_update_change=_ignore)


def film_frames(film, name, version, at=None) -> dict:
    """The message that lets a plane show the `film.Film` with the transport `name` at its `version`.

    `at` (T,) is the frame of each moment, -1 for none; by default one after the other.
    """
    parts = {key: getattr(film, key) for key in ("z", "unit", "styles", "table", "marks", "strips", "details", "moves")}
    at = range(len(film.marks)) if at is None else at
    return {"film": name, "version": version, "at": [int(k) for k in at], **parts}


def transport(  # noqa: PLR0913
    ticks, *, key, run, version, start=None, ends=False, steps=None, beyond=(False, False), speed=None, plays=False
) -> None:
    """The controls of the film `key`: play, pause, step, scrub, speed; with a single moment only its sentences.

    ticks: {label, words, iteration} of each moment: its name, sentences about it, its iteration. A new `version`
    restarts at the moment `start` (default: the first; the last if the reader prefers reduced motion; with `ends` the
    last, or where the film before it stood, as a part of its way); with another `start` the film of the same `version`
    goes there. `steps` says whether these are single steps, None if there is no choice. `beyond` says whether the run
    `run` has more of them before the first and after the last. Where the film comes to rest is the state "moment" of
    the component, {run, iteration}; a request for other moments is its state "film", {run, steps, iteration, by}: start
    `by` moments after that iteration. `speed` is the first speed, in moments a second; what `plays` begins by
    itself, unless the reader prefers reduced motion.
    """
    message = dict(transport=key, ticks=ticks, run=run, version=version, start=start, ends=ends, steps=steps)
    message |= dict(beyond=beyond, speed=speed, plays=plays)
    _component()(key=key, data=pack(message), height="content", on_film_change=_ignore, on_moment_change=_ignore)


def film_sentences(film) -> None:
    """The place of the sentences of a film on its moment, apart from its controls."""
    _component()(key=f"{film}_words", data=pack({"words": film}), height="content")


def question_form(message, *, key) -> None:
    """A question with its form. `message` is {question, key, kind, given, locked, asked, ...}, see question.js.

    `question` is the name of the form, whose answer a plane with the same `ask` writes, too. What the reader does is
    the state "answer" of the component, {id, form, key, action, given}. Without a `commit`, the label of its button,
    every change is sent, as the action "keep".
    """
    _component()(key=key, data=pack(message), height="content", on_answer_change=_ignore)


def chapter_text(message, *, key) -> None:
    """A text in sections beside its plane. `message` is {chapter, sections, step, values, numbers}, see chapter.js.

    The section that is read and the values of the sliders are the state "place" of the component, {step, NAME: value}.
    """
    _component()(key=key, data=pack(message), height="content", on_place_change=_ignore)


def browser_memory(name, text, known, *, key) -> None:
    """Lets the browser remember a text under a name. Unless the page has `known` another one from the beginning, the
    text of an earlier visit is the state "memory" of the component, {text}.
    """
    message = {"memory": name, "text": text, "known": known}
    _component()(key=key, data=pack(message), height="content", on_memory_change=_ignore)


def share(link, *, key) -> None:
    """The buttons that copy a link and save the largest picture of the page."""
    _component()(key=key, data=pack({"share": link}), height="content")


def tour(steps, *, key) -> None:
    """The link to a walk over the page: {at, title, text} of each step, `at` a selector."""
    _component()(key=key, data=pack({"tour": steps}), height="content")


def _ignore():
    """Streamlit requires a callback for every state."""


def payload(figure, *, name, alt=None, heading="", pick=False, **options) -> bytes:
    """The bytes that travel to the browser, see `pack`; a figure that it got from the live channel is left out."""
    options = Options(**options)
    live = options.live
    spec = {
        "figure": None if live and live.in_browser else {"data": figure.traces, "layout": figure.layout},
        "alt": figure.alt if alt is None else alt,
        "name": name,
        "heading": heading,
        "pick": pick,
        **options._asdict(),
        "live": live and {"scene": live.id, "version": live.version},
    }
    return pack(spec)


def pack(spec, light=False) -> bytes:
    """`spec` as bytes: length of the JSON (uint32, little endian), the JSON, padding to 8, then the arrays.

    In the JSON an array is {"at": offset, "type": "f4", "shape": [...]}; equal arrays, such as the field behind the
    fill and the lines, are sent once. Offsets are multiples of 8. An array of whole multiples has its "unit", too. A
    long list of words is an array of places in its "words", each of which stands there once. For a picture that shall
    be `light`, numbers of arrays are rounded to a part in 8000, so that zlib makes half as much of them.
    """
    spec = _code_words(spec)
    places, chunks, length = {}, [], 0

    def place(value):
        """Convert what JSON does not know: arrays, and the numbers of numpy."""
        nonlocal length
        if isinstance(value, _Coded):
            return place(value.codes) | value.key
        if not isinstance(value, (np.ndarray, np.generic)):
            raise TypeError(f"{type(value).__name__} cannot be sent to the browser")
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiu":
            return _plain(value.tolist())
        value = np.ascontiguousarray(value, _TYPES.get(value.dtype.str[1:], np.float64))
        if light and value.dtype.kind == "f":
            value = _short(value)
        raw = value.tobytes()
        if raw not in places:
            places[raw] = length
            chunks.append(_pad(raw))
            length += len(chunks[-1])
        return {"at": places[raw], "type": value.dtype.str[1:], "shape": value.shape}

    try:
        text = json.dumps(spec, separators=(",", ":"), allow_nan=False, default=place)
    except ValueError:  # JSON has neither nan nor infinity
        places, chunks, length = {}, [], 0
        text = json.dumps(_plain(spec), separators=(",", ":"), allow_nan=False, default=place)
    header = _pad(text.encode(), ahead=4, fill=b" ")
    return struct.pack("<I", len(header)) + header + b"".join(chunks)


@dataclass
class _Coded:
    """Whole numbers `codes`, and what they stand for: multiples of a "unit", or places in a list of "words"."""

    codes: np.ndarray
    key: dict


def rounded_fields(traces: list[dict]) -> list[dict]:
    """The traces of a figure with fields of 8 bits, which are exact to a hundredth of what is drawn of them."""
    fields = [trace for trace in traces if trace["type"] == "contour"]
    if not fields:
        return traces
    levels = [trace["contours"].get(key, 0.0) for trace in fields for key in ("start", "end", "value")]
    largest = 2.0 * float(np.max(np.abs(np.hstack([*levels, *(trace["zmax"] for trace in fields)]))))
    unit = largest / 127

    def round_field(values):
        return _Coded(np.rint(np.clip(values, -largest, largest) / unit).astype(np.int8), {"unit": unit})

    return [{**trace, "z": round_field(trace["z"])} if trace["type"] == "contour" else trace for trace in traces]


def _short(array):
    """The array in single precision, most of its bits 0; as it is if a whole number, such as an index, would change."""
    short = (array.astype("<f4").view(np.uint32) + 0x400 & 0xFFFFF800).view("<f4")
    whole = array == np.rint(array)
    return short if np.array_equal(short[whole], array[whole]) else array


def differences(new, old):
    """The difference that makes `new` of `old`: {} for none, [new] for another value, {place: difference} within a
    dictionary, or a list of them, with the same places.
    """
    kind = type(new)
    if kind is dict and type(old) is dict and new.keys() == old.keys():
        return {place: other for place, item in new.items() if (other := differences(item, old[place]))}
    if kind is list and type(old) is list and len(new) == len(old) and all(type(item) is dict for item in new):
        return {place: other for place, item in enumerate(new) if (other := differences(item, old[place]))}
    return {} if _is_same(new, old) else [new]


def _is_same(new, old):
    if type(new) is not type(old):
        return False
    if isinstance(new, np.ndarray):
        return new.dtype == old.dtype and new.shape == old.shape and new.tobytes() == old.tobytes()
    try:
        return new == old
    except ValueError:  # lists of arrays
        return len(new) == len(old) and all(map(_is_same, new, old))


def _code_words(value: dict | list | tuple):
    """The value with codes for long lists of strings, of which the points of a plane have many alike."""
    if isinstance(value, dict):
        return {key: _code_words(item) if isinstance(item, _NESTED) else item for key, item in value.items()}
    if MANY <= len(value) < 65_536 and all(isinstance(item, str) for item in value):
        places = {word: k for k, word in enumerate(dict.fromkeys(value))}
        codes = np.array([places[word] for word in value], np.uint8 if len(places) < 256 else np.uint16)
        return _Coded(codes, {"words": list(places)})
    return [_code_words(item) if isinstance(item, _NESTED) else item for item in value]


def _plain(value):
    """The value with None for the numbers that JSON does not have."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return float(value) if np.isfinite(value) else None
    return value


def _pad(raw, ahead=0, fill=b"\0"):
    return raw + fill * (-(len(raw) + ahead) % 8)
