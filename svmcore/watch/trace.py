"""The record of an iterative solver's run, in one form for all solvers.

A `Trace` is a table with one row per recorded iteration: row k holds the run after `iteration[k]` iterations, and what
happened in the step that led there (`events`, the solver's own columns). The frames go with it: at most 60 coefficient
vectors at log-spaced iterations, always including the first and the last.

How the vectors between two frames are obtained depends on what was cheaper to record. Pair updates are replayed from
the pairs (`smo.replay`, bit for bit); a solver whose rounds cost more than a copy of the vector keeps every one of them
(`iterates`). `coefficients_at` hides the difference.

A solver takes part with

- a generator that yields one NamedTuple or dict per round, from which `recording.of_rounds` makes a Trace; a direct
  method has one round, its answer; pair updates have a recorder of their own, `watch.smo`;
- a subclass of `Description`: its words, and how to run it watched and unwatched. `svmcore.watch.registry` lists them.

Solvers call nothing in this module: a watched run makes exactly the steps of an unwatched one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from svmcore import duals
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import smo
from svmcore.solvers.solution import Solution, Task

GRAM = Kernel("precomputed")


class Given(NamedTuple):
    """The problem of a solver, and what a picture of its run needs in addition.

    The `kernel` on the points X (N, d) is the Gram matrix K (N, N). `y` (N,) are labels -1 and +1, or the targets of a
    regression divided by `unit`. `qp` is the box problem, None for a loss that has no box dual; `C` is a number or
    (N,), `params` are the parameters of the loss. `test` = (X_test, y_test) are clean points, None if there are
    none; `outlier` (N,) marks the training points that are not clean.
    """

    kernel: Kernel
    X: np.ndarray
    K: np.ndarray
    qp: duals.BoxQP | None
    y: np.ndarray
    loss: str
    C: float | np.ndarray
    params: dict
    test: tuple[np.ndarray, np.ndarray] | None = None
    outlier: np.ndarray | None = None
    unit: float = 1.0

    @classmethod
    def classification(cls, kernel, X, y, loss, C, *, test=None, outlier=None, **params) -> "Given":
        """Two classes: `kernel` a `kernels.Kernel`, X (N, d), labels y (N,), the key of a loss with its `params`.

        Raises ValueError for labels, C or params that a box dual cannot take.
        """
        X, y = np.asarray(X, float), np.asarray(y, float)
        qp = duals.build(loss, y, C, **params) if loss in duals.DUALS else None
        return cls(kernel, X, kernel(X), qp, y, loss, C, params, test, outlier)

    @property
    def task(self) -> Task:
        """The loss on the points, given by their Gram matrix."""
        return Task(GRAM, self.K, self.y, self.C, self.loss, self.params)

    @property
    def weights(self) -> np.ndarray:
        """C of each point, (N,), as the solvers have it, to the bit."""
        return duals.check_targets(self.y, self.C)[1]


class Trace(NamedTuple):
    """The table of a run: n rows, F frames of N coefficients. Iterations are numbered from 1, row 0 is the start.

    `objective` is what the solver minimises (for a box problem minus the dual objective) and `violation` its own
    measure of optimality, nan where it has none. An entry of `events` has length n, or shape (n, N) for a vector
    per row; -1 or nan where a row has no such event. `seconds` is the time of the recorded run.
    """

    solver: str
    iteration: np.ndarray
    objective: np.ndarray
    violation: np.ndarray
    events: dict
    frame_iter: np.ndarray
    frame_beta: np.ndarray
    frame_intercept: np.ndarray
    iterates: np.ndarray  # (n, N), or (0, N) where pairs are replayed
    intercepts: np.ndarray  # (n,), or (0,)
    status: str
    tol: float
    n_iter: int
    stepwise: int  # this many iterations, from the first, have a row each, with its events
    seconds: float

    @property
    def reachable(self) -> np.ndarray:
        """The iteration numbers that `coefficients_at` accepts, ascending."""
        if len(self.iterates):
            return self.iteration
        return np.union1d(self.iteration[: self.stepwise + 1], self.frame_iter)

    def row(self, t) -> int:
        """The number of the row of iteration t, or of the first row after it."""
        return int(np.searchsorted(self.iteration, t))

    def events_at(self, row) -> dict:
        """{name: the event} of a row."""
        return {name: column[row] for name, column in self.events.items()}


class Moments(NamedTuple):
    """A run at m iterations: what a picture needs. `state` holds the codes of `duals.box_state`."""

    iteration: np.ndarray  # (m,)
    beta: np.ndarray  # (m, N)
    intercept: np.ndarray  # (m,)
    objective: np.ndarray  # (m,)
    violation: np.ndarray  # (m,)
    state: np.ndarray  # (m, N)


class Marks(NamedTuple):
    """Points to ring, a label for each, and pairs of them to join, each with the length to write there.

    `crossed` are points without influence on the machine, `band` = (low, high) is a strip low <= y f < high of the
    plane.
    """

    points: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    joined: tuple[tuple[int, int, float], ...] = ()
    crossed: tuple[int, ...] = ()
    band: tuple[float, float] | None = None

    @classmethod
    def without_words(cls, ringed, crossed, band=None) -> "Marks":
        """Points to ring without a label, and points to cross, by arrays of their indices."""
        return cls(tuple(map(int, ringed)), ("",) * len(ringed), crossed=tuple(map(int, crossed)), band=band)


class Substep(NamedTuple):
    """A moment within an iteration, after a sub-step, in `sentences`.

    `shown` is the iteration whose machine is current then, this one or the previous one, `boxed` that whose boxes are.
    """

    name: str
    sentences: list[str]
    marks: Marks
    shown: int
    boxed: int


class Chart(NamedTuple):
    """A chart for one solver: lines over the iterations, one for each of the `columns` of the events."""

    title: str
    unit: str
    log: bool
    columns: tuple[str, ...]


class Words(NamedTuple):
    """The texts of a solver on a page.

    `unit` is the name of one iteration, `substeps` names its parts, in order; `columns` explains each event of its
    Trace, `meant` the fields of its `Marks`; `charts` are those that only this solver has.
    """

    title: str
    unit: str
    source: str
    columns: dict[str, str]
    substeps: tuple[str, ...] = ()
    meant: dict[str, str] = {}
    charts: tuple[Chart, ...] = ()


class Description(ABC):
    """A solver that can be watched: its `words` on a page, and what it makes of a `Given`.

    A solver has a subclass with these methods; `svmcore.watch.registry` lists an object for each way to run it.

    A `one_shot` solver has one iteration and no curve. A solver with an `own` objective starts at the machine of the
    problem and minimises something other than its dual. If the iterations are the values of a hyperparameter, each with
    a complete run, `over` names it: "C" or "sigma". `code` lists the functions of its source to read, in order,
    `options` further arguments that `record` takes.
    """

    key: str
    words: Words
    one_shot = False
    own = False
    over = ""
    code: tuple[Callable, ...] = ()
    options: tuple[str, ...] = ()

    @abstractmethod
    def serves(self, given: Given) -> bool:
        """True if the solver can take the problem."""

    @abstractmethod
    def solve(self, given: Given, *, tol: float, max_iter: int) -> Solution:
        """The answer of an unwatched run; both limits have a default."""

    @abstractmethod
    def record(self, given: Given, *, tol: float, max_iter: int) -> Trace:
        """The Trace of a watched run, which ends at the answer of `solve`, to the last bit; the same defaults."""

    @abstractmethod
    def why(self, run: Trace, t: int, given: Given) -> list[str]:
        """Sentences on iteration t; `sentences.of_round` writes some for any solver."""

    def marks(self, run: Trace, t: int, given: Given) -> Marks:
        """The points that iteration t singles out."""
        return Marks()

    def substeps(self, run: Trace, t: int, given: Given) -> list[Substep]:
        """The sub-steps of iteration t; none if iteration t - 1 was not kept, or if it is shown as one step."""
        return []

    @property
    def moments(self) -> int:
        """The number of moments of an iteration if every step is shown."""
        return 1 if type(self).substeps is Description.substeps else len(self.words.substeps)


def coefficients_at(trace, t, given) -> np.ndarray:
    """The coefficients after t iterations, (N,); for an ascending array of m numbers (m, N).

    Raises ValueError, with the nearest number that was kept, for an iteration that was not.
    """
    wanted = np.atleast_1d(np.asarray(t, np.int64))
    lost = wanted[~_kept_at(trace, wanted)]
    if len(lost):
        known = trace.reachable
        nearest = known[np.abs(known - lost[0]).argmin()]
        raise ValueError(f"iteration {lost[0]} of {trace.n_iter} was not kept; the nearest that was is {nearest}")
    if len(trace.iterates):
        betas = trace.iterates[np.searchsorted(trace.iteration, wanted)]
    else:
        frame, kept = _locate(trace.frame_iter, wanted)
        betas, between = trace.frame_beta[frame], ~kept
        if between.any():
            betas[between] = _replay(trace, wanted[between], given)
    return betas if np.ndim(t) else betas[0]


def _kept_at(trace, wanted):
    """Select the iterations that `coefficients_at` accepts: those in `Trace.reachable`, without its long list."""
    if len(trace.iterates):
        return _locate(trace.iteration, wanted)[1]
    return ((wanted >= 0) & (wanted <= trace.stepwise)) | _locate(trace.frame_iter, wanted)[1]


def _locate(ascending, wanted):
    """For each wanted number its row, and whether it is there."""
    row = np.searchsorted(ascending, wanted).clip(max=len(ascending) - 1)
    return row, ascending[row] == wanted


def _replay(trace, wanted, given):
    """The coefficients after `wanted` steps, ascending and at most `stepwise`, replayed from an earlier frame.

    The frame must not be one whose next step builds on the previous direction.
    """
    momentum, starts = trace.events["momentum"], trace.frame_iter[trace.frame_iter < wanted[0]]
    frame = int(np.flatnonzero(momentum[starts + 1] == 0.0)[-1])
    rows = slice(starts[frame] + 1, wanted[-1] + 1)
    columns = (trace.events[name][rows] for name in ("i", "j", "wanted", "momentum"))
    return smo.replay(given.qp, trace.frame_beta[frame], *columns, wanted - starts[frame])


def moments(trace, ts, given) -> Moments:
    """The run after each of the iterations `ts` (ascending, see `Trace.reachable`), with intercepts and box states.

    If the solver has not recorded the intercepts, they cost one product of all coefficients with K.
    """
    ts = np.atleast_1d(np.asarray(ts, np.int64))
    betas, rows = coefficients_at(trace, ts, given), np.searchsorted(trace.iteration, ts)
    if len(trace.intercepts):
        intercept = trace.intercepts[rows]
    else:
        intercept = optimality(given.qp, betas, residuals(given.K, given.qp, betas))[:, 0]
    state = states(trace, rows, betas, given)
    return Moments(ts, betas, intercept, trace.objective[rows], trace.violation[rows], state)


def states(trace, rows, betas, given) -> np.ndarray:
    """The codes of `duals.box_state` for the betas, (m, N), of these rows; without a box they are ZERO or FREE.

    A solver whose box moves records the states itself, in a column `state`.
    """
    if "state" in trace.events:
        return trace.events["state"][rows]
    if given.qp is None:
        return np.where(betas == 0.0, duals.ZERO, duals.FREE)
    return duals.box_state(given.qp, betas)


def box(trace, t) -> np.ndarray | None:
    """The bounds of alpha in iteration t, (2, N), of a solver that records moving bounds in "low" and "high"."""
    if "low" not in trace.events:
        return None
    row = trace.row(t)
    return np.stack([trace.events["low"][row], trace.events["high"][row]])


def residuals(K, qp, betas) -> np.ndarray:
    """F = -linear - (K + diag(ridge)) beta of a box problem, for each row of betas, (m, N)."""
    return -qp.linear - betas @ K - qp.ridge * betas


def optimality(qp, betas, F) -> np.ndarray:
    """`smo.optimality`, its three numbers for each row of betas and F, (m, N): (m, 3)."""
    return np.array([smo.optimality(qp, beta, row) for beta, row in zip(betas, F, strict=True)])
