"""The sparse LS-SVM beside the LS-SVM and the SVM: which points each keeps, its errors, and what it costs."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.shared import controls, figures, session
from pages.shared.choices import Data, Reweighting, Setting
from pages.shared.parts import movement
from pages.shared.studies import sparsity, tasks
from pages.shared.studies.study import Study
from pages.shared.tables import milliseconds
from svmcore.watch import isls

ABOUT = (
    "In an LS-SVM α is C times the error of each point, so that nearly every point is a support vector. ISLS begins "
    "there and solves it again and again with the weight 1/α² on each α²: what is small is made smaller, and dies. "
    "What is left minimises Σ log|α| + C/2 Σ error², a penalty near the number of support vectors."
)
WEIGHTED = (
    "C weighs the errors in all three, but against other things: ‖w‖²/2 in LS-SVM and SVM, Σ log|α| in ISLS. So the "
    "same C is not the same compromise, and each machine deserves a C and σ of its own: the map below is that of ISLS."
)


def studies(data: Data, setting: Setting, how: Reweighting) -> dict[str, Study]:
    """{name: Study} of the LS-SVM, of ISLS and of the SVM."""
    ls, svm = sparsity.neighbours(data.task)
    return {
        ls.name: session.fit(data, ls, setting),
        sparsity.NAME: session.sparse(data, setting, how),
        svm.name: session.fit(data, svm, setting),
    }


def ringed(study: Study) -> Sequence[int]:
    """The rows of the support vectors, none where they are too many to be ringed."""
    support = np.flatnonzero(study.points.alpha)
    return support if len(support) <= isls.LAST else ()


def caption(study: Study) -> str:
    """The line below the picture of a machine."""
    count = f"{study.numbers.n_support} of {len(study.f)} are support vectors{', ringed' * (len(ringed(study)) > 0)}"
    largest = f"largest |{study.points.letter}| {figures.largest(study.points):.3g}"
    return f"{movement.caption(study, None)}; {count}, {largest}"


def table(found: dict[str, Study]) -> tuple[tuple[str, ...], list[list[str]]]:
    """(head, rows) of texts: a row for each machine."""
    error, shown, *_ = tasks.of(next(iter(found.values()))).words
    head = ("machine", f"test {error}", f"training {error}", "support vectors", "time", "status", "violation")
    rows = [
        [
            name,
            shown(n.test_error),
            shown(n.train_error),
            f"{n.n_support}",
            milliseconds(n.solve_time),
            n.status.partition(":")[0],
            f"{n.violation:.1e}",
        ]
        for name, n in ((name, study.numbers) for name, study in found.items())
    ]
    return head, rows


def residuals(found: dict[str, Study]) -> figures.Drawing:
    """The Drawing of the residuals of each machine, of a regression."""
    rests = [
        figures.Rest(name, study.points.residual, index)
        for (name, study), index in zip(found.items(), sparsity.COLOURS, strict=True)
    ]
    return figures.residuals(next(iter(found.values())).points.x, rests)


def advice(found: dict[str, Study]) -> None:
    """A note where ISLS did not end as it should."""
    n = found[sparsity.NAME].numbers
    if not n.converged:
        controls.note(f"ISLS ended with: {n.status}.")
    elif n.violation > 0.5:
        st.caption(
            f"The paper's rule has stopped ISLS while a coefficient is still dying (violation {n.violation:.2g}); "
            "the strict rule waits for it."
        )
