"""Studies without a screen: `robustness` fits machines to contaminated tables and writes robustness.csv."""

import argparse
import shlex
import sys
from datetime import UTC, datetime

from svmcore import commands
from svmcore.problems import outliers
from svmcore.solvers import router
from svmcore.studies import contamination
from svmcore.work import Work, versions

DESIGN, LEVELS, KINDS = contamination.Design(), contamination.LEVELS, contamination.KINDS


def main(arguments=None) -> int:
    """Run the command line; returns 0, 1 after printing an error, or 130 after an interrupt."""
    arguments = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args(arguments)
    stopped = f"Stopped; finished cells are kept in {options.out}."
    return commands.report(lambda: _run(options, shlex.join(arguments)), stopped)


def _run(options, command):
    """Write the csv file of the study; returns a sentence with its path."""
    machines = router.SOLVABLE if options.machines == ["all"] else options.machines
    names = contamination.SHIPPED if options.tables == ["all"] else options.tables
    chosen = {name: getattr(options, name) for name in contamination.Design._fields}
    chosen |= {"C": tuple(options.C), "widths": tuple(options.widths), "tuned": min(options.tuned, options.repeats)}
    design = contamination.Design(**chosen)
    contamination.check(names, machines, options.kinds, options.levels, options.repeats, design)
    keep = options.out / "robustness.cells.jsonl"
    work = Work(jobs=options.jobs, backend=options.backend, scheduler=options.scheduler, keep=keep)
    rows = commands.finish(
        contamination.run(work, names, machines, options.kinds, options.levels, options.repeats, design, options.kernel)
    )
    about = {
        "command": f"python -m svmcore.studies {command}",
        "kernel": options.kernel,
        **contamination.lines(design),
        "seeds": f"0 to {options.repeats - 1}, the number of the split",
        "seconds": f"{work.seconds:.0f}",
        "date": datetime.now(UTC).date().isoformat(),
        "versions": ", ".join(f"{name} {number}" for name, number in versions().items()),
    }
    path = commands.write(options.out / "robustness.csv", contamination.to_csv(rows, about))
    return f"{path}: {len(rows)} rows, {work.seconds:.0f} seconds of work."


def _parser():
    parser = argparse.ArgumentParser(prog="python -m svmcore.studies", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    run = verbs.add_parser("robustness", help="tables x machines x outliers x levels, over repeated splits")
    add = run.add_argument
    about_tables = "tables, csv files, drawn problems (default all shipped)"
    add("--tables", nargs="+", default=["all"], metavar="NAME", help=about_tables)
    add("--machines", nargs="+", default=["all"], metavar="LOSS", help="keys of losses (default all)")
    add("--kinds", nargs="+", default=KINDS, metavar="KIND", help=f"of {', '.join(outliers.KINDS)}")
    add("--levels", nargs="+", type=float, default=LEVELS, metavar="SHARE", help="of the training points, below 0.5")
    add("--repeats", type=int, default=20, metavar="N", help="splits of each table (default 20)")
    about_tuned = "first splits that tune for all; 0: each for itself"
    add("--tuned", type=int, default=DESIGN.tuned, metavar="N", help=about_tuned)
    add("--C", nargs="+", type=float, default=DESIGN.C, help="the values of the grid")
    add("--widths", nargs="+", type=float, default=DESIGN.widths, help="sigma / sqrt(features), the values of the grid")
    about_folds = f"of the cross-validation inside the training points; {contamination.FEWER_FOLDS}"
    add("--folds", type=int, default=DESIGN.folds, help=about_folds)
    add("--most", type=int, default=DESIGN.most, metavar="N", help="training points at most; the others test")
    add("--hold-out", type=float, default=DESIGN.hold_out, metavar="SHARE", help="of the points that test, at least")
    add("--all-starts", action="store_true", help="fit losses that are not convex from all starts, not from one")
    add("--unscaled", dest="scaled", action="store_false", help="fit the points as they are, not standardised")
    add("--kernel", choices=("rbf", "linear"), default="rbf")
    commands.add_work_options(run, "robustness.csv and finished cells")
    return parser


if __name__ == "__main__":
    sys.exit(main())
