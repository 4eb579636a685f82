"""Runs to look at: what the Convergence page shows, as arrays. No Streamlit here, and no branch on the solver."""

from typing import NamedTuple

import numpy as np

from pages.shared import figures
from pages.shared.choices import Machine, Setting
from pages.shared.study import MAX_ITER, TOLERANCE
from svmcore import duals, grid, losses
from svmcore.kernels import Kernel
from svmcore.solvers import trace
from svmcore.watch import curves, path, race, registry, words

SIZE = 80  # grid points each way: sixty frames of them are 0.8 MB
RACING = 60  # of each plane of a race
MOST_POINTS = 1000  # every step is taken on the whole Gram matrix
WINDOW = 30  # single steps shown on either side
VALUES = 41


class Tick(NamedTuple):
    """One moment of the transport: what it is called, sentences on it, and its iteration."""

    label: str
    words: list[str]
    iteration: int


class Screen(NamedTuple):
    """One plane: its name, its Film, and the frame of each tick, -1 for none yet."""

    name: str
    film: figures.Film
    at: list[int]


class Chart(NamedTuple):
    """One chart of lines: `figures.history` takes the rest; `places` (T,) are those of the ticks."""

    title: str
    lines: list[figures.Line]
    xlabel: str
    ylabel: str
    log: bool
    places: list[float]
    level: tuple[float, str] | None = None
    log_x: bool = True


class Show(NamedTuple):
    """All of a film. `facts` are (name, value) pairs about the runs; `start` a tick; `steps` as in `plane.transport`."""

    ticks: list[Tick]
    screens: list[Screen]
    charts: list[Chart]
    facts: list[tuple[str, str]]
    start: int | None = None
    steps: bool | None = None


def given(problem, machine: Machine, setting: Setting) -> trace.Given:
    """What a solver is given; ValueError where the points are too many to watch."""
    if len(problem.y) > MOST_POINTS:
        raise ValueError(
            f"Solvers can be watched on up to {MOST_POINTS} points, this problem has {len(problem.y)}; take fewer."
        )
    return trace.Given.of(setting.as_kernel(), problem.X, problem.y, machine.loss, setting.C, **dict(machine.params))


def solvers(task: trace.Given):
    """(key, title) of every solver that can be watched on this."""
    return [(d.key, d.title) for d in registry.serving(task)]


def serving(loss):
    """(key, title) of every solver that can be watched on a machine with this loss."""
    y = np.array([1.0, -1.0])
    return solvers(trace.Given.of(Kernel("linear"), y[:, None], y, loss, 1.0))


def offered(kind):
    """The losses for which there is something to see: one run, or, of kind "path", a path."""
    return list(duals.DUALS) if kind == "path" else [loss for loss in losses.LOSSES if serving(loss)]


def record(task, solver):
    """The Trace of a run."""
    return registry.DESCRIPTIONS[solver].record(task, tol=TOLERANCE, max_iter=MAX_ITER)


# --------------------------------------------------------------------------------------- one run


def run(problem, setting, task, seen, xs, ys, around=None) -> Show:
    """One run: its frames, or with `around` every single step about that iteration."""
    description = registry.of(seen)
    stops = seen.frame_iter if around is None else _window(seen, around)
    film = _film(problem, setting, task, seen, stops, xs, ys)
    ticks = [_tick(seen, task, int(t)) for t in stops]
    start = None if around is None else int(np.abs(stops - around).argmin())
    steps = None if description.one_shot else around is not None
    charts = [] if description.one_shot else _charts(seen, task, stops)
    return Show(ticks, [Screen(description.title, film, list(range(len(stops))))], charts, _facts(seen), start, steps)


def _window(seen, around):
    known = seen.reachable
    at = int(np.abs(known - around).argmin())
    return known[max(at - WINDOW, 0) : at + WINDOW + 1]


def _film(problem, setting, task, seen, stops, xs, ys, compact=False):
    moments = trace.moments(seen, stops, task)
    fields = grid.decision(setting.as_kernel(), problem.X, moments.beta, moments.intercept, xs, ys).astype(np.float32)
    marks = [registry.of(seen).marks(seen, int(t), task) for t in stops]
    frames = [
        figures.Frame(f, task.y * beta, state, m.points, m.words, m.joined)
        for f, beta, state, m in zip(fields, moments.beta, moments.state, marks, strict=True)
    ]
    points = figures.Points(problem.X, problem.y, outlier=problem.outlier)  # words and rings speak of rows
    return figures.film(xs, ys, frames, points, compact=compact)


def _tick(seen, task, t):
    description = registry.of(seen)
    sentences = [sentence for sentence in description.why(seen, t, task) if sentence]
    return Tick(f"{description.unit} {t:,} of {seen.n_iter:,}", sentences, t)


def _charts(seen, task, stops):
    measured = curves.curves(seen, task)
    places = [float(t) for t in stops]
    xlabel = f"{registry.of(seen).unit}s"
    best = np.nanmax(measured.dual) if np.isfinite(measured.dual).any() else np.nan
    x = measured.iteration
    rows = (
        np.unique(np.geomspace(1, max(len(seen.iteration) - 1, 1), 400).astype(int)) if len(seen.iteration) > 1 else [0]
    )
    dense, violation = seen.iteration[rows], seen.violation[rows]
    return [
        Chart(
            "Objective: distance to the end",
            [
                figures.Line("dual objective still to gain", dense, _to_gain(seen, rows, best), 0),
                figures.Line("primal − dual, the gap", x, measured.gap, 1),
            ],
            xlabel,
            "distance",
            True,
            places,
        ),
        Chart(
            "Violation of the optimality conditions",
            [figures.Line("violation", dense, violation, 0)],
            xlabel,
            "violation",
            True,
            places,
            (seen.tol, f"tolerance {seen.tol:g}") if np.isfinite(seen.tol) else None,
        ),
        Chart(
            "Support values",
            [
                figures.Line("free", x, measured.n_free, 0),
                figures.Line("at a bound", x, measured.n_bound, 1),
                figures.Line("zero", x, measured.n_zero, 2),
            ],
            xlabel,
            "points",
            False,
            places,
        ),
        Chart(
            "Training error",
            [figures.Line("training error", x, 100 * measured.training_error, 0)],
            xlabel,
            "%",
            False,
            places,
        ),
    ]


def _to_gain(seen, rows, best):
    """How far the dual objective is below its end; the solver minimises its negative."""
    return seen.objective[rows] + best


def _facts(seen):
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
    contest = race.race([race.Entrant(*entrant) for entrant in entrants], tol=TOLERANCE, max_iter=MAX_ITER)
    times, at = contest.ticks(clock)
    screens, lines, facts = [], [], []
    for k, (seen, (label, _, task)) in enumerate(zip(contest.traces, entrants, strict=True)):
        film = _film(problem, setting, task, seen, seen.frame_iter, xs, ys, compact=True)
        screens.append(Screen(label, film, at[k].tolist()))
        measured = curves.curves(seen, task)
        lines.append(figures.Line(label, contest.clock(k, clock), measured.violation, k))
        facts.append((label, f"{seen.status} after {seen.n_iter:,}, {1e3 * contest.seconds[k]:.3g} ms unwatched"))
    ticks = [
        Tick(_time(time, clock), [_standing(contest, k, at[k, tick]) for k in range(len(entrants))], tick)
        for tick, time in enumerate(times)
    ]
    chart = Chart(
        "Violation", lines, clock, "violation", True, [float(t) for t in times], (TOLERANCE, f"tolerance {TOLERANCE:g}")
    )
    return Show(ticks, screens, [chart], facts)


def _time(time, clock):
    return f"{time:,.0f} iterations" if clock == "iterations" else f"{1e3 * time:.3g} ms"


def _standing(contest, k, frame):
    seen, label = contest.traces[k], contest.labels[k]
    if frame < 0:
        return f"{label}: nothing yet."
    t = int(seen.frame_iter[frame])
    row = int(np.searchsorted(seen.iteration, t))
    ended = f" It ended: {seen.status}." if t == seen.n_iter else ""
    unit = registry.of(seen).unit
    return f"{label}: {unit} {t:,} of {seen.n_iter:,}, violation {words.number(seen.violation[row])}.{ended}"


# ------------------------------------------------------------------------------------------ path


def along(problem, machine, setting, name, xs, ys) -> Show:
    """The regularisation path over C or sigma, three tenfolds either way of the setting's own value."""
    own = setting.C if name == "C" else setting.sigma
    reach = 3 if name == "C" else 1.5
    values = own * np.logspace(-reach, reach, VALUES)
    kernel, params = setting.as_kernel(), dict(machine.params)
    seen = path.path(
        kernel, problem.X, problem.y, machine.loss, params, values=values, name=name, C=setting.C,
        X_test=problem.X_test if len(problem.X_test) else None, y_test=problem.y_test, tol=TOLERANCE,
    )  # fmt: skip
    frames = []
    for k, value in enumerate(values):
        at_value = setting._replace(**{name: float(value)}).as_kernel()
        beta = seen.frame_beta[k]
        f = grid.decision(at_value, problem.X, beta, seen.frame_intercept[k], xs, ys).astype(np.float32)
        frames.append(figures.Frame(f, problem.y * beta, seen.events["state"][k]))
    points = figures.Points(problem.X, problem.y, outlier=problem.outlier)  # words and rings speak of rows
    film = figures.film(xs, ys, frames, points)
    ticks = [Tick(f"{name} = {value:.3g}", path.why(seen, k + 1, None), k + 1) for k, value in enumerate(values)]
    symbol, places = ("C" if name == "C" else "σ"), values.tolist()
    errors = [figures.Line("training error", values, 100 * seen.events["training_error"], 0)]
    if np.isfinite(seen.events["test_error"]).any():
        errors.append(figures.Line("test error", values, 100 * seen.events["test_error"], 1))
    support = [figures.Line("support vectors", values, seen.events["n_support"], 0)]
    charts = [
        Chart("Error", errors, symbol, "%", False, places),
        Chart("Support vectors", support, symbol, "points", False, places),
    ]
    facts = [("status", seen.status), ("values", f"{VALUES}, {symbol} from {values[0]:.3g} to {values[-1]:.3g}")]
    middle = VALUES // 2
    return Show(ticks, [Screen(machine.name, film, list(range(VALUES)))], charts, facts, middle)
