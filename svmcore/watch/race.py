"""Two to four runs on one clock: iterations, or seconds measured in an unwatched run.

Iterations of different solvers differ in cost, hence the second clock. It spreads the seconds of the unwatched run
evenly over its iterations: pair updates of one run cost about the same each.
"""

from functools import partial
from statistics import median
from time import perf_counter
from typing import NamedTuple

import numpy as np

from svmcore.watch import recording, registry, trace

ENOUGH = 0.05  # seconds of timing
CLOCKS = ("iterations", "seconds")


class Entrant(NamedTuple):
    """A name, the key of a solver in `registry.DESCRIPTIONS`, and the `trace.Given` to solve."""

    label: str
    solver: str
    given: trace.Given


class Race(NamedTuple):
    """The runs of the entrants, and the median seconds of each unwatched."""

    labels: tuple[str, ...]
    traces: tuple[trace.Trace, ...]
    seconds: tuple[float, ...]

    def clock(self, k, unit="iterations") -> np.ndarray:
        """The time of each frame of run k, (F,), in iterations or seconds; ValueError for another unit."""
        if unit not in CLOCKS:
            raise ValueError(f"unit must be one of {', '.join(CLOCKS)}, got {unit!r}")
        run = self.traces[k]
        scale = self.seconds[k] / max(run.n_iter, 1) if unit == "seconds" else 1.0
        return scale * run.frame_iter

    def ticks(self, unit="iterations", most=recording.MOST_FRAMES) -> tuple[np.ndarray, np.ndarray]:
        """(times, frames): at most `most` ascending times (T,), and of each run the frame shown then, (runs, T).

        -1 before the first frame of a run: a direct method has none until it is done. A run that has ended keeps
        its last frame.
        """
        clocks = [self.clock(k, unit) for k in range(len(self.traces))]
        times = np.unique(np.concatenate(clocks))
        if len(times) > most:
            positive = times[times > 0.0]
            wanted = np.append(times[0], np.geomspace(positive[0], positive[-1], most - 1))
            times = times[np.unique(np.searchsorted(times, wanted * (1.0 - 1e-12)))]
        return times, np.stack([np.searchsorted(clock, times, side="right") - 1 for clock in clocks])


def race(entrants, *, tol=1e-3, **limit) -> Race:
    """Run two to four entrants, each watched once, and unwatched until its time is measured well enough.

    Each stops at its solver's own limit, or at `max_iter`. Raises ValueError for other numbers of entrants, and for a
    solver that cannot solve its problem.
    """
    if not 2 <= len(entrants) <= 4:
        raise ValueError(f"a race has two to four runs, got {len(entrants)}")
    traces, seconds = [], []
    for entrant in entrants:
        description = registry.DESCRIPTIONS[entrant.solver]
        if not description.serves(entrant.given):
            raise ValueError(
                f"{entrant.label}: {description.words.title} cannot take {entrant.given.loss}; leave it out"
            )
        traces.append(registry.record(entrant.solver, entrant.given, tol=tol, **limit))
        seconds.append(_median_seconds(partial(description.solve, entrant.given, tol=tol, **limit)))
    return Race(tuple(entrant.label for entrant in entrants), tuple(traces), tuple(seconds))


def _median_seconds(action):
    """Median seconds of three calls or more; of a single one if that takes longer than a second."""
    taken = []
    while sum(taken) < ENOUGH or (len(taken) < 3 and sum(taken) < 1.0):
        start = perf_counter()
        action()
        taken.append(perf_counter() - start)
    return median(taken)
