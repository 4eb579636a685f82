"""How long a room lives and how much it may hold: the clock of the store, limits, lecturers, where its browsers are."""

import os
import re
import time

import pytest
from calls import refused

from deploy import __main__ as deploy
from pages.shared.classroom import polls, rooms
from pages.shared.classroom.rooms import RoomError
from pages.shared.classroom.screens import following
from pages.shared.classroom.watched import RoomWatch
from pages.shared.server import health, store
from pages.shared.server.limits import Limit


@pytest.fixture(autouse=True)
def nobody(monkeypatch, own_store):
    """Visitors have done nothing yet."""
    for name in ("OPENED", "WRONG"):
        monkeypatch.setattr(rooms, name, Limit(*getattr(rooms, name).most))


@pytest.fixture
def pass_time(monkeypatch):
    """pass_time(seconds): the clock of the machine goes on by so many; the server runs meanwhile, or not."""
    passed, begin, step = [0.0], time.time(), store.STEP
    monkeypatch.setattr(time, "time", lambda: begin + passed[0])

    def wait(seconds, running=True):
        passed[0] += seconds
        monkeypatch.setattr(store, "STEP", float("inf") if running else step)
        rooms.keep_time()
        monkeypatch.setattr(store, "STEP", step)

    return wait


# -------------------------------------------------------------------------------------------- time


@pytest.mark.parametrize("jump", [25 * 3600.0, 400 * 86400.0, -30 * 3600.0])
def test_a_clock_that_jumps_deletes_nothing(asked, pass_time, jump):
    code, _, question = asked()
    polls.vote(code, "me", question.id, 1, 0)
    pass_time(jump, running=False)
    rooms.open_room()
    assert rooms.look(code).votes == (1,)
    pass_time(rooms.DAY - 600)
    assert rooms.look(code).votes == (1,)
    pass_time(1200)
    assert code in refused(RoomError, rooms.look, code)


def test_a_room_in_which_nothing_happens_ends_after_an_hour(asked, pass_time):
    (empty, _), (voting, _, _), (joined, _) = rooms.open_room(), asked(), rooms.open_room()
    rooms.note({(joined, "one"): (0.0, "", False)})
    pass_time(rooms.HOUR - 100)
    assert [rooms.look(code).code for code in (empty, voting, joined)] == [empty, voting, joined]
    pass_time(200)
    assert rooms.look(voting) and rooms.look(joined)
    refused(RoomError, rooms.look, empty)


def test_the_watch_moves_the_clock_once_a_minute_and_makes_no_store(own_store, monkeypatch):
    watched = RoomWatch()
    monkeypatch.setattr("pages.shared.classroom.watched.TICK", 0.0)
    watched.keep_time()
    assert not own_store.exists() and {following.watched.flush, following.watched.keep_time} <= {*health._tasks}
    rooms.open_room()
    with store.transaction(write=True) as connection:
        connection.execute("update clock set counted = 5, wall = wall - 10")
    watched.keep_time()
    with store.transaction() as connection:
        assert store.now(connection) == pytest.approx(15, abs=5)
    monkeypatch.setattr("pages.shared.classroom.watched.TICK", 1e9)
    monkeypatch.setattr(rooms, "keep_time", lambda: pytest.fail("too soon"))
    watched.keep_time()


def test_a_store_that_was_put_aside_is_named_to_those_whose_room_is_gone(own_store):
    code, _ = rooms.open_room()
    for end in ("-wal", "-shm"):
        own_store.with_name(own_store.name + end).unlink(missing_ok=True)
    own_store.write_bytes(b"this is no database" * 100)
    said = refused(RoomError, rooms.look, code)
    assert re.search(rf"found damaged at \d\d:\d\d.*data folder as {own_store.name}.damaged-\d+", said)
    assert str(own_store.parent) not in said
    (aside,) = own_store.parent.glob("*.damaged-*")
    aside.rename(aside.with_name(f"{own_store.name}.damaged-{int(time.time() - 2 * rooms.DAY)}"))
    assert "damaged" not in refused(RoomError, rooms.look, code)


# ------------------------------------------------------------------------------------------ limits


def test_a_browser_and_an_address_open_a_few_rooms_a_minute(monkeypatch):
    now = time.monotonic()
    browser, address = rooms.OPENED.most
    for _ in range(browser):
        rooms.open_room("one", "10.0.0.1")
    assert "wait a minute" in refused(RoomError, rooms.open_room, "one", "10.0.0.1")
    for k in range(address - browser):
        rooms.open_room(f"new {k}", "10.0.0.1")  # a browser that throws its cookie away
    assert "wait a minute" in refused(RoomError, rooms.open_room, "newest", "10.0.0.1")
    assert rooms.open_room("lecturer", "10.0.0.2")
    monkeypatch.setattr(time, "monotonic", lambda: now + 61)
    assert rooms.open_room("one", "10.0.0.1")


def test_rooms_without_anybody_make_way_where_there_are_too_many(monkeypatch):
    monkeypatch.setattr(rooms, "MOST_ROOMS", 3)
    (used, key), (oldest, _), (younger, _) = (rooms.open_room() for _ in range(3))
    polls.ask(used, key, "number", "How many?", {})
    new, _ = rooms.open_room()
    assert {one.code for one in rooms.list_rooms()} == {used, younger, new}
    for code in (younger, new):
        rooms.note({(code, "one"): (0.0, "", False)})
    assert "3 rooms" in refused(RoomError, rooms.open_room)


def test_guessing_codes_is_refused_after_ten_wrong_ones_a_minute(monkeypatch):
    now = time.monotonic()
    limit = rooms.WRONG
    browser, address = limit.most
    assert browser == 10
    for k in range(browser):
        assert not limit.is_reached("one", "10.0.0.1")
        for _ in range(5):
            limit.note(f"CODE{k}", "one", "10.0.0.1")  # a page that asks again for the same one has guessed once
    assert limit.is_reached("one", "10.0.0.1") and not limit.is_reached("another", "10.0.0.1")
    for k in range(address):
        limit.note(f"CODE{k}", f"new {k}", "10.0.0.1")
    assert limit.is_reached("newest", "10.0.0.1") and not limit.is_reached("another", "")
    monkeypatch.setattr(time, "monotonic", lambda: now + 61)
    assert not limit.is_reached("one", "10.0.0.1")


def test_a_limit_remembers_a_bounded_number_of_things(monkeypatch):
    monkeypatch.setattr("pages.shared.server.limits.REMEMBERED", 3)
    limit = Limit(1)
    for k in range(10):
        limit.note("what", str(k))
    assert [k for k in range(10) if limit.is_reached(str(k))] == [7, 8, 9]


def test_a_room_holds_a_bounded_number_of_bytes(monkeypatch):
    monkeypatch.setattr(rooms, "MOST_BYTES", 3000)
    code, key = rooms.open_room()
    prompt = {"asked": {"lesson": "mine"}}
    for _ in range(2):
        polls.ask(code, key, "line", "Which?", prompt, "x" * 1000)  # the same text is stored once
    assert "MB" in refused(RoomError, polls.ask, code, key, "line", "Which?", prompt, "y" * 2000)
    question = rooms.look(code).question
    assert question.lesson_prompt["own"] and rooms.list_rooms()[0].questions == 2
    sizes = []
    for _ in range(3):
        polls.vote(code, "me", question.id, 1, [0, 0, 1, 1])  # in the place of the last one
        sizes.append(rooms.list_rooms()[0].bytes)
    assert len(set(sizes)) == 1 and 1000 < sizes[0] < 3000
    monkeypatch.setattr(rooms, "MOST_BYTES", sizes[0] + 100)
    with pytest.raises(RoomError, match="MB"):
        for browser in range(20):
            polls.vote(code, f"b{browser}", question.id, 1, [0, 0, 1, 1])


def test_a_vote_takes_a_bounded_number_of_votes(asked, monkeypatch):
    monkeypatch.setattr(rooms, "MOST_MEMBERS", 3)
    code, _, question = asked()
    for browser in ("one", "two", "three", "one"):
        polls.vote(code, browser, question.id, 1, 0)
    assert "at most 3" in refused(RoomError, polls.vote, code, "four", question.id, 1, 0)


# ------------------------------------------------------------------- the lecturer, and where the class is


def test_a_browser_stays_the_lecturer_and_the_key_makes_others_up_to_a_number(monkeypatch):
    monkeypatch.setattr(rooms, "MOST_LECTURERS", 2)
    code, key = rooms.open_room("mine")
    assert rooms.keys_of("mine") == {code: key} and rooms.keys_of("another") == {}
    rooms.note({(code, "another"): (0.0, "", False)})
    assert refused(RoomError, rooms.make_lecturer, code, "guess", "another") == rooms.WRONG_KEY
    rooms.make_lecturer(code, key, "another")
    assert rooms.keys_of("another") == {code: key} and rooms.look(code).members == 0
    rooms.make_lecturer(code, key, "third")
    assert rooms.keys_of("third") == {}
    rooms.close(code, key)
    assert rooms.keys_of("mine") == {}


def test_where_the_browsers_are_and_how_many_are_done(asked):
    code, key, question = asked()
    for name, done in {"a": True, "b": True, "e": False}.items():
        rooms.note({(code, name): (0.0, "lessons/errors/flip", done)})
    rooms.note({(code, browser): (0.0, rooms.BALLOT, False) for browser in ("c", "d")})
    rooms.note({(code, "gone"): (rooms.HERE + 1, "losses", False)})
    polls.vote(code, "c", question.id, 1, 0)
    assert rooms.places(code, key) == [("lessons/errors/flip", 3, 2), (rooms.BALLOT, 2, 1)]
    polls.again(code, key)
    assert rooms.places(code, key)[1] == (rooms.BALLOT, 2, 0)
    assert refused(RoomError, rooms.places, code, "guess") == rooms.WRONG_KEY


def test_the_operator_lists_and_deletes_rooms(capsys):
    (code, key), (other, _) = rooms.open_room(), rooms.open_room()
    polls.ask(code, key, "number", "How many?", {})
    assert deploy.main(["store", "rooms"]) == 0
    said = capsys.readouterr().out
    assert all(part in said for part in (code, other, "1 questions", os.environ["SVM_LAB_STORE"])) and key not in said
    assert deploy.main(["store", "rooms", "nonsense"]) == 2 and rooms.CODES in capsys.readouterr().err
    assert deploy.main(["store", "rooms", code.lower()]) == 0 and [one.code for one in rooms.list_rooms()] == [other]
    rooms.open_room()
    assert deploy.main(["store", "rooms", "all"]) == 0 and "2 deleted" in capsys.readouterr().out
    assert rooms.list_rooms() == []
