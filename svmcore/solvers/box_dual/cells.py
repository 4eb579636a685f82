"""The problem of cells: where pair updates on many points of the plane begin.

A Gaussian hardly changes within a quarter of its width. So the plane is cut into cells, and the points of a cell with
about the same linear term are replaced by one point in their middle, whose coefficient is the sum of theirs, so that
the bounds add up; with a ridge, so do the inverses of the ridges, which are the slopes of the coefficients in their F.
This problem has some hundreds of points. In its solution most cells have all their coefficients at one bound; in the
others the sum is given to the coefficients with the largest F first, or, with a ridge, divided in proportion to these
slopes.

A coefficient of a cell is bounded by the sum of its points' bounds. With very many points these sums are large, and
what is lost within a cell grows with them: hundreds of units of f with a million points. So `finer` makes cells of a
few points each, whose problem `planar` solves like any other, beginning at the cells of these cells.

Source: Yu, Yang, Han (2003), Classifying large data sets using SVMs with hierarchical clusters (clusters of points as a
coarse problem).
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from svmcore.duals import BoxQP
from svmcore.kernels import gaussian
from svmcore.solvers.box_dual import planar_steps, warm

WIDTHS = 0.125, 0.1875, 0.25, 0.375, 0.5  # of a cell, to be tried, in units of 1 / sqrt(gamma)
LEVELS = 32  # parts into which the range of real targets is cut
MOST_CELLS = 1000  # and no more than an eighth of the points
POINTS_IN_BOX = 4  # of a finer problem
SPARSE = 64  # empty cells for each point that may be counted
TOL = 0.1  # in units of f; more would be lost in the cells


class Cells(NamedTuple):
    """The cell of each coefficient, (N,), the middles of the cells, (d, n), and the problem of their sums."""

    cell: np.ndarray
    columns: np.ndarray
    qp: BoxQP


def begin(columns, gamma, qp, max_iter) -> tuple[np.ndarray, int]:
    """(beta, steps): feasible coefficients, optimal for the cells; zero where these would be too many.

    columns (d, n): a feature per row, as `gaussian.columns` returns them. qp has a coefficient for each point, (n,), or
    two, (2n,): those of point k are k and k + n.
    """
    merged = _merge(columns, gamma, qp, WIDTHS, min(columns.shape[1] // 8, MOST_CELLS))
    if merged is None:
        return np.zeros(len(qp.linear)), 0
    cell, middles, whole = merged
    steps = planar_steps.minimise(middles, gamma, whole, TOL, max_iter, gaussian.kept_memory())

    def sums(places, middles, c):
        f = np.zeros(places.shape[1])
        gaussian.difference_dot_single(places.astype(np.float32), middles.astype(np.float32), c, gamma, f)
        return f

    level = Cells(cell, middles, BoxQP(*whole[:4]))
    return divide(level, whole[4], columns, qp, sums), steps


def finer(columns, gamma, qp) -> Cells | None:
    """Many more cells than `begin` takes, for many points; None where its own are as fine.

    columns, qp: as there.
    """
    n = columns.shape[1]
    sides = np.sqrt(gamma) * np.ptp(columns, axis=1)
    sides = sides[sides > 0.0]
    width = np.prod(sides / (n / POINTS_IN_BOX) ** (1.0 / len(sides))) ** (1.0 / len(sides)) if len(sides) else np.inf
    if width > WIDTHS[0] / 2:
        return None
    merged = _merge(columns, gamma, qp, [width], n // 2)
    if merged is None:
        return None
    cell, middles, whole = merged
    return Cells(cell, middles[:, : middles.shape[1] * n // len(cell)], BoxQP(*whole[:4]))


def _merge(columns, gamma, qp, widths, most):
    """The cell of each coefficient, (N,), and what `_whole` returns for them; None where all widths give too many."""
    cell = np.empty(len(qp.linear), np.int64)
    count = _number(columns, qp.linear.reshape(-1, columns.shape[1]), gamma, np.array(widths), most, cell)
    return (cell, *_whole(columns, *qp, cell, count)) if count else None


def divide(level, total, columns, qp, sums) -> np.ndarray:
    """The coefficients, (N,), with these sums in the cells, (M,), and with sum zero.

    columns, qp: as for `begin`; sums(places, middles, c): f at the columns `places` of coefficients c at others.
    """
    if qp.ridge.all():
        beta = np.clip(total[level.cell] * level.qp.ridge[level.cell] / qp.ridge, qp.lower, qp.upper)
        return warm.feasible(qp, beta)
    beta = np.where((total <= level.qp.lower)[level.cell], qp.lower, qp.upper)
    inside = (level.qp.lower < total) & (total < level.qp.upper)
    used, divided = np.flatnonzero(total), np.flatnonzero(inside[level.cell])
    places = columns.take(divided % columns.shape[1], axis=1)
    f = sums(places, level.columns.take(used % level.columns.shape[1], axis=1), total[used])
    rank = np.argsort(f + qp.linear[divided], kind="stable")
    _fill(divided[rank], level.cell, total - level.qp.lower, qp.lower, qp.upper, beta)
    return warm.balance(qp, beta)


# ---------------------------------------------------------------------------------------------- compiled

compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})


@compiled
def _number(columns, linear, gamma, widths, most, cell):
    """The cell of each coefficient, written into `cell`, and their number: 0 where all widths give too many."""
    n, d, copies = columns.shape[1], len(columns), len(linear)
    low, span, per_unit = np.empty((3, d + copies))
    two_values = True
    for q in range(d + copies):
        row = columns[q] if q < d else linear[q - d]
        low[q], span[q] = row.min(), row.max() - row.min()
        if q >= d:
            for k in range(n):
                two_values = two_values and (row[k] == low[q] or row[k] == low[q] + span[q])
    key = np.empty(n, np.int64)
    for width in widths:
        boxes = 1.0
        for q in range(d + copies):
            unit = width / np.sqrt(gamma) if q < d else span[q] / (1 if two_values else LEVELS)
            per_unit[q] = 1.0 / unit if unit > 0.0 else 0.0
            boxes *= np.floor(span[q] * per_unit[q]) + 1.0
        if boxes > SPARSE * n:
            continue
        key[:] = 0
        for q in range(d + copies):
            row = columns[q] if q < d else linear[q - d]
            size = np.int64(span[q] * per_unit[q]) + 1
            for k in range(n):
                key[k] = key[k] * size + np.int64((row[k] - low[q]) * per_unit[q])
        number, count = np.full(np.int64(boxes), -1), 0
        for k in range(n):
            if number[key[k]] < 0:
                number[key[k]] = count
                count += 1
            cell[k] = number[key[k]]
        if count <= most:
            for q in range(1, copies):
                for k in range(n):
                    cell[q * n + k] = cell[k] + q * count
            return copies * count
    return 0


@compiled
def _whole(columns, lower, upper, ridge, linear, cell, count):
    """(middles (d, count) of the cells, their problem at zero (6, count) as `planar_steps.take` returns it): sums of
    bounds and of slopes, which are the inverses of ridges; means of all else."""
    n = columns.shape[1]
    middles, whole = np.zeros((len(columns), count)), np.zeros((6, count))
    each, slope = np.zeros((2, count))
    for k in range(cell.size):
        c = cell[k]
        each[c] += 1.0
        whole[0, c] += lower[k]
        whole[1, c] += upper[k]
        whole[3, c] += linear[k]
        slope[c] += 1.0 / ridge[k] if ridge[k] > 0.0 else np.inf
        for q in range(len(columns)):
            middles[q, c] += columns[q, k % n]
    for c in range(count):
        whole[2, c] = 1.0 / slope[c]
        whole[3, c] /= each[c]
        whole[5, c] = -whole[3, c]
    return middles / each, whole


@compiled
def _fill(order, cell, amount, lower, upper, beta):
    """Fill these coefficients, one after the other, from `lower` to `upper`, until `amount` of their cell is used."""
    for k in order:
        given = min(amount[cell[k]], upper[k] - lower[k])
        beta[k] = lower[k] + given if given < upper[k] - lower[k] else upper[k]
        amount[cell[k]] -= given
