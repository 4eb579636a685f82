"""Starts from the solution of a similar problem: with another C or sigma, a point moved, added or left out.

A start changes how long a run takes, not what it ends with: the conditions of the optimum are tested as ever. A run
from the last solution ends at another point within the tolerance than one from zero, though.

    C or sigma changed    the old beta, or its largest multiple in the box: that serves where most support vectors are
                          at their bounds, which move with C
    a point moved         the old beta
    a point added         the old beta, and zero for the point
    a point left out      the old beta without it; the sum of the others is repaired

`begin` makes any of these feasible. If zero has the lower objective, the old solution is of no use, and it is taken.
K beta at the points, which costs more than the few steps that remain, is handed on with the old solution, and updated
for the points that have moved.

Source: D. DeCoste, K. Wagstaff (2000), Alpha seeding for support vector machines.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

ROUNDING = 1e-12  # of a sum or a bound


class Start(NamedTuple):
    """The coefficients of a similar problem, (N,), and `image` = K beta of this problem, (N,), if it is known."""

    beta: np.ndarray
    image: np.ndarray | None = None

    def F(self, qp) -> np.ndarray:
        """-linear - (K + diag(ridge)) beta, (N,); the image must be known."""
        return -qp.linear - self.image - qp.ridge * self.beta


def start_after_move(kernel, before, after, found) -> Start:
    """The start at `found`, a `Solution` on the points `before` (N, d), for the points `after` (N, d)."""
    image = found.details.image
    if image is None or before.shape != after.shape or kernel.name == "precomputed":
        return Start(found.beta)
    changed = _changed_rows(np.ascontiguousarray(before, float), np.ascontiguousarray(after, float))
    if len(changed) > len(before) // 8:
        return Start(found.beta)
    beta, used = found.beta, np.flatnonzero(found.beta)
    if len(changed):
        after, _ = kernel.check_points(after)
        some = changed[beta[changed] != 0.0]
        if len(some):
            places = np.concatenate([after[some], before[some]])
            image = image + kernel.product(after, places, np.concatenate([beta[some], -beta[some]]))
        else:
            image = image.copy()
        image[changed] = kernel.product(after[changed], after[used], beta[used])
    return Start(beta, image)


def begin(product, qp, start) -> Start:
    """The best feasible beta (N,) among that of `start`, its largest multiple in the box, and 0; and its K beta.

    product: v -> K v; qp: a `duals.BoxQP`. ValueError for another number of coefficients.
    """
    old = np.array(start.beta, dtype=float)  # a copy: one that is read-only would compile a second version
    if old.shape != qp.linear.shape or not np.isfinite(old).all():
        raise ValueError(
            f"a start needs a finite number for each of the {len(qp.linear)} coefficients, got shape {old.shape}; "
            "give a point that is new a zero"
        )
    best, image, lowest = np.zeros(len(old)), np.zeros(len(old)), 0.0
    for multiple in {1.0, _stretch(qp.lower, qp.upper, old)}:
        scaled = old if multiple == 1.0 else _snap(qp, multiple * old)
        beta = feasible(qp, scaled)
        same = start.image is not None and np.abs(beta - scaled).max() <= ROUNDING * np.abs(beta).max()
        K_beta = multiple * start.image if same else product(beta)
        objective = 0.5 * float(beta @ (K_beta + qp.ridge * beta)) + float(qp.linear @ beta)
        if objective < lowest:
            best, image, lowest = beta, K_beta, objective
    return Start(best, image)


def feasible(qp, beta) -> np.ndarray:
    """beta (N,) moved into the box, and to sum zero by taking from as few coefficients as possible: (N,).

    The excess is taken from coefficients of its sign, first from those between their bounds: one at a bound stays there
    unless these are too few.
    """
    beta = np.minimum(np.maximum(beta, qp.lower), qp.upper)  # clip takes three times as long
    excess = beta.sum()
    if abs(excess) > ROUNDING * np.abs(beta).sum():
        sign = 1.0 if excess > 0.0 else -1.0
        size = np.maximum(sign * beta, 0.0)
        order = np.lexsort((size, (beta <= qp.lower) | (beta >= qp.upper)))
        before = np.cumsum(size[order]) - size[order]
        beta[order] -= sign * np.clip(abs(excess) - before, 0.0, size[order])
    return balance(qp, beta)


def balance(qp, beta) -> np.ndarray:
    """The same with sum zero to the last digit: one coefficient that can, if possible not 0, takes what is left."""
    excess = beta.sum()
    k = _most_room(qp.lower, qp.upper, beta, excess)
    beta[k] = min(max(beta[k] - excess, qp.lower[k]), qp.upper[k])
    return beta


def _snap(qp, beta):
    """beta with the coefficients that only rounding keeps from their bounds exactly on them."""
    for bound in (qp.lower, qp.upper):
        beta = np.where(np.isfinite(bound) & (np.abs(beta - bound) <= ROUNDING * np.abs(beta)), bound, beta)
    return beta


# ---------------------------------------------------------------------------------------------- compiled

compiled = njit(cache=True, nogil=True, error_model="numpy")


@compiled
def _changed_rows(before, after):
    """The rows in which two tables of the same shape (N, d) differ."""
    rows, count = np.empty(len(before), np.int64), 0
    for i in range(len(before)):
        same = True
        for q in range(before.shape[1]):
            same = same and before[i, q] == after[i, q]
        if not same:
            rows[count] = i
            count += 1
    return rows[:count]


@compiled
def _stretch(lower, upper, beta):
    """The largest multiple of beta in the box; 1 if there is no largest one."""
    stretch = np.inf
    for k in range(beta.size):
        if beta[k] != 0.0:
            stretch = min(stretch, (upper[k] if beta[k] > 0.0 else lower[k]) / beta[k])
    return stretch if 0.0 < stretch < np.inf and abs(stretch - 1.0) > ROUNDING else 1.0


@compiled
def _most_room(lower, upper, beta, excess):
    """The coefficient that can take most of the excess: one that is not 0, if it can take all of it."""
    widest, used, most, most_used = 0, 0, -1.0, -1.0
    for k in range(beta.size):
        room = beta[k] - lower[k] if excess > 0.0 else upper[k] - beta[k]
        if room > most:
            widest, most = k, room
        if beta[k] != 0.0 and room > most_used:
            used, most_used = k, room
    return used if most_used > abs(excess) else widest
