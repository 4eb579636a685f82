"""The Lessons page without a browser: what is asked, what is answered, where one is, what is kept."""

import json
import threading

import numpy as np
import pytest
from questions import DRAWN, act, asked, film, form
from questions import true_answer as known
from screen import choose, control, healthy, notes, open_page, pictures, press, sent, strip, traces, unpacked
from waiting import mostly_slow

from pages.shared.lessons import answers, beginning
from pages.shared.lessons.reading import built_in_lessons
from pages.shared.lessons.screens import asked_pictures, prepared_answers
from pages.shared.lessons.screens.challenge_page import wanted_text
from pages.shared.live import channel
from pages.shared.screen import choices, codec, edits

pytestmark = pytest.mark.usefixtures("warm")
PAGE = "pages/lessons.py"
LESSON = built_in_lessons()["errors"]


def remembered(app):
    return sent(app, "memory")[0]


def opened(prompt, lesson="errors", **link):
    return healthy(open_page(PAGE, lesson=lesson, prompt=prompt, **link))


def true_answer(prompt):
    return known(prompt, answers.answer(prompt))


def rows(app):
    return dict(form(app)["feedback"]["rows"])


def names_of(app, plane):
    return {trace["name"] for trace in pictures(app)[plane]["data"]}


# ------------------------------------------------------------------------------------------ overview


def test_the_overview_names_every_lesson_with_minutes_and_abilities():
    app = healthy(open_page(PAGE))
    links = {e.proto.label: e.proto.query_string for e in app.get("page_link") if "lesson=" in e.proto.query_string}
    label, query = next(iter(links.items()))
    assert beginning.chapter()["title"] in label and f"lesson={beginning.KEY}" in query
    del links[label]
    assert len(links) == len(built_in_lessons())
    for number, (label, query) in enumerate(links.items(), 1):
        lesson = [*built_in_lessons().values()][number - 1]
        assert label == f"**{number}. {lesson.title}**" and f"lesson={lesson.id}" in query
        assert any(caption.value.startswith(f"{lesson.minutes} minutes") for caption in app.caption)
        assert any(all(text in e.value for text in lesson.objectives) for e in app.markdown)


def test_the_chapter_goes_on_where_its_text_says():
    app = healthy(open_page(PAGE, lesson=beginning.KEY))
    (message,) = sent(app, "chapter")
    assert message["step"] == 0 and len(message["sections"]) == len(beginning.chapter()["section"])
    app.session_state[f"{beginning.KEY}-text"] = {"place": {"step": 5, "C": 0.1, "sigma": "wide"}}
    (message,) = sent(healthy(app.run()), "chapter")
    assert (message["step"], message["values"]) == (5, {"C": 0.1, "sigma": 0.5})
    assert app.query_params["lesson"] == beginning.KEY and "prompt" not in app.query_params


def test_a_challenge_keeps_the_best_so_far_and_counts_the_points_that_are_moved():
    app, given = opened("end", "price"), built_in_lessons()["price"].challenge
    assert wanted_text(given.goal) in app.info[0].value and not app.success
    app = healthy(choose(app, C=10.0))
    assert app.success[0].value.startswith("Reached. Now: the number of support vectors is 31.")
    app = healthy(choose(app, C=10000.0))
    assert not app.success and " 31." in app.warning[0].value and wanted_text(given.rules[0]) in app.warning[0].value
    app = opened("end", "support")
    assert wanted_text(built_in_lessons()["support"].challenge.goal) in app.info[0].value and sent(app, "editor")
    assert [spec["name"] for spec in sent(app, "edit") if spec["edit"]] == ["challenge"]
    moved = edits.script((-1, -1), [(0, edits.MOVED, 25, 46), (2, edits.MOVED, 10, 40)])
    for count, said in ((1, "Reached. Now: the angle"), (2, "This does not count: 2 points are edited")):
        app = opened("end", "support", edits=codec.encode(moved._replace(edits=moved.edits[:count])))
        assert said in (app.success or app.warning)[0].value


def test_the_challenge_of_a_walk_has_its_chart():
    app = healthy(choose(open_page(PAGE, lesson="features", prompt="end"), walk_C=0.05))
    assert app.success[0].value.startswith("Reached. Now: the number of features that are used is 6.")
    lengths = {name: len(trace["x"]) for name, trace in traces(app, "challenge").items()}
    assert lengths == {"the walk, from the 2-norm SVM on": 15, "1-norm SVM": 2}


def test_the_overview_says_how_far_one_is_and_forgets_all_answers():
    app = healthy(open_page(PAGE, progress="errors.rn------"))
    assert any("2 of 8 answered · Continue" in caption.value for caption in app.caption)
    (link,) = (e for e in app.get("page_link") if "lesson=errors" in e.proto.query_string)
    assert "progress=errors.rn" in link.proto.query_string
    app = healthy(press(app, "Forget all answers"))
    assert remembered(app) == {"memory": "lessons", "text": "", "known": True} and "progress" not in app.query_params


# ------------------------------------------------------------------------------------------ one question


def test_before_the_commitment_the_answer_is_not_on_the_page_and_after_a_right_one_it_is():
    prompt = LESSON.prompt("flip")
    app = opened("flip")
    message = form(app)
    assert message["asked"].startswith("Now one label") and message["kind"] == "choose" and not message["locked"]
    assert [option.text for option in prompt.options] == message["options"]
    assert message["feedback"] is False and message["right"] is None
    text = json.dumps(sent(app, "question"))
    assert answers.answer(prompt).text not in text and prompt.options[0].wrong not in text
    assert "ghost" not in names_of(app, "asked")
    assert strip(app) == [] and list(pictures(app)) == ["asked", "asked-second"], "the plane, and the losses beside it"
    app = act(app, "commit", 0, key="errors/own_side/0")
    assert not form(app)["locked"] and "progress" not in app.query_params, "it was about another question"
    app = act(app, "commit", true_answer(prompt))
    assert form(app)["locked"] and form(app)["feedback"]["right"] and form(app)["right"] == true_answer(prompt)
    assert set(rows(app)) == {"You said", "It is", "Why"} and answers.answer(prompt).text in rows(app)["It is"]
    assert {"ghost", "boundary"} <= names_of(app, "asked")
    assert app.query_params["given"] == "2" and app.query_params["progress"] == "errors.-r------"


def test_the_picture_before_the_change_is_that_of_the_machine_before_it():
    prompt = built_in_lessons()["sparsity"].prompt("who")
    case = answers.case(prompt)
    before, after = (asked_pictures.planes(prompt, case, answered=told)[0] for told in (False, True))
    assert before.name == "LS-SVM" and after.name == choices.ISLS_NAME
    (field,) = (trace for trace in before.drawing.traces if trace["name"] == "field")
    (ghost,) = (trace for trace in after.drawing.traces if trace["name"] == "ghost")
    assert np.array_equal(np.shape(field["z"]), np.shape(ghost["z"])) and np.allclose(field["z"], ghost["z"], atol=0.02)


def test_a_wrong_answer_names_the_misconception_is_restored_and_tried_again_on_another_draw():
    prompt = LESSON.prompt("flip")
    app = act(opened("flip"), "commit", 0)
    assert not form(app)["feedback"]["right"] and form(app)["right"] == 2
    assert rows(app)["You said"] == prompt.options[0].text and prompt.options[2].text in rows(app)["It is"]
    assert rows(app)["Perhaps"].startswith("You may have thought") and "15." in rows(app)["Why"]
    assert app.query_params["progress"] == "errors.-n------"
    link = {name: values[0] if isinstance(values, list) else values for name, values in app.query_params.items()}
    again = healthy(open_page(PAGE, **link))
    assert form(again) == form(app) and remembered(again)["text"] == "errors.-n------"
    before = pictures(app)["asked"]["data"]
    app = act(app, "again")
    assert not form(app)["locked"] and app.query_params["attempt"] == "1" and "given" not in app.query_params
    assert pictures(app)["asked"]["data"][-1]["x"] != before[-1]["x"]
    true = answers.answer(LESSON.prompt("flip"), 1).true
    app = act(app, "commit", true)
    assert form(app)["feedback"]["right"] and app.query_params["progress"] == "errors.-s------"


def test_without_a_question_the_link_opens_the_first_that_is_open_and_next_and_back_go_on():
    assert form(opened("", progress="errors.rr------"))["key"] == "errors/draw/0"
    app = healthy(open_page(PAGE, lesson="errors", progress="errors.rrrrrrrn"))
    assert app.header[0].value == LESSON.title and form(app) is None and len(app.latex) == 1
    assert any(all(text in e.value for text in LESSON.objectives) for e in app.markdown)
    app = act(opened("own_side"), "next")
    assert form(app)["key"] == "errors/flip/0" and app.query_params["prompt"] == "flip" and not form(app)["first"]
    assert form(act(app, "before"))["key"] == "errors/own_side/0" and form(app)["first"]


@pytest.mark.parametrize(
    "link, about",
    [
        (dict(lesson="humbug"), "no lesson 'humbug'"),
        (dict(lesson="errors", prompt="humbug"), "no question 'humbug'"),
        (dict(lesson="errors", prompt="flip", given="[[["), "could not be read"),
        (dict(lesson="errors", prompt="flip", given="[" * 3000), "could not be read"),
        (dict(lesson="errors", prompt="transfer", given='[1, "hinge"]'), "not an answer"),
        (dict(lesson="errors", prompt="flip", given="7"), "not an answer to the question"),
        (dict(lesson="errors", prompt="draw", given='"<b>"'), "not an answer to the question"),
        (dict(lesson="errors", prompt="who", given='"[x](y)"'), "got '[x](y)'"),
        (dict(lesson="errors", prompt="flip", attempt="many"), "attempt"),
    ],
    ids=lambda part: str(part)[:60],
)
def test_a_bad_link_gets_a_sentence(link, about):
    app = healthy(open_page(PAGE, **link))
    (note,) = notes(app)
    assert about in note.replace("\\", "") and "](" not in note
    if link["lesson"] == "errors":
        assert not form(app)["locked"] and "given" not in app.query_params


# ------------------------------------------------------------------------------------------ the kinds


ALL = [(lesson.id, prompt.id) for lesson in built_in_lessons().values() for prompt in lesson.prompts]


@pytest.mark.parametrize("question", mostly_slow(ALL, [pair for pair in ALL if pair[0] == "errors"]), ids=str)
def test_every_question_takes_its_true_answer(question):
    lesson, key = question
    prompt = built_in_lessons()[lesson].prompt(key)
    app = opened(key, lesson)
    if prompt.kind == "step" and not prompt.options:
        assert form(app)["kind"] == "points"
        app = act(app, "commit", true_answer(prompt))
        assert form(app)["feedback"]["right"]
        return
    walks = prompt.chart_place == "alone" or lesson == "features"  # films and charts, which nothing is drawn into
    assert form(app)["kind"] == prompt.answer_kind
    assert walks or (asked(app)["kind"] in DRAWN) == (prompt.kind in DRAWN)
    told = walks or prompt.change or prompt.shows == "disputed"
    if not told and prompt.kind in ("choose", "number", "points", "order"):
        names = names_of(app, "asked")
        assert names <= {"points +1", "points -1", "outliers", "switched off"} or "asked-film" in pictures(app)
    app = act(app, "commit", true_answer(prompt))
    assert form(app)["feedback"]["right"] and (walks or asked(app)["locked"]) and rows(app)["Why"]


def test_a_number_is_marked_on_its_scale():
    prompt = LESSON.prompt("pull")
    app = opened(prompt.id)
    scale = form(app)["scale"]
    assert [scale["low"], scale["high"]] == [prompt.scale.low, prompt.scale.high] and "marks" not in scale
    marks = form(act(app, "commit", 3.0))["scale"]["marks"]
    assert marks == {"said": 3.0, "is": pytest.approx(1.0)}
    scale = form(opened("limited", "evidence"))["scale"]
    assert (scale["unit"], scale["factor"], scale["high"]) == ("%", 100, 0.5), "a share is asked in per cent"


def test_a_line_is_drawn_without_the_answer_and_then_beside_it():
    app = opened("draw")
    assert list(pictures(app)) == ["asked"]
    assert {"boundary", "field", "ghost"} & names_of(app, "asked") == {"ghost"}
    app = act(app, "commit", [0.0, 3.0, 6.0, 3.0])
    assert asked(app)["given"] == [0.0, 3.0, 6.0, 3.0] and "°" in rows(app)["It is"] and "%" in rows(app)["It is"]
    assert "boundary" in names_of(app, "asked")


def test_points_are_right_missed_or_too_many():
    prompt = LESSON.prompt("who")
    app = opened(prompt.id)
    assert asked(app)["most"] == 2 and asked(app)["points"] is None
    assert "outliers" not in names_of(app, "asked"), "rings tell which points are asked for"
    first, second = true_answer(prompt)
    other = next(k for k in range(40) if k not in (first, second))
    app = act(app, "commit", sorted([first, other]))
    assert asked(app)["points"] == {"right": [first], "missed": [second], "extra": [other]}
    assert "ring" in form(app)["hint"] and "outliers" in names_of(app, "asked")


def test_a_point_is_put_where_it_harms():
    app = opened("place", "outliers")
    x, y = asked(app)["start"]
    assert asked(app)["kind"] == "place" and asked(app)["label"] == 1.0 and not asked(app).get("places")
    before = pictures(app)["asked"]["data"]
    stays = act(app, "commit", [x, y])
    assert not form(stays)["feedback"]["right"] and "0\u202f%" in rows(stays)["You said"]
    worst = asked(stays)["places"][0]["at"]
    app = act(opened("place", "outliers"), "commit", worst)
    assert form(app)["feedback"]["right"] and asked(app)["places"][0]["at"] == worst
    now = [place for trace in pictures(app)["asked"]["data"][-3:] for place in zip(trace["x"], trace["y"], strict=True)]
    assert pytest.approx(worst, abs=0.05) in [list(place) for place in now], "the point stands where it was put"
    assert before != pictures(app)["asked"]["data"]


def sentences(app):
    """(whether there is a place for the sentences of a film, whether the moments have some)."""
    (has,) = {bool(tick["words"]) for tick in sent(app, "transport")[0]["ticks"]}
    return any("film_words" in element.proto.id for element in app.get("bidi_component")), has


@pytest.mark.parametrize("prompt, given", [("pair", [0, 1]), ("rise", 1)])
def test_the_next_moment_of_a_film_stays_hidden_until_the_answer(prompt, given):
    app = opened(prompt, "solvers")
    labels, start = film(app)
    at = built_in_lessons()["solvers"].prompt(prompt).at
    assert start == len(labels) - 1 == at and labels[-1].startswith(f"pair update {at} of ")
    if prompt == "pair":
        assert asked(app)["kind"] == "points" and asked(app)["most"] == 2
    assert sentences(app) == (False, False)
    app = act(app, "commit", given)
    assert sentences(app) == (True, True)
    later, start = film(app)
    assert later[: len(labels)] == labels and len(later) > len(labels) and start == len(labels)
    assert not form(app)["feedback"]["right"] and rows(app)["Perhaps"].startswith("You may have ")


def test_a_walk_shows_its_first_round_and_then_all_and_a_question_about_all_features_has_charts_of_them():
    app = opened("corner", "features")
    assert film(app) == (["Round 1"], 0) and list(pictures(app)) == ["asked-film"]
    before = names_of(app, "asked-film")
    labels, start = film(act(app, "commit", 0))
    assert {"now", "1-norm"} <= before and names_of(app, "asked-film") - before == {"1-norm SVM"}
    assert len(labels) == 15 and start == 14, "at the end of the walk, which the answer is about"
    app = act(opened("largest", "features"), "commit", 3.0)
    assert list(pictures(app)) == ["asked"] and {trace["type"] for trace in pictures(app)["asked"]["data"]} == {"bar"}
    assert form(app)["scale"]["unit"] == "features"


def test_several_machines_are_shown_before_and_after_the_change():
    app = opened("transfer")
    entries = form(app)["entries"]
    assert [key for key, _ in entries] == LESSON.prompt("transfer").state["losses"].split(",")
    assert entries[0][1] == "LS-SVM" and not [name for name in names_of(app, "asked") if "before" in name]
    app = act(app, "commit", [loss for loss, _ in entries])
    lines = {trace["name"]: trace for trace in pictures(app)["asked"]["data"] if trace["type"] == "contour"}
    machines = [name for name in lines if "before" not in name]
    before = {name.removesuffix(" before the change"): lines[name] for name in lines if "before" in name}
    assert len(machines) == len(before) == 3
    assert [trace["showlegend"] for trace in before.values()].count(True) == 1
    assert not np.array_equal(lines["LS-SVM"]["z"], [*before.values()][machines.index("LS-SVM")]["z"])


# ------------------------------------------------------------------------------------------ time


@pytest.fixture
def slow_solvers(monkeypatch):
    """An event: until it is set, no answer is ready, and the page waits for none. `calls` are those answers of
    “flip” that have begun, `begun` an event, too.
    """
    for thread in threading.enumerate():
        if thread.name == "job":  # of an earlier test: it may not have begun to compute
            thread.join(180)
    ready, computed = threading.Event(), answers.answer
    ready.calls, ready.begun = 0, threading.Event()

    def waits(*arguments):
        if arguments[0].id == "flip":
            ready.calls += 1
            ready.begun.set()
        ready.wait()
        return computed(*arguments)

    prepared_answers._lesson_answers.clear()
    monkeypatch.setattr(answers, "answer", waits)
    monkeypatch.setattr(prepared_answers, "PATIENCE", 0.0)
    yield ready
    ready.set()


def test_an_answer_that_is_not_ready_is_told_and_not_judged(slow_solvers, monkeypatch):
    app = act(opened("flip"), "commit", 0)
    assert not form(app)["locked"] and form(app)["feedback"] is False and "progress" not in app.query_params
    assert form(app)["note"].startswith("The answer could not be computed in time") and form(app)["given"] == 0
    assert "ghost" not in names_of(app, "asked")
    slow_solvers.set()
    monkeypatch.setattr(prepared_answers, "PATIENCE", 60.0)
    app = act(app, "commit", 2)
    assert form(app)["feedback"]["right"] and form(app)["note"] == ""
    assert app.query_params["progress"] == "errors.-r------"


def test_the_answer_is_computed_while_the_reader_thinks(slow_solvers):
    app = opened("flip")
    assert slow_solvers.begun.wait(180)
    slow_solvers.set()
    prepared_answers.lesson_answer(LESSON.prompt("flip"), 0, {}).wait(180)
    app = act(app, "commit", 2)  # the page itself waits for nothing
    assert form(app)["feedback"]["right"] and slow_solvers.calls == 1


# ------------------------------------------------------------------------------------------ memory


def test_what_the_browser_remembers_is_added_once():
    app = opened("own_side", progress="errors.-r------")
    assert remembered(app) == {"memory": "lessons", "text": "errors.-r------", "known": False}
    app.session_state["lessons_memory"] = {"memory": {"text": "errors.nn------~support.r"}}
    app = healthy(app.run())
    assert remembered(app)["text"] == "errors.nr------~support.r" and remembered(app)["known"]
    app = act(app, "commit", 2)
    assert remembered(app)["text"] == "errors.nr------~support.r", "the first answer counts"


@pytest.mark.parametrize("memory", [3, [], {"text": None}, {"text": 7}, {"words": "errors.n"}, {"text": "\ud800"}])
def test_what_no_browser_has_remembered_is_ignored(memory):
    app = opened("own_side", progress="errors.-r------")
    app.session_state["lessons_memory"] = {"memory": memory}
    assert remembered(healthy(app.run())) == {"memory": "lessons", "text": "errors.-r------", "known": False}


# ------------------------------------------------------------------------------------------ controls


def with_controls(*names, **link):
    """The question on the flipped labels, with these controls under the reader's hand."""
    prompts = tuple(prompt._replace(controls=names) for prompt in LESSON.prompts)
    brought = {"own_lessons": {"own": LESSON._replace(id="own", prompts=prompts)}}
    return healthy(open_page(PAGE, brought, lesson="own", prompt="flip", **link))


def test_a_changed_setting_is_answered_anew():
    app = with_controls("C")
    assert strip(app) == [], "a control would show the answer"
    app = act(app, "commit", 2)
    assert [item["name"] for item in strip(app)] == ["C"] and control(app, "C")["value"] == 1.0
    assert form(app)["note"] == "" and form(app)["feedback"]["right"]
    app = healthy(choose(app, C=1e-4))
    assert "C = 0.0001" in form(app)["note"] and form(app)["locked"]
    assert app.query_params["C"] == "0.0001"
    app = act(act(app, "again"), "commit", 2)
    assert control(app, "C")["value"] == 1.0 and "C" not in app.query_params, "as the lesson has it"


def test_the_picture_follows_a_held_control_and_stays_when_it_is_left():
    app = act(with_controls("C"), "commit", 2)
    scene = next(spec["live"]["scene"] for spec in sent(app, "live") if spec["live"])
    before = pictures(app)["asked"]["data"]

    def held(**changes):
        return unpacked(channel._scenes[scene].answer({"moving": True, "changes": changes}))

    live = held(C=1e-4)["planes"]["asked"]["data"]
    assert json.dumps(live, default=list) != json.dumps(before, default=list)
    app = healthy(choose(app, C=1e-4))
    for one, other in zip(live, pictures(app)["asked"]["data"], strict=True):
        assert one["name"] == other["name"]
        for part in {"x", "y", "z"} & one.keys():
            np.testing.assert_array_equal(one[part], other[part])
    assert "'sigma'" in held(sigma=1.0)["refused"] and "C" in held(C=1e9)["refused"]


def test_a_question_may_offer_other_machines():
    app = with_controls("loss", "kernel", "losses", "edits", "n", given="2")
    assert [item["name"] for item in strip(app)] == ["loss", "kernel", "n"]
    assert control(app, "loss")["value"] == "least_squares"
    app = healthy(choose(app, loss="least_absolute"))
    assert "loss = least_absolute" in form(app)["note"] and form(app)["right"] == 0
    assert not form(app)["feedback"]["right"] and "does not hold" in rows(app)["Why"]


@pytest.mark.parametrize(
    "lesson, prompt",
    [("support", "far"), ("price", "stray"), ("features", "transfer"), ("solvers", "two"), ("solvers", "system")],
)
def test_the_page_that_a_question_opens_leaves_its_link_as_it_is(lesson, prompt):
    """So that one step back leads to the question."""
    shown = answers.case(built_in_lessons()[lesson].prompt(prompt)).after
    app, whole = (healthy(open_page(shown.page, **query)) for query in (shown.link, shown.query))
    assert app.query_params == shown.link
    assert all(whole.query_params.get(name) == text for name, text in shown.link.items())
