"""The claims of the five papers, with a quick test of each.

A check computes, decides, and reports its numbers; the checks are in `claims_dense` (the LS-SVM and the Least 1-Norm
SVM, which keep all points), `claims_sparse` and `claims_walk`. A verdict is confirmed, refuted, or open if the numbers
do not decide: a difference counts if it is at least two standard errors from the value that decides. Each check takes
the machine that it examines as an argument, so that another machine can be put to the same test.
"""

from collections.abc import Callable, Generator
from typing import NamedTuple

import numpy as np

from svmcore.papers.experiment import experiment
from svmcore.papers.table import AGREES, Table
from svmcore.studies.paired import difference

CONFIRMED, REFUTED, OPEN = "confirmed", "refuted", "open"


class Claim(NamedTuple):
    """A claim in `words`; `check() -> (verdict, evidence)`; `reason` explains a claim that is not confirmed."""

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


def fact(holds) -> str:
    """The verdict on what is true or false without statistics."""
    return CONFIRMED if holds else REFUTED


def is_above(values, least=0.0) -> str:
    """True if the mean of the `values` (n,), often paired differences, is above `least`."""
    mean, error = difference(values)
    return _open_if_close(mean - least, error) or fact(mean > least)


def at_most(values, most) -> str:
    """True if the mean of the `values` (n,) is at most `most`."""
    mean, error = difference(values)
    return _open_if_close(most - mean, error) or fact(mean <= most)


def similar(differences, margin) -> str:
    """True if the mean of the paired `differences` (n,) is within `margin` of zero: a test of equivalence."""
    return together(at_most(differences, margin), at_most(-np.asarray(differences, float), margin))


def together(*verdicts) -> str:
    """The verdict on a claim of several parts: refuted if one is, confirmed if all are."""
    if REFUTED in verdicts:
        return REFUTED
    return OPEN if OPEN in verdicts else CONFIRMED


def format_mean(differences) -> str:
    mean, error = difference(differences)
    return f"{mean:+.2f} ± {error:.2f}"


def _open_if_close(margin, error):
    """OPEN if the margin is within the standard errors, else nothing."""
    return OPEN if abs(margin) < AGREES * error else ""


def judge(key) -> list:
    """[verdict, evidence] of the claim `key`, two texts."""
    return list(CLAIMS[key].check())


@experiment(
    "claims",
    paper="All papers",
    title="what they claim",
    shows="Each claim is tested within a few seconds: confirmed, refuted, or open if the numbers do not decide.",
)
def claims(work, quick, seed) -> Generator:
    """The Table of all claims with verdict, evidence and reason."""
    results = yield from work("claims", judge, [{"key": key} for key in CLAIMS])
    rows = [
        (key, entry.paper, entry.words, verdict, evidence, "" if verdict == CONFIRMED else entry.reason)
        for (key, entry), (verdict, evidence) in zip(CLAIMS.items(), results, strict=True)
    ]
    return Table(
        ("claim", "paper", "words", "verdict", "evidence", "reason"),
        tuple(rows),
        (
            "The words of the papers are shortened. The tests have their own seeds, so --seed has no effect.",
            "± is the standard error of a mean of paired differences over draws or splits; a difference of less than "
            "two standard errors leaves a claim open.",
        ),
    )
