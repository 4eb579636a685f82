"""The claims of the five papers, with a quick test of each.

A check computes, decides, and reports its numbers; the checks are in `claims_dense` (the LS-SVM and the Least 1-Norm
SVM, which keep all points) and `claims_sparse`. A claim that is not confirmed comes with a reason.
"""

from collections.abc import Callable, Generator
from typing import NamedTuple

from svmcore.papers.experiment import experiment
from svmcore.papers.table import Table


class Claim(NamedTuple):
    """A claim in `words`; `check() -> (confirmed, evidence)`; `reason` explains a claim that is not confirmed."""

    paper: str
    words: str
    check: Callable
    reason: str = ""


CLAIMS: dict[str, Claim] = {}


def claim(key, paper, words, reason="") -> Callable:
    """A decorator that registers a check under `key`; the other arguments are the fields of `Claim`."""

    def register(check):
        CLAIMS[key] = Claim(paper, words, check, reason)
        return check

    return register


def checked(key) -> list:
    """[confirmed, evidence] of the claim `key`: a bool and a sentence."""
    confirmed, evidence = CLAIMS[key].check()
    return [bool(confirmed), evidence]


@experiment(
    "claims",
    paper="All papers",
    title="what they claim",
    shows="Each claim is tested within a few seconds; a claim that is not confirmed comes with the reason.",
)
def claims(work, quick, seed) -> Generator:
    """The Table of all claims with verdict, evidence and reason."""
    results = yield from work("claims", checked, [{"key": key} for key in CLAIMS])
    rows = []
    for (key, entry), (confirmed, evidence) in zip(CLAIMS.items(), results, strict=True):
        verdict, reason = ("confirmed", "") if confirmed else ("not confirmed", entry.reason)
        rows.append((key, entry.paper, entry.words, verdict, evidence, reason))
    return Table(
        ("claim", "paper", "words", "verdict", "evidence", "reason"),
        tuple(rows),
        ("The words of the papers are shortened. The tests have their own seeds, so --seed has no effect.",),
    )
