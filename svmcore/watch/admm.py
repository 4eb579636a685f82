"""Watching the ADMM of the L0/1-SVM: the window and working set of each iteration, and the residuals.

The window is a band of the plane, 1 - r <= y f < 1, for the machine of the previous iteration, which then changes. So
a picture of a whole iteration has members of T outside the band; one of its first sub-step has them inside, except
those that are in T because of their multipliers.
"""

import numpy as np

from svmcore import duals, words
from svmcore.solvers import router
from svmcore.solvers.nonconvex import admm, admm_steps
from svmcore.solvers.nonconvex.expansions import Gram
from svmcore.solvers.solution import Solution
from svmcore.status import Status
from svmcore.watch import recording, sentences, trace

RESIDUALS = admm.Residuals._fields
MOST = router.MOST_ADMM
# as in the state
SAME = ("iteration", "objective", "beta", "intercept", "T", "size", "sigma", "window", "accuracy", "joint")


def _iteration(state, tol):
    """One iteration as `recording.of_rounds` takes it: the strict residuals are unknown in row 0, the start."""
    known = {name: value if np.isfinite(value) else np.nan for name, value in state.strict._asdict().items()}
    row = {name: getattr(state, name) for name in SAME} | known
    codes = np.where(state.beta == 0.0, duals.ZERO, duals.FREE)
    worst = float(np.max([*known.values()]))
    return row | dict(violation=worst, state=codes, violators=state.n_violators, status=_status(state, tol))


def _status(state, tol):
    """A point that meets the strict conditions is a local minimum; one that meets the rules' own test need not be."""
    if state.status != Status.CONVERGED:
        return state.status
    return Status.LOCAL_MINIMUM if state.violation <= tol else Status.UNCERTIFIED


def _run(given, name, tol, max_iter, **changes):
    C = given.weights
    form, rules = Gram(given.K, given.y, float(C.min()), C / C.min()), admm.rules(name, tol=tol, **changes)
    first = admm.start(form, rules)
    yield first
    yield from admm.iterate(form, rules, max_iter=min(max_iter, MOST), state=first)


def _slack(run, row, given):
    """1 - y f, (N,)."""
    return 1.0 - given.y * (given.K @ run.iterates[row] + run.intercepts[row])


def _edge(now):
    return sentences.number(1.0 - now["window"])


def _window_sentence(now, more=""):
    held = sentences.with_count(int(now["size"]), "point")
    reaches = f"the window reaches from y f = 1 down to {_edge(now)} and holds {held}"
    return f"Update T: ρ = {sentences.number(now['sigma'])}, {reaches}{more}."


def _worth(now, objective, more=""):
    right = words.percent(now["accuracy"], ".3g")
    return f"The objective is {sentences.number(objective)}, {right} of the points are on the correct side{more}."


def _residuals(now, tol):
    listed = ", ".join(f"{name} {sentences.number(now[name])}" for name in RESIDUALS)
    return f"the residuals then: {listed}; the tolerance is {sentences.number(tol)}."


def _solve_sentence(now):
    if not now["size"]:
        return "Solve w and b: the window is empty, so w = 0."
    how = "together, an LS-SVM on T" if now["joint"] else "w by ridge regression on T, then b as a mean"
    return f"Solve w and b: {how}."


def _change_sentence(before, now):
    """Sentence on the points that entered and left the working set."""
    moves = ((np.flatnonzero(now & ~before), "enter"), (np.flatnonzero(before & ~now), "leave"))
    lines = [f"{sentences.list_points(some)} {verb}{'s' * (len(some) == 1)} T" for some, verb in moves if len(some)]
    return sentences.capital("; ".join(lines)) + "." if lines else "T stays the same."


def _marks(run, row, shown, given):
    """With T and r of `row`, over the machine of the iteration `shown`."""
    T, window = (run.events[name][row] for name in ("T", "window"))
    slack = _slack(run, run.row(shown), given)
    beyond = np.flatnonzero(~T & (slack > window))
    return trace.Marks.without_words(np.flatnonzero(T), beyond, (1.0 - float(window), 1.0))


class Admm(trace.Description):
    """The rules with this key of `admm.RULES`."""

    code = (admm_steps.advance,)

    def __init__(self, rules, title):
        self.rules, self.key = rules, f"admm_{rules}"
        self.options = ("sigma", "eta") if admm.RULES[rules].sigma else ()  # where the first penalty is a number
        self.words = trace.Words(
            title=title,
            unit="iteration",
            substeps=tuple(admm.SUBSTEPS),
            columns={
                "T": "the working set: the points in the window",
                "state": "which support values are not zero",
                "size": "the number of points in T",
                "sigma": "the penalty ρ",
                "window": "the width r of the window: 1 - r <= y f < 1",
                "stationarity": "error of w + A'λ = 0",
                "balance": "error of y'λ = 0",
                "feasibility": "error of u + A w + b y = 1",
                "proximity": "error of u being the proximal point of u - λ / ρ",
                "violators": "points with y f < 1",
                "accuracy": "share of points on the correct side",
                "joint": "whether w and b were solved together",
            },
            source="Wang, Shao, Zhou, Zhang, Xiu (2022), Support vector machine classifier via L0/1 soft-margin loss",
            meant={"band": "window 1 − r ≤ y f < 1", "ringed": "working set T", "crossed": "ignored: below the window"},
            charts=(
                trace.Chart("Residuals", "error", True, RESIDUALS),
                trace.Chart("Penalty ρ and window r", "value", True, ("sigma", "window")),
                trace.Chart("Working set and violators", "points", False, ("size", "violators")),
            ),
        )

    def serves(self, given) -> bool:
        return given.loss == "zero_one"

    def record(self, given, *, tol=1e-3, max_iter=MOST, **changes) -> trace.Trace:
        """Record a run, as in `trace.Description`; `changes` as for `admm.rules`."""
        iterations = (_iteration(state, tol) for state in _run(given, self.rules, tol, max_iter, **changes))
        return recording.of_rounds(iterations, self.key, tol=tol, max_rounds=MOST + 1)

    def solve(self, given, *, tol=1e-3, max_iter=MOST) -> Solution:
        *_, last = _run(given, self.rules, tol, max_iter)
        return Solution(
            last.beta, last.intercept, last.objective, last.violation, last.iteration, _status(last, tol),
            f"ADMM, {self.rules}",
        )  # fmt: skip

    def why(self, run, t, given) -> list[str]:
        """Sentences on iteration t, in the order of its sub-steps."""
        row = run.row(t)
        now = run.events_at(row)
        if row == 0:
            lines = [
                "The start: w = 0, b = 0, no multipliers.",
                f"ρ = {sentences.number(now['sigma'])}, so that the window reaches from y f = 1 down to {_edge(now)}.",
            ]
        else:
            before = run.events["T"][row - 1]
            consecutive = run.iteration[row - 1] == t - 1
            lines = [
                _window_sentence(now, f"; {int(now['violators'])} are violators"),
                _change_sentence(before, now["T"]) if consecutive else "The iterations just before were not kept.",
                _solve_sentence(now),
                f"Update λ; {_residuals(now, run.tol)}",
                _worth(now, run.objective[row]),
            ]
        return [*lines, sentences.end_sentence(run)] if t == run.n_iter else lines

    def substeps(self, run, t, given) -> list[trace.Substep]:
        """The sub-steps of iteration t, the first on the machine of the iteration before."""
        row = run.row(t)
        if row == 0 or run.iteration[row - 1] != t - 1:
            return []
        now, slack = run.events_at(row), _slack(run, row - 1, given)
        carried = int(np.sum(now["T"] & ~((slack > 0.0) & (slack <= now["window"]))))
        lines = (
            [
                _window_sentence(now),
                _change_sentence(run.events["T"][row - 1], now["T"]),
                f"{sentences.with_count(carried, 'point')} of the last T {'is' if carried == 1 else 'are'} included "
                "because of the multipliers: membership depends on y f + λ/ρ."
                if carried
                else "",
            ],
            [_solve_sentence(now), _worth(now, run.objective[row], f", {int(now['violators'])} are violators")],
            [
                "Update λ: on T it changes in proportion to 1 − y f; elsewhere it is 0.",
                sentences.capital(_residuals(now, run.tol)),
                sentences.end_sentence(run) if t == run.n_iter else "",
            ],
        )
        return [
            trace.Substep(name, [sentence for sentence in some if sentence], _marks(run, row, shown, given), shown, t)
            for name, some, shown in zip(admm.SUBSTEPS, lines, (t - 1, t, t), strict=True)
        ]

    def marks(self, run, t, given) -> trace.Marks:
        """The working set ringed, the ignored points crossed, and the band of the window."""
        return _marks(run, run.row(t), t, given)


DESCRIPTIONS = (
    Admm("robust", "ADMM, robust rules"),
    Admm("authors", "ADMM, the authors' rules"),
    Admm("paper", "ADMM as printed"),
)
