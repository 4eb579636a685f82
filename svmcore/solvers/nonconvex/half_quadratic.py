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

import numpy as np
from scipy.linalg import null_space
from scipy.linalg.lapack import dpotrf

from svmcore import duals
from svmcore.kernels.rows import Rows
from svmcore.solvers.box_dual import convex, interior_point
from svmcore.solvers.nonconvex import cccp, multistart
from svmcore.solvers.solution import Solution
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


class Weighting(cccp.Method):
    """Re-weighting: a tangent is the `weights` of the points."""

    name, finer, settled = "re-weighting", FINER, SETTLED

    def tangent(self, f) -> np.ndarray:
        return weights(self.task, f)

    def solve(self, tangent, tol) -> tuple[Solution, np.ndarray, np.ndarray]:
        task, kept = self.task, np.flatnonzero(tangent)
        beta, lower, upper = np.zeros((3, len(task.y)))
        if not len(kept):
            level = multistart.one_class(task.y, task.C)
            return Solution(beta, level, 0.0, 0.0, 0, Status.CONVERGED, "no point is left"), lower, upper
        X = task.X[np.ix_(kept, kept)] if task.kernel.name == "precomputed" else task.X[kept]
        own = task.loss.base_params(task.params)
        qp = duals.build(task.loss.base, task.y[kept], task.C[kept] * tangent[kept], **own)
        found = convex.solve(task.kernel, X, qp, tol=tol, **self.options)
        beta[kept], lower[kept], upper[kept] = found.beta, qp.lower, qp.upper
        return found._replace(beta=beta), lower, upper

    def violation(self, found, tangent, before, f, K_beta) -> float:
        change = np.abs(f if before is None else f - before)
        return float(max(found.violation, np.max(change, where=self.tangent(f) != tangent, initial=0.0)))

    def values_after(self, path) -> np.ndarray:
        """The values of the last round, or after every third round some farther on its way, if P is lower there.

        Weights that settle slowly do so along one direction. A squared extrapolation goes along it at once (Varadhan
        and Roland, 2008), and as P is no higher than at the last round, the next one lowers it as ever.
        """
        *_, third = path
        if self.task.loss.curvature_of is None or third.iteration % 3:
            return third.f
        first, second, _ = path
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


def solve(task, *, tol=1e-3, max_iter=1_000_000, solver="auto", starts=None, max_rounds=MAX_ROUNDS) -> Solution:
    """The lowest of the minima that re-weighting reaches from the `starts`, by default `DEFAULT_STARTS`.

    Starts: "convex", the machine of the base; "annealed", re-weighting with gentler parameters, from the means; the
    others as for `cccp.solve`. `objective` is P. The other arguments are as there. Raises ValueError for unknown
    starts and for a `max_rounds` below 1.
    """
    cccp.check_rounds(max_rounds)
    method = Weighting(task.validate(), max_iter=max_iter, solver=solver)
    found = cccp.ends(method, multistart.check_names(starts, STARTS, DEFAULT_STARTS), tol, max_rounds)
    return multistart.lowest_minimum(found, tol, lambda k: is_minimum(method.task, found[k], tol))


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
