"""The sparse LS-SVM beside the LS-SVM and the SVM: their support vectors, errors and times."""

import streamlit as st

from pages.shared.figures.marks import largest_alpha
from pages.shared.page.run import current
from pages.shared.screen.choices import ISLS_NAME, Data, Machine, Reweighting
from pages.shared.studies import sparsity, tasks
from pages.shared.studies.formatting import milliseconds, number
from pages.shared.studies.study import FittedMachine

ABOUT = (
    "In an LS-SVM the coefficient β of a point (y α for classes) is C times its error, so nearly every point is a "
    "support vector. ISLS starts from the LS-SVM and solves it repeatedly with the weight 1/β² on each β², which "
    "drives small coefficients to zero. The result is a stationary point of Σ log|β| + C/2 Σ error² on the "
    "coefficients that are left, a smooth stand-in for the number of support vectors; over all coefficients the sum "
    "has no minimum, since log|β| falls to −∞ at β = 0."
)
WEIGHTED = (
    "C is the weight of the errors in all three machines, but against different penalties: ‖w‖²/2 in LS-SVM and SVM, "
    "Σ log|β| in ISLS. The same C is therefore a different trade-off, and each machine needs its own C and σ. The map "
    "below is that of ISLS."
)


def machines(data: Data, reweighting: Reweighting) -> tuple[Machine, Machine, Machine]:
    return Machine(sparsity.LS), sparsity.machine(reweighting), tasks.task_of(data).svm


def table(studies: dict[str, FittedMachine]) -> tuple[tuple[str, ...], list[list[str]]]:
    """(head, rows) of texts: a row for each machine."""
    error, shown, *_ = tasks.task_of(next(iter(studies.values()))).words
    largest = f"largest |{next(iter(studies.values())).points.letter}|"
    head = ("machine", f"test {error}", f"training {error}", "support vectors", "time", "status", "violation", largest)
    rows = [
        [
            name,
            shown(n.test_error),
            shown(n.train_error),
            f"{n.n_support}",
            milliseconds(n.solve_time),
            n.status.partition(":")[0],
            number(n.violation, ".1e"),
            number(largest_alpha(study.points)),
        ]
        for name, study in studies.items()
        for n in (study.numbers,)
    ]
    return head, rows


def advice(studies: dict[str, FittedMachine]) -> None:
    """A note if ISLS failed, or was stopped early."""
    n = studies[ISLS_NAME].numbers
    if not n.converged:
        current().note(f"ISLS ended with: {n.status}.")
    elif n.violation > 0.5:
        st.caption(
            "The stopping rule of the paper ended ISLS before each coefficient was stable or pruned (violation "
            f"{number(n.violation, '.2g')}); the strict rule continues."
        )
