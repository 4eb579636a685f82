"""A study of contaminated tables on the page: the stored result or one's own, with progress, pictures and downloads."""

import numpy as np
import streamlit as st

from pages.shared.controls import download
from pages.shared.figures.charts.ranks import errors_figure, ranks_figure
from pages.shared.figures.charts.sweep import Band, sweep_figure
from pages.shared.page import url_state
from pages.shared.page.job_panel import Job, JobPanel, threads
from pages.shared.papers.screens.exhibits import EXHIBITS
from pages.shared.plane import component
from pages.shared.screen import schema
from pages.shared.screen.choices import OWN, Contamination, Data, Machine, Setting
from pages.shared.studies import contaminated, formatting, results
from pages.shared.studies.scenes import PAPERS
from svmcore import losses, papers, words
from svmcore.studies import contamination
from svmcore.work import versions

PAGE = "pages/robustness.py"
OFFER = "Robustness of these machines, over draws and levels"
MORE = "More machines, with exact accuracies: the experiments of that paper"
NOT_STORED = (
    "No result is stored for this choice. *Run this study* computes it in the background and shows each table as soon "
    "as it is done; fewer tables or machines take less time."
)
PROTOCOL = (
    "Each machine is trained on contaminated points and tested on clean ones, on the same splits as the others; where "
    "C and σ are chosen, they are inside the contaminated points. The manual has the protocol and the tests; "
    "`python -m svmcore.studies robustness` needs no screen."
)
BARS = (
    "The mean over the tables, of each above its lowest error without contamination; of one table the mean over its "
    "splits. Bars reach from the 10th to the 90th percentile. A level is a share of the training points as drawn; of "
    "those of class +1 where one class is flipped, of all entries for cell-wise outliers."
)
RANKS = "Bars below join machines that Nemenyi's test cannot tell apart: by less than the critical difference."
SEEDS = "the number of the split"
FEW = 8  # machines, of which a legend takes little of a picture
PANEL = JobPanel(
    kind="contamination",
    units="cells",
    start="Run this study",
    resume="Resume this study",
    stop="Stop this study",
    stopped="Stopped after {made} of {total} cells; *Resume this study* goes on from there.",
    outdated="The settings have changed since this study was run.",
    room=16,
)


def offer(data: Data, machines: list[Machine], setting: Setting) -> None:
    """On another page: a link to the study of its problem, over draws, or of its points, over splits; the menu leads
    from there back to this screen, with edits as points of a set of its own.
    """
    if data.task != "classification" or data.problem not in (OWN, *schema.STUDIED.options):
        return
    link = url_state.query() | contaminated.link(data, machines, setting)
    if data.problem == OWN and data.edits.edits:  # a set of its own, which is made when it is asked for
        if st.button(OFFER, icon=":material/shield:", key="to_robustness"):
            own = contaminated.shown_set(data)
            results.own_sets().put(own)
            del link["edits"]
            url_state.lead_to(PAGE, link | {"data": own.key})
        return
    st.page_link(PAGE, label=OFFER, icon=":material/shield:", query_params=link)


def section(request: Contamination, level: float) -> None:
    """The study: its button, its progress, and its results, or the stored ones where they are the same question."""
    if not request.tables or not request.machines:
        st.caption("Choose at least one table and one machine.")
        return
    if request.own and (flaw := contaminated.own_flaw(request.own)):
        st.caption(f"{formatting.plain(flaw)} Leave it out of the tables, or load another one.")
        return
    if request.kind == contamination.PROBLEM:
        _claim(request.tables[0])
    PANEL.button("robustness", request, begin)
    job = PANEL.job("robustness", request)
    if job and (job.key == request or job.is_running):
        PANEL.watch("robustness", request, lambda job, rows: _show(job.key, rows, level, _about(job.key)))
    elif rows := contaminated.stored_rows(request):
        st.caption(contaminated.stored_sentence(request))
        _show(contaminated.stored_request(request), rows, level, contaminated.stored_study()[1])
    else:
        st.caption(NOT_STORED)


def _claim(problem):
    """The claim of a paper on the outliers of this problem, and a link to its experiments."""
    for name in (name for name, exhibit in EXHIBITS.items() if exhibit.contaminates == problem):
        experiment = papers.get(name)
        st.caption(f"{experiment.paper}: {experiment.shows} {papers.l01.NOT_OURS}")
        st.page_link(PAPERS, label=MORE, icon=":material/menu_book:", query_params={"paper": "l01"})


def begin(request: Contamination) -> Job:
    """Start the study in the background."""
    return Job(request, _compute(request), contaminated.n_cells(request))


def _compute(request):
    given = [request.kind], contamination.LEVELS, request.repeats, contaminated.design_of(request)
    yield from contamination.study(contaminated.read(request), contaminated.models(request), *given, workers=threads)


def _show(request, rows, level, about):
    errors = contaminated.errors_of(rows, request)
    if not errors:
        st.caption("C and σ are being chosen for the first table.")
        return
    found = contaminated.comparison(errors, level, request)
    st.markdown(f"**{contaminated.verdict(found, errors, level, request)}**")
    st.caption(contaminated.about(errors, request, level))
    height = 460 + 10 * max(0, len(request.machines) - FEW)
    left, right = st.columns(2, gap="medium")
    with left:
        mean, low, high = contaminated.curves(errors)
        colours = [losses.LOSSES[key].colour for key in request.machines]
        lines = [
            Band(name, *band, colour)
            for name, colour, *band in zip(contaminated.names(request), colours, mean, low, high, strict=True)
        ]
        kind = contaminated.kind_label(request)
        drawn = sweep_figure(
            100.0 * np.array(contamination.LEVELS),
            lines,
            xlabel=f"{kind}: level, %",
            ylabel="error on clean points, %" if len(errors) == 1 else "error above the lowest clean one, points",
        )
        component.show_figure(drawn, heading="Errors", help=BARS, key="errors", height=height)
    with right:
        if found:
            heading = f"Average ranks at {words.percent(level, 'g')}"
            component.show_figure(ranks_figure(found), heading=heading, help=RANKS, key="ranks", height=height)
    support = contaminated.support_of(rows, request, level)
    st.html(
        formatting.grid(
            contaminated.HEAD, contaminated.summary(found, errors, support, level, request), contaminated.TIPS
        )
    )
    heat = errors_figure(
        contaminated.excess(errors, level),
        [contaminated.table_name(key) for key in errors],
        contaminated.names(request),
        measure="points above the lowest error",
    )
    heading = f"Errors at {words.percent(level, 'g')}, in percentage points above the lowest of each table"
    component.show_figure(heat, heading=heading, key="heat", height=150 + 26 * len(errors))
    cells = [row for row in rows if isinstance(row, contamination.Row)]
    download.button("Study (CSV)", lambda: contamination.to_csv(cells, about), "robustness.csv", "text/csv")
    if request.own and (own := results.own_set(request.own.key)):
        download.button("Table of the study (CSV)", lambda: contaminated.own_csv(own), request.own.name, "text/csv")
    with st.expander("This study in Python", icon=":material/code:"):
        st.code(contaminated.script(request, level), language="python")


def _about(request):
    about = {"versions": ", ".join(f"{name} {number}" for name, number in versions().items()), "seeds": SEEDS}
    about |= {"scaled": request.scaled} if request.setting else contamination.lines(contaminated.design_of(request))
    about |= dict(request.options + request.params)
    return about | (request.setting.parameters if request.setting else {})
