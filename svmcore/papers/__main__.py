"""The tables and figures of the five papers: without arguments a list of them, `run NAME` computes one."""

import argparse
import sys

from svmcore import commands
from svmcore.papers import REGISTRY, get


def main(arguments=None) -> int:
    """Run the command line; returns 0, 1 after printing an error, or 130 after an interrupt."""
    options = _parser().parse_args(arguments)
    if options.verb is None:
        sys.stdout.reconfigure(errors="replace")  # on Windows a file or a pipe may not have all letters
        width = max(map(len, REGISTRY))
        for entry in REGISTRY.values():
            print(f"{entry.name:{width}}  {entry.paper}, {entry.title}")
        return 0
    return commands.report(lambda: _run(options), f"Stopped; finished splits are kept in {options.out}.")


def _run(options):
    """Write the csv file of the experiment; returns a sentence with its path."""
    how = {name: getattr(options, name) for name in ("quick", "seed", "jobs", "backend", "scheduler", "out")}
    table = commands.finish(get(options.name).run(**how))
    path = commands.write(options.out / f"{options.name}{'.quick' * options.quick}.csv", table.to_csv())
    return f"{path}: {len(table.rows)} rows, {table.seconds:.0f} seconds of work."


def _parser():
    parser = argparse.ArgumentParser(prog="python -m svmcore.papers", description=__doc__)
    verbs = parser.add_subparsers(dest="verb")
    run = verbs.add_parser("run", help="compute one experiment and write NAME.csv")
    run.add_argument("name", metavar="NAME", help="a name from the list")
    run.add_argument("--quick", action="store_true", help="fewer and smaller splits: less than a minute")
    run.add_argument("--seed", type=int, default=0, help="of all draws (default 0)")
    commands.add_work_options(run, "the csv file and finished splits")
    return parser


if __name__ == "__main__":
    sys.exit(main())
