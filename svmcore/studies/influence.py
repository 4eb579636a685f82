"""Influence map: how much does each machine's boundary change when one training point is moved across the plane?

The plane is divided into cells. The point is moved to the centre of each, the machine is fitted again, and the change
is the share of the plane that changes class (`studies.plane`): an influence function, for finite moves.

A loss bounds the support value |alpha_i| of a point, not its leverage. Under a linear kernel the support value is
multiplied by the distance: the boundary of the Least 1-Norm SVM stays while the point is near the data, and rotates
when it is moved far enough. A Gaussian kernel bounds the influence of a point for every loss.

Source: F. R. Hampel (1974). The influence curve and its role in robust estimation. Journal of the American Statistical
Association 69(346), 383-393. Influence of kernel machines: A. Christmann, I. Steinwart (2004). On robustness properties
of convex risk minimization methods for pattern recognition. Journal of Machine Learning Research 5, 1007-1034.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from svmcore import duals, grid, kernels
from svmcore.estimators import SVC
from svmcore.solvers import router
from svmcore.solvers.box_dual import convex, warm
from svmcore.studies import at_once, plane

CELLS = 24
VIEW = 60  # grid points along each axis of the plane on which two boundaries are compared


class Cell(NamedTuple):
    """One fit, with the point in the middle of cell (row, column); rows count upwards, columns to the right.

    `changed` is the share (0 to 1) of the plane that changes class, nan if there was no fit; `status` says how the fit
    ended, or why there was none. Until finer cells come it represents its block of `size` x `size` cells.
    """

    machine: str
    row: int
    column: int
    size: int
    changed: float
    status: str


def influence_map(machines, X, y, index, xs, ys, *, view=None, cells=CELLS, workers=None, cut=None) -> Iterator[Cell]:  # noqa: PLR0913
    """Move training point `index` to the middle of each of `cells` x `cells` cells; yields a `Cell` per fit.

    machines: dict name -> estimator (not modified); gamma="scale" keeps its value on X. X: (n, 2); y: (n,) of -1 and
    +1. xs (m,) and ys (k,) span the cells; only their ends matter. view = (us, vs), (a,) and (b,): where the boundaries
    are compared, by default on `plane.view` of X, whatever the cells. With `cut`, a `slices.Slice`, X is (n, d), the
    point moves parallel to the slice, and all else refers to its coordinates.

    Coarse to fine: 1/16 of the cells, evenly spread, then 1/4, then all, each cell once, so that a map can be stopped
    at any time. The cells are fitted by `workers` threads (`at_once.in_order`). Shares are as accurate as the `tol` of
    the machines. Raises ValueError for points, an index or a number of cells that do not fit.
    """
    X, y = _check(X, y, index, cells, cut)
    across, up = centres(xs, cells), centres(ys, cells)
    view = plane.view(X if cut is None else cut.places(X), VIEW) if view is None else view
    fits = {name: _fitter(machine, X, y, view, cut) for name, machine in machines.items()}
    present = {name: fit(X)[0] for name, fit in fits.items()}

    def fit_task(task):
        (row, column), size = task
        moved = X.copy()
        place = across[column], up[row]
        moved[index] = place if cut is None else cut.move(X[index], place)
        return [Cell(name, row, column, size, *_change(fit, moved, present[name])) for name, fit in fits.items()]

    for found in at_once.in_order(fit_task, grid.coarse_to_fine(cells, cells, centred=True), workers):
        yield from found


def total(machines, cells=CELLS) -> int:
    """The number of cells that `influence_map` yields."""
    return len(machines) * cells**2


def rasters(found, names, cells=CELLS) -> dict[str, np.ndarray]:
    """The cells found so far as one array (cells, cells) per name: the finest value of each cell.

    r[row, column] is at (centres(xs)[column], centres(ys)[row]); nan without a value.
    """
    known = {name: [] for name in names}
    for cell in found:
        known[cell.machine].append(((cell.row, cell.column), cell.size, cell.changed))
    return {name: grid.raster((cells, cells), mine) for name, mine in known.items()}


def largest(found) -> float:
    """The largest share (0 to 1) among the cells, 0.0 without any: the common end of all colour scales."""
    return max((cell.changed for cell in found if cell.changed == cell.changed), default=0.0)


def centres(axis, count=CELLS) -> np.ndarray:
    """Middles (count,) of equal cells between the ends of `axis`."""
    first, last = float(axis[0]), float(axis[-1])
    return first + (last - first) * (np.arange(count) + 0.5) / count


def _change(fit, moved, present):
    """(changed, status) of a `Cell`."""
    try:
        f, status = fit(moved)
        return plane.changed_share(present, f), status
    except ValueError as error:  # such as a polynomial kernel that overflows far out
        return float("nan"), str(error)


def _fitter(machine, X, y, view, cut):
    """The function that fits `machine` to moved points: the decision values on the view, and the status.

    A machine with a box dual calls the solver directly: bit for bit the same answer, without scikit-learn's checks,
    which for forty points take nine tenths of the time. Starting from the present solution ends elsewhere within `tol`,
    which can change 3 % of the plane: it is done only for so many points that it saves four fifths of the time, and
    that a fit from zero would hide the influence of one of them behind its tolerance.
    """
    if isinstance(machine, SVC) and machine.loss in duals.DUALS:
        gamma = kernels.resolve_gamma(machine.gamma, X)
        kernel = kernels.Kernel.from_machine(machine, gamma=gamma)
        qp = duals.build(machine.loss, y, machine.C, **(machine.loss_params or {}))
        run = {"tol": machine.tol, "max_iter": machine.max_iter, "solver": machine.solver}
        present = router.solve_dual(kernel, X, qp, **run) if len(X) > convex.SMALL else None

        def fit(moved):
            start = warm.start_after_move(kernel, X, moved, present) if present else None
            found = router.solve_dual(kernel, moved, qp, **run, start=start)
            return grid.decision(kernel, moved, found.beta, found.intercept, *view, cut), found.status

        return fit

    places = np.stack(np.meshgrid(*view), axis=-1).reshape(-1, 2)
    places = places if cut is None else cut.lift(places)

    def fit_estimator(moved):
        model = clone(machine).fit(moved, y)
        return model.decision_function(places), model.status_

    return fit_estimator


def _check(X, y, index, cells, cut):
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if X.ndim != 2 or (X.shape[1] != 2 and cut is None) or y.shape != (len(X),):
        raise ValueError(f"a map needs points of the plane, X (n, 2) and y (n,), got shapes {X.shape} and {y.shape}")
    if set(y.tolist()) != {-1.0, 1.0}:
        raise ValueError("a map needs points of both classes, labelled -1 and +1; encode the classes so")
    if not 0 <= index < len(X):
        raise ValueError(f"the point to move must have an index from 0 to {len(X) - 1}, got {index}")
    block = grid.STRIDES[0]
    if cells < block or cells % block:
        raise ValueError(f"cells must be a multiple of {block}, so that blocks of cells fit in, got {cells}")
    return X, y
