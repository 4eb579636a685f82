"""Films of lines: a curve that is fitted round by round, and coefficients in order of their size."""

import numpy as np

from pages.shared.figures import marks, palette, style
from pages.shared.figures.curve import curve_figure, dots
from pages.shared.figures.film import Film, line_film, marker_styles, step_marks
from pages.shared.studies.arrays import Samples
from pages.shared.studies.formatting import number

FLOOR = 1e-12  # smaller values are below the picture


def curve_film(graph, frames, samples: Samples, *, meant=None) -> Film:
    """The Film of a curve over the places of the `graph`; of the samples x, y, outlier and ids count.

    Areas of markers share one scale over all frames.
    """
    moments = [samples.bare._replace(beta=frame.alpha, state=frame.state) for frame in frames]
    largest = max(map(marks.largest_alpha, moments))
    figure = curve_figure(graph._replace(f=frames[-1].f), moments[-1], meant=meant, alpha_max=largest, sort=False)
    pictured = (dots(one, alpha_max=largest, sort=False)[:1] for one in moments)
    styles, table = marker_styles(figure, pictured, ["points"], kept=2)
    return Film(
        figure, None, None, styles, table, [step_marks(frame, samples, meant) for frame in frames],
        moves={"curve": {"y": np.array([frame.f for frame in frames], np.float32)}},
    )  # fmt: skip


def loss_film(t, values, names) -> Film:
    """The Film of a loss that changes: values (F, k) over t (k,), and its name in each frame. Traces: "loss"."""
    values = np.asarray(values, np.float32)
    top = float(np.ceil(values.max()))
    figure = style.figure(
        [style.path(np.asarray(t, np.float32), values[-1], "loss", palette.variant(0)[0], width=2.6)],
        alt=f"A loss over t = 1 − y f, at {len(values)} moments: from {names[0]} to {names[-1]}.",
        xaxis=style.axis("t = 1 − y f", range=[float(t[0]), float(t[-1])], nticks=8),
        yaxis=style.axis("loss", range=[-0.05 * top, top], nticks=6),
        margin=dict(l=56, r=10, t=28, b=44),
        layers=True,
        uirevision="loss",
    )
    return line_film(figure, [f"The loss is {name}." for name in names], {"loss": {"y": values}})


def rank_film(sizes, level) -> Film:
    """The Film of sizes in order on a logarithmic axis; sizes (F, N) >= 0. `level` = (value, name) is a dashed line.

    Drawn as powers of ten on a linear axis. Traces: "level", "ranked".
    """
    sizes = -np.sort(-np.asarray(sizes, float), axis=1)
    powers = np.where(sizes >= FLOOR, np.log10(np.maximum(sizes, FLOOR)), np.nan).astype(np.float32)
    n = powers.shape[1]
    bottom, top = np.log10(FLOOR), float(np.ceil(np.nanmax(powers, initial=0.0)))
    value, name = level
    line_colour, _ = palette.variant(0)
    marker = dict(symbol="circle", size=4, color=line_colour, opacity=1, line=dict(color=line_colour, width=0))
    look = dict(width=2.2, mode="lines+markers", marker=marker)
    traces = [
        style.reference_line([0, n + 1], [np.log10(value)] * 2, "level"),
        style.path(np.arange(1, n + 1, dtype=np.float32), powers[-1], "ranked", line_colour, **look),
    ]
    ticks = np.arange(bottom, top + 1, 3 if top - bottom > 8 else 2)
    names = [style.power_of_ten(tick) for tick in ticks]
    figure = style.figure(
        traces,
        alt=f"The largest effect of each β on f in order, on a logarithmic axis, at {len(sizes)} moments.",
        xaxis=style.axis("rank", range=[0, n + 1], showgrid=False, nticks=6),
        yaxis=style.axis("|β| max |k|", range=[bottom, top + 0.3], tickvals=ticks, ticktext=names),
        margin=dict(l=60, r=10, t=28, b=44),
        layers=True,
        annotations=[style.note(name, x=1, xref="paper", xanchor="right", y=np.log10(value), yanchor="bottom")],
        uirevision=f"{n} {top}",
    )
    counts = [f"{int(np.sum(row > value))} of {n} above {number(value, 'g')}" for row in sizes]
    told = [f"Effects: {count}, the largest {number(row[0])}." for count, row in zip(counts, sizes, strict=True)]
    return line_film(figure, told, {"ranked": {"y": powers}})
