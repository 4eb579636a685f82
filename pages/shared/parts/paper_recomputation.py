"""A quick run of an experiment while the reader waits, and the places where one can try its setting by hand."""

from collections.abc import Callable
from functools import partial
from math import inf

import streamlit as st

from pages.shared import tables
from pages.shared.jobs.background import Job
from pages.shared.jobs.job_panel import JobPanel
from pages.shared.studies import paper_results
from svmcore import papers

PAGE = "papers"


def sheet(table: papers.Table) -> None:
    """Ours beside theirs."""
    st.html(tables.grid(*paper_results.sheet(table)))


def section(experiment: papers.Experiment, links=(), show: Callable[[papers.Table], None] = sheet) -> None:
    """Begins the run and follows it; `show` puts its table on the page, `links` are `paper_exhibits.Link`s."""
    panel = JobPanel(
        kind=f"paper-{experiment.name}",
        units="tables",
        start="Recompute quickly",
        resume="Go on recomputing",
        stop="Stop",
        stopped="Stopped before the table was done.",
        again=True,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        panel.button(PAGE, experiment.name, begin)
        for words, page, query in links:
            st.page_link(page, label=words, icon=":material/open_in_new:", query_params=query)
    panel.watch(PAGE, experiment.name, partial(_show, show), progress=_progress)


def begin(name: str) -> Job:
    """The quick run of the experiment `name` in the background: `Progress`, and last the `Table`."""
    return Job(name, papers.get(name).run(quick=True), total=inf, warns=False)


def _progress(job):
    last = job.rows[-1] if job.rows else None
    if not isinstance(last, papers.Progress):
        return job.progress, "Starting"
    return last.done / max(last.total, 1), f"{last.words}: {last.done} of {last.total}"


def _show(show, job, rows):
    last = rows[-1]
    if isinstance(last, papers.Table):
        st.markdown(f"**Quick run**, just now, in {last.seconds:.0f} s. {paper_results.tally(last)}")
        show(last)
