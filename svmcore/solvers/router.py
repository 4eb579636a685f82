"""Any loss: the solver of its machine, in one place.

`losses.Loss.solved_by`   served by                     objective               violation
box dual                  `duals`, `convex`             the dual objective      of the conditions of the dual
doubled box dual          `duals`, `doubled`, `convex`  the dual objective      of the conditions of the dual, doubled
quasi-Newton              `quasi_newton`                the primal objective    of F = f - K beta, with beta at f
CCCP                      `cccp`                        the primal objective    of the conditions of the last box
re-weighting              `half_quadratic`              the primal objective    of the last weighted dual, and of t
ADMM                      `zero_one`                    the primal objective    of the conditions of a local minimum

Every violation but the last is the largest minus the smallest F, over the coefficients that may still rise and those
that may still fall, in units of f; 0 is optimal, and for a loss that is not convex stationary. That of the 0/1 loss is
the largest error in sum(beta) = 0, alpha >= 0, y f = 1 on the support. A new method is one more case of `solve` and a
line in `OPTIONS`, and every loss that names it is then solvable.
"""

from svmcore import deadline, duals, losses
from svmcore.kernels import definiteness
from svmcore.solvers import quasi_newton, rounding
from svmcore.solvers.box_dual import centred, convex, doubled
from svmcore.solvers.nonconvex import admm, cccp, half_quadratic, zero_one
from svmcore.solvers.solution import Solution
from svmcore.status import Status, qualify

MOST_ADMM = 1000  # iterations of a run; one that has not converged by then does not converge
ENDED_EARLY = (Status.TRIVIAL, Status.NO_PROGRESS)  # where the matrix is not positive semidefinite, that is why
DUAL = ("box dual", "doubled box dual")  # whose objective is that of the dual
OPTIONS = {  # the solver_params of each method
    **dict.fromkeys(DUAL, ()),
    "quasi-Newton": ("starts",),
    "CCCP": ("starts", "max_rounds"),
    "re-weighting": ("starts", "max_rounds"),
    "ADMM": ("rules", "starts", *admm.RANGES),
}
SOLVABLE = tuple(key for key, loss in losses.LOSSES.items() if loss.solved_by in OPTIONS)


def solve(task, *, tol=1e-3, max_iter=1_000_000, solver="auto", solver_params=None, start=None) -> Solution:
    """The machine of a `Task`.

    The status is one of `status.SUCCESS` or says why not; `objective` and `violation` are in the table.
    solver_params: for losses that are not convex, {"starts": names}, for CCCP and re-weighting also {"max_rounds": n};
    for the 0/1 loss {"rules": name} and the changes to these rules that `admm.RANGES` lists. start: a `warm.Start` for
    a box dual; other methods choose their own starts.
    Raises ValueError for losses, parameters, labels and weights out of range.
    """
    loss = losses.get(task.loss)
    if loss.solved_by not in OPTIONS:
        raise ValueError(f"{loss.key} has no solver; the losses that have one are {', '.join(SOLVABLE)}")
    options, run = check(loss, solver_params), {"tol": tol, "max_iter": max_iter}
    if loss.solved_by in DUAL:
        dual = duals.DUALS.get(loss.key, duals.insensitive_pinball)
        qp = dual(task.y, task.C, **loss.check(**task.params))
        return solve_dual(task.kernel, task.X, qp, solver=solver, start=start, **run)
    rounds = {"CCCP": cccp, "re-weighting": half_quadratic}
    if solver != "auto" and loss.solved_by not in rounds:
        steps = {"ADMM": "ADMM", "quasi-Newton": "quasi-Newton steps"}[loss.solved_by]
        raise ValueError(f"{loss.key} is solved by {steps} only, got solver={solver!r}; use solver='auto'")
    if loss.solved_by == "ADMM":
        found = zero_one.solve(task, max_iter=min(max_iter, MOST_ADMM), **options)
        found = rounding.check(found, task.kernel, task.X, zero_one.ACCURACY, zero_one.measure(task, found))
    else:
        kernel, X = centred.points(task.kernel, task.X)
        near = task._replace(kernel=kernel, X=X)
        if loss.solved_by in rounds:
            found = rounds[loss.solved_by].solve(near, solver=solver, **run, **options)
        else:
            found = quasi_newton.solve(near, **run, **options)
        found = centred.restore(found, task.kernel, task.X, X, tol)
        measure = cccp.measure(task, found) if loss.solved_by == "CCCP" else None
        found = rounding.check(found, task.kernel, task.X, tol, measure, (kernel, X))
    status = qualify(found.status, lambda: definiteness.is_definite(task.kernel, task.X))
    if status in ENDED_EARLY and not definiteness.is_definite(task.kernel, task.X):
        status = Status.NOT_POSITIVE
    return found._replace(status=deadline.final_status(status))


def solve_dual(kernel, X, qp, *, tol=1e-3, max_iter=1_000_000, solver="auto", start=None) -> Solution:
    """The machine of a BoxQP with one or two coefficients for each of the points X (N, d); its objective is the dual's.

    The status is judged by `convex`, with the ridge.
    """
    kernel_near, near = centred.points(kernel, X)
    method = convex.solve if len(qp.linear) == len(near) else doubled.solve
    found = method(kernel_near, near, qp, tol=tol, max_iter=max_iter, solver=solver, start=start)
    if near is not X:
        found = centred.restore(found, kernel, X, near, tol)
        if not rounding.is_harmless(found, kernel, X, tol):
            found = convex.measure(found, kernel, X, qp, tol)
    return found._replace(objective=-found.objective)


def check(loss, solver_params) -> dict:
    """The solver's own parameters for a loss; ValueError for a name that its method does not accept.

    Their values are checked by the solver itself.
    """
    loss, given = losses.get(loss), dict(solver_params or {})
    known = () if loss.convex else OPTIONS[loss.solved_by]
    for name in given:
        if name not in known:
            takes = f"takes {', '.join(known)}" if known else "takes no solver_params"
            raise ValueError(f"solver_params: unknown name {name!r}; {loss.key}, solved by {loss.solved_by}, {takes}")
    return given
