"""Search methods in the unit cube, as generators: each yields a place and is sent the value there.

    grid       all places of a grid, coarse to fine, so that a search that is stopped has covered it at a coarse step
    annealing  coupled simulated annealing: several coupled chains
    simplex    Nelder and Mead's simplex, from a good place

The methods are independent of the meaning and the cost of a value. The same values give the same places: a search is
resumed by replaying it with the values found so far.

Source: S. Xavier-de-Souza, J. A. K. Suykens, J. Vandewalle, D. Bollé (2010), Coupled simulated annealing, IEEE
Transactions on Systems, Man, and Cybernetics B 40(2), 320-335: acceptance coupled through exp(E / T), variance control.
"""

from collections.abc import Generator, Iterator

import numpy as np
import scipy

from svmcore.grid import coarse_to_fine

STARTERS = 5
ROUNDS = 20
FIRST_WIDTH = 0.3  # of the steps, in units of the cube
SAME_WIDTH = 20  # rounds with the same width
RATE = 0.05  # by which the acceptance temperature changes
WANTED_VARIANCE = 0.99  # of the acceptance probabilities, as a share of the largest possible


def grid(*axes) -> Iterator[np.ndarray]:
    """Every place (d,) of the grid with these coordinates along each axis, coarse to fine, each once."""
    for place, _ in coarse_to_fine(*map(len, axes)):
        yield np.array([axis[k] for axis, k in zip(axes, place, strict=True)])


def coupled_annealing(rng, dimension=2, *, starters=STARTERS, rounds=ROUNDS) -> Generator[np.ndarray, float, None]:
    """Coupled simulated annealing: starters * (rounds + 1) places of the unit cube.

    In each round every chain proposes a Cauchy step, reflected at the walls, whose width is constant for 20 rounds and
    decreases as 1 / k. A lower value is always accepted; a higher one with probability exp(E_k / T) / sum_j exp(E_j /
    T), which is largest for the chain with the highest value: it explores while the others stay. T is controlled to
    keep the variance of these probabilities near its maximum; it starts at the standard deviation of the first values,
    so that the unit of the values does not matter. rng: a NumPy Generator; places have shape (dimension,).
    """
    places, values = rng.random((starters, dimension)), np.empty(starters)
    for k in range(starters):
        values[k] = yield places[k].copy()
    temperature = _spread(values)
    for lap in range(rounds):
        width = FIRST_WIDTH / (1 + lap // SAME_WIDTH)
        chances = acceptance(values, temperature)
        for k in range(starters):
            there = reflect(places[k] + width * rng.standard_cauchy(dimension))
            value = yield there.copy()
            if value <= values[k] or rng.random() < chances[k]:
                places[k], values[k] = there, value
        temperature = next_temperature(temperature, chances)


def acceptance(values, temperature) -> np.ndarray:
    """The probabilities (m,) that chains with these values accept a step upwards; they sum to one."""
    weights = np.exp((_finite(values) - _finite(values).max()) / temperature)
    return weights / weights.sum()


def next_temperature(temperature, chances) -> float:
    """The next temperature: a lower one raises the variance of the probabilities, at most (m - 1) / m^2."""
    m = len(chances)
    too_even = np.var(chances) < WANTED_VARIANCE * (m - 1) / m**2
    return temperature * (1.0 - RATE if too_even else 1.0 + RATE)


def reflect(place) -> np.ndarray:
    """The place (d,) reflected into the unit cube at its walls."""
    place = np.abs(place) % 2.0
    return np.where(place > 1.0, 2.0 - place, place)


def simplex(start, *, most=30, step=0.1, tol=1e-3) -> Generator[np.ndarray, float, None]:
    """Nelder and Mead's simplex from `start` (d,), with edges of `step`, in at most `most` places of the unit cube.

    It ends when every corner is within `tol` of the best one along each axis. A place that recurs counts, but is
    yielded only once: scipy's search begins anew with the values that are known until it asks for another one.
    """
    start, values = np.asarray(start, dtype=float), {}
    corners = start + np.vstack([np.zeros(len(start)), np.diag(np.where(start + step <= 1.0, step, -step))])
    options = {"initial_simplex": corners, "maxfev": most, "xatol": tol, "fatol": np.inf}
    bounds = [(0.0, 1.0)] * len(start)
    while True:
        try:
            scipy.optimize.minimize(
                lambda place: values[tuple(place)], start, method="Nelder-Mead", bounds=bounds, options=options
            )
            return
        except KeyError as unknown:
            place = unknown.args[0]
        values[place] = yield np.array(place)


def _spread(values):
    return float(np.std(_finite(values))) or 1.0


def _finite(values):
    """Values with those that are not finite replaced by the largest finite one."""
    finite = np.isfinite(values)
    return np.where(finite, values, np.max(values, where=finite, initial=-np.inf) if finite.any() else 0.0)
