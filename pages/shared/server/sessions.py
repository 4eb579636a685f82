"""The sessions of this process: the one whose run a thread makes, its browser, and whether that is connected.

Middleware of the server knows the open websockets by the key of their handshake, and a run finds this key in the
headers of its session.
"""

import asyncio
import hashlib
import secrets
import weakref
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from ipaddress import ip_address

import streamlit as st
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime.scriptrunner import get_script_run_ctx

COOKIE = "svm_lab_browser"  # holds a random number of a browser, see `static_files.number_browsers`
STAND_IN = "svm_lab_browser"  # in the session: the number of a browser that takes no cookie
HANDSHAKE = "sec-websocket-key"
PULSE = "svm-lab: are you there?"  # what a browser asks on a websocket that has been silent, and the answer
AWAY = 10.0  # seconds after which a session has left rather than reconnects
REMEMBERED = 4096  # sessions of which it is known whether they have left
_open: dict[str, str] = {}  # the addresses of the websockets that are open, by their handshakes
_handshakes: OrderedDict[str, str] = OrderedDict()  # of sessions, the last seen at the end
_loops: weakref.WeakValueDictionary[str, asyncio.AbstractEventLoop] = weakref.WeakValueDictionary()  # of sessions


def current() -> str | None:
    """The session whose run this thread makes; None elsewhere."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else None


def browser() -> str:
    """A name of this browser, which nobody can guess, and of which its cookie cannot be computed.

    A browser that takes no cookie has another name in each of its sessions.
    """
    cookie = st.context.cookies.to_dict().get(COOKIE)
    number = cookie or st.session_state.setdefault(STAND_IN, secrets.token_urlsafe(16))
    return hashlib.sha256(number.encode()).hexdigest()[:32]


def address() -> str:
    """The address from which this session comes, see `address_of`; "" for one without a websocket."""
    return _open.get(st.context.headers.get(HANDSHAKE, ""), "")


def address_of(scope: Scope) -> str:
    """The address from which a request or a websocket comes: that which a proxy says if this is one of a local network,
    "" for this machine.
    """
    host = (scope.get("client") or ("",))[0]
    with suppress(ValueError):
        if not ip_address(host).is_private:
            return host
    said = Headers(scope=scope).get("x-forwarded-for", "").rpartition(",")[2].strip()
    return said or ("" if host in ("127.0.0.1", "::1") else host)


def arrive() -> str | None:
    """The session whose run this thread makes, from now on with the websocket that it uses."""
    session = current()
    if session:
        with suppress(RuntimeError):
            _loops[session] = asyncio.get_event_loop()
    if session and _handshakes.get(session) not in _open:
        handshake = st.context.headers.get(HANDSHAKE)
        if handshake in _open:
            _handshakes[session] = handshake
            _handshakes.move_to_end(session)
            while len(_handshakes) > REMEMBERED:
                _handshakes.popitem(last=False)
    return session


def is_connected(session: str) -> bool:
    """True if the session has a browser; true of sessions without a websocket, as those of tests."""
    handshake = _handshakes.get(session)
    return handshake is None or handshake in _open


def is_here(session: str) -> bool:
    """True if the session has made a page for a browser that is connected."""
    return _handshakes.get(session) in _open


def count() -> int:
    """The number of sessions with a browser."""
    return len(set(_open).intersection(_handshakes.copy().values()))


def middleware(handle: Callable) -> Callable[[ASGIApp], ASGIApp]:
    """Middleware out of a function `handle(app, scope, receive, send)`, which answers as the app does if not said."""
    return lambda app: partial(handle, app)


@middleware
async def note_websockets(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Middleware: notes which websockets are open, and answers a browser that asks whether one still is.

    Each session has an asyncio loop for its runs, which holds three file descriptors and does nothing here; Streamlit
    closes it when it forgets the session, which may be never, and makes another one if the session comes back.
    """
    if scope["type"] != "websocket":
        return await app(scope, receive, send)

    async def receive_others():
        while (message := await receive()).get("text") == PULSE:
            await send({"type": "websocket.send", "text": PULSE})
        return message

    handshake = Headers(scope=scope).get(HANDSHAKE, "")
    _open[handshake] = address_of(scope)
    try:
        await app(scope, receive_others, send)
    finally:
        _open.pop(handshake, None)
        asyncio.get_running_loop().call_later(AWAY, _close_loops, handshake)


def _close_loops(handshake):
    """Closes the loops of sessions that have left with this websocket and have not come back.

    On the loop of the server, which also makes new runs: none begins meanwhile.
    """
    for session in [session for session, used in _handshakes.items() if used == handshake]:
        loop = _loops.pop(session, None)
        if loop and not loop.is_running() and not is_here(session):
            loop.close()
