"""Rooms, votes and sets of points in one file: for all processes, after a restart, and when the file fails."""

import csv
import io
import itertools
import json
import multiprocessing
import os
import sqlite3
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress

import pytest
from calls import refused
from numpy.testing import assert_array_equal
from people import people

from pages.shared.classroom import polls, rooms, votes
from pages.shared.classroom.rooms import RoomError
from pages.shared.classroom.votes import Question
from pages.shared.classroom.watched import RoomWatch
from pages.shared.server import store
from pages.shared.server.store import StoreError
from pages.shared.studies import point_sets

pytestmark = pytest.mark.usefixtures("own_store")


def same(one, other):
    assert_array_equal(one.X, other.X)
    assert_array_equal(one.y, other.y)
    return one[2:] == other[2:] and one.key == other.key


# -------------------------------------------------------------------------------------------- sets


def test_a_set_can_be_deleted():
    held, points = point_sets.Sets(), people()
    held.put(points, "mine")
    held.delete(points.key, "mine")
    assert held.get(points.key) is None and point_sets.Sets().get(points.key) is None
    for seed in range(3):
        held.put(people(seed=seed))
    assert point_sets.delete() == 3 and point_sets.list_sets() == []


@pytest.mark.parametrize("another", ["another", ""])
def test_only_who_stored_a_set_first_may_delete_it(another):
    held, points = point_sets.Sets(), people()
    held.put(points, "mine")
    held.put(points, another)  # whoever has the link can load the same points
    held.delete(points.key, another)
    assert not point_sets.is_owner(points.key, another) and point_sets.is_owner(points.key, "mine")
    assert same(held.get(points.key), points) and same(point_sets.Sets().get(points.key), points)
    nobody = people(seed=1)
    held.put(nobody)
    assert not point_sets.is_owner(nobody.key, "") and not point_sets.is_owner("no such key", "mine")


def test_many_uploads_push_out_those_of_their_own_browser_first(monkeypatch):
    held = point_sets.Sets()
    held.put(people(seed=0), "class")
    monkeypatch.setattr(point_sets, "MOST", 3.5 * point_sets.list_sets()[0].size)
    for seed in range(1, 9):
        held.put(people(seed=seed), "flood")
    assert [kept.key for kept in point_sets.list_sets()] == [people(seed=seed).key for seed in (8, 7, 0)]
    held.put(people(seed=9), "class")
    held.put(people(seed=10), "another")  # has none of its own: what was used longest ago
    assert [kept.key for kept in point_sets.list_sets()] == [people(seed=seed).key for seed in (10, 9, 8)]


def test_what_is_not_used_for_long_is_deleted_and_what_is_used_is_not(monkeypatch):
    held, now = point_sets.Sets(), time.time()
    monkeypatch.setattr(store, "STEP", float("inf"))
    held.put(people(seed=0))
    held.put(people(seed=1))
    monkeypatch.setattr(time, "time", lambda: now + point_sets.AGE - 10)
    point_sets.Sets().get(people(seed=1).key)
    monkeypatch.setattr(time, "time", lambda: now + point_sets.AGE + 10)
    held.put(people(seed=2))
    assert {kept.key for kept in point_sets.list_sets()} == {people(seed=1).key, people(seed=2).key}


def test_without_a_store_the_sets_are_in_memory_and_a_sentence_says_so(broken_store, tmp_path):
    held, points = point_sets.Sets(), people()
    held.put(points)
    assert same(held.get(points.key), points) and held.trouble.startswith("The server's store does not work")
    assert str(tmp_path) not in held.trouble


# ------------------------------------------------------------------------------------------- store


DAMAGED = [b"this is no database" * 100, b"SQLite format 3\0" + b"\xff" * 5000]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_file_is_put_aside_and_a_new_one_begun(own_store, content):
    own_store.parent.mkdir()
    own_store.write_bytes(content)
    held, points = point_sets.Sets(), people()
    held.put(points)
    held.put(points)  # damage that was found late has an answer at the second call
    assert same(point_sets.Sets().get(points.key), points)
    assert [other.read_bytes() for other in own_store.parent.glob("*.damaged-*")][0] == content


def open_together(file) -> list:
    """Codes of the rooms that 4 threads open at once in the store of a file."""
    os.environ["SVM_LAB_STORE"] = str(file)
    together, opened = threading.Barrier(4), []

    def open_room():
        together.wait()
        opened.append(rooms.open_room()[0])

    threads = [threading.Thread(target=open_room) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return opened


@pytest.mark.parametrize("content", DAMAGED)
@pytest.mark.parametrize("processes", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_damage_that_many_find_at_once_is_put_aside_once(monkeypatch, tmp_path, content, processes):
    """The phones of a class, whose rooms were lost, in the file that was to be rescued or with the log of another."""
    monkeypatch.setenv("SVM_LAB_STORE", "")
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, spawn) if processes > 1 else ThreadPoolExecutor(1) as pool:
        for k in range(20):
            (tmp_path / str(k)).mkdir()
            file = tmp_path / str(k) / "store.sqlite3"
            file.write_bytes(content)
            opened = sum(pool.map(open_together, [file] * processes), [])
            monkeypatch.setenv("SVM_LAB_STORE", str(file))
            assert len(opened) == 4 * processes and [rooms.look(code).code for code in opened] == opened
            assert [other.read_bytes() for other in file.parent.glob("*.damaged-*")] == [content]


def test_damage_in_the_middle_is_a_sentence_and_then_over(own_store):
    for seed in range(40):
        point_sets.Sets().put(people(n=200, seed=seed))
    with store.transaction() as connection:
        connection.execute("select 1")
    body = bytearray(own_store.read_bytes())
    body[4096:] = b"\x5a" * (len(body) - 4096)
    for end in ("-wal", "-shm"):
        own_store.with_name(own_store.name + end).unlink(missing_ok=True)
    own_store.write_bytes(bytes(body))
    held = point_sets.Sets()
    for _ in range(3):
        held.put(people())
    assert held.trouble == "" and same(point_sets.Sets().get(people().key), people())


@pytest.mark.parametrize(
    "error, words",
    [
        (sqlite3.OperationalError("database or disk is full"), "the disk is full"),
        (sqlite3.OperationalError("attempt to write a readonly database"), "cannot be written"),
        (sqlite3.OperationalError("database is locked"), "in use by another process"),
        (PermissionError(13, "Permission denied"), "cannot be written"),
        (OSError(28, "No space left on device"), "the disk is full"),
    ],
)
def test_each_failure_is_a_sentence(monkeypatch, error, words):
    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr(store.sqlite3, "connect", fail)
    assert words in refused(StoreError, rooms.open_room)


# ------------------------------------------------------------------------------------------- rooms


def test_a_room_has_a_code_a_key_and_members_browsers_that_were_seen_lately():
    code, key = rooms.open_room()
    assert rooms.read_code(f" {code[:2].lower()}-{code[2:].lower()} ") == code and len(key) >= 20
    assert rooms.places(code, key) == []
    for wrong in (key[:-1], "ä"):
        assert refused(RoomError, rooms.places, code, wrong) == rooms.WRONG_KEY
    room = rooms.look(code)
    assert (room.screen, room.question, room.members, room.revision) == (None, None, 0, 0)
    for browser, ago in (("one", 0.0), ("two", 0.0), ("one", 0.0), ("gone", rooms.HERE + 1)):
        rooms.note({(code, browser): (ago, "", False)})
    assert rooms.look(code).members == 2
    for text in ("", "ABC", "AB<DE", "A" * 10**6, "ABCD0"):
        assert rooms.read_code(text) == ""


def test_the_class_follows_the_screen_of_the_key():
    code, key = rooms.open_room()
    rooms.show(code, key, "playground", {"C": "3", "problem": "moons"})
    first = rooms.look(code)
    assert first.screen == ("playground", {"C": "3", "problem": "moons"}) and first.revision == 1
    rooms.show(code, key, "playground", {"problem": "moons", "C": "3"})
    assert rooms.look(code).revision == 1
    rooms.show(code, key, "losses", {})
    assert rooms.look(code).revision == 2
    assert refused(RoomError, rooms.show, code, "guess", "losses", {"C": "1"}) == rooms.WRONG_KEY
    for page, link in (("../etc", {}), ("losses", {"edits": "x" * 30_000})):
        assert "too long" in refused(RoomError, rooms.show, code, key, page, link)


def test_a_room_is_deleted_after_a_day_and_by_its_key(asked, monkeypatch):
    code, key, question = asked()
    polls.vote(code, "me", question.id, 1, 0)
    rooms.close(code, key)
    assert "no room" in refused(RoomError, rooms.look, code)
    other, other_key, question = asked("number", {})
    polls.vote(other, "me", question.id, 1, 3)
    polls.give_reason(other, "me", question.id, 1, "because")
    polls.ask(other, other_key, "line", "Which?", {"asked": {"lesson": "mine"}}, "title = 1")
    now = time.time()
    monkeypatch.setattr(store, "STEP", float("inf"))
    monkeypatch.setattr(time, "time", lambda: now + rooms.DAY + 1)
    assert "no room" in refused(RoomError, rooms.look, other)
    rooms.open_room()
    with store.transaction() as connection:
        tables = ("rooms", "members", "questions", "votes", "lessons", "reasons")
        assert [connection.value(f"select count(*) from {table}") for table in tables] == [1, 0, 0, 0, 0, 0]


# ------------------------------------------------------------------------------------------- votes


def test_one_vote_a_browser_changeable_until_the_reveal_and_then_a_second_round(asked):
    code, key, question = asked("choose", {"options": ["left", " ", "right"]})
    assert question.details == {"options": ["left", "right"]}
    for browser, value in (("one", 0), ("two", 0), ("one", 1)):
        polls.vote(code, browser, question.id, 1, value)
    assert rooms.look(code).votes == (2,) and polls.find_vote("one", question) == 1
    polls.again(code, key)
    question = rooms.look(code).question
    assert (question.round, question.revealed, polls.find_vote("one", question)) == (2, False, None)
    assert "has ended" in refused(RoomError, polls.vote, code, "one", question.id, 1, 0)
    for browser in ("one", "two"):
        polls.vote(code, browser, question.id, 2, 1)
    polls.reveal(code, key)
    assert "has ended" in refused(RoomError, polls.vote, code, "three", question.id, 2, 0)
    assert rooms.look(code).votes == (2, 2)
    assert votes.tally(question, polls.results(question)) == [("left", (1, 0)), ("right", (1, 2))]
    rows = list(csv.reader(io.StringIO(votes.csv_text(polls.all_votes(code, key)))))
    assert rows[0] == ["question", "kind", "round", "vote", "value", "words"] and len(rows) == 5
    assert {(row[2], row[5]) for row in rows[1:]} == {("1", "left"), ("1", "right"), ("2", "right")}
    assert "one" not in votes.csv_text(polls.all_votes(code, key)).replace("none", "")


@pytest.mark.parametrize(
    "kind, details, good, bad",
    [
        ("choose", {"options": ["a", "b"]}, [0, 1], [2, -1, 1.0, True, "0", None, [0]]),
        ("number", {"low": 0, "high": 10}, [0, 10, 2.5], [-1, 10.5, float("nan"), float("inf"), "3", None, 10**400]),
        ("number", {}, [-1e9, 3], [True, [], 1e300]),
        ("line", {}, [[0, 0, 1, 1.5]], [[0, 0, 0, 0], [0, 0, 1], [0, 0, 1, float("nan")], "line", None]),
        ("line", {"xs": [0, 1], "ys": [0, 2]}, [[-1, 0, 2, 4]], [[-1.1, 0, 1, 1], [0, 0, 1, 4.1]]),
        ("points", {"most": 5}, [[], [3, 1, 3]], [[5], [-1], [1.0], "1", None]),
        ("points", {"ids": [-7, 3]}, [[3, -7]], [[4], [True], ["3"], {"3": 1}]),
        ("place", {"xs": [0, 1], "ys": [0, 2]}, [[0.5, 1]], [[0.5], [0.5, float("nan")], [9, 1], [0, 1, 2], None]),
        ("order", {"entries": [["a", "A"], ["b", "B"]]}, [["b", "a"]], [["a"], ["a", "a"], ["a", "c"], "ab", [1, 2]]),
    ],
)
def test_only_what_answers_the_question_is_a_vote(asked, kind, details, good, bad):
    code, _, question = asked(kind, details)
    for value in good:
        polls.vote(code, "me", question.id, 1, value)
        json.loads(json.dumps(polls.find_vote("me", question)))
    for value in bad:
        assert "inf" not in refused(ValueError, polls.vote, code, "me", question.id, 1, value), "a number is named"
    assert rooms.look(code).votes == (1,)


@pytest.mark.parametrize(
    "kind, text, details, words",
    [
        ("choose", "Which?", {"options": ["a", "b", "a "]}, "Two options are the same"),
        ("choose", "Which?", {"options": ["a", " "]}, "2 to 12 options"),
        ("choose", "Which?", {"options": list("abcdefghijklm")}, "2 to 12 options"),
        ("choose", "Which?", {"options": ["a", "x" * 501]}, "at most 500 characters"),
        ("choose", "  ", {"options": ["a", "b"]}, "1 to 500"),
        ("choose", "x" * 501, {"options": ["a", "b"]}, "1 to 500"),
        ("number", "How many?", {"low": 3, "high": 3}, "below the largest"),
        ("dance", "What?", {}, "one of"),
        ("order", "Which?", {"entries": [["a", "A"]]}, "two entries"),
        ("line", "Which?", {"more": "x" * 100_000}, "too large"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(kind, text, details, words):
    code, key = rooms.open_room()
    assert words in refused(ValueError, polls.ask, code, key, kind, text, details)
    assert rooms.look(code).question is None


def test_numbers_are_counted_in_intervals_and_orders_the_most_frequent_first():
    question = Question(1, "number", "How many?", {"unit": "°"})
    few = votes.tally(question, [[1.0, 1.0, 3.0], [3.0]])
    assert few == [("1 °", (2, 0)), ("3 °", (1, 1))]
    assert votes.tally(question, [[-1.5, 2e-7]]) == [("−1.5 °", (1,)), ("2·10⁻⁷ °", (1,))]
    many = votes.tally(question, [[float(k) for k in range(40)], [39.0]])
    assert many == [*((label, (5, 0)) for label, _ in many[:7]), ("34.1 to 39 °", (5, 1))] and votes.BINS == 8
    assert votes.tally(question, [[]]) == []
    question = Question(1, "order", "Which?", {"entries": [["a", "A"], ["b", "B"]]})
    found = votes.tally(question, [[["a", "b"], ["b", "a"]], [["b", "a"]]])
    assert found == [("B, A", (1, 1)), ("A, B", (1, 0))]


@pytest.mark.parametrize(
    "kind, details, value, words",
    [
        ("line", {}, [0.0, 1.5, 2.0, -3.0], "through (0, 1.5) and (2, -3)"),
        ("place", {}, [0.25, -4.133e-07], "(0.25, 0)"),
        ("points", {}, [3, 17], "3, 17"),
        ("number", {"unit": "%", "factor": 100}, 0.125, "12.5 %"),
        ("order", {"entries": [["a", "A"], ["b", "=B"]]}, ["b", "a"], "'=B, A"),
        ("choose", {"options": ['=HYPERLINK("x")', "@b"]}, 1, "'@b"),
    ],
)
def test_a_vote_is_a_row_of_words_of_which_a_spreadsheet_takes_none_for_a_formula(kind, details, value, words):
    text = votes.csv_text([(Question(1, kind, "=1+1", details), 2, [value])])
    (row,) = list(csv.reader(io.StringIO(text)))[1:]
    assert row[:4] == ["'=1+1", kind, "2", "1"] and json.loads(row[4]) == value and row[5] == words


def test_the_wall_has_a_question_whenever_it_goes_on_and_a_prompt_is_the_screen_of_the_room():
    code, key = rooms.open_room()
    polls.ask(code, key, "choose", "Which?", {"options": ["a", "b"]})
    assert rooms.look(code).screen is None and rooms.look(code).wall  # a free question is voted on at any page
    polls.ask(code, key, "line", "Which?", {"asked": {"lesson": "errors", "prompt": "draw", "draw": 0}})
    seen = [rooms.look(code)]
    for action in (polls.again, polls.show_bars, polls.reveal):
        rooms.show(code, key, "losses", {})
        assert not rooms.look(code).wall
        action(code, key)
        seen.append(rooms.look(code))
    assert [(room.screen, room.wall) for room in seen] == [(("room", {}), True)] * 4
    assert len({room.revision for room in seen}) == 4


def test_a_question_has_the_text_of_an_own_lesson():
    code, key = rooms.open_room()
    prompt = "line", "Which?", {"asked": {"lesson": "mine"}}
    polls.ask(code, key, *prompt, "title = 1")
    assert polls.lesson_text(code, rooms.look(code).question.lesson_prompt["own"]) == "title = 1"
    assert "at most" in refused(ValueError, polls.ask, code, key, *prompt, "x" * 100_001)
    assert "no longer" in refused(RoomError, polls.lesson_text, code, "another")


def test_a_store_of_an_earlier_version_gets_the_new_tables_and_keeps_its_rows(own_store):
    code, key = rooms.open_room()
    with store.transaction(write=True) as connection:
        for table in ("lessons", "clock", "reasons", "lecturers"):
            connection.execute(f"drop table {table}")
        for table, columns in store.COLUMNS.items():
            for column in columns:
                connection.execute(f"alter table {table} drop column {column.split()[0]}")
    with sqlite3.connect(own_store) as connection:
        connection.execute("pragma user_version = 1")
    connection.close()
    polls.ask(code, key, "line", "Which?", {"asked": {"lesson": "mine"}}, "title = 1")
    assert rooms.look(code).question.kind == "line"
    with store.transaction() as connection:  # the tables are looked at once
        assert connection.value("pragma user_version") == store.VERSION


def _voter(code, question, browsers):
    for browser in browsers:
        polls.vote(code, browser, question, 1, 1)


def _endless(code, question, told):
    for k in itertools.count():
        polls.vote(code, f"b{k}", question, 1, [0.0, 0.0, 1.0, float(k)])
        told.send(k)


@pytest.mark.slow
def test_a_process_that_is_killed_while_it_takes_votes_loses_none(asked):
    code, key, question = asked("line", {})
    heard, told = multiprocessing.Pipe(duplex=False)
    worker = multiprocessing.get_context("spawn").Process(target=_endless, args=(code, question.id, told))
    worker.start()
    told.close()
    seen = [heard.recv() for _ in range(30)]
    worker.kill()
    worker.join(60)
    with suppress(EOFError):
        while True:
            seen.append(heard.recv())
    (kept,) = polls.results(question)
    assert len(seen) <= len(kept) <= len(seen) + 1 and kept[:30] == [[0.0, 0.0, 1.0, float(k)] for k in range(30)]
    polls.vote(code, "another", question.id, 1, [0, 0, 1, 1])
    polls.reveal(code, key)
    assert rooms.look(code).votes == (len(kept) + 1,)


@pytest.mark.parametrize("kind", ["threads", pytest.param("processes", marks=pytest.mark.slow)])
def test_sixty_votes_at_once_are_all_counted(asked, kind):
    code, _, question = asked()
    make = threading.Thread if kind == "threads" else multiprocessing.get_context("spawn").Process
    workers = [make(target=_voter, args=(code, question.id, [f"{w}-{k}" for k in range(20)])) for w in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert rooms.look(code).votes == (60,)


# ------------------------------------------------------------------------------ what a process sees


@pytest.fixture
def looks(monkeypatch):
    """The codes of all looks at the store."""
    found, look = [], rooms.look
    monkeypatch.setattr(rooms, "look", lambda code: found.append(code) or look(code))
    return found


def test_those_who_ask_again_cost_one_look_until_something_has_changed(looks):
    code, key = rooms.open_room()
    watched = RoomWatch()
    assert [watched.room(code) for _ in range(60)] == [rooms.look(code)] * 60 and len(looks) == 2
    seen = watched.seen
    polls.ask(code, key, "choose", "Which?", {"options": ["first", "second"]})
    assert watched.room(code).question.text == "Which?" and watched.room(code).votes == (0,) and len(looks) == 3
    assert watched.seen > seen
    rooms.close(code, key)
    for _ in range(2):
        assert code in refused(RoomError, watched.room, code)


def test_a_store_that_was_put_aside_is_left(own_store):
    code, _ = rooms.open_room()
    watched = RoomWatch()
    assert watched.room(code).code == code
    own_store.rename(own_store.with_name("aside"))
    refused(RoomError, watched.room, code)
    again, _ = rooms.open_room()
    assert watched.room(again).members == 0
    connection = watched._changes._connection
    del watched
    assert "closed" in refused(sqlite3.ProgrammingError, connection.execute, "select 1")


def test_where_the_store_does_not_answer_there_is_a_sentence(broken_store):
    assert refused(StoreError, RoomWatch().room, "ABCDE").endswith(".")


def test_browsers_that_are_there_are_written_all_together(monkeypatch):
    code, _ = rooms.open_room()
    watched = RoomWatch()
    for browser in range(60):
        watched.here(code, f"b{browser}")
        watched.here("WRONG", f"b{browser}")
    watched.flush()
    assert watched.room(code).members == 0, "not yet"
    monkeypatch.setattr("pages.shared.classroom.watched.FLUSH", 0.0)
    watched.flush()
    assert watched.room(code).members == 60
    with store.transaction() as connection:
        assert connection.execute("select distinct room from members").fetchall()[0][0] == code
