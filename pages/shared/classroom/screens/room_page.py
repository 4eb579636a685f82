"""A room of a class: its page, on which it is opened or joined, and what its lecturer shows to it."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shared.classroom import rooms
from pages.shared.classroom.rooms import RoomError
from pages.shared.classroom.screens import lecturer, prompt_votes, room_line
from pages.shared.classroom.screens.following import HERE, NOT_READY, browser, find_room, own, show_and_follow
from pages.shared.controls.room import joined_code
from pages.shared.page import callbacks, url_state
from pages.shared.page.run import Run, current
from pages.shared.screen.schema import CODE, KEY, PRIVATE
from pages.shared.server.store import StoreError
from pages.shared.studies import formatting

NO_KEY = (
    "The key in this link does not open the cockpit, so this is the page of a student. Open the whole link that the "
    "cockpit shows under “For you alone”."
)
ASK = "First: ask your lecturer for the code of the room, then type it in under “Join a room”."
NOT_SHOWN = (*PRIVATE, "present", "scene")  # of a link, for the class


@contextmanager
def surround_page(run: Run) -> Iterator[None]:
    """On every page of a browser that has joined a room: what is voted on; in the end the class sees this screen."""
    code = rooms.read_code(joined_code()) if run.path != HERE else ""
    if code:
        with run.places.room:
            show_and_follow(room_line.show, code)
    yield
    if run.path != HERE and own().get("leads"):
        _publish(run)


def _publish(run):
    mine = own()
    link = {name: text for name, text in url_state.query().items() if name not in NOT_SHOWN}
    try:
        rooms.show(mine["code"], mine["key"], _stem(run.path), link)
    except (RoomError, StoreError) as error:
        run.note(formatting.plain(str(error)))


def page(code: str, key: str, projected: bool) -> None:
    """The Room page: a room is opened or joined; its cockpit with the key; its screen for the projector."""
    mine, typed = own(), code
    code = rooms.read_code(typed)
    if typed and not key:
        current().hint = ASK
    if not code:
        if typed:
            st.info(f"{formatting.plain(typed)} is not the code of a room. {rooms.CODES}", icon=":material/info:")
        return _door()
    if key and _opens(code, key):
        mine.update(code=code, key=key)
    room = find_room(code)
    if room is None:
        return _door()
    if key and mine.get("key") != key:
        st.info(NO_KEY, icon=":material/key_off:")
    current().hint = ""  # on how to begin
    mine["drawn"] = drawn = prompt_votes.state(room)
    ready = True
    if projected:
        left, right = st.columns([0.2, 0.8], gap="medium") if drawn else (st.container(), None)
        with left:
            show_and_follow(lecturer.wall, code, drawn is not None)
        if drawn:
            with right:
                ready = prompt_votes.stage(room)
    elif mine.get("code") == code and mine.get("key"):
        show_and_follow(lecturer.show_open_question, code, mine["key"])
        ready = drawn is None or prompt_votes.stage(room)
        lecturer.show(code, mine["key"])
    else:
        show_and_follow(room_line.show, code)
        ready = drawn is None or prompt_votes.stage(room, browser())
    if not ready:
        mine["drawn"] = NOT_READY


def _stem(path):
    return path.rpartition("/")[2].removesuffix(".py")


def _door():
    """Without a room: open one, or join one."""
    left, right = st.columns(2, gap="large")
    with left, st.container(border=True):
        st.header("Open a room", anchor=False)
        st.markdown(
            "Your class follows your screen on its own phones and votes, without accounts. The room is deleted after a "
            "day."
        )
        st.button("Open a room", icon=":material/meeting_room:", type="primary", key="room_open", on_click=_open)
    with right, st.container(border=True):
        st.header("Join a room", anchor=False)
        typed = st.text_input("Code of the room", key="room_code", max_chars=12)
        if typed and not rooms.read_code(typed):
            st.caption(rooms.CODES)
        st.button("Join", key="room_join", on_click=callbacks.with_values(_join, "room_code"))


def _open():
    try:
        code, key = rooms.open_room()
    except (RoomError, StoreError) as error:
        current().refuse(formatting.plain(str(error)))
        return
    own().update(code=code, key=key, leads=True)
    url_state.give(CODE.name, code)
    url_state.give(KEY.name, key)


def _join(typed):
    code = rooms.read_code(typed)
    if code:
        url_state.give(CODE.name, code)


def _opens(code, key):
    try:
        return rooms.is_key(code, key)
    except (RoomError, StoreError):
        return False
