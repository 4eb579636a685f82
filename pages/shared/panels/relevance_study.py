"""The error of each machine of the walk over the number of relevant features: an experiment in the background."""

import streamlit as st

from pages.shared.controls import download
from pages.shared.controls.widgets import show
from pages.shared.figures.charts.sweep import Band, sweep_figure
from pages.shared.page.job_panel import Job, JobPanel
from pages.shared.plane import component
from pages.shared.screen import schema
from pages.shared.screen.choices import Walk
from pages.shared.studies import feature_walk, formatting
from svmcore.problems.tables import rows_text
from svmcore.studies import relevance

D_RELS = (1, 2, 5, 10, 20, 50, 100, 200)
SEEDS = 8
ABOUT = (
    "**The best machine depends on the number of relevant features.** The setting is that of Figure 3 of the paper: "
    "{n} points with 200 features, in which the distance between the classes, always 3, is spread over the relevant "
    "ones; {seeds} draws for each number. The chart shows the mean of the exact error on new points, with bars "
    "from the 10th to the 90th percentile. Cross-validation takes a few minutes, one C for all machines a few seconds."
)
PANEL = JobPanel(
    kind="relevance",
    units="machines",
    start="Run the experiment",
    resume="Resume the experiment",
    stop="Stop the experiment",
    stopped="Stopped after {made} of {total} machines; the bars show the results so far.",
    outdated="The settings have changed since this experiment was run.",
    room=16,
)


def section(walk: Walk) -> None:
    """The experiment on the page: its button, its progress, and the results with a download."""
    st.markdown(ABOUT.format(n=walk.n, seeds=SEEDS))
    left, right = st.columns([0.3, 0.7], gap="medium", vertical_alignment="bottom")
    with left:
        choice = show(schema.CHOOSE)
    request = (walk.n, None if choice == "validation" else walk.C)
    with right:
        PANEL.button("feature_walk", request, begin)
    PANEL.watch("feature_walk", request, _show)


def begin(request: tuple[int, float | None]) -> Job:
    """Start the experiment in the background; request: n, and the C of all machines or None to choose each by CV."""
    total = len(D_RELS) * SEEDS * len(relevance.methods(request[1]))
    return Job(request, relevance.sweep(D_RELS, range(SEEDS), *request), total)


def _show(job, rows):
    d_rels, bands = feature_walk.summary(rows)
    if not len(d_rels):
        return
    lines = [Band(name, *band, relevance.methods(None).index(name)) for name, band in bands.items()]
    labels = dict(xlabel="relevant features of 200", ylabel="error on new points (%)")
    component.show_figure(sweep_figure(d_rels, lines, **labels, log_x=True), key="relevance", height=460)
    means = [[name, *(f"{value:.1f}" for value in mean)] for name, (mean, _, _) in bands.items()]
    st.html(formatting.grid(["mean error (%)", *map(str, d_rels)], means))
    table = [relevance.Row._fields, *rows]
    download.button("Experiment (CSV)", lambda: rows_text(table), "relevant-features.csv", "text/csv")
