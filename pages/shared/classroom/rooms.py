"""Rooms of a class: opened with a code and a key, followed, voted in, deleted after a day. No Streamlit here.

The code is for everyone and short; the key opens the cockpit and is as hard to guess as a password. All of it is in the
`store`, so a room is the same for all processes of a machine and after a restart. Every function raises StoreError, and
RoomError where there is no such room.
"""

import hashlib
import hmac
import json
import re
import secrets
import time
from typing import NamedTuple

from pages.shared.classroom import votes
from pages.shared.classroom.votes import Question
from pages.shared.server import store

DAY = 86400.0  # seconds until a room is deleted
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that looks like another
LENGTH = 5
CODES = f"A code has {LENGTH} letters and digits, none of them I, O, 0 or 1."
MOST_ROOMS = 500  # of a machine
MOST_MEMBERS = 1000  # of a room
MOST_QUESTIONS = 200  # of a room
BALLOT = "room"  # the page on which a prompt is voted on
HERE = 45.0  # seconds after which a browser that was not seen is not counted
PAGE = re.compile(r"[a-z_]{1,40}")
LONGEST_SCREEN = 20_000  # characters


class RoomError(Exception):
    """There is no such room, or it takes no more; the message is a sentence."""


class Room(NamedTuple):
    """A room as everyone sees it. `screen`: (page, {name: text of the link}), None before there is one; `revision` of
    the screen; `members`: browsers seen lately; `votes`: how many there are on the question, in each of its rounds.
    """

    code: str
    revision: int
    screen: tuple[str, dict] | None
    members: int
    question: Question | None
    votes: tuple[int, ...]


def open_room() -> tuple[str, str]:
    """(code, key) of a new room."""
    key, now = secrets.token_urlsafe(18), time.time()
    with store.transaction(write=True) as connection:
        _sweep(connection, now)
        if connection.execute("select count(*) from rooms").fetchone()[0] >= MOST_ROOMS:
            raise RoomError(
                f"This server has {MOST_ROOMS} rooms, the largest number that it keeps; try again tomorrow."
            )
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            if not connection.execute("select 1 from rooms where code = ?", (code,)).fetchone():
                break
        connection.execute("insert into rooms values (?, ?, ?, null, 0)", (code, key, now))
    return code, key


def read_code(text: str) -> str:
    """A code as it was typed, in the letters of `LETTERS`: "" for what cannot be one."""
    code = re.sub(r"[\s-]", "", text[:40]).upper()
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else ""


def look(code: str, browser: str = "") -> Room:
    """The room as it is now; `browser` is noted as a member if it is given."""
    now = time.time()
    with store.transaction(write=bool(browser)) as connection:
        row = _row(connection, code, now)
        if browser:
            _note_member(connection, code, browser, now)
        members = connection.execute(
            "select count(*) from members where room = ? and seen > ?", (code, now - HERE)
        ).fetchone()[0]
        question = _question(connection, code)
        counts = ()
        if question:
            found = dict(
                connection.execute(
                    "select round, count(*) from votes where question = ? group by round", (question.id,)
                ).fetchall()
            )
            counts = tuple(found.get(k, 0) for k in range(1, question.round + 1))
    screen = json.loads(row["screen"]) if row["screen"] else None
    return Room(code, row["revision"], screen and (screen[0], screen[1]), members, question, counts)


def note(here: dict[tuple[str, str], float]) -> None:
    """Note browsers {(code, browser): when it was seen, in seconds since 1970} as members of their rooms."""
    with store.transaction(write=True) as connection:
        for (code, browser), seen in here.items():
            if connection.execute("select 1 from rooms where code = ?", (code,)).fetchone():
                _note_member(connection, code, browser, seen)


def is_key(code: str, key: str) -> bool:
    """True if this key opens the cockpit of the room."""
    with store.transaction() as connection:
        return hmac.compare_digest(_row(connection, code, time.time())["key"].encode(), key.encode())


def show(code: str, key: str, page: str, link: dict) -> None:
    """Show the class a page with this link {name: text}; the revision rises if it is another screen."""
    screen = json.dumps([page, dict(sorted(link.items()))])
    if not PAGE.fullmatch(page) or len(screen) > LONGEST_SCREEN:
        raise RoomError("This screen is too long for a room: share a file instead.")
    with store.transaction(write=True) as connection:
        if _check_key(connection, code, key)["screen"] != screen:
            connection.execute("update rooms set screen = ?, revision = revision + 1 where code = ?", (screen, code))


def ask(code: str, key: str, kind: str, text: str, details: dict, lesson: str = "") -> None:
    """Put a question to the class; ValueError, in a sentence, for what cannot be asked.

    A prompt of a lesson (with "asked" in its details) is shown to the class; `lesson` is the text of a lesson that is
    the lecturer's own, for `lesson_text`.
    """
    own = hashlib.sha256(lesson.encode()).hexdigest() if lesson else ""
    if "asked" in details:
        details = {**details, "asked": {**details["asked"], "own": own}}
    kind, text, details = votes.checked_question(kind, text, details)
    if len(lesson) > votes.LARGEST:
        raise ValueError(f"A lesson has at most {votes.LARGEST} characters.")
    with store.transaction(write=True) as connection:
        _check_key(connection, code, key)
        if connection.execute("select count(*) from questions where room = ?", (code,)).fetchone()[0] >= MOST_QUESTIONS:
            raise RoomError(f"A room takes at most {MOST_QUESTIONS} questions; open another one.")
        if own:
            connection.execute("insert or ignore into lessons values (?, ?, ?)", (code, own, lesson))
        connection.execute(
            "insert into questions (room, kind, text, details, round, revealed) values (?, ?, ?, ?, 1, 0)",
            (code, kind, text, json.dumps(details)),
        )
        _show_ballot(connection, code)


def lesson_text(code: str, own: str) -> str:
    """The text of the lesson that a question of the room names as its `own`."""
    with store.transaction() as connection:
        row = connection.execute("select text from lessons where room = ? and key = ?", (code, own)).fetchone()
    if row is None:
        raise RoomError("The lesson of this question is no longer on the server.")
    return row[0]


def reveal(code: str, key: str) -> None:
    """Show everyone the distribution; votes are no longer taken."""
    _change(code, key, "revealed = 1")


def again(code: str, key: str) -> None:
    """The second vote on the question, after the discussion: the distribution is hidden again."""
    _change(code, key, "revealed = 0, round = 2")


def vote(code: str, browser: str, question: int, number: int, value) -> None:
    """The vote of a browser in a round; another one replaces it until the reveal.

    ValueError for a value that does not answer the question, RoomError if this round takes no votes.
    """
    with store.transaction(write=True) as connection:
        _row(connection, code, time.time())
        asked = _question(connection, code)
        if asked is None or (asked.id, asked.round) != (question, number) or asked.revealed:
            raise RoomError("This vote has ended.")
        value = json.dumps(votes.check_vote(asked, value))
        connection.execute("insert or replace into votes values (?, ?, ?, ?)", (question, number, browser, value))


def find_vote(browser: str, question: Question):
    """The value that this browser has voted in the question's round, None without one."""
    with store.transaction() as connection:
        row = connection.execute(
            "select value from votes where question = ? and round = ? and browser = ?",
            (question.id, question.round, browser),
        ).fetchone()
    return None if row is None else json.loads(row[0])


def results(question: Question) -> list[list]:
    """The votes on a question, for each round."""
    with store.transaction() as connection:
        return _results(connection, question)


def all_votes(code: str, key: str) -> list[tuple[Question, int, list]]:
    """(question, round, votes) of all that was voted on in the room."""
    with store.transaction() as connection:
        _check_key(connection, code, key)
        rows = connection.execute("select * from questions where room = ? order by id", (code,)).fetchall()
        found = [(question, _results(connection, question)) for question in map(_read, rows)]
    return [(question, k, given) for question, rounds in found for k, given in enumerate(rounds, 1)]


def close(code: str, key: str) -> None:
    """Delete the room and all its votes."""
    with store.transaction(write=True) as connection:
        _check_key(connection, code, key)
        _delete(connection, code)


def _results(connection, question):
    rows = connection.execute(
        "select round, value from votes where question = ? order by rowid", (question.id,)
    ).fetchall()
    return [[json.loads(row["value"]) for row in rows if row["round"] == k] for k in range(1, question.round + 1)]


def _change(code, key, what):
    with store.transaction(write=True) as connection:
        _check_key(connection, code, key)
        connection.execute(
            f"update questions set {what} where id = (select max(id) from questions where room = ?)", (code,)
        )
        _show_ballot(connection, code)


def _show_ballot(connection, code):
    """The screen of the room is its ballot, if the newest question is a prompt: it needs its picture."""
    question = _question(connection, code)
    if question and question.lesson_prompt:
        screen = json.dumps([BALLOT, {}])
        connection.execute("update rooms set screen = ?, revision = revision + 1 where code = ?", (screen, code))


def _question(connection, code):
    row = connection.execute("select * from questions where room = ? order by id desc limit 1", (code,)).fetchone()
    return row and _read(row)


def _read(row):
    details = json.loads(row["details"])
    return Question(row["id"], row["kind"], row["text"], details, row["round"], bool(row["revealed"]))


def _note_member(connection, code, browser, now):
    known = connection.execute("select count(*) from members where room = ?", (code,)).fetchone()[0]
    if known >= MOST_MEMBERS:
        connection.execute("delete from members where room = ? and seen < ?", (code, now - HERE))
    connection.execute("insert or replace into members values (?, ?, ?)", (code, browser, now))


def _check_key(connection, code, key):
    row = _row(connection, code, time.time())
    if not hmac.compare_digest(row["key"].encode(), key.encode()):
        raise RoomError("This is not the key of the room.")
    return row


def _row(connection, code, now):
    row = connection.execute("select * from rooms where code = ?", (code,)).fetchone()
    if row is None or row["opened"] < now - DAY:
        raise RoomError(
            f"There is no room {code}: the code is wrong, or the room was deleted, by its lecturer or a day after it "
            "was opened."
        )
    return row


def _sweep(connection, now):
    """Delete the rooms of yesterday."""
    for (code,) in connection.execute("select code from rooms where opened < ?", (now - DAY,)).fetchall():
        _delete(connection, code)


def _delete(connection, code):
    connection.execute("delete from votes where question in (select id from questions where room = ?)", (code,))
    for table in ("questions", "members", "lessons"):
        connection.execute(f"delete from {table} where room = ?", (code,))
    connection.execute("delete from rooms where code = ?", (code,))
