"""Oracles: shares of rectangles that are known by geometry, decided by functions that need no solver."""

import numpy as np
import pytest

from svmcore import SVC, problems
from svmcore.studies import draws, paired, plane

CORNERS = np.array([[0.0, 0.0], [10.0, 2.0], [4.0, 1.0]])


class Below:
    """Class +1 where a x + b y + c >= 0."""

    def __init__(self, a, b, c):
        self.a, self.b, self.c = a, b, c

    def predict(self, places):
        return np.where(self.a * places[:, 0] + self.b * places[:, 1] + self.c >= 0.0, 1.0, -1.0)


def test_the_plane_is_the_rectangle_of_the_points_widened_by_a_tenth_where_the_largest_value_decides():
    xs, ys = plane.view(CORNERS)
    assert (xs[0], xs[-1], len(xs)) == (-1.0, 11.0, plane.SIZE)
    assert (ys[0], ys[-1], len(ys)) == pytest.approx((-0.2, 2.2, plane.SIZE))
    values = np.array([[[3.0, 1.0]], [[2.0, 2.0]], [[1.0, 3.0]]])  # classes 0 and 2
    assert plane.changed_share(values, values + 7.0) == 0.0
    assert plane.changed_share(values, values[[1, 0, 2]]) == 0.5
    assert plane.changed_share(values, -values) == 1.0


@pytest.mark.parametrize("moved, share", [(5.0, 0.0), (8.0, 0.25), (2.0, 0.25), (-2.0, 0.5), (20.0, 0.5)])
def test_a_boundary_that_shifts_changes_the_strip_between(moved, share):
    """From x = 5, the middle; an angle would be 0 for all."""
    assert plane.change(Below(1, 0, -5.0), Below(1, 0, -moved), CORNERS) == pytest.approx(share, abs=0.01)


def test_values_and_predictions_give_the_same_share():
    before, after = (problems.load("toy_outliers", 3, flips=flips) for flips in (0, 6))
    axes = plane.view(before.X)
    for kernel in ("linear", "rbf"):
        one, other = (SVC(kernel=kernel, gamma=0.5).fit(p.X, p.y) for p in (before, after))
        places = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
        values = (m.decision_function(places).reshape(plane.SIZE, plane.SIZE) for m in (one, other))
        assert 0.0 < plane.change(one, other, before.X) == plane.changed_share(*values) < 0.5


def toy(seeds, flips=6):
    return [[problems.load("toy_outliers", seed, flips=k) for k in (0, flips)] for seed in seeds]


@pytest.mark.parametrize("loss", ["least_squares", "hinge", "least_absolute"])
def test_draws_are_those_of_fits_one_by_one(loss):
    found = draws.follow(loss, toy(range(3)), tol=1e-9)
    for k, (clean, spoiled) in enumerate(toy(range(3))):
        before, after = (SVC(loss=loss, kernel="linear", tol=1e-9).fit(p.X, p.y) for p in (clean, spoiled))
        assert found.w[k] == pytest.approx(after.coef_[0], abs=1e-6)
        assert found.intercept[k] == pytest.approx(after.intercept_[0], abs=1e-6)
        assert found.share[k] == plane.change(before, after, clean.X)


def test_the_lines_of_draws_are_boundaries_that_cross_the_picture_and_the_range_holds_nine_of_ten():
    found = draws.follow("least_squares", toy(range(4)))
    x, y = (values.reshape(4, 3) for values in found.lines((-3.0, 8.0), (-4.0, 6.0)))
    assert np.isnan(x[:, 2]).all() and np.isnan(y[:, 2]).all()
    for end in (0, 1):
        values = found.w[:, 0] * x[:, end] + found.w[:, 1] * y[:, end] + found.intercept
        assert np.abs(values).max() < 1e-9
    assert np.hypot(x[:, 0] - x[:, 1], y[:, 0] - y[:, 1]) == pytest.approx(2 * np.hypot(11.0, 10.0))
    shares = np.arange(101) / 1000
    assert draws.Draws(np.ones((101, 2)), np.ones(101), shares).range == pytest.approx((0.005, 0.095))


def test_only_points_where_one_is_wrong_count():
    """McNemar: b and c discordant pairs of n; the variance of the mean is that of b values 1 and c values -1."""
    n, both, b, c = 1000, 90, 10, 9
    first = np.arange(n) < both + b
    second = (np.arange(n) < both) | ((np.arange(n) >= 200) & (np.arange(n) < 200 + c))
    found = paired.difference(first, second)
    assert found.mean == pytest.approx((b - c) / n)
    assert found.error == pytest.approx(np.sqrt((b + c - (b - c) ** 2 / n) / n / (n - 1)))
    assert not found.clear and found.error < 0.5 * np.sqrt(0.1 * 0.9 / n)  # that of one error is twice as large


@pytest.mark.parametrize("gaps, clear", [([1.0, 1.0, 1.0], True), ([0.0, 0.0], False), ([-1, 3, -2, 1], False)])
def test_a_difference_is_clear_from_two_standard_errors_on(gaps, clear):
    assert paired.difference(gaps).clear is clear


def test_splits_that_share_points_have_a_larger_error_and_what_is_no_pair_is_said():
    gaps = np.array([1.0, 2.0, 4.0, 3.0])
    assert paired.difference(gaps, shared=3 / 7).error == pytest.approx(gaps.std(ddof=1) * np.sqrt(1 / 4 + 3 / 7))
    assert np.isnan(paired.difference([0.5]).error) and not paired.difference([0.5]).clear
    for first, second in (([1, 2], [1, 2, 3]), ([[1.0]], [[1.0]]), ([], [])):
        with pytest.raises(ValueError, match="on the same test points"):
            paired.difference(first, second)
