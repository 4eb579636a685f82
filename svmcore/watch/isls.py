"""Watching ISLS (`solvers.isls`): which support vectors die in a round, why, and who is next."""

from collections import namedtuple
from collections.abc import Iterator
from time import perf_counter

import numpy as np

from svmcore import duals, losses
from svmcore.kernels import Kernel
from svmcore.solvers import convex, isls
from svmcore.watch import recording, sentences, trace

SOURCE = "López, De Brabanter, Dorronsoro, Suykens (2011), Sparse LS-SVMs with L0-norm minimization, algorithm 1"
MOST = 1000  # rounds: the strict rule may take some hundreds
LAST = 30  # so many support vectors are few
GRAM = Kernel("precomputed")


# one round as `recording.of_rounds` takes it: a `isls.Round` with `state`, (N,), ZERO for size <= 1e-6
Round = namedtuple("Round", (*isls.Round._fields, "state"))


def rounds(given, **options) -> Iterator[Round]:
    """The rounds of `isls.rounds`, each a `Round`; returns how the run ended.

    Objective and violation of the last are those of the answer, as `isls.solve` gives them.
    """
    last = None
    for now in isls.rounds(given.K, given.y, given.C, **options):
        if last is not None:
            yield _with_state(last)
        last = now
    told = {name: value for name, value in options.items() if name != "init"}
    found = isls.solution(last, given.K, given.y, given.C, **told)
    yield _with_state(last._replace(objective=found.objective, violation=found.violation))
    return found.status


def _with_state(now):
    return Round(*now, np.where(now.size > isls.SUPPORT, duals.FREE, duals.ZERO))


def why(seen, t, given) -> list[str]:
    """Sentences on round t: who died, by which numbers, who is next, the objective, the step, the violation."""
    row, number = int(np.searchsorted(seen.iteration, t)), sentences.number
    size, pull = np.abs(seen.iterates[row]), np.abs(seen.events["pull"][row])
    lives = _lives(seen, row)
    count = sentences.counted(int(lives.sum()), "support vector")
    if row == 0:
        return [
            f"The start: the LS-SVM, with {count} of {sentences.counted(len(size), 'point')}.",
            sentences.objective(np.nan, seen.objective[0]),
        ]
    before = np.abs(seen.iterates[row - 1])
    died, limit = np.flatnonzero(_lives(seen, row - 1) & ~lives), isls.SUPPORT / isls.reach(given.K)
    said = [_deaths(died, before, size, pull, limit, t == 1), f"{count} {'is' if lives.sum() == 1 else 'are'} left."]
    if lives.any():
        said.append(_next(size, pull, lives))
    said += [
        sentences.objective(seen.objective[row - 1] - seen.objective[row], seen.objective[row]),
        f"The coefficients moved by |Δα|/N = {number(seen.events['step'][row])}; "
        f"the violation is {number(seen.violation[row])}.",
    ]
    if t == seen.n_iter:
        said.append(f"The run ends here, after {sentences.counted(seen.n_iter, 'round')}: {seen.status}.")
    return said


def _lives(seen, row):
    """Which coefficients are of the support at a row, (N,) bool."""
    return seen.events["state"][row] != duals.ZERO


def _deaths(died, before, size, pull, limit, first):
    """Who died, and the arithmetic of the one that was largest before."""
    if not len(died):
        return "No support vector died."
    number, last = sentences.number, died[before[died].argmax()]
    if first:  # its weight is what the first weights are chosen to be
        rule = f"|p| / λ = {number(size[last])} with |p| = {number(pull[last])}"
    else:
        rule = f"α² |p| = {number(before[last])}² × {number(pull[last])} = {number(size[last])}"
    whose = "its new |α|" if len(died) == 1 else f"the new |α| of the largest, point {last},"
    return f"{sentences.capital(sentences.listed(died))} died: {whose} is {rule}, no more than {number(limit[last])}."


def _next(size, pull, lives):
    """Who shrinks fastest: the next round makes of |α| about |α| times α p."""
    factor = np.where(lives, size * pull, np.inf)
    point = int(factor.argmin())
    if factor[point] < 0.9:
        return (
            f"Next in line is point {point}: the errors pull at its |α| = {sentences.number(size[point])} with only "
            f"|p| = {sentences.number(pull[point])}, and the next round leaves about the share "
            f"α p = {sentences.number(factor[point])} of it."
        )
    return f"All that are left hold: a round leaves of each the share α p = {sentences.number(factor[point])} or more."


def marks(seen, t, given) -> trace.Marks:
    """The support vectors that died in round t are crossed; the living are ringed when they have become few."""
    row = int(np.searchsorted(seen.iteration, t))
    before, now = _lives(seen, max(row - 1, 0)), _lives(seen, row)
    left = np.flatnonzero(now) if now.sum() <= LAST else ()
    return trace.Marks(points=_numbers(left), words=("",) * len(left), crossed=_numbers(np.flatnonzero(before & ~now)))


def _numbers(rows):
    return tuple(map(int, rows))


def record(given, *, tol=1e-3, max_iter=MOST, init="absolute", stop="strict") -> trace.Trace:
    """The Trace of a run on labels or real targets; the options are those of `isls.rounds`."""
    began = perf_counter()
    run = rounds(given, tol=tol, max_iter=max_iter, init=init, stop=stop)
    with isls.BLAS.limit(limits=1, user_api="blas"):
        seen = recording.of_rounds(run, "isls", tol=tol, max_rounds=max_iter + 1)
    return seen._replace(seconds=perf_counter() - began)


def solve(given, *, tol=1e-3, max_iter=MOST, init="absolute", stop="strict") -> convex.Solution:
    """The same run, unwatched."""
    options = {"tol": tol, "max_iter": max_iter, "init": init, "stop": stop}
    return isls.solve(GRAM, given.K, given.y, given.C, **options)


ISLS = trace.Description(
    key="isls",
    words=trace.Words(
        title="ISLS, on to the sparse LS-SVM",
        unit="round",
        substeps=("weigh each coefficient by 1 / α²", "solve the ridge problem", "forget the dead"),
        columns={
            "pull": "p = K C (y − f): what the errors that are left ask of each column; "
            "α p = 1 where a coefficient stays",
            "size": "|α| times the largest |k| of its column (1 for a Gaussian kernel): what it does to f",
            "n_support": "how many of these sizes are above 1e-6",
            "step": "|Δα| / N in these sizes, by which the paper's rule stops",
            "state": "whether a support vector is left (free) or dead (zero)",
        },
        source=SOURCE,
        meant={"ringed": "support vector, one of the last", "crossed": "died in this round"},
        charts=(
            trace.Chart("Support vectors left", "points", True, ("n_support",)),
            trace.Chart("Step of the coefficients, |Δα| / N", "|Δα| / N", True, ("step",)),
        ),
    ),
    serves=lambda given: losses.get(given.loss) is losses.least_squares,
    solve=solve,
    record=record,
    why=why,
    marks=marks,
    own=True,
    code=(isls.rounds, isls._Step.__call__),
)
