"""Objectives, gap, violation and errors of the frames of a run, computed afterwards from the coefficients."""

from typing import NamedTuple

import numpy as np

from svmcore import duals, losses
from svmcore.watch import registry, trace


class Curves(NamedTuple):
    """One value per frame, (F,) each; nan where it does not exist (for a loss without a box dual).

    `dual` is the dual objective, a lower bound on every `primal`; `gap` their difference, 0 at the optimum; both nan
    where the kernel matrix is not positive semidefinite, so that there is no such bound. Of the support values `n_free`
    lie within their box, `n_bound` at a bound other than zero, `n_zero` at zero.
    `training_error` is a share.
    """

    iteration: np.ndarray
    dual: np.ndarray
    primal: np.ndarray
    gap: np.ndarray
    violation: np.ndarray
    n_free: np.ndarray
    n_bound: np.ndarray
    n_zero: np.ndarray
    training_error: np.ndarray


def curves(run, given) -> Curves:
    """The Curves over the frames of a Trace `run` of the problem; with a box dual `violation` is recomputed from K."""
    given = registry.as_solved(run, given)
    betas, y, qp = run.frame_beta, given.y, given.qp
    rows = np.searchsorted(run.iteration, run.frame_iter)
    K_beta = betas @ given.K
    f = K_beta + run.frame_intercept[:, None]
    loss = losses.get(given.loss)
    squared_norm = np.einsum("fn,fn->f", betas, K_beta)
    primal = 0.5 * squared_norm + np.sum(given.C * loss(1.0 - y * f, **given.params), axis=1)
    if loss is losses.zero_one:
        primal = run.objective[rows]  # a sample of T, whose slack converges to zero, is no violator
    if qp is None:
        dual, violation = np.full(len(betas), np.nan), run.violation[rows]
    else:
        _, objective, violation = trace.optimality(qp, betas, -qp.linear - K_beta - qp.ridge * betas).T
        dual = -objective if registry.is_definite(given) else np.full(len(betas), np.nan)
    state = trace.states(run, rows, betas, given)
    n_zero, n_free = np.sum(state == duals.ZERO, axis=1), np.sum(state == duals.FREE, axis=1)
    predicted = np.where(f >= 0.0, 1.0, -1.0)
    return Curves(
        run.frame_iter, dual, primal, primal - dual, violation,
        n_free, betas.shape[1] - n_free - n_zero, n_zero, np.mean(predicted != y, axis=1),
    )  # fmt: skip
