"""The sparse models of a figure of the ISLS paper, fitted to all points of a data set, as arrays for a picture."""

import numpy as np

from pages.shared.studies.arrays import FREE, ZERO, Field, FunctionCurve, Points, Samples
from svmcore import SparseLSSVC, SparseLSSVR, grid, problems
from svmcore.papers import isls

SIZE = 100


def sparse(name, C, sigma) -> tuple[Field, Points] | tuple[FunctionCurve, Samples]:
    """ISLS on the data set `name`: (Field, Points), or (FunctionCurve, Samples) for a regression; C as `isls.fig1`."""
    (X, y), unit = isls.rows_of(name), problems.load(name).unit
    kind = SparseLSSVC if name in isls.CLASSIFICATION else SparseLSSVR
    model = kind(C=C, gamma=1 / sigma**2).fit(X, y / unit)
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    state = np.where(beta == 0.0, ZERO, FREE)
    if name in isls.CLASSIFICATION:
        xs, ys = grid.axes(X, SIZE)
        f = grid.decision(model.kernel_, X, beta, model.intercept_[0], xs, ys)
        return Field(xs, ys, f.astype(np.float32)), Points(X, y, alpha=y * beta, state=state)
    xs = np.linspace(X.min(), X.max(), 6 * SIZE)
    low, high = y.min(), y.max()
    margin = 0.08 * (high - low)
    graph = FunctionCurve(xs, np.array([low - margin, high + margin]), unit * model.predict(xs[:, None]))
    return graph, Samples(X[:, 0], y, beta=beta, state=state)
