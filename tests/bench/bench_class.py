"""A class on one server: readers who speak Streamlit's protocol, all on this machine.

    python tests/bench/bench_class.py [--only NAME,NAME,...] [--write]

prints the table of deploy/README.md, and with --write puts it there; exit code 1 if a row is not as it is wanted. Six
minutes on a machine that does nothing else. What is compared with a lone session stands between two measurements of it.

reruns: one session without a pause, by processor time. twenty: sessions on one process, a change of C a second each for
a minute; fifty: on two processes behind the proxy. jobs: one session beside twenty that run a study. close: 200
sessions opened, used and closed. follow: sixty phones in a room in which nothing happens. open: sixty who have never
been here open the page within five seconds, on two processes, with all files that a Chromium fetches for its first
picture. votes: sixty phones vote within two seconds and see the reveal. kill: `kill -9` of one of two processes while
ten read. The readers share the processors.
"""

import argparse
import asyncio
import contextlib
import os
import re
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers"), str(ROOT / "tests" / "bench")]

import serving
from class_rows import ON_ONE, ON_TWO, Figure
from crowd import warmed

README = ROOT / "deploy" / "README.md"
HEAD = "| what | measured | wanted |\n|---|---|---|\n"
WANTED = {  # what is measured, and what is wanted
    "reruns": ("full runs of Playground in a second of processor time", "at least 30"),
    "twenty": (
        "20 sessions that change C once a second, one process: p95 of their answers, divided by the median of a lone "
        "session",
        "at most 8",
    ),
    "fifty": ("50 sessions, the same, two processes", "at most 12"),
    "jobs": (
        "one session beside 20 studies in the background: its p95, divided by its median without them",
        "at most 3",
    ),
    "close": ("200 sessions opened, used and closed: memory before and after, threads", "10 % + 50 MB, none more"),
    "follow": ("60 phones that follow a room in which nothing happens: processor time a minute", "at most 6 s"),
    "open": (
        "60 who have never been here open Playground within 5 s, two processes: time of the last one, divided by that "
        "of a lone visitor; over the wire to a browser",
        "at most 12; 1.7 MB",
    ),
    "votes": ("60 phones vote within 2 s: votes counted; the reveal on the last phone", "60; 2 s"),
    "kill": ("`kill -9` of one of two processes: readers who are back on the other one with room and edits", "all"),
}


def table(figures: dict[str, Figure]) -> str:
    """The table of deploy/README.md with these figures."""
    rows = ((what, figures[name].words, wanted) for name, (what, wanted) in WANTED.items() if name in figures)
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write(figures: dict[str, Figure]) -> None:
    """Put the table into deploy/README.md."""
    text = README.read_text(encoding="utf-8")
    README.write_text(re.sub(re.escape(HEAD) + r"(\|.*\n)*", lambda _: table(figures), text), encoding="utf-8")


@contextlib.contextmanager
def alone(folder):
    """(address, number of the process) of the app in one process."""
    with serving.server("app.py", folder / "alone") as (process, url):
        yield url, process.pid


@contextlib.contextmanager
def behind_a_proxy(folder):
    """(address, numbers of both processes)."""
    with serving.processes(2, folder) as url:
        yield url, serving.pids(url)


def measured(wanted, folder) -> dict[str, Figure]:
    """The figures with these names."""
    figures = {}
    os.environ["SVM_LAB_STORE"] = str(folder / "store.sqlite3")  # the same for the rooms of this process
    for rows, served in ((ON_ONE, alone), (ON_TWO, behind_a_proxy)):
        chosen = {name: measure for name, measure in rows.items() if name in wanted}
        if not chosen:
            continue
        with served(folder) as (url, process):
            for _ in range(4):
                asyncio.run(warmed(url))
            for name, measure in chosen.items():
                began = time.perf_counter()
                figures[name] = measure(url, process)
                print(f"{name}: {figures[name].words} ({time.perf_counter() - began:.0f} s)", flush=True)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default=",".join(WANTED))
    parser.add_argument("--write", action="store_true", help="put the table into deploy/README.md")
    options = parser.parse_args()
    names = options.only.split(",")
    if set(names) - set(WANTED) or (options.write and set(names) != set(WANTED)):
        parser.error(f"--only takes some of {', '.join(WANTED)}; --write needs all of them")
    with tempfile.TemporaryDirectory() as place:
        figures = measured(names, Path(place))
    print(table(figures), end="")
    if options.write:
        write(figures)
    missed = [name for name, figure in figures.items() if not figure.holds]
    print(f"not as wanted: {', '.join(missed)}" if missed else "all as wanted")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
