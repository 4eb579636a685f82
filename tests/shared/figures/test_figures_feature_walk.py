"""Pictures of the walk: balls touch level lines, every frame is its round, weights are those of the solver."""

from itertools import islice

import numpy as np
import pytest
from specimens import trace
from written import numbers_in

from pages.shared.figures import palette
from pages.shared.figures.charts.weights import weights_figure
from pages.shared.figures.drawing import film_of
from pages.shared.screen.choices import Walk
from pages.shared.studies import feature_walk
from svmcore.problems import features
from svmcore.solvers import reweighting

ASKED = Walk(100, 5, 0, 0.03, 12)
NAMES = ("feature 1", "feature 93")


@pytest.fixture(scope="module")
def steps():
    return feature_walk.follow(ASKED)


@pytest.fixture(scope="module")
def flat(steps):
    return feature_walk.in_the_plane(steps, ASKED)


@pytest.fixture(scope="module")
def film(flat):
    return film_of(feature_walk.balls(flat, ASKED, NAMES))


def error(flat, w):
    return ASKED.C * np.maximum(1.0 - flat.y * (flat.X @ w), 0.0).sum()


def test_the_two_features_are_the_first_and_the_most_deceptive(steps, flat):
    j = feature_walk.deceptive(steps, 5)
    assert j == 5 + np.argmax(np.abs(steps.w[0, 5:]))
    assert np.array_equal(flat.X, steps.X[:, [0, j]])
    assert feature_walk.deceptive(steps, 200) == 199


def test_the_ellipse_goes_through_the_optimum_and_stays_within_the_level_line(flat, film):
    """Tangency: on the ellipse no place has a smaller error than the optimum has."""
    for t in range(12):
        x, y = (film.moves["re-weighted"][axis][t].astype(float) for axis in "xy")
        before = np.ones(2) if t == 0 else np.abs(flat.w[t - 1])
        value = flat.w[t] ** 2 @ (1.0 / before)
        assert x**2 / before[0] + y**2 / before[1] == pytest.approx(np.full(len(x), value), rel=1e-4)
        on_it = [error(flat, np.array(place)) for place in zip(x, y, strict=True)]
        assert min(on_it) >= error(flat, flat.w[t]) - 1e-4
        assert film.moves["touched"]["level"][t] == pytest.approx(error(flat, flat.w[t]), rel=1e-12)
    first = trace(film.figure, "2-norm")
    assert np.hypot(first.x, first.y) == pytest.approx(np.full(len(first.x), np.hypot(*flat.w[0])), rel=1e-6)


def test_the_diamond_is_the_one_norm_through_the_optimum_and_the_way_grows_by_a_place_a_round(flat, film):
    for t in range(12):
        x, y = (film.moves["1-norm"][axis][t] for axis in "xy")
        assert np.abs(x) + np.abs(y) == pytest.approx(np.full(5, np.abs(flat.w[t]).sum()), rel=1e-6)
        assert (x[0], y[0]) == (x[-1], y[-1]) and x.min() == -x.max()
        x, y = (film.moves["walk"][axis][t] for axis in "xy")
        assert np.array_equal(np.isnan(x), np.arange(12) > t) and np.array_equal(np.isnan(y), np.isnan(x))
        assert x[t] == pytest.approx(flat.w[t, 0]) and y[t] == pytest.approx(flat.w[t, 1])
        assert film.moves["now"]["x"][t] == pytest.approx([flat.w[t, 0]])
    end = trace(film.figure, "1-norm SVM")
    assert (end.x[0], end.y[0]) == pytest.approx(flat.exact.details.w, abs=1e-6)


def test_the_figure_shows_the_last_round_and_the_whole_of_every_ball(film):
    for name, moved in film.moves.items():
        drawn = trace(film.figure, name)
        if "level" in moved:
            assert drawn.contours.start == drawn.contours.end == moved["level"][-1]
        else:
            assert np.array_equal(drawn.x, moved["x"][-1], equal_nan=True)
    low, high = film.figure.plotly.layout.xaxis.range
    assert low == -high and film.figure.plotly.layout.yaxis.scaleanchor == "x"
    for name in ("re-weighted", "1-norm"):
        assert np.abs(film.moves[name]["x"]).max() < high and np.abs(film.moves[name]["y"]).max() < high


def test_the_field_behind_it_is_the_error(flat, film):
    lines = trace(film.figure, "error")
    for r, c in ((0, 0), (20, 70), (89, 44)):
        assert lines.z[r][c] == pytest.approx(error(flat, np.array([lines.x[c], lines.y[r]])), rel=1e-4)
    assert np.array_equal(trace(film.figure, "touched").z, lines.z)


def test_it_says_what_it_shows(film):
    text = film.figure.alt
    assert all(part in text for part in (*NAMES, "12 rounds", "circle in round 1"))
    assert len(film.marks) == 12 and film.marks[0]["sentence"].startswith("Now: w = (0.")


def test_a_walk_to_nothing_is_drawn_too():
    asked = Walk(100, 20, 1, 1e-3, 4)  # C so small that the 1-norm SVM has no weights
    steps = feature_walk.follow(asked)
    assert not steps.exact.details.w.any() and steps.exact_accuracy == 0.5
    flat = feature_walk.in_the_plane(steps, asked)
    film = film_of(feature_walk.balls(flat, asked, NAMES))
    assert np.isfinite(film.moves["re-weighted"]["x"]).all()
    relevant = np.arange(200) < 20
    figure = weights_figure(np.abs(steps.w), relevant, np.abs(steps.exact.details.w), xlabel="round")
    assert numbers_in(figure.alt)[-2:] == [0, 1]  # of the 1-norm SVM


# ------------------------------------------------------------------------------------------ weights


def test_the_weights_are_one_line_a_feature_in_the_colour_of_its_kind(steps):
    relevant = np.arange(200) < 5
    figure = weights_figure(np.abs(steps.w), relevant, np.abs(steps.exact.details.w), xlabel="round")
    for name, count, ink in (("relevant", 5, "variant-2"), ("irrelevant", 195, "muted")):
        drawn = trace(figure, name)
        assert drawn.line.color == palette.colour(ink)
        y = np.asarray(drawn.y, float).reshape(count, 13)
        assert np.isnan(y[:, -1]).all(), "a gap after every feature"
        kept = relevant if name == "relevant" else ~relevant
        assert y[:, :-1] == pytest.approx(np.abs(steps.w[:, kept]).T, rel=1e-12)
        x = np.asarray(drawn.x, float).reshape(count, 13)
        assert np.array_equal(x[0, :-1], np.arange(1, 13))
        result = np.asarray(drawn.customdata).reshape(count, 13)
        assert np.array_equal(result[:, 0], np.flatnonzero(kept) + 1)
    ends = trace(figure, "1-norm SVM")
    nonzero = np.flatnonzero(steps.exact.details.w)
    assert np.asarray(ends.y) == pytest.approx(np.abs(steps.exact.details.w[nonzero]))
    assert list(ends.customdata[:, 0]) == (nonzero + 1).tolist()
    inks = [palette.colour("variant-2" if j < 5 else "muted") for j in nonzero]
    assert list(ends.marker.color) == inks and figure.plotly.layout.yaxis.type == "log"


# ------------------------------------------------------------------------------------------ numbers and words


def test_the_numbers_are_those_of_the_walk(steps):
    *_, last = islice(reweighting.rounds(steps.X, steps.y, 0.03, bias="absolute", tol=1e-6), 12)
    assert steps.objective[-1] == last.objective and steps.bound[-1] == last.lower_bound
    assert steps.accuracy[-1] == features.accuracy(last.w, last.intercept, 5)
    assert steps.n_features[-1] == last.n_features
    assert np.all(steps.excess >= 0.0) and np.all(steps.excess <= steps.gap_bound + 1e-12)
    assert steps.exact.objective == pytest.approx(
        reweighting.linear_program(steps.X, steps.y, 0.03, bias="absolute").objective
    )


def test_words_on_a_round_are_true_numbers(steps, flat):
    head, progress, weights, accuracy = map(numbers_in, feature_walk.why(steps, 3, 5))
    assert head == [3, 2] and weights == [steps.n_features[2], 200, 5, 5, 1, np.count_nonzero(steps.exact.details.w)]
    shares = 100 * steps.accuracy[2], 2, 100 * steps.accuracy[0], 1, 100 * steps.exact_accuracy, 93.3
    assert accuracy == pytest.approx(shares, abs=0.05)
    (_, before, now, *_), bound, excess = steps.objective, steps.bound[2], steps.excess[2]
    assert progress[:4] == pytest.approx([1, before - now, now, bound], rel=5e-3)
    assert progress[4:] == pytest.approx([100 * (now / bound - 1), 100 * excess], abs=0.05)
    risen = steps._replace(objective=steps.objective[::-1])  # as it may, by rounding
    assert "rises by " in feature_walk.why(risen, 3, 5)[1] and "−" not in feature_walk.why(risen, 3, 5)[1]
    assert "2-norm SVM" in feature_walk.why(steps, 1, 5)[0] and "falls" not in " ".join(feature_walk.why(steps, 1, 5))
    end = feature_walk.why(steps, 12, 5)[-1]
    assert end.startswith("The walk ends ") and "linear programme" in end and "\u202f% above " in end
    there = steps._replace(exact=steps.exact._replace(objective=steps.objective[-1]))
    assert feature_walk.why(there, 12, 5)[-1].startswith("The walk has converged to the linear programme's")
    assert "linear programme" not in " ".join(feature_walk.why(steps, 11, 5))
    _, factors, touches, *_ = feature_walk.why_in_the_plane(flat, 3)
    assert numbers_in(factors) == pytest.approx([*np.abs(flat.w[2] / flat.w[1]), 1], rel=5e-3) and "shrink" in factors
    assert feature_walk.where(flat.w[2]) in touches
    assert "circle" in feature_walk.why_in_the_plane(flat, 1)[0]


@pytest.mark.parametrize("g, words", [(0.5, "below 1"), (1.0, "stays"), (0.995, "stays"), (1.2, "grows")])
def test_what_becomes_of_a_weight(g, words):
    assert words in feature_walk._trend(g)


def test_the_points_are_drawn_with_the_multipliers_of_the_round(flat):
    film = film_of(feature_walk.points(flat, ASKED, NAMES))
    assert len(film.z) == 12
    assert film.details["alpha"] == pytest.approx(flat.alpha.astype(np.float32))
    states = np.array(film.details["states"])[film.details["state"][4]]
    held = {"zero": flat.alpha[4] == 0.0, "at the upper bound": flat.alpha[4] == 0.03}
    assert all(np.array_equal(states == name, where) and where.any() for name, where in held.items())
    margins = flat.y * (flat.X @ flat.w[4])
    assert film.details["margin"][4] == pytest.approx(margins, abs=1e-5)
    xs, ys = trace(film.figure, "boundary").x, trace(film.figure, "boundary").y
    f = film.z[4].astype(float) * film.unit[4]
    expected = np.clip(ys[:, None] * flat.w[4, 1] + xs[None, :] * flat.w[4, 0], -4, 4)
    assert f == pytest.approx(expected, abs=2e-4)


def test_the_summary_waits_until_every_method_is_there():
    from svmcore.studies import relevance

    rows = list(relevance.sweep((5, 50), range(2), n=30, C=0.1))
    d_rels, bands = feature_walk.summary(rows)
    assert d_rels.tolist() == [5, 50] and list(bands) == list(relevance.METHODS)
    mean, low, high = bands["RW(2)"]
    errors = [100 * (1 - row.accuracy) for row in rows if row.method == "RW(2)" and row.d_rel == 50]
    assert mean[1] == pytest.approx(np.mean(errors))
    assert (low[1], high[1]) == pytest.approx((np.percentile(errors, 10), np.percentile(errors, 90)))
    d_rels, bands = feature_walk.summary(rows[: len(relevance.METHODS) + 2])
    assert d_rels.tolist() == [5]
    assert feature_walk.summary([])[0].size == 0 and feature_walk.summary(rows[:2])[0].tolist() == [5]


@pytest.mark.parametrize(
    "share, text",
    [
        (0.0004, "relative gap is less than 0.1\u202f% (actual: 0.2\u202f%)"),
        (0.004, "relative gap is at most 0.4\u202f% (actual: 0.2\u202f%)"),
    ],
)
def test_a_small_share_is_not_at_most_less_than(steps, share, text):
    now = steps.objective[2]
    exact = steps.exact._replace(objective=now / 1.002)
    (sentence,) = feature_walk._progress(steps._replace(bound=np.full(12, now / (1 + share)), exact=exact), 2)
    assert text in sentence


def test_the_walk_with_the_squared_hinge_ends_at_its_own_1_norm_svm():
    asked = ASKED._replace(loss="squared_hinge", rounds=40)
    steps = feature_walk.follow(asked)
    flat = feature_walk.in_the_plane(steps, asked)
    for found in (steps, flat):
        assert found.excess[0] > 0.05 and 0 <= found.excess[-1] < 0.01 and np.all(np.diff(found.objective) < 1e-6)
        assert found.exact.violation < 1e-4
    t = np.maximum(1 - flat.y * (flat.X @ flat.w[3]), 0)
    assert flat.objective[3] == pytest.approx(np.abs(flat.w[3]).sum() + 0.03 * np.sum(t**2) / 2)
    assert feature_walk._errors(flat, asked, flat.w)[3] == pytest.approx(0.03 * np.sum(t**2) / 2)
    assert "1-norm SVM's" in feature_walk.why(steps, 40, 5)[-1]
    assert {chart.level[1] for chart in feature_walk.all_features(steps, asked).charts} == {"1-norm SVM"}
