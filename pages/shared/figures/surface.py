"""The surface of a decision function over the plane, and the lift of the points to a paraboloid. Plotly draws both by
WebGL.
"""

import numpy as np

from pages.shared.figures import style
from pages.shared.figures.palette import colour
from pages.shared.figures.plane import axes_of
from pages.shared.studies.formatting import number, percent

NAMES = "x₁", "x₂"
TALL = 3.0  # |f| at which the surface is cut off
SCALE = [[0.0, colour("minus")], [0.5, colour("grid")], [1.0, colour("plus")]]
SIGHT = dict(eye=dict(x=1.0, y=-1.1, z=0.75))
CLASSES = ((1.0, "plus", "circle"), (-1.0, "minus", "square"))


def surface_figure(field, points) -> style.Drawing:
    """The Drawing of the surface z = f(x) of a Field, cut off at |f| = `TALL`, with its level lines at 0 and +-1; the
    points stand at the height of their label. Traces: "surface", "points +1", "points -1".
    """
    z = np.clip(field.f, -TALL, TALL).astype(np.float32)
    levels = dict(show=True, start=-1, end=1, size=1, color=colour("ink"), width=6, project=dict(z=True))
    surface = dict(**_surface(field, z), name="surface", cmin=-2.0, cmax=2.0, contours=dict(z=levels))
    low, high = float(np.min(field.f)), float(np.max(field.f))
    alt = (
        f"Surface of f over the plane, from {number(low)} to {number(high)}, with lines at −1, 0 and 1; "
        f"{len(points.y)} points stand at the height of their label, 1 or −1."
    )
    return _figure(
        [surface, *_dots(points, points.y)], alt, [*(axes_of(field, points) or NAMES), "f(x)"], [-TALL, TALL]
    )


def lift_figure(field, points, curvature) -> style.Drawing:
    """The Drawing of the lift (x1, x2) -> (x1, x2, |x|^2) of the points to a paraboloid, and of the surface that cuts
    it where f = 0, for an f of degree two with the Laplacian 4 `curvature`, not zero.

    |x|^2 - f / curvature has no curvature on average: it is a plane where the boundary is a circle, else a saddle.
    Traces: "paraboloid", "cut", "points +1", "points -1".
    """
    across, up = np.meshgrid(field.xs, field.ys)
    bowl = across**2 + up**2
    cut = bowl - field.f / curvature
    top = float(bowl.max())
    columns = np.column_stack([across.ravel(), up.ravel(), np.ones(across.size)])
    flat = float(np.ptp(cut.ravel() - columns @ np.linalg.lstsq(columns, cut.ravel(), rcond=None)[0]) / top)
    inside = np.clip(cut, -0.2 * top, 1.2 * top).astype(np.float32)
    traces = [
        dict(**_surface(field, bowl.astype(np.float32), 0.55), name="paraboloid", cmin=-2.0, cmax=2.0,
             surfacecolor=np.clip(field.f, -2.0, 2.0).astype(np.float32)),
        dict(**_surface(field, inside, 0.5), name="cut", cmin=0.0, cmax=1.0)
        | dict(colorscale=[[0.0, colour("muted")], [1.0, colour("muted")]]),
        *_dots(points, np.sum(points.X**2, axis=1)),
    ]  # fmt: skip
    alt = (
        f"{len(points.y)} points lifted to the paraboloid |x|², and the surface that cuts it where f = 0; it differs "
        f"from a plane by at most {percent(flat)} of the height of the paraboloid."
    )
    return _figure(traces, alt, [*(axes_of(field, points) or NAMES), "|x|²"], [-0.2 * top, 1.2 * top])


def _surface(field, z, opacity=1.0):
    look = dict(opacity=opacity, colorscale=SCALE, lighting=dict(ambient=0.75, diffuse=0.5, specular=0.1))
    xs, ys = np.asarray(field.xs, np.float32), np.asarray(field.ys, np.float32)
    return dict(type="surface", x=xs, y=ys, z=z, **look, showscale=False, hoverinfo="skip")


def _dots(points, heights):
    for label, ink, symbol in CLASSES:
        members = np.flatnonzero(points.y == label)
        look = dict(symbol=symbol, size=4, color=colour(ink), line=dict(color=colour("ink"), width=1))
        places = dict(type="scatter3d", z=np.asarray(heights)[members])
        yield style.markers(*points.X[members].T, f"points {label:+g}", **look, **places)


def _figure(traces, alt, names, ends):
    named = dict(showspikes=False, showbackground=False, nticks=5)
    flat = dict(visible=False, range=[0, 1], fixedrange=True)
    x, y, z = (style.axis(name, **named) for name in names)
    shape = dict(aspectmode="manual", aspectratio=dict(x=1.0, y=1.0, z=0.7), dragmode="turntable", camera=SIGHT)
    return style.figure(
        [style.scatter([None], [None], "axes"), *traces],  # the page asks every picture for two axes
        alt=alt,
        xaxis=flat,
        yaxis=flat,
        margin=dict(l=0, r=0, t=28, b=0),
        scene=dict(xaxis=x, yaxis=y, zaxis=z | {"range": ends}, **shape),
        uirevision="surface",
    )
