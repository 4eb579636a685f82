"""The L0/1-SVM by the alternating direction method of multipliers: one iteration, three sets of rules.

    minimise  1/2 |w|^2 + C sum_i c_i [u_i > 0]   subject to   u + A w + b y = 1,      A = diag(y) X

A sample costs C c_i if it lies inside the margin or on the wrong side, however far; c_i is its weight. With
multipliers lam for the constraint and a penalty sigma (sigma c_i for sample i), one iteration is

    update T         z = 1 - A w - b y - lam / (sigma c),   T = {i : 0 < z_i <= r},   r = sqrt(2 C / sigma);
                     u = 0 on T and z elsewhere
    solve w and b    w = ridge regression of y (1 - lam / (sigma c)) - b on T,  then b a mean of residuals
    update lambda    lam += eta sigma c (u + A w + b y - 1) on T, and 0 elsewhere

T is the working set: the samples in a window of width r below the margin. A sample further out is ignored: it is an
outlier without influence on w and b. Numbers in brackets are the equations of Wang et al.: T (19), (23); u (20), (24);
w (28)-(31), solved as a system of the size of T or of w, whichever is smaller; b (32); lam (33).

The rules fix what the equations leave open:

    "paper"      the printed algorithm: sigma is constant, b is a mean over all samples, eta = 1.618. On overlapping
                 classes it converges only if the window happens to hold a handful of samples; otherwise it cycles or
                 ends at w = 0
    "authors"    the authors' published program: eta = 1, b a mean over T, sigma adapted to the residuals and kept so
                 small that the window is never empty
    "robust"     continuation: sigma grows, so that the window narrows slowly, but never until it is empty; once T stays
                 the same, w and b are solved jointly (an LS-SVM on T) and sigma is constant

    form = expansions.Linear(X, y, C=1.0)                  or expansions.Gram(K, y, C)
    for state in admm.iterate(form, admm.rules("robust")):
        ...                                                # one State per iteration

References
    H. Wang, Y. Shao, S. Zhou, C. Zhang, N. Xiu (2022). Support vector machine classifier via L0/1 soft-margin loss.
        IEEE Transactions on Pattern Analysis and Machine Intelligence 44(10), 7253-7265; arXiv 1912.07418.
    Program of the authors: Huajun Wang, L01ADMM (2021). Its restart from an empty T and its first working set of a
        fixed size are left out.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from svmcore import deadline
from svmcore.solvers.nonconvex import admm_steps
from svmcore.solvers.nonconvex.admm_steps import Residuals, State

# The sub-steps in order, and the fields of a State that each one sets: `before._replace(...)` with these fields of the
# state after the iteration is the state after the sub-step.
SUBSTEPS = {
    "update T": ("T", "sigma", "window"),
    "solve w and b": ("w", "beta", "intercept", "slack"),
    "update lambda": ("lam",),
}

PIECE = 10_000_000  # entries of X or K times iterations, a tenth of a second, between two looks at the clock


class Rules(NamedTuple):
    """The choices that the equations leave open; `RULES` has three sets of them.

    `eta`: length of the step of lam. `mean_over_all`: b is a mean over all samples, not over T. `start`: first entries
    of w (linear form; the kernel form starts from 0). `sigma`: first penalty, or None for that of the window `window`.
    `growth`: factor on sigma per iteration. `adapt`: the authors' changes of sigma. `guard`: keep the window from being
    empty. `settle`: iterations without a change of T after which sigma stays constant and w and b are solved jointly,
    until T changes; None for never. `test`: which residuals must fall below `tol`, "strict" or "loose".
    """

    eta: float = 1.0
    mean_over_all: bool = False
    start: float = 0.01
    sigma: float | None = 1.0
    window: float = 3.0
    growth: float = 1.0
    adapt: bool = False
    guard: bool = False
    settle: int | None = None
    test: str = "strict"
    tol: float = 1e-4


RULES = {
    "paper": Rules(eta=1.618, mean_over_all=True),
    "authors": Rules(adapt=True, guard=True, test="loose", tol=1e-3),
    "robust": Rules(start=0.0, sigma=None, window=3.0, growth=1.02, guard=True, settle=10),
}


def rules(name="robust", **changes) -> Rules:
    """One of `RULES` with changes, such as rules("paper", sigma=0.5, eta=1.0); ValueError for what is out of range."""
    if name not in RULES:
        raise ValueError(f"rules must be one of {', '.join(RULES)}; got {name!r}")
    for field, value in changes.items():
        if field not in RANGES:
            raise ValueError(f"unknown rule {field!r}; the rules are {', '.join(RANGES)}")
        words, holds = RANGES[field]
        if not _holds(holds, value):
            raise ValueError(f"{field} must be {words}, got {value!r}")
    return RULES[name]._replace(**changes)


def _holds(condition, value):
    try:
        return bool(condition(value))
    except TypeError:
        return False


_POSITIVE = "a positive finite number", lambda x: 0.0 < x < np.inf
_YES_NO = "True or False", lambda x: x in (True, False)
RANGES = {
    "eta": _POSITIVE,
    "mean_over_all": _YES_NO,
    "start": ("a finite number", lambda x: abs(x) < np.inf),
    "sigma": ("a positive finite number, or None to take it from the window", lambda x: x is None or 0.0 < x < np.inf),
    "window": _POSITIVE,
    "growth": ("a finite number of at least 1", lambda x: 1.0 <= x < np.inf),
    "adapt": _YES_NO,
    "guard": _YES_NO,
    "settle": ("a whole number of at least 1, or None for never", lambda x: x is None or (x >= 1 and x == int(x))),
    "test": ("'strict' or 'loose'", lambda x: x in ("strict", "loose")),
    "tol": _POSITIVE,
}


def start(form, rules) -> State:
    """The state before the first iteration: w as the rules say, b = 0, lam = 0, no working set."""
    n, nothing, nowhere = len(form), np.zeros(len(form)), np.zeros(len(form), bool)
    w = np.full(0 if form.X is None else form.X.shape[1], rules.start)
    sigma = float(2.0 * form.C / rules.window**2 if rules.sigma is None else rules.sigma)
    slack, never = np.ones(n) if form.X is None else 1.0 - form.y * (form.X @ w), Residuals(*[np.inf] * 4)
    worth = admm_steps.worth(slack, nowhere, form.weight, form.C, float(w @ w))
    window = float(np.sqrt(2.0 * form.C / sigma))
    return State(0, nowhere, w, nothing, 0.0, slack, nothing, sigma, window, *worth, never, never)


def iterate(form, rules, *, max_iter=1000, state=None, every=1) -> Iterator[State]:
    """Yield the state after each iteration, from `state` if given, until it is done or is number `max_iter`.

    every: iterations between two states; the last one is yielded as well.
    """
    state = start(form, rules) if state is None else state
    while not state.is_done and state.iteration < max_iter:
        state = advance(form, rules, state, min(every, max_iter - state.iteration))
        yield state
        if deadline.is_over():
            return


def run(form, rules, *, max_iter=1000) -> State:
    """The last state of `iterate`: a run from the start to its end, or to `max_iter` iterations."""
    last, every = start(form, rules), max(PIECE // form.table.size, 1)
    for state in iterate(form, rules, max_iter=max_iter, state=last, every=every):
        last = state
    return last


def advance(form, rules, state, n_steps) -> State:
    """The state up to `n_steps` iterations after `state`; form: an `expansions.Linear` or `expansions.Gram`."""
    return visit(form, rules, state, n_steps, n_steps)[0]


def visit(form, rules, state, n_steps, every) -> tuple[State, admm_steps.Visits]:
    """Advance with a visit after `every` iterations and after the last; a run that cycles at a visit ends there.

    The same as `iterate`, without a State for each visit.
    """
    copy = State(*(field.copy() if isinstance(field, np.ndarray) else field for field in state))
    plan = admm_steps.Plan(
        float(rules.eta), bool(rules.mean_over_all), float(rules.growth), bool(rules.adapt), bool(rules.guard),
        -1 if rules.settle is None else int(rules.settle), rules.test == "strict", float(rules.tol),
    )  # fmt: skip
    samples, most = (form.table, form.y, form.weight, form.C), -(-n_steps // every)
    visits = admm_steps.Visits(np.empty(most), np.empty((most, len(form))), np.empty((most, len(form))))
    made, last = admm_steps.advance(samples, plan, copy, n_steps, every, visits)
    return last, admm_steps.Visits(*(part[:made] for part in visits))
