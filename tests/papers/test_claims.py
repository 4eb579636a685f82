"""The claims of the five papers: a test decides as the committed table says, and otherwise with the wrong machine."""

from functools import partial
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from pages.shared.papers import stored_results
from svmcore import SVC, SparseLSSVC, duals
from svmcore.papers import claims, final_table, get, least_1_norm, ls_svm, walk
from svmcore.papers.claims import CLAIMS, CONFIRMED, OPEN, REFUTED, judge
from svmcore.solvers.box_dual import smo

LONG = """few_relevant beats_one_norm rounds_by_validation genes sonar fewer_vectors accuracy stationary filter faster
vc_bound_spirals wide_range worst_case similar_accuracy similar_to_l1 not_sparse varied_speed""".split()
VERDICTS = dict.fromkeys(("vc_bound_ripley", "gain", "accuracy", "worst_case", "beats_one_norm"), REFUTED)
VERDICTS |= dict.fromkeys(("svm_generalises", "rounds_by_validation"), OPEN)
TIMED = {"faster"}  # its verdict depends on the computer, and on what else runs there
every = [pytest.param(key, marks=pytest.mark.slow if key in LONG else ()) for key in CLAIMS]


def test_there_are_claims_of_every_paper():
    papers = [claim.paper for claim in CLAIMS.values()]
    assert len(CLAIMS) >= 33 and all(papers.count(paper) >= 6 for paper in papers) and len(set(papers)) == 5


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("key", every)
def test_a_claim_has_its_verdict_and_where_needed_a_reason(key):
    verdict, evidence = judge(key)
    assert key in TIMED or verdict == VERDICTS.get(key, CONFIRMED), evidence
    assert bool(CLAIMS[key].reason) is (key in VERDICTS or key in TIMED)
    assert evidence.endswith(".") and any(letter.isdigit() for letter in evidence)


def test_the_committed_table_has_every_claim():
    table = stored_results.load_result("claims")
    assert table.column("claim") == list(CLAIMS)
    for record in table.records():
        claim = CLAIMS[record["claim"]]
        assert (record["paper"], record["words"]) == (claim.paper, claim.words)
        verdict = VERDICTS.get(record["claim"], CONFIRMED)
        assert record["verdict"] == verdict or (record["claim"] in TIMED and record["verdict"] == OPEN)
        assert (record["reason"] or "") == ("" if record["verdict"] == CONFIRMED else claim.reason)


def test_a_claim_that_fails_says_so(monkeypatch):
    wrong = partial(CLAIMS["spirals"].check, spirals=lambda sigma, gamma: [0.0, 7.5, 1.0])
    monkeypatch.setattr(
        "svmcore.papers.claims.CLAIMS", {"spirals": CLAIMS["spirals"]._replace(check=wrong, reason="So.")}
    )
    (record,) = final_table(get("claims").run(quick=True)).records()
    assert record["verdict"] == "refuted" and record["reason"] == "So." and "7.5 %" in record["evidence"]


# ---- how they decide ----


def test_two_standard_errors_decide():
    noise = np.tile([-1.0, 1.0], 50)  # standard error 0.1005
    assert claims.is_above(np.zeros(3)) == REFUTED and claims.at_most(np.zeros(3), 0.0) == CONFIRMED
    assert [claims.is_above(noise + shift) for shift in (0.3, 0.1, -0.3)] == [CONFIRMED, OPEN, REFUTED]
    assert [claims.at_most(noise, most) for most in (0.3, 0.1, -0.3)] == [CONFIRMED, OPEN, REFUTED]
    assert [claims.similar(noise + 0.5, margin) for margin in (0.8, 0.6, 0.2)] == [CONFIRMED, OPEN, REFUTED]
    assert [claims.similar(noise - 0.5, margin) for margin in (0.8, 0.6, 0.2)] == [CONFIRMED, OPEN, REFUTED]


def test_a_claim_of_several_parts():
    assert claims.together(CONFIRMED, CONFIRMED) == CONFIRMED
    assert claims.together(CONFIRMED, OPEN) == OPEN and claims.together(OPEN, REFUTED) == REFUTED


# ---- the wrong machine ----

NOISE = np.tile([-0.5, 0.5], 5)


def table2(name):
    """A dense, slow machine that is ten points worse than its rivals."""
    rows = lambda error, share, updates: np.column_stack(  # noqa: E731
        [error + NOISE, np.full(10, share * least_1_norm.TRAINING[name]), updates + NOISE, updates + NOISE]
    )
    found = rows(20.0, 0.5, 100.0), rows(30.0, 1.0, 900.0), rows(20.0, 0.3, 50.0)
    return dict(zip(("LS-SVM", "Least 1-Norm SVM", "L1-SVM"), found, strict=True))


def spoiled(draw):
    """The Least 1-Norm SVM turns instead of the LS-SVM."""
    found = least_1_norm.evaluate_flips(draw)
    return {"LS-SVM": found["Least 1-Norm SVM"], "Least 1-Norm SVM": found["LS-SVM"]}


def twice(K, qp, state, *args, **how):
    """A pair update that gains what the paper prints."""
    found = smo.advance(K, qp, state, *args, **how)
    return found._replace(objective=2 * found.objective)


def sparse_results(name):
    """An ISLS that keeps half of the points after 40 rounds, and an SVM that is best everywhere."""
    rows = lambda error, count: np.column_stack([error + NOISE, count + NOISE, np.full(10, 40.0)])  # noqa: E731
    return {"LS-SVM": rows(13.0, 167.0), "ISLS": rows(23.0, 120.0), "SVM": rows(10.0, 60.0)}


def flips(n, draws, accuracy=90.0):
    """An L0/1-SVM with as many support vectors as the L1-SVM, and less accurate or, with 99, more."""
    rows = lambda accuracy, vectors: np.column_stack([accuracy + NOISE, vectors + NOISE])  # noqa: E731
    return {"L0/1-SVM": rows(accuracy, 100.0), "L1-SVM": rows(97.0, 100.0), "LS-SVM": rows(97.0, 200.0)}


def seconds(model, n, svm):
    """Times of an SVM that is always the slowest (2) or the fastest (1)."""
    return n ** (svm if isinstance(model, SVC) else 3 - svm) * 1e-6


def backwards(*args, **options):
    """A walk that goes away from the optimum."""
    return (SimpleNamespace(objective=1e3 * t, w=np.ones(200)) for t in count(1))


def accuracies(order):
    """{machine: accuracies} of machines that are better by a point each in this order."""

    def found(*where):
        return {name: 80.0 + k + NOISE for k, name in enumerate(order)}

    return found


ROUNDS = [name for name in walk.MACHINES[1:-1]]
ONE_BEST = accuracies([*ROUNDS, walk.CHOSEN, *(f"nothing {k}" for k in range(5)), *walk.MACHINES[::-5]])
WRONG = {
    # a linear machine, whatever sigma
    **dict.fromkeys(("spirals", "wide_range"), {"spirals": lambda sigma, gamma: ls_svm.spirals(100.0, gamma)}),
    **dict.fromkeys(("similar_accuracy", "similar_to_l1", "not_sparse", "varied_speed"), {"results": table2}),
    **dict.fromkeys(
        ("isls_sparse", "isls_order", "isls_rounds", "isls_testing", "svm_generalises"), {"results": sparse_results}
    ),
    **dict.fromkeys(("fewer_vectors", "accuracy"), {"flips": flips}),
    **dict.fromkeys(("few_relevant", "genes", "sonar"), {"accuracies": ONE_BEST}),
    "linear_system": {"dual": duals.squared_hinge},
    "proportional": {"dual": duals.squared_hinge},
    "near_and_far": {"dual": duals.hinge},
    # radius times the norm of any machine, separating or not, falls with sigma
    "vc_bound_spirals": {
        "bound": lambda name, kind, sigma, gamma: [1.0, 1.0, 1.0 / sigma, 1.0 / sigma, 50.0 if sigma > 1.0 else 0.0]
    },
    "outliers_turn": {"spoiled": spoiled},
    "isls_stationary": {"model": SparseLSSVC(max_iter=3)},
    # sequences that converge, one of them to a point without a certificate
    "stationary": {"sequences": lambda rules: [(0.0, 1.0)] * 9 + [(0.0, None)]},
    "non_trivial": {"model": SVC(loss="zero_one", kernel="linear", C=1e-6)},
    "filter": {"loss": "hinge"},
    "faster": {"seconds": partial(seconds, svm=2)},
    **dict.fromkeys(("monotone", "near_zero"), {"rounds": backwards}),
    "worst_case": {"convergence": lambda name, C, rounds, exact=True: [0.01]},
    "beats_one_norm": {"accuracies": accuracies(walk.MACHINES[::-1])},
    "rounds_by_validation": {"accuracies": accuracies([walk.CHOSEN, *walk.MACHINES])},
}
TRUE = {  # the claims that are refuted hold for these machines
    # a bound that is least where the error is
    "vc_bound_ripley": {
        "bound": lambda name, kind, sigma, gamma: [1.0, 1.0, 1.0, 1.0 + (sigma - 0.5) ** 2, 10.0 + (sigma - 0.5) ** 2]
    },
    "gain": {"advance": twice},
    "accuracy": {"flips": partial(flips, accuracy=99.0)},
    "faster": {"seconds": partial(seconds, svm=1)},
    "worst_case": {"convergence": lambda name, C, rounds, exact=True: [0.2]},
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("key", WRONG)
def test_the_wrong_machine_refutes_a_claim(key):
    verdict, evidence = CLAIMS[key].check(**WRONG[key])
    assert verdict == REFUTED, evidence


@pytest.mark.parametrize("key", TRUE)
def test_a_claim_that_is_refuted_could_be_confirmed(key):
    verdict, evidence = CLAIMS[key].check(**TRUE[key])
    assert verdict == CONFIRMED, evidence


def test_no_claim_is_without_a_wrong_machine():
    assert set(WRONG) | set(TRUE) == set(CLAIMS)
