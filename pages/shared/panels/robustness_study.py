"""The robustness study: machines under growing contamination, over many draws, as curves and tables."""

import math
from statistics import fmean, median, stdev
from typing import NamedTuple

import numpy as np
import sklearn
import streamlit as st

import svmcore
from pages.shared.controls import download
from pages.shared.figures.charts.sweep import Band, sweep_figure
from pages.shared.page.job_panel import Job, JobPanel, threads
from pages.shared.panels import influence_map
from pages.shared.papers.screens.exhibits import EXHIBITS
from pages.shared.plane import component
from pages.shared.screen.choices import NO_OUTLIERS, OWN, Data, Machine, Setting
from pages.shared.studies import arrays, classification, formatting, results, snippet, tasks
from pages.shared.studies.formatting import milliseconds
from pages.shared.studies.scenes import PAPERS
from svmcore import kernels, papers, words
from svmcore.problems import outliers
from svmcore.problems.tables import rows_text
from svmcore.studies import paired, robustness

ERROR = "error on clean points"
SEEDS = 20
FEWEST = 5  # of the reader's own points in a class
ON_TABLES = "pages/robustness.py"
MORE = "More machines, with exact accuracies: the experiments of that paper"
READING = (
    "± is the standard deviation over the draws. Times of a fit, on this computer, are the median, with the range from "
    "the 10th to the 90th percentile."
)

PANEL = JobPanel(
    kind="study",
    units="fits",
    start="Run the study",
    resume="Resume the study",
    stop="Stop the study",
    stopped="Stopped after {made} of {total} fits; the results below are from these.",
    outdated="The settings have changed since this study was run.",
    room=16,
)


class StudyRequest(NamedTuple):
    """A study; `kind` is the kind of outliers, or "none" if the problem has its own contamination. `points` (x1, x2, y)
    are the reader's own, for other problems there are none.
    """

    problem: str
    options: tuple
    kind: str
    machines: tuple[Machine, ...]
    setting: Setting
    points: tuple = ()

    @property
    def levels(self) -> robustness.Levels:
        options = dict(self.options)
        if self.kind == NO_OUTLIERS:
            return robustness.own_levels(self.problem, options)
        if self.problem == OWN:
            table = np.array(self.points)
            return robustness.levels_of(self.kind, robustness.splits_of(table[:, :-1], table[:, -1], **options))
        return robustness.levels_of(self.kind, self.problem, options)

    @property
    def shared_points(self) -> float:
        """Number of test points divided by that of training points, 0 for draws of their own, as in `verdict`."""
        share = dict(self.options)["hold_out"] if self.problem == OWN else 0.0
        return share / (1.0 - share)

    @property
    def total(self) -> int:
        return len(self.machines) * len(self.levels.values) * SEEDS


def section(data: Data, machines: list[Machine], setting: Setting) -> None:
    """The study of this problem: its button, its progress, its results and their download."""
    if not tasks.task_of(data).classes:
        st.caption("The robustness study flips labels, which a regression does not have. Drag points away instead.")
        return
    request = request_of(data, machines, setting)
    if few := too_few(request):
        st.caption(few)
        return
    st.markdown(about(request))
    if published_claim(request):
        st.caption(published_claim(request))
        st.page_link(PAPERS, label=MORE, icon=":material/menu_book:", query_params={"paper": "l01"})
    st.page_link(ON_TABLES, label="On tables of many features, with tuned machines and tests", icon=":material/shield:")
    PANEL.button("compare", request, begin)
    PANEL.watch("compare", request, _show)


def request_of(data: Data, machines: list[Machine], setting: Setting) -> StudyRequest:
    kind = data.contamination
    if kind == NO_OUTLIERS and data.problem not in robustness.OWN_LEVELS:
        kind = "flip_share"
    if data.problem != OWN:
        return StudyRequest(data.problem, data.options, kind, tuple(machines), setting)
    X, y = own(data)
    options = (("hold_out", dict(data.options).get("hold_out") or robustness.HOLD_OUT),)
    points = tuple(map(tuple, np.column_stack([X, y]).tolist()))
    return StudyRequest(OWN, options, kind, tuple(machines), setting, points)


def own(data: Data) -> tuple[np.ndarray, np.ndarray]:
    """All points X (N, d), y (N,) of the reader's own that are no outliers, with their own labels, in one order."""
    clean = outliers.without_outliers(results.problem(data))
    X, y = np.vstack([clean.X, clean.X_test]), np.append(clean.y, clean.y_test)
    order = np.lexsort((y, *X.T))
    return X[order], y[order]


def too_few(request: StudyRequest) -> str:
    """A sentence where a class of the reader's own points is too small to be split and flipped; "" where none is."""
    smallest = min(sum(y == label for *_, y in request.points) for label in (1.0, -1.0))
    if request.problem != OWN or smallest >= FEWEST:
        return ""
    return f"The robustness study needs at least {FEWEST} of your own points in each class; the smaller has {smallest}."


def about(request: StudyRequest) -> str:
    levels, setting = request.levels, request.setting
    reach = f"{level_text(levels, levels.values[0])} to {level_text(levels, levels.values[-1])}"
    of_points = " of the points" if request.kind != NO_OUTLIERS else ""
    draws, tested = f"{SEEDS} draws of the problem", "clean points"
    if request.problem == OWN:
        share = words.percent(dict(request.options)["hold_out"], "g")
        draws, tested = f"{SEEDS} random splits of your points", f"the {share} of each class that a split holds out"
    kernel = kernels.KERNELS[setting.kernel]
    return (
        f"**Robustness study.** {levels.label[0].upper()}{levels.label[1:]}, {reach}{of_points}: each machine above is "
        f"fitted to {draws} at each level, all to the same points, with C = {setting.C:g} and the "
        f"kernel of this page ({kernel.label}), and tested on {tested}."
    )


def published_claim(request: StudyRequest) -> str:
    """The claim of a paper on this contamination, and the numbers that it prints; "" if there is none."""
    names = (name for name, exhibit in EXHIBITS.items() if exhibit.contaminates == request.problem)
    name = next(names, None) if request.kind == NO_OUTLIERS else None
    if name is None:
        return ""
    experiment = papers.get(name)
    return f"{experiment.paper}: {experiment.shows} {papers.l01.NOT_OURS}"


def level_text(levels: robustness.Levels, value) -> str:
    """A level as text, such as "15 %" or "4 points"."""
    if levels.unit == "share":
        return words.percent(value, ".3g")
    return f"{value} point{'' if value == 1 else 's'}"


def begin(request: StudyRequest) -> Job:
    models = {machine.name: classification.estimator(machine, request.setting) for machine in request.machines}
    return Job(request, robustness.study(models, request.levels, range(SEEDS), workers=threads), request.total)


def _show(job, rows):
    levels = job.key.levels
    names = [machine.name for machine in job.key.machines]
    colours = {machine.name: machine.colour for machine in job.key.machines}
    values, lines = bands(rows, colours)
    what = levels.label if job.key.kind == NO_OUTLIERS else "outliers"
    if len(values):
        shares = levels.unit == "share"
        xlabel = f"{what}, %" if shares else f"number of {what}"
        picture = sweep_figure(100 * values if shares else values, lines, xlabel=xlabel, ylabel=f"{ERROR}, %")
        st.caption(f"Mean {ERROR}; the bars reach from the 10th to the 90th percentile of the draws.")
        component.show_figure(picture, key="sweep", height=420)
        st.markdown(verdict(rows, levels, job.key.shared_points))
    for title, cells in measure_rows(rows, levels, names).items():
        st.markdown(f"**{title}**")
        st.html(formatting.grid([what, *names], cells))
    st.caption(" ".join(filter(None, [READING, influence_map.trouble(rows)])))
    with st.container(horizontal=True):
        download.button("Study (CSV)", lambda: to_csv(rows, job.key), f"robustness-{job.key.problem}.csv", "text/csv")
        if job.key.points:
            download.button("Points of the study (CSV)", lambda: points_csv(job.key), snippet.STUDIED, "text/csv")
    with st.expander("This study in Python", icon=":material/code:"):
        st.code(snippet.study(*job.key, SEEDS), language="python")


# -------------------------------------------------------------------------------- rows into numbers


def by_level(rows) -> dict[str, dict[float, list[robustness.Row]]]:
    found = {}
    for row in rows:
        found.setdefault(row.machine, {}).setdefault(row.level, []).append(row)
    return found


def bands(rows, colours: dict[str, int]) -> tuple[np.ndarray, list[Band]]:
    """The levels (k,) with results of every machine, and a `figures.Band` of errors in percent for each machine."""
    errors = {
        name: {level: [100 * row.error for row in mine] for level, mine in at.items()}
        for name, at in by_level(rows).items()
    }
    levels, found = arrays.bands(errors)
    return levels, [Band(name, *band, colours[name]) for name, band in found.items()]


def measure_rows(rows, levels: robustness.Levels, names) -> dict[str, list[list[str]]]:
    """{title: rows}: for each measure a row per level, with the level as text and an entry for each machine."""
    made = by_level(rows)
    measures = {
        "Accuracy on clean points, %": lambda at: _spread([100 * (1 - row.error) for row in at], 1),
        "Support vectors": lambda at: _spread([row.n_support for row in at], 1),
        "Time of a fit": lambda at: _span([row.seconds for row in at]),
    }
    return {
        title: [
            [level_text(levels, value), *(cell(at) if (at := made.get(name, {}).get(value)) else "–" for name in names)]
            for value in levels.values
        ]
        for title, cell in measures.items()
    }


def _spread(values, digits):
    """Mean ± standard deviation, without the deviation for a single value."""
    values = [value for value in values if math.isfinite(value)]
    if not values:
        return "–"
    deviation = f" ± {stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{fmean(values):.{digits}f}{deviation}"


def _span(seconds):
    low, high = np.percentile(seconds, [10, 90])
    return f"{milliseconds(median(seconds))} ({milliseconds(low)} to {milliseconds(high)})"


def verdict(rows, levels: robustness.Levels, shared_points=0.0) -> str:
    """The machine with the smallest mean error at the highest level that all have reached, and by how much the others
    are worse: paired, because all machines are fitted to the same draws. "" for fewer than two machines or draws.

    shared_points: `shared` of `paired.difference`.
    """
    errors = {
        name: {level: {row.seed: 100 * row.error for row in mine} for level, mine in at.items()}
        for name, at in by_level(rows).items()
    }
    shared = set.intersection(*map(set, errors.values()))
    level = max(shared, default=None)
    seeds = set.intersection(*(set(at[level]) for at in errors.values())) if shared else ()
    if len(errors) < 2 or len(seeds) < 2:
        return ""
    values = {name: np.array([at[level][seed] for seed in sorted(seeds)]) for name, at in errors.items()}
    best = min(values, key=lambda name: values[name].mean())
    worse = {name: paired.difference(mine, values[best], shared_points) for name, mine in values.items()}
    listed = ", ".join(
        f"{name} +{gap.mean:.2f} ± {gap.error:.2f}"
        for name, gap in sorted(worse.items(), key=lambda item: item[1].mean)
        if name != best
    )
    return (
        f"**At {level_text(levels, level)} the {best} has the smallest mean {ERROR}, "
        f"{values[best].mean():.2f}{words.THIN}%.** "
        f"The others, in percentage points: {listed} (mean and standard error of the difference on the same "
        f"{len(seeds)} {'splits, which share points' if shared_points else 'draws'}; two standard errors or less is no "
        "clear difference)."
    )


def to_csv(rows, request: StudyRequest) -> str:
    """The fits as CSV text, one per line, each with the problem, the setting and the versions of the programs."""
    made = dict(
        problem=request.problem,
        options=" ".join(f"{name}={value}" for name, value in request.options),
        outliers=request.kind,
        **request.setting.parameters,
        svmcore=svmcore.__version__,
        numpy=np.__version__,
        scikit_learn=sklearn.__version__,
    )
    return rows_text([(*rows[0]._fields, *made), *((*row, *made.values()) for row in rows)])


def points_csv(request: StudyRequest) -> str:
    return rows_text([("x1", "x2", "y"), *request.points])
