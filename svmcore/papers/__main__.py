"""The tables and figures of the five papers: without arguments a list of them, `run NAME` computes one."""

import argparse
import sys
from pathlib import Path

from svmcore.papers import REGISTRY, Progress, get
from svmcore.work import BACKENDS


def main(arguments=None) -> int:
    """Run the command line; returns 0, 1 after printing an error, or 130 after an interrupt."""
    options = _parser().parse_args(arguments)
    if options.verb is None:
        width = max(map(len, REGISTRY))
        for entry in REGISTRY.values():
            print(f"{entry.name:{width}}  {entry.paper}, {entry.title}")
        return 0
    try:
        print(_run(options))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nStopped; finished splits are kept in {options.out}.", file=sys.stderr)
        return 130
    return 0


def _run(options):
    """Write the csv file of the experiment; returns a sentence with its path."""
    how = {name: getattr(options, name) for name in ("quick", "seed", "jobs", "backend", "scheduler", "out")}
    for step in get(options.name).run(**how):
        if isinstance(step, Progress):
            print(f"\r{step.words}: {step.done} of {step.total}\033[K", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    path = options.out / f"{options.name}{'.quick' * options.quick}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(step.to_csv(), encoding="utf-8")
    return f"{path}: {len(step.rows)} rows, {step.seconds:.0f} seconds of work."


def _parser():
    parser = argparse.ArgumentParser(prog="python -m svmcore.papers", description=__doc__)
    verbs = parser.add_subparsers(dest="verb")
    run = verbs.add_parser("run", help="compute one experiment and write NAME.csv")
    run.add_argument("name", metavar="NAME", help="a name from the list")
    run.add_argument("--quick", action="store_true", help="fewer and smaller splits: less than a minute")
    run.add_argument("--seed", type=int, default=0, help="of all draws (default 0)")
    run.add_argument("--jobs", type=int, default=1, help="processes, -1 for all cores (default 1)")
    run.add_argument("--backend", choices=BACKENDS, default="loky", help="where they run (default loky)")
    run.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster, for --backend dask")
    run.add_argument(
        "--out",
        type=Path,
        default=Path("results"),
        metavar="DIR",
        help="where the csv file and finished splits go (default results); a run that was stopped continues from there",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
