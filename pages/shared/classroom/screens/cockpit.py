"""The cockpit, the lecturer's side of a room: the question and what comes next, the links, where the browsers are."""

import streamlit as st

from pages.shared.classroom import polls, rooms, votes
from pages.shared.classroom.rooms import Room
from pages.shared.classroom.screens import asking, following, prompt_votes, room_line, vote_forms
from pages.shared.classroom.screens.following import PATHS, lecturer_key
from pages.shared.lessons.screens import navigation
from pages.shared.page import addresses, callbacks
from pages.shared.page.page import MENU
from pages.shared.screen.schema import KEY, PRESENT, PROJECTED
from pages.shared.studies import formatting
from svmcore.words import with_count

CLOCKS = {30: "30 s", 60: "1 min", 120: "2 min"}  # seconds
MOST_REASONS = 60  # that are listed
COOKIES = (
    "One vote for each browser, known by a cookie: a private window, or a browser that refuses cookies, can vote again."
)


def show_open_question(room: Room) -> None:
    """The question that is voted on, with what comes next."""
    question = room.question
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**Room {room.code}** · {with_count(room.members, 'browser')}", help=COOKIES)
            if question:
                st.markdown(f"**{vote_forms.progress(room)}**")
                if clock := vote_forms.clock(question):
                    st.html(clock)
            room_line.lead_switch(room)
        if question and not question.lesson_prompt:
            st.markdown(f"**{formatting.plain(question.text)}**")
            if not question.is_open:
                vote_forms.distribution(question)
        _buttons(room)
        if step := asking.next_step(room):
            st.caption(f"Next: {formatting.plain(asking.step_words(step))}")
        asking.trouble()
        with vote_forms.explain_refusals():
            _private_part(room)


def _buttons(room):
    """One row: what is done with the question, and the next one."""
    code, question = room.code, room.question
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="room_buttons"):
        if question and not question.revealed:
            if question.is_open:
                _button("Show the bars", "bars", "bar_chart", polls.show_bars, code,
                        help="The distribution without the answer, on wall and phones; no vote is taken.")  # fmt: skip
            else:
                _button("Back to the vote", "vote", "how_to_vote", polls.show_bars, code, False)
            if question.round == 1:
                _button("Second vote", "again", "replay", polls.again, code,
                        help="After the discussion: the first vote is kept, and shown beside it.")  # fmt: skip
            _button("Reveal", "reveal", "visibility", polls.reveal, code, type="primary",
                    help="The answer and the votes. Nobody can vote after that.")  # fmt: skip
        if step := asking.next_step(room):
            revealed = question is None or question.revealed
            _button("Next question", "next", "skip_next", asking.ask_step, code, step,
                    type="primary" if revealed else "secondary")  # fmt: skip
        if question:
            _button("Close the question", "shut", "close", polls.close_question, code,
                    help="It leaves the phones and the wall; its votes are kept.")  # fmt: skip
            if question.is_open:
                for seconds, words in CLOCKS.items():
                    _button(words, f"clock_{seconds}", "timer", polls.set_timer, code, seconds, type="tertiary")


def _button(label, name, icon, action, code, *arguments, **options):
    st.button(label, key=f"room_{name}", icon=f":material/{icon}:", on_click=asking.act,
              args=(action, code, lecturer_key(code), *arguments), **options)  # fmt: skip


def _private_part(room):
    """Show the lecturer alone the distribution, the reasons, the plan, where the browsers are."""
    question = room.question
    names = ["Where the browsers are", f"Plan ({room.step} of {len(room.plan)})" if room.plan else "", "All votes"]
    if question:
        names[:0] = ["" if question.revealed else "The distribution, for you alone", "Reasons"]
    chosen = st.pills(
        "For you alone", [name for name in names if name], key="room_behind", label_visibility="collapsed"
    )
    if chosen == "Reasons" and question:
        _reasons(room)
    elif chosen == "Where the browsers are":
        _places(room)
    elif chosen == "All votes":
        key = lecturer_key(room.code)  # the file is made outside of the session
        st.download_button(
            "All votes as CSV", lambda: formatting.UTF8 + votes.csv_text(polls.all_votes(room.code, key)),
            f"votes-{room.code}.csv", "text/csv", key="room_csv", on_click="ignore", icon=":material/download:",
        )  # fmt: skip
    elif chosen and chosen.startswith("Plan"):
        _plan(room)
    elif chosen and question and not question.revealed:
        prompt_votes.peek(room) if question.lesson_prompt else vote_forms.distribution(question)


def _reasons(room):
    """All reasons, each with a switch that shows it to the class."""
    found = polls.reasons(room.question, shown=False)[:MOST_REASONS]
    if not found:
        st.caption("Nobody has said why. Phones ask for it once a vote is cast.")
    for one in found:
        said = formatting.plain(votes.words(room.question, one.value))
        callbacks.show_widget(
            st.checkbox,
            f"{formatting.plain(one.text)}  (vote {one.round}: {said})",
            key=f"reason_shown_{one.number}_{one.round}",
            value=one.shown,
            act=asking.act,
            args=(polls.show_reason, room.code, lecturer_key(room.code), one.number),
        )


def _places(room):
    """A table: where the browsers are, and how many have answered."""
    found = rooms.places(room.code, lecturer_key(room.code))
    if not found:
        st.caption("No browser is in the room.")
        return
    done = [f"{one.done} of {one.browsers}" if "/" in one.place or one.place == rooms.BALLOT else "" for one in found]
    rows = [(_place_words(one.place), str(one.browsers), words) for one, words in zip(found, done, strict=True)]
    st.html(formatting.grid(("where", "browsers", "done"), rows))


def _place_words(place):
    stem, *where = place.split("/")
    label = MENU[PATHS[stem]][0] if stem in PATHS else "on the way"
    if place == rooms.BALLOT:
        return "the vote"
    if not stem or not where:
        return label
    lessons = navigation.lessons()
    if where[0] not in lessons:
        return f"{label}: an own lesson"
    found = lessons[where[0]]
    ids = [prompt.id for prompt in found.prompts]
    at = f", question {ids.index(where[1]) + 1} of {len(ids)}" if where[1] in ids else ", the end"
    return f"{found.title}{at}"


def _plan(room):
    """Each question of the plan as a button; those that were asked are marked."""
    with st.container(gap=None):
        for k, step in enumerate(room.plan):
            mark = "✓" if k < room.step else f"{k + 1}."
            _button(f"{mark} {asking.step_words(step)}", f"step_{k}", "arrow_right", asking.ask_step, room.code, step,
                    type="tertiary")  # fmt: skip


def show(room: Room) -> None:
    """Everything else that the lecturer does: links, questions, end."""
    code = room.code
    left, right = st.columns([0.4, 0.6], gap="large")
    with left:
        st.html(following.qr_image(code))
        st.markdown(f"### Room {code}")
        if addresses.is_local():
            st.caption(addresses.LOCAL)
        st.markdown("For students:")
        st.code(following.address(code), language=None, wrap_lines=True)
        st.markdown("For the projector, also in another window of this browser:")
        st.code(following.address(code, **{PROJECTED.name: 1, PRESENT.name: 1}), language=None, wrap_lines=True)
        st.markdown("For you alone: this link opens the cockpit on another computer. This browser needs none.")
        st.code(following.address(code, **{KEY.name: lecturer_key(code)}), language=None, wrap_lines=True)
        st.caption("Go to any page but Teach: everyone who follows you sees what you set there.")
        with st.popover("Delete the room", icon=":material/delete:"):
            st.markdown("The room and all its votes are deleted at once.")
            _button("Delete it now", "close", "delete", rooms.close, code)
    with right:
        asking.prompt_form(code, lecturer_key(code))
        with st.container():  # what follows stays in its place, and keeps the focus
            asking.trouble(in_form=True)
        asking.free_form(code, lecturer_key(code))
