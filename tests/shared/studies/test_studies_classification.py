"""What the pages say of a machine, against svmcore asked directly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from variants import ALL, LOG_COSH, expanded
from written import numbers_in

from pages.shared.controls import download
from pages.shared.live import comparison, pictures
from pages.shared.screen import edits, own_points
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.screen import Screen
from pages.shared.studies import classification, formatting, results, runs, support
from pages.shared.studies.arrays import FREE, LOWER, UPPER, ZERO
from pages.shared.studies.formatting import number, percent
from pages.shared.studies.source import Source
from svmcore import SVC, duals, losses
from svmcore.solvers import router
from svmcore.studies import plane

DATA = Data("moons", 3, (("n", 80), ("noise", 0.3)), "flip_random", 6)
SETTING = Setting(2.0, "rbf", 0.8, 3, 1.0)
AXIS = np.linspace(-2.0, 2.0, 9)
MARGIN_LEFT = 1e-6  # y f = 1 but for rounding


@pytest.fixture(scope="module", params=router.SOLVABLE)
def studied(request):
    machine = Machine(request.param, tuple(ALL[request.param].items()))
    problem = classification.make_problem(DATA)
    return machine, problem, classification.fit(problem, machine, SETTING, AXIS, AXIS)


def test_support_values_margins_and_slacks(studied):
    machine, problem, now = studied
    model = SVC(machine.loss, dict(machine.params) or None, 2.0, gamma=1 / 0.8**2).fit(problem.X, problem.y)
    beta = expanded(model, 80)
    f = model.decision_function(problem.X)
    points = now.points
    assert points.alpha == pytest.approx(problem.y * beta) and points.margin == pytest.approx(problem.y * f)
    t = 1.0 - problem.y * f
    flat = losses.get(machine.loss)(np.array([-5.0]), **dict(machine.params))[0] == 0.0
    assert points.slack == pytest.approx(np.maximum(t, 0.0) if flat else t)
    assert np.array_equal(points.outlier, problem.outlier) and problem.outlier.sum() == 6
    ys, xs = np.meshgrid(AXIS, AXIS, indexing="ij")
    drawn = model.decision_function(np.column_stack([xs.ravel(), ys.ravel()])).reshape(9, 9)
    assert now.field.f == pytest.approx(drawn, abs=1e-5)


def test_states_are_those_of_the_range_of_a_support_value(studied):
    """C times the range of the slope of the loss, seen from far outside; what has no box is at no bound."""
    machine, problem, now = studied
    low, high = now.bounds
    loss, params = losses.get(machine.loss), dict(machine.params)
    slopes = 2.0 * loss.slope(np.append(np.linspace(-50.0, 50.0, 100_001), [-1e6, 1e-9, 1e6]), **params)
    if machine.loss == "zero_one":
        assert (low, high) == (0.0, np.inf)
    else:
        for bound, slope in ((low, slopes.min()), (high, slopes.max())):
            near = 1e-3 if loss.solved_by == "re-weighting" else 1e-6  # the slope jumps where it is largest
            assert bound == pytest.approx(slope, rel=near) if abs(slope) < 1e5 else np.isinf(bound)
    alpha, state = now.points.alpha, now.points.state
    boxed = loss.solved_by not in (*support.BY_SLOPE, "ADMM")
    assert np.array_equal(state == ZERO, alpha == 0)
    assert np.array_equal(state == UPPER, boxed & (alpha == high))
    assert np.array_equal(state == LOWER, boxed & (alpha == low) & (low < 0))
    assert np.array_equal(state == FREE, (alpha != 0) & (state != UPPER) & (state != LOWER))
    assert np.all((alpha >= low) & (alpha <= high))
    assert now.numbers.n_at_bound == np.sum((state == UPPER) | (state == LOWER))


def test_a_smooth_loss_may_have_support_values_of_both_signs_and_a_slope_that_is_largest_beside_a_jump_is_found():
    for key, params, steepest in (
        ("truncated_least_squares", {"mu": 8.58}, 17.16**0.5), ("rescaled_hinge", {}, 1.5819767),
    ):  # fmt: skip
        loss = losses.get(key)
        assert support.bounds(loss, loss.check(**params), 1.0)[1] == pytest.approx(steepest, rel=1e-7)
    assert support.bounds(LOG_COSH, {}, 2.0) == (-2.0, 2.0)
    y, t = np.array([1.0, -1.0, 1.0]), np.array([-9.0, 0.5, 0.0])
    found = support.support_values(LOG_COSH, {}, 2.0, y, 2.0 * y * np.tanh(t), y * (1.0 - t))
    assert found.bounds == (-2.0, 2.0) and found.state.tolist() == [FREE, FREE, ZERO]


def test_a_slack_beyond_a_wide_zone_is_negative():
    machine = Machine("insensitive_pinball", (("tau", 0.05), ("epsilon", 0.5)))
    now = results.fit(DATA, machine, SETTING._replace(C=1e4, sigma=0.3, kernel="linear"))
    assert now.points.slack == pytest.approx(1.0 - now.points.margin)


def test_the_words_hold_and_only_some_machines_ignore_points(studied):
    """Every word about a point is true of its margin, up to the tolerance of the solver."""
    machine, problem, now = studied
    margin, alpha, close = now.points.margin, now.points.alpha, 2e-3
    loss, params, t = losses.get(machine.loss), dict(machine.params), 1.0 - now.points.margin
    ridge = duals.build(loss, problem.y, 2.0, **params).ridge if loss.key in duals.DUALS else 0.0
    mu, kappa, tau, epsilon = (params.get(name, np.nan) for name in ("mu", "kappa", "tau", "epsilon"))
    holds = {
        "no support vector: y f ≥ 1": margin >= 1 - close,
        "support value zero: y f = 1": np.abs(margin - 1) <= close,
        "at the upper bound: y f ≤ 1": margin <= 1 + close,
        "at the lower bound: y f ≥ 1": margin >= 1 - close,
        "free: y f = 1": np.abs(margin - 1) <= close,
        "free: slack proportional to α": np.abs(1 - margin - ridge * alpha) <= close,
        "no support vector: inside the insensitive zone": np.maximum(t, -tau * t) <= epsilon + close,
        "at the upper bound: slack ≥ ε": t >= epsilon - close,
        "at the lower bound: −τ · slack ≥ ε": -tau * t >= epsilon - close,
        "free: on the edge of the insensitive zone": np.abs(np.maximum(t, -tau * t) - epsilon) <= close,
        "truncated: slack > μ, support value zero": (t > mu) & (alpha == 0),
        "truncated: loss = μ, support value zero": (loss(t, **params) >= mu - close) & (alpha == 0),
        "truncated: slack < −κ, support value zero": (t < -kappa) & (alpha == 0),
        "support value α = C ℓ′(t), the slope of the loss": np.abs(alpha - 2.0 * loss.slope(t, **params)) <= close,
        "support value zero: the loss is flat there": loss.slope(t, **params) < 1e-12,
        "on the margin: y f = 1": np.abs(t) <= MARGIN_LEFT,
        "ignored: y f < 1, support value zero": (t > MARGIN_LEFT) & (alpha == 0),
        "beyond the margin: y f ≥ 1": (t <= MARGIN_LEFT) & (alpha == 0),
    }
    for words, true in holds.items():
        assert np.all(true[now.points.kkt == words]), words
    assert set(now.points.kkt) <= set(holds)
    assert all("upper bound" in words for words in now.points.kkt[now.points.state == UPPER])
    assert all("lower bound" in words for words in now.points.kkt[now.points.state == LOWER])
    kinds = {words.partition(":")[0] for words in now.points.kkt}
    assert ("ignored" in kinds) == (machine.loss == "zero_one")
    assert ("truncated" in kinds) == ("truncated" in machine.loss or loss.solved_by == "CCCP")


def test_words_of_points_that_are_rare():
    """On the margin but for rounding; far beyond it where that costs nothing in the first place; both cuts."""
    y, t = np.ones(4), np.array([1e-9, 1e-3, -9.0, 9.0])
    beta = np.zeros(4)
    kinds = [words.partition(":")[0] for words in support.support_values("zero_one", {}, 1.0, y, beta, 1.0 - t).words]
    assert kinds == ["beyond the margin", "ignored", "beyond the margin", "ignored"]
    for tau, beyond in ((0.0, "no support vector"), (0.5, "truncated")):
        params = {"tau": tau, "kappa": 1.0, "mu": 2.0}
        found = support.support_values("asymmetric_truncated_pinball", params, 1.0, y, beta, 1.0 - t)
        assert [words.partition(":")[0] for words in found.words[2:]] == [beyond, "truncated"]
        assert found.bounds == (-tau, 1.0) and not np.signbit(found.bounds[0] + tau)


def test_the_certificate(studied):
    machine, problem, now = studied
    numbers, loss = now.numbers, losses.get(machine.loss)
    model = classification.estimator(machine, SETTING).fit(problem.X, problem.y)
    assert numbers.converged and numbers.violation <= 1e-3
    assert numbers.status == ("converged" if loss.convex else "local minimum")
    assert (numbers.n_starts, numbers.n_agreed) == (model.n_starts_, model.n_starts_agreed_)
    assert (numbers.n_starts > 1) == (not loss.convex)
    assert numbers.certificate == model.certificate_ and (numbers.certificate is None) == (loss.key != "zero_one")
    squared_norm = numbers.norm**2
    counted = now.f + MARGIN_LEFT * problem.y * (loss.key == "zero_one")
    primal = duals.primal_objective(loss, counted, problem.y, 2.0, squared_norm, **dict(machine.params))
    assert numbers.primal == pytest.approx(primal)
    if loss.solved_by in router.DUAL:
        assert -1e-9 <= numbers.primal - numbers.dual <= 1e-3 * 2.0 * 80
    else:
        assert numbers.dual is None


def test_a_constant_f_has_a_status_and_does_not_break():
    data = Data("toy_outliers", 0, (), "flip_farthest", 2)
    setting = Setting(1e-6, "linear", 1.0, 3, 1.0)
    now, before = (ask(data, Machine("zero_one"), setting) for ask in (results.fit, results.fit_before))
    assert not now.numbers.converged and now.numbers.n_support == 0 and np.ptp(now.field.f) == 0.0
    assert comparison.movement(now, before)[0][1] == "–"
    assert now.numbers.status in pictures.error_caption(now, comparison.movement(now, before)[1])


def test_the_clean_twin_has_the_same_extent_and_no_outliers():
    machine = Machine("hinge")
    far = DATA._replace(contamination="leverage_cluster", amount=5)
    now, before = results.fit(far, machine, SETTING), results.fit_before(far, machine, SETTING)
    assert np.array_equal(now.field.xs, before.field.xs) and np.array_equal(now.field.ys, before.field.ys)
    assert not before.points.outlier.any() and len(before.f) == 80 and len(now.f) == 85
    assert results.fit_before(far._replace(on=False), machine, SETTING) is None
    assert results.fit_before(far._replace(contamination="none"), machine, SETTING) is None


def test_movement_is_measured_against_the_clean_twin():
    data = Data("toy_outliers", 0, (), "flip_farthest", 2)
    setting = Setting(1.0, "linear", 1.0, 3, 1.0)
    machine = Machine("least_squares")
    now, before = results.fit(data, machine, setting), results.fit_before(data, machine, setting)
    (share, turned, change), moved = comparison.movement(now, before)
    cosine = before.w @ now.w / np.linalg.norm(before.w) / np.linalg.norm(now.w)
    assert turned == f"{np.degrees(np.arccos(cosine)):.1f}°"
    models = [SVC(loss="least_squares", kernel="linear").fit(p.points.X, p.points.y) for p in (before, now)]
    assert share == percent(plane.change(*models, before.points.X))
    gaps = now.wrong.astype(float) - before.wrong
    assert gaps.mean() == pytest.approx(now.numbers.test_error - before.numbers.test_error)
    spread = 100 * gaps.std(ddof=1) / np.sqrt(len(gaps))
    assert change == f"{number(100 * gaps.mean(), '+.1f')} ± {number(spread, '.1f')} pp"
    assert share in moved and moved in pictures.error_caption(now, moved)
    assert comparison.movement(now, None)[0] == ["–", "–", "–"]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(*[st.integers(-900, 900)] * 2), max_size=3), st.sampled_from([1.0, 5.0]))
def test_points_put_outside_never_narrow_the_view(places, room):
    base, data = results.base(DATA), DATA._replace(room=room)
    moved = edits.script((-2, -2), [(-1 - k, edits.MOVED, *place) for k, place in enumerate(places)])
    usual, now = classification.view(base, data, 2), classification.view(base, data._replace(edits=moved), 2)
    for before, after, along in zip(usual, now, edits.moved_places(moved).T, strict=True):
        assert after[0] <= min(*before, *along) and max(*before, *along) <= after[1]


def test_the_share_of_the_plane_does_not_depend_on_the_picture():
    data = Data("toy_outliers", 0, (), "flip_farthest", 6)
    pairs = []
    for room in (1.0, 4.0):
        shown = data._replace(room=room)
        found = [ask(shown, Machine("least_squares"), SETTING) for ask in (results.fit_before, results.fit)]
        assert room == 1.0 or found[0].field.xs[0] < pairs[0][0].field.xs[0]
        pairs.append(found)
    shares = [classification.changed_share(*pair) for pair in pairs]
    assert shares[0] == shares[1] > 0.02


def test_machines_on_the_same_test_points_are_judged_in_pairs():
    studies = [results.fit(DATA, Machine(loss), SETTING) for loss in ("hinge", "least_squares", "zero_one")]
    texts = comparison.above_smallest(studies)
    best = texts.index("smallest")
    assert studies[best].numbers.test_error == min(study.numbers.test_error for study in studies)
    for study, text in zip(studies, texts, strict=True):
        if text != "smallest":
            gaps = study.wrong.astype(float) - studies[best].wrong
            spread = 100 * gaps.std(ddof=1) / np.sqrt(len(gaps))
            assert text == f"{number(100 * gaps.mean(), '+.1f')} ± {number(spread, '.1f')} pp"
    untested, barely = ([study._replace(wrong=study.wrong[:n]) for study in studies] for n in (0, 1))
    assert comparison.above_smallest(untested) == [] and classification.error_change(*untested[:2]) == "–"
    assert classification.error_change(*barely[:2]) == "–"  # one pair has no standard error


def test_the_cells_of_a_comparison_are_the_numbers_of_each_machine():
    studies = [results.fit(DATA, Machine(loss), SETTING) for loss in ("hinge", "least_squares")]
    cells = comparison.cells(studies, [comparison.movement(study, None) for study in studies])
    for row, study in enumerate(studies):
        (X, y), alpha = study.points[:2], study.points.alpha
        K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / SETTING.sigma**2)
        expected = {
            "training error": percent(np.mean(y * study.f <= 0)),
            "test error": percent(np.mean(study.wrong)),
            "support vectors": f"{np.sum(alpha != 0)} of {len(y)}",
            "at a bound": f"{np.sum(np.isin(study.points.state, (LOWER, UPPER)))}",
            "Σ |α|": number(np.abs(alpha).sum(), ".4g"),
            "‖w‖": number(np.sqrt((alpha * y) @ K @ (alpha * y)), ".4g"),
            "status": "converged",
        }
        assert {name: cells[f"table-{row}-{name}"] for name in expected} == expected


def test_points_as_csv(studied):
    _, problem, now = studied
    table = np.genfromtxt(download.points_csv(now.points).splitlines(), delimiter=",", names=True)
    assert table.dtype.names == ("x1", "x2", "y", "alpha", "margin", "outlier")
    assert np.array_equal(np.column_stack([table["x1"], table["x2"]]), problem.X)
    assert np.array_equal(table["alpha"], now.points.alpha) and np.array_equal(table["margin"], now.points.margin)


def test_columns_of_words_begin_at_the_left_and_tables_hold_text_not_markup():
    head = ["machine", "measure", "ours", "verdict"]
    rows = [["SVM", "mean |α|", "1 ± 0", "–"], ["SVM", "points", "–", "held"]]
    assert 'class="svm-table svm-left-2 svm-left-4"' in formatting.grid(head, rows)
    rows[1][1] = "3 of them"  # a number among the words
    assert 'class="svm-table svm-left-4"' in formatting.grid(head, rows)
    assert 'class="svm-table"' in formatting.grid(["", "a"], [["x", "−1"], ["y", "±2"], ["z", "<0.1"]])
    assert 'class="svm-table"' in formatting.grid(["", "a"], [])
    for html in (formatting.pairs([("a<b", "&")]), formatting.grid(["a<b"], [["&"]])):
        assert "a&lt;b" in html and "&amp;" in html and "a<b" not in html


# Tables of more than two features


def table(**values):
    """The screen of the problem heart with these values, drawn by a source of its own."""
    return Source(), Screen.read({"problem": "heart", "n": 60, **values})


@pytest.mark.parametrize("kind", ["components", "columns", "w"])
def test_a_point_moves_within_the_slice_and_a_new_one_lies_in_it(kind):
    source, screen = table(slice=kind)
    base = source.problem(screen.data)
    cut, script = base.slice, edits.script((-3, -3), [(7, edits.MOVED, 1500, -250), (-1, edits.MOVED, 500, 0)])
    screen = screen._replace(data=screen.data._replace(edits=script))
    moved = source.problem(screen.data)
    places, rest = cut.places(moved.X), cut.residuals(moved.X)
    assert places[[7, -1]] == pytest.approx(np.array([[1.5, -0.25], [0.5, 0.0]]))
    assert rest[7] == pytest.approx(cut.residuals(base.X)[7]) and rest[-1] == pytest.approx(np.zeros(13))
    assert np.array_equal(np.delete(moved.X[:60], 7, axis=0), np.delete(base.X, 7, axis=0))
    study = source.fit(screen.data, screen.machines[0], screen.setting)
    assert study.points.X == pytest.approx(places) and np.array_equal(study.points.features, moved.X)
    field, model = study.field, classification.estimator(screen.machines[0], screen.setting).fit(moved.X, moved.y)
    grid = np.stack(np.meshgrid(field.xs, field.ys), axis=-1).reshape(-1, 2)
    assert field.f.ravel() == pytest.approx(model.decision_function(cut.lift(grid)), abs=1e-5)
    assert study.values_on(field.xs, field.ys) == pytest.approx(field.f, abs=1e-5)
    assert [np.sum(study.points.depth == k) for k in range(3)] == pytest.approx([20, 20, 20], abs=2)
    share = 100 * cut.unseen(moved.X)
    sentence = classification.slice_sentence(moved)
    assert "13 features" in sentence and f"Not seen: {share:.0f}" in sentence
    others = {"columns": "components", "components": "w", "w": "columns"}
    assert screen.replace("slice", others[kind]).data.edits == edits.NONE


def test_the_slice_stays_while_outliers_are_added():
    source, screen = table(slice="w")
    spoilt = screen.replace("contamination", "flip_farthest").replace("flips", 9)
    first, second = (source.problem(one.data).slice for one in (screen, spoilt))
    assert np.array_equal(first.directions, second.directions)
    assert source.problem(spoilt.data).outlier.sum() == 9
    assert "x3" not in classification.feature_names(Data("iris", 0, ()), own_points.EMPTY)


def test_a_table_without_any_of_its_points_has_a_plane():
    source, screen = table()
    gone = edits.script((-3, -3), [(k, edits.GONE) for k in source.problem(screen.data).ids])
    assert len(classification.bare(source.problem(screen.data._replace(edits=gone))).X) == 0


def test_a_film_shows_the_machine_on_the_slice():
    source, screen = table(slice="columns", across="5", up="8")
    given = runs.solver_input(source.problem(screen.data), screen.machines[0], screen.setting)
    seen = runs.record(given, runs.solvers(given)[0][0])
    film = runs.run(seen, given, source.frames(screen.data), None).screens[0].film
    study = source.fit(screen.data, screen.machines[0], screen.setting)
    assert film.axes == ("cholesterol, standardised", "rate, standardised")
    assert film.points.X == pytest.approx(study.points.X)
    assert film.frames[-1].f == pytest.approx(study.values_on(film.xs, film.ys), abs=2e-3)


def test_a_repeated_point_is_no_neighbour_whose_distance_advises_a_width():
    pairs = np.repeat(np.arange(8.0).reshape(4, 2), 2, axis=0)  # neighbours are sqrt(8) apart
    assert numbers_in(classification.advice(pairs, Setting(1.0, "rbf", sigma=1e3)))[-2:] == [2.8, 8.5]
    assert "memorises" in classification.advice(pairs, Setting(1.0, "rbf", sigma=0.1))
    assert classification.advice(np.ones((4, 2)), Setting(1.0, "rbf", sigma=1.0)) is None


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_an_unbounded_run_is_compared_with_nothing():
    setting = Setting(1e6, "sigmoid", 0.7)
    endless, other = (results.fit(DATA, Machine(loss), setting) for loss in ("squared_hinge", "hinge"))
    assert comparison.above_smallest([endless, other]) == ["–", "smallest"]
    moved, said = comparison.movement(endless, results.fit_before(DATA, Machine("squared_hinge"), setting))
    assert moved == ["–"] * 3 and "%" not in said + pictures.error_caption(endless, said)


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")  # of the numbers in hover boxes
def test_a_machine_with_values_beyond_single_precision_is_drawn():
    screen = Screen.read({"problem": "moons", "loss": "log", "kernel": "poly", "sigma": "1e-9", "C": "1e6"})
    shown = pictures.playground(Source(), screen)
    assert np.abs(shown.studies[0].f).max() > 1e38 and np.isfinite(shown.studies[0].field.f).all()
