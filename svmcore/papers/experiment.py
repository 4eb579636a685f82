"""Experiments: the record of one, and the registry of all by name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from svmcore.papers.table import Table
from svmcore.work import Progress, Work, versions


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper; `shows` is the statement that it supports.

    `make(work, quick, seed)` is a generator: it requests its splits from `work`, passes on what they yield, and returns
    a `Table` of columns, rows and notes.
    """

    name: str
    paper: str
    title: str
    shows: str
    make: Callable

    def run(
        self, quick=False, seed=0, *, jobs=1, backend="loky", scheduler=None, out=None
    ) -> Iterator[Progress | Table]:
        """Yields `Progress` after every split and, last, the `Table`.

        quick: few and small splits, less than a minute; seed: of all draws; out: a folder for finished splits, which
        another run then does not repeat. The others are those of `work.Work`. Raises ValueError for a wrong seed.
        """
        if isinstance(seed, bool) or seed != int(seed) or seed < 0:
            raise ValueError(f"The seed must be a whole number of at least 0, got {seed!r}.")
        keep = out and Path(out) / f"{self.name}.splits.jsonl"
        work = Work(jobs=jobs, backend=backend, scheduler=scheduler, keep=keep)
        table = yield from self.make(work, quick=bool(quick), seed=int(seed))
        yield replace(
            table,
            name=self.name,
            title=f"{self.paper}, {self.title}",
            command=f"python -m svmcore.papers run {self.name}{' --quick' * bool(quick)} --seed {seed}",
            quick=bool(quick),
            seed=int(seed),
            seconds=work.seconds,
            date=datetime.now(UTC).date().isoformat(),
            versions=versions(),
        )


REGISTRY: dict[str, Experiment] = {}


def experiment(name, *, paper, title, shows) -> Callable:
    """A decorator that registers the generator `make(work, quick, seed)` under `name` and returns the Experiment."""

    def register(make):
        REGISTRY[name] = Experiment(name, paper, title, shows, make)
        return REGISTRY[name]

    return register


def get(name) -> Experiment:
    """The experiment of this name; ValueError, with the nearest names, if it is unknown."""
    if name not in REGISTRY:
        near = get_close_matches(name, REGISTRY, n=3, cutoff=0.4)
        hint = f"the nearest are: {', '.join(near)}" if near else f"choose one of: {', '.join(REGISTRY)}"
        raise ValueError(f"Unknown experiment {name!r}; {hint}.")
    return REGISTRY[name]


def final_table(steps) -> Table:
    """The table at the end of the `steps` of a run; progress is ignored."""
    *_, table = steps
    return table
