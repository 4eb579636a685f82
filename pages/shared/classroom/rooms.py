"""Rooms of a class: opened with a code and a key, followed, deleted after a day. No Streamlit here.

The code is for everyone and short; the key opens the cockpit and is as hard to guess as a password. All of it is in the
`store`, so a room is the same for all processes of a machine and after a restart; its times are those of the store's
clock. Every function raises StoreError, and RoomError where there is no such room. `polls` has the questions.
"""

import hmac
import json
import re
import secrets
import time
from typing import NamedTuple

from pages.shared.classroom.votes import Question
from pages.shared.server import store
from pages.shared.server.limits import Limit

DAY = 86400.0  # seconds until a room is deleted
HOUR = 3600.0  # seconds until a room is deleted that nobody has joined, and in which nothing was asked
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that looks like another
LENGTH = 5
CODES = f"A code has {LENGTH} letters and digits, none of them I, O, 0 or 1."
MOST_ROOMS = 500  # of a machine
MOST_MEMBERS = 1000  # of a room
MOST_LECTURERS = 20  # browsers that have the cockpit of a room
MOST_BYTES = 4_000_000  # of the questions, votes and texts of a room
MOST_STEPS = 100  # of the plan of a room
BALLOT = "room"  # the page on which a prompt is voted on
HERE = 45.0  # seconds after which a browser that was not seen is not counted
PAGE = re.compile(r"[a-z_]{1,40}")
LONGEST_SCREEN = 20_000  # characters
UNUSED = (
    "not exists (select 1 from members where room = code) and not exists (select 1 from questions where room = code)"
)
QUESTIONS = f"select {', '.join(Question._fields)} from questions where room = ? order by id"
ASKED = "json_extract(details, '$.asked')"
LAST = f"select {ASKED} from questions where room = ? and {ASKED} is not null order by id desc limit 1"
OVER = f"opened < ? or (opened < ? and {UNUSED})"  # rooms of yesterday, and those without use for an hour
OPENED = Limit(3, 20)  # rooms a minute, of a browser and of an address
WRONG = Limit(10, 60)  # codes of no room a minute, of a browser and of an address
WRONG_KEY = "This is not the key of the room."


class RoomError(Exception):
    """There is no such room, or it takes no more; the message is a sentence."""


class Room(NamedTuple):
    """A room as everyone sees it.

    `screen`: (page, {name: text of the link}), None before there is one; `revision` of the screen; `members`: browsers
    seen lately; `votes`: how many there are on the question, in each of its rounds; `follows`: the class follows the
    screen of the lecturer; `wall`: the question is what the wall shows, rather than the screen; `plan`: (lesson,
    prompt) of the questions that the lecturer wants to ask, of which `step` were asked or passed over; `last`: those of
    the newest question of a lesson.
    """

    code: str
    revision: int
    screen: tuple[str, dict] | None
    members: int
    question: Question | None
    votes: tuple[int, ...]
    follows: bool = True
    wall: bool = False
    plan: tuple[tuple[str, str], ...] = ()
    step: int = 0
    last: tuple[str, str] | None = None

    @property
    def is_voting(self) -> bool:
        """True while there is a question whose answer is not shown."""
        return self.question is not None and not self.question.revealed


def open_room(browser: str = "", address: str = "") -> tuple[str, str]:
    """(code, key) of a new room, of which `browser` is the lecturer; each browser and address may open a few a minute.

    Where there are too many rooms, the oldest in which nothing has happened makes way.
    """
    if OPENED.is_reached(browser, address):
        raise RoomError(f"A browser can open {OPENED.most[0]} rooms a minute: wait a minute, then try again.")
    key = secrets.token_urlsafe(18)
    with store.transaction(write=True) as connection:
        now = store.tick(connection)
        _delete(connection, OVER, now - DAY, now - HOUR)
        full = connection.value("select count(*) from rooms") >= MOST_ROOMS
        if full and not _delete(connection, f"{UNUSED} order by opened limit 1"):
            raise RoomError(
                f"This server has {MOST_ROOMS} rooms, the largest number that it keeps; try again tomorrow."
            )
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            if not connection.value("select 1 from rooms where code = ?", code):
                break
        connection.execute("insert into rooms (code, key, opened, revision) values (?, ?, ?, 0)", (code, key, now))
        if browser:
            connection.execute("insert into lecturers values (?, ?)", (code, browser))
    OPENED.note(code, browser, address)
    return code, key


def read_code(text: str) -> str:
    """A code as it was typed, in the letters of `LETTERS`: "" for what cannot be one."""
    code = re.sub(r"[\s-]", "", text[:40]).upper()
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else ""


def look(code: str) -> Room:
    with store.transaction() as connection:
        now = store.now(connection)
        row = room_row(connection, code)
        members = connection.value("select count(*) from members where room = ? and seen > ?", code, now - HERE)
        newest = newest_question(connection, code)
        question = None if newest is None or newest.closed else newest
        counts = ()
        if question:
            counted = "select round, count(*) from votes where question = ? group by round"
            found = dict(connection.rows(counted, question.id))
            counts = tuple(found.get(k, 0) for k in range(1, question.round + 1))
        asked = json.loads(connection.value(LAST, code) or "null")
    return Room(
        code, row.revision, tuple(json.loads(row.screen)) if row.screen else None, members, question, counts,
        bool(row.follows), bool(row.wall) and question is not None, tuple(map(tuple, json.loads(row.plan))), row.step,
        (asked["lesson"], asked.get("prompt", "")) if asked else None,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------ members


def note(here: dict[tuple[str, str], tuple[float, str, bool]]) -> None:
    """Note browsers {(code, browser): (seconds since it was seen, place, is done there)} as members of their rooms."""
    with store.transaction(write=True) as connection:
        now = store.tick(connection)
        for (code, browser), (ago, place, done) in here.items():
            if not connection.value("select 1 from rooms where code = ?", code):
                continue
            seen = now - ago
            if connection.value("select count(*) from members where room = ?", code) >= MOST_MEMBERS:
                connection.execute("delete from members where room = ? and seen < ?", (code, seen - HERE))
            member = code, browser, seen, place[:200], int(done)
            connection.execute("insert or replace into members values (?, ?, ?, ?, ?)", member)


def places(code: str, key: str) -> list[tuple[str, int, int]]:
    """(place, browsers, how many of them have answered what it asks) of all browsers that were seen lately, the most
    crowded place first; on the ballot, those who have voted on the question have.
    """
    with store.transaction() as connection:
        check_key(connection, code, key)
        question = newest_question(connection, code)
        asked = (question.id, question.round) if question and not question.closed else (None, None)
        return connection.rows(
            "select place, count(*) as browsers, sum(iif(place = ?, exists (select 1 from votes where question = ? "
            "and round = ? and browser = members.browser), done)) as done from members where room = ? and seen > ? "
            "group by place order by browsers desc, min(rowid)",
            BALLOT, *asked, code, store.now(connection) - HERE,
        )  # fmt: skip


# ------------------------------------------------------------------------------------------ the lecturer


def make_lecturer(code: str, key: str, browser: str) -> None:
    """Give this browser the cockpit of the room from now on, without the key."""
    with store.transaction(write=True) as connection:
        check_key(connection, code, key)
        known = connection.value("select count(*) from lecturers where room = ?", code)
        if known < MOST_LECTURERS:
            connection.execute("insert or ignore into lecturers values (?, ?)", (code, browser))
        connection.execute("delete from members where room = ? and browser = ?", (code, browser))


def keys_of(browser: str) -> dict[str, str]:
    """{code: key} of the rooms of which this browser is a lecturer, the newest first."""
    with store.transaction() as connection:
        found = "select code, key from rooms join lecturers on room = code where browser = ? and opened >= ?"
        return dict(connection.rows(f"{found} order by opened desc", browser, store.now(connection) - DAY))


def show(code: str, key: str, page: str, link: dict) -> None:
    """Show the class a page with this link {name: text}; the revision rises if it is another screen."""
    screen = json.dumps([page, dict(sorted(link.items()))])
    if not PAGE.fullmatch(page) or len(screen) > LONGEST_SCREEN:
        raise RoomError("This screen is too long for a room: share a file instead.")
    with store.transaction(write=True) as connection:
        row = check_key(connection, code, key)
        if row.screen != screen:
            connection.execute("update rooms set screen = ?, revision = revision + 1 where code = ?", (screen, code))
        if row.wall:
            connection.execute("update rooms set wall = 0 where code = ?", (code,))


def lead(code: str, key: str, follows: bool) -> None:
    """The class follows the screen of the lecturer from now on, or does not."""
    with store.transaction(write=True) as connection:
        check_key(connection, code, key)
        connection.execute("update rooms set follows = ? where code = ?", (int(follows), code))


def set_plan(code: str, key: str, plan: list[tuple[str, str]]) -> None:
    """The questions that the lecturer wants to ask, (lesson, prompt) one by one."""
    with store.transaction(write=True) as connection:
        check_key(connection, code, key)
        connection.execute("update rooms set plan = ?, step = 0 where code = ?", (json.dumps(plan[:MOST_STEPS]), code))


def close(code: str, key: str) -> None:
    with store.transaction(write=True) as connection:
        check_key(connection, code, key)
        _delete(connection, "code = ?", code)


# ------------------------------------------------------------------------------------------ the server


def list_rooms() -> list:
    """(code, age in seconds, members, questions, bytes) of all rooms, the newest first, for the operator."""
    with store.transaction() as connection:
        return connection.rows(
            "select code, ? - opened as age, (select count(*) from members where room = code) as members, "
            "(select count(*) from questions where room = code) as questions, bytes from rooms order by opened desc",
            store.now(connection),
        )


def delete(code: str | None = None) -> int:
    """Delete the room with this code, or all, as the operator of the server: how many there were."""
    with store.transaction(write=True) as connection:
        return _delete(connection, "code = ? or ?", code, code is None)


def keep_time() -> None:
    """Moves the clock of the store on, and deletes the rooms whose time is over; to be called every minute or so.

    Nothing where there is no store yet.
    """
    if store.path().exists():
        with store.transaction(write=True) as connection:
            now = store.tick(connection)
            _delete(connection, OVER, now - DAY, now - HOUR)


# ------------------------------------------------------------------------------------------ in a transaction


def room_row(connection, code: str):
    """The row of a room; RoomError, which says why, where there is none."""
    row = connection.row("select * from rooms where code = ?", code)
    if row is None or row.opened < store.now(connection) - DAY:
        raise RoomError(
            f"There is no room {code}: the code is wrong, or the room was deleted, by its lecturer or a day after it "
            f"was opened.{_damage()}"
        )
    return row


def check_key(connection, code: str, key: str):
    """The row of a room whose key this is."""
    row = room_row(connection, code)
    if not hmac.compare_digest(row.key.encode(), key.encode()):
        raise RoomError(WRONG_KEY)
    return row


def newest_question(connection, code: str) -> Question | None:
    """The question that was asked last, closed or not."""
    return next(map(read_question, connection.rows(f"{QUESTIONS} desc limit 1", code)), None)


def read_question(row) -> Question:
    """The question in a row of `QUESTIONS`."""
    return Question(*row)._replace(details=json.loads(row.details))


def grow(connection, code: str, count: int) -> None:
    """Add these bytes to those of a room; RoomError for more than a room may have."""
    if connection.value("select bytes from rooms where code = ?", code) + count > MOST_BYTES:
        raise RoomError(f"A room takes at most {MOST_BYTES // 10**6} MB of questions and votes; open another one.")
    connection.execute("update rooms set bytes = bytes + ? where code = ?", (count, code))


def _damage():
    """Sentence on a store that was put aside within the last day; "" without one."""
    file = store.damaged_file()
    at = float(file.name.rpartition("-")[2]) if file else 0.0
    if time.time() - at > DAY:
        return ""
    when = time.strftime("%H:%M", time.localtime(at))
    return (
        f" The server's store was found damaged at {when}, and the rooms before that are gone; the file is kept in the "
        f"data folder as {file.name}."
    )


def _delete(connection, which, *arguments):
    """Delete the rooms that a query finds with these words after its "where", and all that they have: how many."""
    rows = connection.rows(f"select code from rooms where {which}", *arguments)
    for code in rows:
        for table in ("votes", "reasons"):
            connection.execute(f"delete from {table} where question in (select id from questions where room = ?)", code)
        for table in ("questions", "members", "lessons", "lecturers"):
            connection.execute(f"delete from {table} where room = ?", code)
        connection.execute("delete from rooms where code = ?", code)
    return len(rows)
