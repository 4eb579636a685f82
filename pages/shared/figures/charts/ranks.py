"""Machines on several tables: a critical-difference diagram of average ranks, and the errors as a heat map."""

import numpy as np

from pages.shared.figures import style
from pages.shared.figures.palette import colour
from pages.shared.studies.formatting import join_words
from svmcore.studies.significance import Comparison, groups
from svmcore.words import capital

LETTER = 7.5  # pixels


def ranks_figure(found: Comparison) -> style.Drawing:
    """The Drawing of the average ranks, the best on top; a bar below joins machines that Nemenyi's test cannot tell
    apart, and the bar above the points is as long as the critical difference.

    Traces: "critical difference", "ranks", "not told apart".
    """
    order = np.argsort(found.ranks, kind="stable")
    names = [found.names[j] for j in order]
    x, y, above = [], [], dict(xanchor="left", yanchor="bottom")
    together = groups(found.ranks, found.critical)
    for row, group in enumerate(together):
        ends = found.ranks[list(group)]
        x += [ends.min(), ends.max(), None]
        y += [-len(names) - row] * 2 + [None]
    listed = ", ".join(f"{name} {value:.1f}" for name, value in zip(names, found.ranks[order], strict=True))
    apart = "; ".join(join_words([found.names[j] for j in group]) for group in together)
    apart = f"Not told apart: {apart}" if together else "All machines are told apart"
    ranked = dict(text=names, hovertemplate="%{text}: average rank %{x:.2f}<extra></extra>")
    return style.figure(
        [
            style.path([1.0, 1.0 + found.critical], [1, 1], "critical difference", colour("accent"), width=4),
            style.markers(found.ranks[order], -np.arange(len(names)), "ranks", size=11, color=colour("ink"), **ranked),
            style.path(x, y, "not told apart", colour("muted"), width=5),
        ],
        alt=f"Average ranks, 1 is the lowest error: {listed}. The critical difference is {found.critical:.2f}. "
        f"{apart}.",
        xaxis=style.axis("average rank", range=[0.8, max(len(names), 1.0 + found.critical) + 0.2], nticks=9),
        yaxis=style.axis(
            tickvals=[*(-k for k in range(len(names)))], ticktext=names, range=[-len(names) - len(together), 2.4]
        ),
        annotations=[style.note(f"critical difference {found.critical:.2f}", x=1.0, y=1, yshift=4, **above)],
        margin=dict(l=_room(names), r=16, t=12, b=44),
        uirevision=" ".join(names),
    )


def errors_figure(errors, tables, machines, *, measure) -> style.Drawing:
    """The Drawing of numbers (tables, machines), the larger the deeper the colour; each is written into its cell.

    `measure` names the numbers. Trace: "errors".
    """
    errors = np.asarray(errors, float)
    told = [
        f"{table}: {machines[row.argmin()]} {row.min():.1f} to {machines[row.argmax()]} {row.max():.1f}"
        for table, row in zip(tables, errors, strict=True)
    ]
    cells = style.heatmap(
        np.arange(len(machines)),
        -np.arange(len(tables)),
        errors,
        "errors",
        text=[[f"{value:.1f}" for value in row] for row in errors],
        texttemplate="%{text}",
        customdata=[[f"{machine} on {table}" for machine in machines] for table in tables],
        hovertemplate=f"%{{customdata}}: {measure} %{{text}}<extra></extra>",
        colorscale=[[0.0, colour("page")], [1.0, colour("heat")]],
    )
    return style.figure(
        [cells],
        alt=f"{capital(measure)} of {len(machines)} machines, lowest to highest. {'; '.join(told)}.",
        xaxis=style.axis(tickvals=[*range(len(machines))], ticktext=machines, showgrid=False, tickangle=-40),
        yaxis=style.axis(tickvals=[*(-k for k in range(len(tables)))], ticktext=tables, showgrid=False),
        margin=dict(l=_room(tables), r=10, t=10, b=0.7 * _room(machines) + 12),
        uirevision=" ".join([*tables, *machines]),
    )


def _room(names):
    """Pixels for names at an axis."""
    return 16 + LETTER * max(map(len, names))
