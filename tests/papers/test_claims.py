"""The claims of the five papers: a test decides as the committed table says; what is not confirmed has a reason."""

import pytest

from pages.shared.studies import paper_results
from svmcore.papers import finished, get
from svmcore.papers.claims import CLAIMS, checked

LONG = {
    "few_relevant",
    "beats_one_norm",
    "genes",
    "sonar",
    "fewer_vectors",
    "accuracy",
    "stationary",
    "filter",
    "faster",
    "vc_bound",
    "wide_range",
    "worst_case",
}
NOT_CONFIRMED = {"vc_bound", "gain", "accuracy", "worst_case"}
every = [pytest.param(key, marks=pytest.mark.slow if key in LONG else ()) for key in CLAIMS]


def test_there_are_claims_of_every_paper():
    papers = [claim.paper for claim in CLAIMS.values()]
    assert len(CLAIMS) >= 15 and all(papers.count(paper) >= 4 for paper in papers) and len(set(papers)) == 5


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("key", every)
def test_a_claim_is_confirmed_or_has_its_reason(key):
    confirmed, evidence = checked(key)
    assert confirmed is (key not in NOT_CONFIRMED), evidence
    assert bool(CLAIMS[key].reason) is not confirmed
    assert evidence.endswith(".") and any(letter.isdigit() for letter in evidence)


def test_the_committed_table_has_every_claim():
    table = paper_results.stored("claims")
    assert table.column("claim") == list(CLAIMS)
    for record in table.records():
        claim = CLAIMS[record["claim"]]
        assert (record["paper"], record["words"]) == (claim.paper, claim.words)
        assert record["verdict"] == ("not confirmed" if record["claim"] in NOT_CONFIRMED else "confirmed")
        assert (record["reason"] or "") == claim.reason


def test_a_claim_that_fails_says_so(monkeypatch):
    monkeypatch.setattr("svmcore.papers.claims.CLAIMS", {"spirals": CLAIMS["spirals"]._replace(reason="Because.")})
    monkeypatch.setattr("svmcore.papers.ls_svm.spirals", lambda sigma, gamma: [0.0, 7.5, 1.0])
    table = finished(get("claims").run(quick=True))
    (record,) = table.records()
    assert record["verdict"] == "not confirmed" and record["reason"] == "Because." and "7.5 %" in record["evidence"]
