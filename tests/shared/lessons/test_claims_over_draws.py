"""What README, manual, scenes and lessons say of machines holds in nine of ten draws, or says of how many it speaks.

README and manual declare their claims beside their sentences, in a comment that no reader sees:

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

import functools
import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pages.shared.lessons import answers, reading, state
from pages.shared.lessons.lesson import Claim, Watch
from pages.shared.lessons.quantities import case, catalogue
from pages.shared.lessons.quantities.registry import check_quantity
from pages.shared.papers.stored_results import PAPERS
from pages.shared.studies import feature_walk, scenes
from svmcore import losses

ROOT = Path(__file__).parents[3]
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
    asked = case.Case(before, state.setup({**claim.state, **change}, draw, before=before))
    return all(one.holds(answers.compute(asked, one.watch)) for one in claim.holds)


def enough(held: list[bool]) -> bool:
    """Whether a claim holds in nine of ten draws."""
    return sum(held) >= NEEDED * len(held)


def comparisons(text: str) -> list[str]:
    """The sentences of a Markdown text that name a machine and compare."""
    parts = re.split(r"\n\s*\n|^- |^\d+\. ", NO_TEXT.sub("\n\n", text), flags=re.M)
    sentences = [sentence for part in parts for sentence in SENTENCE.split(" ".join(part.split()))]
    return [one for one in sentences if COMPARES.search(one) and any(name in one for name in MACHINES)]


WRITTEN = {f"{claim.path.name}: {claim.says}": claim for path in TEXTS for claim in of_text(path)}
PROMPTS = {f"{key}/{p.id}": p for key, found in reading.built_in_lessons().items() for p in found.prompts}
PROMPTS |= {f"scenes/{key}": prompt for key, prompt in reading.scenes().items()}
OF_ANY_DRAW = [name for name, prompt in PROMPTS.items() if prompt.any_draw]
ONE_DRAW = re.compile(r"\b(these|this)( one| \d+)? (points|draw|data|set)|Ripley|[Tt]wo spirals")
# Sentences that name a machine and have a word of comparison, but compare no machines: how the sentence begins, and why
NO_COMPARISON = {
    "The L1-SVM and $w = 0$ are among the starts": "what the solver does",
    "For the L0/1-SVM and the ramp-loss SVM with the linear kernel, *Find the best": "a button",
}


@pytest.fixture(scope="module", autouse=True)
def every_walk_once():
    """Most prompts on the feature walk ask of the same walks, one on each draw."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(case, "_follow_walk", functools.cache(feature_walk.follow))
        yield


CASES = [(name, 30) for name in WRITTEN if name.startswith("README")]
CASES += [pytest.param(name, DRAWS, marks=pytest.mark.slow) for name in WRITTEN]


@pytest.mark.parametrize("name, draws", CASES)
def test_what_is_written_holds_in_nine_of_ten_draws(name, draws):
    claim = WRITTEN[name]
    held = true_draws(claim._replace(draws=min(draws, claim.draws)))
    assert enough(held), f"it holds in {sum(held)} of {len(held)} draws; not in {held.index(False)}"


def test_a_claim_about_the_wrong_machine_fails():
    claim = next(c for c in WRITTEN.values() if c.says.startswith("The LS-SVM changes more of the plane than"))
    (row,) = claim.holds
    for loss, other in (("least_absolute", "least_squares"), ("least_squares", "hinge"), ("hinge", "least_squares")):
        swapped = row.watch._replace(arguments={**row.watch.arguments, "loss": loss, "other": other})
        held = true_draws(claim._replace(draws=20, holds=[row._replace(watch=swapped)]))
        assert not enough(held), f"{loss} is said to change more than {other}"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_a_sentence_that_compares_machines_declares_its_claim(path):
    said = [claim.says for claim in of_text(path)]
    for sentence in comparisons(path.read_text(encoding="utf-8")):
        known = any(words in sentence or sentence in words for words in said)
        assert known or sentence.startswith(tuple(NO_COMPARISON)), f"declare the claim of: {sentence}"


def test_a_sentence_without_its_claim_is_found():
    said = "Of all machines the L1-SVM has\nfewer support vectors than the LS-SVM."
    assert comparisons(f"Some words.\n\n{said} It is known.\n") == [said.replace("\n", " ")]
    assert comparisons("The L1-SVM has a dual.") == comparisons("```\nL1-SVM better\n```") == []


# ------------------------------------------------------------------------------ lessons and scenes


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_ANY_DRAW)
def test_an_explanation_is_no_luck_of_the_draw(name):
    prompt = PROMPTS[name]
    found = [answers.answer(prompt, draw) for draw in range(DRAWS)]
    held = [answer.expected for answer in found]
    assert enough(held), f"it holds in {sum(held)} of {len(held)} draws; first not: {found[held.index(False)].text}"
    assert not any(answers.off_scale(prompt, answer) for answer in found)
    for answer in found:
        assert [option.holds(answer.value) for option in prompt.options].count(True) == bool(prompt.options)


def test_a_prompt_about_one_draw_says_so():
    one = {name: prompt.question for name, prompt in PROMPTS.items() if name not in OF_ANY_DRAW}
    assert [name for name, question in one.items() if not ONE_DRAW.search(question)] == []


def test_a_prompt_or_scene_that_compares_machines_has_something_that_is_computed():
    """Options and scales decide by their own ends; an explanation that compares must claim what it says."""
    for prompt in PROMPTS.values():
        compared = prompt.claims or prompt.options or prompt.scale or prompt.kind in ("points", "place", "line")
        assert compared or not (sentences := comparisons(prompt.why)), sentences
    for key, prompt in reading.scenes().items():
        assert prompt.claims or prompt.options or not comparisons(scenes.SCENES[key].claim), key


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key, scene in scenes.SCENES.items() if not ONE_DRAW.search(scene.claim)])
def test_the_claim_of_a_scene_is_no_luck_of_the_draw(key):
    """Its prompt is asked of one draw; what it claims is computed on a hundred, unless it says of which it speaks."""
    prompt = reading.scenes()[key]._replace(any_draw=True)
    assert prompt.claims or prompt.options
    held = [answers.answer(prompt, draw).expected for draw in range(DRAWS)]
    assert enough(held), f"it holds in {sum(held)} of {len(held)} draws"


def test_a_comparison_of_a_paper_is_said_to_be_its_own():
    """Its claims are tested one by one: `svmcore.papers.claims`."""
    for sentence in (sentence for paper in PAPERS.values() for sentence in comparisons(paper.idea)):
        assert "the paper" in sentence.lower(), sentence


def test_the_quantities_of_comparison_are_paired():
    one = answers.case(PROMPTS["evidence/transfer"])
    compute = {name: catalogue.REGISTRY[name].compute for name in ("paired_error", "n_disputed", "error_difference")}
    pair = {"loss": "isls", "other": "least_squares"}
    n, b_plus_c = len(one.problem().y_test), compute["n_disputed"](one, **pair)
    gap = compute["error_difference"](one, **pair)
    assert compute["paired_error"](one, **pair) == pytest.approx(((b_plus_c / n - gap**2) / (n - 1)) ** 0.5)
