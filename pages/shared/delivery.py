"""What a run of a page sends to its browser travels in a few pieces instead of sixty messages one by one.

Streamlit wakes the thread of the server for each element of a page, and lets other work pass between two messages. With
each of these steps that thread and those that run pages take Python's lock from each other, and with twenty readers it
does little else. Here a message waits until the run ends, at most for `PAUSE`; what was drawn twice meanwhile is sent
once; the messages of a session are sent without a break, in two packets. Their order stays as it is.

Parts of a page that renew themselves ask every second, mostly for nothing: such a request ends here.

The theme in the first message of a run is that of the process, so it is put together once.

Streamlit listens on a socket that keeps the second packet of an answer until the browser has confirmed the first one,
which takes 40 ms for each of a page's hundred files; here it is sent at once.

With its first element Streamlit asks whether it runs under `streamlit run`, for which Python looks through the files of
all modules, a tenth of a second. A server knows.

All of this replaces private functions of Streamlit and uvicorn. If a version lacks one of them, nothing is replaced.
Only Streamlit is imported here.
"""

import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial, wraps

from streamlit import delta_generator, runtime
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent, get_script_run_ctx

PAUSE = 0.03  # seconds for which a message may wait for others: about a run of a page
SETTLED = 0.1  # seconds in which a browser shows what it was sent
MOST = 200  # messages at once: the browser's own queue on the server takes 500


def install() -> None:
    """For all sessions of this process that begin from now on. Once; later calls do nothing."""
    with suppress(ImportError, AttributeError):
        from uvicorn.protocols.http.auto import AutoHTTPProtocol
        from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

        if hasattr(AppSession._on_scriptrunner_event, "__wrapped__"):
            return
        report = gathered(AppSession._on_scriptrunner_event)
        flush = at_once(AppSession.flush_browser_queue)
        rerun = with_news(AppSession._handle_rerun_script_request)
        connect = corked(WebSocketsSansIOProtocol.connection_made)
        accept = undelayed(AutoHTTPProtocol.connection_made)
        theme = once(app_session._populate_theme_msg)
        delta_generator._use_warning_has_been_displayed = True
        app_session._populate_theme_msg = theme
        AppSession._on_scriptrunner_event, AppSession.flush_browser_queue = report, flush
        AppSession._handle_rerun_script_request = rerun
        WebSocketsSansIOProtocol.connection_made = connect
        AutoHTTPProtocol.connection_made = accept


def gathered(report):
    """`report(session, sender, event, ...)`, called on the loop of the server, for several events at once.

    Called from the thread of a run. What is no message, such as the end of the run, does not wait.
    """
    handle = AppSession._handle_scriptrunner_event_on_event_loop

    @wraps(report)
    def gather(session, sender, event, *arguments, **named):
        box = vars(session).setdefault("svm_lab_box", Box(session))
        box.waiting.append(partial(handle, session, sender, event, *arguments, **named))
        if event != ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
            session._call_soon_on_event_loop(box.empty)
        elif not box.expected:
            box.expected = True
            session._call_soon_on_event_loop(partial(session._event_loop.call_later, PAUSE, box.empty))

    return gather


def gathers() -> bool:
    """Whether what this run draws is gathered: on a server that has what `install` needs."""
    return _box() is not None


def ahead() -> None:
    """Early in a run: if it is the first of its session, send what it has drawn so far."""
    box = _box()
    if box and box.first:
        box.session._call_soon_on_event_loop(box.empty)


def complete() -> None:
    """Late in a run: if it is the first of its session, send all that it has drawn, and let it end a moment later.

    What React has not loaded yet is a gap on the page. It fills gaps at once when the run ends, if what was missing is
    there; otherwise half a second after the last gap.
    """
    box = _box()
    if box and box.first:
        box.first = False
        box.session._call_soon_on_event_loop(box.empty)
        time.sleep(SETTLED)


def _box():
    context = get_script_run_ctx(suppress_warning=True)
    with suppress(AttributeError, RuntimeError):  # a page in a test has no server
        info = runtime.get_instance()._session_mgr.get_active_session_info(context.session_id)
        return vars(info.session).get("svm_lab_box")
    return None


class Box:
    """What the runs of a session have reported and the loop of the server has not taken yet."""

    def __init__(self, session: AppSession):
        self.session, self.waiting, self.expected = session, deque(), False
        self.first = True  # the session has had no run

    def empty(self) -> None:
        """On the loop: all that waits, and one call to send it."""
        self.expected = False  # first: what comes from now on may be too late for this call
        if not self.waiting:
            return
        session = self.session
        wake, session._message_enqueued_callback = session._message_enqueued_callback, None
        try:
            while self.waiting:
                self.waiting.popleft()()
        finally:
            session._message_enqueued_callback = wake
            if self.waiting:  # one of them has failed
                session._event_loop.call_soon(self.empty)
            if wake:
                wake()


def at_once(flush):
    """`flush(session)`, which returns what is to be sent one by one, with all of it sent already."""

    @wraps(flush)
    def sent(session):
        messages = flush(session)
        if not 1 < len(messages) <= MOST:
            return messages
        info = runtime.get_instance()._session_mgr.get_active_session_info(session.id)
        for message in messages[:-1]:
            info.client.write_forward_msg(message)
        return messages[-1:]

    return sent


def with_news(rerun):
    """`rerun(session, state)`, without the requests that a browser repeats for a part of a page that has no news.

    See `renews`.
    """

    @wraps(rerun)
    def handle(session, state=None):
        news = vars(session).get("svm_lab_news", {}).get(state.fragment_id) if state and state.is_auto_rerun else None
        if news is None or news():
            rerun(session, state)

    return handle


def renews(news: Callable[[], bool]) -> None:
    """The part of a page that is being made and renews itself is from now on only made again where there is `news()`.

    That is called by the loop of the server, so it must not wait. A reader who acts is answered in any case.
    """
    with suppress(ImportError, AttributeError, RuntimeError):
        from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

        part, context = ThreadState.get().fragment_id, get_script_run_ctx(suppress_warning=True)
        if part and context and runtime.exists():
            found = runtime.get_instance()._session_mgr.get_active_session_info(context.session_id)
            if found:
                vars(found.session).setdefault("svm_lab_news", {})[part] = news


def undelayed(accept):
    """`accept(protocol, transport)`, with a connection that sends what is written to it at once.

    A connection that becomes a websocket stays as it is.
    """

    @wraps(accept)
    def accepted(protocol, transport):
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        accept(protocol, transport)

    return accepted


def corked(connect):
    """`connect(protocol, transport)`, with a transport that holds back what is written together."""

    @wraps(connect)
    def connected(protocol, transport):
        connect(protocol, transport)
        protocol.transport = Corked(transport, protocol.loop)

    return connected


class Corked:
    """A transport that writes at once, and what else comes in the same turn of the loop together."""

    def __init__(self, transport, loop):
        self._transport, self._loop, self._held = transport, loop, None

    def write(self, data: bytes) -> None:
        """As the transport does."""
        if self._held is None:
            self._held = []
            self._loop.call_soon(self._uncork)
            self._transport.write(data)
        else:
            self._held.append(data)

    def close(self) -> None:
        """As the transport does, after what is held back."""
        self._uncork()
        self._transport.close()

    def _uncork(self):
        held, self._held = self._held, None
        if held and not self._transport.is_closing():
            self._transport.write(b"".join(held))

    def __getattr__(self, name):
        return getattr(self._transport, name)


def once(populate):
    """`populate(message, section)`, which reads the configuration only in the first call for a section."""

    @lru_cache
    def made(section):
        theme = CustomThemeConfig()
        populate(theme, section)
        return theme

    @wraps(populate)
    def copied(message, section="theme"):
        message.MergeFrom(made(section))

    return copied
