"""Runs take turns in the order of their sessions, the newest request of a session is answered, parts come after."""

import threading

import pytest
from calls import Run, until

from pages.shared.server import run_queue, sessions


def waiting(turns, count):
    until(lambda: turns.counts[1] == count)


def end(*runs):
    """Ends these runs one after the other."""
    for run in runs:
        run.go.set()
        run.join(5)


def test_runs_take_turns_and_the_newest_request_of_a_session_is_answered_in_the_place_of_the_older():
    turns, log = run_queue.RunQueue(1), []
    first = Run(turns, "a", log)
    until(lambda: turns.counts == (1, 0))
    stale = Run(turns, "b", log)
    waiting(turns, 1)
    third = Run(turns, "c", log)
    waiting(turns, 2)
    newest = Run(turns, "b", log)
    stale.join(5)
    assert stale.entered is False and turns.counts == (1, 2)
    end(first, newest, third)
    assert log == ["a", "b", "c"] and newest.entered and turns.counts == (0, 0) and len(turns.seconds) == 3


def test_a_thread_that_ends_without_a_word_holds_up_nothing():
    turns = run_queue.RunQueue(1)
    thread = threading.Thread(target=turns.enter, args=("a",))
    thread.start()
    thread.join(5)
    assert turns.enter("b") and turns.counts == (1, 0)
    turns.leave()


def test_a_session_that_has_left_does_not_wait():
    turns, log = run_queue.RunQueue(1), []
    first = Run(turns, "a", log)
    until(lambda: turns.counts == (1, 0))
    left = Run(turns, "b", log, gone=lambda: True)
    left.join(5)
    assert left.entered is False and turns.counts == (1, 0)
    first.go.set()


def test_a_long_run_does_not_hold_up_the_others_for_ever(monkeypatch):
    monkeypatch.setattr(run_queue, "LONGEST", 0.05)
    turns, log = run_queue.RunQueue(1), []
    Run(turns, "a", log)
    until(lambda: log == ["a"])
    Run(turns, "b", log)
    until(lambda: log == ["a", "b"])


def test_a_run_beside_one_that_takes_long_but_not_beside_a_short_one():
    turns, log = run_queue.RunQueue(3, short=60.0), []
    runs = [Run(turns, session, log) for session in "ab"]
    waiting(turns, 1)
    turns.short = 0.0
    until(lambda: log == ["a", "b"])
    third = Run(turns, "c", log)
    until(lambda: turns.counts == (2, 1))
    end(*runs, third)
    assert log == ["a", "b", "c"]


def test_costly_sessions_leave_a_turn_to_those_whose_last_run_was_short():
    turns, log = run_queue.RunQueue(3), []
    for short in (60.0, 0.0, 60.0):  # as it was, and as it is now
        turns.short = short
        end(Run(turns, "reader", log))
    turns.short, costly = 0.0, []
    for names in ("a", "ab"):
        costly.append(Run(turns, names[-1], log))
        until(lambda names=names: log[3:] == [*names])
    costly.append(Run(turns, "c", log))
    waiting(turns, 1)
    reader = Run(turns, "reader", log)
    until(lambda: log[3:] == ["a", "b", "reader"])
    end(reader)
    reader = Run(turns, "reader", log)  # that was a long one
    until(lambda: turns.counts == (2, 2))
    costly[0].go.set()
    until(lambda: log[6:] == ["c"] and turns.counts == (2, 1))
    costly[1].go.set()
    until(lambda: log[6:] == ["c", "reader"])
    end(*costly, reader)


def test_parts_that_renew_themselves_wait_for_the_pages_of_readers():
    turns, log, threads = run_queue.RunQueue(1), [], []
    run = Run(turns, "running", log)
    until(lambda: log == ["running"])

    def enter(session, urgent):
        turns.enter(session, urgent=urgent)
        log.append(session)
        turns.leave()

    for number, (session, urgent) in enumerate([("part", False), ("other part", False), ("page", True)], 1):
        threads.append(threading.Thread(target=enter, args=(session, urgent), daemon=True))
        threads[-1].start()
        waiting(turns, number)
    run.go.set()
    for thread in threads:
        thread.join(10)
    assert log == ["running", "page", "part", "other part"]


@pytest.mark.parametrize(
    "session, inside", [("s", False), ("s", True), (None, False)], ids=["by itself", "with its page", "of no session"]
)
def test_a_part_takes_a_turn_only_where_it_is_not_made_with_its_page(monkeypatch, session, inside):
    turns = run_queue.RunQueue(1)
    monkeypatch.setattr(run_queue, "queue", turns)
    monkeypatch.setattr(sessions, "current", lambda: session)
    if inside:
        run_queue.enter()
    with pytest.raises(ZeroDivisionError), run_queue.fragment():
        assert turns.counts == (1 if session else 0, 0)
        raise ZeroDivisionError
    assert turns.counts == (int(inside), 0), "the page has its turn to its end"
    run_queue.leave()


def test_the_newest_request_of_a_run_keeps_its_turn():
    turns, log = run_queue.RunQueue(1), []
    assert turns.enter("a")
    other = Run(turns, "b", log)
    waiting(turns, 1)
    assert turns.enter("a") and turns.counts == (1, 1)
    turns.leave()
    end(other)
    assert log == ["b"]
