"""The line of a room at the top of each page: what is voted on, and the screen of the lecturer, which is followed."""

import time

import streamlit as st

from pages.shared import callbacks, carried, delivery, tables
from pages.shared.controls.room import CODE, KEY
from pages.shared.parts import room_votes
from pages.shared.parts.room_watch import HERE, again_if_changed, again_without_room, browser, news, own
from pages.shared.rooms import rooms
from pages.shared.rooms.rooms import RoomError
from pages.shared.rooms.store import StoreError
from pages.shared.rooms.watched import watched

NOTED = 15.0  # seconds between two notes that a browser is there


def show(code: str) -> None:
    """The line of the room with this code; a part of the page that renews itself."""
    if st.session_state.pop("room_left", False):
        st.rerun(scope="app")
    mine, now = own(), time.monotonic()
    leads = mine.get("code") == code and bool(mine.get("key"))
    noted = now - mine.get("noted", -NOTED) >= NOTED and not leads
    delivery.renews(lambda: True)  # where the store does not answer, it is asked again
    try:
        room = rooms.look(code, browser()) if noted else watched.room(code)
        delivery.renews(news(room))
    except (RoomError, StoreError) as error:
        if isinstance(error, RoomError):
            again_without_room()
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(tables.plain(str(error)))
            _leave_button()
        return
    if noted:
        mine["noted"], mine["as"] = now, browser()
    again_if_changed(room)
    if not leads and mine.get("follows", True) and room.screen and mine.get("seen") != (code, room.revision):
        mine["seen"] = code, room.revision
        if _go(code, room.screen):
            return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**Room {code}** · {room.members} here")
        if leads:
            lead_switch()
            query = {CODE.name: code, KEY.name: mine["key"]}
            st.page_link(HERE, label="Cockpit", icon=":material/groups:", query_params=query)
        else:
            follows = mine.get("follows", True)
            callbacks.changing(st.toggle, "Follow", key="room_follows", value=follows, act=_follow)
            _leave_button()
    if room.question and room.question.asked:
        _prompt_line(room)
    elif room.question:
        room_votes.ballot(room, browser()) if not leads else room_votes.asked(room)
    elif not room.screen:
        st.caption("Nothing is shown yet. This page changes by itself.")


def _prompt_line(room):
    """What is said of the vote on a prompt, and, on other pages, the way to it."""
    if st.session_state["path"] == HERE:
        return st.caption(room_votes.counts(room))
    if not room.question.revealed:
        room_votes.asked(room)
    label = "See what came out" if room.question.revealed else "Answer it"
    st.page_link(HERE, label=label, icon=":material/how_to_vote:", query_params={CODE.name: room.code})


def _leave_button():
    st.button("Leave", key="room_leave", type="tertiary", icon=":material/logout:", on_click=_leave)


def _leave():
    st.session_state["room_joined"] = {}
    carried.forget(CODE.name)
    st.session_state["room_left"] = True


def _follow(follows):
    own().update(follows=follows, seen=None)


def lead_switch() -> None:
    """Whether this browser, which has opened the room, shows its screen to the class."""
    led = own().get("leads", False)
    callbacks.changing(st.toggle, "The class follows my screen", key="room_leads", value=led, act=_lead)


def _lead(leads):
    own()["leads"] = leads


def _go(code, screen):
    """Open the screen of the lecturer; False for a page that this server does not have, and for the vote shown here."""
    stem, link = screen
    path = "home.py" if stem == "home" else f"pages/{stem}.py"
    if path not in st.session_state["paths"] or path == HERE == st.session_state["path"]:
        return False
    st.switch_page(path, query_params={**link, CODE.name: code})
