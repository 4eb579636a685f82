"""A free question of a room, which needs no picture: the vote on it, and what came out, in a table with bars.

Of any question: how many have voted, the clock, and the reasons.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from html import escape

import streamlit as st

from pages.shared.classroom import polls, votes
from pages.shared.classroom.rooms import Room, RoomError
from pages.shared.classroom.votes import Question
from pages.shared.server.store import StoreError
from pages.shared.studies import formatting
from svmcore.words import THIN, with_count

ENDS = ("low", "high")  # of a number that is voted on
COUNTED = "Your vote is counted; you can change it while the vote is open."
ENDED = "The vote has ended. Talk about it: the answer comes later."
REASON = f"Why? At most {polls.LONGEST_REASON} characters, without your name; your lecturer may show them to all."


def show_refusal(text: str) -> None:
    """A sentence in the place of what the room or the store refuses."""
    st.info(text, icon=":material/info:")


def refusal(action: Callable, *arguments) -> str:
    """Act on the room: "", or the sentence that says why that was refused."""
    try:
        action(*arguments)
    except (ValueError, RoomError, StoreError) as error:
        return str(error)
    return ""


@contextmanager
def explain_refusals(say: Callable[[str], object] = st.caption) -> Iterator[None]:
    """Whatever the room or the store refuses inside becomes a sentence, which ends what stands inside."""
    try:
        yield
    except (RoomError, StoreError) as error:
        say(formatting.plain(str(error)))


def ballot(room: Room, browser: str) -> None:
    """The question with the means to vote, and the distribution once it is shown."""
    question = room.question
    show_question(room)
    if not question.is_open:
        st.caption("" if question.revealed else ENDED)
        shown_reasons(question)
        return
    given, trouble = polls.find_vote(browser, question), ""
    key = f"vote-{question.id}-{question.round}"
    if question.kind == "choose":
        texts = [formatting.plain(option) for option in question.details["options"]]
        picked = st.radio("Your vote", range(len(texts)), given, texts.__getitem__, key, label_visibility="collapsed")
    else:
        low, high = (None if question.details.get(name) is None else float(question.details[name]) for name in ENDS)
        unit = question.details.get("unit")
        least, most = low is not None and f"at least {low:.10g}", high is not None and f"at most {high:.10g}"
        words = "Your vote: a number", least, most, unit and f"in {unit}"  # a phone does not say what its field refuses
        asked = formatting.plain(", ".join(filter(None, words)))
        picked = st.number_input(asked, low, high, given, key=key, format="%g")
    if picked is not None and picked != given:
        trouble = refusal(polls.vote, room.code, browser, question.id, question.round, picked)
        given = None if trouble else picked
    st.caption(formatting.plain(trouble) if trouble else COUNTED if given is not None else "")
    if given is not None:
        reason_form(room, browser)


def reason_form(room: Room, browser: str) -> None:
    """The place for a few words on a vote that has been cast."""
    question = room.question
    key = f"reason-{question.id}-{question.round}"
    known = polls.find_reason(browser, question)
    said = st.text_input(REASON, known, key=key, max_chars=polls.LONGEST_REASON, placeholder="Because …")
    if said == known:
        return
    trouble = refusal(polls.give_reason, room.code, browser, question.id, question.round, said)
    st.caption(formatting.plain(trouble) if trouble else "Sent.")


def shown_reasons(question: Question) -> None:
    """Reasons that the class has been shown, with the vote of each once the distribution is shown."""
    try:
        found = polls.reasons(question)
    except StoreError:
        return
    if found:
        of_choice = question.kind == "choose" and not question.is_open
        given = [f"<small>{escape(votes.words(question, one.value))}</small>" if of_choice else "" for one in found]
        rows = "".join(f"<li>{escape(one.text)}{vote}</li>" for one, vote in zip(found, given, strict=True))
        st.html(f'<ul class="svm-reasons" aria-label="Reasons">{rows}</ul>')


def show_question(room: Room) -> None:
    """The question, how many have voted, and the distribution of a free question once it is shown."""
    question = room.question
    st.markdown(f"**{formatting.plain(question.text)}**")
    show_progress(room)
    if not question.is_open and not question.lesson_prompt:
        distribution(question)


def show_progress(room: Room) -> None:
    """The count of who has voted, and the seconds that are left."""
    st.caption(progress(room))
    if seconds := clock(room.question):
        st.html(seconds)


def options(texts: Iterable[str]) -> None:
    """The options of a question, to be read."""
    st.markdown("\n".join(f"{k}. {formatting.plain(text)}" for k, text in enumerate(texts, 1)))


def progress(room: Room) -> str:
    """Count who has voted: of those who are there while a vote is open, in each round when it is over."""
    if not room.question.is_open:
        return "; ".join(f"vote {k}: {with_count(n, 'vote')}" for k, n in enumerate(room.votes, 1))
    *before, cast = room.votes
    there = max(room.members, cast)
    now = f"{cast} of {there} have voted" if there else "no vote yet"
    return f"{now}; first vote: {with_count(before[0], 'vote')}" if before else now


def clock(question: Question) -> str:
    """The seconds that are left, as HTML; the browser counts them down. "" without a clock."""
    if question.until is None:
        return ""
    left = max(round(question.until - time.time()), 0)
    return f'<div class="svm-clock" role="timer" aria-label="seconds left" style="--svm-from: {left}"></div>'


def distribution(question: Question) -> None:
    """Both rounds side by side, as a table with a bar in each cell."""
    with explain_refusals():
        bars(question, polls.results(question))


def bars(question: Question, rounds: list[list], notes: Mapping[str, Iterable[str]] = {}, right="") -> None:
    """The same for these votes; `notes` {label: sentences} are shown below the label of a row, `right` is marked.

    A note that begins with a sign is a mark, which the wall has, too.
    """
    head = "".join(f"<th scope='col'>vote {k}</th>" for k in range(1, len(rounds) + 1))
    totals = [max(len(given), 1) for given in rounds]
    tally = votes.tally(question, rounds)
    if right and right not in dict(tally):  # an order without a vote
        tally.append((right, (0,) * len(rounds)))
    rows = [_row(label, map(_bar, counts, totals), notes, right) for label, counts in tally]
    body = f"<thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    table = f'<table class="svm-table svm-votes">{body}</table>'
    st.html(formatting.scrolling_table(table, "Votes"))


def _row(label, cells, notes, right):
    marked = ((note, "" if note[0].isalpha() else " data-mark") for note in notes.get(label, ()) if note)
    beside = "".join(f"<small{mark}>{escape(note)}</small>" for note, mark in marked)
    mark = " data-right" if label == right else ""
    return f"<tr{mark}><th scope='row'>{escape(label)}{beside}</th>{''.join(cells)}</tr>"


def _bar(count, total):
    share = round(100 * count / total)
    bar = f'<meter min="0" max="100" value="{share}" aria-hidden="true"></meter>'
    return f"<td>{bar} <span>{count} ({share}{THIN}%)</span></td>"
