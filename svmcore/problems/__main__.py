"""Sets that do not come with the project: `python -m svmcore.problems fetch NAME ...`, or `store NAME FILE`."""

import argparse
import sys
from pathlib import Path

from svmcore.problems import fetched


def main(arguments=None) -> int:
    """Run the command line; returns 0, or 1 after printing the error."""
    parser = argparse.ArgumentParser(prog="python -m svmcore.problems", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    fetch = verbs.add_parser("fetch", help="download sets, check them, and keep them in the data folder")
    fetch.add_argument("names", nargs="+", choices=fetched.SOURCES, metavar="NAME", help=", ".join(fetched.SOURCES))
    store = verbs.add_parser("store", help="the same with a file that was downloaded by other means")
    store.add_argument("name", choices=fetched.SOURCES, metavar="NAME", help=", ".join(fetched.SOURCES))
    store.add_argument("file", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        if options.verb == "store":
            print(fetched.store(options.name, options.file.read_bytes()))
        else:
            for name in options.names:
                print(fetched.fetch(name))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
