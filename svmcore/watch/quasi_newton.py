"""Watching the descents of smooth losses (`solvers.quasi_newton`): the step, the gradient, the support values."""

from time import perf_counter

import numpy as np

from svmcore import losses
from svmcore.solvers import quasi_newton
from svmcore.solvers.solution import Solution
from svmcore.watch import recording, sentences, trace
from svmcore.words import percent

NEGLIGIBLE = 0.01  # of the largest support value
KINDS = {
    quasi_newton.QUASI_NEWTON: "A quasi-Newton step: the curvature of P is estimated from recent gradients.",
    quasi_newton.NEWTON: "A Newton step: the curvature of P is computed exactly, so the last digits come quickly.",
}
STARTS = {
    "zero": "The start: w = 0 and b = 0.",
    "log": "The start: the machine of the log loss.",
    "means": "The start: the machine between the means of the classes.",
}


def _largest(alpha):
    size = np.abs(alpha)
    point, few = int(size.argmax()), int(np.sum(_negligible(size)))
    value = sentences.number(alpha[point])
    others = f"{sentences.with_count(few, 'point')} {'has' if few == 1 else 'have'}"
    below = percent(NEGLIGIBLE, ".0f")
    return f"Point {point} has the largest support value, α = C ℓ′(t) = {value}; {others} less than {below} of it."


def _negligible(size):
    """Mask of the support values that are negligible beside the largest; size = |alpha|, (N,)."""
    return size < NEGLIGIBLE * size.max()


class QuasiNewton(trace.Description):
    """The descent from one of `STARTS`: "zero" for convex losses, the others for bounded ones."""

    code = (quasi_newton._descend, quasi_newton._newton)

    def __init__(self, start, title):
        self.start, self.key = start, f"descent_{start}"
        self.words = trace.Words(
            title=title,
            unit="step",
            substeps=("evaluate P and its gradient", "choose a direction", "step until P falls enough"),
            columns={
                "kind": "quasi-Newton or Newton",
                "slope": "length of the gradient of P in w and b",
                "pull": "C ℓ′(t), the support value of each point for this f",
            },
            source="Liu, Nocedal (1989), On the limited memory BFGS method for large scale optimization",
            meant={} if self.start == "zero" else {"crossed": "ignored: on the wrong side, α negligible"},
            charts=(trace.Chart("Length of the gradient", "length", True, ("slope",)),),
        )

    def serves(self, given) -> bool:
        loss = losses.get(given.loss)
        return loss.solved_by == "quasi-Newton" and loss.convex == (self.start == "zero")

    def record(self, given, *, tol=1e-3, max_iter=1_000_000) -> trace.Trace:
        began = perf_counter()
        steps, found = quasi_newton.watch(given.task, start=self.start, tol=tol, max_iter=max_iter)
        run = recording.of_rounds(steps, self.key, tol=tol, max_rounds=len(steps))
        return run._replace(status=found.status, seconds=perf_counter() - began)

    def solve(self, given, *, tol=1e-3, max_iter=1_000_000) -> Solution:
        starts = None if self.start == "zero" else self.start
        return quasi_newton.solve(given.task, tol=tol, max_iter=max_iter, starts=starts)

    def why(self, run, t, given) -> list[str]:
        """Sentences on step t: its kind, the objective, the gradient, the largest support value, the violation."""
        row, number = run.row(t), sentences.number
        slope, kind = run.events["slope"], run.events["kind"][row]
        if row == 0:
            gain, lines = np.nan, [STARTS[self.start]]
        else:
            consecutive = run.iteration[row - 1] == t - 1
            gain = run.objective[row - 1] - run.objective[row] if consecutive else np.nan
            lines = [KINDS[kind]]
        before = f", {number(slope[row - 1])} before" if np.isfinite(gain) else ""
        lines += [
            sentences.objective(gain, run.objective[row]),
            f"The gradient of P has length {number(slope[row])}{before}.",
            _largest(run.events["pull"][row]),
            f"The violation is {number(run.violation[row])}, the tolerance {number(run.tol)}.",
        ]
        return [*lines, sentences.end_sentence(run)] if t == run.n_iter else lines

    def marks(self, run, t, given) -> trace.Marks:
        """The largest support value ringed; points on the wrong side with a negligible one crossed."""
        row = run.row(t)
        size = np.abs(run.events["pull"][row])
        margin = given.y * (given.K @ run.iterates[row] + run.intercepts[row])
        ignored = np.flatnonzero((margin < 0.0) & _negligible(size))
        return trace.Marks((int(size.argmax()),), ("largest α",), crossed=tuple(map(int, ignored)))


DESCRIPTIONS = (
    QuasiNewton("zero", "Quasi-Newton"),
    QuasiNewton("means", "Quasi-Newton from the class means"),
    QuasiNewton("log", "Quasi-Newton from the log-loss machine"),
)
