"""The claims of a paper, and whether our numbers confirm them."""

import streamlit as st

from pages.shared.papers import stored_results
from pages.shared.papers.screens import result_tables
from pages.shared.papers.stored_results import Paper
from pages.shared.studies import formatting
from svmcore import papers

CLAIMS = "claims"
MARKS = {"confirmed": ":material/check_circle:", "refuted": ":material/cancel:", "open": ":material/help:"}


def section(paper: Paper) -> None:
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
        _list(mine)
        st.caption(stored_results.origin_text(table))
    st.caption("The quick recomputation tests the claims of all five papers.")
    result_tables.recompute(papers.get(CLAIMS), show=lambda table: _list(table.records()))


def _list(records):
    for record in records:
        words, evidence, reason = (
            formatting.plain(stored_results.symbols(record[part] or "")) for part in ("words", "evidence", "reason")
        )
        why = f"  \n*{record['verdict'].capitalize()}:* {reason}" if reason else ""
        st.markdown(f"{MARKS[record['verdict']]} **{words}**  \n{evidence}{why}")
