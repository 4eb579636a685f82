"""The ways through the unit cube: complete grids, annealing that finds known optima, the simplex against scipy."""

from contextlib import suppress

import numpy as np
import pytest
from scipy.optimize import minimize

from svmcore.tuning import proposals


def walked(walk, value):
    """The places and values of a walk through a function."""
    places, values = [], []
    with suppress(StopIteration):
        while True:
            places.append(walk.send(values[-1] if values else None))
            values.append(value(places[-1]))
    return np.array(places), np.array(values)


def bowl(u):
    return float(np.sum((u - [0.3, 0.8]) ** 2))


def waves(u):
    """Rastrigin's function on about [-3, 3]^2: 36 local minima, the lowest, 0, at (0.62, 0.44), the next at 1."""
    z = 6.0 * (u - [0.62, 0.44])
    return float(np.sum(z**2 - 10.0 * np.cos(2.0 * np.pi * z) + 10.0))


def test_a_grid_is_complete_and_coarse_first():
    places = [tuple(p) for p in proposals.grid(range(10), "abcde")]
    assert len(places) == len(set(places)) == 50
    assert set(places[:6]) == {(i, j) for i in "048" for j in "ae"}
    assert [p[0] for p in proposals.grid([1.0, 2.0, 3.0])] == [1.0, 3.0, 2.0]


def test_annealing_and_the_simplex_find_the_lowest_of_many_valleys():
    """From most seeds; from the others one of the four next to it."""
    lowest = []
    for seed in range(10):
        places, values = walked(proposals.coupled_annealing(np.random.default_rng(seed), rounds=300), waves)
        assert len(places) == 5 * 301 and places.min() >= 0.0 and places.max() <= 1.0
        refined, lower = walked(proposals.simplex(places[values.argmin()], most=80, step=0.02, tol=1e-6), waves)
        lowest.append(lower.min())
        if lowest[-1] < 1e-6:
            assert refined[lower.argmin()] == pytest.approx([0.62, 0.44], abs=1e-4)
    assert np.sum(np.array(lowest) < 1e-6) >= 7 and max(lowest) < 1.0


def test_the_unit_of_the_values_does_not_matter():
    ways = [
        walked(proposals.coupled_annealing(np.random.default_rng(1)), lambda u, k=k: k * waves(u))[0]
        for k in (1.0, 1024.0)
    ]
    assert np.array_equal(*ways)


@pytest.mark.parametrize("value", [lambda u: 0.0, lambda u: np.inf, lambda u: np.inf if u[0] < 0.5 else u[1]])
def test_plateaus_and_places_without_a_machine(value):
    places, _ = walked(proposals.coupled_annealing(np.random.default_rng(0)), value)
    assert len(places) == 105 and np.isfinite(places).all()


def test_the_worst_walker_explores_and_walls_are_mirrors():
    chances = proposals.acceptance(np.array([1.0, 2.0, 5.0]), 1.0)
    assert chances.sum() == pytest.approx(1.0)
    assert chances == pytest.approx(np.exp([1.0, 2.0, 5.0]) / np.exp([1.0, 2.0, 5.0]).sum())
    assert proposals.acceptance(np.array([0.0, 0.0, np.inf]), 1.0) == pytest.approx([1 / 3] * 3)
    assert proposals.reflect(np.array([0.2, -0.3, 1.25, 2.5, -3.1])) == pytest.approx([0.2, 0.3, 0.75, 0.5, 0.9])


def test_the_temperature_is_steered_to_the_wanted_variance():
    """From too hot and from too cold: the variance of the probabilities comes to 0.99 (m - 1) / m^2 and stays."""
    values, m = np.array([0.1, 0.2, 0.3, 0.5, 0.9]), 5
    for temperature in (10.0, 1e-3):
        for _ in range(400):
            chances = proposals.acceptance(values, temperature)
            temperature = proposals.next_temperature(temperature, chances)
        assert np.var(proposals.acceptance(values, temperature)) == pytest.approx(0.99 * (m - 1) / m**2, rel=0.005)


def test_the_simplex_is_that_of_scipy():
    start = np.array([0.55, 0.95])
    places, values = walked(proposals.simplex(start, most=200, tol=1e-6), bowl)
    corners = [[0.55, 0.95], [0.65, 0.95], [0.55, 0.85]]  # the second edge would leave the cube
    options = {"initial_simplex": corners, "xatol": 1e-6, "fatol": np.inf}
    expected = minimize(bowl, start, method="Nelder-Mead", bounds=[(0, 1)] * 2, options=options)
    assert np.array_equal(places[values.argmin()], expected.x)
    assert len({tuple(p) for p in places}) == len(places)


def test_the_simplex_asks_for_no_place_twice_and_ends_on_a_plateau_and_at_its_limit():
    """In a corner of the cube reflections are clipped to places that it knows; they count nevertheless."""
    places, _ = walked(proposals.simplex([0.05, 0.0], most=25, tol=1e-9), lambda u: float(u @ [1.0, 2.0]))
    assert len({tuple(p) for p in places}) == len(places) < 25 and places.min() == 0.0
    assert len(walked(proposals.simplex([0.5, 0.5], most=200), lambda u: 1.0)[0]) < 50
    assert len(walked(proposals.simplex([0.5, 0.5], most=7, tol=1e-9), bowl)[0]) <= 8
    assert len(walked(proposals.simplex([0.5]), lambda u: float(u[0]))[0]) > 3
