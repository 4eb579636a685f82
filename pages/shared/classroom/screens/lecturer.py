"""The lecturer's side of a room: the cockpit with the links and the questions, and the screen for the projector."""

from html import escape
from urllib.parse import urlsplit

import segno
import streamlit as st

from pages.shared.classroom import network, rooms, votes
from pages.shared.classroom.screens import asking, prompt_votes, room_line, vote_forms
from pages.shared.classroom.screens.following import again_if_changed, find_room, news
from pages.shared.screen.schema import CODE, KEY, PRESENT, PROJECTED
from pages.shared.server import streamlit_hooks
from pages.shared.studies import formatting
from svmcore.words import with_count

ONLY_HERE = ("localhost", "127.0.0.1", "::1")


def _address(code, **others):
    """The link of this page for a room."""
    base = (st.context.url or "").split("?")[0]
    return f"{base}?" + "&".join(f"{name}={value}" for name, value in {CODE.name: code, **others}.items())


def _qr(code):
    """The QR code of the link for students, dark on light in any theme."""
    picture = segno.make(_address(code), error="m", micro=False)
    source = picture.svg_data_uri(scale=6, border=3, dark="#000", light="#fff")
    st.html(f'<img class="svm-qr" src="{escape(source)}" alt="QR code of the link for students">')
    here = urlsplit(st.context.url or "")
    if here.hostname in ONLY_HERE:
        other = network.address()
        port = f":{here.port}" if here.port else ""
        where = f"`{here.scheme}://{other}{port}`" if other else "the address that this computer has in its network"
        st.info(
            f"Phones cannot open `{here.hostname}`, which means “this computer”. Open the links of this room with "
            f"{where} at their beginning: the room stays the same, and its QR code is then right.",
            icon=":material/wifi:",
        )


def wall(code: str, beside: bool) -> None:
    """Show the wall: how to join, the question, and the results; `beside` a question of a lesson."""
    streamlit_hooks.ask_for_news(lambda: True)
    room = find_room(code)
    if room is None:
        return
    streamlit_hooks.ask_for_news(news(room))
    again_if_changed(room)
    left, right = (st.container(), None) if beside else st.columns([0.45, 0.55], gap="large")
    with left, st.container(key="room_beside" if beside else "room_wall"):
        _qr(code)
        st.markdown(f"## {code}")
        st.markdown(f"{formatting.plain(_address(code))}  \n{with_count(room.members, 'browser')} here")
        if beside:
            st.markdown(f"**{vote_forms.counts(room)}**")
    if beside:
        return
    with right, st.container(key="room_question"):
        if room.question:
            vote_forms.show_question(room)
            if not room.question.revealed:
                options = room.question.details.get("options", ())
                st.markdown("\n".join(f"{k}. {formatting.plain(option)}" for k, option in enumerate(options, 1)))
        else:
            st.markdown(
                "## Join in\nScan the code with a phone, or type in the address below it. There are no accounts."
            )


def show_open_question(code: str, key: str) -> None:
    """The question that is voted on, with what comes next."""
    streamlit_hooks.ask_for_news(lambda: True)
    room = find_room(code)
    if room is None:
        return
    streamlit_hooks.ask_for_news(news(room, every=True))
    again_if_changed(room)
    question = room.question
    with st.container(border=True):
        st.caption(f"Room {code} · {with_count(room.members, 'browser')} here")
        if question is None:
            st.markdown("No question has been asked yet.")
            return
        if question.lesson_prompt:
            st.markdown(f"**{vote_forms.counts(room)}**")
        else:
            vote_forms.show_question(room)
        with st.container(horizontal=True):
            if not question.revealed:
                st.button("Reveal", icon=":material/visibility:", key="room_reveal", type="primary",
                          on_click=asking.act, args=(rooms.reveal, code, key))  # fmt: skip
            elif question.round == 1:
                st.button("Second vote", icon=":material/replay:", key="room_again",
                          on_click=asking.act, args=(rooms.again, code, key))  # fmt: skip
            st.download_button(
                "All votes as CSV", lambda: votes.csv_text(rooms.all_votes(code, key)), f"votes-{code}.csv",
                "text/csv", key="room_csv", on_click="ignore", icon=":material/download:",
            )  # fmt: skip
        if not question.revealed:
            with st.expander("The distribution, for you alone", key="room_peek", on_change="rerun") as box:
                if box.open:
                    prompt_votes.peek(room) if question.lesson_prompt else vote_forms.distribution(question)


def show(code: str, key: str) -> None:
    """Everything else that the lecturer does: links, questions, end."""
    left, right = st.columns([0.4, 0.6], gap="large")
    with left:
        _qr(code)
        st.markdown(f"### Room {code}")
        st.markdown("For students:")
        st.code(_address(code), language=None, wrap_lines=True)
        st.markdown("For the projector:")
        st.code(_address(code, **{PROJECTED.name: 1, PRESENT.name: 1}), language=None, wrap_lines=True)
        st.markdown("For you alone: this link opens the cockpit again, also on another computer.")
        st.code(_address(code, **{KEY.name: key}), language=None, wrap_lines=True)
        room_line.lead_switch()
        st.caption("Go to any page: everyone who follows you sees what you set there.")
        with st.popover("Delete the room", icon=":material/delete:"):
            st.markdown("The room and all its votes are deleted at once.")
            st.button("Delete it now", key="room_close", on_click=asking.act, args=(rooms.close, code, key))
    with right:
        asking.forms(code, key)
