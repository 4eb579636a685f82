"""The problem of a loss and the answer of a solver: the records that all solvers share."""

from typing import Any, NamedTuple

import numpy as np

from svmcore import duals, losses
from svmcore.kernels import Kernel
from svmcore.status import Status


class Task(NamedTuple):
    """A loss on points: X (N, d), or the Gram matrix (N, N) for a precomputed kernel; targets y and weights C, (N,).

    With labels the loss is one of t = 1 - y f, in a `regression` one of the residual y - f for real y.

    `loss` is a key or a `losses.Loss`, `params` are its parameters, C may be a number. `validate` fills in the rest.
    """

    kernel: Kernel
    X: np.ndarray
    y: np.ndarray
    C: np.ndarray | float
    loss: losses.Loss | str
    params: dict[str, float] = {}
    regression: bool = False

    @property
    def signs(self) -> np.ndarray:
        """The s (N,) in t = level - s f: the labels, or 1 in a regression."""
        return np.ones(len(self.y)) if self.regression else self.y

    def slack(self, f) -> np.ndarray:
        """t (N,), or the residuals, of the values f (N,)."""
        return self.y - f if self.regression else 1.0 - self.y * f

    def validate(self) -> "Task":
        """The task with vectors, a `Loss` and all of its parameters; ValueError for what is out of range."""
        loss, (y, C) = losses.get(self.loss), duals.check_targets(self.y, self.C)
        return self._replace(X=np.asarray(self.X, float), y=y, C=C, loss=loss, params=loss.check(**self.params))

    def objective(self, f, squared_norm) -> float:
        """P = 1/2 |w|^2 + sum_i C_i loss(t_i) of a machine with the values f (N,) on the points."""
        measure = duals.regression_objective if self.regression else duals.primal_objective
        return measure(self.loss, f, self.y, self.C, squared_norm, **self.params)


class Details(NamedTuple):
    """Numbers of a solution that only some solvers know.

    A box dual has `gap`, the primal less the dual objective, and `image` = K beta, (N,), for a run that begins at this
    solution. A machine that is not convex is solved from `n_starts` starts, of which `n_agreed` ended at this
    objective; `certificate` is that of the 0/1 loss (`zero_one.certificate`). An interior point method has the
    `multipliers` of the bounds. A 1-norm machine has its weights `w` (d,), a `lower_bound` on the optimum, and
    `n_epochs`, those of all rounds.
    """

    gap: float | None = None
    image: np.ndarray | None = None
    n_starts: int = 1
    n_agreed: int = 1
    certificate: float | None = None
    multipliers: Any = None
    w: np.ndarray | None = None
    lower_bound: float | None = None
    n_epochs: int = 0


class Solution(NamedTuple):
    """The answer of a solver: f(x) = sum_j beta_j k(x_j, x) + intercept, with beta (N,), and its accuracy.

    `violation` is the solver's own measure of optimality, 0 at the optimum; `status` is a success or says why not;
    `route` names the methods that took part, which took `n_iter` steps.
    """

    beta: np.ndarray
    intercept: float
    objective: float
    violation: float
    n_iter: int
    status: Status
    route: str
    details: Details = Details()

    def with_details(self, **known) -> "Solution":
        return self._replace(details=self.details._replace(**known))
