"""A room of a class: its page, on which it is opened or joined, and what its lecturer shows to it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import streamlit as st

from pages.shared.classroom import rooms
from pages.shared.classroom.rooms import RoomError
from pages.shared.classroom.screens import cockpit, prompt_votes, room_line, vote_forms, wall
from pages.shared.classroom.screens.following import HERE, NOT_READY, find_room, lecturer_key, own, show_and_follow
from pages.shared.controls.widgets import checked_value, keep
from pages.shared.page import callbacks, url_state
from pages.shared.page.run import Run, current, session
from pages.shared.screen.schema import CODE, GIVEN, KEY, LESSON, PRESENT, PROJECTED, PROMPT
from pages.shared.server import sessions
from pages.shared.server.sessions import browser
from pages.shared.server.store import StoreError
from pages.shared.studies import formatting

NO_KEY = (
    "The key in this link does not open the cockpit, so this is the page of a student. Open the whole link that the "
    "cockpit shows under “For you alone”."
)
ASK = "First: ask your lecturer for the code of the room, then type it in under “Join a room”."


@contextmanager
def surround_page(run: Run) -> Iterator[None]:
    """On every page of a browser that has joined a room: what is voted on; in the end the class sees this screen.

    On other pages than its own the wall has a line with the code, and no hints.
    """
    code, projected = "", False
    if run.path != HERE:
        _take_key()
        code, projected = rooms.read_code(checked_value(CODE)), keep(PROJECTED)
    if code:
        run.tour = False
        with run.places.room:
            if projected:
                show_and_follow(wall.head, code)
            else:
                show_and_follow(room_line.show, code, say=room_line.show_refusal)
    if projected:
        run.hint = ""
    yield
    if code and not projected:
        _finish(run, code)


def _take_key():
    """The key of the cockpit in the link, "" without one; it leaves the address once it was read."""
    key = checked_value(KEY)
    url_state.forget(KEY.name)
    return key


def _finish(run, code):
    """The class sees this screen, or the lecturer where this browser is."""
    with vote_forms.explain_refusals(run.note):
        if lecturer_key(code):
            room_line.publish(code)
            return
    stem, values = Path(run.path).stem, session().values
    lesson, prompt = (values.get(field.name) or "" for field in (LESSON, PROMPT))
    if stem != "lessons" or not prompt:  # the first chapter asks nothing
        own()["place"] = stem, False
    else:
        done = bool(values.get(GIVEN.name)) or prompt == "end"
        own()["place"] = f"{stem}/{lesson}/{prompt}", done


def page() -> None:
    """The Room page: a room is opened or joined; the cockpit of its lecturer; its screen for the projector."""
    mine, typed, key, projected = own(), checked_value(CODE), _take_key(), keep(PROJECTED)
    code = rooms.read_code(typed)
    if typed and not key:
        current().hint = ASK
    if not code:
        if typed:
            st.info(f"{formatting.plain(typed)} is not the code of a room. {rooms.CODES}", icon=":material/info:")
        return _door()
    if key:  # this browser becomes the lecturer's, if the key is right
        with suppress(RoomError, StoreError):
            rooms.make_lecturer(code, key, browser())
            mine.update(code=code, key=key)
    room = find_room(code)
    if room is None:
        return _door()
    if key and not lecturer_key(code):
        st.info(NO_KEY, icon=":material/key_off:")
    current().hint = ""  # on how to begin
    mine["drawn"] = prompt_votes.state(room)
    if projected:
        if current().arrived:
            url_state.give(PRESENT.name, 1)
        ready = wall.page(room)
    elif lecturer_key(code):
        show_and_follow(cockpit.show_open_question, code, every=True)
        ready = prompt_votes.stage(room)
        cockpit.show(room)
    else:
        mine["place"] = rooms.BALLOT, False
        show_and_follow(room_line.show, code, say=room_line.show_refusal)
        ready = prompt_votes.stage(room, browser())
    if not ready:
        mine["drawn"] = NOT_READY


def _door():
    """Without a room: open one, or join one."""
    left, right = st.columns(2, gap="large")
    with left, st.container(border=True):
        st.header("Join a room", anchor=False)
        typed = st.text_input("Code of the room", key="room_code", max_chars=12)
        if typed and not rooms.read_code(typed):
            st.caption(rooms.CODES)
        st.button("Join", key="room_join", type="primary", on_click=callbacks.with_values(_join, "room_code"))
    with right, st.container(border=True):
        st.header("Open a room", anchor=False)
        st.markdown(
            "For lecturers: your class follows your screen on its own phones and votes, without accounts. The room is "
            "deleted after a day, or after an hour in which nobody has joined."
        )
        with st.container(horizontal=True):
            st.button("Open a room", icon=":material/meeting_room:", key="room_open", on_click=open_room)
            with suppress(StoreError):
                for code in rooms.keys_of(browser()):
                    st.button(f"Back to room {code}", icon=":material/groups:", key=f"room_back_{code}",
                              on_click=callbacks.with_values(url_state.give), args=(CODE.name, code))  # fmt: skip


def open_room() -> str:
    """Open a room whose lecturer is this browser: its code, "" where that is refused, with a note. For callbacks."""
    with vote_forms.explain_refusals(current().refuse):
        code, key = rooms.open_room(browser(), sessions.address())
        own().update(code=code, key=key)
        url_state.give(CODE.name, code)
        return code
    return ""


def _join(typed):
    if code := rooms.read_code(typed):
        url_state.give(CODE.name, code)
    else:  # what was said of the code before does not stay
        url_state.forget(CODE.name)
