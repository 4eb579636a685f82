"""Oracle: the dense matrix, whatever fits in the memory."""

import numpy as np
import pytest
from variants import laplace, normal

from svmcore.kernels import FEW_FEATURES, KERNELS, Kernel
from svmcore.kernels.rows import Rows


@pytest.mark.parametrize("d", [2, 12])
@pytest.mark.parametrize("rows_kept", [0, 17, 1000])
@pytest.mark.parametrize("kernel", [Kernel(key, 0.5, 3, 1.0) for key in (*KERNELS, laplace)], ids=lambda k: k.latex)
def test_rows_are_the_dense_matrix(kernel, rows_kept, d, monkeypatch):
    n = 70
    monkeypatch.setattr("svmcore.kernels.rows.BLOCK_BYTES", 8 * n * 5)  # at most five missing rows at a time
    X = normal(n, d)
    if kernel.name == "precomputed":
        X = Kernel("rbf")(X)
    K = kernel(X)
    close = dict(rtol=0, atol=1e-12 * np.abs(K).max())
    rows = Rows(kernel, X, budget_bytes=8 * n * rows_kept)
    np.testing.assert_allclose(rows.diagonal, K.diagonal(), **close)
    rng = np.random.default_rng(1)
    for round_ in range(10):
        idx = rng.choice(n, size=rng.integers(0, 40), replace=round_ % 5 == 4)
        c = rng.normal(size=len(idx))
        np.testing.assert_allclose(rows.dot(idx, c), K[:, idx] @ c, **close)
        idx = rng.choice(n, size=rng.integers(0, 40), replace=False)
        np.testing.assert_allclose(rows.rows(idx), K[idx], **close)
        block = rows.block(idx)
        np.testing.assert_allclose(block, K[np.ix_(idx, idx)], **close)
        np.testing.assert_array_equal(block, block.T)


def test_rows_within_the_budget_are_computed_once_and_the_longest_unused_are_dropped():
    computed = []
    kernel, X = Kernel(lambda X, Z: computed.append(len(X)) or laplace(X, Z)), normal(50, 2)
    rows = Rows(kernel, X, budget_bytes=8 * 50 * 50)
    computed.clear()
    for _ in range(3):
        rows.dot(np.arange(30), np.ones(30))
    rows.rows(np.arange(10, 40))
    assert sum(computed) == 40
    rows = Rows(kernel, X, budget_bytes=8 * 50 * 20)
    for idx in (np.arange(10), np.arange(10, 20), np.arange(10), np.arange(20, 25)):  # 10..14 must go
        rows.rows(idx)
    computed.clear()
    rows.rows(np.concatenate([np.arange(10), np.arange(15, 25)]))
    assert sum(computed) == 0
    rows.rows(np.arange(10, 15))
    assert sum(computed) == 5
    for cheap, d in ((Kernel("rbf"), 2), (Kernel("rbf"), FEW_FEATURES), (Kernel("linear"), 50)):
        assert Rows(cheap, normal(300, d))._store.size == 0
