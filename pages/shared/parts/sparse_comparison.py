"""The sparse LS-SVM beside the LS-SVM and the SVM: their support vectors, errors and times."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.shared import controls, figures
from pages.shared.choices import Data, Machine, Reweighting
from pages.shared.parts import movement
from pages.shared.studies import glossary, sparsity, tasks
from pages.shared.studies.study import Study
from pages.shared.tables import milliseconds, number
from svmcore.watch import isls

ABOUT = (
    "In an LS-SVM α is C times the error of each point, so that nearly every point is a support vector. ISLS starts "
    "from the LS-SVM and solves it repeatedly with the weight 1/α² on each α², which drives small coefficients to "
    "zero. The result is a stationary point of Σ log|α| + C/2 Σ error² on the coefficients that are left, a smooth "
    "stand-in for the number of support vectors; over all coefficients the sum has no minimum, since log|α| falls to "
    "−∞ at α = 0."
)
WEIGHTED = (
    "C is the weight of the errors in all three machines, but against different penalties: ‖w‖²/2 in LS-SVM and SVM, "
    "Σ log|α| in ISLS. The same C is therefore a different trade-off, and each machine needs its own C and σ. The map "
    "below is that of ISLS."
)
TIPS = glossary.tips({"support vectors": "support vector", "status": "status", "violation": "violation"})


def machines(data: Data, reweighting: Reweighting) -> tuple[Machine, Machine, Machine]:
    """The LS-SVM, ISLS and the SVM."""
    ls, svm = sparsity.neighbours(data.task)
    return ls, sparsity.machine(reweighting), svm


def ringed(study: Study) -> Sequence[int]:
    """The rows of the support vectors, empty if there are too many to ring."""
    support = np.flatnonzero(study.points.alpha)
    return support if len(support) <= isls.LAST else ()


def caption(study: Study) -> str:
    """The caption of the picture of a machine: one line, since it lies over the points."""
    count = f"{study.numbers.n_support} of {len(study.f)} support vectors{', ringed' * (len(ringed(study)) > 0)}"
    return f"{movement.caption(study, None)}, {count}"


def table(studies: dict[str, Study]) -> tuple[tuple[str, ...], list[list[str]]]:
    """(head, rows) of texts: a row for each machine."""
    error, shown, *_ = tasks.of(next(iter(studies.values()))).words
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
            f"{figures.largest(study.points):.3g}",
        ]
        for name, study in studies.items()
        for n in (study.numbers,)
    ]
    return head, rows


def residuals(studies: dict[str, Study]) -> figures.Drawing:
    """The Drawing of the residuals of each machine, of a regression."""
    residuals = [
        figures.Rest(name, study.points.residual, index)
        for (name, study), index in zip(studies.items(), sparsity.COLOURS, strict=True)
    ]
    return figures.residuals(next(iter(studies.values())).points.x, residuals)


def advice(studies: dict[str, Study]) -> None:
    """A note if ISLS failed, or was stopped early."""
    n = studies[sparsity.NAME].numbers
    if not n.converged:
        controls.note(f"ISLS ended with: {n.status}.")
    elif n.violation > 0.5:
        st.caption(
            "The stopping rule of the paper ended ISLS while a coefficient was still converging to zero (violation "
            f"{n.violation:.2g}); the strict rule continues until it is pruned."
        )
