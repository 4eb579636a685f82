"""What every part of a page knows of its room: what this session has to do with it, and whether it has changed."""

import secrets
from collections.abc import Callable

import streamlit as st

from pages.shared import tables, traffic
from pages.shared.parts import room_prompt
from pages.shared.rooms.rooms import Room, RoomError
from pages.shared.rooms.store import StoreError
from pages.shared.rooms.watched import watched
from pages.shared.traffic import COOKIE

EVERY = 1.5  # seconds between two looks at the room
HERE = "pages/room.py"
NOT_READY = "not ready"  # in the place of what is drawn: it is still computed

traffic.regularly(watched.flush)


def renewed(part: Callable, *arguments) -> None:
    """A part of the page that is made again when the room has changed; pages come first."""
    st.fragment(_updated, run_every=EVERY)(part, *arguments)


def _updated(part, *arguments):
    with traffic.update():
        part(*arguments)


def own() -> dict:
    """What this session knows of its room: the code and the key if it opened it, whether it leads or follows it."""
    return st.session_state.setdefault("room_joined", {})


def browser() -> str:
    """A random number of this browser: from the cookie that the server sets, else of this session."""
    cookies = st.context.cookies.to_dict()
    return cookies.get(COOKIE, "")[:64] or own().setdefault("browser", secrets.token_urlsafe(12))


def news(room: Room, every: bool = False) -> Callable[[], bool]:
    """Whether the part that shows this `room` must be made again; with `every` change of the store.

    A browser that asks is there.
    """
    mine, seen = own(), watched.seen

    def changed():
        if "as" in mine:
            watched.here(room.code, mine["as"])
        try:
            now = watched.room(room.code)
        except (RoomError, StoreError):
            return True
        return mine.get("drawn") == NOT_READY or now != room or (every and watched.seen != seen)

    return changed


def again_if_changed(room: Room) -> None:
    """Draw the page again if the vote on a prompt has gone on: its pictures stand outside of what repeats itself."""
    if st.session_state["path"] == HERE and own().get("drawn") != room_prompt.state(room):
        st.rerun(scope="app")


def again_without_room() -> None:
    """The same where the room has been deleted: its pictures leave the page."""
    if st.session_state["path"] == HERE and own().pop("drawn", None):
        st.rerun(scope="app")


def looked(code: str) -> Room | None:
    """The room now; None, with a sentence, if there is none or the store does not answer."""
    try:
        return watched.room(code)
    except RoomError as error:
        again_without_room()
        st.info(tables.plain(str(error)), icon=":material/info:")
    except StoreError as error:
        st.info(tables.plain(str(error)), icon=":material/info:")
    return None
