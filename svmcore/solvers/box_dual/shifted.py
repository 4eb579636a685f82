"""Systems with K + D for a positive semidefinite K and a changing positive diagonal D, as `interior_point` needs them.

Each has the `diagonal` of K, (N,), `dot`: x -> K x, `restricted` to some coefficients, `factorise` for D (N,), False if
there is no Cholesky factor, and then `solve`: x -> (K + D)^-1 x.
"""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpotrf, dpotrs

STIFF = 1e4  # a coefficient whose K_ii exceeds D_i by this factor is eliminated by itself


class Whole:
    """K + D by a Cholesky factorisation."""

    def __init__(self, K):
        self.K = K
        self.diagonal = K.diagonal()

    def restrict(self, some):
        return Whole(self.K[np.ix_(some, some)])

    def dot(self, x):
        return self.K @ x

    def factorise(self, D):
        self.factor = _cholesky(self.K, D)
        return self.factor is not None

    def solve(self, x):
        return _substitute(self.factor, x)


class LowRank:
    """L L' + D by the Woodbury formula, except where it would suffer from cancellation.

    For the few free coefficients D is tiny, and the formula, which divides by D, would lose the solution to rounding
    (at C = 1e6 entirely). These coefficients, the set T, are therefore eliminated last and by themselves. With B the
    others,

        M = I + L_B' D_B^-1 L_B = G G',    S = D_T + (G^-1 L_T')' (G^-1 L_T')

    are well scaled, and (L L' + D) x = z is solved through w = L'x:

        u = L_B' D_B^-1 z_B,    S x_T = z_T - L_T M^-1 u,    w = M^-1 (u + L_T' x_T),    x_B = D_B^-1 (z_B - L_B w).
    """

    def __init__(self, L):
        self.L = L
        self.diagonal = np.einsum("ij,ij->i", L, L)

    def restrict(self, some):
        return LowRank(self.L[some])

    def dot(self, x):
        return self.L @ (self.L.T @ x)

    def factorise(self, D):
        r = self.L.shape[1]
        stiffness = self.diagonal / D
        at_most = min(r + max(r // 4, 16), len(D))
        T = np.argpartition(-stiffness, at_most - 1)[:at_most]
        self.T = T[stiffness[T] > STIFF]
        self.L_T = self.L[self.T]
        self.inverse = 1.0 / D
        self.inverse[self.T] = 0.0
        scaled = np.sqrt(self.inverse)[:, None] * self.L
        M = scaled.T @ scaled
        M.flat[:: r + 1] += 1.0
        self.M, failed = dpotrf(M.T, lower=1, clean=0, overwrite_a=1)
        if failed:
            return False
        P = solve_triangular(self.M, self.L_T.T, lower=True, check_finite=False)
        self.S = _cholesky(P.T @ P, D[self.T])
        return self.S is not None

    def solve(self, z):
        u = self.L.T @ (self.inverse * z)
        x_T = _substitute(self.S, z[self.T] - self.L_T @ dpotrs(self.M, u, lower=1)[0])
        w = dpotrs(self.M, u + self.L_T.T @ x_T, lower=1)[0]
        x = self.inverse * (z - self.L @ w)
        x[self.T] = x_T
        return x


def _cholesky(K, D):
    """The Cholesky factor of K + D; None if there is none."""
    A = K.copy()
    A.flat[:: len(K) + 1] += D
    factor, failed = dpotrf(A.T, lower=1, clean=0, overwrite_a=1) if len(K) else (A, 0)
    return None if failed else factor


def _substitute(factor, x):
    return dpotrs(factor, x, lower=1)[0] if len(factor) else x
