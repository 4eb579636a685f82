"""scikit-learn estimators: they translate and check, the solvers compute.

`SVC` is every binary machine whose loss has a solver (see `svmcore.solvers.machines`). It follows scikit-learn's
contract, so that pipelines, grid search and `OneVsRestClassifier` (more than two classes) work with it.
"""

import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from svmcore import kernels
from svmcore.solvers import convex, machines


class SVC(ClassifierMixin, BaseEstimator):
    """Binary support vector machine with a choice of losses.

    minimise  1/2 |w|^2 + C sum_i loss(1 - y_i f(x_i)),    f(x) = sum_j beta_j k(x_j, x) + b

    Parameters
    ----------
    loss : a key of `svmcore.losses.LOSSES`, such as "hinge", "least_squares" (LS-SVM), "least_absolute" (Least 1-Norm);
        `svmcore.solvers.machines.SOLVABLE` lists them
    loss_params : dict or None, the parameters of the loss, such as {"tau": 0.3} for "pinball"
    C : positive weight of the loss; `sample_weight` in `fit` multiplies it
    kernel : "linear", "poly", "rbf", "sigmoid" (tanh), "precomputed", or a function (X, Z) -> (len(X), len(Z))
    gamma : "scale" (1 / (n_features X.var())), "auto" (1 / n_features), or positive; RBF is exp(-gamma |x - z|^2)
    degree, coef0 : of the polynomial, (gamma x.z + coef0)^degree, and of tanh(gamma x.z + coef0)
    tol : the run ends when the largest violation of the optimality conditions is at most this
    max_iter : most pair updates, conjugate gradient or quasi-Newton steps, in each round and from each start
    solver : "auto" takes what suits the problem; "smo" for a box dual; for least_squares also "direct" (Cholesky), "cg"
    random_state : unused: convex losses have one optimum, and the starts of the others are determined by the data
    solver_params : dict or None, for losses that are not convex: {"starts": names}, see `STARTS` in
        `svmcore.solvers.smooth` and `svmcore.solvers.cccp`, and for CCCP {"max_rounds": n}

    Attributes
    ----------
    support_ : (n_SV,) indices of the training points with beta != 0
    support_vectors_ : (n_SV, n_features)
    dual_coef_ : (1, n_SV) beta = y alpha
    intercept_ : (1,)
    coef_ : (1, n_features), linear kernel only
    n_iter_ : int, steps taken by all solvers that took part
    status_ : "converged" (convex), "local minimum" (not convex), "iteration limit", ...: how the run ended
    violation_ : max F over what may rise minus min F over what may fall; 0 = optimal. For a box dual
        F = y - (K + diag(ridge)) beta; for CCCP likewise, with the box that the machine itself asks for; for a smooth
        loss F = f - K beta, all may rise and fall, and it is the gradient in w as a function on the points
    objective_ : of a box dual the dual objective -1/2 beta'(K + diag(ridge)) beta + y'beta, at the optimum equal to
        the primal one; of a smooth or truncated loss the primal objective 1/2 |w|^2 + C sum_i loss(t_i)
    n_starts_, n_starts_agreed_ : from how many starts a loss that is not convex was solved, and how many of them ended
        at this objective; 1 and 1 for a convex loss
    route_ : which solvers took part, in words
    kernel_ : the `svmcore.kernels.Kernel` with its numbers
    classes_, n_features_in_ : as in scikit-learn

    Examples
    --------
    >>> from svmcore import SVC, problems
    >>> problem = problems.load("two_spirals")
    >>> model = SVC(loss="least_squares", C=1.0, gamma=1.0).fit(problem.X, problem.y)
    >>> float(model.score(problem.X_test, problem.y_test))
    1.0
    """

    _parameter_constraints = {
        "loss": [StrOptions(set(machines.SOLVABLE))],
        "loss_params": [dict, None],
        "C": [Interval(Real, 0.0, None, closed="neither")],
        "kernel": [StrOptions(set(kernels.KERNELS)), callable],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0.0, None, closed="neither")],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "tol": [Interval(Real, 0.0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "solver": [StrOptions(set(convex.SOLVERS))],
        "random_state": ["random_state"],
        "solver_params": [dict, None],
    }

    def __init__(
        self,
        loss="hinge",
        loss_params=None,
        C=1.0,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        tol=1e-3,
        max_iter=1_000_000,
        solver="auto",
        random_state=None,
        solver_params=None,
    ):
        self.loss = loss
        self.loss_params = loss_params
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.random_state = random_state
        self.solver_params = solver_params

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """X (n, d) or, precomputed, the Gram matrix (n, n); y (n,) with two classes; sample_weight (n,) >= 0.

        Raises ValueError, in a sentence, for data or parameters that cannot be used; warns with ConvergenceWarning
        where the run did not end at the optimum (see `status_`).
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        signs = self._signs(y)
        kept = np.flatnonzero(weight > 0)  # a sample of weight zero is no sample
        if len(np.unique(signs[kept])) < 2:
            raise ValueError(
                "fit needs samples of both classes with positive weight, got fewer than two classes; see sample_weight"
            )
        precomputed = self.kernel == "precomputed"
        if precomputed and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"kernel='precomputed' needs the square Gram matrix of the training points, got shape {X.shape}"
            )
        self.kernel_ = kernels.Kernel(self.kernel, self._gamma(X, weight), self.degree, self.coef0)
        points = X[np.ix_(kept, kept)] if precomputed else X[kept]
        found = machines.solve(
            self.loss, self.loss_params or {}, self.kernel_, points, signs[kept], self.C * weight[kept],
            tol=self.tol, max_iter=self.max_iter, solver=self.solver, solver_params=self.solver_params,
        )  # fmt: skip

        nonzero = np.flatnonzero(found.beta)
        self.support_ = kept[nonzero]
        self.support_vectors_ = np.empty((0, X.shape[1])) if precomputed else X[self.support_]
        self.dual_coef_ = found.beta[nonzero][None, :]
        self.intercept_ = np.array([found.intercept])
        self.n_iter_ = max(found.n_iter, 1)
        self.status_, self.violation_ = found.status, found.violation
        self.objective_, self.route_ = found.objective, found.route
        self.n_starts_, self.n_starts_agreed_ = found.n_starts, found.n_agreed
        if found.status not in machines.SUCCESS:
            asked = f"violation {found.violation:.3g} where {self.tol:g} was asked for"
            hint = f", {asked}; scale the inputs, lower C, or raise max_iter or tol" * (found.violation > self.tol)
            warnings.warn(
                f"{self.loss}: {found.status} after {found.n_iter} iterations{hint}",
                ConvergenceWarning,
                stacklevel=3,  # past scikit-learn's wrapper, to who called fit
            )
        return self

    def decision_function(self, X):
        """f(x) for each row of X, (n,); with a precomputed kernel X is (n, n_train)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if self.kernel == "precomputed":
            return X[:, self.support_] @ self.dual_coef_[0] + self.intercept_[0]
        return self.kernel_.dot(X, self.support_vectors_, self.dual_coef_[0]) + self.intercept_[0]

    def predict(self, X):
        """The class of each row of X, (n,); f = 0 counts as the second class."""
        positive = self.decision_function(X) >= 0.0
        return self.classes_[positive.astype(int)]

    @property
    def coef_(self):
        """w of the linear kernel, (1, n_features)."""
        if self.kernel != "linear":
            raise AttributeError("coef_ exists for kernel='linear' only; use dual_coef_ and support_vectors_")
        check_is_fitted(self)
        return self.dual_coef_ @ self.support_vectors_

    def _signs(self, y):
        check_classification_targets(y)
        self.classes_, code = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            raise ValueError(
                f"SVC needs two classes, got {len(self.classes_)} class{'es' * (len(self.classes_) != 1)}: "
                + (
                    "the data holds one class only"
                    if len(self.classes_) < 2
                    else "Only binary classification is supported; use sklearn.multiclass.OneVsRestClassifier"
                )
            )
        return 2.0 * code - 1.0

    def _gamma(self, X, weight):
        if self.kernel == "precomputed" or callable(self.kernel):
            return 1.0
        return kernels.resolve_gamma(self.gamma, X, weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
