"""Ways through the unit cube in search of a low value, as generators: each yields a place and is sent its value.

    grid       all places of a grid, coarse to fine, so that a walk that is stopped has seen all of it roughly
    annealing  coupled simulated annealing: several walkers that know of each other's values
    simplex    Nelder and Mead's simplex, from a place that is good already

None of them knows what a value is, or how long it takes. The same values sent make the same walk: stopping, and going
through it again with values that were kept, leads on from where it was.

Source: S. Xavier-de-Souza, J. A. K. Suykens, J. Vandewalle, D. Bollé (2010), Coupled simulated annealing, IEEE
Transactions on Systems, Man, and Cybernetics B 40(2), 320-335: acceptance coupled through exp(E / T), variance control.
"""

from collections.abc import Generator, Iterator

import numpy as np

from svmcore.grid import coarse_to_fine

STARTERS = 5
ROUNDS = 20
FIRST_WIDTH = 0.3  # of the steps, in units of the cube
HELD = 20  # rounds with one width
RATE = 0.05  # by which the acceptance temperature changes
WANTED_VARIANCE = 0.99  # of the acceptance probabilities, as a share of the largest possible


def grid(*axes) -> Iterator[np.ndarray]:
    """Every place of the grid with these coordinates along each axis, coarse to fine, none twice."""
    for place, _ in coarse_to_fine(*map(len, axes)):
        yield np.array([axis[k] for axis, k in zip(axes, place, strict=True)])


def annealing(rng, dimension=2, *, starters=STARTERS, rounds=ROUNDS) -> Generator[np.ndarray, float, None]:
    """Coupled simulated annealing: starters * (rounds + 1) places of the unit cube.

    In each round every walker steps by Cauchy variables, whose width is held for 20 rounds and falls as 1 / k, mirrored
    at the walls. A lower value is always taken; a higher one with probability exp(E_k / T) / sum_j exp(E_j / T), which
    is largest for the walker that stands worst: it explores while the others stay. T is steered so that the variance of
    these probabilities stays near its maximum; it starts at the standard deviation of the first values, so that the
    unit of the values does not matter.
    """
    places, values = rng.random((starters, dimension)), np.empty(starters)
    for k in range(starters):
        values[k] = yield places[k].copy()
    temperature = _spread(values)
    for lap in range(rounds):
        width = FIRST_WIDTH / (1 + lap // HELD)
        chances = acceptance(values, temperature)
        for k in range(starters):
            there = reflected(places[k] + width * rng.standard_cauchy(dimension))
            value = yield there.copy()
            if value <= values[k] or rng.random() < chances[k]:
                places[k], values[k] = there, value
        temperature = steered(temperature, chances)


def acceptance(values, temperature) -> np.ndarray:
    """Probabilities (m,) with which walkers with these values take a step upwards; they sum to one."""
    weights = np.exp((_finite(values) - _finite(values).max()) / temperature)
    return weights / weights.sum()


def steered(temperature, chances) -> float:
    """The next temperature: a lower one raises the variance of the probabilities, which is (m - 1) / m^2 at most."""
    m = len(chances)
    too_even = np.var(chances) < WANTED_VARIANCE * (m - 1) / m**2
    return temperature * (1.0 - RATE if too_even else 1.0 + RATE)


def reflected(place) -> np.ndarray:
    """The place (d,) folded into the unit cube, as by mirrors at its walls."""
    place = np.abs(place) % 2.0
    return np.where(place > 1.0, 2.0 - place, place)


def simplex(start, *, most=30, step=0.1, tol=1e-3) -> Generator[np.ndarray, float, None]:
    """Nelder and Mead's simplex from `start` (d,), with edges of `step`, in at most `most` places of the unit cube.

    It ends when no corner is farther than `tol` from the best one, along any axis. A place that comes twice counts, but
    its value is asked for once.
    """
    walk, values = _nelder_mead(np.asarray(start, dtype=float), step, tol), {}
    place = next(walk)
    for _ in range(most):
        if tuple(place) not in values:
            values[tuple(place)] = yield place.copy()
        try:
            place = walk.send(values[tuple(place)])
        except StopIteration:
            return


def _nelder_mead(start, step, tol):
    """The places as `simplex` says, without its limit, with repetitions; is sent their values.

    Standard coefficients: reflection 1, expansion 2, contraction 1/2, shrinkage 1/2. Places outside of the cube are
    clipped to it.
    """
    corners = start + np.vstack([np.zeros(len(start)), np.diag(np.where(start + step <= 1.0, step, -step))])
    corners, values = np.clip(corners, 0.0, 1.0), np.empty(len(corners))
    for k in range(len(corners)):
        values[k] = yield corners[k]
    while True:
        order = np.argsort(values, kind="stable")
        corners, values = corners[order], values[order]
        if np.abs(corners[1:] - corners[0]).max() <= tol:
            return
        place = _away_from_worst(corners, 1.0)
        value = yield place
        if value < values[0]:
            farther = _away_from_worst(corners, 2.0)
            lower = yield farther
            if lower < value:
                place, value = farther, lower
        elif value >= values[-2]:
            outside = value < values[-1]
            nearer = _away_from_worst(corners, 0.5 if outside else -0.5)
            lower = yield nearer
            if lower <= value if outside else lower < values[-1]:
                place, value = nearer, lower
            else:
                corners[1:] = np.clip(corners[0] + 0.5 * (corners[1:] - corners[0]), 0.0, 1.0)
                for k in range(1, len(corners)):
                    values[k] = yield corners[k]
                continue
        corners[-1], values[-1] = place, value


def _away_from_worst(corners, factor):
    """The worst corner, the last one, mirrored at the centre of the others and stretched by `factor`."""
    centre = corners[:-1].sum(axis=0) / (len(corners) - 1)
    return np.clip((1.0 + factor) * centre - factor * corners[-1], 0.0, 1.0)


def _spread(values):
    return float(np.std(_finite(values))) or 1.0


def _finite(values):
    """A place without a machine is as bad as the worst one with."""
    finite = np.isfinite(values)
    return np.where(finite, values, np.max(values, where=finite, initial=-np.inf) if finite.any() else 0.0)
