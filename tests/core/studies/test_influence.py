"""Oracle: plain fits, as a naive twin."""

import numpy as np
import pytest
from sklearn.base import clone
from variants import VARIANTS

from svmcore import SVC, problems
from svmcore.studies import influence
from svmcore.studies.plane import changed_share
from svmcore.warned import silently

PLANE = np.linspace(-2.0, 7.5, 5), np.linspace(-3.5, 6.0, 7)


def toy(n=30, seed=0):
    problem = problems.load("toy_outliers", seed, n=n)
    return problem.X, problem.y


X, y = toy()


def machines(losses=("hinge", "least_squares"), **options):
    return {loss: SVC(loss=loss, **{"kernel": "linear", **options}) for loss in losses}


def mapped(models, X, y, index, xs=PLANE[0], ys=PLANE[1], **options):
    """The finished arrays, one for each machine."""
    found = list(influence.influence_map(models, X, y, index, xs, ys, **options))
    return influence.rasters(found, models, options.get("cells", influence.CELLS))


class Other(SVC):
    """Any estimator that is no `SVC` with a box dual: here by its loss, which the duals do not know."""

    def fit(self, X, y):
        inner = SVC(kernel=self.kernel, gamma=self.gamma, C=self.C).fit(X, y)
        self.status_, self._inner = "another", inner
        return self

    def decision_function(self, X):
        return self._inner.decision_function(X)


def plain(machine, X, y, index, cells, gamma=None):
    """Share and status at every cell: clone, move, fit, and look at 60 x 60 places around the points."""
    (x0, *_, x1), (y0, *_, y1) = PLANE
    low, high = X.min(axis=0), X.max(axis=0)
    across, up = np.linspace(low - 0.1 * (high - low), high + 0.1 * (high - low), 60, axis=1)
    places = [(x, y) for y in up for x in across]
    machine = clone(machine).set_params(gamma=gamma or machine.gamma)
    before = clone(machine).fit(X, y).decision_function(places)
    shares, words = np.empty((cells, cells)), {}
    for row in range(cells):
        for column in range(cells):
            moved = X.copy()
            moved[index] = x0 + (column + 0.5) * (x1 - x0) / cells, y0 + (row + 0.5) * (y1 - y0) / cells
            model = clone(machine).fit(moved, y)
            shares[row, column] = changed_share(before, model.decision_function(places))
            words[row, column] = model.status_
    return shares, words


TWINS = [(loss, params, "rbf", 0.3) for loss, params in VARIANTS]
TWINS += [("hinge", None, "linear", "scale"), ("least_squares", None, "linear", "scale"), ("hinge", None, "poly", 0.05)]


@pytest.mark.parametrize("loss, params, kernel, gamma", TWINS, ids=[f"{t[0]}-{t[2]}" for t in TWINS])
def test_a_map_is_its_plain_fits(loss, params, kernel, gamma):
    machine = SVC(loss=loss, loss_params=params, kernel=kernel, gamma=gamma, C=0.7, degree=2, coef0=1.0)
    found = list(influence.influence_map({"it": machine}, X, y, 4, *PLANE, cells=4))
    shares, words = plain(machine, X, y, 4, 4)
    for cell in found:  # the same solver on the same numbers; f = 0 to the last digit may fall either way
        assert cell.changed == pytest.approx(shares[cell.row, cell.column], abs=2 / 3600 + 1e-12)
        assert cell.status == words[cell.row, cell.column] == "converged"
    assert np.mean([cell.changed == shares[cell.row, cell.column] for cell in found]) > 0.95
    assert max(shares.flat) > 0.01 and not hasattr(machine, "support_")


def test_a_relative_gamma_is_that_of_the_points_as_they_are():
    machine = SVC(gamma="scale")
    shares = mapped({"it": machine}, X, y, 4, cells=4)["it"]
    assert np.allclose(shares, plain(machine, X, y, 4, 4, gamma=1 / (2 * X.var()))[0], atol=1 / 3600)


def test_another_estimator_is_mapped_by_its_own_fit():
    models = {"other": Other(loss="another", kernel="rbf", gamma=0.3), "it": SVC(kernel="rbf", gamma=0.3)}
    found = list(influence.influence_map(models, X, y, 4, *PLANE, cells=4))
    assert {cell.status for cell in found if cell.machine == "other"} == {"another"}
    oblong = np.linspace(-1, 6, 40), np.linspace(0, 1, 7)
    for view in (None, oblong):
        arrays = mapped(models, X, y, 4, view=view, cells=4)
        assert np.allclose(arrays["other"], arrays["it"], atol=1 / 280) and arrays["it"].max() > 0.01


@pytest.mark.parametrize("loss", ["hinge", "least_squares"])  # other solvers would need one step for least squares
def test_a_run_that_ends_early_says_so(loss):
    models = machines([loss], max_iter=1, solver="smo")
    with silently():
        shares, words = plain(models[loss], X, y, 4, 4)
    found = list(influence.influence_map(models, X, y, 4, *PLANE, cells=4))
    assert {cell.status for cell in found} == set(words.values()) == {"iteration limit"}
    assert np.allclose(influence.rasters(found, models, 4)[loss], shares, atol=1 / 3600)


def test_a_place_without_a_fit_is_unknown_and_says_why():
    def narrow(X, Z):
        if max(X[:, 0].max(), Z[:, 0].max()) > 7:
            raise ValueError("too far")
        return X @ Z.T

    view = np.linspace(0, 5, 9), np.linspace(0, 5, 9)
    found = list(influence.influence_map({"it": SVC(kernel=narrow)}, X, y, 4, *PLANE, view=view, cells=12))
    right = [cell for cell in found if influence.centres(PLANE[0], 12)[cell.column] > 7]
    assert len(right) == 12 and all(np.isnan(cell.changed) for cell in right)
    assert {cell.status for cell in right} == {"too far"}
    assert np.isfinite(influence.largest(found)) and influence.largest(right) == 0.0
    assert np.isnan(influence.rasters(found, ["it"], 12)["it"]).sum() == 12


@pytest.mark.parametrize("cells", [4, 12])
def test_every_place_once_coarse_to_fine_and_all_machines_abreast(cells):
    X, y = toy(10)
    models = machines()
    found = list(influence.influence_map(models, X, y, 0, *PLANE, cells=cells))
    assert len(found) == influence.total(models, cells)
    assert len({(cell.machine, cell.row, cell.column) for cell in found}) == len(found)
    assert [cell.machine for cell in found] == list(models) * cells**2
    sizes = [cell.size for cell in found]
    assert sizes == sorted(sizes, reverse=True)
    assert all(cell.row % 4 == cell.column % 4 == 1 for cell in found if cell.size == 4)  # next to the middle
    assert [sizes.count(size) for size in (4, 2, 1)] == [k * cells**2 // 8 for k in (1, 3, 12)]


def test_the_block_is_the_one_around_its_cell():
    cell = influence.Cell("it", 5, 9, 4, 0.3, "converged")
    array = influence.rasters([cell], ["it", "unseen"])["it"]
    assert np.array_equal(np.argwhere(array == 0.3)[[0, -1]], [[4, 8], [7, 11]]) and np.isnan(array).sum() == 560
    assert influence.centres([0.0, 0.3, 2.0], 4) == pytest.approx([0.25, 0.75, 1.25, 1.75])
    assert influence.largest([]) == 0.0


@pytest.mark.parametrize("change, words", [
    (dict(index=30), "index from 0 to 29, got 30"),
    (dict(index=-1), "index from 0 to 29, got -1"),
    (dict(cells=10), "multiple of 4.*got 10"),
    (dict(cells=0), "multiple of 4"),
    (dict(y=np.ones(30)), "both classes"),
    (dict(y=np.arange(30) % 2), "labelled -1 and \\+1"),
    (dict(X=np.ones((30, 3))), "points of the plane"),
    (dict(y=np.ones(29)), "points of the plane"),
])  # fmt: skip
def test_what_cannot_be_mapped_is_a_sentence(change, words):
    asked = dict(X=X, y=y, index=0, cells=4) | change
    with pytest.raises(ValueError, match=words):
        next(influence.influence_map(machines(), xs=PLANE[0], ys=PLANE[1], **asked))


def test_a_map_of_many_points_starts_from_the_present_machine(monkeypatch):
    X, y = toy(80)
    models = machines(kernel="rbf", gamma=1.0, tol=1e-6)
    plain = mapped(models, X, y, 3, cells=4)
    starts, solve = [], influence.convex.solve
    monkeypatch.setattr(influence.convex, "solve", lambda *a, **b: starts.append(b.get("start")) or solve(*a, **b))
    monkeypatch.setattr(influence.convex, "SMALL", 50)
    warm = mapped(models, X, y, 3, cells=4, workers=1)
    assert sum(start is not None for start in starts) == 2 * (4 * 4 + 1)
    for name in models:
        assert warm[name] == pytest.approx(plain[name], abs=0.002)
