"""The problems: without arguments a list of them; `fetch NAME ...` and `store NAME FILE` keep data sets on request."""

import argparse
import sys
from functools import partial
from pathlib import Path

from svmcore import commands
from svmcore.problems import REGISTRY, fetched


def main(arguments=None) -> int:
    """Run the command line; returns 0, or 1 after printing the error."""
    options = _parser().parse_args(arguments)
    if options.verb is None:
        width = max(map(len, REGISTRY))
        for key, entry in REGISTRY.items():
            print(f"{key:{width}}  {entry.about}{'' if entry.available() else ' On request.'}")
        return 0
    if options.verb == "store":
        return commands.report(lambda: fetched.store(options.name, options.file.read_bytes()))
    return int(any(commands.report(partial(fetched.fetch, name)) for name in options.names))


def _parser():
    parser = argparse.ArgumentParser(prog="python -m svmcore.problems", description=__doc__)
    verbs = parser.add_subparsers(dest="verb")
    fetch = verbs.add_parser("fetch", help="download sets, check them, and keep them in the data folder")
    fetch.add_argument("names", nargs="+", choices=fetched.SOURCES, metavar="NAME", help=", ".join(fetched.SOURCES))
    store = verbs.add_parser("store", help="the same with a file that was downloaded by other means")
    store.add_argument("name", choices=fetched.SOURCES, metavar="NAME", help=", ".join(fetched.SOURCES))
    store.add_argument("file", type=Path, metavar="FILE")
    return parser


if __name__ == "__main__":
    sys.exit(main())
