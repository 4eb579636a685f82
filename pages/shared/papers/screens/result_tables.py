"""The table of an experiment beside the paper's numbers, and a quick run of it; the claims of a paper."""

from collections.abc import Callable
from functools import partial
from math import inf

import streamlit as st

from pages.shared.page.job_panel import Job, JobPanel
from pages.shared.papers import stored_results
from pages.shared.papers.screens.exhibits import Exhibit
from pages.shared.papers.stored_results import Paper
from pages.shared.studies import formatting
from svmcore.papers import Experiment, Progress, Table, get

PAGE = "papers"
CLAIMS = "claims"
MARKS = {"confirmed": ":material/check_circle:", "refuted": ":material/cancel:", "open": ":material/help:"}
FOLDED, FOLDED_BELOW_PICTURES = 50, 16  # tables with at least so many rows are folded


def numbers(name: str, table: Table | None, exhibit: Exhibit) -> None:
    """The table of the experiment `name`, folded if it is long; before it the digest of its main numbers, if any."""
    if table is None:
        st.info(stored_results.missing_sentence(name), icon=":material/info:")
        return
    if tally := stored_results.tally(table):
        st.markdown(tally)
    if exhibit.digest:
        heading, digest = exhibit.digest
        st.markdown(f"**{heading}**")
        st.html(formatting.grid(*digest(table)))
    if not exhibit.digest and len(table.rows) < (FOLDED_BELOW_PICTURES if exhibit.draw else FOLDED):
        sheet(table)
    else:
        with st.expander(f"All {len(table.rows)} rows", key=f"rows-{name}", on_change="rerun") as box:
            if box.open:
                sheet(table)
    with st.expander("How these numbers were computed, and differences from the paper"):
        st.markdown("\n".join(f"- {formatting.plain(stored_results.symbols(note))}" for note in table.notes))
        st.markdown(stored_results.origin_text(table))


def sheet(table: Table) -> None:
    """The table with our numbers beside the paper's."""
    st.html(formatting.grid(*stored_results.sheet(table)))


def recompute(experiment: Experiment, links=(), show: Callable[[Table], None] = sheet) -> None:
    """The button that starts the run, its progress, and its table by `show`; `links` as of an Exhibit."""
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
    return Job(name, get(name).run(quick=True), total=inf)


def _progress(job):
    last = job.rows[-1] if job.rows else None
    if not isinstance(last, Progress):
        return job.progress, "Starting"
    return last.done / max(last.total, 1), f"{last.words}: {last.done} of {last.total}"


def _show(show, job, rows):
    last = rows[-1]
    if isinstance(last, Table):
        st.markdown(f"**Quick run**, finished in {last.seconds:.0f} s. {stored_results.tally(last)}")
        show(last)


# ------------------------------------------------------------------------------------------ claims


def claims(paper: Paper) -> None:
    """The claims of the paper with the evidence for or against each, and the quick run that tests all papers."""
    table = stored_results.load_result(CLAIMS)
    st.header("Claims of the paper", anchor="claims", divider="gray")
    if table is None:
        st.info(stored_results.missing_sentence(CLAIMS), icon=":material/info:")
    else:
        mine = [record for record in table.records() if record["paper"].startswith(f"{paper.title} (")]
        count = {verdict: sum(record["verdict"] == verdict for record in mine) for verdict in MARKS}
        st.markdown(
            f"Of {len(mine)} claims, quick tests confirm {count['confirmed']} and refute {count['refuted']}; "
            f"{count['open']} remain{'s' * (count['open'] == 1)} open. The wording of the paper is shortened."
        )
        _list_claims(mine)
        st.caption(stored_results.origin_text(table))
    st.caption("The quick recomputation tests the claims of all five papers.")
    recompute(get(CLAIMS), show=lambda table: _list_claims(table.records()))


def _list_claims(records):
    for record in records:
        words, evidence, reason = (
            formatting.plain(stored_results.symbols(record[part] or "")) for part in ("words", "evidence", "reason")
        )
        why = f"  \n*{record['verdict'].capitalize()}:* {reason}" if reason else ""
        st.markdown(f"{MARKS[record['verdict']]} **{words}**  \n{evidence}{why}")
