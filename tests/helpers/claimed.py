"""The claims that README and manual declare beside their sentences, in a comment that no reader sees:

    <!-- claims
    state = { problem = "toy_outliers", losses = ["least_squares", "least_absolute"] }
    [[claim]]
    says = "The words of the sentence, as they stand in the text."
    change = { contamination = "flip_farthest", flips = 6 }
    holds = [{ watch = { name = "most", quantity = "changed_share" }, is = "least_squares" }]
    -->

`state`, `change` and each row of `holds` are as in a prompt of a lesson (docs/teaching.md); those above the
first claim hold for all claims of the comment. A list of changes means that the claim holds after each of them. A
claim is computed on draws 0 to 99, and holds if all its rows do in at least nine of ten; `draws = 1` is for a
sentence about one draw ("on these points") or about a mean over draws, which its quantity takes.
"""

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from pages.shared.lessons import answers, state
from pages.shared.lessons.lesson import Claim, Watch
from pages.shared.lessons.quantities.case import Case
from pages.shared.lessons.quantities.registry import check_quantity
from svmcore import losses

ROOT = Path(__file__).parents[2]
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
DRAWS = 100
NEEDED = 0.9  # of the draws
COMMENT = re.compile(r"^<!-- claims\n(.*?)^-->\n", re.M | re.S)
NO_TEXT = re.compile(r"<!-- made by.*?<!-- end -->|<!--.*?-->|^```.*?^```|^\|.*?$|^#.*?$|!\[.*?\]\(.*?\)", re.M | re.S)
SENTENCE = re.compile(r"(?<=[.!?:])\s+")
COMPARES = re.compile(
    r"\bthan\b|\b(more|less|fewer|larger|smaller|largest|smallest|better|worse|best|worst|sparser|faster|slower|robust)\b"
    r"|\b(stays?|turns?|ignores?|hardly|changes? nothing)\b"
)
MACHINES = [loss.machine for loss in losses.LOSSES.values()] + ["ISLS", "1-norm SVM", "2-norm SVM"]


class Written(NamedTuple):
    """A claim of a text: the words of its sentence, on how many draws it is computed, before and after which changes,
    and what then holds.
    """

    path: Path
    says: str
    draws: int
    state: dict[str, Any]
    changes: list[dict[str, Any]]
    holds: list[Claim]


def of_text(path: Path) -> list[Written]:
    """The claims of a text; an AssertionError for one that does not belong to the text before it."""
    text, found = path.read_text(encoding="utf-8"), []
    for comment in COMMENT.finditer(text):
        table = tomllib.loads(comment[1])
        before = " ".join(text[: comment.start()].split())
        for row in table["claim"]:
            assert row["says"] in before, f"{path.name}: the text above the claim has no {row['says']!r}"
            changes = row.get("change", table.get("change", {}))
            found.append(
                Written(
                    path,
                    row["says"],
                    row.get("draws", DRAWS),
                    row.get("state", table.get("state", {})),
                    changes if isinstance(changes, list) else [changes],
                    [_claim(one) for one in row["holds"]],
                )
            )
    return found


def _claim(row):
    watch = dict(row["watch"])
    watch = Watch(watch.pop("name"), watch)
    check_quantity(*watch)
    return Claim(watch, row.get("low", -float("inf")), row.get("high", float("inf")), row.get("is"))


def true_draws(claim: Written) -> list[bool]:
    """For each draw, whether all that is claimed holds on it."""
    return [all(_holds(claim, change, draw) for change in claim.changes) for draw in range(claim.draws)]


def _holds(claim, change, draw):
    before = state.setup(claim.state, draw)
    case = Case(before, state.setup({**claim.state, **change}, draw, before=before))
    return all(one.holds(answers.compute(case, one.watch)) for one in claim.holds)


def enough(held: list[bool]) -> bool:
    """Whether a claim holds in nine of ten draws."""
    return sum(held) >= NEEDED * len(held)


def comparisons(text: str) -> list[str]:
    """The sentences of a Markdown text that name a machine and compare."""
    parts = re.split(r"\n\s*\n|^- |^\d+\. ", NO_TEXT.sub("\n\n", text), flags=re.M)
    sentences = [sentence for part in parts for sentence in SENTENCE.split(" ".join(part.split()))]
    return [one for one in sentences if COMPARES.search(one) and any(name in one for name in MACHINES)]
