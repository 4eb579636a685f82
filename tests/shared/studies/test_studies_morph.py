"""The path from loss to loss: each way ends near the loss that it names, and each frame is the machine of its stage."""

import numpy as np
import pytest

from pages.shared.figures.drawing import film_of
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import classification, loss_curves, results
from svmcore import losses

ENDS = {"the hinge loss": "hinge", "the absolute loss": "least_absolute", "the squared hinge loss": "squared_hinge"}
STAGES = loss_curves.stages()
SETTING = Setting(1.0, "linear", 2.0)


def value(stage):
    return stage.factor * losses.get(stage.machine.loss)(loss_curves.MORPHED, **dict(stage.machine.params))


@pytest.mark.parametrize("loss, end", sorted({(way[0], way[3]) for way in loss_curves.WAYS if way[3] in ENDS}))
def test_a_way_ends_at_the_loss_that_it_names(loss, end):
    last = [stage for stage in STAGES if stage.end == end and stage.machine.loss == loss][-1]
    assert np.allclose(value(last), losses.get(ENDS[end])(loss_curves.MORPHED), atol=1e-3)


def test_the_path_has_one_jump_and_it_is_where_it_is_said():
    gaps = np.array([np.abs(value(b) - value(a)) for a, b in zip(STAGES, STAGES[1:], strict=False)])
    right = loss_curves.MORPHED >= 0.0
    (jump,) = np.flatnonzero(gaps[:, ~right].max(axis=1) > 1.0)
    assert (STAGES[jump].machine.loss, STAGES[jump + 1].machine.loss) == ("huber", "welsch")
    assert gaps[jump, right].max() < 0.1 and gaps[:, right].max() < 1.6


def test_a_frame_is_the_machine_of_its_stage():
    data = Data("toy_outliers", 0, (("n", 20),), "flip_farthest", 4)
    problem, extent = results.problem(data), results.source.frames(data)
    view = loss_curves.morph(problem, SETTING, extent)
    boundary, loss = (screen.film for screen in view.screens)
    assert len(view.ticks) == len(STAGES) == len(boundary.frames) == len(loss.values) == len(view.charts[0].places)
    hinge = classification.estimator(Machine("hinge"), SETTING).fit(problem.X, problem.y)
    for k in (0, 20, int(np.argmax([stage.factor for stage in STAGES])), len(STAGES) - 1):
        stage = STAGES[k]
        setting = SETTING._replace(C=stage.factor)
        model = classification.estimator(stage.machine, setting).fit(problem.X, problem.y)
        places = np.stack(np.meshgrid(*extent[:2]), axis=-1).reshape(-1, 2)
        assert np.allclose(boundary.frames[k].f.ravel(), model.decision_function(places), atol=1e-3)
        assert np.allclose(loss.values[k], value(stage)) and view.ticks[k].label == stage.machine.name
        share = loss_curves.plane.change(hinge, model, problem.X)
        assert view.charts[0].lines[0].y[k] == pytest.approx(100 * share)
    film = film_of(loss)
    assert np.allclose(film.moves["loss"]["y"], loss.values, atol=1e-6) and f"{len(STAGES)} moments" in film.figure.alt


def test_a_table_is_seen_on_its_slice():
    data = Data("iris", 0, ())
    problem, extent = results.problem(data), results.source.frames(data)
    boundary = loss_curves.morph(problem, SETTING, extent).screens[0].film
    study = results.source.fit(data, STAGES[0].machine, SETTING._replace(C=STAGES[0].factor))
    assert boundary.axes == problem.slice.names and np.array_equal(boundary.points.X, study.points.X)
    assert boundary.frames[0].f == pytest.approx(study.values_on(*extent[:2]), abs=1e-3)
