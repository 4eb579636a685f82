"""What a run sends: together, in its order, and nothing is lost."""

import asyncio
import contextvars
import socket
import threading
from types import SimpleNamespace

import loop
import pytest
from streamlit import delta_generator, runtime
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent as Event
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState
from streamlit.web.server.starlette.starlette_server import _bind_socket
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from pages.shared import delivery

MESSAGE, END = Event.ENQUEUE_FORWARD_MSG, Event.SCRIPT_STOPPED_WITH_SUCCESS


@pytest.fixture
def session(monkeypatch):
    """A session in name only: `log` holds what the loop has handled, and "wake" for each call to send."""
    log = []
    handle = lambda session, sender, event, number=None: log.append(number)  # noqa: E731
    monkeypatch.setattr(AppSession, "_handle_scriptrunner_event_on_event_loop", handle)
    session = SimpleNamespace(log=log, _message_enqueued_callback=lambda: log.append("wake"))
    session._call_soon_on_event_loop = lambda call: session._event_loop.call_soon_threadsafe(call)
    session.report = delivery.gathered(lambda *_: None)
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
    monkeypatch.setattr(delivery, "PAUSE", 60.0)
    assert reported(session, (MESSAGE, 1), (MESSAGE, 2), (END, 3)) == [1, 2, 3, "wake"]


def test_a_run_that_takes_long_is_seen_meanwhile(session, monkeypatch):
    monkeypatch.setattr(delivery, "PAUSE", 0.001)

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
    handle = lambda session, sender, event, number: session.log.append(1 / number)  # noqa: E731
    monkeypatch.setattr(AppSession, "_handle_scriptrunner_event_on_event_loop", handle)
    session.report = delivery.gathered(lambda *_: None)
    monkeypatch.setattr(delivery, "PAUSE", 60.0)
    assert reported(session, (MESSAGE, 0), (MESSAGE, 1), (END, 2), seconds=0.01) == ["wake", 1, 1 / 2, "wake"]


class Transport:
    def __init__(self):
        self.written, self.closed = [], False

    def write(self, data):
        self.written.append(data)

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    def get_extra_info(self, name):
        return name


def corked():
    transport = Transport()
    protocol = SimpleNamespace(loop=asyncio.get_running_loop())
    delivery.corked(lambda protocol, transport: None)(protocol, transport)
    return protocol.transport, transport


def test_what_is_written_in_one_turn_travels_in_two_packets():
    async def main():
        held, transport = corked()
        for part in (b"a", b"b", b"c"):
            held.write(part)
        assert transport.written == [b"a"]
        await asyncio.sleep(0)
        held.write(b"d")
        return transport.written, held.get_extra_info("peername")

    assert loop.run(main()) == ([b"a", b"bc", b"d"], "peername")


def test_nothing_is_lost_when_the_connection_is_closed():
    async def main():
        held, transport = corked()
        held.write(b"a")
        held.write(b"b")
        held.close()
        await asyncio.sleep(0)
        return transport.written, transport.closed

    assert loop.run(main()) == ([b"a", b"b"], True)


def test_a_connection_sends_its_second_packet_before_the_first_is_confirmed():
    """The socket that Streamlit listens on does not; a transport may also have no socket, or one of another kind."""
    told = []

    class Protocol(asyncio.Protocol):
        @delivery.undelayed
        def connection_made(self, transport):
            told.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            transport.close()

    async def main():
        with _bind_socket("127.0.0.1", 0, 1) as listening:
            assert not listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY), "Streamlit sees to it itself"
            server = await asyncio.get_running_loop().create_server(Protocol, sock=listening)
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            await reader.read()
            writer.close()
            server.close()

    loop.run(main())
    assert len(told) == 1 and told[0]
    made, (near, far) = [], socket.socketpair()
    with near, far:
        for connection in (None, near):
            other = SimpleNamespace(get_extra_info=lambda name, connection=connection: connection)
            delivery.undelayed(lambda protocol, transport: made.append(transport))(None, other)
    assert len(made) == 2


@pytest.mark.parametrize("count, at_once", [(0, 0), (1, 0), (5, 4), (delivery.MOST + 1, 0)])
def test_all_but_the_last_are_sent_already_unless_they_are_too_many(monkeypatch, count, at_once):
    sent = []
    info = SimpleNamespace(client=SimpleNamespace(write_forward_msg=sent.append))
    manager = SimpleNamespace(get_active_session_info=lambda key: info)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(_session_mgr=manager))
    flush = delivery.at_once(lambda session: list(range(count)))
    left = flush(SimpleNamespace(id="s"))
    assert sent == list(range(at_once)) and sent + left == list(range(count))


def test_the_theme_is_read_once_and_stays_what_it_was(monkeypatch):
    read = []

    def populate(message, section="theme"):
        read.append(section)
        message.primary_color, message.base = section, message.BaseTheme.DARK

    made = delivery.once(populate)
    for _ in range(3):
        message, expected = CustomThemeConfig(), CustomThemeConfig()
        made(message)
        made(message.light, "theme.light")
        populate(expected)
        populate(expected.light, "theme.light")
        assert message == expected
    assert read[:2] == ["theme", "theme.light"] and len(read) == 2 + 2 * 3


def test_these_inner_parts_are_in_the_streamlit_that_is_installed(monkeypatch):
    places = [
        (AppSession, "_on_scriptrunner_event"),
        (AppSession, "flush_browser_queue"),
        (app_session, "_populate_theme_msg"),
        (WebSocketsSansIOProtocol, "connection_made"),
        (AutoHTTPProtocol, "connection_made"),
    ]
    for owner, name in places:
        function = getattr(owner, name)
        monkeypatch.setattr(owner, name, getattr(function, "__wrapped__", function))
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    delivery.install()
    assert all(hasattr(getattr(owner, name), "__wrapped__") for owner, name in places)
    monkeypatch.setattr(delta_generator.env_util, "is_repl", lambda: pytest.fail("asked under which command it runs"))
    delta_generator._maybe_print_use_warning()
    installed = AppSession._on_scriptrunner_event
    delivery.install()
    assert AppSession._on_scriptrunner_event is installed


def test_another_streamlit_is_left_as_it_is(monkeypatch):
    monkeypatch.setattr(AppSession, "_on_scriptrunner_event", report := lambda *_: None)
    monkeypatch.setattr(app_session, "_populate_theme_msg", populate := lambda *_: None)
    monkeypatch.delattr(AppSession, "flush_browser_queue")
    delivery.install()
    assert AppSession._on_scriptrunner_event is report and app_session._populate_theme_msg is populate


def asked_of(session, monkeypatch, ask):
    """What is sent where a run has drawn two elements, and then does `ask`."""
    info = SimpleNamespace(session=session)
    manager = SimpleNamespace(get_active_session_info=lambda name: info)
    monkeypatch.setattr(delivery, "PAUSE", 60.0)
    monkeypatch.setattr(delivery, "SETTLED", 0.0)
    monkeypatch.setattr(delivery, "get_script_run_ctx", lambda **_: SimpleNamespace(session_id="s"))
    monkeypatch.setattr(delivery.runtime, "get_instance", lambda: SimpleNamespace(_session_mgr=manager))

    async def main():
        session._event_loop = asyncio.get_running_loop()

        def run():
            for number in (1, 2):
                session.report(session, None, MESSAGE, number)
            ask()

        await asyncio.to_thread(run)
        await asyncio.sleep(0)

    loop.run(main())
    return session.log


def test_the_first_run_of_a_session_sends_a_part_ahead_and_all_before_its_end(session, monkeypatch):
    assert asked_of(session, monkeypatch, delivery.ahead) == [1, 2, "wake"]
    assert asked_of(session, monkeypatch, delivery.complete) == [1, 2, "wake"] * 2
    for ask in (delivery.ahead, delivery.complete):
        assert asked_of(session, monkeypatch, ask) == [1, 2, "wake"] * 2, "a later run waits for its end"


def test_without_a_server_nothing_is_sent_ahead(monkeypatch):
    monkeypatch.setattr(delivery.time, "sleep", lambda seconds: pytest.fail("nobody waits"))
    delivery.ahead()
    delivery.complete()


@pytest.mark.parametrize(
    "part, again, news, runs",
    [("part", True, False, 0), ("part", True, True, 1), ("part", False, False, 1), ("other", True, False, 1)],
    ids=["by itself, without news", "by itself, with news", "a reader acts", "another part"],
)
def test_a_part_is_made_again_where_there_is_news_and_where_a_reader_acts(monkeypatch, part, again, news, runs):
    session, made = SimpleNamespace(), []
    manager = SimpleNamespace(get_active_session_info=lambda session_id: SimpleNamespace(session=session))
    monkeypatch.setattr(delivery.runtime, "exists", lambda: True)
    monkeypatch.setattr(delivery.runtime, "get_instance", lambda: SimpleNamespace(_session_mgr=manager))
    monkeypatch.setattr(delivery, "get_script_run_ctx", lambda suppress_warning: SimpleNamespace(session_id="s"))

    def make():
        ThreadState.initialize(fragment_id="part")
        delivery.renews(lambda: news)

    contextvars.copy_context().run(make)
    handle = delivery.with_news(lambda session, state: made.append(state))
    handle(session, SimpleNamespace(fragment_id=part, is_auto_rerun=again))
    handle(session, None)  # as Streamlit does for a session that begins
    assert len(made) == runs + 1
