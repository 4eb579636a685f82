"""Text and numbers around the pictures: metrics, formulas, the status of the solver, advice."""

import re

import streamlit as st

from pages.shared.figures.marks import largest_alpha
from pages.shared.live import pictures
from pages.shared.page.run import current
from pages.shared.plane import component
from pages.shared.screen.choices import LOSSES, Machine, Setting
from pages.shared.studies import formatting, glossary, tasks
from pages.shared.studies.formatting import milliseconds, number
from pages.shared.studies.study import TOLERANCE, FittedMachine
from svmcore.status import Status

ENDLESS = (
    "There is no machine to draw: the kernel matrix is not positive semidefinite, and the dual objective grows without "
    "bound. The picture shows f = 0. Choose another kernel, or a loss whose α is bounded, such as the hinge loss."
)
TIPS = glossary.tips({"Support vectors": "support vector", "At a bound": "bound", "Solver": "status"})
COLUMN_TIPS = glossary.tips(  # of a table of machines
    {
        "support vectors": "support vector",
        "at a bound": "bound",
        "status": "status",
        "violation": "violation",
        "steps": "iteration",
    }
)
SOLVER_TIPS = glossary.tips(
    {
        "C": "C",
        "status": "status",
        "violation, tolerance": "violation",
        "objective": "objective",
        "dual objective": "dual objective",
        "duality gap": "duality gap",
        "this minimum": "minimum",
        "certificate": "certificate",
        "steps": "iteration",
    }
)


def cells(count, across) -> list:
    """At least `count` containers, `across` in a row, from left to right and from top to bottom."""
    return [cell for _ in range(0, count, across) for cell in st.columns(across, gap="small")]


def headline(study: FittedMachine, values: dict[str, str]) -> None:
    """The five main `numbers`, and advice if the solver failed."""
    n, words = study.numbers, tasks.task_of(study).words
    names = (f"Test {words.error}", f"Training {words.error}", "Support vectors", "At a bound", "Solver")
    tips = TIPS | glossary.tips({f"{kind} {words.error}": words.error for kind in ("Test", "Training")})
    current().numbers = [
        [key, name, value, tips.get(name, "")] for name, (key, value) in zip(names, values.items(), strict=True)
    ]
    if not tasks.task_of(study).classes:
        current().hint = "First: drag a point up or down and see how far the curve follows it."
    if n.converged:
        return
    if n.status == Status.UNBOUNDED:
        current().note(ENDLESS)
    elif n.status in (Status.TRIVIAL, Status.ONE_CLASS):
        current().note(
            f"The machine ended with: {n.status.partition(';')[0]}. f is constant: "
            "misclassifying all of one class is the cheapest solution found. A larger C penalises errors more."
        )
    elif n.status == Status.STATIONARY:
        current().note(f"The solver ended with: {n.status}. The picture shows it; it need not be the best machine.")
    else:
        current().note(
            f"The solver ended with: {n.status}. The picture shows its last state, with violation "
            f"{number(n.violation, '.2g')}. Try another C or another kernel."
        )


def loss_and_formula(machine: Machine, setting: Setting, study: FittedMachine, shown, **common) -> None:
    """The points on the loss, where the page draws them, and beside them the `formula`."""
    if "on_loss" not in shown.figures:
        formula(machine, setting, study)
        return
    on_loss, text = st.columns([0.46, 0.54], gap="small")
    with on_loss:
        component.show_figure(shown.figures["on_loss"], key="on_loss", fill=0.4, **common)
        st.caption(pictures.ON_LOSS)
    with text:
        formula(machine, setting, study)


def formula(machine: Machine, setting: Setting, study: FittedMachine) -> None:
    """The optimisation problem, with the parameters of loss and kernel; C is in the table of `solver`."""
    loss = LOSSES[machine.loss]
    argument, residual = tasks.task_of(study).words.residual
    if tasks.task_of(study).classes:
        tip = glossary.meaning("decision function", "margin", "slack")
    else:
        tip = glossary.meaning("decision function", "epsilon tube")
    lines = [
        rf"\min_{{w,b}}\; \tfrac12\|w\|^2 + C\sum_i \ell({residual})",
        rf"\ell({argument}) = {loss_of(argument, loss.latex)}{parameters_latex(machine)}",
        f"k(x, z) = {setting.as_kernel().latex}",
    ]
    # within a line of text, where a narrow column breaks a formula; it would scroll if it stood by itself
    st.markdown("\n\n".join(rf"$\displaystyle {line}$" for line in lines), help=tip)
    st.caption(f'{loss.machine}, `loss="{loss.key}"`. {loss.source}')
    show_unit(study)


def parameters_latex(machine: Machine) -> str:
    """The values of the parameters, as LaTeX after the formula of the loss."""
    symbols = {p.name: p.latex for p in machine.parameters}
    return "".join(rf",\; \allowbreak {{{symbols[name]} = {value:g}}}" for name, value in machine.params)


def loss_of(argument: str, latex: str) -> str:
    """The formula of a loss of t, of another argument: a residual r is no 1 − y f."""
    return re.sub(r"(?<![\\A-Za-z])t(?![A-Za-z])", argument, latex)


def show_unit(*studies: FittedMachine) -> None:
    """The unit in which the machines measure y, if it is not that of y itself."""
    unit = studies[0].unit
    if unit != 1.0:
        epsilon = ", ε" if any(study.field.tube is not None for study in studies) else ""
        st.caption(
            f"The machine measures y in units of {number(unit, 'g')}; C{epsilon}, other parameters of a loss, β, ‖w‖, "
            "the intercept, violations and objectives refer to these units."
        )


def solver(study: FittedMachine, setting: Setting) -> None:
    n = study.numbers
    st.html(
        formatting.pairs(
            [
                ("C", number(setting.C, "g")),
                ("status", n.status),
                ("violation, tolerance", f"{number(n.violation, '.2e')}, {number(TOLERANCE, 'g')}"),
                ("objective", number(n.primal, ".8g")),
                *_trivial(n),
                ("dual objective", "–" if n.gap is None else number(n.dual, ".8g")),
                ("duality gap", number(n.gap, ".2e")),
                *_minimum(n),
                ("steps", f"{n.n_iter:,}, {n.route}"),
                ("time: solve, field", f"{milliseconds(n.solve_time)}, {milliseconds(n.grid_time)}"),
                (
                    f"|{study.points.letter}|: largest, sum",
                    f"{_finite(study, largest_alpha(study.points))}, {number(n.sum_alpha, '.4g')}",
                ),
                ("‖w‖, intercept", f"{number(n.norm, '.4g')}, {_finite(study, study.intercept)}"),
            ],
            tips=SOLVER_TIPS,
        )
    )


def _finite(study, value):
    """A number of the machine as text; a dash if its run is unbounded."""
    return number(None if study.numbers.status == Status.UNBOUNDED else value, ".4g")


def _trivial(numbers):
    """The bound below which a machine of the 0/1 loss is not trivial."""
    if numbers.trivial is not None:
        yield "objective of w = 0: C min(N₊, N₋)", number(numbers.trivial, ".8g")
    if numbers.above is not None:
        # rounded up, so that it holds
        yield "w = 0 is not the optimum for", f"C > {number(1.0005 * numbers.above, '.4g')}"


def _minimum(numbers):
    """Evidence on a local minimum, which need not be the global one."""
    if numbers.n_starts > 1:
        yield "this minimum", f"found from {numbers.n_agreed} of {numbers.n_starts} starts"
    if numbers.certificate is not None:
        # rounded up, so that the inequality holds
        yield "certificate", f"P-stationary for every ADMM penalty > {number(1.0005 * numbers.certificate, '.4g')}"


def advice(text) -> None:
    """Show a sentence of advice, if there is one."""
    if text:
        st.info(text, icon=":material/lightbulb:")
