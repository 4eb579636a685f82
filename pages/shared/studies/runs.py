"""Recorded runs as arrays, for the Convergence page. No Streamlit here, and no branch on the solver."""

from typing import NamedTuple

import numpy as np

from pages.shared.screen.choices import Machine, Setting
from pages.shared.studies import arrays, glossary
from pages.shared.studies.formatting import number, with_count
from pages.shared.studies.show import Chart, FilmPlane, FilmStep, FilmView, heights
from pages.shared.studies.study import TOLERANCE
from svmcore import grid, losses
from svmcore.kernels import Kernel
from svmcore.status import is_success
from svmcore.watch import curves, path, race, recording, registry, trace

MOST_POINTS = 1000  # every step is taken on the whole Gram matrix
LOG_FROM = 5  # iterations; a log axis does not hold the start, which is most of a shorter run
WINDOW = 29  # single steps, or sub-steps of these, shown on either side
VIOLATION = "Violation of the optimality conditions"
NAMES = {"sigma": "ADMM penalty", "window": "window r", "size": "working set T", "violators": "violators, y f < 1"}
DISTANCE = "Objective: distance from its best value"
COLUMN_TIPS = glossary.tips(  # by column of a trace
    {"window": "window", "size": "working set", "above": "truncated", "few": "weight"}
)
FACT_TIPS = glossary.tips(
    {"status": "status", "violation, tolerance": "violation", "rounds": "round"}
    | dict.fromkeys(("iterations", "pair updates", "steps", "conjugate gradient steps"), "iteration")
)
LIMIT: dict = {}  # of a test, such as {"max_iter": 3}; otherwise each solver has its own limit


class Stop(NamedTuple):
    """A moment of a run: an iteration or a sub-step, the iterations whose machine and boxes are shown, the marks.

    `within` is the completed share of the iteration; `then` names the next sub-step, "" if there is none.
    """

    iteration: int
    shown: int
    boxed: int
    marks: trace.Marks
    sentences: list[str]
    name: str = ""
    within: float = 1.0
    then: str = ""


def watchable(problem) -> None:
    """Raises ValueError if a problem has too many points for a recorded run."""
    if len(problem.y) > MOST_POINTS:
        raise ValueError(
            f"Runs can be recorded for up to {MOST_POINTS} points, and this problem has {len(problem.y)}; use fewer."
        )


def solver_input(problem, machine: Machine, setting: Setting) -> trace.Given:
    """The input of a solver and of its pictures; ValueError as `watchable`."""
    watchable(problem)
    test = (problem.X_test, problem.y_test) if len(problem.y_test) else None
    options = dict(test=test, outlier=problem.outlier, **dict(machine.params))
    return trace.Given.classification(setting.as_kernel(), problem.X, problem.y, machine.loss, setting.C, **options)


def solvers(given: trace.Given) -> list[tuple[str, str]]:
    """(key, title) of every solver whose run on this input can be recorded; ValueError if there is none."""
    titles = _titles(given)
    if not titles:
        raise ValueError(
            f"No solver of the {losses.get(given.loss).machine} can be recorded with these settings; choose another "
            "loss."
        )
    return titles


def solver_titles(loss) -> list[tuple[str, str]]:
    """(key, title) of every solver whose run on a machine with this loss can be recorded; possibly none."""
    return _titles(_smallest(loss))


def rivals(loss) -> list[tuple[str, str]]:
    """Solvers of `solver_titles` that can race each other, because they minimise the same objective."""
    return [(key, title) for key, title in solver_titles(loss) if not registry.DESCRIPTIONS[key].own]


def recordable_losses(kind) -> list[str]:
    """The losses with a run that can be recorded; for the kind "path", with a path over C."""
    over = "C" if kind == "path" else ""
    return [loss for loss in losses.LOSSES if registry.solvers_for(_smallest(loss), over)]


def _titles(given):
    return [(description.key, description.words.title) for description in registry.solvers_for(given)]


def _smallest(loss):
    """A problem of two points with this loss."""
    y = np.array([1.0, -1.0])
    return trace.Given.classification(Kernel("linear"), y[:, None], y, loss, 1.0)


def record(given, solver, options=()) -> trace.Trace:
    """The Trace of a run with the solver of this key, with (name, value) pairs of its Description's `options`."""
    return registry.record(solver, given, tol=TOLERANCE, **LIMIT, **dict(options))


# --------------------------------------------------------------------------------------- one run


def run(recorded, given, extent, centre=None) -> FilmView:
    """The film of one run: its frames, or with `centre` every step near that iteration, with its sub-steps.

    `extent` is the plane without a machine, a Field, or a FunctionCurve for a regression.
    """
    description = registry.solver_of(recorded)
    if centre is None:
        stops, beyond = [stop(recorded, given, int(t)) for t in recorded.frame_iter], (False, False)
    else:
        stops, beyond = _window(recorded, given, centre)
    film = film_of(recorded, given, stops, extent)
    return FilmView(
        ticks=ticks_of(recorded, stops, film),
        screens=[FilmPlane(description.words.title, film, list(range(len(stops))))],
        charts=[] if description.one_shot else _charts(recorded, given, stops),
        facts=facts_of(recorded),
        steps=None if description.one_shot else centre is not None,
        beyond=beyond,
        note=_note({"The run": recorded}),
    )


def stop(recorded, given, t, words=True) -> Stop:
    """The state after iteration t; without `words` it has no sentences."""
    description = registry.solver_of(recorded)
    sentences = description.why(recorded, t, given) if words else []
    return Stop(t, t, t, description.marks(recorded, t, given), sentences)


def _window(recorded, given, centre):
    """The moments of the reachable iterations near one, and whether there are more before and after."""
    reachable = recorded.reachable
    at, reach = int(np.abs(reachable - centre).argmin()), WINDOW // registry.solver_of(recorded).moments
    shown = reachable[max(at - reach, 0) : at + reach + 1]
    stops = [moment for t in shown for moment in _sub_steps(recorded, given, int(t))]
    return stops, (bool(shown[0] > reachable[0]), bool(shown[-1] < reachable[-1]))


def _sub_steps(recorded, given, t):
    """The sub-steps of iteration t, each with the name of the next; the whole iteration if it has none."""
    description = registry.solver_of(recorded)
    words, substeps = description.words, description.substeps(recorded, t, given)
    goes_on = t < recorded.n_iter and description.moments > 1
    after = f"{words.substeps[0]}, of {words.unit} {t + 1:,}" if goes_on else ""
    if not substeps:
        return [stop(recorded, given, t)._replace(then=after)]
    names = [substep.name for substep in substeps]
    return [
        Stop(t, step.shown, step.boxed, step.marks, step.sentences, step.name, (k + 1) / len(substeps), then)
        for k, (step, then) in enumerate(zip(substeps, [*names[1:], after], strict=True))
    ]


def _note(runs):
    """The sentences on those of the runs {name: Trace} that failed."""
    failures = [f"{name} ended with: {run.status}." for name, run in runs.items() if not is_success(run.status)]
    advice = (
        "The last picture shows the state at the end of the run, not the solution. Try another C or another kernel."
    )
    return " ".join([*failures, advice]) if failures else ""


def film_of(recorded, given, stops, extent, compact=False) -> arrays.PlaneFilm | arrays.CurveFilm:
    """The film of a run at the `stops`, over the extent: of a plane for a Field, of a curve for a FunctionCurve.

    Sentences, rings and boxes refer to rows, as the solvers do; so the ids of the points are their rows.
    """
    shown, rows = np.unique([stop.shown for stop in stops], return_inverse=True)
    moments, meant = trace.moments(recorded, shown, given), registry.solver_of(recorded).words.meant
    if not stops[-1].marks.band:
        meant = {name: text for name, text in meant.items() if name != "band"}
    machines = given.kernel, given.X, moments.beta, moments.intercept
    is_curve = isinstance(extent, arrays.FunctionCurve)
    if is_curve:
        f, alpha = given.unit * grid.decision_at(*machines, extent.xs[:, None]), moments.beta
    else:
        f, alpha = grid.decision(*machines, extent.xs, extent.ys, extent.slice), given.y * moments.beta
    margins = given.y * (moments.beta @ given.K + moments.intercept[:, None])
    frames = [
        arrays.Frame(
            f[row], alpha[row], moments.state[row], None if compact or is_curve else margins[row], *stop.marks,
            trace.box(recorded, stop.boxed),
        )
        for row, stop in zip(rows, stops, strict=True)
    ]  # fmt: skip
    if is_curve:
        samples = arrays.Samples(given.X[:, 0], given.unit * given.y, outlier=given.outlier)
        return arrays.CurveFilm(extent, frames, samples, meant)
    cut = extent.slice
    points = arrays.Points(cut.places(given.X) if cut else given.X, given.y, outlier=given.outlier, named=extent.named)
    return arrays.PlaneFilm(extent.xs, extent.ys, frames, points, compact, cut and cut.names, meant)


def ticks_of(recorded, stops, film) -> list[FilmStep]:
    """The texts of the transport for each of the `stops`: the iteration, the step, the marks, and the next sub-step."""
    unit, ticks = registry.solver_of(recorded).words.unit, []
    rows = np.searchsorted(recorded.iteration, [stop.shown for stop in stops])
    places = heights(recorded.objective - np.fmin.reduce(recorded.objective), log=True)[rows]
    for stop, frame, height in zip(stops, film.frames, places, strict=True):
        label = f"{unit} {stop.iteration:,} of {recorded.n_iter:,}"
        shown = arrays.frame_sentences(frame, film.meant)
        sentences = [*stop.sentences, shown, stop.then and f"Next: {stop.then}."]
        label = f"{label}: {stop.name}" if stop.name else label
        ticks.append(FilmStep(label, list(filter(None, sentences)), stop.iteration, float(height)))
    return ticks


def _charts(recorded, given, stops):
    """The charts over the iterations; a solver without a measure of violation has no line for it."""
    measured, rows = curves.curves(recorded, given), recording.spread(len(recorded.iteration) - 1, 400)
    x, dense, places = (
        measured.iteration,
        recorded.iteration[rows],
        [stop.iteration - 1.0 + stop.within for stop in stops],
    )
    words, own = registry.solver_of(recorded).words, registry.solver_of(recorded).own
    dual = not own and losses.get(given.loss).solved_by.endswith("box dual")  # with one coefficient a point or two
    charts = []

    def chart(title, unit, lines, help="", log=False, level=None):
        """Add a chart of the (name, x, y) with finite values; a line keeps its colour if others are left out."""
        drawn = [arrays.Line(*line, k) for k, line in enumerate(lines) if np.isfinite(line[2]).any()]
        if drawn:
            log_x = recorded.n_iter >= LOG_FROM
            charts.append(Chart(title, drawn, f"{words.unit}s", unit, log, places, level, log_x, help))

    objective = "dual objective" if dual else "objective"
    gain = recorded.objective[rows] - np.fmin.reduce(recorded.objective)
    tolerance = (recorded.tol, f"tolerance {number(recorded.tol, 'g')}") if np.isfinite(recorded.tol) else None
    counts = [("free", x, measured.n_free), ("at a bound", x, measured.n_bound), ("zero", x, measured.n_zero)]
    gaps = [(objective, dense, gain), ("duality gap", x, measured.gap)]
    violation = [("violation", dense, recorded.violation[rows])]
    gap = glossary.meaning("dual objective", "duality gap") if dual else glossary.meaning("objective")
    chart(DISTANCE, "distance", gaps, gap, log=True)
    chart(VIOLATION, "violation", violation, glossary.meaning("violation"), log=True, level=tolerance)
    chart("Support values", "points", counts, glossary.meaning("support value", "free", "bound"))
    errors = [("training error", x, 100 * measured.training_error)]
    chart("Training error", "%", errors, glossary.meaning("error"))
    for own in words.charts:
        lines = [(NAMES.get(name, name), dense, recorded.events[name][rows]) for name in own.columns]
        tips = [COLUMN_TIPS[name] for name in own.columns if name in COLUMN_TIPS]
        chart(own.title, own.unit, lines, "  \n".join(tips), log=own.log)
    return charts


def facts_of(recorded) -> list[tuple[str, str]]:
    """(name, value) pairs about a run."""
    words = registry.solver_of(recorded).words
    return [
        ("solver", words.title),
        ("status", recorded.status),
        (f"{words.unit}s", f"{recorded.n_iter:,}"),
        ("violation, tolerance", f"{number(recorded.violation[-1], '.2e')}, {number(recorded.tol, 'g')}"),
        ("time with recording", f"{number(1e3 * recorded.seconds)} ms"),
        ("sub-steps of an iteration", ", ".join(words.substeps) or "–"),
        ("source", words.source),
    ]


# ------------------------------------------------------------------------------------------ race


def compete(entrants, extent, clock) -> FilmView:
    """The film of two to four (label, solver, Given) side by side on one clock, "iterations" or "seconds"."""
    contest = race.race([race.Entrant(*entrant) for entrant in entrants], tol=TOLERANCE, **LIMIT)
    times, at = contest.ticks(clock)
    unit, scale = ("iterations", 1.0) if clock == "iterations" else ("milliseconds", 1e3)
    screens, lines, facts = [], [], []
    for k, (recorded, (label, _, given)) in enumerate(zip(contest.traces, entrants, strict=True)):
        stops = [stop(recorded, given, int(t), words=False) for t in recorded.frame_iter]
        screens.append(FilmPlane(label, film_of(recorded, given, stops, extent, compact=True), at[k].tolist()))
        violation = curves.curves(recorded, given).violation
        lines.append(arrays.Line(label, scale * contest.clock(k, clock), violation, k))
        steps = with_count(recorded.n_iter, registry.solver_of(recorded).words.unit)
        facts.append((label, f"{recorded.status}, {steps}, {number(1e3 * contest.seconds[k])} ms without recording"))
    ticks = [
        FilmStep(_time(time, clock), [_standing_text(contest, k, at[k, tick]) for k in range(len(entrants))], tick)
        for tick, time in enumerate(times)
    ]
    level = (TOLERANCE, f"tolerance {number(TOLERANCE, 'g')}")
    places, explanation = [scale * float(time) for time in times], glossary.meaning("violation")
    chart = Chart(VIOLATION, lines, unit, "violation", True, places, level, help=explanation)
    return FilmView(ticks, screens, [chart], facts, note=_note(dict(zip(contest.labels, contest.traces, strict=True))))


def _time(time, clock):
    return f"{time:,.0f} iteration{'' if time == 1 else 's'}" if clock == "iterations" else f"{number(1e3 * time)} ms"


def _standing_text(contest, k, frame):
    recorded, label = contest.traces[k], contest.labels[k]
    if frame < 0:
        return f"{label}: not started."
    t = int(recorded.frame_iter[frame])
    row = int(np.searchsorted(recorded.iteration, t))
    ended = f" It ended: {recorded.status}." if t == recorded.n_iter else ""
    unit = registry.solver_of(recorded).words.unit
    return f"{label}: {unit} {t:,} of {recorded.n_iter:,}, violation {number(recorded.violation[row])}.{ended}"


# ------------------------------------------------------------------------------------------ path


def path_film(given, name, extent) -> FilmView:
    """The film of the regularisation path over `name`, "C" or "sigma", around the value of the setting."""
    recorded = registry.DESCRIPTIONS[f"path_{name}"].record(given, tol=TOLERANCE)
    values, symbol = recorded.events["value"].tolist(), path.SYMBOLS[name]
    machine = Machine(given.loss, tuple(given.params.items()))
    stops = [stop(recorded, given, int(t)) for t in recorded.frame_iter]
    if name == "C":  # one kernel, so all fields at once
        film = film_of(recorded, given, stops, extent)
    else:
        each = [
            film_of(recorded, path.problem_at(given, name, v), [s], extent) for v, s in zip(values, stops, strict=True)
        ]
        film = each[0]._replace(frames=[frame for one in each for frame in one.frames])
    errors = [("training error", recorded.events["training_error"]), ("test error", recorded.events["test_error"])]
    finite = [(name, share) for name, share in errors if np.isfinite(share).any()]
    lines = [arrays.Line(name, values, 100 * share, k) for k, (name, share) in enumerate(finite)]
    support = arrays.Line("support vectors", values, recorded.events["n_support"], 0)
    return FilmView(
        ticks=[
            FilmStep(f"{symbol} = {number(v)}", s.sentences, s.iteration) for v, s in zip(values, stops, strict=True)
        ],
        screens=[FilmPlane(machine.name, film, list(range(len(values))))],
        charts=[
            Chart("Error", lines, symbol, "%", False, values),
            Chart("Support vectors", [support], symbol, "points", False, values),
        ],
        facts=[
            ("machine", machine.name),
            ("status", recorded.status),
            ("values", f"{len(values)}, {symbol} from {number(values[0])} to {number(values[-1])}"),
            ("steps of the solver", f"{np.sum(recorded.events['steps']):,}"),
            ("time", f"{number(1e3 * recorded.seconds)} ms"),
        ],
        start=len(values) // 2,
        note=_note({"The path": recorded}),
    )
