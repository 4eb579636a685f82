"""The hooks into Streamlit: no message is lost, parts with news, whole runs; and off where they must be."""

import asyncio
import contextvars
import logging
import threading
from contextlib import suppress
from types import SimpleNamespace

import loop
import pytest
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent as Event
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from pages.shared.server import run_queue, sessions, streamlit_hooks

CALL_SOON = "_call_soon_on_event_loop"
MESSAGE, END = Event.ENQUEUE_FORWARD_MSG, Event.SCRIPT_STOPPED_WITH_SUCCESS


@pytest.fixture
def session(monkeypatch):
    """A session in name only: `log` holds what the loop has handled, by `entry`, and "wake" for each call to send."""
    log = []
    handle = lambda session, sender, event, number=None: log.append(session.entry(number))  # noqa: E731
    monkeypatch.setattr(AppSession, "_handle_scriptrunner_event_on_event_loop", handle)
    session = SimpleNamespace(log=log, entry=int, _message_enqueued_callback=lambda: log.append("wake"))
    session._call_soon_on_event_loop = lambda call: session._event_loop.call_soon_threadsafe(call)
    session.report = streamlit_hooks.gather_reports(lambda *_: None)
    return session


def reported(session, *events, seconds=0.0):
    """After a thread has reported these (event, number), and so many seconds."""

    async def main():
        session._event_loop = asyncio.get_running_loop()
        thread = threading.Thread(target=lambda: [session.report(session, None, *event) for event in events])
        thread.start()
        await asyncio.to_thread(thread.join)
        await asyncio.sleep(seconds)

    loop.run(main())
    return session.log


def test_messages_wait_for_the_end_of_their_run_and_are_sent_together(session, monkeypatch):
    monkeypatch.setattr(streamlit_hooks, "PAUSE", 60.0)
    assert reported(session, (MESSAGE, 1), (MESSAGE, 2), (END, 3)) == [1, 2, 3, "wake"]


def test_a_run_that_takes_long_is_seen_meanwhile(session, monkeypatch):
    monkeypatch.setattr(streamlit_hooks, "PAUSE", 0.001)

    async def main():
        session._event_loop = asyncio.get_running_loop()
        for number in range(3):
            await asyncio.to_thread(session.report, session, None, MESSAGE, number)
            while session.log[-2:] != [number, "wake"]:
                await asyncio.sleep(0.001)

    loop.run(asyncio.wait_for(main(), 20))
    assert session.log == [0, "wake", 1, "wake", 2, "wake"]


def test_an_event_that_fails_holds_nothing_up(session, monkeypatch):
    """The loop reports the error, as it does without this."""
    session.entry = lambda number: 1 / number
    monkeypatch.setattr(streamlit_hooks, "PAUSE", 60.0)
    assert reported(session, (MESSAGE, 0), (MESSAGE, 1), (END, 2), seconds=0.01) == ["wake", 1, 1 / 2, "wake"]


@pytest.mark.parametrize("number", [1, 0])
def test_what_was_reported_is_handled_before_a_request(session, monkeypatch, number):
    """Streamlit may begin another thread for it, and would ignore what the thread before has reported."""
    monkeypatch.setattr(streamlit_hooks, "PAUSE", 60.0)
    session.id, session.entry = "s", lambda number: 1 // number
    ask = streamlit_hooks.only_with_news(lambda session, state: session.log.append("request"))

    async def main():
        session._event_loop = asyncio.get_running_loop()
        await asyncio.to_thread(session.report, session, None, MESSAGE, number)
        with suppress(ZeroDivisionError):  # an event that fails keeps no request
            ask(session, SimpleNamespace(fragment_id="", is_auto_rerun=False, page_script_hash=""))

    loop.run(main())
    assert session.log == [1, "wake", "request"][1 - number :]


@pytest.fixture
def fresh(monkeypatch):
    """Nothing is installed, and nothing is afterwards."""
    monkeypatch.setattr(streamlit_hooks, "_installed", [])
    monkeypatch.setattr(streamlit_hooks, "_news", type(streamlit_hooks._news)())
    monkeypatch.delenv("SVM_LAB_HOOKS", raising=False)
    for name in ("_on_scriptrunner_event", "_handle_rerun_script_request"):
        function = getattr(AppSession, name)
        monkeypatch.setattr(AppSession, name, getattr(function, "__wrapped__", function))


def hooked():
    return [hasattr(getattr(AppSession, name), "__wrapped__") for _, name in [*streamlit_hooks.EXPECTED][:3]]


def test_the_hooks_fit_the_streamlit_that_is_installed(fresh, caplog):
    streamlit_hooks.install()
    assert hooked() == [True, False, True] and caplog.messages == []
    installed = AppSession._on_scriptrunner_event
    streamlit_hooks.install()
    assert AppSession._on_scriptrunner_event is installed, "once"


@pytest.mark.parametrize(
    "change, arguments, reason",
    [
        ("setattr", (streamlit_hooks, "version", lambda name: "1.70.1"), "1.70.1"),
        ("setattr", (AppSession, CALL_SOON, lambda self, callback, urgent: None), f"AppSession.{CALL_SOON}"),
        ("delattr", (ScriptRequests, "on_scriptrunner_yield"), "ScriptRequests.on_scriptrunner_yield"),
        ("setenv", ("SVM_LAB_HOOKS", "off"), "SVM_LAB_HOOKS"),
    ],
    ids=["another version", "other parameters", "a method missing", "switched off"],
)
def test_where_they_must_stay_off_one_line_says_why(fresh, monkeypatch, caplog, change, arguments, reason):
    getattr(monkeypatch, change)(*arguments)
    for _ in range(2):
        streamlit_hooks.install()
    (line,) = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert reason in line.getMessage() and not any(hooked())
    monkeypatch.setattr(sessions, "current", lambda: "s")
    streamlit_hooks.ask_for_news(lambda: False)
    assert not streamlit_hooks._news


@pytest.mark.parametrize(
    "part, again, news, runs",
    [("part", True, False, 0), ("part", True, True, 1), ("part", False, False, 1), ("other", True, False, 1)],
    ids=["by itself, without news", "by itself, with news", "a reader acts", "another part"],
)
def test_a_part_is_made_again_where_there_is_news_and_where_a_reader_acts(fresh, monkeypatch, part, again, news, runs):
    session, made = SimpleNamespace(id="s"), []
    streamlit_hooks.install()
    monkeypatch.setattr(sessions, "current", lambda: "s")

    def make():
        ThreadState.initialize(fragment_id="part")
        streamlit_hooks.ask_for_news(lambda: news)

    contextvars.copy_context().run(make)
    handle = streamlit_hooks.only_with_news(lambda session, state: made.append(state))
    handle(session, SimpleNamespace(fragment_id=part, is_auto_rerun=again, page_script_hash="here"))
    handle(session, None)  # as Streamlit does for a session that begins
    assert len(made) == runs + 1


def test_a_part_of_a_page_that_was_left_is_not_made_again():
    session, made = SimpleNamespace(id="s"), []
    rerun = lambda session, state: made.append((state.fragment_id, state.page_script_hash))  # noqa: E731
    handle = streamlit_hooks.only_with_news(rerun)

    def ask(part, page, again=True):
        handle(session, SimpleNamespace(fragment_id=part, is_auto_rerun=again and bool(part), page_script_hash=page))

    ask("", "")  # a browser that begins does not know the name of its page
    ask("part", "one")
    ask("", "two")
    ask("part", "one")
    ask("part", "one", again=False)
    ask("part", "two")
    ask("", "one")
    ask("part", "one")
    assert made == [("", ""), ("part", "one"), ("", "two"), ("part", "two"), ("", "one"), ("part", "one")]


class Requests:
    """In the place of Streamlit's, which say at each command whether the run is to end."""

    def on_scriptrunner_yield(self):
        return "another request"


@pytest.mark.parametrize("installed", [True, False])
def test_a_run_is_made_to_its_end_while_others_wait_and_only_then(monkeypatch, installed):
    queue, requests = run_queue.RunQueue(1), Requests()
    monkeypatch.setattr(run_queue, "queue", queue)
    monkeypatch.setattr(streamlit_hooks, "_installed", [installed])
    monkeypatch.setattr(streamlit_hooks, "_requests", lambda: requests)
    assert queue.enter("a")
    streamlit_hooks.finish_run()
    assert requests.on_scriptrunner_yield() == "another request"
    other = threading.Thread(target=queue.enter, args=("b",), daemon=True)
    other.start()
    while not queue.is_awaited:
        pass
    assert requests.on_scriptrunner_yield() == (None if installed else "another request")
    streamlit_hooks.let_run_end()
    assert requests.on_scriptrunner_yield() == "another request"
    queue.leave()
    other.join(10)
