"""Rows of a kernel matrix within a memory budget, for solvers whose matrix would not fit: the kernel cache.

The compiled function is here, beside its only caller: numba's disk cache does not notice edits in other files.
"""

import numpy as np
from numba import njit

from svmcore.kernels.inner import slices
from svmcore.kernels.kernel import BLOCK_BYTES

GAUSSIAN = 20  # features up to which a product in the cache takes no longer than to read the rows from memory


class Rows:
    """The kernel matrix K of X, (N, N), within `budget_bytes`.

    For solvers that need a few hundred rows at a time. Rows of a cheap kernel (`Kernel.is_cheap`), and of a Gaussian
    kernel with up to `GAUSSIAN` features, are computed on each request. Rows of any other kernel are cached until the
    budget is full; then the least recently used ones are replaced.
    """

    def __init__(self, kernel, X, budget_bytes=500e6):
        self.kernel = kernel
        self.diagonal = kernel.diagonal(X)
        n = len(self.diagonal)
        self._X, _ = kernel.check_points(X)
        d = self._X.shape[1]
        self._cheap = kernel.is_cheap(d) or (kernel.name == "rbf" and d <= GAUSSIAN)
        if kernel.name == "precomputed":  # a cache that is full from the start
            self._store = kernel.values(self._X, self._X)
            self._slot = self._index = np.arange(n)
        else:
            room = 0 if self._cheap else min(n, int(budget_bytes // (8 * n)))
            self._store = np.empty((room, n))  # takes memory only as it is written: slots are filled in order
            self._slot = np.full(n, -1)  # the slot of row i
            self._index = np.full(room, -1)  # the row in a slot
        self._used = np.zeros(len(self._index), np.int64)
        self._clock = 0

    def block(self, idx) -> np.ndarray:
        """K[idx][:, idx], (len(idx), len(idx)), exactly symmetric; idx holds indices of points."""
        if self.kernel.name == "precomputed":
            return self._store[np.ix_(idx, idx)]
        some = self._X[idx]
        return self.kernel.values(some, some)

    def rows(self, idx) -> np.ndarray:
        """K[idx, :], shape (len(idx), N)."""
        idx = np.asarray(idx, np.intp)
        if self._cheap:
            return self.kernel.values(self._X[idx], self._X)
        out = np.empty((len(idx), self._store.shape[1]))
        kept = self._touch(idx)
        out[kept] = self._store[self._slot[idx[kept]]]
        for where, computed in self._compute_absent(idx, ~kept):
            out[where] = computed
        return out

    def dot(self, idx, c) -> np.ndarray:
        """K[:, idx] @ c, shape (N,)."""
        idx, c = np.asarray(idx, np.intp), np.asarray(c, np.float64)
        if self._cheap:
            return self.kernel.product(self._X, self._X[idx], c)
        out = np.zeros(self._store.shape[1])
        kept = self._touch(idx)
        _add_rows(self._store, self._slot[idx[kept]], c[kept], out)
        for where, computed in self._compute_absent(idx, ~kept):
            out += c[where] @ computed
        return out

    def _touch(self, idx):
        """Find those of these rows that are in the cache; they count as just used."""
        self._clock += 1
        slots = self._slot[idx]
        self._used[slots[slots >= 0]] = self._clock
        return slots >= 0

    def _compute_absent(self, idx, absent):
        """Compute the absent rows, a bounded number at a time, and store them over the least recently used ones."""
        absent = np.flatnonzero(absent)
        for some in slices(len(absent), BLOCK_BYTES / (8 * len(self._slot))):
            where = absent[some]
            computed = self.kernel.values(self._X[idx[where]], self._X)
            slots = np.argsort(self._used, kind="stable")[: len(where)]
            new = idx[where][: len(slots)]
            gone = self._index[slots]
            self._slot[gone[gone >= 0]] = -1
            self._slot[new], self._index[slots], self._used[slots] = slots, new, self._clock
            self._store[slots] = computed[: len(slots)]
            yield where, computed


@njit(cache=True, nogil=True, fastmath={"contract"})
def _add_rows(store, slots, c, out):
    """out += sum_k c_k store[slots_k], four rows a pass."""
    full = slots.size - slots.size % 4
    for k in range(0, full, 4):
        r0, r1, r2, r3 = store[slots[k]], store[slots[k + 1]], store[slots[k + 2]], store[slots[k + 3]]
        for t in range(out.size):
            out[t] += (c[k] * r0[t] + c[k + 1] * r1[t]) + (c[k + 2] * r2[t] + c[k + 3] * r3[t])
    for k in range(full, slots.size):
        r0 = store[slots[k]]
        for t in range(out.size):
            out[t] += c[k] * r0[t]
