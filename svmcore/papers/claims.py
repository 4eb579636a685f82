"""What the five papers claim, and a quick test of each that says whether ours confirms it.

A check computes, decides, and says by which numbers; the checks stand in `claims_dense` (the LS-SVM and the Least
1-Norm SVM, which keep all points) and `claims_sparse`. A claim that is not confirmed keeps the reason beside it.
"""

from collections.abc import Callable
from typing import NamedTuple

from svmcore.papers.experiment import experiment
from svmcore.papers.table import Table


class Claim(NamedTuple):
    """`check() -> (confirmed, evidence)`; `reason` says why it is not confirmed, where it is not."""

    paper: str
    words: str
    check: Callable
    reason: str = ""


CLAIMS: dict[str, Claim] = {}


def claim(key, paper, words, reason=""):
    """Register the decorated check under `key`."""

    def register(check):
        CLAIMS[key] = Claim(paper, words, check, reason)
        return check

    return register


def checked(key):
    """[confirmed, evidence] of one claim."""
    confirmed, evidence = CLAIMS[key].check()
    return [bool(confirmed), evidence]


@experiment(
    "claims",
    paper="All papers",
    title="what they claim",
    shows="Each claim is put to a test of a few seconds; what is not confirmed says why.",
)
def claims(work, quick, seed):
    results = yield from work("claims", checked, [{"key": key} for key in CLAIMS])
    rows = []
    for (key, entry), (confirmed, evidence) in zip(CLAIMS.items(), results, strict=True):
        verdict, reason = ("confirmed", "") if confirmed else ("not confirmed", entry.reason)
        rows.append((key, entry.paper, entry.words, verdict, evidence, reason))
    return Table(
        ("claim", "paper", "words", "verdict", "evidence", "reason"),
        tuple(rows),
        ("The words of the papers are shortened. The tests have seeds of their own, so that --seed does nothing.",),
    )
