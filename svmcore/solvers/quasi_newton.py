"""Smooth losses: quasi-Newton steps on the kernel expansion, in the primal.

    minimise  P(w, b) = 1/2 |w|^2 + sum_i C_i loss(1 - y_i f_i),    f = Phi w + b,    Phi Phi' = K

Phi (N, r) is the centred X itself for a linear kernel, so that many points need no Gram matrix, else a pivoted Cholesky
factor of the Gram matrix. At the optimum w = sum_i beta_i phi_i with beta_i = y_i C_i loss'(t_i): every point is a
support vector, and its support value alpha_i is C_i times the slope of the loss there.

Limited-memory BFGS (`descent`) comes close; Newton's method on (w, b), if r allows, computes the last digits, and its
Cholesky factor proves that a machine that is not convex has reached a local minimum and not a saddle point.

The violation is measured as for a box dual. With beta computed from f, and b such that sum(beta) = 0, it is the largest
minus the smallest F_i = f_i - (K beta)_i, and the intercept is their mean: K beta + intercept is f up to the violation,
and exactly f where the gradient of P is zero.

Reference
    J. Zhu, T. Hastie (2005). Kernel logistic regression and the import vector machine. Journal of Computational and
        Graphical Statistics 14(1), 185-205 (the expansion).
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dposv, dpotrf, dpstrf

from svmcore import deadline, duals, losses
from svmcore.kernels.rows import Rows
from svmcore.solvers import blas, descent
from svmcore.solvers.box_dual import convex, interior_point
from svmcore.solvers.nonconvex import multistart
from svmcore.solvers.solution import Solution
from svmcore.status import Status
from svmcore.words import with_count

STARTS = ("log", "hinge", "means", "sigmoid", "annealed", "one_class", "zero")
DEFAULT_STARTS = STARTS[:6]
CURVE_STARTS = ("least_squares", "least_absolute", "annealed", "median")  # of a regression
ANNEALING = (4.0, 2.0)  # the steepness divided by this
DENSE = 5000  # a Gram matrix of 200 MB
FACTOR_ERROR = 1e-14  # of the largest K_ii
FACTOR_WORK = 2.4e10  # operations for a factor without the Gram matrix: some seconds
NEWTON_WORK = 2e10  # operations for one Newton step: a second or two
PATIENCE = 1000  # quasi-Newton steps before Newton steps take over, if these are affordable
NEWTON_ROUNDS = 100
HALVINGS = 30
SMALLEST = 1e-10  # singular value of the features, relative to the largest, below which an expansion ignores them
ULP = float(np.finfo(float).eps)
ROUNDING = 1e-12  # relative change of P below which it is all rounding error
NOTHING = 1e-6  # share of the steepest slope; if no point has more, nothing determines the intercept
CONSTANT = 1e-3  # share of f by which a constant f may vary then

QUASI_NEWTON, NEWTON = "quasi-Newton", "Newton"  # the kinds of steps


class Step(NamedTuple):
    """The machine after a step, f = K beta + intercept; row 0 is the start. Vectors have shape (N,).

    `kind` is the kind of step. `objective` is P; `slope` the length of its gradient in (w, b); `violation` as above;
    `pull` is C loss'(t), the support value of each point for this f. At the optimum beta = y pull.
    """

    iteration: int
    objective: float
    violation: float
    beta: np.ndarray
    intercept: float
    kind: str
    slope: float
    pull: np.ndarray


def solve(task, *, tol=1e-3, max_iter=1_000_000, starts=None) -> Solution:
    """The machine of a `Task` with a smooth loss (one with a `curvature_of`).

    `tol` bounds the violation, `max_iter` the steps from one start. `objective` is P of the answer. A loss that is not
    convex is solved from the `starts`, by default `DEFAULT_STARTS`: "log" and "hinge", the machines of these losses;
    "means", the machine between the means of the classes; "sigmoid" and "annealed", from there through the sigmoid
    machine, which is larger than one on a flat slope, and through gentler slopes; "one_class", w = 0 and f = 1 or -1;
    "zero", f = 0. Those of a regression are `CURVE_STARTS`: the machines of two convex losses, "annealed", from the
    second of them, and "median", w = 0 and f the weighted median. Raises ValueError for unknown starts.
    """
    task = task.validate()
    known, default = (CURVE_STARTS, CURVE_STARTS) if task.regression else (STARTS, DEFAULT_STARTS)
    names = ("zero",) if task.loss.convex else multistart.check_names(starts, known, default)
    with blas.one_thread():  # many small products
        problem = _Problem(_space(task.kernel, task.X), task)
        ends = [_descend(problem, _start(name, problem, tol, max_iter), tol, max_iter) for name in names]
        return _lowest(problem, ends, tol, max_iter)


def watch(task, *, tol=1e-3, max_iter=1_000_000, start="zero") -> tuple[list[Step], Solution]:
    """The run of `solve` from one start: its `Step`s, the last of which is the solution, and the solution."""
    task = task.validate()
    with blas.one_thread():
        problem, visited = _Problem(_space(task.kernel, task.X), task), []
        first = _start(start, problem, tol, max_iter)
        end = _descend(problem, first, tol, max_iter, visited)
        found = _lowest(problem, [end], tol, max_iter)
        kinds, places = zip(("start", first), *visited, strict=True)
        steps = list(_steps(problem, kinds, np.stack([*places[:-1], end[0]])))
    exact = {name: getattr(found, name) for name in ("objective", "violation", "beta", "intercept")}
    return [*steps[:-1], steps[-1]._replace(**exact)], found


def _steps(problem, kinds, V):
    """The `Step` at each row of V, (m, r + 1).

    The expansion of w starts at the support values minus their mean, and takes the smallest change that makes it exact,
    so that it ends at the solution. For the centred features of a linear kernel the mean has no effect.
    """
    f = V[:, :-1] @ problem.Phi.T + V[:, -1:]
    pulled = np.array([problem.beta(row) for row in f])
    base = pulled - pulled.mean(axis=1, keepdims=True)
    missing = problem.lam * V[:, :-1] - base @ problem.Phi
    betas = base + np.linalg.lstsq(problem.Phi.T, missing.T, rcond=SMALLEST)[0].T
    for k, (kind, v) in enumerate(zip(kinds, V, strict=True)):
        value, gradient = problem(v)
        K_beta, K_pulled = (problem.rows.dot(np.arange(len(problem.y)), b) for b in (betas[k], pulled[k]))
        yield Step(
            k, float(value), float(np.ptp(f[k] - K_pulled)), betas[k], float(np.mean(f[k] - K_beta)), kind,
            float(np.linalg.norm(gradient)), problem.signs * pulled[k],
        )  # fmt: skip


def _lowest(problem, ends, tol, max_iter):
    found = [_solution(problem, *end, tol, max_iter) for end in ends]
    if problem.loss.convex:
        return found[0]
    return multistart.lowest_minimum(found, tol, lambda k: _is_minimum(problem, ends[k][0]))


def _space(kernel, X):
    """(rows, Phi, scale): the kernel as rows, and as features, divided by `scale` to a length of about one."""
    rows = Rows(kernel, X)
    n, d = X.shape
    if kernel.name == "linear" and d <= n:
        Phi = X - X.mean(axis=0)
    elif n <= DENSE:  # the part of K that is not positive semidefinite is dropped
        K = kernel(X)
        factor, order, rank, _ = dpstrf(K.T, tol=FACTOR_ERROR * K.diagonal().max(), lower=1)
        Phi = np.empty((n, rank))
        Phi[order - 1] = np.tril(factor)[:, :rank]
    else:
        rank = int(np.sqrt(FACTOR_WORK / n))
        Phi = interior_point.pivoted_cholesky(
            lambda j: rows.rows([j])[0], rows.diagonal, tol=FACTOR_ERROR, max_rank=rank
        ).L
    scale = float(np.sqrt(np.mean(np.einsum("ij,ij->i", Phi, Phi)))) or 1.0
    return rows, np.ascontiguousarray(Phi / scale), scale


class _Problem:
    """P as a function of v = (scale w, b), its first two derivatives, and the machine of a v."""

    def __init__(self, space, task):
        self.task, self.space, (self.rows, self.Phi, self.scale) = task, space, space
        self.lam = 1.0 / self.scale**2
        self.y, self.C, self.loss, self.params = task.y, task.C, task.loss, task.params
        self.signs = task.signs

    @property
    def as_compiled(self):
        """Function that `descent` minimises: this P, compiled if the formula of its loss is."""
        if self.loss.compiled_as is None or self.task.regression:
            return self
        y, C = np.ascontiguousarray(self.y, float), np.ascontiguousarray(self.C, float)
        form, height, steepness = self.loss.compiled_as(**self.params)
        return descent.Objective(self.Phi, self.lam, y, C, descent.FORMS.index(form), height, steepness)

    def unknowns(self, beta, intercept):
        """The v = (scale w, b) of the machine with values K beta + intercept."""
        v = self.scale**2 * (self.Phi.T @ beta)
        support = np.flatnonzero(beta)
        return np.append(v, intercept + np.mean(self.rows.dot(support, beta[support]) - self.Phi @ v))

    def f(self, v):
        return self.Phi @ v[:-1] + v[-1]

    def beta(self, f):
        return self.signs * self.C * self.loss.slope_of(self.task.slack(f), **self.params)

    def __call__(self, v):
        f = self.f(v)
        beta = self.beta(f)
        value = 0.5 * self.lam * v[:-1] @ v[:-1] + self.C @ self.loss.value_of(self.task.slack(f), **self.params)
        return value, np.append(self.lam * v[:-1] - self.Phi.T @ beta, -beta.sum())

    def hessian(self, v):
        D = self.curvature(self.f(v))
        bent = D[:, None] * self.Phi
        r = len(v) - 1
        H = np.empty((r + 1, r + 1))
        H[:r, :r] = self.Phi.T @ bent
        H.flat[: r * (r + 2) : r + 2] += self.lam
        H[r, :r] = H[:r, r] = bent.sum(axis=0)
        H[r, r] = D.sum()
        return H

    def spread(self, gradient):
        """The violation within the span of the features: the gradient in w as a function on the points."""
        return self.scale**2 * float(np.ptp(self.Phi @ gradient[:-1]))

    def balance(self, v):
        """v with the intercept for which sum(beta) = 0, as far as Newton's method finds it."""
        f = self.f(v)
        beta = self.beta(f)
        total, shift, nothing = beta.sum(), 0.0, ULP * np.abs(beta).sum()
        for _ in range(HALVINGS):
            if abs(total) <= nothing:
                break
            curvature = self.curvature(f + shift).sum()
            if not curvature > 0.0:
                break
            step = total / curvature
            trials = ((self.beta(f + shift + 0.5**k * step).sum(), 0.5**k * step) for k in range(HALVINGS))
            nearer = next((trial for trial in trials if abs(trial[0]) < abs(total)), None)
            if nearer is None:
                break
            total, shift = nearer[0], shift + nearer[1]
        return np.append(v[:-1], v[-1] + shift)

    def curvature(self, f):
        """C loss'' (N,) at the values f (N,)."""
        return self.C * self.loss.curvature_of(self.task.slack(f), **self.params)


def _start(name, problem, tol, max_iter):
    """The start as a v. The annealed one descends from the means of the classes through less steep losses."""
    space, task, y, C = problem.space, problem.task, problem.y, problem.C
    constants = {"zero": lambda y, C: 0.0, "one_class": multistart.one_class, "median": _weighted_median}
    if name in constants:
        return np.append(np.zeros(problem.Phi.shape[1]), constants[name](y, C))
    if name in ("log", "sigmoid"):
        other = _Problem(space, task._replace(loss=losses.get(name), params={}).validate())
        first = _start("zero" if name == "log" else "means", problem, tol, max_iter)
        return _descend(other, first, tol, max_iter)[0]
    if name in duals.DUALS:
        found = convex.solve(task.kernel, task.X, duals.DUALS[name](y, C), tol=tol, max_iter=max_iter)
        return problem.unknowns(found.beta, found.intercept)
    if task.regression:
        v = _start("least_absolute", problem, tol, max_iter)
    else:
        v = problem.unknowns(*multistart.class_means(problem.rows, y, C))
    if name == "annealed":
        for gentler in ANNEALING:
            params = task.loss.gentler(problem.params, gentler)
            v = _descend(_Problem(space, task._replace(params=params)), v, tol, max_iter)[0]
    return v


def _weighted_median(y, C):
    order = np.argsort(y)
    reached = np.cumsum(C[order])
    return float(y[order][np.searchsorted(reached, 0.5 * reached[-1])])


def _descend(problem, v, tol, max_iter, visited=None):
    """Descend from v to a minimum: the minimum, the number of steps, and their description.

    A list `visited` receives (kind of step, v) after each step, without effect on the run.
    """
    goal = 0.1 * tol
    has_newton = _has_newton(problem)
    patience = min(max_iter, PATIENCE) if has_newton else max_iter
    note = None if visited is None else (lambda v: visited.append((QUASI_NEWTON, v)))
    gradient_goal = goal * problem.lam / np.sqrt(len(v))
    v, n_iter = descent.minimise(problem.as_compiled, v, goal=gradient_goal, max_iter=patience, visited=note)
    route = with_count(n_iter, "quasi-Newton step")
    if has_newton and n_iter < max_iter:
        v, rounds = _newton(problem, v, goal, min(NEWTON_ROUNDS, max_iter - n_iter), visited)
        n_iter, route = n_iter + rounds, f"{route}, {with_count(rounds, 'Newton step')}"
    return problem.balance(v), n_iter, route


def _newton(problem, v, goal, max_rounds, visited=None):
    """Damped Newton steps until the violation is at most `goal`, or the curvature is not positive: v, their number."""
    value, gradient = problem(v)
    for rounds in range(max_rounds):
        if problem.spread(gradient) <= goal or deadline.is_over():
            return v, rounds
        _, step, failed = dposv(problem.hessian(v), -gradient, lower=1)
        moved = None if failed else _line_search(problem, v, value, gradient, step)
        if moved is None:
            return v, rounds
        v, value, gradient = moved
        if visited is not None:
            visited.append((NEWTON, v))
    return v, max_rounds


def _has_newton(problem):
    n, r = problem.Phi.shape
    return n * r**2 <= NEWTON_WORK


def _is_minimum(problem, v):
    """True if P is convex near v, or its curvature is positive; if that is too expensive to compute, it is assumed."""
    if not _has_newton(problem) or np.all(problem.curvature(problem.f(v)) >= 0.0):
        return True
    return dpotrf(problem.hessian(v), lower=1, overwrite_a=1)[1] == 0


def _line_search(problem, v, value, gradient, step):
    """The first of 1, 1/2, 1/4, ... steps that lowers P enough, or the gradient if P is flat up to rounding."""
    slope = gradient @ step
    for k in range(HALVINGS):
        there = v + 0.5**k * step
        new_value, new_gradient = problem(there)
        flat = abs(0.5**k * slope) <= ROUNDING * abs(value)
        if flat and not np.linalg.norm(new_gradient) < np.linalg.norm(gradient):
            return None
        if flat or new_value <= value + 1e-4 * 0.5**k * slope:
            return there, new_value, new_gradient
    return None


def _solution(problem, v, n_iter, route, tol, max_iter):
    f = problem.f(v)
    beta = problem.beta(f)
    steepest = problem.C * problem.loss.slope_of(1.0, **problem.params)  # the sigmoids are so at f = 0
    flat = np.ptp(f) <= CONSTANT * abs(f[0]) and np.all(np.abs(beta) <= NOTHING * steepest)
    if flat and not (problem.loss.convex or problem.task.regression):
        # w = 0: the objective falls until the intercept is so large that the loss is flat
        intercept = float(f.mean())
        objective = problem.task.objective(np.full(len(f), intercept), 0.0)
        return Solution(np.zeros(len(f)), intercept, objective, 0.0, n_iter, Status.ONE_CLASS, route)
    K_beta = problem.rows.dot(np.arange(len(beta)), beta)
    F = f - K_beta
    violation, intercept = float(np.ptp(F)), float(F.mean())
    objective = problem.task.objective(K_beta + intercept, float(beta @ K_beta))
    if violation <= tol:
        status = Status.CONVERGED if problem.loss.convex else Status.LOCAL_MINIMUM
    elif n_iter >= max_iter:
        status = Status.ITERATION_LIMIT
    else:
        missed = np.ptp(K_beta - problem.scale**2 * (problem.Phi @ (problem.Phi.T @ beta)))
        rounding = 10.0 * ULP * float(np.abs(beta) @ np.abs(problem.rows.diagonal))
        indefinite = Status.NOT_POSITIVE if len(f) <= DENSE else Status.LOW_RANK
        status = Status.ROUNDING_OF_F if missed <= max(0.5 * tol, rounding) else indefinite
    return Solution(beta, intercept, objective, violation, n_iter, status, route)
