"""Prompts as questions of a room, and what came out of the votes."""

import json
import threading

import numpy as np
import pytest
from waiting import mostly_slow
from written import numbers_in

from pages.shared.classroom import ballot, votes
from pages.shared.classroom.screens import prompt_votes
from pages.shared.classroom.votes import Question
from pages.shared.lessons import answers
from pages.shared.lessons.reading import FOLDER, ORDER, built_in_lessons
from pages.shared.lessons.screens import prepared_answers

WORST = [6.9677, -0.79]  # of the lesson on outliers


def asked(lesson, prompt):
    prompt = built_in_lessons()[lesson].prompt(prompt)
    return prompt, answers.answer(prompt)


def found(lesson, prompt, *rounds):
    return ballot.outcome(*asked(lesson, prompt), list(rounds))


@pytest.mark.parametrize("key", mostly_slow(ORDER, ["errors", "support", "outliers"]))
def test_every_prompt_of_a_lesson_can_be_asked_in_a_room(key):
    lesson = built_in_lessons()[key]
    for prompt in lesson.prompts:
        kind, text, details = votes.checked_question(*ballot.question(lesson, prompt, 2, answers.case(prompt, 2)))
        details = json.loads(json.dumps({**details, "asked": {**details["asked"], "own": ""}}))
        assert kind in votes.KINDS and text and "term:" not in json.dumps(details) and details["asked"]["draw"] == 2
        assert ballot.prompt(Question(1, kind, text, details), pytest.fail) is prompt


def test_the_prompt_of_an_own_lesson_is_read_from_its_text():
    text = (FOLDER / "errors.toml").read_text(encoding="utf-8").replace("Which two points", "Tap both points")
    details = {"asked": {"lesson": "errors", "prompt": "who", "draw": 0, "own": "a key"}}
    prompt = ballot.prompt(Question(1, "points", "Which?", details), {"a key": text}.get)
    assert prompt.question.startswith("Tap both points")
    details["asked"]["own"] = ""
    assert ballot.prompt(Question(1, "points", "Which?", details), pytest.fail).question.startswith("Which")


def test_lines_are_measured_against_the_true_boundary():
    _, answer = asked("errors", "draw")
    x0, y0, x1, y1 = answer.value
    turned = np.deg2rad(30) + np.arctan2(y1 - y0, x1 - x0)
    off = [x0, y0, x0 + np.cos(turned), y0 + np.sin(turned)]
    back = [x1, y1, x0, y0]
    told = found("errors", "draw", [answer.value, off, back], [off], [answer.value], [back])
    assert [numbers_in(one) for one in told] == [[2, 3, 10, 0], [0, 1, 10, 30], [1, 1, 10, 0], [1, 1, 10, 0]]
    assert "1 line " in told[1]


def test_places_are_measured_by_their_effect(monkeypatch):
    one, worst, other = found("outliers", "place", [WORST, [0.0, 0.0], WORST], [WORST], [[0.0, 0.0]])
    assert numbers_in(one) == [2, 3, 70, 100]
    assert numbers_in(worst) == [1, 1, 70, pytest.approx(100, abs=2)]
    assert numbers_in(other)[:3] == [0, 1, 70] and numbers_in(other)[3] < 50
    monkeypatch.setattr(ballot, "MOST_PLACES", 2)
    assert numbers_in(*found("outliers", "place", [WORST, [0.0, 0.0], WORST])) == [2, 2, 70, 100, 2]


def test_numbers_orders_points_and_options_are_graded_as_in_a_lesson():
    (numbers,) = found("errors", "pull", [1.0, 1.05, 3.0])
    assert numbers_in(numbers) == [2, 3, 1.05]
    (whole,) = found("support", "all", [3, 10])
    assert numbers_in(whole)[2:] == [3, 10], "no whole number is 6.5"
    (points,) = found("errors", "who", [[16, 27], [16, 3], [10**6]])
    options, nothing = found("errors", "flip", [2, 2, 0], [])
    assert (points, options, nothing) == ("1 of 3 votes right.", "2 of 3 votes right.", "No votes.")
    prompt, answer = asked("outliers", "order")
    keys = [key for key, _ in answer.value]
    assert numbers_in(*found("outliers", "order", [keys, keys[::-1]])) == [1, 2]


@pytest.mark.parametrize("lesson, prompt", [("errors", "pull"), ("support", "all"), ("support", "ceiling")])
def test_a_histogram_holds_all_numbers_of_the_slider(lesson, prompt):
    prompt = built_in_lessons()[lesson].prompt(prompt)
    low, high, step, log = prompt.scale
    given = [low, high] + ([] if log else np.arange(low, high, step).tolist())
    edges, (counts,) = ballot.histogram(prompt, [given])
    assert counts.sum() == len(given) and len(counts) <= ballot.BARS + 1 and np.all(np.diff(edges) > 0)
    assert edges[0] <= low and edges[-1] >= high
    if not log:
        assert counts[:-1].max() - counts[:-1].min() <= 2  # the ends are there twice


def test_a_room_computes_an_answer_once_for_all_who_ask(monkeypatch):
    made, begun = [], threading.Event()
    answer = answers.answer

    def slow(prompt, draw, *others):
        made.append(draw)
        begun.wait(60)
        return answer(prompt, draw, *others)

    monkeypatch.setattr(answers, "answer", slow)
    prompt, jobs = built_in_lessons()["errors"].prompt("flip"), []
    prepared_answers._lesson_answers.clear()
    askers = [
        threading.Thread(target=lambda: jobs.append(prepared_answers.lesson_answer(prompt, 7, {}))) for _ in range(8)
    ]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join(60)
    begun.set()
    for job in jobs:
        job.wait(60)
    assert len(jobs) == 8 and len({id(job) for job in jobs}) == 1 and made == [7]
    assert jobs[0].rows[0].text == answer(prompt, 7).text
    monkeypatch.setattr(answers, "answer", lambda *others: 1 / 0)
    failed = prepared_answers.lesson_answer(prompt, 8, {})
    failed.wait(60)
    assert [prepared_answers.lesson_answer(prompt, 8, {}) for _ in range(9)] == [failed] * 9, "all who wait are told"
    assert "zero" in failed.error
    monkeypatch.setattr(answers, "answer", answer)
    monkeypatch.setattr(prepared_answers, "TRIED", 0.0)
    again = prepared_answers.lesson_answer(prompt, 8, {})  # what went wrong is not kept
    again.wait(60)
    assert again.rows
    compared = [prompt_votes.room_outcome(prompt, 7, "[[2, 0]]") for _ in range(2)]
    compared[0].wait(60)
    assert compared[0] is compared[1] and compared[0].rows[0][0].endswith("of 2 votes right.")
    prepared_answers._lesson_answers.clear()
