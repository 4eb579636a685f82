"""Text and numbers around the pictures: metrics, formulas, the status of the solver, advice."""

import plotly.graph_objects as go
import streamlit as st

from pages.shared import controls, figures, session, tables
from pages.shared.choices import LOSSES, Data, Machine, Setting
from pages.shared.studies import glossary, tasks
from pages.shared.studies.study import TOLERANCE, Study
from pages.shared.tables import milliseconds

TIPS = glossary.tips({"Support vectors": "support vector", "At a bound": "bound", "Solver": "status"})
SOLVER_TIPS = glossary.tips(
    {
        "C": "C",
        "status": "status",
        "violation, tolerance": "violation",
        "dual objective": "dual objective",
        "duality gap": "duality gap",
        "this minimum": "minimum",
        "certificate": "certificate",
        "steps": "iteration",
    }
)


def cells(count, across, gap="small") -> list:
    """At least `count` containers, `across` in a row, from left to right and from top to bottom."""
    return [cell for _ in range(0, count, across) for cell in st.columns(across, gap=gap)]


def picture(data: Data, study: Study, before: Study | None, **options) -> go.Figure:
    """The picture of a machine on its points, with the boundary without the outliers and the points switched off."""
    ghost = before and before.field
    return figures.picture(study.field, study.points, ghost=ghost, off=session.off(data), **options)


def headline(study: Study) -> None:
    """The five main numbers, and advice if the solver failed."""
    numbers, words = study.numbers, tasks.of(study).words
    shown = {
        "test_error": (f"Test {words.error}", words.written(numbers.test_error)),
        "train_error": (f"Training {words.error}", words.written(numbers.train_error)),
        "support_vectors": ("Support vectors", f"{numbers.n_support} of {len(study.f)}"),
        "at_bound": ("At a bound", f"{numbers.n_at_bound}"),
        "status": ("Solver", numbers.status if numbers.converged else "not converged"),
    }
    controls.numbers((key, name, value, TIPS.get(name, "")) for key, (name, value) in shown.items())
    if numbers.converged:
        return
    if tasks.of(study).classes and numbers.n_support == 0:
        controls.note(
            f"The machine ended with: {numbers.status.partition(';')[0]}. f is constant: "
            "misclassifying the whole smaller class is the cheapest solution found. A larger C penalises errors more."
        )
    else:
        controls.note(
            f"The solver ended with: {numbers.status}. The picture shows its last state, with violation "
            f"{numbers.violation:.2g}. Try another C or another kernel."
        )


def formula(machine: Machine, setting: Setting, study: Study) -> None:
    """The optimisation problem, with the parameters of loss and kernel; C is in the table of `solver`."""
    loss = LOSSES[machine.loss]
    argument, residual = tasks.of(study).words.residual
    numbers = "".join(rf",\quad {_symbol(loss, name)} = {value:g}" for name, value in machine.params)
    lines = [
        rf"\min_{{w,b}}\; \tfrac12\|w\|^2 + C\sum_i \ell({residual})",
        rf"\ell({argument}) = {loss.latex}{numbers}",
        f"k(x, z) = {setting.as_kernel().latex}",
    ]
    st.latex(r"\begin{aligned}&" + r"\\ &".join(lines) + r"\end{aligned}")
    st.caption(f'{loss.machine}, `loss="{loss.key}"`. {loss.source}')
    counted(study)


def counted(*studies: Study) -> None:
    """The unit in which the machines measure y, if it is not that of y itself."""
    unit = studies[0].unit
    if unit != 1.0:
        epsilon = ", ε" if any(study.field.tube is not None for study in studies) else ""
        st.caption(
            f"The machine measures y in units of {unit:g}; C{epsilon}, β and the objectives refer to these units."
        )


def solver(study: Study, setting: Setting) -> None:
    """The status and the numbers of the solver."""
    n = study.numbers
    st.html(
        tables.pairs(
            [
                ("C", f"{setting.C:g}"),
                ("status", n.status),
                ("violation, tolerance", f"{n.violation:.2e}, {TOLERANCE:g}"),
                ("objective", f"{n.primal:.8g}"),
                ("dual objective", "–" if n.dual is None else f"{n.dual:.8g}"),
                ("duality gap", "–" if n.dual is None else f"{n.primal - n.dual:.2e}"),
                *_minimum(n),
                ("steps", f"{n.n_iter:,}, {n.route}"),
                ("time: solve, field", f"{milliseconds(n.solve_time)}, {milliseconds(n.grid_time)}"),
                (f"|{study.points.letter}|: largest, sum", f"{figures.largest(study.points):.4g}, {n.sum_alpha:.4g}"),
                ("‖w‖, intercept", f"{n.norm:.4g}, {study.intercept:.4g}"),
            ],
            tips=SOLVER_TIPS,
        )
    )


def _minimum(numbers):
    """Evidence on a local minimum, which need not be the global one."""
    if numbers.n_starts > 1:
        yield "this minimum", f"found from {numbers.n_agreed} of {numbers.n_starts} starts"
    if numbers.certificate is not None:
        # rounded up, so that the inequality holds
        yield "certificate", f"P-stationary for every ADMM penalty > {1.0005 * numbers.certificate:.4g}"


def advice(text) -> None:
    """Show a sentence of advice, if there is one."""
    if text:
        st.info(text, icon=":material/lightbulb:")


def _symbol(loss, name):
    return next(p.latex for p in loss.parameters if p.name == name)
