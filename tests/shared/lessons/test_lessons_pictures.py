"""The pictures of prompts: each answer can be seen in its own, and in none that was shown before."""

from functools import lru_cache
from xml.etree import ElementTree

import numpy as np
import pytest
from waiting import mostly_slow

from pages.shared.lessons import answers, reading
from pages.shared.lessons.lesson import SHOWS
from pages.shared.lessons.screens import asked_pictures, printed_pictures
from pages.shared.lessons.screens.prompt_charts import CHARTS, ENDS
from svmcore.problems import features

LESSONS = reading.built_in_lessons()
PROMPTS = {(key, prompt.id): prompt for key, found in LESSONS.items() for prompt in found.prompts}
OVER = {"walk": "round", "violation": "steps", "objectives": "steps", "width": "σ"}
CHARTED = [name for name, prompt in PROMPTS.items() if prompt.shows in OVER]
SLOW = [name for name in PROMPTS if PROMPTS[name].watch.arguments.get("draws", 1) > 1 or PROMPTS[name].shows == "width"]
case = lru_cache(None)(lambda name: answers.case(PROMPTS[name]))


def places(name, answered):
    """What a chart tells: (the state, the name of a line, x, y) of each of its places."""
    drawing = CHARTS[PROMPTS[name].shows](PROMPTS[name], case(name), answered)
    state = str(sorted({**PROMPTS[name].state, **PROMPTS[name].change, "solver": ""}.items()))
    title = drawing.layout["yaxis"]["title"]["text"]
    return {
        (state, f"{title} {trace['name']}", float(x), float(y))
        for trace in drawing.traces
        for x, y in zip(trace["x"], trace["y"], strict=True)
        if np.isfinite(y)
    }


@pytest.mark.parametrize("name", CHARTED, ids="/".join)
def test_no_chart_gives_away_what_a_later_question_asks(name):
    """What is new in its chart with the answer has not been drawn by any earlier one, nor by its own before."""
    lesson = [other for other in CHARTED if other[0] == name[0]]
    earlier = set().union(*(places(other, True) for other in lesson[: lesson.index(name)]))
    new = places(name, True) - places(name, False)
    assert new, "the chart is the same before the answer and with it"
    given_away = new & earlier
    assert len(given_away) < 0.3 * len(new), f"already drawn: {sorted(given_away)[:3]}"
    if PROMPTS[name].watch.name == "best_round":
        best = min((y, x) for _, line, x, y in new if "walk" in line)
        assert best not in {(y, x) for *_, x, y in earlier}


def test_the_chart_of_a_walk_ends_with_the_round_that_is_asked_about_and_a_curve_with_the_step_that_is_counted():
    """The whole walk, drawn with the first question, would answer those that follow.

    A number of steps is read off the chart: five of conjugate gradients before the answer, all of them with it.
    """
    rounds = {key: max(x for *_, x, _ in [p for p in places(("features", key), True) if "walk" in p[1]])
              for key in ("few", "next", "best")}  # fmt: skip
    assert rounds == {"few": 1, "next": 2, "best": 15}
    name = ("solvers", "system")
    ends = [max(x for *_, line, x, _ in places(name, told) if "Conjugate" in line) for told in (False, True)]
    assert ends == [5, answers.answer(PROMPTS[name]).value]


def test_the_dashed_end_of_a_walk_is_the_error_of_the_1_norm_machine():
    asked = case(("features", "best"))
    exact, d_rel = asked.steps().exact, asked.after.walk.d_rel
    error = 100.0 - 100.0 * features.accuracy(exact.details.w, exact.intercept, d_rel)
    ends = {y for _, line, _, y in places(("features", "best"), True) if ENDS[1] in line}
    assert [*ends] == pytest.approx([error])


@pytest.mark.parametrize("name", mostly_slow(PROMPTS, PROMPTS.keys() - SLOW), ids="/".join)
def test_a_prompt_has_a_picture_before_its_answer_and_another_with_it(name):
    prompt, answer = PROMPTS[name], answers.answer(PROMPTS[name])
    before, after = map(ElementTree.fromstring, printed_pictures.pictures(prompt, answer))
    assert all(root.tag.endswith("svg") and len(list(root.iter())) > 15 for root in (before, after))
    same = ElementTree.tostring(before) == ElementTree.tostring(after)
    assert same == (prompt.shows == "disputed"), "what is counted is drawn from the beginning"


def test_the_legend_tells_whose_triangles_are_whose():
    prompt = PROMPTS["evidence", "transfer"]
    (plane,) = asked_pictures.planes(prompt, answers.case(prompt))
    lines = [trace["line"] for trace in plane.drawing.traces if trace["name"].startswith("▲")]
    assert len({line["color"] for line in lines}) == 2 and all(line["width"] for line in lines)


def test_every_kind_of_chart_is_shown_by_some_prompt():
    assert {prompt.shows for prompt in PROMPTS.values()} == {"", *SHOWS}
    assert set(CHARTS) == {name for name, where in SHOWS.items() if where != "on"}


def test_the_rings_on_a_loss_stand_where_the_point_is_and_touch_it_with_the_slope_of_its_support_value():
    name = ("errors", "flip")
    prompt, asked = PROMPTS[name], case(name)
    (ring,) = [trace for trace in CHARTS[prompt.shows](prompt, asked, True).traces if trace["name"] == "marked"]
    for k, of in enumerate(("before", "after")):
        t = 1.0 - asked.study(of).points.margin[asked.row("farthest", of)]
        assert (ring["x"][k], ring["y"][k]) == pytest.approx((t, t * t / 2), abs=0.1)
        assert ring["customdata"][k][2] == pytest.approx(t, rel=1e-3)  # of the squared loss
    (before,) = [trace for trace in CHARTS[prompt.shows](prompt, asked, False).traces if trace["name"] == "marked"]
    assert len(before["x"]) == 1, "after the change is what is asked about"


def test_the_shade_is_the_share_that_is_told():
    name = ("errors", "flip")
    (sight, _) = asked_pictures.planes(PROMPTS[name], case(name), answered=True)
    shade = next(trace for trace in sight.drawing.traces if trace["name"] == "changed")
    (x, y), (left, right, low, high) = (shade["x"], shade["y"]), shade["meta"]["view"]
    inside = np.outer((low <= y) & (y <= high), (left <= x) & (x <= right))
    before, after = (case(name).study(of).values_on(x, y) for of in ("before", "after"))
    assert np.array_equal(np.asarray(shade["z"]) > 0, inside & ((before >= 0) != (after >= 0)))


def test_the_forces_are_the_parts_of_w():
    """Summed over all points, α y (x − mean) is the normal vector, because Σ α y is zero."""
    name = ("errors", "flip")
    study = case(name).study()
    weight = study.points.alpha * study.points.y
    assert weight @ (study.points.X - study.points.X.mean(axis=0)) == pytest.approx(case(name).normal(), rel=1e-6)
    (sight, _) = asked_pictures.planes(PROMPTS[name], case(name), answered=True)
    arrows = next(trace for trace in sight.drawing.traces if trace["name"] == "forces")
    tails = np.column_stack([arrows["x"], arrows["y"]])[::6]
    rows = [np.argmin(np.linalg.norm(study.points.X - tail, axis=1)) for tail in tails]
    way = np.column_stack([arrows["x"], arrows["y"]])[1::6] - tails
    wanted = weight[rows, None] * (study.points.X[rows] - study.points.X.mean(axis=0))
    longest, expected = np.linalg.norm(way, axis=1).max(), wanted / np.linalg.norm(wanted, axis=1).max()
    assert way / longest == pytest.approx(expected, abs=1e-5)


def test_a_question_about_draws_shows_them():
    name = ("evidence", "figure")
    (sight,) = asked_pictures.planes(PROMPTS[name], case(name), answered=True)
    faint = next(trace for trace in sight.drawing.traces if "other draws" in trace["name"])
    assert np.isnan(faint["x"]).sum() == PROMPTS[name].watch.arguments["draws"] - 1


def test_a_point_is_moved_among_the_points_and_with_the_settings_that_are_asked_about():
    prompt = PROMPTS["outliers", "place"]
    asked = answers.case(prompt, 3, {"C": 10.0})
    moved = asked_pictures.move_point(prompt, asked, (1.0, 2.0))
    X, row = asked.problem().X.copy(), asked.row("farthest")
    X[row] = 1.0, 2.0
    assert moved.problem().X == pytest.approx(X, abs=1e-3) and moved.after.setting == asked.after.setting
