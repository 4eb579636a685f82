"""A prompt that has no answer says so in one kind of error, with its name, the reason, and what to do."""

import numpy as np
import pytest

from pages.shared.lessons import answers, lesson, reading
from pages.shared.lessons.answers import AnswerError, Late
from pages.shared.lessons.quantities.catalogue import REGISTRY
from svmcore import deadline
from svmcore.watch import trace

FLIP = reading.built_in_lessons()["errors"].prompt("flip")


def prompt(watch, **state):
    table = {"problem": "toy_outliers", **state}
    return FLIP._replace(id="mine", state=table, change={}, watch=lesson.Watch(watch, {}), line=7, claims=())


def test_an_answer_off_the_scale_is_said_to_the_author():
    asked = prompt("n_support", loss="least_squares", n=20)
    answer = answers.answer(asked)
    assert answer.value == 20 and answers.off_scale(asked, answer) == ""
    assert answers.off_scale(asked._replace(scale=lesson.Scale(0.0, 20.0, 1.0)), answer) == ""
    sentence = answers.off_scale(asked._replace(scale=lesson.Scale(0.0, 5.0, 1.0)), answer)
    assert answer.text in sentence and "from 0 to 5" in sentence and sentence.endswith(".")
    between = asked._replace(scale=lesson.Scale(0.0, 30.0, 3.0))
    assert "1.5" in answers.off_scale(between, answer)
    assert answers.off_scale(between._replace(close=1.5), answer) == ""


@pytest.mark.parametrize(
    "asked, reason",
    [
        (prompt("angle", kernel="rbf"), "the kernel 'rbf' has no normal vector"),
        (prompt("most"), "must be at least two machines"),
        (prompt("best_round"), "needs the feature walk"),
        (prompt("n_iter"), "no solver is named"),
        (prompt("turned"), "there is no outlier"),
        (prompt("n_support", problem="nowhere"), "must be one of toy_outliers"),
        (prompt("n_support", problem="relevant_features"), "of the plane"),
    ],
    ids=lambda value: value.watch.name if isinstance(value, lesson.Prompt) else None,
)
def test_an_answer_that_cannot_be_computed_says_why(asked, reason):
    with pytest.raises(AnswerError) as found:
        answers.answer(asked)
    sentence = str(found.value)
    assert sentence.startswith("The answer of the prompt “mine” (line 7 of its file) cannot be computed: ")
    assert reason in sentence and sentence.endswith("or the quantity that it watches.") and ".." not in sentence


@pytest.mark.parametrize(
    "error",
    [np.linalg.LinAlgError("Singular matrix"), FloatingPointError("overflow"), KeyError("scene"), IndexError("row 9"),
     TypeError("None"), AttributeError("w"), ZeroDivisionError("0"), OverflowError("too large")],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_every_error_of_a_quantity_becomes_one(monkeypatch, error):
    def broken(case):
        raise error

    monkeypatch.setitem(REGISTRY, "n_support", REGISTRY["n_support"]._replace(compute=broken))
    with pytest.raises(AnswerError, match=r"“mine” .* cannot be computed: .*(linear system|not defined).*Choose other"):
        answers.answer(prompt("n_support"))


def test_a_line_is_written_with_its_ends_in_three_digits():
    answer = answers.answer(reading.built_in_lessons()["errors"].prompt("draw"))
    x0, y0, x1, y1 = answer.value
    text = f"the line f = 0 from ({x0:.3g}, {y0:.3g}) to ({x1:.3g}, {y1:.3g})"
    assert answer.text == text.replace("-", "−")


def test_an_answer_that_was_cut_short_is_one_too():
    with deadline.time_limit(0.0), pytest.raises(AnswerError, match="in time") as found:
        answers.answer(prompt("n_support"))
    assert isinstance(found.value, Late)


def test_the_gap_is_what_complementary_slackness_leaves():
    """The sum of α (y f − 1 + ξ) + (C − α) ξ over the points, at one step; 1 % where it is said."""
    stop = reading.built_in_lessons()["duality"].prompt("stop")
    asked = answers.case(stop)
    given, run = asked.record_run()
    now = trace.moments(run, 35, given)
    margin = given.y * (now.beta[0] @ given.K + now.intercept[0])
    alpha, slack = given.y * now.beta[0], np.maximum(0.0, 1.0 - margin)
    gap = np.sum(alpha * (margin - 1.0 + slack) + (given.C - alpha) * slack)
    primal = 0.5 * now.beta[0] @ given.K @ now.beta[0] + given.C * slack.sum()
    assert REGISTRY["gap_after"].compute(asked, 35) == pytest.approx(gap / primal)
    least = -run.objective[-1]
    assert REGISTRY["excess_after"].compute(asked, 35) == pytest.approx((primal - least) / primal)
    first = REGISTRY["steps_to_gap"].compute(asked)
    shares = [REGISTRY["gap_after"].compute(asked, step) for step in range(first + 1)]
    assert shares[-1] < 0.01 <= min(shares[:-1])
    nonconvex = stop._replace(state={**stop.state, "loss": "ramp", "solver": "cccp_convex"})
    with pytest.raises(ValueError, match="no dual objective; choose one with a convex loss"):
        REGISTRY["gap_after"].compute(answers.case(nonconvex), 1)
