"""Truncated quadratic losses in the plane: a walk along the lines of an arrangement of planes in the space of (w, b).

The levels of the loss are the cut, and the places where its formula changes. Between the cuts the loss has a continuous
slope, and at a cut its slope falls: so a global optimum lies inside a cell, and is the stationary point of the
quadratic of that cell, or of a neighbour's where the intercept is free. Sums that change from event to event give each
stationary point in O(1). Compiled; `global_optimum` has the rest.
"""

import numpy as np
from numba import njit

PARALLEL = 1e-12  # length of a cross product of unit normals below which two planes count as parallel
BESIDE = 1e-9  # distance from a plane at which a cell beside it is entered
LOWER = 1e-12  # relative decrease of P that counts as one


@njit(cache=True, nogil=True, error_model="numpy")
def find_lower(A, C, levels, pieces, first, lowest, machine) -> bool:
    """True if P is below `lowest` in a cell beside a line on the plane number `first`; the machine goes to `machine`.

    A (N, 3): rows y (x1, x2, 1), so that t = 1 - A v for v = (w, b). levels (m,), ascending; pieces (m + 1, 3): between
    two levels the loss is p0 + p1 t + 1/2 p2 t^2. A plane has the number m * point + level; the second plane of a line
    has a larger one.
    """
    n, m = len(A), len(levels)
    found = False
    i, level = first // m, levels[first % m]
    unit = np.empty(n)
    for j in range(n):
        unit[j] = np.sqrt(A[j, 0] ** 2 + A[j, 1] ** 2 + A[j, 2] ** 2)
    at, point = np.empty(n * m), np.empty(n * m, np.int64)
    into = np.empty(n * m, np.int64)  # the piece that a point enters
    sums, sides = np.empty(10), np.empty((4, 10))
    trial, best = np.empty(3), np.empty(3)
    for second in range(first + 1, n * m):
        k = second // m
        if k == i:
            continue
        d = _cross(A[i], A[k])
        size = np.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2)
        if size <= PARALLEL * unit[i] * unit[k]:
            continue
        d /= size
        # the point of the line nearest to 0, and the moves off the two planes
        base = _on_line(A[i], A[k], d, 1.0 - level, 1.0 - levels[second % m])
        off_i, off_k = _on_line(A[i], A[k], d, 1.0, 0.0), _on_line(A[i], A[k], d, 0.0, 1.0)
        sums[:] = 0.0
        sides[:] = 0.0
        events = 0
        for j in range(n):
            slope = A[j, 0] * d[0] + A[j, 1] * d[1] + A[j, 2] * d[2]
            t = 1.0 - A[j, 0] * base[0] - A[j, 1] * base[1] - A[j, 2] * base[2]
            if j == i or j == k or abs(slope) <= PARALLEL * unit[j]:
                for side in range(4):
                    ti = BESIDE if side % 2 else -BESIDE
                    tk = BESIDE if side // 2 else -BESIDE
                    move_i = A[j, 0] * off_i[0] + A[j, 1] * off_i[1] + A[j, 2] * off_i[2]
                    move_k = A[j, 0] * off_k[0] + A[j, 1] * off_k[1] + A[j, 2] * off_k[2]
                    _add(sides[side], A[j], C[j], pieces[_piece(levels, t - move_i * ti - move_k * tk)], 1.0)
                continue
            # t falls along the line where slope > 0: from -inf on it comes from the last piece
            _add(sums, A[j], C[j], pieces[m if slope > 0.0 else 0], 1.0)
            for other in range(m):
                at[events] = (t - levels[other]) / slope
                point[events] = j
                into[events] = other if slope > 0.0 else other + 1
                events += 1
        order = np.argsort(at[:events])
        for e in range(events + 1):
            for side in range(4):
                value = _stationary(sums, sides[side], trial)
                if not value < lowest * (1.0 - LOWER):
                    continue
                P = objective(A, C, levels, pieces, trial)
                if P < lowest * (1.0 - LOWER):
                    lowest, found = P, True
                    best[:] = trial
            if e < events:
                j, entered = point[order[e]], into[order[e]]
                left = entered + 1 if A[j, 0] * d[0] + A[j, 1] * d[1] + A[j, 2] * d[2] > 0.0 else entered - 1
                _add(sums, A[j], C[j], pieces[left], -1.0)
                _add(sums, A[j], C[j], pieces[entered], 1.0)
    if found:
        machine[:] = best
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def objective(A, C, levels, pieces, v):
    """P of the machine v = (w, b)."""
    P = 0.5 * (v[0] * v[0] + v[1] * v[1])
    for j in range(len(A)):
        t = 1.0 - A[j, 0] * v[0] - A[j, 1] * v[1] - A[j, 2] * v[2]
        p = pieces[_piece(levels, t)]
        P += C[j] * (p[0] + p[1] * t + 0.5 * p[2] * t * t)
    return P


@njit(cache=True, nogil=True)
def _piece(levels, t):
    k = 0
    while k < len(levels) and t > levels[k]:
        k += 1
    return k


@njit(cache=True, nogil=True)
def _cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


@njit(cache=True, nogil=True, error_model="numpy")
def _on_line(a, b, d, p, q):
    """The v orthogonal to d, with a.v = p and b.v = q; d is the direction of the line a x b."""
    first, second = _cross(b, d), _cross(d, a)
    scale = a[0] * first[0] + a[1] * first[1] + a[2] * first[2]
    other = b[0] * second[0] + b[1] * second[1] + b[2] * second[2]
    return p / scale * first + q / other * second


@njit(cache=True, nogil=True)
def _add(sums, a, C, p, sign):
    """Add C (p0 + p1 t + 1/2 p2 t^2) with t = 1 - a.v, as 1/2 v'Hv - g'v + constant; `sums` holds H, g, constant."""
    bend, rise = sign * C * p[2], sign * C * (p[1] + p[2])
    sums[0] += bend * a[0] * a[0]
    sums[1] += bend * a[0] * a[1]
    sums[2] += bend * a[0] * a[2]
    sums[3] += bend * a[1] * a[1]
    sums[4] += bend * a[1] * a[2]
    sums[5] += bend * a[2] * a[2]
    sums[6] += rise * a[0]
    sums[7] += rise * a[1]
    sums[8] += rise * a[2]
    sums[9] += sign * C * (p[0] + p[1] + 0.5 * p[2])


@njit(cache=True, nogil=True, error_model="numpy")
def _stationary(sums, side, v):
    """The value at the stationary point of 1/2 |w|^2 and both sums, which is written to v; infinite if b is free."""
    h00, h01, h02 = 1.0 + sums[0] + side[0], sums[1] + side[1], sums[2] + side[2]
    h11, h12, h22 = 1.0 + sums[3] + side[3], sums[4] + side[4], sums[5] + side[5]
    g0, g1, g2 = sums[6] + side[6], sums[7] + side[7], sums[8] + side[8]
    # Cholesky
    l10, l20 = h01 / h00, h02 / h00
    d1 = h11 - l10 * h01
    if not d1 > 0.0:
        return np.inf
    l21 = (h12 - l20 * h01) / d1
    d2 = h22 - l20 * h02 - l21 * l21 * d1
    if not d2 > 1e-9 * h22:
        return np.inf
    z1 = g1 - l10 * g0
    z2 = g2 - l20 * g0 - l21 * z1
    v[2] = z2 / d2
    v[1] = z1 / d1 - l21 * v[2]
    v[0] = g0 / h00 - l10 * v[1] - l20 * v[2]
    return sums[9] + side[9] - 0.5 * (g0 * v[0] + g1 * v[1] + g2 * v[2])
