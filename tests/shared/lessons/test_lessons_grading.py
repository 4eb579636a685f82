"""What a reader said against what the solvers say."""

import numpy as np
import pytest
from written import numbers_in

from pages.shared.lessons import answers, grading, reading
from pages.shared.lessons.lesson import Watch, plain
from pages.shared.lessons.quantities.catalogue import REGISTRY
from pages.shared.lessons.screens import question_form

ERRORS = reading.built_in_lessons()["errors"]


def graded(name, given, **changed):
    prompt = ERRORS.prompt(name)
    return grading.grade(prompt, given, answers.answer(prompt, changed=changed))


def test_an_option():
    right, wrong = graded("flip", 2), graded("flip", 0)
    assert right.right and right.misconception == "" and right.gap.endswith("°")
    assert not wrong.right and wrong.misconception == ERRORS.prompt("flip").options[0].wrong and wrong.is_ == right.you
    assert "15.5°" in wrong.why == right.why


def test_settings_of_the_reader_and_another_draw_are_computed_and_said():
    prompt, changed = ERRORS.prompt("flip"), {"seed": 6, "flips": 1}
    feedback, answer = graded("flip", 2, **changed), answers.answer(prompt, changed=changed)
    assert not feedback.right and feedback.misconception and not prompt.options[2].wrong
    assert answer.text in feedback.why and feedback.why != prompt.why.format(**answer.numbers)
    assert graded("flip", 0, **changed).right
    assert answers.answer(prompt, 3).text != answers.answer(prompt, 2).text
    assert answers.answer(prompt._replace(any_draw=False), 3).text == answers.answer(prompt).text


def test_an_explanation_whose_claims_do_not_hold_is_left_out():
    prompt = ERRORS.prompt("flip_absolute")
    claim, *others = prompt.claims
    broken = prompt._replace(claims=(claim._replace(low=100.0), *others))
    assert "6.3\u202f%" in grading.why(prompt, answers.answer(prompt))
    assert not answers.answer(broken).expected and "left out" in grading.why(broken, answers.answer(broken))


def test_a_number():
    assert graded("pull", 1.05).right and graded("pull", 0.95).right
    low, high = graded("pull", 0.5), graded("pull", 2)
    assert graded("pull", 1.0).exact and not graded("pull", 1.05).exact
    wrong = ERRORS.prompt("pull").wrong
    assert (low.misconception, high.misconception) == (wrong["too_low"], wrong["too_high"]) and high.gap == "off by 1"
    prompt = reading.built_in_lessons()["width"].prompt("test")
    answer = answers.answer(prompt)
    assert grading.grade(prompt, answer.value - 0.2, answer).gap.endswith(answers.difference(prompt.watch, 0.2))
    error = reading.built_in_lessons()["evidence"].prompt("transfer").watch
    assert answers.measure(error) == {"unit": "percentage points", "factor": 100}


def test_a_number_of_a_scale_of_powers_is_off_by_a_factor():
    prompt = ERRORS.prompt("pull")
    prompt = prompt._replace(scale=prompt.scale._replace(low=0.1, log=True), close=2.0)
    answer = answers.answer(prompt)
    assert [grading.grade(prompt, said, answer).right for said in (0.4, 0.5, 2.0, 2.5)] == [False, True, True, False]
    assert [numbers_in(grading.grade(prompt, said, answer).gap) for said in (4.0, 1000.0)] == [[4], [1000]]
    with pytest.raises(ValueError, match="above 0"):
        grading.grade(prompt, 0, answer)


def test_what_was_said_and_what_is_are_one_sentence_each_and_said_once():
    # the answer is the name of a machine, and so is the option
    machines = reading.built_in_lessons()["support"].prompt("far")
    answer = answers.answer(machines)
    told = dict(question_form.rows(grading.grade(machines, answer.true, answer), plain))
    assert told["It is"] == machines.options[answer.true].text == "The LS-SVM."
    assert told["You said"] == told["It is"].removesuffix(".") + " – correct."
    angle = ERRORS.prompt("flip")
    answer = answers.answer(angle)
    told = dict(question_form.rows(grading.grade(angle, 0, answer), plain))
    assert told["You said"] == plain(angle.options[0].text)
    assert told["It is"] == f"{plain(angle.options[2].text)} ({answer.text})"


def test_a_line_and_the_angle_and_the_share_between_two():
    xs = ys = np.array([-1.0, 1.0])
    upright, level = np.array([[0.0, -1.0], [0.0, 1.0]]), np.array([[-1.0, 0.0], [1.0, 0.0]])
    assert grading.line_difference(upright, level, xs, ys) == pytest.approx((90.0, 0.5))
    shifted = level[::-1] + [0.0, 0.5]
    assert grading.line_difference(level, shifted, xs, ys) == pytest.approx((0.0, 0.25), abs=0.01)
    answer = answers.answer(ERRORS.prompt("draw"))
    assert numbers_in(graded("draw", answer.value).gap) == [0, 0]
    x0, y0, x1, y1 = answer.value
    assert graded("draw", [x1, y1, x0, y0]).right
    assert not graded("draw", [x0, y1, x1, y0]).right
    with pytest.raises(ValueError, match="must differ"):
        graded("draw", [1, 1, 1, 1])


def test_points():
    right = answers.answer(ERRORS.prompt("who")).value
    feedback = graded("who", [right[0], 1, 2])
    assert feedback.ids == {"right": [right[0]], "missed": [right[1]], "extra": [1, 2]} and not feedback.right
    assert feedback.gap == "1 right, 1 missed, 2 too many"
    assert graded("who", [*right, 1]).misconception == ERRORS.prompt("who").wrong["extra"]
    assert graded("who", right).right
    with pytest.raises(ValueError, match="There is no point 99"):
        graded("who", [99])


def test_an_order():
    right = ["exponential", "least_squares", "least_absolute"]
    assert graded("transfer", right).right
    feedback = graded("transfer", right[::-1])
    assert feedback.gap == "3 pairs swapped" and "LS-SVM" in feedback.you and "°" in feedback.is_
    with pytest.raises(ValueError, match="Give each of"):
        graded("transfer", right[:2])


@pytest.mark.parametrize(
    "name, given",
    [
        ("flip", 3), ("flip", "a"), ("flip", True), ("flip", [1]), ("flip", None), ("pull", "1"), ("pull", 10**400),
        ("pull", float("nan")), ("draw", 3), ("draw", [1, 2]), ("draw", [0, 1, 2, 10**400]), ("who", 3),
        ("who", [1, "a"]), ("who", [[1]]), ("transfer", [1, "hinge"]), ("transfer", [[], {}]), ("transfer", {"a": 1}),
        ("transfer", [1, "a", None]),
    ],
)  # fmt: skip
def test_no_answer_of_this_kind_is_refused_in_a_sentence(name, given):
    with pytest.raises(ValueError, match=r"^(Choose|Give) .*, got .*\.$"):
        graded(name, given)


def test_the_marks_of_a_number_are_those_of_its_words():
    watches = (("steps_ratio", 4.122580645161291, 4.1), ("test_spread", 0.00927227048785787, 0.009))
    for name, value, shown in (*watches, ("n_iter", 1917, 1917), ("angle", 15.4567, 15.5)):
        assert name in REGISTRY, sorted(REGISTRY)
        assert answers.round_value(Watch(name, {}), value) == pytest.approx(shown, rel=1e-12)
