"""Words and numbers around the pictures: metrics, formulas, the truth about the solver, advice."""

from contextlib import contextmanager

import streamlit as st

from pages.shared import controls, figures, hand, plane, session, tables
from pages.shared.choices import Data, Machine, Setting
from pages.shared.figures import largest
from pages.shared.study import TOLERANCE, Study, missing
from svmcore import losses


class Unfinished(Exception):
    """The page has said what is missing; the rest of it is left out."""


@contextmanager
def guarded():
    """What svmcore cannot do is a sentence on the page; the controls stay as they are."""
    try:
        yield
    except Unfinished:
        pass
    except (ValueError, FileNotFoundError) as error:
        st.error(str(error), icon=":material/error:")


def enough(data: Data):
    """Ends the page where there is nothing to fit; the bare points stay in reach."""
    problem = session.problem(data)
    sentence = missing(problem)
    if sentence is None:
        return
    st.info(sentence, icon=":material/touch_app:")
    points = figures.Points(problem.X, problem.y, outlier=problem.outlier, ids=problem.ids)
    picture = figures.plane(figures.Field(*session.view(data)), points, off=session.off(data))
    plane.show(picture, key="bare", height=640, link=hand.BOARD, edit=True)
    raise Unfinished


def headline(study: Study):
    """The five numbers that everybody asks for."""
    numbers = study.numbers
    st.html(
        tables.cards(
            [
                ("Test error", percent(numbers.test_error)),
                ("Training error", percent(numbers.train_error)),
                ("Support vectors", f"{numbers.n_support} of {len(study.f)}"),
                ("At a bound", f"{numbers.n_at_bound}"),
                ("Solver", "converged" if numbers.converged else "not converged"),
            ]
        )
    )
    if not numbers.converged:
        controls.note(
            f"The solver ended with: {numbers.status}. The picture shows where it stands, with violation "
            f"{numbers.violation:.2g}. Lower C or change the kernel to help it."
        )


def formula(machine: Machine, setting: Setting):
    """The problem that was solved: the loss and the kernel with their numbers; C stands in the table beside."""
    loss = losses.get(machine.loss)
    numbers = "".join(rf",\quad {_symbol(loss, name)} = {value:g}" for name, value in machine.params)
    lines = [
        r"\min_{w,b}\; \tfrac12\|w\|^2 + C\sum_i \ell(1 - y_i f(x_i))",
        rf"\ell(t) = {loss.latex}{numbers}",
        f"k(x, z) = {setting.as_kernel().latex}",
    ]
    st.latex(r"\begin{aligned}&" + r"\\ &".join(lines) + r"\end{aligned}")
    st.caption(f'{loss.machine}, `loss="{loss.key}"`. {loss.source}')


def solver(study: Study, setting: Setting):
    """What the solver knows about its own answer."""
    n = study.numbers
    st.html(
        tables.pairs(
            [
                ("C", f"{setting.C:g}"),
                ("status", n.status),
                ("violation, asked for", f"{n.violation:.2e}, {TOLERANCE:g}"),
                ("dual objective", f"{n.dual:.8g}"),
                ("primal − dual", f"{n.primal - n.dual:.2e}"),
                ("steps", f"{n.n_iter:,}, {n.route}"),
                ("time: solve, field", f"{milliseconds(n.solve_time)}, {milliseconds(n.grid_time)}"),
                ("|α|: largest, sum", f"{largest(study.points):.4g}, {n.sum_alpha:.4g}"),
                ("‖w‖, intercept", f"{n.norm:.4g}, {study.intercept:.4g}"),
            ]
        )
    )


def advice(text):
    if text:
        st.info(text, icon=":material/lightbulb:")


def percent(share):
    return f"{100 * share:.1f} %"


def milliseconds(seconds):
    return f"{1e3 * seconds:.2g} ms" if seconds < 0.1 else f"{1e3 * seconds:.0f} ms"


def _symbol(loss, name):
    return next(p.latex for p in loss.parameters if p.name == name)
