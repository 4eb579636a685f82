"""The machines with a choice of losses: `SVC` for two classes, `SVR` for regression."""

from numbers import Real

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils._param_validation import Interval, StrOptions

from svmcore import duals
from svmcore.estimators import checked
from svmcore.estimators.base import KernelMachine, TwoClasses
from svmcore.losses import regression
from svmcore.solvers import router
from svmcore.solvers.box_dual import convex
from svmcore.solvers.solution import Task


class SVC(TwoClasses, KernelMachine):
    """Binary support vector machine with a choice of losses.

    minimise  1/2 |w|^2 + C sum_i loss(1 - y_i f(x_i)),    f(x) = sum_j beta_j k(x_j, x) + b

    Parameters
    ----------
    loss : a key of `svmcore.losses.LOSSES`, such as "hinge", "least_squares" (LS-SVM), "least_absolute" (Least 1-Norm);
        `svmcore.solvers.router.SOLVABLE` lists them
    loss_params : dict or None, the parameters of the loss, such as {"tau": 0.3} for "pinball"
    C : positive weight of the loss; `sample_weight` in `fit` multiplies it
    kernel : a key of `svmcore.kernels.KERNELS`, such as "linear" or "rbf", or a function (X, Z) -> (len(X), len(Z))
    gamma : "scale" (1 / (n_features X.var())), "auto" (1 / n_features), or positive; RBF is exp(-gamma |x - z|^2)
    degree, coef0 : of the polynomial, (gamma x.z + coef0)^degree, and of tanh(gamma x.z + coef0)
    tol : the run ends when the largest violation of the optimality conditions is at most this and, for a box dual,
        primal and dual objective are within 1 % of each other
        ("zero_one" has its own tolerance: 1e-6 in the conditions of a local minimum, or that of the rules)
    max_iter : most pair updates, conjugate gradient or quasi-Newton steps, in each round and from each start; CCCP
        begins no further round or start after two million steps in all, and ADMM takes at most 1000 iterations
    solver : "auto" chooses one that suits the problem; "smo" for a box dual; for least_squares also "direct"
        (Cholesky), "cg"
    warm_start : whether `fit` begins at the solution of the last one, such as that for another C or gamma: the answer
        has the same accuracy and usually takes fewer steps. Only pair updates for a box dual use it, and only the
        solution for as many points; every other run begins as without it
    random_state : unused: convex losses have one optimum, and the starts of the others are determined by the data
    solver_params : dict or None, for losses that are not convex: {"starts": names}, see `STARTS` in
        `quasi_newton`, `cccp` and `zero_one` of `svmcore.solvers`, and for CCCP
        {"max_rounds": n}; for "zero_one" {"rules": "robust", "paper" or "authors"} and changes to these rules, such as
        {"sigma": 0.5}; see `svmcore.solvers.nonconvex.admm`. Any change gives a single run

    Attributes
    ----------
    support_ : (n_SV,) indices of the training points with beta != 0
    support_vectors_ : (n_SV, n_features)
    dual_coef_ : (1, n_SV) beta = y alpha
    shape_fit_ : (n, n_features) of the training points
    intercept_ : (1,)
    coef_ : (1, n_features), linear kernel only
    n_iter_ : int, steps taken by all solvers that took part
    status_ : "converged" (convex), "local minimum" (not convex), "iteration limit", ...: how the run ended; for a
        kernel matrix that is not positive semidefinite no run is a success, at best a "stationary point: ..."
    violation_ : the largest F that may rise minus the smallest that may fall; 0 = optimal. For a box dual
        F = y - (K + diag(ridge)) beta; for CCCP likewise, with the box of the final machine; for a smooth loss
        F = f - K beta, all may rise and fall: the values f on the points at which the support values beta of
        this machine are exactly y C loss'(1 - y f), less its own values; for
        "zero_one" the largest error in sum(beta) = 0, alpha >= 0, and y f = 1 on the support
    objective_ : of a box dual the dual objective -1/2 beta'(K + diag(ridge)) beta + y'beta, at the optimum equal to
        the primal one; of every other loss the primal objective 1/2 |w|^2 + C sum_i loss(t_i)
    certificate_ : for "zero_one" the number such that this machine is P-stationary for every sigma above it, and so a
        local minimum (`svmcore.solvers.nonconvex.zero_one.certificate`); None where it is not, and for every other loss
    n_starts_, n_starts_agreed_ : the number of starts for a loss that is not convex, and how many of them ended at this
        objective; 1 and 1 for a convex loss
    route_ : the solvers that took part, as text
    kernel_ : the `svmcore.kernels.Kernel` with its parameters
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
        "loss": [StrOptions(dict.fromkeys(router.SOLVABLE).keys())],
        "loss_params": [dict, None],
        **KernelMachine._parameter_constraints,
        "solver": [StrOptions(set(convex.SOLVERS))],
        "warm_start": ["boolean"],
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
        warm_start=False,
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
        self.warm_start = warm_start

    @checked.parameters
    def fit(self, X, y, sample_weight=None) -> "SVC":
        """X (n, d) or, precomputed, the Gram matrix (n, n); y (n,) with two classes; sample_weight (n,) >= 0.

        Raises ValueError for data or parameters out of range; warns with ConvergenceWarning if the run did not end at
        the optimum (see `status_`).
        """
        X, y = checked.table_and_targets(self, X, y)
        weight = checked.weights(sample_weight, X)
        signs = self._signs(y, weight)
        kernel, points, kept = self._training_set(X, weight)
        task = Task(kernel, points, signs[kept], self.C * weight[kept], self.loss, self.loss_params or {})
        run = {"tol": self.tol, "max_iter": self.max_iter, "solver": self.solver, "start": self._last(X, kept)}
        found = router.solve(task, solver_params=self.solver_params, **run)
        self.n_starts_, self.n_starts_agreed_ = found.details.n_starts, found.details.n_agreed
        self.certificate_ = found.details.certificate
        return self._keep(found, X, kept)

    def decision_function(self, X) -> np.ndarray:
        """f(x) for each row of X (n, d), (n,); with a precomputed kernel X is (n, n_train)."""
        return self._values(X)

    def _positive(self, X):
        if self.kernel == "precomputed":
            return self._values(X) >= 0.0
        X = self._check_new(X)
        return self.kernel_.positive(X, self.support_vectors_, self.dual_coef_[0], self.intercept_[0])


class SVR(RegressorMixin, KernelMachine):
    """Support vector regression with a choice of losses.

    minimise  1/2 |w|^2 + C sum_i loss(y_i - f(x_i)),    f(x) = sum_j beta_j k(x_j, x) + b

    `tol` and `epsilon` are in units of y, and a loss with linear growth bounds every |beta_i| by C: if y is not of
    about unit size, scale it (`sklearn.compose.TransformedTargetRegressor`) or choose these accordingly.

    Parameters
    ----------
    loss : "epsilon_insensitive" (Vapnik's, max(0, |r| - epsilon)), "least_squares" (LS-SVM, r^2 / 2) or
        "least_absolute" (|r|), of the residual r = y - f(x); see `svmcore.losses.regression`
    epsilon : >= 0, half the width of the tube in which errors cost nothing; for epsilon_insensitive only
    C : positive weight of the loss; `sample_weight` in `fit` multiplies it
    kernel, gamma, degree, coef0, max_iter, solver, warm_start : as for `SVC`
    tol : the run ends when the largest violation of the optimality conditions is at most this

    Attributes
    ----------
    dual_coef_ : (1, n_SV) beta, positive for points above f
    objective_ : the dual objective -1/2 beta'(K + diag(ridge)) beta + y'beta - epsilon |beta|_1 (the last term for
        epsilon_insensitive only), at the optimum equal to the primal one
    support_, support_vectors_, intercept_, coef_, shape_fit_, n_iter_, status_, violation_, route_, kernel_,
        n_features_in_ : as for `SVC`

    Examples
    --------
    >>> from svmcore import SVR, problems
    >>> problem = problems.load("sinc", noise=0.0)
    >>> model = SVR(epsilon=0.01, C=100.0, gamma=0.25).fit(problem.X, problem.y)
    >>> bool(abs(model.predict(problem.X_test) - problem.y_test).max() < 0.02)
    True
    """

    _parameter_constraints = {
        "loss": [StrOptions(regression.LOSSES.keys())],
        "epsilon": [Interval(Real, 0.0, None, closed="left")],
        **KernelMachine._parameter_constraints,
        "solver": [StrOptions(set(convex.SOLVERS))],
        "warm_start": ["boolean"],
    }

    def __init__(
        self,
        loss="epsilon_insensitive",
        epsilon=0.1,
        C=1.0,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=0.0,
        tol=1e-3,
        max_iter=1_000_000,
        solver="auto",
        warm_start=False,
    ):
        self.loss = loss
        self.epsilon = epsilon
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.warm_start = warm_start

    @checked.parameters
    def fit(self, X, y, sample_weight=None) -> "SVR":
        """X (n, d) or, precomputed, the Gram matrix (n, n); y (n,) real; sample_weight (n,) >= 0.

        Raises ValueError for data or parameters out of range; warns with ConvergenceWarning if the run did not end at
        the optimum (see `status_`).
        """
        X, y = checked.table_and_targets(self, X, y, y_numeric=True)
        weight = checked.weights(sample_weight, X)
        y = self._targets(y)
        kernel, points, kept = self._training_set(X, weight)
        y, C = y[kept], self.C * weight[kept]
        tube = self.loss == "epsilon_insensitive"
        qp = duals.epsilon_insensitive(y, C, self.epsilon) if tube else duals.build(self.loss, y, C)
        run = {"tol": self.tol, "max_iter": self.max_iter, "solver": self.solver, "start": self._last(X, kept)}
        return self._keep(router.solve_dual(kernel, points, qp, **run), X, kept)

    def predict(self, X) -> np.ndarray:
        """f(x) for each row of X (n, d), (n,); with a precomputed kernel X is (n, n_train)."""
        return self._values(X)
