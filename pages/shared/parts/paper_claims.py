"""What a paper claims, and whether our numbers confirm it."""

import streamlit as st

from pages.shared import tables
from pages.shared.parts import paper_recomputation
from pages.shared.studies import paper_results
from pages.shared.studies.paper_texts import Paper
from svmcore import papers

CLAIMS, CONFIRMED = "claims", "confirmed"


def section(paper: Paper) -> None:
    """The claims of the paper, with what confirms or refutes each, and the quick run that tests those of all papers."""
    table = paper_results.stored(CLAIMS)
    st.subheader("What it claims", anchor="claims", divider="gray")
    if table is None:
        st.info(paper_results.missing(CLAIMS), icon=":material/info:")
    else:
        mine = [record for record in table.records() if record["paper"].startswith(f"{paper.title} (")]
        held = sum(record["verdict"] == CONFIRMED for record in mine)
        st.markdown(f"{held} of {len(mine)} claims are confirmed by quick tests; the words of the paper are shortened.")
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
