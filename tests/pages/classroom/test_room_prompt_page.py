"""A room votes on a prompt of a lesson, without a browser: every kind is asked, answered, revealed, asked again."""

import threading
from html import escape

import pytest
from questions import act, form, true_answer
from screen import healthy, html, led, open_page, press, said, sent, session
from waiting import mostly_slow

from pages.shared.classroom import ballot, polls, rooms
from pages.shared.classroom.screens import asking, prompt_votes
from pages.shared.lessons import answers, own
from pages.shared.lessons.lesson import short
from pages.shared.lessons.reading import FOLDER, built_in_lessons
from pages.shared.lessons.screens import prepared_answers, question_form
from pages.shared.server import sessions

pytestmark = pytest.mark.usefixtures("warm")
ROOM, LOSSES = "pages/room.py", "pages/losses.py"
PROMPTS = {
    "line": ("errors", "draw"),
    "points": ("errors", "who"),
    "film": ("solvers", "pair"),
    "place": ("outliers", "place"),
    "number": ("support", "all"),
    "powers": ("support", "ceiling"),
    "order": ("outliers", "order"),
    "choose": ("errors", "flip"),
}


@pytest.fixture(autouse=True)
def patient(monkeypatch, own_store):
    for part in (asking, prompt_votes):
        monkeypatch.setattr(part, "PATIENCE", 120.0)


def ask(name="line", text=""):
    """(code, key, prompt) of a room that is asked a prompt."""
    lesson, prompt = PROMPTS[name]
    lesson = built_in_lessons()[lesson]
    prompt = lesson.prompt(prompt)
    code, key = rooms.open_room()
    polls.ask(code, key, *ballot.question(lesson, prompt, 0, answers.case(prompt)), text)
    return code, key, prompt


def drawn(app):
    """{name of the plane: its names of traces} of the outcome."""
    planes = sent(app, "figure")
    return {spec["name"]: [trace["name"] for trace in spec["figure"]["data"]] for spec in planes}


def tells(app, known=()):
    """True if the outcome has a part of the answer that is not `known`: a boundary, a ring, a mark or a sentence."""
    shown = {name for key, names in drawn(app).items() if key.startswith("room") for name in names}
    words = ("data-right", "✓", "Why</th>", " right.")
    return bool((shown - set(known)) & {"boundary", "true", "it is"}) or any(word in html(app) for word in words)


def test_the_cockpit_shows_a_prompt_to_the_class():
    code, key = rooms.open_room()
    app = healthy(open_page(ROOM, join=code, cockpit=key))
    app.selectbox(key="ask_lesson").set_value("errors").run()
    app.selectbox(key="ask_prompt_errors").set_value("draw").run()
    assert asking.ANSWERED["line"] in said(app)
    app = healthy(press(app, "ask_prompt"))
    room = rooms.look(code)
    assert room.screen == ("room", {}) and room.question.kind == "line"
    assert room.question.lesson_prompt["prompt"] == "draw"
    assert drawn(app)["asked"] and not sent(app, "question")  # the lecturer does not vote
    assert polls.find_vote("anyone", room.question) is None


def test_a_phone_that_follows_comes_to_the_vote_and_another_gets_a_link():
    code, _, prompt = ask()
    app = led(healthy(open_page(LOSSES, join=code)))
    assert session(healthy(app)).run.title == "Room" and form(app)["commit"] == "Vote"
    app = open_page(LOSSES, {"room_joined": {"follows": False}}, join=code)
    assert session(app).run.title == "Losses" and short(prompt.question, 60).rstrip(" …") in said(app)
    assert [link.proto.label for link in app.get("page_link") if link.proto.label == "Answer it"]


@pytest.mark.parametrize("name", mostly_slow(PROMPTS, ["line", "choose"]))
def test_a_prompt_is_voted_on_changed_revealed_and_voted_on_again(name):
    code, key, prompt = ask(name)
    question, right = rooms.look(code).question, true_answer(prompt, answers.answer(prompt))
    app = healthy(open_page(ROOM, join=code))
    assert form(app)["commit"] == "Vote" and not form(app)["locked"]
    known = drawn(app).get("asked", ())
    app = act(app, "commit", {"line": [0, 0, 1, 1], "choose": 0}.get(question.kind, right))
    assert f"“{form(app)['commit']}”" in prompt_votes.COUNTED in said(app)
    app = act(app, "commit", right)
    (values,) = polls.results(question)
    assert len(values) == 1 and rooms.look(code).votes == (1,)
    polls.vote(code, "another", question.id, 1, values[0])
    polls.show_bars(code, key)
    app = healthy(app.run())
    wall = healthy(open_page(ROOM, join=code, projected="1"))
    for page in (app, wall):
        assert not sent(page, "question") and not tells(page, known)
        picture, bars = "room-votes-1" in drawn(page), "<meter" in html(page) or "room-numbers" in drawn(page)
        assert picture if question.kind in prompt_votes.PICTURES else bars
    polls.again(code, key)
    app = healthy(app.run())
    assert form(app)["given"] is None and not tells(app, known)  # a vote of its own
    app = act(app, "commit", right)
    polls.reveal(code, key)
    app = healthy(app.run())
    all_right = "2 of 2 lines" if question.kind == "line" else "2 of 2 votes"
    assert all_right in html(app) and "You said" in html(app) and "It is" in html(app)
    assert (question_form.RINGS in html(app)) == (question.kind == "points")
    wall = healthy(wall.run())
    assert "You said" not in html(wall) and tells(wall, known)
    # of options the bars have the counts, and beside two votes there is no room for what readers may have thought
    assert (all_right in html(wall)) == (question.kind != "choose") and "Perhaps" not in html(wall)
    assert rooms.look(code).votes == (2, 1) and "1 of 1 " in html(app)
    if question.kind in prompt_votes.PICTURES:
        assert {"room-votes-1", "room-votes-2"} <= set(drawn(app))


def test_after_the_reveal_of_a_number_the_picture_is_that_of_the_answer():
    code, key, _ = ask("number")
    app = healthy(open_page(ROOM, join=code))
    assert "boundary" not in drawn(app)["asked"]
    polls.reveal(code, key)
    assert "boundary" in drawn(healthy(app.run()))["asked"]


def test_a_browser_that_comes_back_finds_its_vote_and_one_that_is_no_answer_is_a_sentence():
    code, _, _ = ask()
    state = {sessions.STAND_IN: "mine"}
    act(open_page(ROOM, state, join=code), "commit", [0, 0, 1, 1])
    again = healthy(open_page(ROOM, state, join=code))
    assert form(again)["given"] == [0, 0, 1, 1] and prompt_votes.COUNTED in said(again)
    app = act(open_page(ROOM, join=code), "commit", [0, 0, 1e9, 1])
    assert "A line needs two different points" in said(app) and rooms.look(code).votes == (1,)


def test_while_the_answer_is_computed_a_sentence_says_so(monkeypatch):
    ready, answer = threading.Event(), answers.answer

    def slow(*arguments):
        ready.wait(60)
        return answer(*arguments)

    code, key, _ = ask()
    prepared_answers._lesson_answers.clear()
    monkeypatch.setattr(answers, "answer", slow)
    monkeypatch.setattr(prompt_votes, "PATIENCE", 0.0)
    polls.reveal(code, key)
    app = healthy(open_page(ROOM, join=code))
    assert prompt_votes.COMPUTING in said(app) and not drawn(app)
    ready.set()
    monkeypatch.setattr(prompt_votes, "PATIENCE", 60.0)
    assert "No votes" in html(healthy(app.run())) and drawn(app)["room-votes-1"]


def test_all_lines_of_the_room_lie_over_the_true_boundary_and_ones_own_above():
    code, key, prompt = ask()
    question = rooms.look(code).question
    app = act(open_page(ROOM, join=code), "commit", [0, 0, 1, 1])
    for k in range(5):
        polls.vote(code, f"b{k}", question.id, 1, [0, 0, 1, k])
    polls.reveal(code, key)
    app = healthy(app.run())
    names = drawn(app)["room-votes-1"]
    assert [name for name in names if name.startswith("line")] == [f"line {k}" for k in range(1, 7)]
    assert names.index("boundary") > names.index("line 6")
    (ask_,) = [spec["ask"] for spec in sent(app, "name") if spec["name"] == "room-votes-1"]
    assert ask_["given"] == [0, 0, 1, 1] and ask_["locked"]
    wall = open_page(ROOM, join=code, projected="1")
    assert [spec["ask"] for spec in sent(wall, "name") if spec["name"] == "room-votes-1"] == [None]
    (found,) = ballot.outcome(prompt, answers.answer(prompt), polls.results(question))
    assert found.startswith("0 of 6 lines") and found in html(wall)


def test_the_lecturer_alone_sees_the_votes_before_the_reveal():
    code, key, _ = ask("choose")
    polls.vote(code, "b", rooms.look(code).question.id, 1, 0)
    peek = {"room_behind": "The distribution, for you alone"}
    app = healthy(open_page(ROOM, peek, join=code, cockpit=key))
    assert "1 (100\u202f%)" in html(app) and "✓ it is" in html(app)
    for link in ({}, {"projected": "1"}):
        other = healthy(open_page(ROOM, peek, join=code, **link))
        assert "1 (100\u202f%)" not in html(other) and "✓ it is" not in html(other)


def test_an_own_lesson_is_asked_and_its_text_is_shown_as_text():
    text = (FOLDER / "errors.toml").read_text(encoding="utf-8").replace('id = "errors"', 'id = "mine"', 1)
    bold = "**Bold** & more"
    text = text.replace("By more than 1.5°, but it does not turn over.", bold)
    state = {}
    own.keep(state, text)
    code, key = rooms.open_room()
    app = healthy(open_page(ROOM, state, join=code, cockpit=key))
    app.selectbox(key="ask_lesson").set_value("errors").run()  # which has the same title
    assert app.selectbox(key="ask_prompt_errors")
    app.selectbox(key="ask_lesson").set_value("mine").run()
    app.selectbox(key="ask_prompt_mine").set_value("flip").run()
    healthy(press(app, "ask_prompt"))
    question = rooms.look(code).question
    assert question.lesson_prompt["own"] and polls.lesson_text(code, question.lesson_prompt["own"]) == text
    student = healthy(open_page(ROOM, join=code))
    assert any(bold in option for option in form(student)["options"])
    act(student, "commit", 0)
    polls.reveal(code, key)
    assert escape(bold) in html(student.run())


def test_a_lesson_that_the_server_does_not_have_is_a_sentence():
    code, key = rooms.open_room()
    polls.ask(code, key, "line", "What?", {"asked": {"lesson": "gone", "prompt": "gone", "draw": 0}})
    assert "does not have the lesson" in said(healthy(open_page(ROOM, join=code)))


def test_an_answer_that_cannot_be_computed_is_a_sentence_and_nothing_is_asked(monkeypatch):
    why = "there is no outlier"

    def fails(*arguments):
        raise ValueError(why)

    prepared_answers._lesson_answers.clear()
    monkeypatch.setattr(answers, "answer", fails)
    code, key = rooms.open_room()
    app = healthy(open_page(ROOM, join=code, cockpit=key))
    app.selectbox(key="ask_lesson").set_value("width").run()
    app = healthy(press(app, "ask_prompt"))
    assert why in said(app) and rooms.look(code).question is None
    prepared_answers._lesson_answers.clear()


def test_the_next_question_is_one_press_away_follows_the_plan_and_says_what_it_is():
    code, key = rooms.open_room()
    app = healthy(open_page(ROOM, join=code, cockpit=key))
    first = next(iter(built_in_lessons().values()))
    for prompt in first.prompts[:2]:
        app = healthy(press(app, "room_next").run())
        assert rooms.look(code).last == (first.id, prompt.id)
    rooms.set_plan(code, key, [("errors", "flip"), ("support", "click"), ("gone", "gone")])
    app = healthy(app.run())
    for step in (("errors", "flip"), ("support", "click")):
        assert built_in_lessons()[step[0]].title in said(app)
        app = healthy(press(app, "room_next").run())
        assert rooms.look(code).last == step
    assert "'gone'" in said(healthy(press(app, "room_next")))
    rooms.set_plan(code, key, [("errors", "flip")])
    app = healthy(press(app.run(), "room_next").run())
    assert not any(one.key == "room_next" for one in app.button)
