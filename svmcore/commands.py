"""Parts of all command lines of svmcore: errors as one sentence, progress, and the options of long work."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from svmcore.work import BACKENDS, Progress


def report(action: Callable[[], str], stopped: str = "Stopped.") -> int:
    """Print what `action()` returns: 0, 1 after printing an error, or 130 after an interrupt, and `stopped`."""
    try:
        print(action())
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\n{stopped}", file=sys.stderr)
        return 130
    return 0


def finish(steps: Iterator) -> Any:
    """The value of a generator, else what it yielded last, while its `Progress` is printed."""
    last = None
    while True:
        try:
            last = next(steps)
        except StopIteration as end:
            print(file=sys.stderr)
            return last if end.value is None else end.value
        if isinstance(last, Progress):
            print(f"\r{last.words}: {last.done} of {last.total}\033[K", end="", file=sys.stderr, flush=True)


def add_work_options(parser, kept: str) -> None:
    """Options for where work is computed, and for the folder of what is `kept`."""
    parser.add_argument("--jobs", type=int, default=1, help="processes, -1 for all cores (default 1)")
    parser.add_argument("--backend", choices=BACKENDS, default="loky", help="where they run (default loky)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster, for --backend dask")
    about = f"for {kept} (default results); a run that was stopped continues from there"
    parser.add_argument("--out", type=Path, default=Path("results"), metavar="DIR", help=about)


def write(path: Path, text: str) -> Path:
    """Write a file, in a folder that may be new; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
