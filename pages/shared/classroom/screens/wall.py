"""The screen for the projector: how to join, the question with its clock and bars, or the screen of the lecturer."""

from html import escape

import streamlit as st

from pages.shared.classroom import rooms
from pages.shared.classroom.rooms import Room
from pages.shared.classroom.screens import following, prompt_votes, vote_forms
from pages.shared.classroom.screens.following import HERE, PATHS, go_once, show_and_follow
from pages.shared.page import addresses
from pages.shared.page.run import current
from pages.shared.screen.schema import CODE, PRESENT, PROJECTED
from pages.shared.studies import formatting
from svmcore.words import with_count


def page(room: Room) -> bool:
    """The wall on the Room page; False if something is not ready and the page should be drawn again."""
    with st.container(key="room_wall"):
        show_and_follow(head, room.code)
        ready = prompt_votes.stage(room)
        show_and_follow(_bottom, room.code)
    return ready


def head(room: Room) -> None:
    """Top of the wall on every page: code, address, how many have voted. It follows the lecturer."""
    _follow(room)
    question = room.question if current().path == HERE else None
    size = "" if question else " svm-wall-large" if current().path == HERE else " svm-wall-small"
    votes = vote_forms.progress(room) if question else f"{with_count(room.members, 'browser')} here"
    clock = vote_forms.clock(question) if question else ""
    address = addresses.of_page(rooms.BALLOT).partition("//")[2]
    parts = (
        following.qr_image(room.code),
        f'<div class="svm-wall-code"><b>{escape(room.code)}</b><span>{escape(address)}</span></div>',
        f'<div class="svm-wall-count"><span>{escape(votes)}</span>{clock}</div>',
    )
    st.html(f'<div class="svm-wall{size}">{"".join(parts)}</div>')


def _bottom(room):
    """The free question, and what the class has been shown of the reasons."""
    question = room.question
    if question is None:
        return
    with st.container(key="room_over" if question.lesson_prompt else "room_question"):
        if not question.lesson_prompt:
            st.markdown(f"### {formatting.plain(question.text)}")
            texts = question.details.get("options", ())
            vote_forms.options(texts) if question.is_open else vote_forms.distribution(question)
        if not question.revealed:  # then there is what is right
            vote_forms.shown_reasons(question)


def _follow(room):
    """Go to the screen that the wall shows, if it is another one: that of the lecturer, or the Room page."""
    stem, link = room.screen or (rooms.BALLOT, {})
    path = HERE if room.wall else PATHS.get(stem, HERE)
    shown, revision = ({}, 0) if path == HERE else (link, room.revision)
    query = {**shown, CODE.name: room.code, PROJECTED.name: "1", PRESENT.name: "1"}
    go_once("walls", (room.code, path, revision), path, query)
