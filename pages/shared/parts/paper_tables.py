"""The table of an experiment on the page: ours beside theirs, and how it was made."""

import streamlit as st

from pages.shared import tables
from pages.shared.parts.paper_exhibits import Exhibit
from pages.shared.studies import paper_results
from svmcore.papers import Experiment, Table

FOLDED, FOLDED_BELOW_PICTURES = 28, 16  # rows of a table from which on it is folded


def heading(experiment: Experiment) -> None:
    """The table or figure of the paper, and what it shows there."""
    title, anchor = experiment.title, experiment.name.replace(".", "-")
    st.subheader(title[0].upper() + title[1:], anchor=anchor, divider="gray")
    st.caption(f"In the paper: {paper_results.symbols(experiment.shows)}")


def numbers(name: str, table: Table | None, exhibit: Exhibit) -> None:
    """The table of the experiment `name`, folded where it is long; a square of it first where that says more."""
    if table is None:
        st.info(paper_results.missing(name), icon=":material/info:")
        return
    if tally := paper_results.tally(table):
        st.markdown(tally)
    if exhibit.square:
        st.markdown(f"**{exhibit.square.title}**")
        st.html(tables.grid(*paper_results.square(table, exhibit.square)))
    head, rows = paper_results.sheet(table)
    if not exhibit.square and len(rows) < (FOLDED_BELOW_PICTURES if exhibit.draw else FOLDED):
        st.html(tables.grid(head, rows))
    else:
        with st.expander(f"All {len(rows)} rows", key=f"rows-{name}", on_change="rerun") as box:
            if box.open:
                st.html(tables.grid(head, rows))
    with st.expander("How it was made, and where it differs from the paper"):
        st.markdown("\n".join(f"- {tables.plain(paper_results.symbols(note))}" for note in table.notes))
        st.markdown(paper_results.made(table))
