"""A toy experiment for tests/papers/test_papers.py: its splits say in a folder that they were computed."""

import os
from pathlib import Path

from svmcore.papers import Table
from svmcore.papers.experiment import Experiment


def square(folder, x):
    """[x^2, the process]; leaves a file for each time that it ran."""
    Path(folder, f"{x}.{len(list(Path(folder).glob(f'{x}.*')))}").touch()
    return [x * x, os.getpid()]


def halve(folder, x):
    if x == 3:
        raise ValueError("three has no half")
    return x / 2


def toy(folder, n=6):
    """An experiment of two stages, the second of which asks for what the first has found."""

    def make(work, quick, seed):
        first = yield from work("squares", square, [{"folder": folder, "x": x} for x in range(2 if quick else n)])
        second = yield from work("halves", halve, [{"folder": folder, "x": value + 10 * seed} for value, _ in first])
        return Table(
            ("half", "process"), tuple((h, pid) for h, (_, pid) in zip(second, first, strict=True)), ("A note.",)
        )

    return Experiment("toy.squares", "Toy", "squares", "Nothing.", make)


def broken(folder):
    def make(work, quick, seed):
        yield from work("halves", halve, [{"folder": folder, "x": x} for x in (1, 2, 3, 4)])

    return Experiment("toy.broken", "Toy", "broken", "Nothing.", make)
