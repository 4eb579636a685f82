"""Watching the descents of smooth losses (`solvers.smooth`): the step, the gradient, and how hard each point pulls."""

from functools import partial
from time import perf_counter

import numpy as np

from svmcore import losses
from svmcore.kernels import Kernel
from svmcore.solvers import convex, quasi_newton
from svmcore.watch import recording, sentences, trace

SOURCE = "Byrd, Lu, Nocedal, Zhu (1995), A limited memory algorithm for bound constrained optimization"
GRAM = Kernel("precomputed")
HARDLY = 0.01  # of the hardest pull
KINDS = {
    quasi_newton.QUASI_NEWTON: "A quasi-Newton step: how P bends is guessed from the gradients of the last steps.",
    quasi_newton.NEWTON: "A Newton step: how P bends is computed, so that the last digits come at once.",
}
STARTS = {
    "zero": "The start: w = 0 and b = 0.",
    "log": "The start: the machine of the log loss.",
    "means": "The start: the machine between the means of the classes.",
}


def why(seen, t, given) -> list[str]:
    """Sentences on step t: its kind, the objective, the gradient, who pulls hardest, the violation."""
    row, number = int(np.searchsorted(seen.iteration, t)), sentences.number
    slope, kind = seen.events["slope"], seen.events["kind"][row]
    if row == 0:
        gain, said = np.nan, [STARTS[seen.solver.partition("_")[2]]]
    else:
        consecutive = seen.iteration[row - 1] == t - 1
        gain = seen.objective[row - 1] - seen.objective[row] if consecutive else np.nan
        said = [KINDS[kind]]
    before = f", {number(slope[row - 1])} before" if np.isfinite(gain) else ""
    said += [
        sentences.objective(gain, seen.objective[row]),
        f"The gradient of P has length {number(slope[row])}{before}.",
        _pulls(seen.events["pull"][row]),
        f"The violation is {number(seen.violation[row])}, the tolerance {number(seen.tol)}.",
    ]
    return [*said, sentences.ending(seen)] if t == seen.n_iter else said


def _pulls(pull):
    size = np.abs(pull)
    hardest, few = int(size.argmax()), int(np.sum(_hardly(size)))
    said = f"Point {hardest} pulls hardest, by α = C ℓ′(t) = {sentences.number(pull[hardest])}"
    return f"{said}; {sentences.counted(few, 'point')} by less than a hundredth of that."


def _hardly(size):
    """Which support values are next to nothing beside the largest, by their sizes."""
    return size < HARDLY * size.max()


def marks(seen, t, given) -> trace.Marks:
    """Who pulls hardest, and who lies on the wrong side and hardly pulls any more."""
    row = int(np.searchsorted(seen.iteration, t))
    size = np.abs(seen.events["pull"][row])
    margin = given.y * (given.K @ seen.iterates[row] + seen.intercepts[row])
    given_up = np.flatnonzero((margin < 0.0) & _hardly(size))
    return trace.Marks((int(size.argmax()),), ("hardest",), crossed=tuple(map(int, given_up)))


def _serves(given, start):
    loss = losses.get(given.loss)
    return loss.solved_by == "quasi-Newton" and loss.convex == (start == "zero")


def _taken(given):
    """What `smooth` takes in place of kernel and points, labels, weights, loss and parameters."""
    loss = losses.get(given.loss)
    C = np.broadcast_to(np.asarray(given.C, float), given.y.shape)
    return GRAM, given.K, given.y, C, loss, loss.check(**given.params)


def _record(given, *, tol=1e-3, max_iter=1_000_000, start):
    began = perf_counter()
    steps, found = quasi_newton.watched(*_taken(given), start=start, tol=tol, max_iter=max_iter)
    seen = recording.of_rounds(steps, f"descent_{start}", tol=tol, max_rounds=len(steps))
    return seen._replace(status=found.status, seconds=perf_counter() - began)


def _solve(given, *, tol=1e-3, max_iter=1_000_000, start) -> convex.Solution:
    names = None if start == "zero" else (start,)
    return quasi_newton.solve(*_taken(given), tol=tol, max_iter=max_iter, names=names)


TITLES = {
    "zero": "Quasi-Newton",
    "means": "Quasi-Newton from the class means",
    "log": "Quasi-Newton from the log-loss machine",
}
DESCRIPTIONS = [
    trace.Description(
        key=f"descent_{start}",
        words=trace.Words(
            title=title,
            unit="step",
            substeps=("ask for P and its gradient", "choose a direction", "walk on while P falls enough"),
            columns={
                "kind": "quasi-Newton or Newton",
                "slope": "length of the gradient of P in w and b",
                "pull": "C ℓ′(t), the support value that each point has for this f",
            },
            source=SOURCE,
            meant={} if start == "zero" else {"crossed": "given up: on the wrong side, hardly a pull"},
            charts=(trace.Chart("Length of the gradient", "length", True, ("slope",)),),
        ),
        serves=partial(_serves, start=start),
        solve=partial(_solve, start=start),
        record=partial(_record, start=start),
        why=why,
        marks=marks,
        code=(quasi_newton._descend, quasi_newton._newton),
    )
    for start, title in TITLES.items()
]
