"""Truncated losses by the concave-convex procedure (CCCP): a sequence of duals whose box moves.

    minimise  P = 1/2 |w|^2 + sum_i C_i loss(t_i),    t = 1 - y f
    loss(t) = max(t, -tau t) - max(0, t - mu) - tau max(0, -t - kappa)

is a pinball loss minus its excess beyond the cuts: the ramp loss for tau = 0, the truncated pinball loss without the
cut at mu, the asymmetric one with both. Each round replaces the excess by its tangent at the present t, a lower bound,
and solves the rest: the pinball machine whose box is moved by -C_i for a point above mu and by tau C_i for a point
below -kappa (`duals.truncated_box`). P never rises. The run ends when no further point crosses a cut: then the machine
satisfies the optimality conditions of P itself, and as no point lies on a cut it is a local minimum.

Which minimum depends on the start: distant points that the convex machine is fitted to are not truncated.

References
    R. Collobert, F. Sinz, J. Weston, L. Bottou (2006). Trading convexity for scalability. 23rd International
        Conference on Machine Learning (ICML), Pittsburgh, 201-208 (the ramp loss; their s is 1 - mu).
    A. L. Yuille, A. Rangarajan (2003). The concave-convex procedure. Neural Computation 15(4), 915-936.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from numbers import Integral
from typing import NamedTuple

import numpy as np

from svmcore import deadline, duals, losses
from svmcore.kernels.rows import Rows
from svmcore.solvers import quasi_newton
from svmcore.solvers.box_dual import convex, smo
from svmcore.solvers.nonconvex import multistart
from svmcore.solvers.solution import Solution, Task
from svmcore.status import Status, is_success
from svmcore.words import with_count

STARTS = ("convex", "hinge", "least_absolute", "means", "one_class", "sigmoid", "annealed")
DEFAULT_STARTS = ("convex", "hinge", "means", "one_class", "sigmoid", "annealed")
ANNEALING = (4.0, 2.0)  # the parameters are that much gentler, such as a larger mu
MAX_ROUNDS = 100
MOST_STEPS = 2_000_000  # of the inner solvers, in all rounds from all starts: some seconds
FINER = 0.1, 1e-6, 1e-9  # of the tolerance, for a round; a finer one if the coarser did not lower P
ROUNDING = 1e-10  # relative change of P that counts as none
EQUAL = 1e-12  # the same for a machine and a constant, which differ by |w|^2 / 2 at least
CONSTANTS = -1.0, 0.0, 1.0


class Round(NamedTuple):
    """One round of CCCP or of re-weighting: the box it had, and the machine it led to; vectors have shape (N,).

    `tangent` tells which one took the place of the concave part: of CCCP +1 if a point is taken to lie above mu, -1
    below -kappa, 0 between; of re-weighting g' for each point, 0 where it is left out. `objective` is P; `violation`
    that of the optimality conditions of P, for the box or the weights that belong to the new machine; `n_iter`,
    `status` and `route` are those of the inner solver; `f` the new values on the points.
    """

    iteration: int
    objective: float
    violation: float
    beta: np.ndarray
    intercept: float
    lower: np.ndarray
    upper: np.ndarray
    tangent: np.ndarray
    f: np.ndarray
    n_iter: int
    status: Status
    route: str

    @property
    def key(self) -> bytes:
        """The same for rounds of the same convex problem."""
        return self.tangent.tobytes()


class Method(ABC):
    """Rounds for a checked `Task`: each takes a tangent in place of the concave part of P, and solves the rest.

    `solver` is as in `convex.solve`; a round that has taken `max_iter` steps is not solved again with a finer
    tolerance. A subclass has these constants and methods: `name` is for routes.
    """

    name: str
    finer: tuple[float, ...]  # of the tolerance, for a round; a finer one if the coarser did not lower P
    settled = -np.inf  # of the tolerance: no larger violation ends the run

    def __init__(self, task, *, max_iter=1_000_000, solver="auto"):
        self.task, self.rows = task, Rows(task.kernel, task.X)
        self.options = {"max_iter": max_iter, "solver": solver}

    @abstractmethod
    def tangent(self, f) -> np.ndarray:
        """The tangent (N,) at the values f (N,); where there is no machine yet, for None."""

    @abstractmethod
    def solve(self, tangent, tol) -> tuple[Solution, np.ndarray, np.ndarray]:
        """The machine with this tangent, and the ends of the box that it has, (N,) each."""

    @abstractmethod
    def violation(self, found, tangent, before, f, K_beta) -> float:
        """The violation of the conditions of P by a machine found with this tangent, which is that at `before`."""

    def values_after(self, path) -> np.ndarray:
        """The values f (N,) whose tangent is the next one, after the last three rounds at most."""
        return path[-1].f

    def rounds(self, f=None, *, tol=1e-3, max_rounds=MAX_ROUNDS, below=np.inf) -> Iterator[Round]:
        """The rounds from the machine with values `f` (N,) on the points; None: from no machine.

        `below` is P of the start, if known. Each round lowers P, up to rounding; the last one may only change the
        multipliers of the same machine.
        """
        self.rows = Rows(self.task.kernel, self.task.X)  # what an earlier run has cached would change the last digits
        tangent, lowest, seen, path = self.tangent(f), below, set(), []
        tols = [finer * tol for finer in self.finer]
        for iteration in range(1, max_rounds + 1):
            now, lower = self._refine(partial(self.round, iteration, tangent, f), lowest, tols)
            if not lower and iteration > 1:
                return
            yield now
            seen.add(now.key)
            lowest, path = min(now.objective, lowest), [*path[-2:], now]
            f = self.values_after(path)
            tangent = self.tangent(f)
            if now.violation <= self.settled * tol or tangent.tobytes() in seen or deadline.is_over():
                return

    def _refine(self, solve, lowest, tols):
        """(round, True if it is not above `lowest`): solve(tol) with ever finer `tols` while it is above.

        Its n_iter counts the updates of all tolerances; at `max_iter` no finer one is begun.
        """
        n_iter = 0
        for tol in tols:
            now = solve(tol)
            n_iter += now.n_iter
            lower = not now.objective > lowest + ROUNDING * abs(lowest)
            if lower or n_iter >= self.options["max_iter"]:
                break
        return now._replace(n_iter=n_iter), lower

    def round(self, iteration, tangent, before, tol) -> Round:
        """The round with the tangent at the values `before` (N,), or at the beginning."""
        return self._round_at(iteration, tangent, before, *self.solve(tangent, tol))

    def start_round(self, begun, f) -> Round:
        """The start `begun` with the values f (N,), which no round improves, as a round without a box."""
        return self._round_at(0, self.tangent(f), f, begun, *np.zeros((2, len(f))))

    def _round_at(self, iteration, tangent, before, found, lower, upper):
        support = np.flatnonzero(found.beta)
        K_beta = self.rows.dot(support, found.beta[support])
        f = K_beta + found.intercept
        objective = self.task.objective(f, float(found.beta @ K_beta))
        return Round(
            iteration, objective, self.violation(found, tangent, before, f, K_beta), found.beta, found.intercept,
            lower, upper, tangent, f, found.n_iter, found.status, found.route,
        )  # fmt: skip


class MovingBoxes(Method):
    """CCCP: a tangent is the cuts beyond which the points lie (`truncation_signs`), and moves their boxes."""

    name, finer = "CCCP", FINER

    def tangent(self, f) -> np.ndarray:
        return truncation_signs(self.task, f)

    def solve(self, tangent, tol) -> tuple[Solution, np.ndarray, np.ndarray]:
        qp = _box(self.task, tangent)
        return convex.solve(self.task.kernel, self.task.X, qp, tol=tol, **self.options), qp.lower, qp.upper

    def violation(self, found, tangent, before, f, K_beta) -> float:
        beta, params = found.beta, self.task.params
        t, F, now = self.task.slack(f), self.task.y - K_beta, self.tangent(f)
        qp = _box(self.task, now)
        # a multiplier outside its new box would be correct on the other side of a cut, at this distance
        outside = (beta < qp.lower) | (beta > qp.upper)
        across = [
            np.max(np.abs(t - edge), where=outside & ((now == side) != (tangent == side)), initial=0.0)
            for side, edge in ((1, params.get("mu", np.inf)), (-1, -params.get("kappa", np.inf)))
        ]
        return float(max(smo.optimality(qp, beta, F)[2], *across))


def _box(task, cut):
    return duals.truncated_box(task.y, task.C, task.params.get("tau", 0.0), cut > 0, cut < 0)


def truncation_signs(task, f) -> np.ndarray:
    """The points beyond the cuts of the loss for the values f (N,): +1 where t > mu, -1 where t < -kappa, else 0.

    None if there are no values: none of them.
    """
    t = np.zeros(len(task.y)) if f is None else task.slack(f)
    return (t > task.params.get("mu", np.inf)).astype(np.int8) - (t < -task.params.get("kappa", np.inf))


def solve(task, *, tol=1e-3, max_iter=1_000_000, solver="auto", starts=None, max_rounds=MAX_ROUNDS) -> Solution:
    """The lowest of the local minima that CCCP reaches from the `starts`, by default `DEFAULT_STARTS`.

    Starts: "convex", no truncated point; "hinge" and "least_absolute", the machines of these losses; "means", the
    machine between the means of the classes; "one_class", w = 0 and f = 1 or -1; "sigmoid", the machine of a sigmoid
    loss as steep and as high as this one; "annealed", CCCP with larger mu, from the means. Once `MOST_STEPS` have been
    taken, or `max_iter` if that is larger, no further round and no further start is begun. `objective` is P. The other
    arguments are those of a `Method` and of its rounds. Raises ValueError for unknown starts and for a `max_rounds`
    below 1.
    """
    check_rounds(max_rounds)
    method = MovingBoxes(task.validate(), max_iter=max_iter, solver=solver)
    has_mu = "mu" in method.task.params
    known, default = (STARTS, DEFAULT_STARTS) if has_mu else (STARTS[:-1], DEFAULT_STARTS[:-1])
    found = ends(method, multistart.check_names(starts, known, default), tol, max_rounds)
    best, constant = multistart.lowest(found, tol), _constant(method)
    if constant.objective <= best.objective * (1.0 + EQUAL):  # all of w may be rounding
        constant = constant._replace(n_iter=best.n_iter, status=Status.TRIVIAL)
        return constant.with_details(n_starts=len(found), n_agreed=best.details.n_agreed if not best.beta.any() else 0)
    return best


def ends(method, names, tol, max_rounds) -> list[Solution]:
    """The ends of the rounds from all starts; those that come upon the path of an earlier start end as it did.

    No further start is begun once the time is over (`deadline`): with many points each takes seconds.
    """
    paths, found, left = {}, [], max(MOST_STEPS, method.options["max_iter"])
    for start in names:
        if left <= 0 or (found and deadline.is_over()):
            break
        begun = begin(start, method, tol, max_rounds)
        n_iter, passed, end = begun.n_iter, [], None
        for now in method.rounds(begun.f, tol=tol, max_rounds=max_rounds, below=begun.objective):
            n_iter += now.n_iter
            end = paths.get(now.key)
            if end is not None and not end.objective > now.objective:  # the rest is the same path
                break
            end = None
            passed.append(now.key)
            if n_iter >= left:
                break
        left -= n_iter
        end = end or solution(method, now, start, tol, max_rounds, left <= 0)
        if end.objective > begun.objective * (1.0 + multistart.SAME):  # no round could be solved
            status = Status.NO_PROGRESS if is_success(end.status) else end.status
            end = solution(method, method.start_round(begun.as_solution(status), begun.f), start, tol)
        paths.update(dict.fromkeys(passed, end))
        found.append(end._replace(n_iter=n_iter))
    return found


def _constant(method):
    """The best of the machines with w = 0 and f = -1, 0 or 1 everywhere."""
    n = len(method.task.y)
    values = {c: method.task.objective(np.full(n, c), 0.0) for c in CONSTANTS}
    best = min(values, key=values.get)
    begun = Start(beta=np.zeros(n), intercept=best).as_solution(Status.ONE_CLASS)
    return solution(method, method.start_round(begun, np.full(n, best)), "one_class", 0.0)


def measure(task, found) -> Callable:
    """The violation of a solution of the task, as `rounding.check` asks for it; a multiplier outside the box of its
    point would be correct beyond the nearest cut."""
    task = task.validate()

    def violation(K_beta):
        beta, params, f = found.beta, task.params, K_beta + found.intercept
        t, F = task.slack(f), task.y - K_beta
        qp = _box(task, truncation_signs(task, f.astype(float)))
        top = np.max(F, where=beta < qp.upper, initial=-np.inf)
        bottom = np.min(F, where=beta > qp.lower, initial=np.inf)
        outside = (beta < qp.lower) | (beta > qp.upper)
        nearest = np.minimum(np.abs(t - params.get("mu", np.inf)), np.abs(t + params.get("kappa", np.inf)))
        return max(top - bottom, np.max(nearest, where=outside, initial=-np.inf))

    return violation


def check_rounds(max_rounds) -> None:
    """ValueError for a limit of rounds that is no whole number of at least 1."""
    if not (isinstance(max_rounds, Integral) and max_rounds >= 1):
        raise ValueError(f"max_rounds must be a whole number of at least 1, got {max_rounds!r}")


class Start(NamedTuple):
    """Start of CCCP: the values (N,) of a machine on the points, None for no truncated point; its P, infinite if it
    does not count; the steps taken for it; and its expansion.
    """

    f: np.ndarray | None = None
    objective: float = np.inf
    n_iter: int = 0
    beta: np.ndarray | None = None
    intercept: float = 0.0

    def as_solution(self, status) -> Solution:
        """The machine itself, which no round has improved."""
        return Solution(self.beta, self.intercept, self.objective, np.inf, self.n_iter, status, "no round")


def begin(name, method, tol=1e-3, max_rounds=MAX_ROUNDS) -> Start:
    """The start of this name, for the rounds of a `Method`, by which one is annealed."""
    if name == "convex":
        return Start()
    task = method.task
    kernel, X, y, C, _, params = task[:6]
    rows, n_iter = Rows(kernel, X), 0
    if name in ("means", "annealed"):
        beta, intercept = multistart.class_means(rows, y, C)
    elif name == "one_class":
        beta, intercept = np.zeros(len(y)), multistart.one_class(y, C)
    elif name in duals.DUALS:
        found = convex.solve(kernel, X, duals.DUALS[name](y, C), tol=tol, **method.options)
        beta, intercept, n_iter = found.beta, found.intercept, found.n_iter
    else:
        mu = params.get("mu", losses.ramp.check()["mu"])
        found = quasi_newton.solve(Task(kernel, X, y, C * mu, losses.sigmoid, {"a": 4.0 / mu}), tol=tol)
        beta, intercept = found.beta, found.intercept
    support = np.flatnonzero(beta)
    K_beta = rows.dot(support, beta[support])
    f = K_beta + intercept
    if name == "annealed":
        for factor in ANNEALING:
            gentler = type(method)(task._replace(params=task.loss.gentler(params, factor)), **method.options)
            run = list(gentler.rounds(f, tol=tol, max_rounds=max_rounds))
            f, n_iter = run[-1].f, n_iter + sum(now.n_iter for now in run)
        return Start(f, n_iter=n_iter)
    squared = float(beta @ K_beta)
    objective = task.objective(f, squared) if squared >= 0.0 else np.inf  # all rounding
    return Start(f, objective, n_iter, beta, intercept)


def solution(method, now, start, tol, max_rounds=MAX_ROUNDS, cut_short=False) -> Solution:
    """The Solution of a run from this start that ended with this `Round`; `cut_short`: at the limit of steps."""
    if now.violation <= tol:
        status = Status.LOCAL_MINIMUM if now.beta.any() else Status.ONE_CLASS
    elif now.status != Status.CONVERGED:
        status = now.status
    elif cut_short:
        status = Status.ITERATION_LIMIT
    else:
        status = Status.ROUND_LIMIT if now.iteration == max_rounds else Status.STALLED
    route = f"{with_count(now.iteration, 'round')} of {method.name} from {start}: {now.route}"
    return Solution(now.beta, now.intercept, now.objective, now.violation, now.n_iter, status, route)
