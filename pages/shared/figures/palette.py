"""Every colour of the app, named once, for a light and a dark page.

A figure holds no colours but their tokens, such as `colour("plus")` = "var(--svm-plus)", so that one figure serves both
themes. The plane component replaces the tokens when it draws, in the browser; `resolve` does the same in Python, for
exported files and for tests.

The two classes are the vermilion and the blue of Okabe and Ito (Color Universal Design, 2008), lighter on a dark
page. The violet of a third class and the eight variant colours keep the largest CIELAB distance that a search found,
under normal vision and under the three colour vision deficiencies of Machado, Oliveira and Fernandes (2009). Tests
check both, and the contrasts.
"""

import re
from typing import Any

import plotly.graph_objects as go

FONT = '"Source Sans", "Source Sans 3", system-ui, -apple-system, "Segoe UI", sans-serif'

COLOURS = 8  # of variants
PARTNERS = (4, 5, 3, 2, 0, 1, 7, 6)  # for each of them one that differs also in grey, on a light and on a dark page

# Lengths in pixels of dash and gap; Plotly's own names for dashes would depend on the width of the line.
DASHES = (
    "solid",
    "10px,5px",
    "3px,4px",
    "10px,4px,3px,4px",
    "18px,6px",
    "18px,5px,3px,5px,3px,5px",
    "6px,3px",
    "3px,8px",
    "14px,2px",
    "3px,3px,3px,9px",
    "8px,3px,8px,9px",
    "2px,2px",
    "6px,3px,2px,3px",
    "6px,8px",
    "3px,3px,3px,3px,3px,9px",
    "14px,3px,6px,3px",
)

DEPTHS = (0.55, 0.25)  # the opacity of points that lie farther and farther from a slice


def mix(background, colour, share) -> str:
    """`colour` over `background`, both "#rrggbb", with the opacity `share` (0 to 1); the result likewise."""
    pairs = zip(rgb(background), rgb(colour), strict=True)
    return "#" + "".join(f"{round(low + share * (high - low)):02x}" for low, high in pairs)


def rgb(colour) -> list[int]:
    """Red, green and blue of "#rrggbb", 0 to 255."""
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _transparent(colour, share):
    return f"rgba({','.join(map(str, rgb(colour)))},{share})"


def _theme(page, plus, minus, third, accent, strength, variants, **more):
    """The tokens of one theme; the field goes from the page's colour at 0 to `strength` of a class colour.

    Of each class `-deep` is for outlines, `-region` and `-inner` for where it leads and where it leads by far.

    `heat` is the dark end of a scale that begins with the page's colour; `haze` is transparent, for bands over a field;
    `veil` is the page's colour, transparent, for letters over a picture; `faint-1`, ... and `pale-1`, ... are the
    variants, transparent and half transparent; `plus-1`, `plus-2`, ... the classes at a distance from a slice.
    """
    classes = {"plus": plus, "minus": minus, "third": third}
    return {
        "page": page,
        "veil": _transparent(page, 0.8),
        **more,
        "accent": accent,
        "haze": _transparent(accent, 0.28),
        **classes,
        "plus-pale": mix(page, plus, 0.18),
        "minus-pale": mix(page, minus, 0.18),
        **{
            f"{name}-{depth}": _transparent(own, share)
            for name, own in classes.items()
            for depth, share in enumerate(DEPTHS, start=1)
        },
        "field-plus": mix(page, plus, strength),
        "field-minus": mix(page, minus, strength),
        **{
            f"{kind}-{name}": mix(under, of, share)
            for kind, of in classes.items()
            for name, under, share in (("deep", more["ink"], 0.4), ("region", page, 0.12), ("inner", page, 0.28))
        },
        "font": FONT,
        **{f"variant-{i}": colour for i, colour in enumerate(variants, start=1)},
        **{
            f"{name}-{i}": _transparent(colour, share)
            for name, share in (("faint", 0.22), ("pale", 0.5))
            for i, colour in enumerate(variants, 1)
        },
    }


THEMES = {
    "light": _theme(
        page="#ffffff",
        ink="#16202a",
        muted="#5b6770",
        grid="#e3e8ec",
        plus="#d55e00",
        minus="#0072b2",
        third="#8c1aff",
        accent="#a3157f",
        heat="#9472f8",
        strength=0.62,
        variants=("#2929e0", "#e43f68", "#3ba518", "#782b11", "#ab6cea", "#16202a", "#c360aa", "#5f1178"),
    ),
    "dark": _theme(
        page="#10161c",
        ink="#f0f4f8",
        muted="#a3afb9",
        grid="#2a343d",
        plus="#ff8a3d",
        minus="#5ab4f0",
        third="#8c1aff",
        accent="#f58fd6",
        heat="#812ff4",
        strength=0.55,
        variants=("#8b6cea", "#d35091", "#55e79e", "#8f8f14", "#f098f0", "#f0f4f8", "#9ee755", "#3b9b53"),
    ),
}

_TOKEN = re.compile(r"var\(--svm-([a-z0-9-]+)\)")


def colour(name) -> str:
    """The token of a colour (or of the font), valid wherever Plotly takes a string.

    Raises KeyError for a name that the themes do not have.
    """
    if name not in THEMES["light"]:
        raise KeyError(f"no colour is called {name!r}; the palette has {', '.join(THEMES['light'])}")
    return f"var(--svm-{name})"


def tint(kind, index) -> str:
    """The token of the transparent, "faint", or half transparent, "pale", colour of the variant number `index`."""
    return colour(f"{kind}-{index % COLOURS + 1}")


def at_depth(name, depth) -> str:
    """The token of a class, "plus", "minus" or "third", for points at a depth of 0, 1 or 2, as in `arrays.Points`."""
    return colour(f"{name}-{depth}" if depth else name)


def variant(index) -> tuple[str, str]:
    """(colour token, dash pattern) of the variant number `index` = 0, 1, ...

    After eight the colours repeat with other dashes, after sixteen the dashes with partners of their colours, so that
    equal dashes can be told apart by readers who see no colours. No two of the first 32 are the same.
    """
    cycle, kind = divmod(index, COLOURS)
    dash = PARTNERS[kind] if cycle & 2 else kind
    return colour(f"variant-{kind + 1}"), DASHES[dash + COLOURS * (cycle & 1)]


def resolve(figure, theme="light") -> go.Figure:
    """Plotly's Figure of a `style.Drawing`, the tokens replaced by the colours of `theme`, "light" or "dark"."""
    return go.Figure(replace_tokens(figure.plotly.to_dict(), THEMES[theme]), skip_invalid=False)


def replace_tokens(value, colours) -> Any:
    """A value of a figure, or a list or dict of them, with {name: colour} in the place of the tokens."""
    if isinstance(value, str):
        return _TOKEN.sub(lambda match: colours[match[1]], value)
    if isinstance(value, dict):
        return {key: item if key == "bdata" else replace_tokens(item, colours) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [replace_tokens(item, colours) for item in value]
    return value
