"""Any loss: the solver of its machine, in one place.

`losses.Loss.solved_by`   served by                     objective               violation
box dual                  `duals`, `convex`             the dual objective      of the conditions of the dual
doubled box dual          `duals`, `doubled`, `convex`  the dual objective      of the conditions of the dual, doubled
quasi-Newton              `quasi_newton`                the primal objective    of F = f - K beta, with beta at f
CCCP                      `cccp`                        the primal objective    of the conditions of the last box
ADMM                      `zero_one`                    the primal objective    of the conditions of a local minimum

Every violation but the last is the largest minus the smallest F, over the coefficients that may still rise and those
that may still fall, in units of f; 0 is optimal, and for a loss that is not convex stationary. That of the 0/1 loss is
the largest error in sum(beta) = 0, alpha >= 0, y f = 1 on the support. A new method is one more line in `ROUTES`, and
every loss that names it is then solvable.
"""

from collections.abc import Callable
from typing import NamedTuple

from svmcore import deadline, duals, losses
from svmcore.kernels import definiteness
from svmcore.solvers import admm, cccp, centred, convex, doubled, quasi_newton, zero_one
from svmcore.status import Status, judged

MOST_ADMM = 1000  # iterations of a run; one that has not converged by then does not converge


class Route(NamedTuple):
    """`solve(loss, params, kernel, X, y, C, run, solver, **options)` with run = {tol, max_iter}; it takes `options`."""

    solve: Callable
    options: tuple[str, ...] = ()


def solve(
    loss, params, kernel, X, y, C, *, tol=1e-3, max_iter=1_000_000, solver="auto", solver_params=None, start=None
) -> convex.Solution:
    """The machine of a loss, by name or as a `losses.Loss`, with its params (a dict, defaults filled in).

    kernel: a `kernels.Kernel`; X (N, d), or precomputed (N, N); y (N,) labels -1 and +1; C positive, a number or (N,).
    The status is one of `status.SUCCESS` or says why not; `objective` and `violation` are in the table.
    solver_params: for losses that are not convex, {"starts": names}, for CCCP also {"max_rounds": n}; for the 0/1 loss
    {"rules": name} and the changes to these rules that `admm.RANGES` lists. start: a `warm.Start` for a box dual; other
    routes choose their own starts.
    Raises ValueError for losses, parameters, labels and weights out of range.
    """
    loss = losses.get(loss)
    if loss.solved_by not in ROUTES:
        raise ValueError(f"{loss.key} has no solver; the losses that have one are {', '.join(SOLVABLE)}")
    route, options = ROUTES[loss.solved_by], check(loss, solver_params)
    run = {"tol": tol, "max_iter": max_iter}
    if loss.solved_by in DUAL:  # checked where the dual is built; judged by `convex`, with the ridge
        return route.solve(loss, params, kernel, X, y, C, run | {"start": start}, solver)
    params, (y, C) = loss.check(**params), duals.checked(y, C)
    found = route.solve(loss, params, kernel, X, y, C, run, solver, **options)
    return found._replace(status=deadline.said(judged(found.status, lambda: definiteness.is_definite(kernel, X))))


def check(loss, solver_params) -> dict:
    """The solver's own parameters for a loss; ValueError for a name that its route does not accept.

    Their values are checked by the solver itself.
    """
    loss, given = losses.get(loss), dict(solver_params or {})
    known = () if loss.convex else ROUTES[loss.solved_by].options
    for name in given:
        if name not in known:
            takes = f"takes {', '.join(known)}" if known else "takes no solver_params"
            raise ValueError(f"solver_params: unknown name {name!r}; {loss.key}, solved by {loss.solved_by}, {takes}")
    return given


def _box_dual(loss, params, kernel, X, y, C, run, solver):
    return valued(centred.solve(convex.solve, kernel, X, duals.build(loss, y, C, **params), solver=solver, **run))


def _doubled(loss, params, kernel, X, y, C, run, solver):
    qp = duals.insensitive_pinball(y, C, **loss.check(**params))
    return valued(centred.solve(doubled.solve, kernel, X, qp, solver=solver, **run))


def valued(found) -> convex.Solution:
    """The solution of a dual with the sign of its objective reversed, so that it is that of the machine."""
    return found._replace(objective=-found.objective)


def _smooth(loss, params, kernel, X, y, C, run, solver, starts=None):
    if solver != "auto":
        raise ValueError(f"{loss.key} is solved by quasi-Newton steps only, got solver={solver!r}; use solver='auto'")
    return centred.solve(quasi_newton.solve, kernel, X, y, C, loss, params, names=starts, **run)


def _cccp(loss, params, kernel, X, y, C, run, solver, starts=None, max_rounds=cccp.MAX_ROUNDS):
    options = {"solver": solver, "names": starts, "max_rounds": max_rounds}
    return centred.solve(cccp.solve, kernel, X, y, C, loss, params, **options, **run)


def _admm(loss, params, kernel, X, y, C, run, solver, rules="robust", starts=None, **changes):
    """A weight of two is two samples. `tol` is that of the rules: a local minimum is certified for any `tol`."""
    if solver != "auto":
        raise ValueError(f"{loss.key} is solved by ADMM only, got solver={solver!r}; use solver='auto'")
    price, most = float(C.min()), min(run["max_iter"], MOST_ADMM)
    found = zero_one.solve(kernel, X, y, price, weight=C / price, rules=rules, starts=starts, max_iter=most, **changes)
    if found.status == Status.CONVERGED:
        return found._replace(status=Status.UNCERTIFIED if found.certificate is None else Status.LOCAL_MINIMUM)
    return found


ROUTES = {
    "box dual": Route(_box_dual),
    "doubled box dual": Route(_doubled),
    "quasi-Newton": Route(_smooth, ("starts",)),
    "CCCP": Route(_cccp, ("starts", "max_rounds")),
    "ADMM": Route(_admm, ("rules", "starts", *admm.RANGES)),
}
DUAL = ("box dual", "doubled box dual")  # whose objective is that of the dual
SOLVABLE = tuple(key for key, loss in losses.LOSSES.items() if loss.solved_by in ROUTES)
