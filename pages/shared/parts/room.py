"""A room of a class: its page, on which it is opened or joined, and what its lecturer shows to it."""

import streamlit as st

from pages.shared import callbacks, carried, controls, tables
from pages.shared.controls.room import CODE, KEY, PRIVATE
from pages.shared.parts import room_cockpit, room_line, room_prompt
from pages.shared.parts.room_watch import HERE, NOT_READY, browser, looked, own, renewed
from pages.shared.rooms import rooms
from pages.shared.rooms.rooms import RoomError
from pages.shared.rooms.store import StoreError

NO_KEY = (
    "The key in this link does not open the cockpit, so this is the page of a student. Open the whole link that stands "
    "in the cockpit under “For you alone”."
)
ASK = "First: ask your lecturer for the code of the room, then type it in under “Join a room”."
NOT_SHOWN = (*PRIVATE, "present", "scene")  # of a link, for the class


def line() -> None:
    """On every page of a browser that has joined a room: what is voted on, and the screen of the lecturer."""
    if st.session_state["path"] == HERE:
        return
    code = rooms.read_code(controls.joined())
    if code:
        with st.session_state["room_place"]:
            renewed(room_line.show, code)


def publish() -> None:
    """At the end of a run: the class sees this screen, if this browser leads it."""
    mine = own()
    if st.session_state["path"] == HERE or not mine.get("leads"):
        return
    link = {name: text for name, text in carried.query().items() if name not in NOT_SHOWN}
    try:
        rooms.show(mine["code"], mine["key"], _stem(st.session_state["path"]), link)
    except (RoomError, StoreError) as error:
        controls.note(tables.plain(str(error)))


def page(code: str, key: str, projected: bool) -> None:
    """The Room page: a room is opened or joined; its cockpit with the key; its screen for the projector."""
    mine, typed = own(), code
    code = rooms.read_code(typed)
    if typed and not key:
        st.session_state["hint"] = ASK
    if not code:
        if typed:
            st.info(f"{tables.plain(typed)} is not the code of a room. {rooms.CODES}", icon=":material/info:")
        return _door()
    if key and _opens(code, key):
        mine.update(code=code, key=key)
    room = looked(code)
    if room is None:
        return _door()
    if key and mine.get("key") != key:
        st.info(NO_KEY, icon=":material/key_off:")
    st.session_state["hint"] = ""  # on how to begin
    mine["drawn"] = drawn = room_prompt.state(room)
    ready = True
    if projected:
        left, right = st.columns([0.2, 0.8], gap="medium") if drawn else (st.container(), None)
        with left:
            renewed(room_cockpit.wall, code, drawn is not None)
        if drawn:
            with right:
                ready = room_prompt.stage(room)
    elif mine.get("code") == code and mine.get("key"):
        renewed(room_cockpit.running, code, mine["key"])
        ready = drawn is None or room_prompt.stage(room)
        room_cockpit.show(code, mine["key"])
    else:
        renewed(room_line.show, code)
        ready = drawn is None or room_prompt.stage(room, browser())
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
        st.button("Join", key="room_join", on_click=callbacks.reading(_join, "room_code"))


def _open():
    try:
        code, key = rooms.open_room()
    except (RoomError, StoreError) as error:
        controls.refuse(tables.plain(str(error)))
        return
    own().update(code=code, key=key, leads=True)
    carried.give(CODE.name, code)
    carried.give(KEY.name, key)


def _join(typed):
    code = rooms.read_code(typed)
    if code:
        carried.give(CODE.name, code)


def _opens(code, key):
    try:
        return rooms.is_key(code, key)
    except (RoomError, StoreError):
        return False
