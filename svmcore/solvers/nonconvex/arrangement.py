"""The ramp-loss SVM in the plane with one point on the margin: a walk along the lines of an arrangement.

With y_i f_i = 1 for a point i, P is a function of w alone, quadratic in each cell of the arrangement of the lines
t_j = 0 and t_j = mu of all points j. Compiled; `global_optimum` says why this finds the global optimum.
"""

import numpy as np
from numba import njit

PARALLEL = 1e-12  # sine of an angle below which two lines count as parallel
BESIDE = 1e-9  # distance from a line, relative to the spread of the t, at which a cell beside it is entered
LOWER = 1e-12  # relative decrease of P that counts as one
CELLS = 4096  # squares of the plane of w for the lower bound of one point
LEVELS = 16  # of their halving


@njit(cache=True, nogil=True)
def find_lower(x0, x1, y, C, mu, i, lowest, machine) -> bool:
    """True if a machine with y_i f_i = 1 has P below `lowest`; the lowest one is written to `machine`, (w, b)."""
    n = len(y)
    a0, a1, c = y * (x0 - x0[i]), y * (x1 - x1[i]), 1.0 - y * y[i]  # t_j = c_j - a_j.w
    length = np.sqrt(a0 * a0 + a1 * a1)
    at, point, level_of = np.empty(2 * n), np.empty(2 * n, np.int64), np.empty(2 * n, np.int8)
    found = False
    fixed = np.empty((3, 4))  # of the points whose t is constant along the line: below it, on it, above it
    for line in range(2 * n):
        k, kink = line // 2, mu if line % 2 else 0.0
        if length[k] == 0.0:
            continue
        n0, n1 = a0[k] / length[k], a1[k] / length[k]
        d0, d1 = -n1, n0
        foot = (c[k] - kink) / length[k]
        sums = np.zeros(4)  # over the linear points: C a (2), C c; and C mu over the truncated ones
        fixed[:] = 0.0
        m = 0
        for j in range(n):
            h = a0[j] * d0 + a1[j] * d1
            along = a0[j] * n0 + a1[j] * n1
            g = c[j] - along * foot
            if abs(h) <= PARALLEL * length[j] or length[j] == 0.0:
                for side in range(3):
                    t = g - (side - 1.0) * BESIDE * (1.0 + mu) * (np.sign(along) if length[j] > 0.0 else 0.0)
                    _count(fixed[side], t, mu, C[j], a0[j], a1[j], c[j])
                continue
            _count(sums, np.inf if h > 0.0 else -np.inf, mu, C[j], a0[j], a1[j], c[j])
            for other in range(2):
                at[m], point[m], level_of[m] = (g - (mu if other else 0.0)) / h, j, other
                m += 1
        order = np.argsort(at[:m])
        left = -np.inf
        for e in range(m + 1):
            right = at[order[e]] if e < m else np.inf
            for side in range(3):
                s0, s1 = sums[0] + fixed[side, 0], sums[1] + fixed[side, 1]
                rest = sums[2] + sums[3] + fixed[side, 2] + fixed[side, 3]
                w0, w1 = s0, s1  # in the cell beside the line
                if side == 1:  # on the line, between the two events
                    s = min(max(s0 * d0 + s1 * d1, left), right)
                    w0, w1 = foot * n0 + s * d0, foot * n1 + s * d1
                elif (side - 1.0) * (w0 * n0 + w1 * n1 - foot) < 0.0:
                    continue  # the lowest point lies across the line
                value = 0.5 * (w0 * w0 + w1 * w1) - s0 * w0 - s1 * w1 + rest
                if not value < lowest * (1.0 - LOWER):
                    continue
                P = _objective(w0, w1, a0, a1, c, C, mu)
                if P < lowest * (1.0 - LOWER):
                    lowest, found = P, True
                    machine[0], machine[1], machine[2] = w0, w1, y[i] - w0 * x0[i] - w1 * x1[i]
            if e == m:
                break
            left, j, other = right, point[order[e]], level_of[order[e]]
            enters = (a0[j] * d0 + a1[j] * d1 > 0.0) == (other == 1)  # the linear part of its loss
            sign = C[j] if enters else -C[j]
            sums[0] += sign * a0[j]
            sums[1] += sign * a1[j]
            sums[2] += sign * c[j]
            if other == 1:
                sums[3] -= sign * mu
    return found


@njit(cache=True, nogil=True)
def bound(x0, x1, y, C, mu, i, lowest):
    """A lower bound of P over the machines with y_i f_i = 1, or `lowest` if none of them is below `lowest`.

    Squares of the plane of w are halved while they can hold a P below `lowest`. In a square each loss is at least some
    linear function, itself, a tangent or a chord, and 1/2 |w|^2 plus linear functions has its minimum in closed form.
    """
    n = len(y)
    a0, a1, c = y * (x0 - x0[i]), y * (x1 - x1[i]), 1.0 - y * y[i]  # t_j = c_j - a_j.w
    half = np.sqrt(2.0 * lowest)  # beyond it |w|^2 / 2 alone is at least `lowest`
    cells = np.zeros((1, 2))
    least = 0.0
    for _ in range(LEVELS):
        kept, values, m = np.empty_like(cells), np.empty(len(cells)), 0
        for k in range(len(cells)):
            u0, u1 = cells[k, 0], cells[k, 1]
            s0, s1, rest = 0.0, 0.0, 0.0  # the linear function rest - s.w
            for j in range(n):
                t = c[j] - a0[j] * u0 - a1[j] * u1
                reach = (abs(a0[j]) + abs(a1[j])) * half
                low, high = t - reach, t + reach
                if high <= 0.0:
                    continue
                if low >= mu:
                    rest += C[j] * mu
                    continue
                slope, start = 1.0, 0.0  # start + slope t
                if high > mu:
                    slope = mu / high if low < 0.0 else (mu - low) / (high - low)
                    start = 0.0 if low < 0.0 else low - slope * low
                if low < 0.0 and t <= 0.0:
                    continue
                s0 += C[j] * slope * a0[j]
                s1 += C[j] * slope * a1[j]
                rest += C[j] * (start + slope * c[j])
            w0 = min(max(s0, u0 - half), u0 + half)
            w1 = min(max(s1, u1 - half), u1 + half)
            value = 0.5 * (w0 * w0 + w1 * w1) - s0 * w0 - s1 * w1 + rest
            if value < lowest * (1.0 - LOWER):
                kept[m, 0], kept[m, 1], values[m] = u0, u1, value
                m += 1
        if m == 0:
            return lowest
        lowest_value = values[0]
        for k in range(1, m):
            lowest_value = min(lowest_value, values[k])
        least = max(least, lowest_value)
        if 4 * m > CELLS:
            break
        half *= 0.5
        cells = np.empty((4 * m, 2))
        for k in range(m):
            for quarter in range(4):
                cells[4 * k + quarter, 0] = kept[k, 0] + (half if quarter % 2 else -half)
                cells[4 * k + quarter, 1] = kept[k, 1] + (half if quarter < 2 else -half)
    return least


@njit(cache=True, nogil=True)
def _count(sums, t, mu, C, a0, a1, c):
    """Add a point with this t to the sums."""
    if t >= mu:
        sums[3] += C * mu
    elif t > 0.0:
        sums[0] += C * a0
        sums[1] += C * a1
        sums[2] += C * c


@njit(cache=True, nogil=True)
def _objective(w0, w1, a0, a1, c, C, mu):
    """P of the machine with these weights and y_i f_i = 1."""
    P = 0.5 * (w0 * w0 + w1 * w1)
    for j in range(len(c)):
        P += C[j] * min(max(c[j] - a0[j] * w0 - a1[j] * w1, 0.0), mu)
    return P
