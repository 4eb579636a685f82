"""Runs to look at: what the Convergence page shows, as arrays. No Streamlit here, and no branch on the solver."""

from typing import NamedTuple

import numpy as np

from pages.shared.choices import Machine, Setting
from pages.shared.studies import arrays
from pages.shared.studies.classification import TOLERANCE
from svmcore import duals, grid, losses
from svmcore.kernels import Kernel
from svmcore.status import succeeded
from svmcore.watch import curves, path, race, registry, sentences, trace

MOST_POINTS = 1000  # every step is taken on the whole Gram matrix
WINDOW = 29  # single steps, or sub-steps of these, shown on either side
VALUES = 41
VIOLATION = "Violation of the optimality conditions"
NAMES = {"sigma": "penalty σ", "window": "window r", "size": "working set T", "violators": "violators, y f < 1"}
LIMIT: dict = {}  # {"max_iter": 3}, say, in a test; as a rule each solver has a limit of its own


class Moment(NamedTuple):
    """One moment of a run: an iteration or a sub-step, the iterations whose machine and boxes are shown, the marks.

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


def size(n, screens=1):
    """Grid points each way for n points: sixty frames of all screens stay below 1.5 MB (of a race of n <= 360)."""
    return (80 if n <= 500 else 60) if screens == 1 else 60 if screens == 2 else 44


def watchable(problem):
    """ValueError, in a sentence, for more points than a run can be watched on."""
    if len(problem.y) > MOST_POINTS:
        raise ValueError(
            f"Runs can be watched on up to {MOST_POINTS} points, this problem has {len(problem.y)}; take fewer."
        )


def given(problem, machine: Machine, setting: Setting) -> trace.Given:
    """What a solver is given; ValueError as `watchable`."""
    watchable(problem)
    return trace.Given.of(setting.as_kernel(), problem.X, problem.y, machine.loss, setting.C, **dict(machine.params))


def solvers(task: trace.Given):
    """(key, title) of every solver that can be watched on this; ValueError where there is none."""
    found = _titled(task)
    if not found:
        raise ValueError(f"No solver of the {losses.get(task.loss).machine} can be watched yet; choose another loss.")
    return found


def serving(loss):
    """(key, title) of every solver that can be watched on a machine with this loss; there may be none."""
    y = np.array([1.0, -1.0])
    return _titled(trace.Given.of(Kernel("linear"), y[:, None], y, loss, 1.0))


def rivals(loss):
    """Those of `serving` that may race: towards the same end."""
    return [(key, title) for key, title in serving(loss) if not registry.DESCRIPTIONS[key].own]


def _titled(task):
    return [(d.key, d.title) for d in registry.serving(task)]


def offered(kind):
    """The losses for which there is something to see: one run, or, of kind "path", a path."""
    return list(duals.DUALS) if kind == "path" else [loss for loss in losses.LOSSES if serving(loss)]


def record(task, solver):
    """The Trace of a run."""
    return registry.DESCRIPTIONS[solver].record(task, tol=TOLERANCE, **LIMIT)


# --------------------------------------------------------------------------------------- one run


def run(problem, setting, task, seen, xs, ys, around=None) -> Show:
    """One run: its frames, or with `around` every single step about that iteration, and what happens within it."""
    description = registry.of(seen)
    if around is None:
        stops, beyond = [whole(seen, task, int(t)) for t in seen.frame_iter], (False, False)
    else:
        kept, beyond = _window(seen, around)
        stops = [moment for t in kept for moment in _within(seen, task, int(t))]
    film = film_of(problem, setting, task, seen, stops, xs, ys)
    return Show(
        ticks=[
            tick_of(seen, stop, arrays.marked(frame, film.meant))
            for stop, frame in zip(stops, film.frames, strict=True)
        ],
        screens=[Screen(description.title, film, list(range(len(stops))))],
        charts=[] if description.one_shot else _charts(seen, task, stops),
        facts=facts_of(seen),
        steps=None if description.one_shot else around is not None,
        beyond=beyond,
        note=_note([("The run", seen)]),
    )


def _window(seen, around):
    """The iterations about one that can be had, and whether there are more before and after."""
    known = seen.reachable
    at, reach = int(np.abs(known - around).argmin()), WINDOW // _pieces(registry.of(seen))
    stops = known[max(at - reach, 0) : at + reach + 1]
    return stops, (bool(stops[0] > known[0]), bool(stops[-1] < known[-1]))


def _pieces(description):
    """Into how many moments an iteration is cut where every step is shown."""
    return 1 if description.within is trace.no_substeps else len(description.substeps)


def whole(seen, task, t):
    """Iteration t when it is done."""
    return _unsaid(seen, task, t)._replace(said=registry.of(seen).why(seen, t, task))


def _unsaid(seen, task, t):
    return Moment(t, t, t, registry.of(seen).marks(seen, t, task), [])


def _within(seen, task, t):
    """The sub-steps of iteration t, each with the name of the next; the whole where it has none."""
    description = registry.of(seen)
    found = description.within(seen, t, task)
    names = [substep.name for substep in found]
    ends = t == seen.n_iter
    after = "" if ends or _pieces(description) == 1 else f"{description.substeps[0]}, of {description.unit} {t + 1:,}"
    if not found:
        return [whole(seen, task, t)._replace(then=after)]
    return [
        Moment(t, step.shown, step.boxed, step.marks, step.said, step.name, (k + 1) / len(found), then)
        for k, (step, then) in enumerate(zip(found, [*names[1:], after], strict=True))
    ]


def _note(runs):
    """What to say of the (name, Trace) pairs that did not end as they should."""
    said = [f"{name} ended with: {seen.status}." for name, seen in runs if not succeeded(seen.status)]
    advice = "The last picture is where it stood, not the solution. Another C or another kernel may help."
    return " ".join([*said, advice]) if said else ""


def film_of(problem, setting, task, seen, stops, xs, ys, compact=False):
    """The Film of a run on a plane, one frame for each of the moments `stops`."""
    shown, rows = np.unique([stop.shown for stop in stops], return_inverse=True)
    moments = trace.moments(seen, shown, task)
    fields = grid.decision(setting.as_kernel(), problem.X, moments.beta, moments.intercept, xs, ys).astype(np.float32)
    margins = task.y * (moments.beta @ task.K + moments.intercept[:, None])
    frames = [
        arrays.Frame(
            fields[row], task.y * moments.beta[row], moments.state[row], None if compact else margins[row],
            stop.marks.points, stop.marks.words, stop.marks.joined, stop.marks.crossed, stop.marks.band,
            trace.box(seen, stop.boxed),
        )
        for row, stop in zip(rows, stops, strict=True)
    ]  # fmt: skip
    return arrays.PlaneFilm(xs, ys, frames, _points(problem), compact, meant=registry.of(seen).meant)


def _points(problem):
    """Words, rings and boxes speak of rows: that is how solvers know the points."""
    return arrays.Points(problem.X, problem.y, outlier=problem.outlier)


def tick_of(seen, stop, pictured):
    """What the transport says of the moment `stop`; `pictured` is a sentence on the marks in its frame."""
    label = f"{registry.of(seen).unit} {stop.iteration:,} of {seen.n_iter:,}"
    sentences = [*stop.said, pictured, stop.then and f"Next: {stop.then}."]
    return Tick(f"{label}: {stop.name}" if stop.name else label, list(filter(None, sentences)), stop.iteration)


def _charts(seen, task, stops):
    """What there is to draw over the iterations; a solver that knows no violation has no line for it."""
    measured, rows = curves.curves(seen, task), trace.spread(len(seen.iteration) - 1, 400)
    x, dense, places = measured.iteration, seen.iteration[rows], [stop.iteration - 1.0 + stop.within for stop in stops]
    gain = seen.objective[rows] - np.fmin.reduce(seen.objective)
    dual = registry.taken(seen, task).qp is not None
    name = "dual objective still to gain" if dual else "objective above its lowest"
    minimised = [(name, dense, gain), ("primal − dual, the gap", x, measured.gap)]
    counts = [("free", x, measured.n_free), ("at a bound", x, measured.n_bound), ("zero", x, measured.n_zero)]
    level = (seen.tol, f"tolerance {seen.tol:g}") if np.isfinite(seen.tol) else None
    charts = [
        ("Objective: how far from its end", "distance", True, None, minimised),
        (VIOLATION, "violation", True, level, [("violation", dense, seen.violation[rows])]),
        ("Support values", "points", False, None, counts),
        ("Training error", "%", False, None, [("training error", x, 100 * measured.training_error)]),
    ]
    for title, unit, log, names in registry.of(seen).drawn:
        charts.append(
            (title, unit, log, None, [(NAMES.get(name, name), dense, seen.events[name][rows]) for name in names])
        )
    found = []
    for title, unit, log, mark, curved in charts:
        lines = [arrays.Line(*line, k) for k, line in enumerate(curved) if np.isfinite(line[2]).any()]
        if lines:
            found.append(Chart(title, lines, f"{registry.of(seen).unit}s", unit, log, places, mark))
    return found


def facts_of(seen):
    """(name, value) pairs about a run."""
    description = registry.of(seen)
    return [
        ("solver", description.title),
        ("status", seen.status),
        (f"{description.unit}s", f"{seen.n_iter:,}"),
        ("violation, asked for", f"{seen.violation[-1]:.2e}, {seen.tol:g}"),
        ("time, watched", f"{1e3 * seen.seconds:.3g} ms"),
        ("within one iteration", ", ".join(description.substeps) or "–"),
        ("source", description.source),
    ]


# ------------------------------------------------------------------------------------------ race


def compete(problem, setting, entrants, xs, ys, clock) -> Show:
    """Two to four (label, solver, Given) side by side on one clock, "iterations" or "seconds"."""
    contest = race.race([race.Entrant(*entrant) for entrant in entrants], tol=TOLERANCE, **LIMIT)
    times, at = contest.ticks(clock)
    screens, lines, facts = [], [], []
    for k, (seen, (label, _, task)) in enumerate(zip(contest.traces, entrants, strict=True)):
        stops = [_unsaid(seen, task, int(t)) for t in seen.frame_iter]
        film = film_of(problem, setting, task, seen, stops, xs, ys, compact=True)
        screens.append(Screen(label, film, at[k].tolist()))
        measured = curves.curves(seen, task)
        lines.append(arrays.Line(label, contest.clock(k, clock), measured.violation, k))
        facts.append((label, f"{_ended(seen)}, {1e3 * contest.seconds[k]:.3g} ms unwatched"))
    ticks = [
        Tick(_time(time, clock), [_standing(contest, k, at[k, tick]) for k in range(len(entrants))], tick)
        for tick, time in enumerate(times)
    ]
    unit, scale = ("iterations", 1.0) if clock == "iterations" else ("milliseconds", 1e3)
    lines = [line._replace(x=scale * line.x) for line in lines]
    places = [scale * float(time) for time in times]
    level = (TOLERANCE, f"tolerance {TOLERANCE:g}")
    chart = Chart(VIOLATION, lines, unit, "violation", True, places, level)
    return Show(ticks, screens, [chart], facts, note=_note(zip(contest.labels, contest.traces, strict=True)))


def _ended(seen):
    description = registry.of(seen)
    return f"{seen.status}, {sentences.counted(seen.n_iter, description.unit)}"


def _time(time, clock):
    return f"{time:,.0f} iteration{'' if time == 1 else 's'}" if clock == "iterations" else f"{1e3 * time:.3g} ms"


def _standing(contest, k, frame):
    seen, label = contest.traces[k], contest.labels[k]
    if frame < 0:
        return f"{label}: nothing yet."
    t = int(seen.frame_iter[frame])
    row = int(np.searchsorted(seen.iteration, t))
    ended = f" It ended: {seen.status}." if t == seen.n_iter else ""
    unit = registry.of(seen).unit
    return f"{label}: {unit} {t:,} of {seen.n_iter:,}, violation {sentences.number(seen.violation[row])}.{ended}"


# ------------------------------------------------------------------------------------------ path


def along(problem, machine, setting, name, xs, ys) -> Show:
    """The regularisation path over C or sigma, three tenfolds either way of the setting's own value, or 1.5 of them."""
    watchable(problem)
    own = setting.C if name == "C" else setting.sigma
    reach = 3 if name == "C" else 1.5
    values = own * np.logspace(-reach, reach, VALUES)
    settings = [setting._replace(**{name: float(value)}) for value in values]
    kernel, params = setting.as_kernel(), dict(machine.params)
    seen = path.path(
        kernel, problem.X, problem.y, machine.loss, params, values=values, name=name, C=setting.C,
        X_test=problem.X_test if len(problem.X_test) else None, y_test=problem.y_test, tol=TOLERANCE,
    )  # fmt: skip
    frames = [
        arrays.Frame(f, problem.y * beta, state, problem.y * (K @ beta + intercept))
        for f, K, beta, intercept, state in zip(
            _fields(seen, settings, name, problem, xs, ys),
            _matrices(settings, name, problem),
            seen.frame_beta,
            seen.frame_intercept,
            seen.events["state"],
            strict=True,
        )
    ]
    film = arrays.PlaneFilm(xs, ys, frames, _points(problem))
    symbol, places = path.SYMBOLS[name], values.tolist()
    ticks = [Tick(f"{symbol} = {value:.3g}", path.why(seen, k + 1, None), k + 1) for k, value in enumerate(values)]
    errors = [arrays.Line("training error", values, 100 * seen.events["training_error"], 0)]
    if np.isfinite(seen.events["test_error"]).any():
        errors.append(arrays.Line("test error", values, 100 * seen.events["test_error"], 1))
    support = [arrays.Line("support vectors", values, seen.events["n_support"], 0)]
    charts = [
        Chart("Error", errors, symbol, "%", False, places),
        Chart("Support vectors", support, symbol, "points", False, places),
    ]
    facts = [
        ("machine", machine.name),
        ("status", seen.status),
        ("values", f"{VALUES}, {symbol} from {values[0]:.3g} to {values[-1]:.3g}"),
        ("steps of the solver", f"{np.sum(seen.events['steps']):,}"),
        ("time", f"{1e3 * seen.seconds:.3g} ms"),
    ]
    screens = [Screen(machine.name, film, list(range(VALUES)))]
    return Show(ticks, screens, charts, facts, start=VALUES // 2, note=_note([("The path", seen)]))


def _matrices(settings, name, problem):
    """The Gram matrix for each of the settings; along C there is but one."""
    K = None
    for setting in settings:
        K = setting.as_kernel()(problem.X) if K is None or name != "C" else K
        yield K


def _fields(seen, settings, name, problem, xs, ys):
    """The decision values on the grid for each of the settings."""
    if name == "C":
        kernel = settings[0].as_kernel()
        return grid.decision(kernel, problem.X, seen.frame_beta, seen.frame_intercept, xs, ys).astype(np.float32)
    return [
        grid.decision(setting.as_kernel(), problem.X, beta, intercept, xs, ys).astype(np.float32)
        for setting, beta, intercept in zip(settings, seen.frame_beta, seen.frame_intercept, strict=True)
    ]
