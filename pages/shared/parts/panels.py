"""Words and numbers around the pictures: metrics, formulas, the truth about the solver, advice."""

import streamlit as st

from pages.shared import controls, figures, session, tables
from pages.shared.choices import LOSSES, Data, Machine, Setting
from pages.shared.studies import tasks
from pages.shared.studies.study import TOLERANCE, Study
from pages.shared.tables import milliseconds


def cells(count, across, gap="small") -> list:
    """At least `count` places, `across` in a row, from left to right and from top to bottom."""
    return [cell for _ in range(0, count, across) for cell in st.columns(across, gap=gap)]


def picture(data: Data, study: Study, before: Study | None, **options):
    """The picture of a machine on its points: with its boundary before the outliers, and the points switched off."""
    ghost = before and before.field
    return figures.picture(study.field, study.points, ghost=ghost, off=session.off(data), **options)


def headline(study: Study) -> None:
    """The five numbers that are asked for first, and what to make of a run that did not end as it should."""
    numbers, words = study.numbers, tasks.of(study).words
    controls.numbers(
        [
            ("test_error", f"Test {words.error}", words.written(numbers.test_error)),
            ("train_error", f"Training {words.error}", words.written(numbers.train_error)),
            ("support_vectors", "Support vectors", f"{numbers.n_support} of {len(study.f)}"),
            ("at_bound", "At a bound", f"{numbers.n_at_bound}"),
            ("status", "Solver", numbers.status if numbers.converged else "not converged"),
        ]
    )
    if numbers.converged:
        return
    if tasks.of(study).classes and numbers.n_support == 0:
        controls.note(
            f"The machine ended with: {numbers.status.partition(';')[0]}. f is the same everywhere: the smaller class "
            "is given up, which costs less than any boundary that was found. A larger C makes errors dearer."
        )
    else:
        controls.note(
            f"The solver ended with: {numbers.status}. The picture shows where it stands, with violation "
            f"{numbers.violation:.2g}. Another C or another kernel may help."
        )


def formula(machine: Machine, setting: Setting, study: Study) -> None:
    """The problem that was solved: the loss and the kernel with their numbers; C stands in the table beside."""
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
    """What the machines count y in, where that is not the unit of y."""
    unit = studies[0].unit
    if unit != 1.0:
        epsilon = ", ε" if any(study.field.tube is not None for study in studies) else ""
        st.caption(f"In the machine y counts in units of {unit:g}, and so do C{epsilon}, β and the objectives.")


def solver(study: Study, setting: Setting) -> None:
    """What the solver knows about its own answer."""
    n = study.numbers
    st.html(
        tables.pairs(
            [
                ("C", f"{setting.C:g}"),
                ("status", n.status),
                ("violation, asked for", f"{n.violation:.2e}, {TOLERANCE:g}"),
                ("objective", f"{n.primal:.8g}"),
                ("dual objective", "–" if n.dual is None else f"{n.dual:.8g}"),
                ("primal − dual", "–" if n.dual is None else f"{n.primal - n.dual:.2e}"),
                *_minimum(n),
                ("steps", f"{n.n_iter:,}, {n.route}"),
                ("time: solve, field", f"{milliseconds(n.solve_time)}, {milliseconds(n.grid_time)}"),
                (f"|{study.points.letter}|: largest, sum", f"{figures.largest(study.points):.4g}, {n.sum_alpha:.4g}"),
                ("‖w‖, intercept", f"{n.norm:.4g}, {study.intercept:.4g}"),
            ]
        )
    )


def _minimum(numbers):
    """What is known of a minimum that need not be the lowest."""
    if numbers.n_starts > 1:
        yield "this minimum", f"found from {numbers.n_agreed} of {numbers.n_starts} starts"
    if numbers.certificate is not None:
        # rounded up, so that what is said is true
        yield "certificate", f"P-stationary for every σ > {1.0005 * numbers.certificate:.4g}"


def advice(text) -> None:
    """A sentence of advice, where there is one."""
    if text:
        st.info(text, icon=":material/lightbulb:")


def _symbol(loss, name):
    return next(p.latex for p in loss.parameters if p.name == name)
