"""A quick run of an experiment while the reader waits, and links to pages with its setting."""

from collections.abc import Callable
from functools import partial
from math import inf

import streamlit as st

from pages.shared.page.job_panel import Job, JobPanel
from pages.shared.papers import stored_results
from pages.shared.studies import formatting
from svmcore import papers

PAGE = "papers"


def sheet(table: papers.Table) -> None:
    """The table with our numbers beside the paper's."""
    st.html(formatting.grid(*stored_results.sheet(table)))


def section(experiment: papers.Experiment, links=(), show: Callable[[papers.Table], None] = sheet) -> None:
    """The button that starts the run, its progress, and its table by `show`; `links` are `paper_exhibits.Link`s."""
    panel = JobPanel(
        kind=f"paper-{experiment.name}",
        units="tables",
        start="Recompute quickly",
        resume="Continue",
        stop="Stop",
        stopped="Stopped before the table was complete.",
        again=True,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        panel.button(PAGE, experiment.name, begin)
        for text, page, query in links:
            st.page_link(page, label=text, icon=":material/open_in_new:", query_params=query)
    panel.watch(PAGE, experiment.name, partial(_show, show), progress=_progress)


def begin(name: str) -> Job:
    """The quick run of the experiment `name` in the background; it yields `Progress`, and finally the `Table`."""
    return Job(name, papers.get(name).run(quick=True), total=inf)


def _progress(job):
    last = job.rows[-1] if job.rows else None
    if not isinstance(last, papers.Progress):
        return job.progress, "Starting"
    return last.done / max(last.total, 1), f"{last.words}: {last.done} of {last.total}"


def _show(show, job, rows):
    last = rows[-1]
    if isinstance(last, papers.Table):
        st.markdown(f"**Quick run**, finished in {last.seconds:.0f} s. {stored_results.tally(last)}")
        show(last)
