"""The line of a room at the top of each page: what is voted on, and the screen of the lecturer, which is followed."""

import time
from contextlib import suppress
from pathlib import Path

import streamlit as st

from pages.shared.classroom import rooms
from pages.shared.classroom.rooms import Room
from pages.shared.classroom.screens import vote_forms
from pages.shared.classroom.screens.following import HERE, PATHS, browser, find_room, go_once, lecturer_key, own
from pages.shared.classroom.watched import watched
from pages.shared.page import callbacks, url_state
from pages.shared.page.run import current
from pages.shared.screen.schema import CODE, PRIVATE, SECTION
from pages.shared.server.store import StoreError

NOT_SHOWN = (*PRIVATE, "present", "scene")  # of a link, for the class
TEACH = "pages/teach.py"  # with right answers and hand-ins; the class sees its exercise sheet alone
NOTED = 15.0  # seconds between two notes that a browser is there


def show(room: Room) -> None:
    """The line of a room; a part of the page that renews itself."""
    code, mine, now = room.code, own(), time.monotonic()
    leads = bool(lecturer_key(code))
    if not leads and now - mine.get("noted", -NOTED) >= NOTED:
        with suppress(StoreError):
            rooms.note({(code, browser()): (0.0, *mine.get("place", ("", False)))})
            mine["noted"], mine["as"] = now, browser()
        room = find_room(code, say=show_refusal)  # in which this browser is counted
        if room is None:
            return
    stem, link = room.screen or ("", {})
    if stem in PATHS and not leads and mine.get("follows", True):  # this server may not have the page
        go_once("seen", (code, room.revision), PATHS[stem], {**link, CODE.name: code})
    else:
        mine.pop("led", None)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**Room {code}** · {room.members} here")
        if leads:
            lead_switch(room)
            st.page_link(HERE, label="Cockpit", icon=":material/groups:", query_params={CODE.name: code})
        else:
            follows = mine.get("follows", True)
            callbacks.show_widget(st.toggle, "Follow", key="room_follows", value=follows, act=_follow)
            _leave_button()
    if room.question and room.question.lesson_prompt:
        _prompt_line(room)
    elif room.question:
        vote_forms.ballot(room, browser()) if not leads else vote_forms.show_question(room)
    elif not leads and (not room.screen or current().path == HERE):
        st.caption("Nothing is asked at the moment. This page changes by itself.")


def _prompt_line(room):
    """Sentence on the vote on a prompt, and, on other pages, the way to it."""
    if current().path == HERE:
        vote_forms.show_progress(room)
        return
    if not room.question.revealed:
        vote_forms.show_question(room)
    label = "See what came out" if room.question.revealed else "Answer it"
    st.page_link(HERE, label=label, icon=":material/how_to_vote:", query_params={CODE.name: room.code})


def show_refusal(text: str) -> None:
    """A sentence in one line, which takes nothing from the pictures."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(text)
        _leave_button()


def _leave_button():
    st.button("Leave", key="room_leave", type="tertiary", icon=":material/logout:", on_click=_leave)


def _leave():
    st.session_state["room_joined"] = {}
    url_state.forget(CODE.name)
    st.session_state["room_left"] = True


def _follow(follows):
    own().update(follows=follows, seen=None)


def lead_switch(room: Room) -> None:
    """Switch that shows this screen to the class, and why it is not shown at the moment."""
    callbacks.show_widget(
        st.toggle, "The class follows my screen", key="room_leads", value=room.follows, act=_lead, args=(room.code,)
    )
    if room.follows and room.is_voting:
        st.caption("It waits while there is a question: reveal the answer or close the question.")
    elif room.follows and current().path == TEACH:
        st.caption("Of this page the class sees only the exercise sheet.")


def _lead(code, leads):
    with vote_forms.explain_refusals(current().refuse):
        rooms.lead(code, lecturer_key(code), leads)
        if leads and current().path != HERE:
            publish(code)


def publish(code: str) -> None:
    """Show the class this screen, unless it votes, does not follow or must not see it; RoomError, StoreError."""
    room = watched.room(code)
    if not room.follows or room.is_voting:
        return
    link = {name: text for name, text in url_state.query().items() if name not in NOT_SHOWN}
    if current().path == TEACH and link.get(SECTION.name) != "exercise":
        return
    rooms.show(code, lecturer_key(code), Path(current().path).stem, link)
