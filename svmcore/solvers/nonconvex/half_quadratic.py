"""Losses that are a concave function of a convex one, by re-weighting: a sequence of convex machines.

    minimise  P = 1/2 |w|^2 + sum_i C_i loss(t_i),    t = 1 - y f,    loss(t) = g(base(t)),    g concave and rising

A tangent of g lies above it: loss(t) <= g(h) + g'(h) (base(t) - h), with equality where base(t) = h. So each round
takes the heights h_i of the present machine and solves the machine of the base with the weights C_i g'(h_i), the box
dual of `duals.build`. P never rises.

truncated         g = min(h, mu): weight 1 up to the cut, and 0 beyond it, where a point is left out. There are finitely
                  many weights, and the run ends when no further point crosses the cut.
rescaled hinge    g = eta (1 - e^(-h / s)): weights that fall exponentially. The run ends when no t changes by more
                  than the tolerance.

This is CCCP for P as a function of the heights. CCCP in t (`cccp`) would replace base(t) - mu beyond the cut by a
tangent in t, a bound that is higher everywhere but at one t; it ends at the same machines, often one round later.

A point of the last machine has the support value C_i g'(h) times a slope of the base, for an h within the violation of
its own: so the violation counts the change of t, where it changes a weight, beside that of the box dual. A truncated
machine is a local minimum, as no point lies on a cut and P is convex between the cuts; for other weights the curvature
of P is tested.

References
    G. Xu, Z. Cao, B.-G. Hu, J. C. Principe (2017). Robust support vector machines based on the rescaled hinge loss
        function. Pattern Recognition 63, 139-148 (their half-quadratic optimisation).
    R. Varadhan, C. Roland (2008). Simple and globally convergent methods for accelerating the convergence of any EM
        algorithm. Scandinavian Journal of Statistics 35(2), 335-353.
    T. Zhang (2010). Analysis of multi-stage convex relaxation for sparse regularization. Journal of Machine Learning
        Research 11, 1081-1107 (tangents of a concave function of a convex one).
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.linalg import null_space
from scipy.linalg.lapack import dpotrf

from svmcore import deadline, duals
from svmcore.kernels.rows import Rows
from svmcore.solvers.box_dual import convex, interior_point
from svmcore.solvers.nonconvex import cccp, multistart
from svmcore.solvers.nonconvex.cccp import Round
from svmcore.solvers.solution import Solution, Task
from svmcore.status import Status

STARTS, DEFAULT_STARTS = cccp.STARTS, cccp.DEFAULT_STARTS
MAX_ROUNDS = 400
FINER = 0.1, 1e-4, 1e-7  # of the tolerance, for a round; a finer one if the coarser did not lower P
SETTLED = 0.5  # of the tolerance: a smaller change of t ends the run
NEGLIGIBLE = 1e-12  # of the largest weight: a point with less is left out
FARTHEST = 100.0  # multiple of a move that is extrapolated
SMALLEST = 1e-300
LARGEST_TEST = 2000  # support vectors for which the curvature is tested
SPAN = 1e-12  # of the largest K_ii: a smaller direction of their span is left out


def weights(task, f) -> np.ndarray:
    """g' (N,) at the heights of the values f (N,); at height 0, for no machine, if `f` is None."""
    loss, params = task.loss, task.params
    height = np.zeros(len(task.y)) if f is None else loss.base.value_of(task.slack(f), **loss.base_params(params))
    weight = loss.weight_of(height, **params)
    return np.where(weight > NEGLIGIBLE * loss.weight_of(0.0, **params), weight, 0.0)


def rounds(
    task: Task, f=None, *, tol=1e-3, max_iter=1_000_000, solver="auto", max_rounds=MAX_ROUNDS, below=np.inf
) -> Iterator[Round]:
    """Rounds from the machine with values `f` (N,) on the points; None: from the machine of the base.

    task: a checked `Task` whose loss is solved by re-weighting. `solver` is as in `convex.solve`, `below` is P of the
    start, if known. Each round lowers P, up to rounding.
    """
    step, path = _Step(task, max_iter, solver), []
    weight, lowest, seen = weights(task, f), below, set()
    for iteration in range(1, max_rounds + 1):
        tols = [finer * tol for finer in FINER]
        now, lower = cccp.refine(partial(step, iteration, weight, f), lowest, tols, max_iter)
        if not lower and iteration > 1:
            return
        yield now
        seen.add(weight.tobytes())
        lowest = min(now.objective, lowest)
        path = [*path[-2:], now]
        f = step.extrapolate(path) if task.loss.curvature_of and iteration % 3 == 0 else now.f
        weight = weights(task, f)
        if now.violation <= SETTLED * tol or weight.tobytes() in seen or deadline.is_over():
            return


class _Step(cccp.Step):
    """A round for given weights."""

    def __call__(self, iteration, weight, before, tol) -> Round:
        task, kept = self.task, np.flatnonzero(weight)
        beta, lower, upper = np.zeros((3, len(task.y)))
        if not len(kept):
            level = multistart.one_class(task.y, task.C)
            found = Solution(beta, level, 0.0, 0.0, 0, Status.CONVERGED, "no point is left")
            return self._round_at(found, iteration, weight, before, lower, upper)
        X = task.X[np.ix_(kept, kept)] if task.kernel.name == "precomputed" else task.X[kept]
        own = task.loss.base_params(task.params)
        qp = duals.build(task.loss.base, task.y[kept], task.C[kept] * weight[kept], **own)
        found = convex.solve(task.kernel, X, qp, tol=tol, **self.options)
        beta[kept], lower[kept], upper[kept] = found.beta, qp.lower, qp.upper
        return self._round_at(found._replace(beta=beta), iteration, weight, before, lower, upper)

    def extrapolate(self, path) -> np.ndarray:
        """The values f (N,) farther on the way of the last three rounds, if P is lower there; else those of the last.

        Weights that settle slowly do so along one direction. A squared extrapolation goes along it at once (Varadhan
        and Roland, 2008), and as P is no higher than at the last round, the next one lowers it as ever.
        """
        first, second, third = path
        move = second.f - first.f
        bend = third.f - second.f - move
        multiple = np.linalg.norm(move) / max(np.linalg.norm(bend), SMALLEST)
        if not 1.0 < multiple < FARTHEST:
            return third.f
        shares = np.array([(1.0 - multiple) ** 2, 2.0 * multiple * (1.0 - multiple), multiple**2])
        beta, f, intercept = (
            sum(share * getattr(one, name) for share, one in zip(shares, path, strict=True))
            for name in ("beta", "f", "intercept")
        )
        objective = self.task.objective(f, float(beta @ (f - intercept)))
        return f if objective < third.objective else third.f

    def start_round(self, begun, f) -> Round:
        """The start `begun` with the values f (N,), which no round improves, as a round."""
        none = np.zeros(len(f))
        return self._round_at(begun, 0, weights(self.task, f), f, none, none)

    def _round_at(self, found, iteration, weight, before, lower, upper) -> Round:
        """The round that ends at this machine, whose violation is that of its box dual."""
        support = np.flatnonzero(found.beta)
        K_beta = self.rows.dot(support, found.beta[support])
        f = K_beta + found.intercept
        change = np.abs(f if before is None else f - before)
        violation = float(max(found.violation, np.max(change, where=weights(self.task, f) != weight, initial=0.0)))
        objective = self.task.objective(f, float(found.beta @ K_beta))
        return Round(
            iteration, objective, violation, found.beta, found.intercept, lower, upper, weight, f,
            found.n_iter, found.status, found.route,
        )  # fmt: skip


def solve(task, *, tol=1e-3, max_iter=1_000_000, solver="auto", starts=None, max_rounds=MAX_ROUNDS) -> Solution:
    """The lowest of the minima that re-weighting reaches from the `starts`, by default `DEFAULT_STARTS`.

    Starts: "convex", the machine of the base; "annealed", re-weighting with gentler parameters, from the means; the
    others as for `cccp.solve`. `objective` is P. The other arguments are those of `rounds`. Raises ValueError for
    unknown starts and for a `max_rounds` below 1.
    """
    cccp.check_rounds(max_rounds)
    task = task.validate()
    options = {"tol": tol, "max_iter": max_iter, "solver": solver, "max_rounds": max_rounds}
    names = multistart.check_names(starts, STARTS, DEFAULT_STARTS)
    found = cccp.ends(_Step(task, max_iter, solver), names, options, rounds, "re-weighting")
    return multistart.lowest_minimum(found, tol, lambda k: is_minimum(task, found[k], tol))


def is_minimum(task, found, tol) -> bool:
    """True if P has positive curvature in all directions in which its slope is zero; assumed for very many points.

    A point at the kink of the base stays there. The others add C loss'' to the curvature 1 of 1/2 |w|^2, in the span of
    the points that have a support value.
    """
    support = np.flatnonzero(found.beta)
    if task.loss.curvature_of is None or len(support) > LARGEST_TEST:
        return True
    rows = Rows(task.kernel, task.X)
    t = task.slack(rows.dot(support, found.beta[support]) + found.intercept)[support]
    K = rows.block(support)
    L = interior_point.pivoted_cholesky(K.__getitem__, K.diagonal(), tol=SPAN).L
    wide = np.column_stack([L, np.ones(len(support))])
    at_kink = np.abs(t) <= tol
    bent = np.where(at_kink, 0.0, task.C[support] * task.loss.curvature_of(t, **task.params))
    H = np.diag(np.append(np.ones(L.shape[1]), 0.0)) + wide.T @ (bent[:, None] * wide)
    free = null_space(wide[at_kink]) if at_kink.any() else np.eye(len(H))
    return free.shape[1] == 0 or dpotrf(free.T @ H @ free, lower=1)[1] == 0
