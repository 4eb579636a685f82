"""A free question of a room, which needs no picture: the vote on it, and what came out, in a table with bars."""

from html import escape

import streamlit as st

from pages.shared.classroom import rooms, votes
from pages.shared.classroom.rooms import Room, RoomError
from pages.shared.classroom.votes import Question
from pages.shared.server.store import StoreError
from pages.shared.studies import formatting
from svmcore.words import THIN, with_count

ENDS = ("low", "high")  # of a number that is voted on
COUNTED = "Your vote is counted; you can change it until the reveal."


def ballot(room: Room, browser: str) -> None:
    """The question with the means to vote, and the distribution after the reveal."""
    question = room.question
    show_question(room)
    if question.revealed:
        return
    given = rooms.find_vote(browser, question)
    key = f"vote-{question.id}-{question.round}"
    if question.kind == "choose":
        options = question.details["options"]
        picked = st.radio(
            "Your vote",
            range(len(options)),
            index=given,
            format_func=lambda k: formatting.plain(options[k]),
            key=key,
            label_visibility="collapsed",
        )
    else:
        low, high = (None if question.details.get(name) is None else float(question.details[name]) for name in ENDS)
        picked = st.number_input("Your vote", low, high, given, key=key, label_visibility="collapsed")
    trouble = ""
    if picked is not None and picked != given:
        given, trouble = cast(room, browser, picked)
    st.caption(formatting.plain(trouble) if trouble else COUNTED if given is not None else "")


def cast(room: Room, browser: str, value) -> tuple:
    """Votes with this value: (the value, ""), or (None, the sentence that says why it was not taken)."""
    question = room.question
    try:
        rooms.vote(room.code, browser, question.id, question.round, value)
    except (ValueError, RoomError, StoreError) as error:
        return None, str(error)
    return value, ""


def show_question(room: Room) -> None:
    """The question, the number of votes, and the distribution of a free question after the reveal."""
    question = room.question
    st.markdown(f"**{formatting.plain(question.text)}**")
    st.caption(counts(room))
    if question.revealed and not question.lesson_prompt:
        distribution(question)


def counts(room: Room) -> str:
    """Show the number of votes in each round."""
    return "; ".join(f"vote {k}: {with_count(n, 'vote')}" for k, n in enumerate(room.votes, 1))


def distribution(question: Question) -> None:
    """Both rounds side by side, as a table with a bar in each cell."""
    try:
        rounds = rooms.results(question)
    except StoreError as error:
        st.caption(formatting.plain(str(error)))
    else:
        bars(question, rounds)


def bars(question: Question, rounds: list[list], notes: dict[str, list[str]] | None = None, right="") -> None:
    """The same for these votes; `notes` {label: sentences} are shown below the label of a row, `right` is marked."""
    tally = votes.tally(question, rounds)
    head = "".join(f"<th scope='col'>vote {k}</th>" for k in range(1, len(rounds) + 1))
    totals = [max(len(given), 1) for given in rounds]
    rows = []
    for row, label in enumerate(tally.labels):
        cells = "".join(_bar(counts[row], total) for counts, total in zip(tally.counts, totals, strict=True))
        rows.append(_row(label, cells, notes, right))
    if right and right not in tally.labels:  # an order without a vote
        zeros = "".join(_bar(0, total) for total in totals)
        rows.append(_row(right, zeros, notes, right))
    body = f"<thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    table = f'<table class="svm-table svm-votes">{body}</table>'
    st.html(formatting.scrolling_table(table, "Votes"))


def _row(label, cells, notes, right):
    beside = "".join(f"<small>{escape(note)}</small>" for note in (notes or {}).get(label, ()))
    mark = " data-right" if label == right else ""
    return f"<tr{mark}><th scope='row'>{escape(label)}{beside}</th>{cells}</tr>"


def _bar(count, total):
    share = round(100 * count / total)
    bar = f'<meter min="0" max="100" value="{share}" aria-hidden="true"></meter>'
    return f"<td>{bar} <span>{count} ({share}{THIN}%)</span></td>"
