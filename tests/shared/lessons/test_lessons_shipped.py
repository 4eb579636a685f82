"""The lessons that come with the app: every answer is computed, every explanation is held against the solvers."""

import json
import re
from functools import lru_cache

import pytest
from questions import true_answer, wrong_answers
from waiting import mostly_slow

from pages.shared.lessons import answers, beginning, grading, lesson, reading, state
from pages.shared.screen import schema
from pages.shared.studies import glossary, scenes

OF_PICTURES = [  # of none in a prompt
    schema.ALONG.name, schema.TRAIL.name, schema.FLIPPING.name, schema.BROKEN.name, schema.BESIDE.name,
    schema.SURFACE.name, schema.MULTIPLES.name,
]  # fmt: skip
LESSONS = reading.built_in_lessons()
PROMPTS = {f"{key}/{prompt.id}": prompt for key, found in LESSONS.items() for prompt in found.prompts}
PROMPTS |= {f"scenes/{key}": prompt for key, prompt in reading.scenes().items()}
answered = lru_cache(None)(lambda name: answers.answer(PROMPTS[name]))
LONG = {"width/choice", "width/slider", "evidence/distant", "evidence/scattered", "evidence/bound", "evidence/spirals"}
every_lesson = pytest.mark.parametrize("found", LESSONS.values(), ids=LESSONS)
every_quick_prompt = pytest.mark.parametrize("name", mostly_slow(PROMPTS, PROMPTS.keys() - LONG))


@every_lesson
def test_a_lesson_is_whole(found):
    assert found.objectives and found.prerequisites and found.deeper
    assert 8 <= found.minutes <= 15 and 5 <= len(found.prompts) <= 8, "a lesson of the app has this size"
    assert len({prompt.kind for prompt in found.prompts}) >= 3, "questions of three kinds"
    closing = [prompt.closing for prompt in found.prompts]
    assert closing == [False] * (len(closing) - 1) + [True], "the last question, and no other, has closing = true"
    assert all(prompt.goal for prompt in found.prompts) and all(found.teacher)
    drawn = [(prompt.state["problem"], prompt.state.get("d_rel")) for prompt in found.prompts]
    assert drawn[-1] not in drawn[:-1], "the last question is on a new problem"


def test_the_lessons_are_a_course():
    assert list(LESSONS) == [found.id for found in LESSONS.values()] == list(reading.ORDER)
    assert {prompt.kind for found in LESSONS.values() for prompt in found.prompts} == set(reading.KINDS)


def test_each_scene_has_a_prompt_on_what_it_shows():
    assert list(reading.scenes()) == list(scenes.SCENES)
    for key, prompt in reading.scenes().items():
        shown, scene = answers.case(prompt).after, scenes.SCENES[key]
        query = {**scene.query, "seed": "0"}
        asked = [name for name in query if name != "losses" and name not in OF_PICTURES]
        assert {name: shown.query[name] for name in asked} == {
            name: f"{float(query[name]):g}" if query[name].replace(".", "").isdigit() else query[name] for name in asked
        }
        assert set(shown.query.get("losses", "").split(",")) == set(query.get("losses", "").split(","))
        assert shown.page == scene.page and not prompt.any_draw


def test_what_is_counted_is_whole_on_its_slider():
    for name, prompt in PROMPTS.items():
        if prompt.scale and prompt.scale.log and answers.measure(prompt.watch)["unit"] in ("points", "steps"):
            assert prompt.scale.step.is_integer(), name


@every_quick_prompt
def test_an_answer_is_computed_and_graded_and_one_in_error_explained(name):
    prompt, answer = PROMPTS[name], answered(name)
    assert answer.expected, f"the explanation does not hold: {answer.text}"
    assert answers.off_scale(prompt, answer) == ""
    assert [option.holds(answer.value) for option in prompt.options].count(True) == bool(prompt.options)
    given = true_answer(prompt, answer), *wrong_answers(prompt, answer)
    right, *wrong = [grading.grade(prompt, one, answer) for one in given]
    assert right.right and wrong and not any(feedback.right for feedback in wrong)
    for feedback in (right, *wrong):
        assert feedback.right == (not feedback.misconception) and feedback.you and feedback.is_
        assert not re.search(r"[{}]|nan|None", feedback.why), feedback.why
    for feedback in wrong:
        assert feedback.misconception.startswith(("You may have", "You will have")), feedback.misconception
        assert len(feedback.misconception) > 40 and len(feedback.why) > 60
    if prompt.options:
        assert sum(grading.grade(prompt, k, answer).right for k in range(len(prompt.options))) == 1


def test_texts_are_short_and_their_terms_are_known():
    parts = [(p.question, p.why, *p.wrong.values(), *(option.wrong for option in p.options)) for p in PROMPTS.values()]
    for text in filter(None, sum(parts, ())):
        assert (text[0].isupper() or text[0].isdigit() or text[0] in "{[") and text[-1] in ".?", text
        for _, term in lesson.TERM.findall(text):
            assert term in glossary.TERMS, text
        assert not re.search(r"[Oo]n the (left|right)\b(?! side)", text), "on a phone one is below the other"
        for sentence in re.split(r"(?<=[.?!]) ", lesson.plain(text)):
            assert len(sentence.split()) <= 40, sentence


def test_a_prompt_has_a_link():
    for name, prompt in PROMPTS.items():
        for of in ("before", "after"):
            at = answers.case(prompt).setup(of)
            assert at.page.startswith("pages/") and all(isinstance(text, str) for text in at.query.values()), name
            assert set(at.query) <= set(state.FIELDS), name
            sparse = state.ISLS in {machine.loss for machine in at.machines}
            assert not (sparse and at.page == "pages/compare.py"), f"{name}: Compare has no sparse LS-SVM"


@every_lesson
def test_what_a_teacher_leaves_out_is_optional_and_named_by_its_number(found):
    numbers = {int(number) for number in re.findall(r"\d+", found.teacher.skip.partition("Keep")[0])}
    assert numbers, "skip names the questions to leave out by their numbers"
    assert numbers <= {k for k, prompt in enumerate(found.prompts, 1) if prompt.optional}
    assert max(numbers) < len(found.prompts), "the last question is never left out"
    assert re.search(r"questions? \d", found.teacher.skip) and "“" not in found.teacher.skip


COURSE = "margin|slack|hard margin|soft margin|C is the price|kernel|γ|σ|support vector|dual|outlier|spars|scal"


@pytest.mark.parametrize("term", [*COURSE.split("|"), "cross-validation"])
def test_nothing_essential_is_missing_in_the_course(term):
    """In the chapter, in what the lessons ask and explain, or in the notebook: not only in what a teacher reads."""
    told = [section["text"] for section in beginning.chapter()["section"]]
    told += [text for p in PROMPTS.values() for text in (p.question, p.why)]
    told += [lesson.plain(text) for found in LESSONS.values() for text in found.objectives]
    told += ["".join(cell["source"]) for cell in json.loads(reading.NOTEBOOK.read_text(encoding="utf-8"))["cells"]]
    assert re.search(rf"(?<!\w){term}", lesson.plain(" ".join(told)).replace("*", ""), re.IGNORECASE), term
