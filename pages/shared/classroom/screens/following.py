"""The room of a session, for every part of a page: whether it leads or follows the room, and whether that changed."""

import time
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.shared.classroom import rooms
from pages.shared.classroom.rooms import Room, RoomError
from pages.shared.classroom.screens import prompt_votes
from pages.shared.classroom.screens.vote_forms import explain_refusals, show_refusal
from pages.shared.classroom.watched import watched
from pages.shared.page import addresses, url_state
from pages.shared.page.page import MENU
from pages.shared.page.run import current
from pages.shared.screen.schema import CODE
from pages.shared.server import health, run_queue, sessions, streamlit_hooks
from pages.shared.server.sessions import browser
from pages.shared.server.store import StoreError

EVERY = 1.5  # seconds between two looks at the room
AGAIN = 5.0  # seconds after which a browser that did not come is led once more
HERE = "pages/room.py"
PATHS = {Path(path).stem: path for path in MENU}  # of the pages, by the names that screens of a room have
NOT_READY = "not ready"  # in the place of what is drawn: it is still computed

health.add_task(watched.flush)
health.add_task(watched.keep_time)


def show_and_follow(part: Callable[[Room], None], code: str, every=False, say: Callable = show_refusal) -> None:
    """A part of the page, `part(room)`, that is made again when the room has changed; pages come first.

    `every` and `say` as in `find_room`.
    """

    def show_part():
        if st.session_state.pop("room_left", False):
            st.rerun(scope="app")
        if room := find_room(code, every, say):
            if current().path == HERE and own().get("drawn") != prompt_votes.state(room):
                st.rerun(scope="app")  # the vote on a prompt has gone on: its pictures stand outside of this part
            part(room)

    run_queue.repeat(show_part, EVERY)


def own() -> dict:
    """Return the room of this session: its code, the key if the browser is its lecturer, and whether it follows."""
    return st.session_state.setdefault("room_joined", {})


def lecturer_key(code: str) -> str:
    """The key of the room if this browser is its lecturer, else "": by the store, so also after a restart."""
    mine = own()
    if mine.get("code") != code or "key" not in mine:
        try:
            mine.update(code=code, key=rooms.keys_of(browser()).get(code, ""))
        except StoreError:
            return ""
    return mine["key"]


def address(code: str, **others) -> str:
    """The link of the Room page for a room, as phones can open it."""
    return addresses.of_page(rooms.BALLOT, **{CODE.name: code}, **others)


def qr_image(code: str) -> str:
    """The QR code of the link for students as HTML."""
    return addresses.qr_image(address(code), "QR code of the link for students")


def go_once(key: str, screen: tuple, path: str, query_params: dict[str, str]) -> None:
    """Lead this browser to a `screen` at `path`, once: `own()[key]` is the last one it was led to.

    A browser that has not come after `AGAIN` seconds, such as one that was cut off, is led there again.
    """
    mine, now = own(), time.monotonic()
    led, since = mine.pop("led", (None, 0.0))
    if mine.get(key) == screen:
        return
    if led != screen or now - since >= AGAIN:
        since = now
    if path != current().path:
        mine["led"] = screen, since
    else:
        mine[key] = screen
        if led == screen or path == HERE:
            return
    url_state.lead_to(path, query_params, "room", since)


def look(code: str) -> Room:
    """The room now; raises StoreError, RoomError where there is none, and for a browser that guesses codes.

    Who is in a room, and its lecturer, guess nothing.
    """
    mine = own()
    if mine.get("found") == code or lecturer_key(code):
        return watched.room(code)
    who = browser(), sessions.address()
    if rooms.WRONG.is_reached(*who):
        raise RoomError("Too many codes of no room came from here: wait a minute, then try again.")
    try:
        room = watched.room(code)
    except RoomError:
        rooms.WRONG.note(code, *who)
        raise
    mine["found"] = code
    return room


def news(room: Room, every: bool = False) -> Callable[[], bool]:
    """True if the part that shows this `room` must be made again; with `every`, after any change of the store.

    A browser that asks is there.
    """
    mine, seen = own(), watched.seen

    def room_changed():
        if "as" in mine:
            watched.here(room.code, mine["as"], *mine.get("place", ()))
        try:
            now = watched.room(room.code)
        except (RoomError, StoreError):
            return True
        return mine.get("drawn") == NOT_READY or "led" in mine or now != room or (every and watched.seen != seen)

    return room_changed


def find_room(code: str, every: bool = False, say: Callable = show_refusal) -> Room | None:
    """The room now; None, and `say` a sentence, if there is none or the store does not answer.

    A part of the page that asks is made again where there is `news`; `every` as there.
    """
    streamlit_hooks.ask_for_news(lambda: True)  # where the store does not answer, it is asked again
    with explain_refusals(say):
        try:
            room = look(code)
        except RoomError:
            if current().path == HERE and own().pop("drawn", None):
                st.rerun(scope="app")  # it has been deleted: its pictures leave the page
            raise
        streamlit_hooks.ask_for_news(news(room, every))
        return room
    return None
