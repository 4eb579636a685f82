"""The splits of an experiment: computed in this process, in several, or on a cluster, each only once.

A split is a module-level function of a few plain arguments that returns plain numbers. Each finished split is written
to a file at once, as one line, so that a run that was killed continues where it was. A line is valid only for the same
function, arguments and version of svmcore.
"""

import json
import platform
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from joblib import Parallel, delayed

import svmcore
from svmcore.solvers import blas
from svmcore.warned import silently

BACKENDS = ("loky", "dask")
SOFTWARE = ("numpy", "scipy", "scikit-learn", "numba")


class Progress(NamedTuple):
    """`done` of `total` splits of a stage of an experiment; `words` describe the stage."""

    done: int
    total: int
    words: str


class Work:
    """Computes splits. Called inside an experiment: `results = yield from work(words, split, tasks)`.

    jobs: processes (1: in this one); backend: "loky" (processes of this machine) or "dask" (those of the cluster whose
    `scheduler` has this address); keep: a file for finished splits, or None. `seconds` is the time of all splits
    requested so far, including those that an earlier run has computed. Raises ValueError for other options.
    """

    def __init__(self, *, jobs=1, backend="loky", scheduler=None, keep=None):
        if backend not in BACKENDS:
            raise ValueError(f"The backend must be one of {', '.join(BACKENDS)}, got {backend!r}.")
        if jobs != int(jobs) or jobs == 0:
            raise ValueError(f"The number of jobs must be a whole number, -1 for all cores, not 0; got {jobs!r}.")
        if backend == "dask" and not scheduler:
            raise ValueError(
                "The dask backend needs the address of a scheduler, such as tcp://127.0.0.1:8786; give --scheduler."
            )
        self.jobs, self.backend, self.scheduler = int(jobs), backend, scheduler
        self.seconds, self._keep = 0.0, Kept(keep)

    def __call__(self, words, split, tasks) -> Iterator[Progress]:
        """Yields `Progress`; the value of the generator is the list of results, in the order of the tasks (dicts)."""
        keys = [_key(split, task) for task in tasks]
        missing = [k for k, key in enumerate(keys) if key not in self._keep.lines]
        done = len(keys) - len(missing)
        yield Progress(done, len(keys), words)
        for k, result, seconds in self._compute(split, tasks, missing):
            self._keep.add(keys[k], result, seconds)
            done += 1
            yield Progress(done, len(keys), words)
        lines = [self._keep.lines[key] for key in keys]
        self.seconds += sum(seconds for _, seconds in lines)
        return [result for result, _ in lines]

    def _compute(self, split, tasks, missing):
        """(k, result, seconds) of the tasks k in `missing`, in order of completion."""
        if not missing:
            return iter(())
        if self.backend == "dask":
            return _on_cluster(self.scheduler, split, tasks, missing)
        if self.jobs == 1:
            return (_time_task(split, k, tasks[k]) for k in missing)
        parallel = Parallel(n_jobs=self.jobs, return_as="generator_unordered")
        return parallel(delayed(_time_task)(split, k, tasks[k]) for k in missing)


class Kept:
    """Finished splits as lines of a file: `lines` is {key: (result, seconds)}. Without a file, in memory."""

    def __init__(self, path):
        self.path, self.lines = path and Path(path), {}
        if self.path and self.path.is_file():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    key, result, seconds = json.loads(line)
                except ValueError:
                    continue  # an incomplete line of a run that was killed
                self.lines[key] = result, seconds

    def add(self, key, result, seconds) -> None:
        """Keep the result (plain numbers) and time of a split, and append it to the file."""
        line = json.dumps([key, result, round(seconds, 4)])
        # as it will be read, so that a resumed run gives the same table, bit for bit
        self.lines[key] = tuple(json.loads(line)[1:])
        if self.path:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab+") as file:
                file.seek(max(file.seek(0, 2) - 1, 0))
                begun = file.read() not in (b"", b"\n")
                file.write(b"\n" * begun + line.encode() + b"\n")


def _key(split, task):
    return json.dumps([svmcore.__version__, split.__module__, split.__name__, task], sort_keys=True)


def _time_task(split, k, task):
    """(k, result, seconds); in one thread, so that sums are the same wherever the split is computed."""
    start = time.perf_counter()
    with blas.one_thread(), silently():  # the tables count what did not converge
        result = split(**task)
    return k, result, time.perf_counter() - start


def _on_cluster(scheduler, split, tasks, missing):
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise ValueError(
            "The dask backend needs the package distributed, which is not installed; `pip install distributed`."
        ) from error
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"No dask scheduler answers at {scheduler!r}; start one with `dask scheduler` and workers with "
            "`dask worker ADDRESS` in the folder of this project."
        ) from error
    with client:
        futures = [client.submit(_time_task, split, k, tasks[k], pure=False) for k in missing]
        for future in as_completed(futures):
            yield future.result()


def versions() -> dict[str, str]:
    """{name: version} of the software that computes the results."""
    own = {"svmcore": svmcore.__version__, "python": platform.python_version()}
    return {**own, **{name: version(name) for name in SOFTWARE}}
