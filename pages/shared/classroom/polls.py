"""The questions of a room: asked, voted on once or twice, with the bars alone or with the answer. No Streamlit here.

A question takes votes until its bars are shown, its answer is revealed, or it is closed. The second vote comes before
the reveal: what was shown cannot be asked. Every function raises StoreError and RoomError, as those of `rooms`.
"""

import hashlib
import json
import re
import time

from pages.shared.classroom import rooms, votes
from pages.shared.classroom.rooms import RoomError
from pages.shared.classroom.votes import Question
from pages.shared.server import store
from pages.shared.studies.formatting import TURNING

MOST_QUESTIONS = 200  # of a room
ROUNDS = 2  # votes on a question
LONGEST_REASON = 140  # characters
# what turns round the words beside it, such as the vote, and what piles up over the lines above
UNRULY = re.compile(f"[{TURNING}]|(?<=[\u0300-\u036f]{{2}})[\u0300-\u036f]")
BALLOT_OF = "where question = ? and round = ? and browser = ?"


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
    written = json.dumps(details)
    with store.transaction(write=True) as connection:
        row = rooms.check_key(connection, code, key)
        if connection.value("select count(*) from questions where room = ?", code) >= MOST_QUESTIONS:
            raise RoomError(f"A room takes at most {MOST_QUESTIONS} questions; open another one.")
        rooms.grow(connection, code, len(text) + len(written))
        if own and connection.execute("insert or ignore into lessons values (?, ?, ?)", (code, own, lesson)).rowcount:
            rooms.grow(connection, code, len(lesson.encode()))
        connection.execute(
            "insert into questions (room, kind, text, details, round, revealed) values (?, ?, ?, ?, 1, 0)",
            (code, kind, text, written),
        )
        plan, asked = json.loads(row.plan), details.get("asked", {})
        if [asked.get("lesson"), asked.get("prompt")] in plan:
            step = plan.index([asked["lesson"], asked["prompt"]]) + 1
            connection.execute("update rooms set step = ? where code = ?", (step, code))
        _show_ballot(connection, code)


def lesson_text(code: str, own: str) -> str:
    """The text of the lesson that a question of the room names as its `own`."""
    with store.transaction() as connection:
        text = connection.value("select text from lessons where room = ? and key = ?", code, own)
    if text is None:
        raise RoomError("The lesson of this question is no longer on the server.")
    return text


def show_bars(code: str, key: str, bars: bool = True) -> None:
    """Show everyone the distribution without the answer, while no vote is taken; or hide it, and the vote goes on."""
    _change(code, key, f"bars = {int(bars)}, until = null")


def again(code: str, key: str) -> None:
    """The second vote on the question, after the discussion: the distribution is hidden again, and kept."""
    _change(code, key, f"bars = 0, until = null, round = {ROUNDS}")


def reveal(code: str, key: str) -> None:
    """Show everyone the answer and the distributions; votes are no longer taken."""
    _change(code, key, "revealed = 1, bars = 0, until = null", late=True)


def set_timer(code: str, key: str, seconds: float | None) -> None:
    """A clock that everyone sees runs for so many seconds from now; none for None. Nothing happens at its end."""
    until = "null" if seconds is None else f"{time.time() + seconds:.1f}"
    _change(code, key, f"until = {until}", moves=False)


def close_question(code: str, key: str) -> None:
    """The question leaves all screens; its votes are kept."""
    _change(code, key, "closed = 1", late=True, moves=False)


def vote(code: str, browser: str, question: int, number: int, value) -> None:
    """The vote of a browser in a round; another one replaces it while votes are taken.

    ValueError for a value that does not answer the question, RoomError if this round takes no votes.
    """
    with store.transaction(write=True) as connection:
        asked = _open_question(connection, code, question, number)
        written = json.dumps(votes.KINDS[asked.kind](asked.details, value))
        before = connection.value(f"select length(value) from votes {BALLOT_OF}", question, number, browser)
        if before is None:
            cast = connection.value("select count(*) from votes where question = ? and round = ?", question, number)
            if cast >= rooms.MOST_MEMBERS:
                raise RoomError(f"A vote takes at most {rooms.MOST_MEMBERS} votes.")
        rooms.grow(connection, code, len(written) - (before or 0))
        connection.execute("insert or replace into votes values (?, ?, ?, ?)", (question, number, browser, written))


def find_vote(browser: str, question: Question):
    """The value that this browser has voted in the question's round, None without one."""
    with store.transaction() as connection:
        value = connection.value(f"select value from votes {BALLOT_OF}", question.id, question.round, browser)
    return None if value is None else json.loads(value)


def results(question: Question) -> list[list]:
    with store.transaction() as connection:
        return _results(connection, question)


def all_votes(code: str, key: str) -> list[tuple[Question, int, list]]:
    with store.transaction() as connection:
        rooms.check_key(connection, code, key)
        asked = map(rooms.read_question, connection.rows(rooms.QUESTIONS, code))
        return [(one, k, given) for one in asked for k, given in enumerate(_results(connection, one), 1)]


# ------------------------------------------------------------------------------------------ reasons


def give_reason(code: str, browser: str, question: int, number: int, text: str) -> None:
    """The words of a browser on its vote in a round, in place of those it gave before; none for "".

    ValueError for too many characters, RoomError if the round takes no votes, or none has come from this browser.
    """
    text = " ".join(UNRULY.sub("", text).split())
    if len(text) > LONGEST_REASON:
        raise ValueError(f"A reason has at most {LONGEST_REASON} characters, got {len(text)}.")
    here = question, number, browser
    with store.transaction(write=True) as connection:
        _open_question(connection, code, question, number)
        if not connection.value(f"select 1 from votes {BALLOT_OF}", *here):
            raise RoomError("Vote first, then say why.")
        before = connection.value(f"select length(text) from reasons {BALLOT_OF}", *here)
        rooms.grow(connection, code, len(text.encode()) - (before or 0))
        connection.execute(f"delete from reasons {BALLOT_OF}", here)
        if text:
            connection.execute("insert into reasons values (?, ?, ?, ?, 0)", (*here, text))


def find_reason(browser: str, question: Question) -> str:
    """The words of this browser on its vote in the question's round."""
    with store.transaction() as connection:
        return connection.value(f"select text from reasons {BALLOT_OF}", question.id, question.round, browser) or ""


def reasons(question: Question, shown: bool = True) -> list:
    """(number in the store, round, text, shown, value of the vote) of the reasons that the class sees, or of all; the
    newest first.
    """
    with store.transaction() as connection:
        rows = connection.rows(
            "select r.rowid as number, r.round, r.text, r.shown, v.value from reasons r join votes v on v.question = "
            "r.question and v.round = r.round and v.browser = r.browser where r.question = ? and r.shown >= ? "
            "order by r.rowid desc",
            question.id, int(shown),
        )  # fmt: skip
    return [row._replace(value=json.loads(row.value), shown=bool(row.shown)) for row in rows]


def show_reason(code: str, key: str, number: int, shown: bool) -> None:
    with store.transaction(write=True) as connection:
        rooms.check_key(connection, code, key)
        connection.execute(
            "update reasons set shown = ? where rowid = ? and question in (select id from questions where room = ?)",
            (int(shown), number, code),
        )
        connection.execute("update questions set told = told + 1 where id = (select max(id) from questions "
                           "where room = ?)", (code,))  # fmt: skip


# ------------------------------------------------------------------------------------------ in a transaction


def _open_question(connection, code, question, number):
    rooms.room_row(connection, code)
    asked = rooms.newest_question(connection, code)
    if asked is None or (asked.id, asked.round) != (question, number) or not asked.is_open:
        raise RoomError("This vote has ended.")
    return asked


def _results(connection, question):
    rows = connection.rows("select round, value from votes where question = ? order by rowid", question.id)
    return [[json.loads(row.value) for row in rows if row.round == k] for k in range(1, question.round + 1)]


def _change(code, key, what, late=False, moves=True):
    """Change the newest question, also after the reveal if that may be `late`; `moves`: everyone comes back to it."""
    with store.transaction(write=True) as connection:
        rooms.check_key(connection, code, key)
        asked = rooms.newest_question(connection, code)
        if asked is None or (asked.revealed and not late):
            raise RoomError("The answer to this question has been shown: it takes no more votes.")
        connection.execute(f"update questions set {what} where id = ?", (asked.id,))
        if moves:
            _show_ballot(connection, code)


def _show_ballot(connection, code):
    """The wall has the question; it is the screen of the room if it is a prompt: it needs its picture."""
    connection.execute("update rooms set wall = 1 where code = ?", (code,))
    question = rooms.newest_question(connection, code)
    if question and question.lesson_prompt:
        screen = json.dumps([rooms.BALLOT, {}])
        connection.execute("update rooms set screen = ?, revision = revision + 1 where code = ?", (screen, code))
