"""The sparse LS-SVM: `SparseLSSVC` for two classes, `SparseLSSVR` for regression."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils._param_validation import StrOptions

from svmcore import losses
from svmcore.estimators import checked
from svmcore.estimators.base import KernelMachine, TwoClasses
from svmcore.solvers import isls
from svmcore.solvers.solution import Task
from svmcore.status import Status
from svmcore.words import with_count


@checked.estimator
@dataclass(eq=False, repr=False)
class SparseMachine(KernelMachine):
    """ISLS over a kernel expansion; `svmcore.solvers.isls` says what it minimises and how."""

    _parameter_constraints = {
        **KernelMachine._parameter_constraints,
        "init": [StrOptions(set(isls.INITS))],
        "stop": [StrOptions(set(isls.STOPS))],
    }

    C: float = 10.0
    kernel: str | Callable = "rbf"
    gamma: str | float = "scale"
    degree: int = 3
    coef0: float = 0.0
    tol: float = 1e-4
    max_iter: int = isls.MAX_ROUNDS
    init: str = "absolute"
    stop: str = "paper"

    @checked.parameters
    def fit(self, X, y, sample_weight=None) -> "SparseMachine":
        """X (n, d) or, precomputed, the Gram matrix (n, n); y (n,), real or with two classes; sample_weight (n,) >= 0.

        Raises ValueError, in a sentence, for data or parameters that cannot be used; warns with ConvergenceWarning
        where the run did not end as it should (see `status_`).
        """
        real = isinstance(self, RegressorMixin)
        X, y = checked.table_and_targets(self, X, y, y_numeric=real)
        weight = checked.weights(sample_weight, X)
        y = self._targets(y) if real else self._signs(y, weight)
        weight = weight if self.kernel == "precomputed" else _merge_weights(X, y, weight)
        kernel, points, kept = self._training_set(X, weight)
        task = Task(kernel, points, y[kept], self.C * weight[kept], losses.least_squares)
        found = isls.solve(task, tol=self.tol, max_iter=self.max_iter, init=self.init, stop=self.stop)
        return self._keep(found, X, kept)

    def _complaint(self, found):
        hint = "; raise max_iter or tol" if found.status == Status.ITERATION_LIMIT else ""
        return f"ISLS ended after {with_count(found.n_iter, 'round')} with {found.status}{hint}"


class SparseLSSVC(TwoClasses, SparseMachine):
    """Sparse LS-SVM for two classes, by iterative re-weighting (ISLS; López et al. 2011).

    f(x) = sum_j beta_j k(x_j, x) + b is fitted to the labels -1 and +1 as `SparseLSSVR` fits it to real targets.

    Parameters
    ----------
    C : positive weight of the squared errors; `sample_weight` in `fit` multiplies it. Too small, and no support vector
        survives: `status_` says so, and f is constant. There is no other penalty on what f does between the points, so
        that a very large C overfits
    kernel : a key of `svmcore.kernels.KERNELS`, such as "linear" or "rbf", or a function (X, Z) -> (len(X), len(Z))
    gamma : "scale" (1 / (n_features X.var()), the variance weighted by `sample_weight`), "auto" (1 / n_features), or
        positive; RBF is exp(-gamma |x - z|^2)
    degree, coef0 : of the polynomial, (gamma x.z + coef0)^degree, and of tanh(gamma x.z + coef0)
    tol : of the stopping rule
    stop : "paper", the coefficients, each times its max_j |k(x_j, x_i)|, moved by |change|_2 / n < tol, while some may
        still be converging to zero, and ends a run that lingers near a saddle point; "strict", the violation is at
        most tol (then raise max_iter to hundreds)
    max_iter : most rounds of re-weighting; a limit reached warns
    init : the first weights, from the coefficients beta of the LS-SVM: "absolute" |beta|, "inverse_square" 1 / beta^2,
        or "literal" beta with its sign, as the paper prints it

    Attributes
    ----------
    support_, support_vectors_, dual_coef_ : the points with |beta_i| max_j |k(x_j, x_i)| > 1e-6 (for a Gaussian kernel
        |beta_i| > 1e-6), their rows, and beta (1, n_SV); the others change no value of f by more
    intercept_ : (1,)
    coef_ : (1, n_features), linear kernel only
    n_iter_ : int, rounds
    status_ : "converged" (the stopping rule was met), "iteration limit", or a sentence
    violation_ : largest |beta_i p_i - 1| of the support, p = K C (y - f): 0 at a stationary point, about 1 while one
        converges to zero
    objective_ : sum of log(|beta_i| max_j |k(x_j, x_i)| / 1e-8) over the support, plus C/2 sum (y_i - f_i)^2
    route_, kernel_, classes_, n_features_in_ : as for `SVC`

    Samples that are repeated (same row, same target) are one with the sum of their weights: one coefficient serves
    them all, and weight two is the same as twice the sample. A precomputed kernel does not show them.

    Examples
    --------
    >>> from svmcore import SparseLSSVC, problems
    >>> problem = problems.load("ripley")
    >>> model = SparseLSSVC(C=10.0, gamma=2.0).fit(problem.X, problem.y)
    >>> len(problem.X), len(model.support_)
    (250, 6)
    """

    def decision_function(self, X) -> np.ndarray:
        """f(x) for each row of X, (n,); with a precomputed kernel X is (n, n_train)."""
        return self._values(X)


class SparseLSSVR(RegressorMixin, SparseMachine):
    """Sparse LS-SVM for regression, by iterative re-weighting (ISLS; López et al. 2011).

    A stationary point of  sum_i log|beta_i| + C/2 sum_i (y_i - f(x_i))^2,  f(x) = sum_j beta_j k(x_j, x) + b,  on the
    coefficients that survive; it is reached from the LS-SVM, each round lowering the sum. (Over all coefficients it has
    no minimum: it is -inf where any beta_i is 0.) The first term depends on how many coefficients there are and hardly
    on their size, so that C is in units of 1 / y^2: where y is not of about unit size, scale it
    (`sklearn.compose.TransformedTargetRegressor`).

    Parameters and attributes are those of `SparseLSSVC`, without classes.

    Examples
    --------
    >>> from svmcore import SparseLSSVR, problems
    >>> problem = problems.load("sinc")
    >>> model = SparseLSSVR(C=100.0, gamma=0.25).fit(problem.X, problem.y)
    >>> len(problem.X), len(model.support_)
    (200, 11)
    """

    def predict(self, X) -> np.ndarray:
        """f(x) for each row of X, (n,); with a precomputed kernel X is (n, n_train)."""
        return self._values(X)


def _merge_weights(X, y, weight):
    """The weight of repeated samples given to the first of each, (n,)."""
    _, first, same = np.unique(np.column_stack([X, y]), axis=0, return_index=True, return_inverse=True)
    gathered = np.zeros(len(y))
    np.add.at(gathered, first[same.ravel()], weight)
    return gathered
