"""The outlier laboratory: how far each machine moved, and the contamination sweep."""

import math
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared import export, figures, files, plane, regression_study, study, tables
from pages.shared.background import Job
from pages.shared.choices import NO_OUTLIERS, OWN, Data, Machine, Setting
from pages.shared.controls import colour_index
from pages.shared.panels import measure, milliseconds, percent
from svmcore import outliers, robustness

SHARES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
SEEDS = 20
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


class Asked(NamedTuple):
    """What a sweep was run with."""

    problem: str
    options: tuple
    kind: str
    machines: tuple[Machine, ...]
    setting: Setting


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
        largest, rms = regression_study.moved(before, now)
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


def sweep(data: Data, machines: list[Machine], setting: Setting):
    """The contamination sweep: started, watched, stopped, downloaded."""
    if data.task == "regression":
        st.caption("The contamination sweep flips labels, and this problem has none: drag points away by hand instead.")
        return
    if data.problem == OWN:
        st.caption("A contamination sweep draws a problem many times; your own points are there but once.")
        return
    kind = data.contamination if data.contamination != NO_OUTLIERS else "flip_share"
    asked = Asked(data.problem, data.options, kind, tuple(machines), setting)
    st.markdown(
        f"**Contamination sweep.** {outliers.KINDS[kind].label}, {SHARES[0]:.0%} to {SHARES[-1]:.0%} of the points, "
        f"{SEEDS} draws each: mean clean-test error and the band from the 10th to the 90th percentile."
    )
    job = st.session_state.get("sweep_job")
    with st.container(horizontal=True):
        if st.button("Run the sweep", icon=":material/play_arrow:", disabled=bool(job and job.running)):
            job = st.session_state["sweep_job"] = _start(asked)
        if st.button("Stop", icon=":material/stop:", disabled=not (job and job.running)):
            job.stop()
            job.wait(2.0)
    if job:
        st.fragment(_watch, run_every=0.4 if job.running else None)(job, asked)


def _start(asked):
    models = {machine.name: study.estimator(machine, asked.setting) for machine in asked.machines}
    rows = robustness.contamination_sweep(
        models, asked.problem, dict(asked.options), kind=asked.kind, shares=SHARES, seeds=range(SEEDS)
    )
    return Job(asked, rows, len(models) * len(SHARES) * SEEDS)


def _watch(job, asked):
    rows = list(job.rows)
    if job.running:
        st.progress(job.progress, text=f"{len(rows)} of {job.total} fits")
    elif not st.session_state.get("sweep_seen") == id(job):
        st.session_state["sweep_seen"] = id(job)
        st.rerun()
    if job.error:
        st.error(job.error, icon=":material/error:")
    if job.stopped and not job.error:
        st.caption(f"Stopped after {len(rows)} of {job.total} fits; the bands show these.")
    if job.key != asked:
        st.caption("The settings have changed since; this is the sweep as it was run.")
    colours = {machine.name: colour_index(machine) for machine in job.key.machines}
    shares, lines = bands(rows, colours) if rows else ((), ())
    if len(shares):
        picture = figures.sweep(shares, lines, xlabel="share of outliers", ylabel="clean-test error")
        plane.show(picture, key="sweep", height=420)
        export.button("Sweep (CSV)", lambda: sweep_csv(rows), "contamination-sweep.csv", "text/csv")


def bands(rows, colours):
    """Shares (k,) and one `figures.Band` per machine in its colour; only shares that every machine has reached."""
    errors = {}
    for row in rows:
        errors.setdefault(row.machine, {}).setdefault(row.share, []).append(row.test_error)
    shares = sorted(set.intersection(*(set(by_share) for by_share in errors.values())))
    found = []
    for name, by_share in errors.items():
        low, mean, high = np.array(
            [(np.percentile(by_share[s], 10), np.mean(by_share[s]), np.percentile(by_share[s], 90)) for s in shares]
        ).T
        found.append(figures.Band(name, mean, low, high, colours[name]))
    return np.array(shares), found


def sweep_csv(rows):
    """The rows as text: one fit a line."""
    return files.rows_text([rows[0]._fields, *rows])
