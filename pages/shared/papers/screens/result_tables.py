"""The table of an experiment on the page: our numbers beside the paper's, and how they were computed."""

import streamlit as st

from pages.shared.papers import stored_results
from pages.shared.papers.screens.exhibits import Exhibit
from pages.shared.studies import formatting
from svmcore.papers import Experiment, Table

FOLDED, FOLDED_BELOW_PICTURES = 50, 16  # tables with at least so many rows are folded


def show_heading(experiment: Experiment) -> None:
    """The heading of an experiment, and what its table or figure shows in the paper."""
    title, anchor = experiment.title, experiment.name.replace(".", "-")
    st.header(title[0].upper() + title[1:], anchor=anchor, divider="gray")
    st.caption(f"In the paper: {stored_results.symbols(experiment.shows)}")


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
    head, rows = stored_results.sheet(table)
    if not exhibit.digest and len(rows) < (FOLDED_BELOW_PICTURES if exhibit.draw else FOLDED):
        st.html(formatting.grid(head, rows))
    else:
        with st.expander(f"All {len(rows)} rows", key=f"rows-{name}", on_change="rerun") as box:
            if box.open:
                st.html(formatting.grid(head, rows))
    with st.expander("How these numbers were computed, and differences from the paper"):
        st.markdown("\n".join(f"- {formatting.plain(stored_results.symbols(note))}" for note in table.notes))
        st.markdown(stored_results.origin_text(table))
