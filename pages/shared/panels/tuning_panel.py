"""Choosing C and sigma on a page: a search in the background, its progress, and a button that uses the best values."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared.controls import download, sections
from pages.shared.figures.charts.tuning import Evaluated, tuning_figure
from pages.shared.page import url_state
from pages.shared.page.job_panel import Job, JobPanel
from pages.shared.plane import component
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.fields import REGISTRY
from pages.shared.screen.schema import SIGMA
from pages.shared.studies import formatting, glossary, results, tasks
from svmcore import kernels, tuning
from svmcore.problems.tables import rows_text
from svmcore.warned import silently
from svmcore.words import number

METHODS = {
    "cv": "Cross-validation over a grid",
    "csa": "Coupled simulated annealing",
    "loo": "Leave-one-out over a grid",
    "vc_bound": "VC bound over σ",
}
ABOUT = {
    "cv": "Every cell of a grid of C and σ, from coarse to fine: the points are split into folds, and each fold is "
    "predicted by the machine that is fitted to the other folds.",
    "csa": "Five coupled chains explore log C and log σ by simulated annealing; a simplex search then refines the best "
    "result. The cross-validation error is minimised.",
    "loo": "Every cell of a grid of C and σ, from coarse to fine: each point is predicted by the machine fitted to all "
    "other points.",
    "vc_bound": "No point is held out. For each σ, with the current C, the squared radius of the smallest ball around "
    "the points in feature space is multiplied by ‖w‖²; the product bounds the VC dimension. w is scaled so that "
    "y f ≥ 1 at all points; if a point is misclassified, there is no bound.",
}
CLOSED = " For the LS-SVM all folds are computed in closed form from one factorisation."
FOLDS = 10
TIPS = glossary.tips({"± s.e.": "standard error", "bound on h": "VC bound"})
SHOWN = 5  # of the best, in the table
WITH_BOUND = ("least_squares", "hinge")  # the machines for which the LS-SVM paper proposes the VC bound
SEED = 0  # of the folds and of the annealing, so that a search can be repeated

PANEL = JobPanel(
    kind="tune",
    units="evaluations",
    start="Search",
    resume="Resume searching",
    stop="Stop searching",
    stopped="Stopped after {made} of {total} evaluations; the best so far can be used.",
    outdated="The points or settings have changed since this search was made.",
    room=64,  # of some ten kilobytes
)


class TuningRequest(NamedTuple):
    """A search. C and sigma of the setting are 1 if they do not matter, and `folds` is 0 if the method has none."""

    data: Data
    machine: Machine
    setting: Setting
    method: str
    folds: int


def panel(page, data: Data, machine: Machine, setting: Setting, make=None) -> None:
    """The section of the page named `page` that selects C and sigma for this machine from the training points alone.

    `make(machine, setting)` makes its estimator, by default that of the Playground; an estimator of another kind needs
    a `machine` of its own. Each page has its own search, which continues while the reader is on another page.
    """
    title = "Tune: find C and σ" if _has_sigma(setting) else "Tune: find C"
    with sections.expander(PANEL.kind, page, title, ":material/my_location:") as opened:
        if not opened:
            return
        usual = tasks.task_of(data).estimator
        make = make or usual
        most = tasks.task_of(data).folds(results.problem(data))
        method, folds = _ask(page, methods(data, machine, setting), most)
        kept = setting._replace(C=setting.C if method == "vc_bound" else 1.0, sigma=1.0)
        request = TuningRequest(data.usual_view, machine, kept, method, folds) if most > 1 else None
        closed = machine.loss == "least_squares" and make is usual and method != "vc_bound"
        about = ABOUT[method] if _has_sigma(setting) else ABOUT[method].replace(" and σ", "").replace(" and log σ", "")
        st.markdown(about + CLOSED * closed)
        PANEL.button(page, request, lambda key: begin(key, make))
        if request is None:
            st.caption(
                "Cross-validation needs at least two points of each class. Add points, or choose another problem."
            )
        PANEL.watch(page, request, lambda job, rows: _show(job, rows, request, setting, make))


# ------------------------------------------------------------------------------------ requests


def methods(data: Data, machine: Machine, setting: Setting) -> list[str]:
    """The methods of search; leave-one-out for the LS-SVM only, the VC bound for the two machines of its paper."""
    offered = ["cv", "csa"]
    if machine.loss == "least_squares":
        offered += ["loo"]
    if machine.loss in WITH_BOUND and tasks.task_of(data).classes and _has_sigma(setting):
        offered += ["vc_bound"]
    return offered


def _has_sigma(setting):
    return "gamma" in kernels.KERNELS[setting.kernel].parameters


def _ask(page, offered, most):
    """The method, and the number of folds, at `most`: 0 if the method has none, or the points are too few."""
    name, folds = f"tune-by-{page}", f"tune-folds-{page}"
    if st.session_state.get(name) not in offered:
        st.session_state[name] = offered[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method = st.selectbox("Search by", offered, format_func=METHODS.get, key=name, width=300)
        if method not in ("cv", "csa") or most < 2:
            return method, 0
        st.session_state[folds] = min(st.session_state.get(folds, FOLDS), most)
        return method, st.number_input("Folds", 2, most, step=1, key=folds, width=130)


def begin(request: TuningRequest, make) -> Job:
    X, y, _, _ = _points(request)
    options = {"cv": request.folds} if request.folds else {}
    machine = make(request.machine, request.setting)
    search = tuning.Search(machine, X, y, request.method, seed=SEED, sigma=_widths(request), **options)
    return Job(request, search.run(), search.most)


def _widths(request):
    """The widths to compare, None for a kernel without one."""
    if not _has_sigma(request.setting):
        return None
    return np.clip(tuning.widths(results.problem(request.data).X), SIGMA.low, SIGMA.high)


def _points(request):
    """X, y, X_test and y_test, with y in the unit of the machine; see `Problem.unit`."""
    problem, unit = results.problem(request.data), results.unit(request.data)
    return problem.X, problem.y / unit, problem.X_test, problem.y_test / unit


# ---------------------------------------------------------------------------------------- shown


def read_results(key: TuningRequest, evaluations, now, make) -> tuple:
    """The results of these evaluations: the best one or None, a figure, the (head, rows) of a table, and sentences on
    the best and on what failed; `now` = (C, sigma) of the controls.
    """
    order = tuning.rank(evaluations)
    best = order[0] if order else None
    name, write = measure(key)
    widths = _widths(key)
    sigma = None if widths is None else np.array([e.sigma for e in evaluations])
    ends = (key.setting.C,) * 2 if key.method == "vc_bound" else (tuning.C_VALUES[0], tuning.C_VALUES[-1])
    box = ends, None if widths is None else (widths[0], widths[-1])
    values, spreads = np.reshape([_score(key, e) for e in evaluations], (-1, 2)).T
    index = evaluations.index(best) if best else 0
    places = Evaluated(np.array([e.C for e in evaluations]), sigma, values, spreads, index, box)
    picture = tuning_figure(places, measure=name, write=write, now=now)
    said = f"{on_test(key, best, make)} {edge(best, *box)}".rstrip() if best else ""
    return best, picture, table(key, order[:SHOWN]), said, trouble(evaluations)


def _show(job, rows, request, setting, make):
    now = setting.C, setting.sigma
    read = PANEL.once((job, len(rows), now), lambda: read_results(job.key, rows, now, make))
    best, picture, of_best, said, failed = read
    left, right = st.columns([0.56, 0.44], gap="medium")
    with left:
        component.show_figure(picture, key="tuning", height=460)
    with right:
        if best is None:
            st.caption("No machine could be fitted and measured so far.")
        else:
            st.html(formatting.grid(*of_best, tips=TIPS))
            st.caption(said)
            place = {"C": best.C} | ({} if best.sigma is None else {"sigma": best.sigma})
            named = ", ".join(f"{REGISTRY[name].short} = {number(value, '.4g')}" for name, value in place.items())
            if st.button(
                f"Use the best: {named}",
                icon=":material/check:",
                key="tune_take",
                disabled=job.key != request or all(getattr(setting, name) == value for name, value in place.items()),
                on_click=_use,
                args=(place,),
            ):
                st.rerun()  # the controls are not part of this fragment
        if failed:
            st.caption(failed)
        download.button("Evaluations (CSV)", lambda: to_csv(job.rows), "tuning.csv", "text/csv")


def _use(place):
    for name, value in place.items():
        url_state.give(name, value)


def measure(key: TuningRequest) -> tuple[str, Callable[[float], str]]:
    """The name of the minimised quantity, and the function that writes its values."""
    if key.method == "vc_bound":
        return "r²‖w‖²", partial(number, form=".4g")
    held = "leave-one-out" if key.method == "loo" else f"{key.folds}-fold"
    words = tasks.task_of(key.data).words
    return f"{held} {words.error}", words.written


def _score(key, evaluation):
    """The value and its standard error, as they are shown."""
    return tasks.task_of(key.data).score(evaluation.value, evaluation.spread, results.unit(key.data))


def table(key: TuningRequest, order) -> tuple[tuple[str, ...], list[list[str]]]:
    """(head, rows) of the best evaluations."""
    name, write = measure(key)
    bound = ("r²", "‖w‖²", "bound on h") if key.method == "vc_bound" else ("± s.e.",)
    with_sigma = _has_sigma(key.setting)
    rows = []
    for rank, e in enumerate(order, start=1):
        value, spread = _score(key, e)
        if key.method == "vc_bound":
            rest = [number(e.squared_radius, ".4g"), number(e.squared_norm, ".4g"), f"{e.bound}"]
        else:
            rest = [write(spread)]
        sigma = [number(e.sigma, ".4g")] if with_sigma else []
        rows.append(["best" if rank == 1 else f"{rank}.", number(e.C, ".4g"), *sigma, write(value), *rest])
    return ("", "C", *(("σ",) if with_sigma else ()), name, *bound), rows


def on_test(key: TuningRequest, best: tuning.Evaluation, make) -> str:
    """A sentence on the error of the best machine on the test points; for a regression the RMSE in units of y."""
    X, y, X_test, y_test = _points(key)
    if not len(y_test):
        return "There are no test points to evaluate the best on."
    setting = key.setting._replace(C=best.C, sigma=best.sigma or 1.0)
    with silently():  # the evaluations carry the note
        predicted = make(key.machine, setting).fit(X, y).predict(X_test)
    task = tasks.task_of(key.data)
    error = task.words.written(results.unit(key.data) * task.error_of(predicted, y_test))
    return f"The best has a test {task.words.error} of {error}; the search does not use the test points."


def edge(best: tuning.Evaluation, C_ends, sigma_ends) -> str:
    """A sentence if the best lies at the edge of the grid; "" if it does not."""
    places = (("C", best.C, C_ends), ("σ", best.sigma, sigma_ends))
    at = [
        f"{name} ranges from {number(ends[0], '.4g')} to {number(ends[1], '.4g')}"
        for name, value, ends in places
        if ends is not None and ends[0] < ends[1] and not 1.001 * ends[0] < value < 0.999 * ends[1]
    ]
    return (
        f"The best lies at the edge of the search, in which {' and '.join(at)}; a better one may lie beyond."
        if at
        else ""
    )


def trouble(evaluations) -> str:
    """A sentence on the evaluations that failed; "" if there are none."""
    notes = Counter(note for e in evaluations if e.note for note in e.note.split(tuning.BETWEEN))
    counts = "; ".join(f"{note} (in {count} of {len(evaluations)} evaluations)" for note, count in notes.items())
    return f"Notes: {counts}." if counts else ""


def to_csv(evaluations) -> str:
    lines = [[e.C, e.sigma, e.value, e.spread, e.seconds, e.note] for e in evaluations]
    return rows_text([["C", "sigma", "value", "standard_error", "seconds", "note"], *lines])
