"""Write a live picture of a machine on the points of a csv file: columns x1, x2, label; lines of words are skipped."""

import argparse
import sys
from pathlib import Path

import numpy as np

from svmcore import SVC, commands, duals, live, losses
from svmcore.problems.tables import text_of
from svmcore.warned import silently


def main(arguments=None) -> int:
    """Run the command line; returns 0, or 1 after printing the error."""
    options = _parser().parse_args(arguments)
    return commands.report(lambda: _run(options))


def _run(options):
    """Write the live file; returns its path."""
    X, y = read(options.data)
    model = SVC(
        loss=options.loss,
        loss_params=dict(map(_parameter, options.param)) or None,
        C=options.C,
        kernel=options.kernel,
        gamma="scale" if options.sigma is None else options.sigma**-2,
        degree=options.degree,
        coef0=options.coef0,
    )
    with silently():  # the picture shows the status
        model.fit(X, y)
    words = live.Words(options.title, options.question, options.answer)
    return live.html(model, X, y, words=words, may=options.may).save(options.output)


def read(path) -> tuple[np.ndarray, np.ndarray]:
    """X (N, 2) and labels (N,) of a csv file; ValueError, in a sentence, for another one."""
    rows = [line.split(",") for line in text_of(Path(path).read_bytes()).splitlines() if line.strip()]
    numbers = [row for row in rows if _is_number(row[0])]
    if not numbers or any(len(row) < 3 for row in numbers):
        raise ValueError(f"{path}: expected rows of two numbers and a label, such as 0.5,1.2,-1")
    bad = next((row for row in numbers if not _is_number(row[1])), None)
    if bad:
        raise ValueError(f"{path}: expected two numbers and a label, got the row {','.join(bad)}")
    labels = [row[2].strip() for row in numbers]
    X = np.array([[float(cell) for cell in row[:2]] for row in numbers])
    y = np.array([float(label) for label in labels] if all(map(_is_number, labels)) else labels)
    if (kinds := len(np.unique(y))) != 2:
        raise ValueError(f"{path}: expected labels of two classes in the third column, got {kinds} different ones")
    return X, y


def _is_number(cell):
    try:
        return bool(np.isfinite(float(cell)))
    except ValueError:
        return False


def _parameter(text):
    name, _, value = text.partition("=")
    if not _is_number(value):
        raise ValueError(f"expected a parameter such as tau=0.3, got {text!r}")
    return name, float(value)


def _parser():
    parser = argparse.ArgumentParser(prog="python -m svmcore.live", description=__doc__)
    add = parser.add_argument
    add("data", type=Path, metavar="FILE", help="csv: x1, x2, label")
    add("--loss", choices=duals.DUALS, default="hinge", help=", ".join(losses.get(key).key for key in duals.DUALS))
    add("--param", action="append", default=[], metavar="NAME=VALUE", help="of the loss, such as tau=0.3")
    add("--kernel", choices=live.KERNELS, default="rbf")
    add("--C", type=float, default=1.0, help="weight of the loss (1)")
    add("--sigma", type=float, help="width of the kernel, gamma = 1 / sigma^2 (by the spread of the points)")
    add("--degree", type=int, default=3)
    add("--coef0", type=float, default=1.0)
    add("--title", default="")
    add("--question", default="")
    add("--answer", default="", help="behind a button")
    add("--may", nargs="*", default=live.MAY, choices=live.MAY, help="what a reader can change (all)")
    add("-o", "--output", type=Path, default=Path("picture.html"), metavar="FILE", help="picture.html")
    return parser


if __name__ == "__main__":
    sys.exit(main())
