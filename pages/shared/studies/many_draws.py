"""The machines of a screen under outliers: linear ones on a hundred draws of its problem, beside the one draw that is
shown; and any of them while one label after another is flipped.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import arrays, classification
from pages.shared.studies.formatting import percent
from pages.shared.studies.show import Chart, FilmPlane, FilmStep, FilmView
from svmcore import grid
from svmcore.studies import breakdown, draws, plane

DRAWS = 100
SHOWN = 25  # boundaries of other draws in a picture
RINGED = {"ringed": "label flipped"}


@lru_cache(64)
def follow(data: Data, machine: Machine, setting: Setting) -> draws.Draws | None:
    """The machine before and after the outliers of `data`, on this draw and those that follow.

    None where there is nothing to compare: without outliers, for edited points, and for another kernel.
    """
    if data.edits.edits or not data.on or not data.amount or setting.kernel != "linear":
        return None
    seeds = range(data.seed, data.seed + DRAWS)
    pairs = ([classification.make_problem(data._replace(seed=seed, on=on)) for on in (False, True)] for seed in seeds)
    return draws.follow(machine.loss, pairs, setting.C, **dict(machine.params))


class FlippedLabels(NamedTuple):
    """Machines while labels are flipped: the numbers of `flips` (k,), the `shares` (machines, k) of the plane that have
    changed class by then, and a film of each machine.
    """

    machines: tuple[Machine, ...]
    n: int
    flips: list[int]
    shares: np.ndarray
    films: list

    def broken_at(self, share) -> list[float]:
        """The number of flips at which each machine has changed at least this share of the plane; inf for none."""
        reached = self.shares >= share
        return [float(self.flips[row.argmax()]) if row.any() else np.inf for row in reached]

    def view(self, share) -> FilmView:
        """The race, until each machine has changed this share of the plane."""
        broken = self.broken_at(share)
        end = 1 + (self.flips.index(max(broken)) if np.isfinite(broken).all() else len(self.flips) - 1)
        flips, shares = self.flips[:end], self.shares[:, :end]
        rows = list(zip(self.machines, shares, broken, strict=True))
        ticks = [
            FilmStep(
                f"{count} of {self.n} labels flipped",
                [f"{m.name}: {percent(mine[k])}" + f", broken at {at:g}" * (count >= at) for m, mine, at in rows],
                count,
            )
            for k, count in enumerate(flips)
        ]
        screens = [
            FilmPlane(machine.name, film, list(range(end)))
            for machine, film in zip(self.machines, self.films, strict=True)
        ]
        lines = [arrays.Line(machine.name, np.array(flips), 100.0 * mine, machine.colour) for machine, mine, _ in rows]
        level = 100.0 * share, f"broken: {percent(share, 'g')}"
        chart = Chart("Plane changed", lines, "labels flipped", "% of the plane", False, flips, level, log_x=False)
        return FilmView(ticks, screens, [chart], [], start=0, plays=True)


def flip_labels(problem, order, seed, machines, setting: Setting) -> FlippedLabels:
    """The machines on one draw while its labels are flipped in an order of `svmcore.problems.outliers.ORDERS`; the
    recipes of their films, which show the points with their clean labels and ring what is flipped.
    """
    steps = list(breakdown.way(problem, order, seed))
    clean = steps[0][1]
    xs, ys = grid.axes(clean.X, classification.film_size(len(clean.y), len(machines)), margin=0.08)
    where, films, shares = plane.view(clean.X), [], []
    for machine in machines:
        studies = [classification.fit(spoiled, machine, setting, xs, ys) for _, spoiled in steps]
        values = [study.values_on(*where) for study in studies]
        shares.append([plane.changed_share(values[0], now) for now in values])
        frames = []
        for study in studies:
            flipped = tuple(np.flatnonzero(study.points.y != clean.y).tolist())
            shown = study.field.f, study.points.alpha, study.points.state
            frames.append(arrays.Frame(*shown, ringed=flipped, words=("",) * len(flipped)))
        points = classification.bare(clean)
        films.append(arrays.PlaneFilm(xs, ys, frames, points, compact=True, meant=RINGED, sized=False))
    return FlippedLabels(tuple(machines), len(clean.y), [count for count, _ in steps], np.array(shares), films)
