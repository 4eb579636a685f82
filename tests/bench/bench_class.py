"""A class on one server: readers who speak Streamlit's protocol, all on this machine.

    python tests/bench/bench_class.py [--only NAME,NAME,...] [--write]

prints the table of deploy/README.md, and with --write puts it there; exit code 1 if a row is not as it is wanted. Six
minutes on a machine that does nothing else. The rows are in class_rows.py. The readers share the processors.
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
from class_rows import ROWS, Figure, warmed

README = ROOT / "deploy" / "README.md"
HEAD = "| what | measured | wanted |\n|---|---|---|\n"


def table(figures: dict[str, Figure]) -> str:
    """The table of deploy/README.md with these figures."""
    rows = ((row.what, figures[name].words, row.wanted) for name, row in ROWS.items() if name in figures)
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write(figures: dict[str, Figure]) -> None:
    """Put the table into deploy/README.md."""
    text = README.read_text(encoding="utf-8")
    README.write_text(re.sub(re.escape(HEAD) + r"(\|.*\n)*", lambda _: table(figures), text), encoding="utf-8")


@contextlib.contextmanager
def served(processes, folder):
    """(address, number of the process) of the app; of two processes behind a proxy both numbers."""
    if processes == 1:
        with serving.server("app.py", folder / "alone") as (process, url):
            yield url, process.pid
    else:
        with serving.processes(processes, folder) as url:
            yield url, serving.pids(url)


def measured(wanted, folder) -> dict[str, Figure]:
    """The figures with these names."""
    figures = {}
    os.environ["SVM_LAB_STORE"] = str(folder / "store.sqlite3")  # the same for the rooms of this process
    for processes in sorted({ROWS[name].processes for name in wanted}):
        with served(processes, folder) as (url, process):
            for _ in range(4):
                asyncio.run(warmed(url))
            for name in (name for name, row in ROWS.items() if name in wanted and row.processes == processes):
                began = time.perf_counter()
                figures[name] = ROWS[name].measure(url, process)
                print(f"{name}: {figures[name].words} ({time.perf_counter() - began:.0f} s)", flush=True)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default=",".join(ROWS))
    parser.add_argument("--write", action="store_true", help="put the table into deploy/README.md")
    options = parser.parse_args()
    names = options.only.split(",")
    if set(names) - set(ROWS) or (options.write and set(names) != set(ROWS)):
        parser.error(f"--only takes some of {', '.join(ROWS)}; --write needs all of them")
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
