"""Every solver that can be watched, by its key: the list that the pages read.

To add one: a generator of rounds beside the solver, a `trace.Description` of it, and a line here. `sentences.of_round`
is a default for `why`. The paths over a hyperparameter are Descriptions as well.
"""

from svmcore.watch import admm, cccp, doubled, isls, linear_system, path, quasi_newton, smo
from svmcore.watch.trace import Description, Given

DESCRIPTIONS: dict[str, Description] = {
    description.key: description
    for description in (
        *smo.DESCRIPTIONS,
        linear_system.CG,
        linear_system.DIRECT,
        *doubled.DESCRIPTIONS,
        *quasi_newton.DESCRIPTIONS,
        *cccp.DESCRIPTIONS,
        *admm.DESCRIPTIONS,
        isls.ISLS,
        *path.DESCRIPTIONS,
    )
}


def serving(given, over="") -> list[Description]:
    """The solvers that can solve the problem, in teaching order; with `over` "C" or "sigma" the path over it."""
    return [
        description for description in DESCRIPTIONS.values() if description.over == over and description.serves(given)
    ]


def of(trace) -> Description:
    """The Description of the solver that made a Trace."""
    return DESCRIPTIONS[trace.solver]


def taken(trace, given) -> Given:
    """The problem as the solver of the Trace solves it: without the box problem if it has an `own` objective."""
    return given._replace(qp=None) if of(trace).own else given
