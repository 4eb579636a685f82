"""Runs of solvers: how many steps, and what the next one does."""

from functools import partial

import numpy as np

from pages.shared.lessons.quantities.case import AFTER
from pages.shared.lessons.quantities.registry import quantity, register
from pages.shared.studies.formatting import percent
from svmcore import duals
from svmcore.watch import trace
from svmcore.words import count

SMALL_GAP = 0.01  # of the primal objective
ROUNDING = 1e-9  # of an objective


@quantity("the number of steps", unit="steps", written=count)
def n_iter(case, solver="", loss="", of=AFTER) -> int:
    """The iterations of a run."""
    return case.record_run(solver, loss, of)[1].n_iter


@quantity("the pair of the next step", kind="points")
def pair(case, point=None, solver="", loss="") -> list[int]:
    """The rows of the two points whose support values change after iteration `at`; ValueError if `point` is neither."""
    found = sorted(_next_pair(case, solver, loss))
    if point is not None and case.row(point) not in found:
        raise ValueError(f"point {point} is not in the pair of the next step")
    return found


@quantity("the place of the partner among the points of the other class, by distance", written=count)
def partner_rank(case, solver="", loss="") -> int:
    """1 if the pair of the next step is the point that rises and the closest one of the other class, 2 for the next."""
    (i, j), problem = _next_pair(case, solver, loss), case.problem()
    distance = np.linalg.norm(problem.X - problem.X[i], axis=1)
    return int(np.sum(distance[problem.y != problem.y[i]] < distance[j])) + 1


@quantity("the change of the objective in the next step", written="{:+.3g}".format)
def step_change(case, solver="", loss="") -> float:
    """Rise of the solver's objective in the step after iteration `at`; a fall is negative."""
    _, run, (now, then) = _step(case, solver, loss)
    return float(run.objective[then] - run.objective[now])


@quantity("the number of steps in which the objective rises", unit="steps", written=count)
def n_rises(case, solver="", loss="") -> int:
    """In how many recorded steps the objective of the solver rises, beyond rounding."""
    objective = case.record_run(solver, loss)[1].objective
    return int(np.sum(np.diff(objective) > ROUNDING * np.abs(objective).max()))


@quantity("the distance of the objective from its minimum, as a share of it", written=percent)
def excess_after(case, steps=0, solver="", loss="") -> float:
    """The share of the primal objective after so many steps that lies above the dual one at the end."""
    now = case.objectives(solver, loss, np.array([steps, n_iter(case, solver, loss)]))
    return float(max(now.primal[0] - now.dual[-1], 0.0) / now.primal[0])


@quantity("the smallest gap of a step, as a share of the primal objective", written=partial(percent, form=".2g"))
def smallest_gap(case, solver="", loss="") -> float:
    """The smallest difference of primal and dual objective in a run; below zero if the two cross beyond rounding."""
    gap = float(_relative_gaps(case, solver, loss).min())
    return gap if abs(gap) > ROUNDING else 0.0


@quantity("the step after which the gap is below 1 %", unit="steps", written=count)
def steps_to_gap(case, solver="", loss="") -> int:
    """The first step with a gap below 1 % of the primal objective; the last step if none has."""
    small = _relative_gaps(case, solver, loss) < SMALL_GAP
    return int(case.objectives(solver, loss).iteration[small.argmax() if small.any() else -1])


@quantity("the share of the steps in which the primal objective rises", written=percent)
def primal_rises(case, solver="", loss="") -> float:
    """In which share (0 to 1) of the steps the primal objective rises, beyond rounding."""
    primal = case.objectives(solver, loss).primal
    return float(np.mean(np.diff(primal) > ROUNDING * primal[:-1]))


@quantity("the share of the training points that change class after the gap is below 1 %", written=percent)
def changed_after_gap(case, solver="", loss="") -> float:
    """The share (0 to 1) of the training points whose class differs between `steps_to_gap` and the end of a run."""
    (given, recorded), step = case.record_run(solver, loss), steps_to_gap(case, solver, loss)
    now = trace.moments(recorded, np.unique([step, recorded.n_iter]), given)
    side = now.beta @ given.K + now.intercept[:, None] >= 0.0
    return float(np.mean(side[0] != side[-1]))


@quantity("the number of support values that change in the next step", unit="points", written=count)
def n_moved(case, solver="", loss="") -> int:
    """Number of support values that differ between iteration `at` and the next one."""
    given, run, steps = _step(case, solver, loss)
    now, then = trace.coefficients_at(run, steps, given)
    return int(np.sum(now != then))


@quantity("the points dropped in the next round", kind="points")
def dropped(case, solver="", loss="") -> list[int]:
    """The ids of the points whose support value becomes zero in the iteration after `at`."""
    given, run, steps = _step(case, solver, loss)
    now, then = trace.moments(run, steps, given).state != duals.ZERO
    return sorted(case.problem().ids[np.flatnonzero(now & ~then)].tolist())


@quantity("the number of support vectors after a round", unit="points", written=count)
def n_left(case, round=1, solver="", loss="") -> int:
    """Number of support values that are not zero after this iteration."""
    given, run = case.record_run(solver, loss)
    return int(np.sum(trace.moments(run, min(round, run.n_iter), given).state != duals.ZERO))


for row in (
    ("n_rounds", "the number of rounds",  # of a machine that is solved again and again, as its fit counts them
     lambda case, loss="isls", of=AFTER: case.study(of, loss).numbers.n_iter, "rounds", count),
    ("steps_ratio", "the ratio of the numbers of steps",  # of two solvers on the same machine
     lambda case, solver="", other="smo_second", loss="": n_iter(case, solver, loss) / n_iter(case, other, loss),
     "", "{:.2g}".format),
    ("riser", "the point that rises in the next step",  # its row
     lambda case, solver="", loss="": _next_pair(case, solver, loss)[0], "", count),
    ("violation_rises", "the share of the steps in which the violation rises",
     lambda case, solver="", loss="": np.mean(np.diff(case.record_run(solver, loss)[1].violation) > 0.0), "", percent),
    ("gap_after", "the gap as a share of the primal objective",  # after so many steps, or at the end of a shorter run
     lambda case, steps=0, solver="", loss="": _relative_gaps(case, solver, loss, np.array([steps]))[-1], "", percent),
    ("n_dropped", "the number of support vectors dropped in the next round",
     lambda case, solver="", loss="": len(dropped(case, solver, loss)), "points", count),
):  # fmt: skip
    register(*row)


def _relative_gaps(case, solver, loss, only=None):
    found = case.objectives(solver, loss, only)
    return found.gap / found.primal


def _next_pair(case, solver, loss):
    """The rows of the points whose coefficients rise and fall in the next step."""
    _, run, (_, then) = _step(case, solver, loss)
    return [int(run.events[name][then]) for name in ("i", "j")]


def _step(case, solver, loss):
    """(given, run, [`at`, the next iteration]) of a solver; ValueError if the run has ended by then."""
    given, run = case.record_run(solver, loss)
    if case.at is None or case.at >= run.n_iter:
        raise ValueError(f"the run ends after {run.n_iter} steps, so there is none after {case.at}")
    return given, run, np.array([case.at, case.at + 1])
