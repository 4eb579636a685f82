"""The two forms of a machine whose w is a combination of few samples: w itself, or its coefficients beta.

f(x) = w.x + b                            `Linear`: rows of X, no Gram matrix whatever the number of samples
f(x) = sum_j beta_j k(x_j, x) + b         `Gram`: a kernel matrix in memory
"""

import numpy as np


class _Form:
    """Labels y, weights c and the cost C of a violator; `table` is X or K, by `name`; X is None in kernel form."""

    X = None

    def __init__(self, name, table, y, C, weight):
        self.table, self.y = np.ascontiguousarray(table, dtype=float), np.asarray(y, float)
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
        if not np.isfinite(self.table).all():
            raise ValueError(f"{name} must be finite; remove NaN and infinity")

    def __len__(self):
        return len(self.y)


class Linear(_Form):
    """X (N, d), y (N,) in {-1, +1}, C > 0, weight (N,) > 0 or None: C_i = C weight_i."""

    def __init__(self, X, y, C=1.0, weight=None):
        super().__init__("X", X, y, C, weight)
        self.X = self.table
        if self.X.ndim != 2 or len(self.X) != len(self):
            raise ValueError(f"X must have one row for each of the {len(self)} labels, got shape {self.X.shape}")

    def block(self, idx) -> np.ndarray:
        """Inner products of some samples about their mean, (|idx|, |idx|): as sum(beta) = 0, any origin is correct."""
        some = self.centre_rows(idx)
        return some @ some.T

    def centre_rows(self, idx) -> np.ndarray:
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
        super().__init__("K", K, y, C, weight)
        self.K = self.table
        if self.K.shape != (len(self), len(self)):
            raise ValueError(f"K must have shape {(len(self),) * 2} to match the labels, got {self.K.shape}")

    def block(self, idx) -> np.ndarray:
        """Kernel values of some samples, (|idx|, |idx|)."""
        return self.K[idx[:, None], idx]

    def expand(self, idx, beta) -> tuple[np.ndarray, float, None]:
        """w.phi(x_i) at all samples (N,), |w|^2 and None, for w = sum beta_i phi(x_i) over `idx`."""
        values = beta @ self.K[idx]
        return values, float(beta @ values[idx]), None
