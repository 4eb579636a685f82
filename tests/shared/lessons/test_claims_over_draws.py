"""What README, manual, scenes and lessons say of machines holds in nine of ten draws, or says of how many it speaks."""

import functools
import re

import claimed
import pytest
from claimed import DRAWS

from pages.shared.lessons import answers, reading
from pages.shared.lessons.quantities import case, catalogue
from pages.shared.papers.stored_results import PAPERS
from pages.shared.studies import feature_walk, scenes

WRITTEN = {f"{claim.path.name}: {claim.says}": claim for path in claimed.TEXTS for claim in claimed.of_text(path)}
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
    held = claimed.true_draws(claim._replace(draws=min(draws, claim.draws)))
    assert claimed.enough(held), f"it holds in {sum(held)} of {len(held)} draws; not in {held.index(False)}"


def test_a_claim_about_the_wrong_machine_fails():
    claim = next(c for c in WRITTEN.values() if c.says.startswith("The LS-SVM changes more of the plane than"))
    (row,) = claim.holds
    for loss, other in (("least_absolute", "least_squares"), ("least_squares", "hinge"), ("hinge", "least_squares")):
        swapped = row.watch._replace(arguments={**row.watch.arguments, "loss": loss, "other": other})
        held = claimed.true_draws(claim._replace(draws=20, holds=[row._replace(watch=swapped)]))
        assert not claimed.enough(held), f"{loss} is said to change more than {other}"


@pytest.mark.parametrize("path", claimed.TEXTS, ids=lambda path: path.name)
def test_a_sentence_that_compares_machines_declares_its_claim(path):
    said = [claim.says for claim in claimed.of_text(path)]
    for sentence in claimed.comparisons(path.read_text(encoding="utf-8")):
        known = any(words in sentence or sentence in words for words in said)
        assert known or sentence.startswith(tuple(NO_COMPARISON)), f"declare the claim of: {sentence}"


def test_a_sentence_without_its_claim_is_found():
    said = "Of all machines the L1-SVM has\nfewer support vectors than the LS-SVM."
    assert claimed.comparisons(f"Some words.\n\n{said} It is known.\n") == [said.replace("\n", " ")]
    assert claimed.comparisons("The L1-SVM has a dual.") == claimed.comparisons("```\nL1-SVM better\n```") == []


# ------------------------------------------------------------------------------ lessons and scenes


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_ANY_DRAW)
def test_an_explanation_is_no_luck_of_the_draw(name):
    prompt = PROMPTS[name]
    found = [answers.answer(prompt, draw) for draw in range(DRAWS)]
    held = [answer.expected for answer in found]
    assert claimed.enough(held), (
        f"it holds in {sum(held)} of {len(held)} draws; first not: {found[held.index(False)].text}"
    )
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
        assert compared or not (sentences := claimed.comparisons(prompt.why)), sentences
    for key, prompt in reading.scenes().items():
        assert prompt.claims or prompt.options or not claimed.comparisons(scenes.SCENES[key].claim), key


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key, scene in scenes.SCENES.items() if not ONE_DRAW.search(scene.claim)])
def test_the_claim_of_a_scene_is_no_luck_of_the_draw(key):
    """Its prompt is asked of one draw; what it claims is computed on a hundred, unless it says of which it speaks."""
    prompt = reading.scenes()[key]._replace(any_draw=True)
    assert prompt.claims or prompt.options
    held = [answers.answer(prompt, draw).expected for draw in range(DRAWS)]
    assert claimed.enough(held), f"it holds in {sum(held)} of {len(held)} draws"


def test_a_comparison_of_a_paper_is_said_to_be_its_own():
    """Its claims are tested one by one: `svmcore.papers.claims`."""
    for sentence in (sentence for paper in PAPERS.values() for sentence in claimed.comparisons(paper.idea)):
        assert "the paper" in sentence.lower(), sentence


def test_the_quantities_of_comparison_are_paired():
    one = answers.case(PROMPTS["evidence/transfer"])
    compute = {name: catalogue.REGISTRY[name].compute for name in ("paired_error", "n_disputed", "error_difference")}
    pair = {"loss": "isls", "other": "least_squares"}
    n, b_plus_c = len(one.problem().y_test), compute["n_disputed"](one, **pair)
    gap = compute["error_difference"](one, **pair)
    assert compute["paired_error"](one, **pair) == pytest.approx(((b_plus_c / n - gap**2) / (n - 1)) ** 0.5)
