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

A run can be stopped and resumed at every state, with bit for bit the same iterates.

References
    H. Wang, Y. Shao, S. Zhou, C. Zhang, N. Xiu (2022). Support vector machine classifier via L0/1 soft-margin loss.
        IEEE Transactions on Pattern Analysis and Machine Intelligence 44(10), 7253-7265; arXiv 1912.07418.
    Program of the authors: Huajun Wang, L01ADMM (2021). Its restart from an empty T and its first working set of a
        fixed size are left out.
"""

import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from svmcore import deadline
from svmcore.status import Status

# The sub-steps in order, and the fields of a State that each one sets: `before._replace(...)` with these fields of the
# state after the iteration is the state after the sub-step.
SUBSTEPS = {
    "update T": ("T", "sigma", "window"),
    "solve w and b": ("w", "beta", "intercept", "slack"),
    "update lambda": ("lam",),
}

ROUNDING = 1e-6  # a slack up to this is no violation
NEARLY = 1e-3  # nor is one up to this on T, where slacks converge to zero
LARGEST_SIGMA = 1e8
REMEMBERED = 64  # changes of T that are searched for a cycle
RETURNS = 4  # times that the same T may recur among these


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


class Residuals(NamedTuple):
    """The errors in the four conditions of a P-stationary point.

    stationarity  w + A' lam = 0;   balance  y' lam = 0;   feasibility  u + A w + b y = 1;
    proximity     u is the proximal point of u - lam / (sigma c)
    """

    stationarity: float
    balance: float
    feasibility: float
    proximity: float


class State(NamedTuple):
    """A run after an iteration; the arrays are never changed in place."""

    iteration: int
    T: np.ndarray  # (N,) bool: the working set
    w: np.ndarray | None  # (d,) linear form only
    beta: np.ndarray  # (N,) w = sum beta_i x_i; zero outside T
    intercept: float
    slack: np.ndarray  # (N,) 1 - y f
    lam: np.ndarray  # (N,) multipliers, zero outside T
    sigma: float
    window: float  # r = sqrt(2 C / sigma): T lies in the band 1 - r <= y f < 1
    objective: float
    n_violators: int  # samples with positive slack
    accuracy: float  # on the training samples
    loose: Residuals  # the authors' theta_1 .. theta_4: squared, and averaged over the samples
    strict: Residuals  # the largest errors themselves
    steady: int = 0  # iterations since T last changed
    joint: bool = False  # whether w and b were solved together
    status: Status = Status.ITERATION_LIMIT  # of the run if it ends here
    seen: tuple[int, ...] = ()  # checksums of the last different T

    @property
    def size(self) -> int:
        """|T|."""
        return int(np.count_nonzero(self.T))

    @property
    def violation(self) -> float:
        """The largest strict residual; 0 at a P-stationary point."""
        return max(self.strict)

    @property
    def done(self) -> bool:
        """Whether no further iteration is needed or possible."""
        return self.status not in (Status.ITERATION_LIMIT, Status.CYCLING)


def start(form, rules) -> State:
    """The state before the first iteration: w as the rules say, b = 0, lam = 0, no working set."""
    n = len(form)
    nothing = np.zeros(n)
    values, w = nothing, None
    if form.X is not None:
        w = np.full(form.X.shape[1], rules.start)
        values = form.X @ w
    sigma = 2.0 * form.C / rules.window**2 if rules.sigma is None else rules.sigma
    slack = 1.0 - form.y * values
    never = Residuals(*[np.inf] * 4)
    return State(
        iteration=0, T=np.zeros(n, bool), w=w, beta=nothing, intercept=0.0, slack=slack, lam=nothing, sigma=sigma,
        window=_window(form, sigma), **_worth(form, slack, np.array([], int), 0.0 if w is None else float(w @ w)),
        loose=never, strict=never,
    )  # fmt: skip


def iterate(form, rules, *, max_iter=1000, state=None) -> Iterator[State]:
    """Yield the state after each iteration, from `state` if given, until it is done or is number `max_iter`."""
    state = start(form, rules) if state is None else state
    while not state.done and state.iteration < max_iter:
        state = step(form, rules, state)
        yield state
        if deadline.passed():
            return


def solve(form, rules, *, max_iter=1000) -> State:
    """The last state of `iterate`: a run from the start to its end, or to `max_iter` iterations."""
    last = start(form, rules)
    for state in iterate(form, rules, max_iter=max_iter, state=last):
        last = state
    return last


def step(form, rules, state) -> State:
    """The state after one iteration from `state`; form: an `expansions.Linear` or `expansions.Gram`."""
    y, c = form.y, form.weight
    joint = rules.settle is not None and state.steady >= rules.settle
    sigma = _next_sigma(rules, state, joint)
    z = _shifted(form, state, sigma)
    T = _in_window(form, z, sigma)
    if rules.guard and not T.any() and (z > 0.0).any():
        sigma = 1.9 * form.C / z[z > 0.0].min() ** 2
        z = _shifted(form, state, sigma)
        T = _in_window(form, z, sigma)
    window, idx = _window(form, sigma), np.flatnonzero(T)

    scaled_lam = state.lam[idx] / (sigma * c[idx])
    target = y[idx] * (1.0 - scaled_lam)
    part = form.part(idx)
    try:
        fit = part.ridge(target, sigma, None if joint else state.intercept)
    except np.linalg.LinAlgError:
        return state._replace(status=Status.NOT_POSITIVE)
    intercept = fit.intercept if joint and len(idx) else _mean(form, rules, state, idx, target, fit.values)
    slack = 1.0 - y * (fit.values + intercept)
    lam, beta = np.zeros(len(form)), np.zeros(len(form))
    lam[idx] = state.lam[idx] - rules.eta * sigma * c[idx] * slack[idx]
    beta[idx] = fit.beta

    loose, strict = _residuals(form, part, z, slack, lam, fit, sigma, window)
    moved = state.iteration == 0 or not np.array_equal(T, state.T)
    seen = (*state.seen[-REMEMBERED:], zlib.crc32(np.packbits(T))) if moved else state.seen
    after = State(
        state.iteration + 1, T, fit.w, beta, intercept, slack, lam, sigma, window,
        **_worth(form, slack, idx, fit.squared_norm), loose=loose, strict=strict,
        steady=0 if moved else state.steady + 1, joint=joint, seen=seen,
    )  # fmt: skip
    return after._replace(status=_status(form, rules, after, idx))


def _next_sigma(rules, state, joint):
    """The penalty of the next iteration, before the guard against an empty window."""
    sigma = state.sigma
    if rules.adapt and state.iteration and state.iteration % 10 == 0:
        if state.loose.feasibility > 1e-3:
            sigma = min(2.0 * sigma, 10.0)
        elif state.loose.stationarity > 1e-3:
            sigma = min(max(0.01, sigma / 1.25), 5.0)
    if state.iteration and not joint:
        sigma = min(sigma * rules.growth, LARGEST_SIGMA)
    return sigma


def _shifted(form, state, sigma):
    """z = 1 - A w - b y - lam / (sigma c), (N,)."""
    return state.slack - state.lam / (sigma * form.weight)


def _window(form, sigma):
    return float(np.sqrt(2.0 * form.C / sigma))


def _in_window(form, z, sigma):
    """T, (N,) bool."""
    return (z > 0.0) & (z <= _window(form, sigma))


def _mean(form, rules, state, idx, target, values):
    """b: the weighted mean of y (1 - u - A w - lam / (sigma c)), over T or, without T or by rule, over all samples."""
    if len(idx) and not rules.mean_over_all:
        c = form.weight[idx]
        return float(c @ (target - values[idx]) / c.sum())
    wanted = form.y * (1.0 - state.slack)  # outside T, u makes the previous f feasible
    wanted[idx] = target
    return float(form.weight @ (wanted - values) / form.weight.sum())


def _worth(form, slack, idx, squared_norm):
    """Objective, violators and accuracy. On T, where slacks converge to zero, only one above `NEARLY` is a violator."""
    limit = np.full(len(slack), ROUNDING)
    limit[idx] = NEARLY
    violated = slack > limit
    return {
        "objective": 0.5 * squared_norm + form.C * float(form.weight @ violated),
        "n_violators": int(np.count_nonzero(violated)),
        "accuracy": np.count_nonzero(slack < 1.0) / len(slack),
    }


def _residuals(form, part, z, slack, lam, fit, sigma, window):
    idx, lam_T, on_T = part.idx, lam[part.idx], -lam[part.idx] / (sigma * part.c)
    infeasible = z - slack
    infeasible[idx] = -slack[idx]
    # outside T, lam = 0 and u = z is its own proximal point; on T, u = 0 is that of values in the window only
    astray = np.where((on_T >= 0.0) & (on_T <= window), 0.0, on_T)
    unbalanced = abs(float(form.y[idx] @ lam_T))
    slope = part.squared_length(fit.beta + form.y[idx] * lam_T) if len(idx) else 0.0
    outside = float(z @ z - z[idx] @ z[idx])
    loose = Residuals(
        slope / (1.0 + fit.squared_norm),
        unbalanced / (1.0 + len(idx)),
        float(infeasible @ infeasible) / (len(form) + float(fit.values @ fit.values)),
        float(astray @ astray) / (1.0 + outside),
    )
    strict = Residuals(
        float(np.sqrt(slope)) / (1.0 + float(np.sqrt(abs(fit.squared_norm)))),
        unbalanced / (1.0 + float(np.abs(lam_T).sum())),
        float(np.abs(infeasible).max()),
        float(np.abs(astray).max(initial=0.0)),
    )
    return loose, strict


def _status(form, rules, state, idx):
    """The status of a run that ends here."""
    measured = state.strict if rules.test == "strict" else state.loose
    if max(measured) < rules.tol and (rules.test == "strict" or state.accuracy > 0.5):
        if not len(idx):
            return Status.EMPTY_WORKING_SET
        return Status.CONVERGED if np.ptp(form.y[idx]) > 0.0 else Status.ONE_CLASS_WORKING_SET
    return Status.CYCLING if state.seen.count(state.seen[-1]) > RETURNS else Status.ITERATION_LIMIT
