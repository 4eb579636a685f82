"""A Plotly figure on the page, updated in place.

`st.plotly_chart` builds a new chart for every change: twice the time, and the zoom is lost. This component
(Components v2, inline: no build step, no iframe, nothing fetched from outside) keeps one chart and gives it new
figures. They come from pages.shared.figures and hold colour tokens, which plane.js replaces by the theme on the page.
"""

import json
import struct
from pathlib import Path

import numpy as np
import plotly
import streamlit as st
from streamlit.components.v1 import declare_component

from pages.shared import figures, palette, plotlyjs

_HERE = Path(__file__).parent
_TYPES = {code: np.dtype(f"<{code}") for code in ("f4", "f8", "i2", "i4", "u2", "u4", "i1", "u1")}


def _sources():
    """Where a browser finds plotly.js, as paths below the server's root: Streamlit's own chunk, then plotly's file."""
    package = declare_component("plotlyjs", path=Path(plotly.__file__).parent / "package_data")
    return [f"static/js/{name}" for name in plotlyjs.chunks()] + [f"component/{package.name}/plotly.min.js"]


def _script():
    script = "".join((_HERE / name).read_text(encoding="utf-8") for name in ("layers.js", "plane.js"))
    for name, value in (("THEMES", palette.THEMES), ("SOURCES", _sources())):
        script = script.replace(f'"__{name}__"', json.dumps(value))
    return script


_component = st.components.v2.component(
    "svm_plane",
    html=(_HERE / "plane.html").read_text(encoding="utf-8"),
    css=(_HERE / "plane.css").read_text(encoding="utf-8"),
    js=_script(),
    isolate_styles=False,
)


def show(figure, *, key, height=480, alt=None, link=None):
    """Put `figure` on the page, `height` pixels high, a plane that is too narrow for that as high as it needs to be.

    The same `key` updates the same chart in place.

    `alt` describes the picture to those who cannot see it (default: the figure's own `alt_text`). Charts with the same
    `link` ring the same training point when one of them is hovered or clicked; that needs `customdata[k][0]` = index.
    """
    data = payload(figure, name=key, height=height, alt=alt, link=link)
    _component(key=key, data=data, height="content")


def payload(figure, *, name, height=480, alt=None, link=None):
    """The bytes that travel to the browser, see `pack`."""
    spec = {
        # what figure.to_dict() would copy first: a tenth of the time of a run with five figures
        "figure": {"data": figure._data, "layout": figure._layout},
        "alt": figures.alt_text(figure) if alt is None else alt,
        "name": name,
        "link": link,
        "height": height,
    }
    return pack(spec)


def pack(spec):
    """`spec` as bytes: length of the JSON (uint32, little endian), the JSON, padding to 8, then the arrays.

    An array stands in the JSON as {"at": offset, "type": "f4", "shape": [...]}; equal arrays, such as the field behind
    the fill and the lines, travel once. Offsets are multiples of 8.
    """
    places, chunks, length = {}, [], 0

    def place(value):
        nonlocal length
        if isinstance(value, dict):
            return {key: place(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [place(item) for item in value]
        if isinstance(value, float):  # JSON has no word for nan and infinity
            return float(value) if np.isfinite(value) else None
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiu":
            return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
        value = np.ascontiguousarray(value, _TYPES.get(value.dtype.str[1:], np.float64))
        raw = value.tobytes()
        if raw not in places:
            places[raw] = length
            chunks.append(_padded(raw))
            length += len(chunks[-1])
        return {"at": places[raw], "type": value.dtype.str[1:], "shape": value.shape}

    header = _padded(json.dumps(place(spec), separators=(",", ":"), allow_nan=False).encode(), ahead=4, fill=b" ")
    return struct.pack("<I", len(header)) + header + b"".join(chunks)


def _padded(raw, ahead=0, fill=b"\0"):
    return raw + fill * (-(len(raw) + ahead) % 8)
