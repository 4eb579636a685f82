"""Runs to look at: what the Convergence page shows, as arrays. No Streamlit here, and no branch on the solver."""

from typing import NamedTuple

import numpy as np

from pages.shared.choices import Machine, Setting
from pages.shared.studies import arrays
from pages.shared.studies.study import TOLERANCE
from svmcore import grid, losses
from svmcore.kernels import Kernel
from svmcore.status import succeeded
from svmcore.watch import curves, path, race, recording, registry, sentences, trace

MOST_POINTS = 1000  # every step is taken on the whole Gram matrix
WINDOW = 29  # single steps, or sub-steps of these, shown on either side
VIOLATION = "Violation of the optimality conditions"
NAMES = {"sigma": "penalty σ", "window": "window r", "size": "working set T", "violators": "violators, y f < 1"}
LIMIT: dict = {}  # {"max_iter": 3}, say, in a test; as a rule each solver has a limit of its own


class Stop(NamedTuple):
    """A moment of a run: an iteration or a sub-step, the iterations whose machine and boxes are shown, the marks.

    `within` is the share of the iteration that is done; `then` says what comes next, "" where that goes without saying.
    """

    iteration: int
    shown: int
    boxed: int
    marks: trace.Marks
    said: list[str]
    name: str = ""
    within: float = 1.0
    then: str = ""


class Tick(NamedTuple):
    """One moment of the transport: what it is called, sentences on it, and its iteration."""

    label: str
    words: list[str]
    iteration: int


class Screen(NamedTuple):
    """One plane: its name, its film, and the frame of each tick, -1 for none yet; `figures.drawn` draws the film."""

    name: str
    film: arrays.PlaneFilm | arrays.CurveFilm | arrays.RankFilm
    at: list[int]


class Chart(NamedTuple):
    """One chart of lines: `figures.history` takes the rest; `places` (T,) are those of the ticks."""

    title: str
    lines: list[arrays.Line]
    xlabel: str
    ylabel: str
    log: bool
    places: list[float]
    level: tuple[float, str] | None = None
    log_x: bool = True


class Show(NamedTuple):
    """All of a film. `facts` are (name, value) pairs about the runs; `start` a tick; `steps` and `beyond` as in
    `plane.transport`; `note` says what did not end well, "" where all did.
    """

    ticks: list[Tick]
    screens: list[Screen]
    charts: list[Chart]
    facts: list[tuple[str, str]]
    start: int | None = None
    steps: bool | None = None
    beyond: tuple[bool, bool] = (False, False)
    note: str = ""


def watchable(problem) -> None:
    """ValueError, in a sentence, for more points than a run can be watched on."""
    if len(problem.y) > MOST_POINTS:
        raise ValueError(
            f"Runs can be watched on up to {MOST_POINTS} points, this problem has {len(problem.y)}; take fewer."
        )


def given(problem, machine: Machine, setting: Setting) -> trace.Given:
    """What a solver is given, and its pictures need; ValueError as `watchable`."""
    watchable(problem)
    test = (problem.X_test, problem.y_test) if len(problem.y_test) else None
    known = dict(test=test, outlier=problem.outlier, **dict(machine.params))
    return trace.Given.of(setting.as_kernel(), problem.X, problem.y, machine.loss, setting.C, **known)


def solvers(given: trace.Given) -> list[tuple[str, str]]:
    """(key, title) of every solver that can be watched on this; ValueError where there is none."""
    found = _titled(given)
    if not found:
        raise ValueError(f"No solver of the {losses.get(given.loss).machine} can be watched yet; choose another loss.")
    return found


def serving(loss) -> list[tuple[str, str]]:
    """(key, title) of every solver that can be watched on a machine with this loss; there may be none."""
    return _titled(_smallest(loss))


def rivals(loss) -> list[tuple[str, str]]:
    """Those of `serving` that may race: towards the same end."""
    return [(key, title) for key, title in serving(loss) if not registry.DESCRIPTIONS[key].own]


def offered(kind) -> list[str]:
    """The losses for which there is something to see: one run, or, of kind "path", a path."""
    over = "C" if kind == "path" else ""
    return [loss for loss in losses.LOSSES if registry.serving(_smallest(loss), over)]


def _titled(given):
    return [(description.key, description.words.title) for description in registry.serving(given)]


def _smallest(loss):
    """A problem of two points with this loss."""
    y = np.array([1.0, -1.0])
    return trace.Given.of(Kernel("linear"), y[:, None], y, loss, 1.0)


def record(given, solver) -> trace.Trace:
    """The Trace of a run."""
    return registry.record(solver, given, tol=TOLERANCE, **LIMIT)


# --------------------------------------------------------------------------------------- one run


def run(seen, given, extent, around=None) -> Show:
    """One run: its frames, or with `around` every single step about that iteration, and what happens within it.

    `extent` is the plane without a machine, a Field, or a Graph for a regression.
    """
    description = registry.of(seen)
    if around is None:
        stops, beyond = [stop(seen, given, int(t)) for t in seen.frame_iter], (False, False)
    else:
        stops, beyond = _window(seen, given, around)
    film = film_of(seen, given, stops, extent)
    return Show(
        ticks=ticks_of(seen, stops, film),
        screens=[Screen(description.words.title, film, list(range(len(stops))))],
        charts=[] if description.one_shot else _charts(seen, given, stops),
        facts=facts_of(seen),
        steps=None if description.one_shot else around is not None,
        beyond=beyond,
        note=_note({"The run": seen}),
    )


def stop(seen, given, t, words=True) -> Stop:
    """Iteration t when it is done."""
    description = registry.of(seen)
    said = description.why(seen, t, given) if words else []
    return Stop(t, t, t, description.marks(seen, t, given), said)


def _window(seen, given, around):
    """The moments of the iterations about one that can be had, and whether there are more before and after."""
    known = seen.reachable
    at, reach = int(np.abs(known - around).argmin()), WINDOW // registry.of(seen).moments
    kept = known[max(at - reach, 0) : at + reach + 1]
    stops = [moment for t in kept for moment in _within(seen, given, int(t))]
    return stops, (bool(kept[0] > known[0]), bool(kept[-1] < known[-1]))


def _within(seen, given, t):
    """The sub-steps of iteration t, each with the name of the next; the whole where it has none."""
    description = registry.of(seen)
    words, found = description.words, description.within(seen, t, given)
    goes_on = t < seen.n_iter and description.moments > 1
    after = f"{words.substeps[0]}, of {words.unit} {t + 1:,}" if goes_on else ""
    if not found:
        return [stop(seen, given, t)._replace(then=after)]
    names = [substep.name for substep in found]
    return [
        Stop(t, step.shown, step.boxed, step.marks, step.said, step.name, (k + 1) / len(found), then)
        for k, (step, then) in enumerate(zip(found, [*names[1:], after], strict=True))
    ]


def _note(runs):
    """What to say of the runs, {name: Trace}, that did not end as they should."""
    said = [f"{name} ended with: {seen.status}." for name, seen in runs.items() if not succeeded(seen.status)]
    advice = "The last picture is where it stood, not the solution. Another C or another kernel may help."
    return " ".join([*said, advice]) if said else ""


def film_of(seen, given, stops, extent, compact=False) -> arrays.PlaneFilm | arrays.CurveFilm:
    """What the pictures of a run show at the `stops`, over the extent: of a Field a plane, of a Graph a curve.

    Words, rings and boxes speak of rows, for that is how solvers know the points; so the points have no other ids.
    """
    shown, rows = np.unique([stop.shown for stop in stops], return_inverse=True)
    moments = trace.moments(seen, shown, given)
    film = _curves if isinstance(extent, arrays.Graph) else _planes
    return film(seen, given, moments, list(zip(rows, stops, strict=True)), extent, compact)


def _planes(seen, given, moments, stops, extent, compact):
    f = grid.decision(given.kernel, given.X, moments.beta, moments.intercept, extent.xs, extent.ys).astype(np.float32)
    margins = given.y * (moments.beta @ given.K + moments.intercept[:, None])
    frames = [
        arrays.Frame(
            f[row], given.y * moments.beta[row], moments.state[row], None if compact else margins[row],
            stop.marks.points, stop.marks.words, stop.marks.joined, stop.marks.crossed, stop.marks.band,
            trace.box(seen, stop.boxed),
        )
        for row, stop in stops
    ]  # fmt: skip
    points = arrays.Points(given.X, given.y, outlier=given.outlier)
    return arrays.PlaneFilm(extent.xs, extent.ys, frames, points, compact, meant=registry.of(seen).words.meant)


def _curves(seen, given, moments, stops, extent, compact):
    f = given.unit * grid.decision_at(given.kernel, given.X, moments.beta, moments.intercept, extent.xs[:, None])
    frames = [
        arrays.Moment(
            f[row], moments.beta[row], moments.state[row], stop.marks.points, stop.marks.words,
            crossed=stop.marks.crossed,
        )
        for row, stop in stops
    ]  # fmt: skip
    samples = arrays.Samples(given.X[:, 0], given.unit * given.y, outlier=given.outlier)
    return arrays.CurveFilm(extent, frames, samples, meant=registry.of(seen).words.meant)


def ticks_of(seen, stops, film) -> list[Tick]:
    """What the transport says of each of the `stops`: where the run is, what happened, what is marked, what is next."""
    unit, ticks = registry.of(seen).words.unit, []
    for stop, frame in zip(stops, film.frames, strict=True):
        label = f"{unit} {stop.iteration:,} of {seen.n_iter:,}"
        said = [*stop.said, arrays.marked(frame, film.meant), stop.then and f"Next: {stop.then}."]
        ticks.append(Tick(f"{label}: {stop.name}" if stop.name else label, list(filter(None, said)), stop.iteration))
    return ticks


def _charts(seen, given, stops):
    """What there is to draw over the iterations; a solver that knows no violation has no line for it."""
    measured, rows = curves.curves(seen, given), recording.spread(len(seen.iteration) - 1, 400)
    x, dense, places = measured.iteration, seen.iteration[rows], [stop.iteration - 1.0 + stop.within for stop in stops]
    words, dual = registry.of(seen).words, registry.taken(seen, given).qp is not None
    charts = []

    def chart(title, unit, lines, log=False, level=None):
        """One more chart, of the (name, x, y) that have a value; each keeps the colour of its place in the list."""
        kept = [arrays.Line(*line, k) for k, line in enumerate(lines) if np.isfinite(line[2]).any()]
        if kept:
            charts.append(Chart(title, kept, f"{words.unit}s", unit, log, places, level))

    left = "dual objective still to gain" if dual else "objective above its lowest"
    gain = seen.objective[rows] - np.fmin.reduce(seen.objective)
    tolerance = (seen.tol, f"tolerance {seen.tol:g}") if np.isfinite(seen.tol) else None
    counts = [("free", x, measured.n_free), ("at a bound", x, measured.n_bound), ("zero", x, measured.n_zero)]
    gaps = [(left, dense, gain), ("primal − dual, the gap", x, measured.gap)]
    chart("Objective: how far from its end", "distance", gaps, log=True)
    chart(VIOLATION, "violation", [("violation", dense, seen.violation[rows])], log=True, level=tolerance)
    chart("Support values", "points", counts)
    chart("Training error", "%", [("training error", x, 100 * measured.training_error)])
    for own in words.charts:
        lines = [(NAMES.get(name, name), dense, seen.events[name][rows]) for name in own.columns]
        chart(own.title, own.unit, lines, log=own.log)
    return charts


def facts_of(seen) -> list[tuple[str, str]]:
    """(name, value) pairs about a run."""
    words = registry.of(seen).words
    return [
        ("solver", words.title),
        ("status", seen.status),
        (f"{words.unit}s", f"{seen.n_iter:,}"),
        ("violation, asked for", f"{seen.violation[-1]:.2e}, {seen.tol:g}"),
        ("time, watched", f"{1e3 * seen.seconds:.3g} ms"),
        ("within one iteration", ", ".join(words.substeps) or "–"),
        ("source", words.source),
    ]


# ------------------------------------------------------------------------------------------ race


def compete(entrants, extent, clock) -> Show:
    """Two to four (label, solver, Given) side by side on one clock, "iterations" or "seconds"."""
    contest = race.race([race.Entrant(*entrant) for entrant in entrants], tol=TOLERANCE, **LIMIT)
    times, at = contest.ticks(clock)
    unit, scale = ("iterations", 1.0) if clock == "iterations" else ("milliseconds", 1e3)
    screens, lines, facts = [], [], []
    for k, (seen, (label, _, given)) in enumerate(zip(contest.traces, entrants, strict=True)):
        stops = [stop(seen, given, int(t), words=False) for t in seen.frame_iter]
        screens.append(Screen(label, film_of(seen, given, stops, extent, compact=True), at[k].tolist()))
        violation = curves.curves(seen, given).violation
        lines.append(arrays.Line(label, scale * contest.clock(k, clock), violation, k))
        steps = sentences.counted(seen.n_iter, registry.of(seen).words.unit)
        facts.append((label, f"{seen.status}, {steps}, {1e3 * contest.seconds[k]:.3g} ms unwatched"))
    ticks = [
        Tick(_time(time, clock), [_standing(contest, k, at[k, tick]) for k in range(len(entrants))], tick)
        for tick, time in enumerate(times)
    ]
    level = (TOLERANCE, f"tolerance {TOLERANCE:g}")
    chart = Chart(VIOLATION, lines, unit, "violation", True, [scale * float(time) for time in times], level)
    return Show(ticks, screens, [chart], facts, note=_note(dict(zip(contest.labels, contest.traces, strict=True))))


def _time(time, clock):
    return f"{time:,.0f} iteration{'' if time == 1 else 's'}" if clock == "iterations" else f"{1e3 * time:.3g} ms"


def _standing(contest, k, frame):
    seen, label = contest.traces[k], contest.labels[k]
    if frame < 0:
        return f"{label}: nothing yet."
    t = int(seen.frame_iter[frame])
    row = int(np.searchsorted(seen.iteration, t))
    ended = f" It ended: {seen.status}." if t == seen.n_iter else ""
    unit = registry.of(seen).words.unit
    return f"{label}: {unit} {t:,} of {seen.n_iter:,}, violation {sentences.number(seen.violation[row])}.{ended}"


# ------------------------------------------------------------------------------------------ path


def along(given, name, extent) -> Show:
    """The regularisation path over `name`, "C" or "sigma", about the value of the problem itself."""
    seen = registry.DESCRIPTIONS[f"path_{name}"].record(given, tol=TOLERANCE)
    values, symbol = seen.events["value"].tolist(), path.SYMBOLS[name]
    machine = Machine(given.loss, tuple(given.params.items()))
    stops = [stop(seen, given, int(t)) for t in seen.frame_iter]
    if name == "C":  # one kernel, so all fields at once
        film = film_of(seen, given, stops, extent)
    else:
        each = [film_of(seen, path.at(given, name, v), [s], extent) for v, s in zip(values, stops, strict=True)]
        film = each[0]._replace(frames=[frame for one in each for frame in one.frames])
    errors = [("training error", seen.events["training_error"]), ("test error", seen.events["test_error"])]
    known = [(name, share) for name, share in errors if np.isfinite(share).any()]
    lines = [arrays.Line(name, values, 100 * share, k) for k, (name, share) in enumerate(known)]
    support = arrays.Line("support vectors", values, seen.events["n_support"], 0)
    return Show(
        ticks=[Tick(f"{symbol} = {v:.3g}", s.said, s.iteration) for v, s in zip(values, stops, strict=True)],
        screens=[Screen(machine.name, film, list(range(len(values))))],
        charts=[
            Chart("Error", lines, symbol, "%", False, values),
            Chart("Support vectors", [support], symbol, "points", False, values),
        ],
        facts=[
            ("machine", machine.name),
            ("status", seen.status),
            ("values", f"{len(values)}, {symbol} from {values[0]:.3g} to {values[-1]:.3g}"),
            ("steps of the solver", f"{np.sum(seen.events['steps']):,}"),
            ("time", f"{1e3 * seen.seconds:.3g} ms"),
        ],
        start=len(values) // 2,
        note=_note({"The path": seen}),
    )
