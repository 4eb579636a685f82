"""The lessons that come with the app: every answer is computed, every explanation is held against the solvers."""

import re

import pytest

from pages.shared.lessons import answers, grading, lesson, state
from pages.shared.studies import glossary, scenes

LESSONS = lesson.shipped()
PROMPTS = {f"{key}/{prompt.id}": prompt for key, found in LESSONS.items() for prompt in found.prompts}
PROMPTS |= {f"scenes/{key}": prompt for key, prompt in lesson.scenes().items()}
DRAWS = range(10)
every_lesson = pytest.mark.parametrize("found", LESSONS.values(), ids=LESSONS)
every_prompt = pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)


@every_lesson
def test_a_lesson_is_whole(found):
    assert 8 <= found.minutes <= 15 and found.objectives and found.prerequisites and found.deeper
    assert 5 <= len(found.prompts) <= 8 and len({prompt.kind for prompt in found.prompts}) >= 3
    assert [prompt.closing for prompt in found.prompts] == [False] * (len(found.prompts) - 1) + [True]
    assert all(prompt.goal for prompt in found.prompts) and all(found.teacher)
    last = found.prompts[-1].state["problem"]
    assert last not in {prompt.state["problem"] for prompt in found.prompts[:-1]}, "the last question is a new problem"


def test_the_lessons_are_a_course():
    assert list(LESSONS) == [key for key in lesson.ORDER if key in LESSONS]
    assert set(lesson.scenes()) <= set(scenes.SCENES)


@every_prompt
def test_an_answer_is_computed_and_graded(prompt):
    answer = answers.answer(prompt)
    assert answer.expected, f"the explanation does not hold: {answer.text}"
    assert [option.holds(answer.value) for option in prompt.options].count(True) == bool(prompt.options)
    for given in _said(prompt, answer):
        feedback = grading.grade(prompt, given, answer)
        assert feedback.right == (not feedback.misconception) and feedback.you and feedback.is_
        assert not re.search(r"[{}]|nan|None", feedback.why), feedback.why
    if prompt.options:
        assert sum(grading.grade(prompt, k, answer).right for k in range(len(prompt.options))) == 1


@every_prompt
def test_an_answer_in_error_is_explained(prompt):
    answer = answers.answer(prompt)
    feedbacks = [grading.grade(prompt, given, answer) for given in _wrong(prompt, answer)]
    assert feedbacks and not any(feedback.right for feedback in feedbacks)
    for feedback in feedbacks:
        assert feedback.misconception.startswith(("You may have", "You will have")), feedback.misconception
        assert len(feedback.misconception) > 40 and len(feedback.why) > 60


@pytest.mark.slow
@every_prompt
def test_an_explanation_is_no_luck_of_the_draw(prompt):
    if not prompt.any_draw:
        assert re.search(r"th(is|ese) (one )?(draw|points|set|data)|Ripley", prompt.question), "say that it is one draw"
        return
    found = [answers.answer(prompt, draw) for draw in DRAWS]
    assert sum(answer.expected for answer in found) >= 9, [(answer.text, answer.expected) for answer in found]
    for answer in found:
        assert [option.holds(answer.value) for option in prompt.options].count(True) == bool(prompt.options)
        assert "{" not in grading.why(prompt, answer)


@every_prompt
def test_texts_are_short_and_their_terms_are_known(prompt):
    texts = [prompt.question, prompt.why, *prompt.wrong.values(), *(option.wrong for option in prompt.options)]
    for text in filter(None, texts):
        assert text[0].isupper() or text[0] in "{[" and text.rstrip()[-1] in ".?!)", text
        for _, term in lesson.TERM.findall(text):
            assert term in glossary.TERMS
        for sentence in re.split(r"(?<=[.?!]) ", lesson.plain(text)):
            assert len(sentence.split()) <= 40, sentence


@every_prompt
def test_a_prompt_has_a_link(prompt):
    asked = answers.case(prompt)
    for of in ("before", "after"):
        at = asked.setup(of)
        assert at.page.startswith("pages/") and all(isinstance(text, str) for text in at.query.values())
        assert set(at.query) <= set(state.NAMES) - {"edit"}


def _right(prompt, answer):
    if prompt.options:
        return answer.true
    if prompt.kind == "place":
        return answer.value[:2]
    if prompt.kind == "order":
        return [key for key, _ in answer.value]
    return answer.value


def _said(prompt, answer):
    return [_right(prompt, answer), *_wrong(prompt, answer)]


def _wrong(prompt, answer):
    if prompt.options:
        return [k for k in range(len(prompt.options)) if k != answer.true]
    if prompt.kind == "number":
        return [end for end in prompt.scale[:2] if not grading.grade(prompt, end, answer).right]
    field = answer.case.study().field if prompt.kind in ("line", "place") else None
    if prompt.kind == "line":
        x, y = field.xs, field.ys
        lines = [(x[5], y[0], x[5], y[-1]), (x[0], y[5], x[-1], y[5]), (x[-5], y[0], x[-5], y[-1])]
        return [list(map(float, line)) for line in lines if not grading.grade(prompt, line, answer).right]
    if prompt.kind == "place":
        return [answer.case.problem().X.mean(axis=0).tolist()]
    if prompt.kind == "order":
        return [_right(prompt, answer)[::-1]]
    ids = answer.case.problem().ids.tolist()
    return [[], ids] if len(answer.value) < len(ids) - prompt.close else [[]]
