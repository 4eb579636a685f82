"""The claims of a paper, and whether our numbers confirm them."""

import streamlit as st

from pages.shared import tables
from pages.shared.parts import paper_recomputation
from pages.shared.studies import paper_results
from pages.shared.studies.paper_texts import Paper
from svmcore import papers

CLAIMS, CONFIRMED = "claims", "confirmed"


def section(paper: Paper) -> None:
    """The claims of the paper with the evidence for or against each, and the quick run that tests all papers."""
    table = paper_results.stored(CLAIMS)
    st.header("Claims of the paper", anchor="claims", divider="gray")
    if table is None:
        st.info(paper_results.missing(CLAIMS), icon=":material/info:")
    else:
        mine = [record for record in table.records() if record["paper"].startswith(f"{paper.title} (")]
        confirmed = sum(record["verdict"] == CONFIRMED for record in mine)
        st.markdown(
            f"Confirmed by quick tests: {confirmed} of {len(mine)} claims. The wording of the paper is shortened."
        )
        _list(mine)
        st.caption(paper_results.made(table))
    st.caption("The quick recomputation tests the claims of all five papers.")
    paper_recomputation.section(papers.get(CLAIMS), show=lambda table: _list(table.records()))


def _list(records):
    for record in records:
        confirmed = record["verdict"] == CONFIRMED
        mark = ":material/check_circle:" if confirmed else ":material/cancel:"
        words, evidence, reason = (
            tables.plain(paper_results.symbols(record[part] or "")) for part in ("words", "evidence", "reason")
        )
        why = "" if confirmed else f"  \n*Not confirmed:* {reason}"
        st.markdown(f"{mark} **{words}**  \n{evidence}{why}")
