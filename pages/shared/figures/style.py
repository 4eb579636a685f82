"""The common style of all pictures: one font, light axes, the page as background, no drags that would take touches."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from pages.shared.figures.palette import colour
from pages.shared.studies.formatting import number

SMALL = 12  # pixels of the smallest letters
STEPS = 5  # between the ticks of a log axis, at most
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Drawing(NamedTuple):
    """A figure as plain dicts, as it is sent to the browser. Its arrays may be shared: nothing may be written to them.

    Plotly's own Figure would copy all of them, which takes as long as everything else in drawing a picture.
    """

    traces: list[dict]
    layout: dict

    @property
    def alt(self) -> str:
        """A sentence that describes the picture, for screen readers."""
        return self.layout["meta"]["alt"]

    @property
    def plotly(self) -> go.Figure:
        """Plotly's Figure of it, built anew each time: for files, and for code that reads attributes."""
        return go.Figure(dict(data=self.traces, layout=self.layout), _validate=False)


class Legend(NamedTuple):
    """The key of a picture: its annotation, and its entries, which picture/key.js may write in other lines."""

    note: dict
    entries: list[str]


def axis(title=None, **options) -> dict:
    """An axis with a light grid, no zero line, and its title in the muted ink."""
    named = {"title": dict(text=title, font=dict(size=SMALL, color=colour("muted")), standoff=6)} if title else {}
    return {
        **named,
        "gridcolor": colour("grid"),
        "linecolor": colour("grid"),
        "tickfont": dict(size=SMALL, color=colour("muted")),
        "zeroline": False,
        "ticks": "",
        "exponentformat": "power",
        "minexponent": 5,  # 100000, not 100k
        **options,
    }


def decades(low, high) -> dict:
    """A log axis that shows the values from `low` to `high` > 0, with ticks of one size, which Plotly's own are not.

    They are powers of ten in at most `STEPS` steps; where fewer than two decades are shown, also 2 and 5 times them;
    where no two of these lie within, the ends.
    """
    first, last = int(np.floor(np.log10(low))), int(np.ceil(np.log10(high)))
    step = max(1, -(-(last - first) // STEPS))
    factors = (1, 2, 5) if high < 100 * low else (1,)
    plain = first >= -3 and last <= 4
    ticks = {
        factor * 10.0**power: f"{factor * 10.0**power:.10g}"
        if plain
        else f"{factor}·{power_of_ten(power)}".removeprefix("1·")
        for power in range(first, last + 1, step)
        for factor in factors
    }
    if sum(low <= value <= high for value in ticks) < 2:
        ticks = {float(value): number(value) for value in (low, high)}
    return {"type": "log", "tickvals": list(ticks), "ticktext": list(ticks.values())}


def log_axis(title, low, high) -> dict:
    """A log axis that ends at the values `low` and `high` > 0, with the ticks of `decades`."""
    return axis(title, **decades(low, high), range=np.log10([low, high]).tolist())


def power_of_ten(exponent: int) -> str:
    """10 to the exponent as text, the first two without an exponent."""
    return ("1", "10")[int(exponent)] if exponent in (0, 1) else "10" + str(int(exponent)).translate(SUPERSCRIPTS)


def legend(y) -> dict:
    """A legend in a row below the picture; clicks on it change nothing, because the page has controls for this."""
    return dict(orientation="h", x=0, xanchor="left", y=y, yanchor="top", itemclick=False, itemdoubleclick=False)


def path(x, y, name, line_colour, *, width, dash="solid", **options) -> dict:
    """The trace of a line through the places (x, y); a gap where one of them is nan. `options` as in `scatter`."""
    line = dict(color=line_colour, width=width, dash=dash)
    return scatter(x, y, name, **{"mode": "lines", "line": line, "connectgaps": False, **options})


def markers(x, y, name, *, size, color, symbol="circle", line=None, marker=None, **options) -> dict:
    """The trace of opaque markers at the places (x, y); `line` is their outline, if any, `marker` are other properties
    of them. `options` as in `scatter`.
    """
    line = line or dict(width=0)
    look = {"symbol": symbol, "size": size, "color": color, "opacity": 1, "line": line, **(marker or {})}
    return scatter(x, y, name, **{"mode": "markers", "marker": look, **options})


def scatter(x, y, name, **options) -> dict:
    """The trace of something at the places (x, y), not in the legend.

    It has no hover box unless `options`, those of the trace, contain a hovertemplate.
    """
    hover = {} if "hovertemplate" in options else {"hoverinfo": "skip"}
    return {"type": "scatter", "x": x, "y": y, "name": name, "showlegend": False, **hover, **options}


def heatmap(x, y, z, name, **options) -> dict:
    """The trace of cells of one colour each, with their text in their hover box."""
    look = dict(hovertemplate="%{text}<extra></extra>", showscale=False, xgap=1, ygap=1)
    return {"type": "heatmap", "x": x, "y": y, "z": z, "name": name, **look, **options}


def reference_line(x, y, name, **options) -> dict:
    """The trace of a reference value: dashed, in the muted ink."""
    return path(x, y, name, colour("muted"), width=1.4, dash="7px,5px", **options)


def note(text, **place) -> dict:
    """The annotation of a few words without an arrow, small and in the muted ink."""
    return dict(text=text, showarrow=False, font=dict(size=SMALL, color=colour("muted")), **place)


def figure(  # noqa: PLR0913
    traces, *, alt, where="", key=None, sizes=None, xaxis, yaxis, margin, uirevision="", layers=False, **layout
) -> Drawing:
    """The Drawing of `traces` (dicts) in the common style; `alt` describes it for screen readers, and ends with
    `where`, a sentence on the place of its boundary. `key` is its `Legend`, or None, `sizes` its `marks.size_key`.

    With `layers`, picture/canvas.js may draw the traces. Plotly checks every property: 40 ms at 200 points,
    more than all the rest of the picture; the tests apply it to every kind of figure instead.
    """
    if sizes:
        alt += f" Key of sizes, {sizes['label']}: {', '.join(sizes['text'])}."
    letters = dict(family=colour("font"), size=SMALL, color=colour("ink"))
    common = dict(
        template=dict(layout={}),
        font=letters,
        paper_bgcolor=colour("page"),
        plot_bgcolor=colour("page"),
        xaxis=xaxis,
        yaxis=yaxis,
        margin=margin,
        dragmode=False,
        hovermode="closest",
        hoverlabel=dict(bgcolor=colour("page"), bordercolor=colour("muted"), font=letters, align="left"),
        uirevision=uirevision,
        separators=".",  # no comma in 100000, as in the controls
        meta=dict(alt=f"{alt} {where}".rstrip(), where=where, layers=layers),
        **{"showlegend": False, **layout},
    )
    if key:
        common["annotations"] = [key.note]
        common["meta"]["key"] = key.entries
    if sizes:
        common["meta"]["sizes"] = sizes
    return Drawing(list(traces), common)


def chart(traces, **options) -> Drawing:
    """The `figure` of a chart whose margin holds one row of its legend below it; where that takes more, frame.js widens
    the margin, up to two fifths of the height, and the legend scrolls.
    """
    below = legend(0) | dict(yref="container", yanchor="bottom", maxheight=0.4)
    margin = dict(l=64, r=10, t=26, b=70)
    return figure(traces, legend=below, **{"showlegend": True, "margin": margin, **options})
