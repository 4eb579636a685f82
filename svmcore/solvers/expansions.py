"""The two forms of a machine whose w is a combination of few samples: w itself, or its coefficients beta.

    f(x) = w.x + b                            `Linear`: rows of X, no Gram matrix whatever the number of samples
    f(x) = sum_j beta_j k(x_j, x) + b         `Gram`: a kernel matrix in memory

Both solve the sub-problem of `svmcore.solvers.admm`: the ridge regression of some targets s on a working set T,

    minimise  1/2 |w|^2 + sigma/2 sum_T c_i (s_i - b - w.x_i)^2,

with b given, or with the best b (an LS-SVM on T). The minimiser is w = sum_T beta_i x_i with
beta_i = sigma c_i (s_i - b - w.x_i), so both forms return beta.

Cost. `Linear`: the smaller of the |T| x |T| and the d x d system, and a product with X. `Gram`: the |T| x |T| system,
and |T| rows of K. Whatever depends on T alone is kept until T changes.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from svmcore.kernels import BLOCK_BYTES, slices


class Fit(NamedTuple):
    """A ridge regression on T: its coefficients, its values without b at all N samples, and |w|^2."""

    beta: np.ndarray  # (|T|,)
    values: np.ndarray  # (N,) w.x_i
    intercept: float
    squared_norm: float
    w: np.ndarray | None  # (d,), None in kernel form


class _Form:
    """Labels y, weights c and the cost C of a violator; X is None in kernel form."""

    X = None

    def __init__(self, y, C, weight):
        self.y = np.asarray(y, float)
        n = len(self.y)
        if self.y.ndim != 1 or not np.all(np.abs(self.y) == 1.0) or len(np.unique(self.y)) < 2:
            raise ValueError("y must hold the labels -1 and +1, and both of them; encode the two classes as -1 and +1")
        if not (np.ndim(C) == 0 and 0.0 < C < np.inf):
            raise ValueError(f"C must be a positive finite number, got {C!r}; weights of samples go into `weight`")
        self.C = float(C)
        self.weight = np.ones(n) if weight is None else np.asarray(weight, float)
        if self.weight.shape != (n,) or not np.all((self.weight > 0.0) & np.isfinite(self.weight)):
            raise ValueError(
                f"weight must be positive and finite, one for each of the {n} samples; leave out the others"
            )
        self._part = None

    def __len__(self):
        return len(self.y)

    def part(self, idx):
        """The working set of these indices (|T|,), with `ridge` and `squared_length`; the most recent one is kept."""
        if self._part is None or not np.array_equal(self._part.idx, idx):
            self._part = self._restricted(idx)
        return self._part


def _check_finite(table, name):
    if not np.isfinite(table).all():
        raise ValueError(f"{name} must be finite; remove NaN and infinity")


class Linear(_Form):
    """X (N, d), y (N,) in {-1, +1}, C > 0, weight (N,) > 0 or None: C_i = C weight_i."""

    def __init__(self, X, y, C=1.0, weight=None):
        super().__init__(y, C, weight)
        self.X = np.ascontiguousarray(X, dtype=float)
        if self.X.ndim != 2 or len(self.X) != len(self):
            raise ValueError(f"X must have one row for each of the {len(self)} labels, got shape {self.X.shape}")
        _check_finite(self.X, "X")

    def _restricted(self, idx):
        return _Rows(self, idx)

    def block(self, idx) -> np.ndarray:
        """Inner products of some samples about their mean, (|idx|, |idx|): as sum(beta) = 0, any origin is correct."""
        some = self.centred(idx)
        return some @ some.T

    def centred(self, idx) -> np.ndarray:
        """Some rows of X minus their mean, (|idx|, d): a large mean would cost digits."""
        some = self.X[idx]
        return some - some.mean(axis=0)

    def expand(self, idx, beta) -> tuple[np.ndarray, float, np.ndarray]:
        """w.x_i at all samples (N,), |w|^2 and w (d,), for w = sum beta_i x_i over `idx`."""
        w = self.X[idx].T @ beta
        return self.X @ w, float(w @ w), w


class Gram(_Form):
    """K (N, N) symmetric, y (N,) in {-1, +1}, C > 0, weight (N,) > 0 or None: C_i = C weight_i."""

    def __init__(self, K, y, C=1.0, weight=None):
        super().__init__(y, C, weight)
        self.K = np.ascontiguousarray(K, dtype=float)
        if self.K.shape != (len(self), len(self)):
            raise ValueError(f"K must have shape {(len(self),) * 2} to match the labels, got {self.K.shape}")
        _check_finite(self.K, "K")

    def _restricted(self, idx):
        return _Block(self, idx)

    def block(self, idx) -> np.ndarray:
        """Kernel values of some samples, (|idx|, |idx|)."""
        return self.K[idx[:, None], idx]

    def expand(self, idx, beta) -> tuple[np.ndarray, float, None]:
        """w.phi(x_i) at all samples (N,), |w|^2 and None, for w = sum beta_i phi(x_i) over `idx`."""
        values = beta @ self.K[idx]
        return values, float(beta @ values[idx]), None


class _Part:
    """A working set; `inner` are the inner products of its samples."""

    def __init__(self, form, idx):
        self.form, self.idx, self.c = form, idx, form.weight[idx]
        self._factor = None

    def _dual(self, inner, target, sigma, intercept):
        """beta from (inner + diag(1 / sigma c)) beta = target - b, and b, by sum(beta) = 0 if none is given."""
        if not len(self.idx):
            return np.zeros(0), 0.0 if intercept is None else intercept
        if self._factor is None or self._factor[0] != sigma:
            H = inner.copy()
            H.flat[:: len(H) + 1] += 1.0 / (sigma * self.c)
            factor, failed = dpotrf(H.T, lower=1, clean=0, overwrite_a=1)
            if failed:
                raise np.linalg.LinAlgError("not positive definite")
            self._factor = sigma, factor
        if intercept is not None:
            return dpotrs(self._factor[1], target - intercept, lower=1)[0], intercept
        response, level = dpotrs(self._factor[1], np.column_stack([target, np.ones(len(target))]), lower=1)[0].T
        intercept = float(response.sum() / level.sum())
        return response - intercept * level, intercept


class _Rows(_Part):
    """Some rows of X; a large number of them is processed in pieces instead of copied."""

    def __init__(self, form, idx):
        super().__init__(form, idx)
        n_features = form.X.shape[1]
        self._few = len(idx) <= n_features
        self._X = form.X[idx] if self._few or 8 * len(idx) * n_features <= BLOCK_BYTES else None
        if self._few:
            self._inner = self._X @ self._X.T
        else:
            self._scatter = sum(self._scatter_of(some) for some in slices(len(idx), BLOCK_BYTES / (8 * n_features)))
            self._sum, self._count = self._combined(self.c), float(self.c.sum())

    def _scatter_of(self, some):
        rows, c = self.form.X[self.idx[some]] if self._X is None else self._X[some], self.c[some]
        if np.ptp(c) == 0.0:
            return c[0] * (rows.T @ rows)
        return (rows * c[:, None]).T @ rows

    def _combined(self, beta):
        """sum_T beta_i x_i, (d,)."""
        if self._X is not None:
            return self._X.T @ beta
        whole = np.zeros(len(self.form))
        whole[self.idx] = beta
        return self.form.X.T @ whole

    def ridge(self, target, sigma, intercept=None) -> Fit:
        """The regression of `target` (|T|,) for this sigma and b; with the best b if `intercept` is None."""
        if self._few:
            beta, intercept = self._dual(self._inner, target, sigma, intercept)
            w = self._combined(beta)
            return Fit(beta, self.form.X @ w, intercept, float(w @ w), w)
        w, intercept = self._primal(target, sigma, intercept)
        values = self.form.X @ w
        return Fit(sigma * self.c * (target - values[self.idx] - intercept), values, intercept, float(w @ w), w)

    def _primal(self, target, sigma, intercept):
        """w from (I + sigma X' diag(c) X) w = sigma X' diag(c) (target - b), and b; all about the mean if b is free."""
        right, scatter = self._combined(self.c * target), self._scatter
        if intercept is None:
            centre, level = self._sum / self._count, float(self.c @ target) / self._count
            right, scatter = right - level * self._sum, scatter - np.outer(centre, self._sum)
        else:
            right = right - intercept * self._sum
        H = sigma * scatter
        H.flat[:: len(H) + 1] += 1.0
        w = dpotrs(dpotrf(H, lower=1, clean=0, overwrite_a=1)[0], sigma * right, lower=1)[0]
        return w, float(level - centre @ w) if intercept is None else intercept

    def squared_length(self, beta):
        """|sum_T beta_i x_i|^2."""
        w = self._combined(beta)
        return float(w @ w)


class _Block(_Part):
    """Some rows and columns of K."""

    def __init__(self, form, idx):
        super().__init__(form, idx)
        self._inner = form.block(idx)
        self._rows = None if 2 * len(idx) > len(form) else form.K[idx]

    def ridge(self, target, sigma, intercept=None) -> Fit:
        """The regression of `target` (|T|,) for this sigma and b; with the best b if `intercept` is None."""
        beta, intercept = self._dual(self._inner, target, sigma, intercept)
        if self._rows is not None:
            values = beta @ self._rows
        else:
            whole = np.zeros(len(self.form))
            whole[self.idx] = beta
            values = self.form.K @ whole
        return Fit(beta, values, intercept, float(beta @ values[self.idx]), None)

    def squared_length(self, beta):
        """|sum_T beta_i phi(x_i)|^2; at least zero in spite of rounding or an indefinite kernel."""
        return max(float(beta @ self._inner @ beta), 0.0)
