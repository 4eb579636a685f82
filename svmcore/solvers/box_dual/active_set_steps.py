"""The compiled parts of a round of Newton's method on an active set; `active_set` explains them.

All vectors are (N,): F = -linear - H beta, the bounds `lower` and `upper`; W (n,) are the indices of a working set.
"""

import numpy as np
from numba import njit

BEST, CAREFUL, PAIR = range(3)  # guesses of a working set, the boldest first
FEW = 64  # at most this many coefficients may leave their bounds at once, or as many as are free


compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})


@compiled
def measure(image, linear, ridge, lower, upper, beta):
    """F from image = K beta, the largest F that may rise, the smallest that may fall, and the objective."""
    F = -linear - image - ridge * beta
    top, bottom, objective = -np.inf, np.inf, 0.0
    for i in range(F.size):
        if beta[i] < upper[i]:
            top = max(top, F[i])
        if beta[i] > lower[i]:
            bottom = min(bottom, F[i])
        objective += 0.5 * beta[i] * (linear[i] - F[i])
    return F, top, bottom, objective


@compiled
def working_set(guess, F, beta, lower, upper, top, bottom, tol):
    """W, ascending: the free coefficients and those that should leave a bound; for CAREFUL the pair with the largest
    violation in place of these; for PAIR this pair alone."""
    inside, free, rising, falling = np.zeros(F.size, np.bool_), 0, -1, -1
    total, least, most = 0.0, np.inf, -np.inf
    for i in range(F.size):
        can_rise, can_fall = beta[i] < upper[i], beta[i] > lower[i]
        if can_rise and (rising < 0 or F[i] > F[rising]):
            rising = i
        if can_fall and (falling < 0 or F[i] < F[falling]):
            falling = i
        if can_rise and can_fall:
            inside[i] = True
            free += 1
            total += F[i]
            least, most = min(least, F[i]), max(most, F[i])
    if guess == BEST:
        level = total / free if free else 0.5 * (top + bottom)
        beyond = max(0.5 * tol, most - least) if free else 0.5 * tol
        entering, excess = _find_entering(F, beta, lower, upper, level, beyond)
        places = min(max(FEW, free), entering.size)
        least = _largest(excess.copy(), places) if places else np.inf
        for k in range(entering.size):
            places -= excess[k] > least
        for k in range(entering.size):
            if excess[k] > least:
                inside[entering[k]] = True
            elif excess[k] == least and places:  # of those with the same excess the first
                inside[entering[k]] = True
                places -= 1
    else:
        if guess == PAIR:
            for i in range(F.size):
                inside[i] = False
        inside[rising] = inside[falling] = True
    return np.flatnonzero(inside)


@compiled
def _find_entering(F, beta, lower, upper, level, beyond):
    """The coefficients whose F is more than `beyond` on the wrong side of the level, and by how much."""
    idx, excess, count = np.empty(F.size, np.int64), np.empty(F.size), 0
    for i in range(F.size):
        away = 0.0
        if beta[i] < upper[i]:
            away = max(away, F[i] - level)
        if beta[i] > lower[i]:
            away = max(away, level - F[i])
        if away > beyond:
            idx[count], excess[count] = i, away
            count += 1
    return idx[:count], excess[:count]


@compiled
def _largest(x, count):
    """The `count`-th largest entry of x, which is reordered (Hoare's selection; numba compiles np.sort in seconds)."""
    low, high, wanted = 0, x.size - 1, count - 1
    while low < high:
        pivot, i, j = x[wanted], low, high
        while i <= j:
            while x[i] > pivot:
                i += 1
            while x[j] < pivot:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if j < wanted:
            low = i
        if wanted < i:
            high = j
    return x[wanted]


@compiled
def direction(factor, F, total):
    """The step (n,) that levels F (n,) on W and brings `total`, the sum of all beta, back to zero: rounding moves it.

    factor: (n, n) of which the lower triangle is L, L L' = H_WW but for a constant and the jitter.
    """
    response, level = _solve_factor(factor, F - F.mean()), _solve_factor(factor, np.ones(F.size))
    return response - (response.sum() + total) / level.sum() * level


@compiled
def _solve_factor(L, right):
    """The solution of L L' x = right, along the columns of L, which lie side by side in memory."""
    x = right
    for j in range(x.size):
        x[j] /= L[j, j]
        for i in range(j + 1, x.size):
            x[i] -= x[j] * L[i, j]
    for j in range(x.size - 1, -1, -1):
        for i in range(j + 1, x.size):
            x[j] -= L[i, j] * x[i]
        x[j] /= L[j, j]
    return x


@compiled
def points_inwards(W, d, beta, lower, upper):
    """True if no coefficient of W that is at a bound is pushed beyond it by the step d (n,)."""
    for k, i in enumerate(W):
        if (d[k] > 0.0 and beta[i] >= upper[i]) or (d[k] < 0.0 and beta[i] <= lower[i]):
            return False
    return True


@compiled
def follow(W, d, beta, lower, upper):
    """beta, in place, after the step d (n,) on W, or after as much of it as the first bound allows, and then exactly on
    that bound. Whether a coefficient of W is at a bound now."""
    length, dropped = 1.0, False
    for k, i in enumerate(W):
        if d[k] != 0.0:
            length = min(length, _room(d[k], beta[i], lower[i], upper[i]))
    for k, i in enumerate(W):
        if d[k] != 0.0 and _room(d[k], beta[i], lower[i], upper[i]) <= length:
            beta[i] = upper[i] if d[k] > 0.0 else lower[i]
        else:
            beta[i] = min(max(beta[i] + length * d[k], lower[i]), upper[i])
        dropped |= beta[i] <= lower[i] or beta[i] >= upper[i]
    return dropped


@compiled
def _room(d, beta, lower, upper):
    """The share of the step d that a coefficient can go before it meets a bound."""
    return ((upper if d > 0.0 else lower) - beta) / d
