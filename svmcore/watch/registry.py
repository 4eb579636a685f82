"""Every solver that can be watched, by its key: the list that the pages read.

To add one: a generator of rounds beside the solver, a subclass of `trace.Description`, and a line here. The paths over
a hyperparameter are Descriptions as well.
"""

from svmcore.kernels import definiteness
from svmcore.status import qualify
from svmcore.watch import admm, cccp, doubled, half_quadratic, isls, linear_system, path, quasi_newton, smo
from svmcore.watch.trace import Description, Given, Trace

DESCRIPTIONS: dict[str, Description] = {
    description.key: description
    for description in (
        *smo.DESCRIPTIONS,
        linear_system.CG,
        linear_system.DIRECT,
        *doubled.DESCRIPTIONS,
        *quasi_newton.DESCRIPTIONS,
        *cccp.DESCRIPTIONS,
        *half_quadratic.DESCRIPTIONS,
        *admm.DESCRIPTIONS,
        isls.ISLS,
        *path.DESCRIPTIONS,
    )
}


def solvers_for(given, over="") -> list[Description]:
    """The solvers that can solve the problem, in teaching order; with `over` "C" or "sigma" the path over it."""
    return [solver for solver in DESCRIPTIONS.values() if solver.over == over and solver.serves(given)]


def record(solver, given, **options) -> Trace:
    """The Trace of a run of the solver with this key; the status is true of the kernel matrix, too."""
    description = DESCRIPTIONS[solver]
    recorded = description.record(given, **options)
    if description.own or description.over:  # ISLS needs no definite matrix, and a path judges each of its values
        return recorded
    return recorded._replace(status=qualify(recorded.status, lambda: is_definite(given)))


def is_definite(given) -> bool:
    """True if the machine is convex in its coefficients: with the ridge of its box problem, where it has one."""
    return definiteness.is_definite(given.kernel, given.X, 0.0 if given.qp is None else given.qp.ridge[: len(given.y)])


def solver_of(trace) -> Description:
    return DESCRIPTIONS[trace.solver]


def as_solved(trace, given) -> Given:
    """The problem as the solver of the Trace solves it: without the box problem if it has an `own` objective."""
    return given._replace(qp=None) if solver_of(trace).own else given
