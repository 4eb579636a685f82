"""The outlier laboratory: how far each machine moved."""

import math

import numpy as np
import streamlit as st

from pages.shared import tables
from pages.shared.parts.panels import measure
from pages.shared.studies import regression
from pages.shared.tables import milliseconds, percent
from svmcore.studies import robustness

MOVEMENT = ("turned", "plane changed", "test error change")
MOVEMENT_OF_CURVES = ("largest change", "RMS change", "test RMSE change")
MEASURES = (
    "test error",
    "training error",
    "support vectors",
    "at a bound",
    "Σ |α|",
    "‖w‖",
    "status",
    "violation",
    "steps",
    "time",
)


def table(machines, studies, before):
    """One row per machine: errors, support vectors, solver, and, with outliers, how far each moved."""
    moved, regression = any(before), studies[0].regression
    error, shown = measure(studies[0])
    measures = [name.replace("error", error).replace("α", studies[0].points.letter) for name in MEASURES]
    head = ["machine", *((MOVEMENT_OF_CURVES if regression else MOVEMENT) if moved else ()), *measures]
    rows = []
    for machine, now, ghost in zip(machines, studies, before, strict=True):
        n = now.numbers
        measured = [
            shown(n.test_error),
            shown(n.train_error),
            f"{n.n_support} of {len(now.f)}",
            f"{n.n_at_bound}",
            f"{n.sum_alpha:.4g}",
            f"{n.norm:.4g}",
            n.status,
            f"{n.violation:.1e}",
            f"{n.n_iter:,}",
            milliseconds(n.solve_time),
        ]
        rows.append([machine.name, *(movement(now, ghost) if moved else ()), *measured])
    st.html(tables.grid(head, rows))


def movement(now, before):
    """Angle turned, share of the plane changed, change of the clean-test error, in words; see `MOVEMENT_OF_CURVES`."""
    if before is None:
        return ["–", "–", "–"]
    if now.regression:
        largest, rms = regression.moved(before, now)
        return [f"{largest:.4g}", f"{rms:.4g}", f"{now.numbers.test_error - before.numbers.test_error:+.4g}"]
    turned = robustness.angle(before.w, now.w) if now.w is not None else np.nan
    turned = f"{turned:.1f}°" if np.isfinite(turned) else "–"
    share = robustness.changed_share(before.field.f, now.field.f)
    change = now.numbers.test_error - before.numbers.test_error
    return [turned, percent(share), "–" if math.isnan(change) else f"{100 * change:+.1f} points"]


def caption(now, before):
    """The line under one panel."""
    n, (error, shown) = now.numbers, measure(now)
    untested = math.isnan(n.test_error)
    text = f"training {error} {shown(n.train_error)}" if untested else f"test {error} {shown(n.test_error)}"
    if before is not None and now.regression:
        text += f", moved by up to {movement(now, before)[0]}"
    elif before is not None:
        turned, share, _ = movement(now, before)
        text += f", {'turned ' + turned if turned != '–' else 'changed ' + share}"
    return text if n.converged else f"{text}; {n.status}"
