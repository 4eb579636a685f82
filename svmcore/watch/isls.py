"""Watching ISLS (`solvers.isls`): the support vectors pruned in a round, why, and the next candidate.

Pruned means |α| <= 1e-6, which is where the paper stops counting a support vector.
"""

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
LAST = 30  # at most this many support vectors are ringed
GRAM = Kernel("precomputed")


# one round as `recording.of_rounds` takes it: a `isls.Round` with `state`, (N,), ZERO for |beta| <= 1e-6
Round = namedtuple("Round", (*isls.Round._fields, "state"))


def rounds(given, **options) -> Iterator[Round]:
    """The rounds of `isls.rounds`, each a `Round`; returns how the run ended."""
    for now in isls.rounds(given.K, given.y, given.C, **options):
        yield Round(*now, np.where(np.abs(now.beta) > isls.SUPPORT, duals.FREE, duals.ZERO))
    stopping = {name: value for name, value in options.items() if name != "init"}
    return isls.solution(now, **stopping).status


def why(run, t, given) -> list[str]:
    """Sentences on round t: the pruned support vectors and why, the next candidate, objective, step, violation."""
    row, number = int(np.searchsorted(run.iteration, t)), sentences.number
    size, pull = np.abs(run.iterates[row]), np.abs(run.events["pull"][row])
    support = size > isls.SUPPORT
    count = sentences.counted(int(support.sum()), "support vector")
    if row == 0:
        return [
            f"The start: the LS-SVM, with {count} of {sentences.counted(len(size), 'point')}.",
            sentences.objective(np.nan, run.objective[0]),
        ]
    before = np.abs(run.iterates[row - 1])
    pruned = np.flatnonzero((before > isls.SUPPORT) & ~support)
    remain = "remains" if support.sum() == 1 else "remain"
    lines = [_pruning(pruned, before, size, pull, t == 1), f"{count} {remain}."]
    if support.any():
        lines.append(_next(size, pull, support))
    lines += [
        sentences.objective(run.objective[row - 1] - run.objective[row], run.objective[row]),
        f"The coefficients moved by |Δα|/N = {number(run.events['step'][row])}; "
        f"the violation is {number(run.violation[row])}.",
    ]
    if t == run.n_iter:
        lines.append(f"The run ends here, after {sentences.counted(run.n_iter, 'round')}: {run.status}.")
    return lines


def _pruning(pruned, before, size, pull, first):
    """The pruned support vectors, and the arithmetic of the one that was largest before."""
    if not len(pruned):
        return "No support vector was pruned."
    number, last = sentences.number, pruned[before[pruned].argmax()]
    if first:  # its weight depends on the choice of the first weights
        rule = f"|p| / λ = {number(size[last])} with |p| = {number(pull[last])}"
    else:
        rule = f"α² |p| = {number(before[last])}² × {number(pull[last])} = {number(size[last])}"
    verb, largest = ("was", "its") if len(pruned) == 1 else ("were", f"for the largest, point {last}, the")
    points = sentences.capital(sentences.listed(pruned))
    return f"{points} {verb} pruned: {largest} new |α| is {rule}, at most {number(isls.SUPPORT)}."


def _next(size, pull, support):
    """The coefficient that shrinks fastest: the next round multiplies |α| by about α p."""
    factor = np.where(support, size * pull, np.inf)
    point = int(factor.argmin())
    if factor[point] < 0.9:
        return (
            f"Point {point} shrinks fastest: |α| = {sentences.number(size[point])} and "
            f"|p| = {sentences.number(pull[point])}, so the next round multiplies it by about "
            f"α p = {sentences.number(factor[point])}."
        )
    return f"The remaining coefficients are stable: α p is at least {sentences.number(factor[point])} for each."


def marks(run, t, given) -> trace.Marks:
    """The support vectors pruned in round t are crossed; the remaining ones are ringed once they are few."""
    row = int(np.searchsorted(run.iteration, t))
    before, now = np.abs(run.iterates[[max(row - 1, 0), row]]) > isls.SUPPORT
    left = np.flatnonzero(now) if now.sum() <= LAST else ()
    return trace.Marks(points=_numbers(left), words=("",) * len(left), crossed=_numbers(np.flatnonzero(before & ~now)))


def _numbers(rows):
    return tuple(map(int, rows))


def record(given, *, tol=1e-3, max_iter=MOST, init="absolute", stop="strict") -> trace.Trace:
    """The Trace of a run on labels or real targets; the options are those of `isls.rounds`."""
    began = perf_counter()
    iterations = rounds(given, tol=tol, max_iter=max_iter, init=init, stop=stop)
    with isls.BLAS.limit(limits=1, user_api="blas"):
        run = recording.of_rounds(iterations, "isls", tol=tol, max_rounds=max_iter + 1)
    return run._replace(seconds=perf_counter() - began)


def solve(given, *, tol=1e-3, max_iter=MOST, init="absolute", stop="strict") -> convex.Solution:
    """The Solution of the same run, unwatched."""
    options = {"tol": tol, "max_iter": max_iter, "init": init, "stop": stop}
    return isls.solve(GRAM, given.K, given.y, given.C, **options)


ISLS = trace.Description(
    key="isls",
    words=trace.Words(
        title="ISLS: from the LS-SVM to the sparse LS-SVM",
        unit="round",
        substeps=("weight each coefficient by 1 / α²", "solve the ridge problem", "drop the pruned"),
        columns={
            "pull": "p = K C (y − f), the weighted errors as seen by each column; α p = 1 if a coefficient stays",
            "n_support": "the number of |α| above 1e-6",
            "step": "|Δα| / N, used by the paper's stopping rule",
            "state": "whether a support vector remains (free) or is pruned (zero)",
        },
        source=SOURCE,
        meant={"ringed": "remaining support vector", "crossed": "pruned in this round"},
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
