"""Watching ISLS (`solvers.isls`): the support vectors that a round prunes, with the numbers, and the next ones."""

from collections.abc import Iterator

import numpy as np

from svmcore import duals, losses
from svmcore.solvers import blas, isls
from svmcore.solvers.solution import Solution
from svmcore.watch import recording, sentences, trace

MOST = 1000  # rounds: the strict rule may take some hundreds
LAST = 30  # at most so many support vectors are ringed


def rounds(given, **options) -> Iterator[dict]:
    """The rounds of `isls.rounds` with `state`, (N,), ZERO for size <= 1e-6; returns the status of the run.

    Objective and violation of the last round are those of the solution, as `isls.solve` gives them.
    """
    last = None
    for now in isls.rounds(given.K, given.y, given.C, **options):
        if last is not None:
            yield _with_state(last)
        last = now
    rule = {name: value for name, value in options.items() if name != "init"}
    found = isls.solution(last, given.K, given.y, given.C, **rule)
    yield _with_state(last._replace(objective=found.objective, violation=found.violation))
    return found.status


def _with_state(now):
    return now._asdict() | {"state": np.where(now.size > isls.SUPPORT, duals.FREE, duals.ZERO)}


def _support(run, row):
    """The mask (N,) of the support vectors of a row."""
    return run.events["state"][row] != duals.ZERO


def _prune_sentence(points, before, size, p, limit, first):
    """A sentence on the pruned points, with the arithmetic of the one that was largest before."""
    if not len(points):
        return "No support vector was pruned."
    number, last = sentences.number, points[before[points].argmax()]
    if first:  # its λ depends on the choice of the first weights
        rule = f"|p| / λ = {number(size[last])} with |p| = {number(p[last])}"
    else:
        rule = f"β² |p| = ({number(before[last])})² × {number(p[last])} = {number(size[last])}"
    subject = "its new |β|" if len(points) == 1 else f"the new |β| of the largest, point {last},"
    verb = "was" if len(points) == 1 else "were"
    listed = sentences.capital(sentences.list_points(points))
    return f"{listed} {verb} pruned: {subject} is {rule}, no more than {number(limit[last])}."


def _next(size, p, support):
    """A sentence on the coefficient that shrinks fastest: the next round multiplies β by about β p."""
    factor = np.where(support, size * p, np.inf)
    point = int(factor.argmin())
    if factor[point] < 0.9:
        return (
            f"Point {point} shrinks fastest: with |β| = {sentences.number(size[point])} and "
            f"|p| = {sentences.number(p[point])}, the next round multiplies β by about "
            f"β p = {sentences.number(factor[point])}."
        )
    share = sentences.number(factor[point])
    return f"No remaining coefficient goes to zero: a round multiplies each by β p = {share} or more."


class Isls(trace.Description):
    """The rounds of ISLS, with the limits of its strict rule by default; the options are those of `isls.rounds`."""

    key = "isls"
    words = trace.Words(
        title="ISLS, the sparse LS-SVM",
        unit="round",
        substeps=("set each weight to 1 / β²", "solve the ridge problem", "prune small coefficients"),
        columns={
            "p": "p = K C (y − f), the correlation of each column with the residuals; β p = 1 for a stable coefficient",
            "size": "|β| times the largest |k| of its column (1 for a Gaussian kernel): the effect on f",
            "n_support": "the number of sizes above 1e-6",
            "step": "|Δβ| / N of these sizes, the quantity of the stopping rule of the paper",
            "state": "free for a support vector, zero for a pruned point",
        },
        source="López, De Brabanter, Dorronsoro, Suykens (2011), Sparse LS-SVMs with L0-norm minimization, algorithm 1",
        meant={"ringed": f"support vector, once at most {LAST} are left", "crossed": "pruned in this round"},
        charts=(
            trace.Chart("Support vectors left", "points", True, ("n_support",)),
            trace.Chart("Step of the coefficients, |Δβ| / N", "|Δβ| / N", True, ("step",)),
        ),
    )
    own = True
    code = (isls.rounds, isls._Step.__call__)

    def serves(self, given) -> bool:
        return losses.get(given.loss) is losses.least_squares

    def record(self, given, *, tol=1e-3, max_iter=MOST, init="absolute", stop="strict") -> trace.Trace:
        """Record a run, as in `trace.Description`, for labels or real targets."""
        run = rounds(given, tol=tol, max_iter=max_iter, init=init, stop=stop)
        with blas.one_thread():
            return recording.of_rounds(run, self.key, tol=tol, max_rounds=max_iter + 1)

    def solve(self, given, *, tol=1e-3, max_iter=MOST, init="absolute", stop="strict") -> Solution:
        return isls.solve(given.task, tol=tol, max_iter=max_iter, init=init, stop=stop)

    def why(self, run, t, given) -> list[str]:
        """Sentences on round t: the pruned support vectors, the next one, the objective, the step, the violation."""
        row, number = run.row(t), sentences.number
        size, p = np.abs(run.iterates[row]), np.abs(run.events["p"][row])
        support = _support(run, row)
        count = sentences.with_count(int(support.sum()), "support vector")
        if row == 0:
            return [
                f"The start: the LS-SVM, with {count} of {sentences.with_count(len(size), 'point')}.",
                sentences.objective(np.nan, run.objective[0]),
            ]
        before, limit = np.abs(run.iterates[row - 1]), isls.SUPPORT / isls.reach(given.K)
        pruned = np.flatnonzero(_support(run, row - 1) & ~support)
        text = [
            _prune_sentence(pruned, before, size, p, limit, t == 1),
            f"{count} {'is' if support.sum() == 1 else 'are'} left.",
        ]
        if support.any():
            text.append(_next(size, p, support))
        text += [
            sentences.objective(run.objective[row - 1] - run.objective[row], run.objective[row]),
            f"The coefficients moved by |Δβ|/N = {number(run.events['step'][row])}; "
            f"the violation is {number(run.violation[row])}.",
        ]
        if t == run.n_iter:
            text.append(f"The run ends here, after {sentences.with_count(run.n_iter, 'round')}: {run.status}.")
        return text

    def marks(self, run, t, given) -> trace.Marks:
        """The support vectors pruned in round t crossed; the remaining ones ringed if they are few."""
        row = run.row(t)
        before, now = _support(run, max(row - 1, 0)), _support(run, row)
        left = np.flatnonzero(now) if now.sum() <= LAST else ()
        return trace.Marks.without_words(left, np.flatnonzero(before & ~now))


ISLS = Isls()
