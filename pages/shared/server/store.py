"""Data that outlive the server: one SQLite file in the data folder, for all processes of a machine. No Streamlit here.

    sets        the points that readers have loaded, by the key that their links have, with the browser that was first
    rooms       code, key of the cockpit, the screen that is shown, when it was opened, its bytes and its plan
    lecturers   browsers that have opened the cockpit of a room
    members     browsers in a room, by a random number, when they were seen last, and where
    questions   what is voted on in a room
    lessons     the text of a lecturer's own lesson, of which a question is a prompt
    votes       one for each question, round and browser; JSON, see `votes`
    reasons     the words of a browser on its vote
    clock       one row: the time of the machine at the last tick, and that of the store, see `now`

Each call opens the file, so that processes and threads share nothing else. A file that is no database is put aside, and
a new one is begun. Whatever else goes wrong is a `StoreError` of one sentence.
"""

import os
import sqlite3
import time
from collections import namedtuple
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path

from svmcore.problems import fetched

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be renamed
    fcntl = None

VERSION = 3  # of the tables; a new one only adds tables and columns
PATIENCE = 5.0  # seconds for which a call waits for another process
STEP = 120.0  # seconds by which the clock of the store moves at one tick, at most
DAMAGED = ".damaged-"  # in the name of a file that was put aside, before the second
TABLES = """
create table if not exists sets (key text primary key, body blob, size integer, used real);
create table if not exists rooms (code text primary key, key text, opened real, screen text, revision integer);
create table if not exists members (room text, browser text, seen real, primary key (room, browser));
create table if not exists questions (
    id integer primary key, room text, kind text, text text, details text, round integer, revealed integer
);
create table if not exists lessons (room text, key text, text text, primary key (room, key));
create table if not exists votes (
    question integer, round integer, browser text, value text, primary key (question, round, browser)
);
create table if not exists lecturers (room text, browser text, primary key (room, browser));
create table if not exists reasons (
    question integer, round integer, browser text, text text, shown integer, primary key (question, round, browser)
);
create table if not exists clock (id integer primary key check (id = 1), wall real, counted real);
"""
COLUMNS = {  # of tables of an earlier version
    "sets": ("browser text default ''",),
    "rooms": ("follows integer default 1", "wall integer default 0", "bytes integer default 0",
              "plan text default '[]'", "step integer default 0"),
    "members": ("place text default ''", "done integer default 0"),
    "questions": ("bars integer default 0", "closed integer default 0", "until real",
                  "told integer default 0"),
}  # fmt: skip


class Connection(sqlite3.Connection):
    """A connection to the store: rows are named tuples."""

    def rows(self, query: str, *arguments) -> list:
        """All rows that a query finds."""
        return self.execute(query, arguments).fetchall()

    def row(self, query: str, *arguments):
        """The first row that a query finds; None where it finds none."""
        return self.execute(query, arguments).fetchone()

    def value(self, query: str, *arguments):
        """The first cell that a query finds; None where it finds no row."""
        return (self.row(query, *arguments) or [None])[0]


_row_class = lru_cache(64)(partial(namedtuple, "Row", rename=True))


class StoreError(Exception):
    """The store cannot be read or written; the message is a sentence for the page."""


def path() -> Path:
    """The file: SVM_LAB_STORE, else svm-lab.sqlite3 in the data folder of `svmcore.problems.fetched`."""
    return Path(os.environ.get("SVM_LAB_STORE") or fetched.folder() / "svm-lab.sqlite3")


@contextmanager
def transaction(write: bool = False) -> Iterator[Connection]:
    """A connection inside one transaction, committed at the end; `write` takes the lock at the beginning.

    Raises StoreError for whatever SQLite or the file system refuses.
    """
    try:
        found = _identity()
        with closing(_connect()) as connection:
            connection.execute("begin immediate" if write else "begin")
            yield connection
            connection.execute("commit")
    except (sqlite3.Error, OSError) as error:
        if _is_damaged(error):
            _put_aside(found)
        raise StoreError(_sentence(error)) from error


def now(connection: Connection) -> float:
    """The time of the store in seconds since 1970, as it counts them while the server runs, see `tick`.

    Lifetimes are measured by it: a clock of the machine that is put forward by a day deletes nothing.
    """
    row, wall = connection.row("select wall, counted from clock"), time.time()
    return row.counted + min(max(wall - row.wall, 0.0), STEP) if row else wall


def tick(connection: Connection) -> float:
    """Moves the clock of the store on, by `STEP` at most: the time now. The transaction must `write`."""
    found = now(connection)
    connection.execute("insert or replace into clock values (1, ?, ?)", (time.time(), found))
    return found


def damaged_file() -> Path | None:
    """The newest file that was put aside, because it was damaged."""
    with suppress(OSError):
        return max(path().parent.glob(f"{path().name}{DAMAGED}*"), default=None)
    return None


class Changes:
    """Counts what is committed to the file, by any process; not for two threads at once."""

    def __init__(self):
        self._connection, self._file, self._version, self._count = None, None, None, 0

    def count(self) -> int:
        """A number that has risen if anything was committed since the last call; raises StoreError."""
        try:
            if self._connection is None or _identity() != self._file:  # the file was put aside, or is another one
                self._close()
                self._connection = _connect(check_same_thread=False)
                self._file, self._version = _identity(), None
            version = self._connection.value("pragma data_version")
        except (sqlite3.Error, OSError) as error:
            self._close()
            raise StoreError(_sentence(error)) from error
        if version != self._version:
            self._version, self._count = version, self._count + 1
        return self._count

    def _close(self):
        if self._connection:
            self._connection.close()
        self._connection = None

    __del__ = _close  # Python 3.13 warns of what is left open


def _identity():
    """Identity of the file that the store is now; None if there is none."""
    file = path()
    try:
        stat = file.stat()
    except FileNotFoundError:
        return None
    return file, stat.st_ino, stat.st_dev


def _connect(**options):
    file, found = path(), _identity()
    try:
        return _prepare(file, **options)
    except sqlite3.DatabaseError as error:
        if not _is_damaged(error):
            raise
        _put_aside(found)
        return _prepare(file, **options)


def _prepare(file, **options):
    file.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as ending:
        with _names_held(file):
            connection = sqlite3.connect(file, timeout=PATIENCE, isolation_level=None, factory=Connection, **options)
            ending.callback(connection.close)
            version = connection.value("pragma user_version")  # the first read finds the log of changes by its name
        connection.row_factory = lambda cursor, row: _row_class(tuple(name for name, *_ in cursor.description))(*row)
        if version != VERSION:
            with _names_held(file, alone=True):  # the second to ask for a log would be told that the file is locked
                connection.execute("pragma journal_mode = wal")
                connection.executescript(f"begin immediate; {TABLES} commit;")
                _add_columns(connection)
        connection.execute("pragma synchronous = normal")
        ending.pop_all()
    return connection


@contextmanager
def _names_held(file, alone: bool = False):
    """While the file is opened no process renames or begins it, which is done `alone`.

    Otherwise a connection to a damaged file finds the log of the new one, and writes its rooms into the damaged file.
    """
    if fcntl is None:
        yield
        return
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network drives cannot lock a folder
            fcntl.flock(folder, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
    finally:
        os.close(folder)


def _add_columns(connection):
    connection.execute("begin immediate")  # another process may be at it
    for table, columns in COLUMNS.items():
        known = {row.name for row in connection.rows(f"pragma table_info({table})")}
        for column in columns:
            if column.split()[0] not in known:
                connection.execute(f"alter table {table} add column {column}")
    connection.execute(f"pragma user_version = {VERSION}")
    connection.execute("commit")


def _is_damaged(error):
    said = str(error)
    return isinstance(error, sqlite3.DatabaseError) and ("not a database" in said or "malformed" in said)


def _put_aside(found):
    """Rename the files of the store that was `found` damaged: a later look at them may rescue something.

    Not those of the new one that another reader has begun meanwhile. The file itself comes last: after it a new one can
    be begun.
    """
    with suppress(OSError), _names_held(path(), alone=True):
        if _identity() != found:
            return
        stamp = int(time.time())
        while path().with_name(f"{path().name}{DAMAGED}{stamp}").exists():
            stamp += 1
        for end in ("-wal", "-shm", ""):
            file = path().with_name(path().name + end)
            with suppress(FileNotFoundError):
                file.rename(file.with_name(f"{file.name}{DAMAGED}{stamp}"))


def _sentence(error):
    said = str(error)
    if "full" in said or "No space" in said:
        why = "the disk is full"
    elif isinstance(error, OSError) or "readonly" in said or "unable to open" in said:
        why = "its folder cannot be written to"
    elif "locked" in said or "locking" in said:
        why = "it is in use by another process; try again"
    elif _is_damaged(error):
        why = "it was damaged; a new one has been started, and the old file is kept beside it"
    else:
        why = f"SQLite says: {said}"
    return f"The server's store does not work at the moment: {why}."
