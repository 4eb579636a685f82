"""Choosing C and sigma on a page: a search asked for, watched while it runs in the background, stopped, taken over."""

import math
import warnings
from typing import NamedTuple

import numpy as np
import streamlit as st
from sklearn.exceptions import ConvergenceWarning

from pages.shared import carried, figures, files, plane, session, tables
from pages.shared.choices import Data, Machine, Setting
from pages.shared.controls import SIGMA, download
from pages.shared.jobs.background import Job
from pages.shared.jobs.panel import Workbench
from pages.shared.parts.panels import percent
from pages.shared.studies import classification, regression
from svmcore import kernels, tuning

METHODS = {
    "cv": "Cross-validation over a grid",
    "csa": "Coupled simulated annealing",
    "loo": "Leave-one-out over a grid",
    "vc_bound": "VC bound over σ",
}
ABOUT = {
    "cv": "Every place of a grid of C and σ, coarse to fine: the points are cut into folds, and each fold is predicted "
    "by the machine that is fitted to the others.",
    "csa": "Five walkers look about in log C and log σ and know how the others stand; a simplex then refines the best "
    "place. What is made small is the error of cross-validation.",
    "loo": "Every place of a grid of C and σ, coarse to fine: each point is predicted by the machine that is fitted to "
    "all others.",
    "vc_bound": "No point is held out: for each σ, at the C that is set, the product of the squared radius of the "
    "smallest ball around the points in feature space and of ‖w‖², which bounds the VC dimension. It is flat near its "
    "minimum, and drifts to large σ.",
}
CLOSED = " For the LS-SVM all folds come in closed form from one factorisation."
FOLDS = 10
SHOWN = 5  # of the best, in the table
SEED = 0  # of the folds and of the walk: a search is the same whenever it is asked for

BENCH = Workbench(
    kind="tune",
    start="Search",
    go_on="Go on searching",
    stop="Stop searching",
    units="places",
    rest="the best so far can be taken",
)


class Asked(NamedTuple):
    """What a search is for. C and sigma of the setting are 1 where they do not matter, `folds` 0 likewise."""

    data: Data
    machine: Machine
    setting: Setting
    method: str
    folds: int

    @property
    def regression(self):
        return self.data.task == "regression"


def panel(page, data: Data, machine: Machine, setting: Setting, make=None):
    """The part of the page named `page` that finds C and sigma for this machine, for the training points alone.

    `make(machine, setting)` makes its estimator, by default that of the Playground; an estimator of another kind needs
    a `machine` that no other has. Each page has a search of its own, which goes on while the reader is elsewhere.
    """
    title = "Tune: find C and σ" if _has_sigma(setting) else "Tune: find C"
    with BENCH.box(page, title, ":material/my_location:") as opened:
        if not opened:
            return
        usual = (regression if data.task == "regression" else classification).estimator
        make = make or usual
        method, folds = _ask(page, data, machine, setting)
        asked = _asked(data, machine, setting, method, folds)
        job = BENCH.job(page, session.searches(), asked)
        closed = machine.loss == "least_squares" and make is usual and method != "vc_bound"
        about = ABOUT[method] if _has_sigma(setting) else ABOUT[method].replace(" and σ", "").replace(" and log σ", "")
        st.markdown(about + CLOSED * closed)
        BENCH.button(page, job, asked, lambda key: begin(key, make))
        if asked is None:
            st.caption("Two points of each class are the least that folds can be cut from.")
        if job:
            outdated = "The points or settings have changed since; this is the search as it was made."
            BENCH.watch(job, asked, lambda rows: _show(job, asked, setting, _found(job, rows, setting, make)), outdated)


# ------------------------------------------------------------------------------------ asked for


def methods(data: Data, machine: Machine, setting: Setting) -> list[str]:
    """What can be searched by: what needs one factorisation a place, or the bound of its paper, for the LS-SVM only."""
    found = ["cv", "csa"]
    if machine.loss == "least_squares":
        found += ["loo"]
        if data.task == "classification" and _has_sigma(setting):
            found += ["vc_bound"]
    return found


def _has_sigma(setting):
    return "gamma" in kernels.KERNELS[setting.kernel].parameters


def _ask(page, data, machine, setting):
    """The method, and the number of folds, 0 where it is none's business or no folds can be cut."""
    offered, name, number = methods(data, machine, setting), f"tune-by-{page}", f"tune-folds-{page}"
    if st.session_state.get(name) not in offered:
        st.session_state[name] = offered[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method = st.selectbox("Search by", offered, format_func=METHODS.get, key=name, width=300)
        most = most_folds(session.problem(data))
        if method not in ("cv", "csa") or most < 2:
            return method, 0
        st.session_state[number] = min(st.session_state.get(number, FOLDS), most)
        return method, st.number_input("Folds", 2, most, step=1, key=number, width=130)


def most_folds(problem) -> int:
    """As many folds as there are points, of each class where there are classes."""
    if problem.task == "regression":
        return len(problem.y)
    return int(min(np.sum(problem.y > 0), np.sum(problem.y < 0)))


def _asked(data, machine, setting, method, folds):
    """What the controls ask for, None where it cannot be done."""
    if most_folds(session.problem(data)) < 2:
        return None
    C = setting.C if method == "vc_bound" else 1.0
    return Asked(data._replace(room=1.0), machine, setting._replace(C=C, sigma=1.0), method, folds)


def begin(asked: Asked, make) -> Job:
    """The search, begun in the background."""
    X, y, _, _ = _points(asked)
    options = {"cv": asked.folds} if asked.folds else {}
    machine = make(asked.machine, asked.setting)
    search = tuning.Search(machine, X, y, asked.method, seed=SEED, sigma=_widths(asked, X), **options)
    return Job(asked, search.run(), search.most)


def _widths(asked, X):
    """The widths that are compared, None where the kernel has none."""
    return np.clip(tuning.widths(X), SIGMA.low, SIGMA.high) if _has_sigma(asked.setting) else None


def _points(asked):
    """X, y, and those for testing, y as the machine counts it; see `studies.regression.unit`."""
    problem = session.problem(asked.data)
    return problem.X, problem.y / session.unit(asked.data), problem.X_test, problem.y_test / session.unit(asked.data)


# ---------------------------------------------------------------------------------------- shown


class Found(NamedTuple):
    """What is shown of the places so far: the best, a figure, a table, the test error of the best, what went wrong."""

    best: tuning.Evaluation | None
    picture: object
    head: tuple
    rows: list
    test: float
    edge: str
    trouble: str


def _found(job, rows, setting, make):
    """What the places so far make, drawn anew only when there are more of them, or C and sigma are others."""
    now = setting.C, setting.sigma
    return BENCH.once((job, len(rows), now), lambda: found(job.key, rows, now, make))


def found(key: Asked, evaluations, now, make) -> Found:
    """What is shown of these evaluations; `now` = (C, sigma) of the controls."""
    order = tuning.ranked(evaluations)
    best = order[0] if order else None
    words, told, _ = measure(key)
    widths = _widths(key, _points(key)[0])
    sigma = None if widths is None else np.array([e.sigma for e in evaluations])
    ends = (key.setting.C,) * 2 if key.method == "vc_bound" else (tuning.C_VALUES[0], tuning.C_VALUES[-1])
    box = ends, None if widths is None else (widths[0], widths[-1])
    values = np.array([_shown(key, e.value) for e in evaluations])
    spreads = np.array([_shown_spread(key, e) for e in evaluations])
    index = evaluations.index(best) if best else 0
    places = figures.Evaluated(np.array([e.C for e in evaluations]), sigma, values, spreads, index, box)
    head, rows = table(key, order[:SHOWN])
    test = tested(key, best, make) if best else math.nan
    picture = figures.tuning(places, measure=words, told=told, now=now)
    return Found(best, picture, head, rows, test, edge(best, *box) if best else "", trouble(evaluations))


def _show(job, asked, setting, what):
    left, right = st.columns([0.56, 0.44], gap="medium")
    with left:
        plane.show(what.picture, key="tuning", height=460)
    with right:
        if what.best is None:
            st.caption("No place so far where a machine could be fitted.")
        else:
            st.html(tables.grid(what.head, what.rows))
            if job.key.method != "vc_bound":
                st.caption("s.e.: the standard error that the spread over the folds makes.")
            st.caption(" ".join(filter(None, [on_test(job.key, what.test), what.edge])))
            place = {"C": what.best.C, **({} if what.best.sigma is None else {"sigma": what.best.sigma})}
            if st.button(
                f"Take the best: {', '.join(named(what.best))}",
                icon=":material/check:",
                key="tune_take",
                disabled=job.key != asked or all(getattr(setting, name) == value for name, value in place.items()),
                on_click=_take,
                args=(place,),
            ):
                st.rerun()  # the controls are not part of this fragment
        if what.trouble:
            st.caption(what.trouble)
        download.button("Places (CSV)", lambda: to_csv(job.rows), "tuning.csv", "text/csv")


def _take(place):
    for name, value in place.items():
        carried.give(name, value)


def named(evaluation):
    """C and sigma in words."""
    yield f"C = {evaluation.C:.4g}"
    if evaluation.sigma is not None:
        yield f"σ = {evaluation.sigma:.4g}"


def measure(key: Asked):
    """What is made small, in words; the function that writes one; and what errors on the test points are called."""
    held = {"loo": "leave-one-out", "vc_bound": "VC"}.get(key.method, f"{key.folds}-fold")
    if key.method == "vc_bound":
        return "r²‖w‖²", "{:.4g}".format, "test error"
    if key.regression:
        return f"{held} RMSE", "{:.4g}".format, "test RMSE"
    return f"{held} error", percent, "test error"


def _shown(key, value):
    """A value as it is shown: of a regression the root of the mean squared error, in units of y."""
    return session.unit(key.data) * math.sqrt(value) if key.regression else value


def _shown_spread(key, evaluation):
    """Its standard error; that of a root by its slope."""
    if not key.regression or not 0.0 < evaluation.value < math.inf:
        return evaluation.spread
    return session.unit(key.data) * evaluation.spread / (2.0 * math.sqrt(evaluation.value))


def table(key: Asked, order):
    """Head and rows of the best places, the text beside the picture."""
    words, told, _ = measure(key)
    bound = ("r²", "‖w‖²", "bound on h") if key.method == "vc_bound" else ("± s.e.",)
    with_sigma = _has_sigma(key.setting)
    rows = []
    for rank, e in enumerate(order, start=1):
        if key.method == "vc_bound":
            rest = [f"{e.squared_radius:.4g}", f"{e.squared_norm:.4g}", f"{e.bound}"]
        else:
            rest = [told(_shown_spread(key, e))]
        sigma = [f"{e.sigma:.4g}"] if with_sigma else []
        rows.append(["best" if rank == 1 else f"{rank}.", f"{e.C:.4g}", *sigma, told(_shown(key, e.value)), *rest])
    return ("", "C", *(("σ",) if with_sigma else ()), words, *bound), rows


def tested(key: Asked, best, make):
    """The error of the best machine on the test points, nan without any; of a regression the RMSE in units of y."""
    X, y, X_test, y_test = _points(key)
    if not len(y_test):
        return math.nan
    setting = key.setting._replace(C=best.C, sigma=best.sigma or 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the evaluations have told
        predicted = make(key.machine, setting).fit(X, y).predict(X_test)
    if key.regression:
        return session.unit(key.data) * float(np.sqrt(np.mean((predicted - y_test) ** 2)))
    return float(np.mean(predicted != y_test))


def on_test(key: Asked, error):
    """The sentence on the test points."""
    if math.isnan(error):
        return "There are no test points to hold the best against."
    written = f"{error:.4g}" if key.regression else percent(error)
    return f"The best has a {measure(key)[2]} of {written}; the search has not looked at the test points."


def edge(best, C_ends, sigma_ends):
    """A sentence where the best lies at the end of what is searched; "" where it does not."""
    places = (("C", best.C, C_ends), ("σ", best.sigma, sigma_ends))
    at = [
        f"{name} goes from {ends[0]:.4g} to {ends[1]:.4g}"
        for name, value, ends in places
        if ends is not None and ends[0] < ends[1] and not 1.001 * ends[0] < value < 0.999 * ends[1]
    ]
    return (
        f"It lies at the edge of what is searched, where {' and '.join(at)}: a better one may lie beyond." if at else ""
    )


def trouble(evaluations):
    """Which places did not go as they should; "" if all did."""
    notes = {}
    for note in (note for e in evaluations if e.note for note in e.note.split(tuning.BETWEEN)):
        notes[note] = notes.get(note, 0) + 1
    said = "; ".join(f"{note} (at {count} of {len(evaluations)} places)" for note, count in notes.items())
    return f"Not every machine converged. {said}." if said else ""


def to_csv(evaluations):
    """The evaluations as text, one place a line."""
    lines = [[e.C, e.sigma, e.value, e.spread, e.seconds, e.note] for e in evaluations]
    return files.rows_text([["C", "sigma", "value", "standard_error", "seconds", "note"], *lines])
