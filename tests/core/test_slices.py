"""Slices: f on them is that of the machine at the points of the space, and points move within them."""

import numpy as np
import pytest
from variants import expanded

from svmcore import SVC, grid, kernels, problems, slices
from svmcore.studies import influence

HEART = problems.load("heart")
NAMES = [f"x{k}" for k in range(13)]
W = SVC(kernel="linear").fit(HEART.X, HEART.y).coef_[0]
CUTS = {
    "columns": slices.of_columns(HEART.X, 4, 0, NAMES),
    "components": slices.of_components(HEART.X),
    "w": slices.of_normal(HEART.X, W),
}
XS, YS = np.linspace(-3, 3, 7), np.linspace(-2, 4, 5)
PLACES = np.stack(np.meshgrid(XS, YS), axis=-1).reshape(-1, 2)
every_cut = pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)


@every_cut
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_f_on_a_slice_is_that_of_the_machine(cut, kernel):
    model = SVC(kernel=kernel, gamma=0.05).fit(HEART.X, HEART.y)
    beta = expanded(model, len(HEART.y))
    used = kernels.Kernel(kernel, 0.05, model.degree, model.coef0)
    many = grid.decision(used, HEART.X, np.stack([beta, -beta]), [model.intercept_[0], 0.5], XS, YS, cut)
    expected = model.decision_function(cut.lift(PLACES)).reshape(5, 7)
    assert many[0] == pytest.approx(expected, abs=1e-9)
    assert many[1] == pytest.approx(model.intercept_[0] + 0.5 - expected, abs=1e-9)


@every_cut
def test_points_are_projected_and_move_parallel_to_the_slice(cut):
    assert cut.directions @ cut.directions.T == pytest.approx(np.eye(2), abs=1e-12)
    assert cut.places(cut.lift(PLACES)) == pytest.approx(PLACES, abs=1e-12)
    moved = cut.move(HEART.X[3], (1.5, -2.0))
    assert cut.places(moved[None])[0] == pytest.approx([1.5, -2.0])
    assert cut.residuals(moved[None]) == pytest.approx(cut.residuals(HEART.X[3:4]))
    places, away = cut.places(HEART.X), cut.away(HEART.X)
    assert away**2 + (places**2).sum(axis=1) == pytest.approx(((HEART.X - cut.origin) ** 2).sum(axis=1))
    assert cut.unseen(HEART.X) == pytest.approx(1 - places.var(axis=0).sum() / HEART.X.var(axis=0).sum())


def test_each_slice_is_what_it_says():
    columns, components, normal = CUTS.values()
    assert np.array_equal(columns.places(HEART.X), HEART.X[:, [4, 0]]) and columns.names == ("x4", "x0")
    assert np.delete(columns.lift(PLACES)[5], [4, 0]) == pytest.approx(np.delete(np.median(HEART.X, axis=0), [4, 0]))
    top = np.linalg.eigvalsh(np.cov(HEART.X.T, ddof=0))[-2:]
    assert sorted(components.places(HEART.X).var(axis=0)) == pytest.approx(top)
    assert min(cut.unseen(HEART.X) for cut in CUTS.values()) == components.unseen(HEART.X)
    assert normal.lift(normal.places(HEART.X)) @ W == pytest.approx(HEART.X @ W)
    across = HEART.X - np.outer(HEART.X @ W, W) / (W @ W)
    assert normal.places(HEART.X)[:, 1].var() == pytest.approx(np.linalg.eigvalsh(np.cov(across.T, ddof=0))[-1])
    with pytest.raises(ValueError, match="two different features, got 'x4' twice"):
        slices.of_columns(HEART.X, 4, 4, NAMES)


@pytest.mark.parametrize("X", [np.zeros((4, 3)), np.ones((1, 5)), np.outer([0.0, 1.0, 2.0], [1.0, 2.0, 0.0])])
def test_points_without_variance_have_slices(X):
    for w in (np.zeros(X.shape[1]), np.eye(X.shape[1])[0], np.ones(X.shape[1])):
        cut = slices.of_normal(X, w)
        assert cut.directions @ cut.directions.T == pytest.approx(np.eye(2), abs=1e-9)
        assert 0.0 <= cut.unseen(X) <= 1.0


@pytest.mark.parametrize("loss", ["hinge", "zero_one"])
def test_the_influence_of_a_point_that_moves_in_a_slice(loss):
    cut, machine = CUTS["w"], SVC(loss=loss, kernel="linear")
    X, y, ends = HEART.X[:30], HEART.y[:30], (np.array([-3.0, 3.0]),) * 2
    found = list(influence.influence_map({"it": machine}, X, y, 4, *ends, cells=4, view=(XS, YS), cut=cut))
    cell = max(found, key=lambda one: one.changed)
    moved, centres = X.copy(), influence.centres(ends[0], 4)
    moved[4] = cut.move(X[4], (centres[cell.column], centres[cell.row]))
    before, after = (machine.fit(points, y).predict(cut.lift(PLACES)) for points in (X, moved))
    assert cell.changed == np.mean(before != after) > 0
