"""More than two classes: one binary machine for each pair of classes, in the layout of LIBSVM.

A pair (i, j), i < j, has a machine on the points of these two classes; f > 0 is class i. The pairs are in the order
(0, 1), (0, 2), ..., (1, 2), ...: k (k - 1) / 2 of them for k classes. A new point goes to the class with the most
votes, the first of them where several have as many.

Support vectors are in the order of their classes. One of class c takes part in the k - 1 pairs of c, so its
coefficients are k - 1 numbers, a column of `dual_coef_`, in the order of the other classes.

Source: C.-C. Chang, C.-J. Lin (2011), LIBSVM: a library for support vector machines, section 7.
"""

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from svmcore.solvers.solution import Solution
from svmcore.status import is_success


def solve(code, machine: Callable[[np.ndarray, np.ndarray, int], Solution]) -> Solution:
    """The machines of all pairs as one `Solution`: beta (N, P), `intercept` (P,), `n_iter` (P,); the objectives' sum.

    code: the class of each point, (N,), from 0 to k - 1; machine(rows, signs, p) solves pair p on the points `rows`
    with the labels `signs`. The status is that of the first pair that is no success, the violation the largest.
    """
    found, k = [], int(code.max()) + 1
    beta = np.zeros((len(code), k * (k - 1) // 2))
    for p, (i, j) in enumerate(combinations(range(k), 2)):
        rows = np.flatnonzero((code == i) | (code == j))
        found.append(machine(rows, np.where(code[rows] == i, 1.0, -1.0), p))
        beta[rows, p] = found[-1].beta
    worst = next((one for one in found if not is_success(one.status)), found[0])
    return worst._replace(
        beta=beta,
        intercept=np.array([one.intercept for one in found]),
        objective=float(sum(one.objective for one in found)),
        violation=max(one.violation for one in found),
        n_iter=np.array([max(one.n_iter, 1) for one in found]),
        route="; ".join(dict.fromkeys(one.route for one in found)),
    )


def dual_coef(beta, n_support) -> np.ndarray:
    """The layout of LIBSVM, (k - 1, n_SV), of the pairs' coefficients (n_SV, P), ordered by class."""
    table = np.zeros((len(n_support) - 1, len(beta)))
    for p, column, row in _places(n_support):
        table[row, column] = beta[column, p]
    return table


def columns(dual_coef, n_support) -> np.ndarray:
    """The pairs' coefficients, (n_SV, P), of the layout of LIBSVM (k - 1, n_SV)."""
    k = len(n_support)
    beta = np.zeros((dual_coef.shape[1], k * (k - 1) // 2))
    for p, column, row in _places(n_support):
        beta[column, p] = dual_coef[row, column]
    return beta


def _places(n_support) -> Iterator[tuple[int, slice, int]]:
    """(pair, its support vectors of one class, the row of their coefficients) for both classes of every pair."""
    ends = np.cumsum(n_support)
    for p, (i, j) in enumerate(combinations(range(len(n_support)), 2)):
        yield p, slice(ends[i] - n_support[i], ends[i]), j - 1
        yield p, slice(ends[j] - n_support[j], ends[j]), i


def votes(first, k) -> np.ndarray:
    """The number of pairs (n, k) that each class wins; `first` (n, P): whether the first class of a pair does."""
    won = np.zeros((len(first), k))
    for p, (i, j) in enumerate(combinations(range(k), 2)):
        won[:, i] += first[:, p]
        won[:, j] += ~first[:, p]
    return won


def by_class(f, k) -> np.ndarray:
    """One value for each class, (n, k), of f (n, P): its votes, and less than half a vote from the sum s of its values.

    The fraction is s / (3 (|s| + 1)), as in scikit-learn: it decides between classes with as many votes. As there, a
    value of 0 counts for the first class here.
    """
    total = np.zeros((len(f), k))
    for p, (i, j) in enumerate(combinations(range(k), 2)):
        total[:, i] += f[:, p]
        total[:, j] -= f[:, p]
    return votes(f >= 0.0, k) + total / (3.0 * (np.abs(total) + 1.0))
