"""What the Convergence page shows, as arrays: every solver on every loss, windows, races, paths, refusals."""

import csv
import functools

import numpy as np
import pytest
from variants import VARIANTS
from written import numbers_in

from pages.shared.figures.drawing import with_films
from pages.shared.panels import player
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import classification, runs
from pages.shared.studies.arrays import Field
from pages.shared.studies.show import FilmStep, heights
from svmcore import SVC, SparseLSSVC, duals, losses
from svmcore.status import Status
from svmcore.watch import registry, sentences, trace

DATA = Data("moons", 3, (("n", 60), ("noise", 0.3)))
PROBLEM = classification.make_problem(DATA)
SETTING = Setting(2.0, "rbf", 0.8, 3, 1.0)
AXIS = np.linspace(-2.0, 3.0, 9)
PLANE = Field(AXIS, AXIS)
RUNS = [
    (Machine(loss, tuple(params.items())), key)
    for loss, params in VARIANTS
    for key, _ in runs.solver_titles(loss)
    if key != "isls"  # on its way to another machine: see below
]  # fmt: skip
all_runs = pytest.mark.parametrize("machine, solver", RUNS, ids=[f"{m.loss}-{key}" for m, key in RUNS])


@functools.cache
def task_and_seen(machine, solver):
    task = runs.solver_input(PROBLEM, machine, SETTING)
    return task, runs.record(task, solver)


@functools.cache
def seen_and_shown(machine, solver, around=None):
    task, seen = task_and_seen(machine, solver)
    return task, seen, with_films(runs.run(seen, task, PLANE, around))


def values(film, k, name="alpha"):
    return film.details[name][k]


@all_runs
def test_a_run_shows_its_machine(machine, solver):
    task, seen, what = seen_and_shown(machine, solver)
    (screen,), description = what.screens, registry.DESCRIPTIONS[solver]
    film = screen.film
    assert screen.name == description.words.title and what.note == "" and what.beyond == (False, False)
    assert len(what.ticks) == len(film.z) == len(screen.at) <= 60 and screen.at == list(range(len(film.z)))
    assert [tick.iteration for tick in what.ticks] == seen.frame_iter.tolist()
    for tick, k in zip(what.ticks, screen.at, strict=True):
        assert tick.label == f"{description.words.unit} {tick.iteration:,} of {seen.n_iter:,}"
        told = [film.marks[k]["sentence"]] if film.marks[k]["sentence"].endswith("sign is shown there.") else []
        assert tick.words == [*description.why(seen, tick.iteration, task), *told]
        assert values(film, k) == pytest.approx(PROBLEM.y * seen.frame_beta[k], rel=1e-6)
        assert np.array_equal(values(film, k, "state"), duals.box_state(task.qp, seen.frame_beta[k]))
    # the last frame is the machine
    model = SVC(machine.loss, dict(machine.params) or None, 2.0, gamma=1 / 0.8**2).fit(PROBLEM.X, PROBLEM.y)
    f = model.decision_function(PROBLEM.X)
    assert values(film, -1, "margin") == pytest.approx(PROBLEM.y * f, abs=0.02)
    ys, xs = np.meshgrid(AXIS, AXIS, indexing="ij")
    drawn = model.decision_function(np.column_stack([xs.ravel(), ys.ravel()])).reshape(9, 9)
    assert film.z[-1] * film.unit[-1] == pytest.approx(np.clip(drawn, -4, 4), abs=0.02)
    if description.one_shot:
        assert what.charts == [] and what.steps is None and len(what.ticks) == 1
        sentence = " ".join(what.ticks[0].words)
        assert sentence.startswith("One factorisation of a 60 x 60 matrix") and " ms" in sentence
    else:
        assert what.steps is False and len(what.charts) == 4


@all_runs
def test_the_curves_belong_to_the_frames(machine, solver):
    task, seen, what = seen_and_shown(machine, solver)
    if not what.charts:
        return
    objective, violation, support, error = what.charts
    for chart in what.charts:
        assert chart.places == [tick.iteration for tick in what.ticks]
        assert chart.xlabel == f"{registry.DESCRIPTIONS[solver].words.unit}s"
    assert objective.log and violation.log and violation.level == (1e-3, "tolerance 0.001")
    gain, gap = objective.lines
    assert gain.y[0] == pytest.approx(seen.objective[0] - seen.objective[-1]) and gain.y.min() == 0.0
    primal = [_primal(task, machine, beta, b) for beta, b in zip(seen.frame_beta, seen.frame_intercept, strict=True)]
    dual = [duals.dual_objective(task.qp, task.K @ beta, beta) for beta in seen.frame_beta]
    assert gap.y == pytest.approx(np.subtract(primal, dual), abs=1e-8)
    assert violation.lines[0].y[-1] == seen.violation[-1] <= 1e-3
    free, bound, zero = (line.y for line in support.lines)
    for k in range(len(what.ticks)):
        state = values(what.screens[0].film, k, "state")
        assert (free[k], zero[k]) == (np.sum(state == duals.FREE), np.sum(state == duals.ZERO))
        assert free[k] + bound[k] + zero[k] == 60
        margin = values(what.screens[0].film, k, "margin")
        if np.abs(margin).min() > 1e-5:  # at f = 0 a float32 does not know its side
            assert error.lines[0].y[k] == pytest.approx(100 * np.mean(margin < 0))


def _primal(task, machine, beta, intercept):
    f, params = task.K @ beta + intercept, dict(machine.params)
    return duals.primal_objective(machine.loss, f, task.y, task.C, beta @ task.K @ beta, **params)


def test_a_run_to_the_sparse_machine():
    task, seen, what = seen_and_shown(Machine("least_squares"), "isls")
    (screen,), last = what.screens, seen.iterates[-1]
    model = SparseLSSVC(C=2.0, gamma=1 / 0.8**2, tol=1e-3, stop="strict").fit(PROBLEM.X, PROBLEM.y)
    assert np.flatnonzero(np.abs(last) > 1e-6).tolist() == model.support_.tolist()
    assert values(screen.film, -1, "margin") == pytest.approx(PROBLEM.y * model.decision_function(PROBLEM.X), abs=0.02)
    assert values(screen.film, 0) == pytest.approx(PROBLEM.y * seen.iterates[0], rel=1e-6)
    titles = [chart.title for chart in what.charts]
    assert titles[0].startswith("Objective") and "Step" in titles[-1]
    (gain,) = what.charts[0].lines  # no dual, no gap
    assert gain.name == "objective" and np.all(np.diff(gain.y[1:]) < 0.0)
    left = what.charts[-2].lines[0].y
    assert left[0] == 60 and left[-1] == len(model.support_) and np.all(np.diff(left) <= 0)
    crossed = [mark["crossed"] for mark in screen.film.marks]
    assert sum(map(len, crossed)) == 60 - len(model.support_)


def test_what_a_run_does_not_have_is_not_named():
    _, seen, what = seen_and_shown(Machine.from_loss("insensitive_pinball"), "halves_first")
    assert what.charts[0].lines[0].name == "dual objective"  # with two coefficients a point, too
    unknown = seen._replace(violation=np.full(len(seen.violation), np.nan))
    assert sentences.end_sentence(unknown).endswith(f": {seen.status}.")
    assert dict(runs.facts_of(unknown))["violation, tolerance"] == "–, 0.001"
    _, _, what = seen_and_shown(Machine.from_loss("welsch"), "half_quadratic_convex")
    (screen,) = what.screens  # a loss that is constant nowhere has no band
    assert "band" not in " ".join(what.ticks[-1].words) and "not constant" not in str(screen.film.figure.layout)
    _, _, what = seen_and_shown(Machine.from_loss("rescaled_hinge"), "half_quadratic_convex")
    assert "y f below 1 (" in what.ticks[-1].words[-1]


@pytest.mark.parametrize("loss, params", VARIANTS)
def test_the_words_of_a_tick_agree_with_its_frames(loss, params):
    """Single steps: gains, states, rings and the pair's length, read from the sentences and from the pictures."""
    _, seen, what = seen_and_shown(Machine(loss, tuple(params.items())), "smo_first", around=10)
    film = what.screens[0].film
    for k in range(1, len(what.ticks)):
        tick, before, now = what.ticks[k], values(film, k - 1, "state"), values(film, k, "state")
        i, j = map(int, numbers_in(tick.words[0])[:3:2])
        assert film.marks[k]["ringed"] == [i, j] and film.marks[k]["words"] == ["up", "down"]
        ((a, b, length),) = film.marks[k]["joined"]
        beta = PROBLEM.y * (values(film, k) - values(film, k - 1))
        assert (a, b) == (i, j) and beta[i] == pytest.approx(length, abs=1e-6) == pytest.approx(-beta[j], abs=1e-6)
        assert np.flatnonzero(beta).tolist() in (sorted((i, j)), [])
        before_it, objective = seen.objective[tick.iteration - 1 : tick.iteration + 1]
        assert numbers_in(tick.words[4]) == pytest.approx([before_it - objective, objective], rel=0.006, abs=1e-9)
        assert sentences.state_changes(before, now) in tick.words


# ------------------------------------------------------------------------------------------------- windows


@pytest.mark.parametrize("loss, solver", [("ramp", "cccp_convex"), ("zero_one", "admm_robust")])
def test_a_solver_has_charts_of_its_own(loss, solver):
    task, seen, what = seen_and_shown(Machine(loss), solver)
    assert what.note == "" and seen.status == "local minimum"
    own = {chart.title: chart for chart in what.charts}
    for title, unit, log, names in registry.DESCRIPTIONS[solver].words.charts:
        chart = own[title]
        assert (chart.ylabel, chart.log) == (unit, log)
        assert [line.name for line in chart.lines] == [runs.NAMES.get(name, name) for name in names]
        for line, name in zip(chart.lines, names, strict=True):
            column = seen.events[name][np.searchsorted(seen.iteration, line.x)]
            assert np.array_equal(line.y, column, equal_nan=True)
    assert len(what.charts) == 4 + len(registry.DESCRIPTIONS[solver].words.charts)


@pytest.mark.parametrize("loss, solver", [("ramp", "cccp_convex"), ("zero_one", "admm_robust")])
def test_every_step_shows_what_happens_within(loss, solver):
    task, seen, what = seen_and_shown(Machine(loss), solver, around=3)
    description, film = registry.DESCRIPTIONS[solver], what.screens[0].film
    first, *_ = names = list(description.words.substeps)
    reach = runs.WINDOW // len(names)
    final = min(3 + reach, seen.n_iter)
    expected = [(0, "", 1.0)] + [(t, name, (k + 1) / 3) for t in range(1, final + 1) for k, name in enumerate(names)]
    assert [tick.iteration for tick in what.ticks] == [t for t, *_ in expected] and len(what.ticks) <= 60
    assert what.charts[0].places == pytest.approx([t - 1 + share for t, _, share in expected])
    assert what.beyond == (False, final < seen.n_iter)
    nexts = []
    for k, (tick, (t, name, share)) in enumerate(zip(what.ticks, expected, strict=True)):
        head = f"{description.words.unit} {t} of {seen.n_iter}"
        assert tick.label == (f"{head}: {name}" if name else head)
        shown = t if share in (2 / 3, 1.0) and (solver.startswith("admm") or share == 1.0) else t - 1
        assert values(film, k) == pytest.approx(PROBLEM.y * seen.iterates[shown], rel=1e-6)
        marked = film.marks[k]
        assert marked["sentence"] in tick.words and f"{len(marked['crossed'])} point" in marked["sentence"]
        nexts.append(tick.words[-1])
    for name, after in zip(nexts[:-1], expected[1:], strict=True):
        begins = f", of {description.words.unit} {after[0]}" if after[1] == first else ""
        assert name == f"Next: {after[1]}{begins}."  # each is named before it happens
    assert (sentences.end_sentence(seen) in what.ticks[-1].words) == (final == seen.n_iter)
    assert nexts[-1].startswith("Next: ") == (final < seen.n_iter)
    whole = with_films(runs.run(seen, task, PLANE))
    assert not any("Next:" in sentence for tick in whole.ticks for sentence in tick.words)


def test_the_box_of_a_point_moves():
    _, seen, what = seen_and_shown(Machine("ramp", (("mu", 0.5),)), "cccp_convex", around=1)
    boxes = what.screens[0].film.details["box"]
    assert np.all(np.isnan(boxes[0])) and len(boxes) == len(what.ticks)
    for k, tick in enumerate(what.ticks[1:], start=1):
        # the second sub-step moves it, the third keeps it
        t = tick.iteration - (1 if tick.label.endswith("truncated points") else 0)
        assert np.array_equal(boxes[k], trace.box(seen, t).astype(np.float32), equal_nan=True)
    assert np.any(boxes[-1] != boxes[1])
    assert seen_and_shown(Machine("hinge"), "smo_first")[2].screens[0].film.details["box"] is None


def test_windows_hold_every_step_and_know_what_lies_beyond():
    machine = Machine("hinge")
    _, seen, whole = seen_and_shown(machine, "smo_first")
    assert seen.n_iter > 70
    for around, first, final, beyond in (
        (0, 0, 29, (False, True)),
        (35, 6, 64, (True, True)),
        (seen.n_iter, seen.n_iter - 29, seen.n_iter, (True, False)),
        (10**12, seen.n_iter - 29, seen.n_iter, (True, False)),
    ):
        _, _, what = seen_and_shown(machine, "smo_first", around)
        assert [tick.iteration for tick in what.ticks] == list(range(first, final + 1))
        assert what.beyond == beyond and what.steps is True
        for k, tick in enumerate(what.ticks):  # the same moment is the same picture in the whole film
            if tick.iteration in seen.frame_iter:
                frame = seen.frame_iter.tolist().index(tick.iteration)
                assert np.array_equal(what.screens[0].film.z[k], whole.screens[0].film.z[frame])


@pytest.mark.filterwarnings("error")
def test_heights_are_places_on_the_axis_of_the_objective():
    assert heights([3.0, 1.0, 2.0]).tolist() == [1.0, 0.0, 0.5]
    assert heights([100.0, 0.0, 1.0, 10.0], log=True) == pytest.approx([1.0, 0.0, 0.0, 0.5])
    assert np.array_equal(heights([np.nan, 2.0, np.inf, 4.0]), [np.nan, 0.0, np.nan, 1.0], equal_nan=True)
    assert np.array_equal(heights([np.nan, 1.0, 10.0], log=True), [np.nan, 0.0, 1.0], equal_nan=True)
    for same in ([5.0, 5.0], [0.0, 0.0]):
        assert heights(same).tolist() == heights(same, log=True).tolist() == [0.0, 0.0]
    assert np.isnan(heights([np.nan, np.nan], log=True)).all()


def test_a_moment_has_the_place_of_its_objective_in_the_whole_run():
    _, _, whole = seen_and_shown(Machine("hinge"), "smo_first", None)
    _, _, part = seen_and_shown(Machine("hinge"), "smo_first", 35)
    high = {tick.iteration: tick.height for tick in whole.ticks}
    assert high[0] == 1.0 and whole.ticks[-1].height == 0.0
    assert list(high.values()) == sorted(high.values(), reverse=True)  # no step makes the dual objective worse
    single = {}
    for tick in part.ticks:
        single[tick.iteration] = tick.height  # that of the last of its sub-steps
    assert len(set(single.values())) > 20
    shared = high.keys() & single.keys()
    assert shared and all(high[t] == single[t] for t in shared)


def test_a_request_becomes_a_start_and_from_a_sub_step_leads_to_its_neighbour():
    for loss, solver in (("hinge", "smo_first"), ("zero_one", "admm_robust")):
        _, _, what = seen_and_shown(Machine(loss), solver, 5)
        at = [k for k, tick in enumerate(what.ticks) if tick.iteration == 5]
        ends = [((0, -1), 0), *(((10**9, by), len(what.ticks) - 1) for by in (0, 1))]
        for request, start in (((5, 0), at[-1]), ((5, 1), at[-1] + 1), ((5, -1), at[0] - 1), *ends):
            assert player._start(what, player.FilmRequest(True, *request)) == start
        assert player._start(what, None) is None


def test_a_wish_makes_a_film_new_but_not_its_run(monkeypatch):
    sent = []
    monkeypatch.setattr(player.component, "transport", lambda ticks, **result: sent.append((ticks, result)))
    monkeypatch.setattr(player, "first_moment", lambda *film: None)  # there is no link here
    tick = FilmStep("round 1", ["one"], 1)
    for ticks, of, wanted in ((1, "a", None), (1, "a", (True, 5, 1)), (2, "a", None), (1, "b", None)):
        assert player.transport([tick] * ticks, "film", of, wanted, speed=2) == sent[-1][1]["version"]
    assert sent[0][0] == [{"label": "round 1", "words": ["one"], "iteration": 1, "height": None}]
    assert {(result["key"], result["speed"]) for _, result in sent} == {("film", 2)}
    assert len({result["version"] for _, result in sent}) == 4
    named = [result["run"] for _, result in sent]
    assert named[0] == named[1] == named[2] != named[3]


# -------------------------------------------------------------------------------------------- races and paths


@pytest.mark.parametrize("clock", ["iterations", "seconds"])
def test_a_race_shows_the_state_of_each_run(clock):
    machine = Machine("least_squares")
    task = runs.solver_input(PROBLEM, machine, SETTING)
    entrants = [(key, key, task) for key in ("smo_first", "smo_second", "cg", "direct")]
    what = with_films(runs.compete(entrants, PLANE, clock))
    assert [screen.name for screen in what.screens] == [key for key, *_ in entrants] and what.steps is None
    assert all(screen.film.details is None for screen in what.screens)
    (chart,) = what.charts
    assert chart.places == sorted(chart.places) and len(chart.places) == len(what.ticks) <= 60
    for screen, line in zip(what.screens, chart.lines, strict=True):
        assert len(screen.at) == len(what.ticks) and max(screen.at) == len(screen.film.z) - 1
        for place, frame in zip(chart.places, screen.at, strict=True):
            assert frame == np.sum(line.x <= place * (1 + 1e-12)) - 1
    assert what.screens[3].at[0] == -1 and numbers_in(what.ticks[0].words[3]) == []
    for k, sentence in enumerate(what.ticks[-1].words):
        assert Status.CONVERGED in sentence and what.facts[k][1].startswith(Status.CONVERGED)
    violation = numbers_in(what.ticks[1].words[0])[-1]
    assert violation == pytest.approx(chart.lines[0].y[what.screens[0].at[1]], rel=0.006)


def test_the_film_marks_the_outliers_of_the_problem():
    spoiled = classification.make_problem(DATA._replace(contamination="flip_random", amount=4))
    given = runs.solver_input(spoiled, Machine("hinge"), SETTING)
    film = runs.run(runs.record(given, "smo_first"), given, PLANE).screens[0].film
    assert spoiled.outlier.any() and np.array_equal(film.points.outlier, spoiled.outlier)


@pytest.mark.parametrize("name", ["C", "sigma"])
@pytest.mark.parametrize("loss, params", VARIANTS)
def test_every_frame_of_a_path_is_the_machine_of_its_value(loss, params, name):
    machine = Machine(loss, tuple(params.items()))
    what = with_films(runs.path_film(runs.solver_input(PROBLEM, machine, SETTING), name, PLANE))
    assert len(what.ticks) == 41 and what.start == 20 and what.note == ""
    error, support = what.charts
    assert [line.name for line in error.lines] == ["training error", "test error"]
    film, (ys, xs) = what.screens[0].film, np.meshgrid(AXIS, AXIS, indexing="ij")
    grid = np.column_stack([xs.ravel(), ys.ravel()])
    for k in (0, 13, 20, 40):
        value = error.places[k]
        assert what.ticks[k].label == f"{'C' if name == 'C' else 'σ'} = {sentences.number(value)}"
        assert what.ticks[k].words[0].startswith(f"{what.ticks[k].label}: converged")
        C, sigma = (value, 0.8) if name == "C" else (2.0, value)
        model = SVC(loss, params or None, C, gamma=sigma**-2).fit(PROBLEM.X, PROBLEM.y)
        f = model.decision_function(grid).reshape(9, 9)
        assert film.z[k] * film.unit[k] == pytest.approx(np.clip(f, -4, 4), abs=0.05)
        assert values(film, k, "margin") == pytest.approx(PROBLEM.y * model.decision_function(PROBLEM.X), abs=0.05)
        assert error.lines[1].y[k] == pytest.approx(100 * (1 - model.score(PROBLEM.X_test, PROBLEM.y_test)), abs=0.7)
        assert support.lines[0].y[k] == np.count_nonzero(values(film, k))
        assert numbers_in(what.ticks[k].words[1])[-1] == pytest.approx(error.lines[1].y[k], abs=0.06)
    assert error.places[20] == pytest.approx(2.0 if name == "C" else 0.8)


# --------------------------------------------------------------------------------------------------- refusals


def test_at_the_cap_it_says_so(monkeypatch):
    monkeypatch.setattr(runs, "LIMIT", {"max_iter": 3})
    for loss, solver in (("hinge", "smo_second"), ("least_squares", "cg")):
        task = runs.solver_input(PROBLEM, Machine(loss), SETTING)
        what = with_films(runs.run(runs.record(task, solver), task, PLANE))
        assert ("status", "iteration limit") in what.facts and "iteration limit" in what.note
        assert "iteration limit" in what.ticks[-1].words[-1]
        assert not any("converged" in sentence for tick in what.ticks for sentence in tick.words)
        assert what.ticks[-1].label.endswith(" 3 of 3")


def test_what_can_be_watched_of_a_loss_and_what_cannot_be_shown_is_a_sentence():
    assert runs.recordable_losses("path") == list(duals.DUALS) and runs.recordable_losses("run") == list(losses.LOSSES)
    assert "isls" in dict(runs.solver_titles("least_squares")) and "isls" not in dict(runs.rivals("least_squares"))
    assert not {key for loss in losses.LOSSES for key, _ in runs.solver_titles(loss)} & {"path_C", "path_sigma"}
    crowd = classification.make_problem(Data("moons", 0, (("n", 1100), ("noise", 0.2))))
    with pytest.raises(ValueError, match="up to 1000 points, and this problem has 1100; use fewer"):
        runs.solver_input(crowd, Machine("hinge"), SETTING)
    with pytest.raises(ValueError, match="No solver of the .* can be recorded with these settings"):
        runs.solvers(runs.solver_input(PROBLEM, Machine("hinge"), SETTING)._replace(qp=None))


# ---------------------------------------------------------------------------------------------- files and racks


def test_the_curves_come_back_from_their_file_and_the_size_of_an_exported_film_is_reported():
    _, _, what = seen_and_shown(Machine("hinge"), "smo_first")
    head, *rows = csv.reader(player.curves_csv(what.charts).splitlines())
    assert head == ["chart", "curve", "x", "y"]
    for chart in what.charts:
        for line in chart.lines:
            result = [(float(x), float(y)) for title, name, x, y in rows if (title, name) == (chart.title, line.name)]
            assert result == list(zip(map(float, line.x), map(float, line.y), strict=True))
    document = player.film_html(what.screens[0], what.ticks)
    assert player.megabytes(what.screens[0].film) == pytest.approx(len(document) / 1e6, rel=0.15)


def test_a_film_of_a_race_names_each_frame_by_its_first_moment():
    task = runs.solver_input(PROBLEM, Machine("least_squares"), SETTING)
    entrants = [(key, key, task) for key in ("smo_first", "direct")]
    what = with_films(runs.compete(entrants, PLANE, "iterations"))
    document = player.film_html(what.screens[1], what.ticks)
    assert document.count('"label":"1 iteration"') == 1 and '"label":"0 iterations"' not in document


def test_the_grid_leaves_room_for_sixty_frames():
    assert [classification.film_size(n) for n in (40, 500, 501)] == [80, 80, 60]
    assert [classification.film_size(360, screens) for screens in (2, 3, 4)] == [60, 44, 44]
