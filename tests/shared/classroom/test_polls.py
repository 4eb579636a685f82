"""Vote, discuss, vote, reveal: the bars, the second vote, the clock, reasons, and what the wall has."""

import time

import pytest
from calls import refused

from pages.shared.classroom import polls, rooms
from pages.shared.classroom.rooms import RoomError

pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture
def room(asked):
    """(code, key) of a room in which a choice is asked."""
    return asked()[:2]


def asked(code):
    return rooms.look(code).question


def test_the_bars_end_a_vote_without_its_answer_and_the_second_vote_keeps_the_first(room):
    code, key = room
    polls.vote(code, "one", asked(code).id, 1, 0)
    polls.show_bars(code, key)
    question = asked(code)
    assert question.bars and not question.revealed and not question.is_open
    assert "has ended" in refused(RoomError, polls.vote, code, "two", question.id, 1, 0)
    polls.show_bars(code, key, False)
    polls.vote(code, "two", question.id, 1, 0)
    polls.show_bars(code, key)
    polls.again(code, key)
    assert asked(code).is_open and asked(code).round == 2 and rooms.look(code).votes == (2, 0)
    polls.vote(code, "two", question.id, 2, 1)
    polls.show_bars(code, key)
    polls.reveal(code, key)
    assert polls.results(asked(code)) == [[0, 0], [1]] and not asked(code).bars
    question = asked(code)
    for action in (polls.show_bars, polls.again):
        refused(RoomError, action, code, key)
    for action in (polls.show_bars, polls.again, polls.reveal, polls.close_question):
        assert refused(RoomError, action, code, "guess") == rooms.WRONG_KEY
    assert asked(code) == question


def test_a_question_can_be_closed_and_its_votes_are_kept(room):
    code, key = room
    question = asked(code)
    polls.vote(code, "one", question.id, 1, 1)
    assert rooms.look(code).wall and rooms.look(code).is_voting
    polls.close_question(code, key)
    closed = rooms.look(code)
    assert (closed.question, closed.wall, closed.is_voting) == (None, False, False)
    assert "has ended" in refused(RoomError, polls.vote, code, "two", question.id, 1, 1)
    assert [given for _, _, given in polls.all_votes(code, key)] == [[1]]


def test_a_clock_runs_until_something_happens(room, monkeypatch):
    code, key = room
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    polls.set_timer(code, key, 30)
    assert asked(code).until == 1030 and asked(code).is_open
    polls.again(code, key)
    assert asked(code).until is None
    polls.set_timer(code, key, 60)
    polls.set_timer(code, key, None)
    assert asked(code).until is None
    polls.reveal(code, key)
    refused(RoomError, polls.set_timer, code, key, 30)


def test_a_reason_belongs_to_a_vote_and_is_shown_when_the_lecturer_chooses(room):
    code, key = room
    question = asked(code)
    assert "Vote first" in refused(RoomError, polls.give_reason, code, "one", question.id, 1, "because")
    for browser, value in (("one", 0), ("two", 1)):
        polls.vote(code, browser, question.id, 1, value)
    unruly = "\u202e because \n of" + "\u0300" * 99 + "\u2067 it "  # would turn round the vote beside it
    polls.give_reason(code, "one", question.id, 1, unruly)
    assert polls.find_reason("one", question) == "because of\u0300\u0300 it"
    polls.give_reason(code, "one", question.id, 1, "  because \n of it ")
    polls.give_reason(code, "two", question.id, 1, "no")
    polls.give_reason(code, "two", question.id, 1, "yes")  # in the place of the first
    assert polls.find_reason("two", question) == "yes" and polls.find_reason("three", question) == ""
    assert polls.reasons(question) == []
    found = polls.reasons(question, shown=False)
    assert [(one.text, one.value) for one in found] == [("yes", 1), ("because of it", 0)]
    assert refused(RoomError, polls.show_reason, code, "guess", found[1].number, True) == rooms.WRONG_KEY
    polls.show_reason(*rooms.open_room(), found[1].number, True)
    assert polls.reasons(question) == [], "the key is that of another room"
    before = rooms.look(code)
    polls.show_reason(code, key, found[1].number, True)
    assert [one.text for one in polls.reasons(question)] == [found[1].text] and rooms.look(code) != before
    polls.show_reason(code, key, found[1].number, False)
    assert polls.reasons(question) == []
    polls.show_reason(code, key, found[1].number, True)
    polls.give_reason(code, "one", question.id, 1, "rude")
    assert polls.reasons(question) == [], "these words were not chosen"
    polls.give_reason(code, "one", question.id, 1, " ")
    assert [one.text for one in polls.reasons(question, shown=False)] == ["yes"]
    assert "at most 140" in refused(ValueError, polls.give_reason, code, "one", question.id, 1, "x" * 141)
    polls.reveal(code, key)
    assert "has ended" in refused(RoomError, polls.give_reason, code, "one", question.id, 1, "late")


def test_the_plan_of_a_room_goes_on_with_each_question_that_is_asked():
    code, key = rooms.open_room()
    plan = [("errors", "flip"), ("errors", "draw"), ("support", "click")]
    rooms.set_plan(code, key, plan)
    assert rooms.look(code).plan == tuple(plan) and rooms.look(code).step == 0

    def ask(lesson, prompt):
        polls.ask(code, key, "line", "Which?", {"asked": {"lesson": lesson, "prompt": prompt, "draw": 0}})
        return rooms.look(code).step, rooms.look(code).last

    assert ask("errors", "draw") == (2, ("errors", "draw"))
    assert ask("width", "islands") == (2, ("width", "islands"))  # not in the plan
    assert ask("support", "click")[0] == 3
    polls.ask(code, key, "number", "How many?", {})
    assert rooms.look(code).last == ("support", "click") and rooms.look(code).step == 3
    rooms.set_plan(code, key, plan[:1])
    assert rooms.look(code).step == 0
