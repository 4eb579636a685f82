"""A film shows the machine that it names: at every cell of every frame the sign of f is the machine's."""

import numpy as np
import pytest
from written import numbers_in

from pages.shared.figures.drawing import with_films
from pages.shared.figures.film import plane_film
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import arrays, runs
from pages.shared.studies.results import source
from svmcore.watch import trace


def shown(name, loss, solver, C):
    """(z, f (F, k, m) by the definition of the machine, the size of what is summed in f) of a film."""
    data = Data(name, 0, ())
    problem = source.problem(data)
    setting = Setting(C, "rbf", problem.sigma, 3, 1.0)
    task = runs.solver_input(problem, Machine(loss), setting)
    seen = runs.record(task, solver)
    extent = arrays.Field(*(axis[::9] for axis in source.view(data)))
    film = with_films(runs.run(seen, task, extent)).screens[0].film
    moments = trace.moments(seen, seen.frame_iter, task)
    ys, xs = np.meshgrid(extent.ys, extent.xs, indexing="ij")
    K = task.kernel(np.column_stack([xs.ravel(), ys.ravel()]), task.X)
    f = moments.beta @ K.T + moments.intercept[:, None]
    size = np.abs(moments.beta) @ np.abs(K).T + np.abs(moments.intercept)[:, None]
    return film.z, f.reshape(film.z.shape), size.reshape(film.z.shape)


@pytest.mark.parametrize("name, loss, solver, C", [
    ("two_spirals", "least_squares", "isls", 1.0),
    ("two_spirals", "hinge", "smo_first", 0.001),
    ("moons", "zero_one", "admm_paper", 1.0),
])  # fmt: skip
def test_every_sign_of_a_film_is_that_of_the_machine(name, loss, solver, C):
    z, f, size = shown(name, loss, solver, C)
    known = np.abs(f) > 1e-13 * len(z[0]) * size  # of less, rounding errors decide the sign
    assert np.array_equal(np.sign(z)[known], np.sign(f)[known])
    assert known.any(axis=(1, 2))[f.any(axis=(1, 2))].all()
    if name == "two_spirals":  # sizes that 16 bits with one unit for all do not tell from 0
        assert np.any((f != 0.0) & (np.abs(f) < 0.5 * arrays.CLIP / arrays.TOP))


AXES, POINTS = (np.arange(3.0), np.arange(2.0)), arrays.Points(np.zeros((2, 2)), np.array([-1.0, 1.0]))


def film_of(*fields):
    frames = [arrays.Frame(np.array(f), np.zeros(2), np.zeros(2, int)) for f in fields]
    return plane_film(*AXES, frames, POINTS)


def test_each_frame_has_its_own_unit_nothing_is_rounded_to_0_and_it_says_where_it_shows_the_sign_alone():
    large, small = [[9.0, -1.0, 1e-9], [0.0, -1e-30, 4.0]], [[1e-9, -2e-9, 0.0], [1e-40, -1e-40, 3e-9]]
    film = film_of(large, small, np.zeros((2, 3)))
    for z, unit, f in zip(film.z, film.unit, (large, small, np.zeros((2, 3))), strict=True):
        assert np.array_equal(np.sign(z), np.sign(f))
        drawn = z * np.float32(unit)
        assert np.array_equal(np.sign(drawn), np.sign(f))  # as the browser has it
        assert np.abs(drawn - np.clip(f, -4, 4)).max() <= unit * (1 + 1e-4)
    assert film.unit[1] == pytest.approx(3e-9 / arrays.TOP)
    film = film_of([[4.0, -1.0, 1.0], [0.5, -1e-6, 1e-7]], [[4.0, -1.0, 1.0], [0.5, 0.0, 0.1]])
    told, silent = (mark["sentence"] for mark in film.marks)
    assert numbers_in(told) == [33, 0.00012]
    assert silent == ""
