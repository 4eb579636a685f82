"""The machines with a choice of losses: `SVC` for classes, `SVR` for regression."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils._param_validation import Interval, StrOptions

from svmcore import duals
from svmcore.estimators import checked, one_vs_one
from svmcore.estimators.base import KernelMachine, TwoClasses
from svmcore.losses import regression
from svmcore.solvers import hard_margin, router
from svmcore.solvers.box_dual import convex, warm
from svmcore.solvers.solution import Task

HARD = ("hinge", "squared_hinge", "huber")  # whose margin becomes hard as C grows
SETTINGS = KernelMachine._parameter_constraints | {
    "C": [Interval(Real, 0.0, None, closed="right")],
    "solver": [StrOptions(set(convex.SOLVERS))],
    "warm_start": ["boolean"],
}


@checked.estimator
@dataclass(eq=False, repr=False)
class SVC(TwoClasses, KernelMachine):
    """Support vector machine with a choice of losses.

    minimise  1/2 |w|^2 + C sum_i loss(1 - y_i f(x_i)),    f(x) = sum_j beta_j k(x_j, x) + b

    for two classes; of more, each pair has a machine, in the layout of LIBSVM (`svmcore.estimators.one_vs_one`).

    Parameters
    ----------
    loss : a key of `svmcore.losses.LOSSES`, such as "hinge", "least_squares" (LS-SVM), "least_absolute" (Least 1-Norm);
        `svmcore.solvers.router.SOLVABLE` lists them. One that is not convex is solved from several starts: for 5000
        points with ten features "sigmoid" took 16 s of processor time, "hinge" 0.1 s. `svmcore.deadline.time_limit`
        ends a run earlier
    loss_params : dict or None, the parameters of the loss, such as {"tau": 0.3} for "pinball"
    C : positive weight of the loss; `sample_weight` in `fit` multiplies it. Infinity is the hard margin, of the losses
        in `HARD`: `fit` raises ValueError if no machine separates the classes
    kernel : a key of `svmcore.kernels.KERNELS`, such as "linear" or "rbf", or a function (X, Z) -> (len(X), len(Z))
    gamma : "scale" (1 / (n_features X.var()), the variance weighted by `sample_weight`), "auto" (1 / n_features), or
        positive; RBF is exp(-gamma |x - z|^2)
    degree, coef0 : of the polynomial, (gamma x.z + coef0)^degree, and of tanh(gamma x.z + coef0)
    tol : the run ends when the largest violation of the optimality conditions is at most this and, for a box dual,
        primal and dual objective are within 1 % of each other, or 1e-10 of the primal one at f = 0
        ("zero_one" has its own tolerance: 1e-6 in the conditions of a local minimum, or that of the rules)
    max_iter : most pair updates, conjugate gradient or quasi-Newton steps, in each round and from each start; CCCP
        and re-weighting begin no further round or start after two million steps in all, and ADMM takes at most 1000
        iterations
    solver : "auto" chooses one that suits the problem; "smo" for a box dual; for least_squares also "direct"
        (Cholesky), "cg"
    warm_start : whether `fit` begins at the solution of the last one, such as that for another C or gamma: the answer
        has the same accuracy and usually takes fewer steps. Only pair updates for a box dual use it, and only the
        solution for as many points; every other run begins as without it
    random_state : unused: convex losses have one optimum, and the starts of the others are determined by the data
    solver_params : dict or None, for losses that are not convex: {"starts": names}, see `STARTS` in
        `quasi_newton`, `cccp`, `half_quadratic` and `zero_one` of `svmcore.solvers`, and for CCCP and re-weighting
        {"max_rounds": n}; for "zero_one" {"rules": "robust", "paper" or "authors"} and changes to these rules, such as
        {"sigma": 0.5}; see `svmcore.solvers.nonconvex.admm`. Any change gives a single run
    class_weight : a dict {class: weight > 0}, "balanced" (n / (k n_class) for k classes), or None: multiplies C for the
        points of a class
    decision_function_shape : of more than two classes: "ovr", one value for each class, or "ovo", one for each pair
    break_ties : whether `predict` takes the class with the largest value, not the first of those with most votes

    Attributes
    ----------
    support_ : (n_SV,) indices of the training points with beta != 0, in the order of their classes
    support_vectors_ : (n_SV, n_features)
    n_support_ : (k,) the number of support vectors of each class
    dual_coef_ : (1, n_SV) beta = y alpha; (k - 1, n_SV) of k > 2 classes
    shape_fit_ : (n, n_features) of the training points
    intercept_ : (1,), or one for each of the P = k (k - 1) / 2 pairs (P,)
    coef_ : (1, n_features) or (P, n_features), linear kernel only
    n_iter_ : (1,) or (P,), steps taken by all solvers that took part
    class_weight_ : (k,)
    status_ : "converged" (convex), "local minimum" (not convex), "iteration limit", ...: how the run ended; for a
        kernel matrix that is not positive semidefinite no run is a success, at best a "stationary point: ..."
    violation_ : the largest F that may rise minus the smallest that may fall; 0 = optimal. For a box dual
        F = y - (K + diag(ridge)) beta; for CCCP likewise, with the box of the final machine; for a smooth loss
        F = f - K beta, all may rise and fall: the values f on the points at which the support values beta of
        this machine are exactly y C loss'(1 - y f), less its own values; for
        "zero_one" the largest error in sum(beta) = 0, alpha >= 0, and y f = 1 on the support
    objective_ : of a box dual the dual objective -1/2 beta'(K + diag(ridge)) beta + y'beta, at the optimum equal to
        the primal one (for "insensitive_pinball" less epsilon per alpha > 0, epsilon / tau per alpha < 0); of every
        other loss the primal objective 1/2 |w|^2 + C sum_i loss(t_i)
    certificate_ : for "zero_one" the number such that this machine is P-stationary for every sigma above it, and so a
        local minimum (`svmcore.solvers.nonconvex.zero_one.certificate`); None where it is not, and for every other loss
    n_starts_, n_starts_agreed_ : the number of starts for a loss that is not convex, and how many of them ended at this
        objective; 1 and 1 for a convex loss
    route_ : the solvers that took part, as text
    kernel_ : the `svmcore.kernels.Kernel` with its parameters
    classes_, n_features_in_ : as in scikit-learn

    Of more than two classes `objective_` is the sum over the pairs and `violation_` the largest; `status_`,
    `certificate_` and `n_starts_` are those of the first pair that is no success, or of the first.

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
        **SETTINGS,
        "random_state": ["random_state"],
        "solver_params": [dict, None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "decision_function_shape": [StrOptions({"ovr", "ovo"})],
        "break_ties": ["boolean"],
    }

    loss: str = "hinge"
    loss_params: dict | None = None
    C: float = 1.0
    kernel: str | Callable = "rbf"
    gamma: str | float = "scale"
    degree: int = 3
    coef0: float = 0.0
    tol: float = 1e-3
    max_iter: int = 1_000_000
    solver: str = "auto"
    random_state: int | np.random.RandomState | None = None
    solver_params: dict | None = None
    warm_start: bool = False
    class_weight: dict | str | None = None
    decision_function_shape: str = "ovr"
    break_ties: bool = False

    @checked.parameters
    def fit(self, X, y, sample_weight=None) -> "SVC":
        """X (n, d) or, precomputed, the Gram matrix (n, n); y (n,) with two or more classes; sample_weight (n,) >= 0.

        Raises ValueError for data or parameters out of range; warns with ConvergenceWarning if the run did not end at
        the optimum (see `status_`).
        """
        X, y = checked.table_and_targets(self, X, y)
        weight = checked.weights(sample_weight, X)
        code = self._code(y, weight)
        k = len(self.classes_)
        self.class_weight_ = np.ones(k)
        kernel, points, kept = self._training_set(X, weight)
        if self.class_weight is not None:
            self.class_weight_ = checked.class_weights(self.class_weight, self.classes_, y)
            weight = weight * self.class_weight_[code.astype(int)]
        code, C = code[kept], self.C * weight[kept]
        task = Task(kernel, points, 2.0 * code - 1.0, C, self.loss, self.loss_params or {})
        last = self._last(X, kept)
        if k == 2:
            found = self._solve(task, last, 0)
        else:
            found = one_vs_one.solve(code, lambda rows, signs, p: self._solve(_part(task, rows, signs), last, p, rows))
        self.n_starts_, self.n_starts_agreed_ = found.details.n_starts, found.details.n_agreed
        self.certificate_ = found.details.certificate
        self._keep(found, X, kept, code)
        self.n_iter_ = np.atleast_1d(self.n_iter_)
        return self

    def _solve(self, task, last, p, rows=slice(None)):
        """The `Solution` of a task with two classes; the start is column p of `last` (n, machines), at `rows`."""
        start = warm.Start(last[rows, p]) if last is not None and p < last.shape[1] else None
        run = {"tol": self.tol, "max_iter": self.max_iter, "solver": self.solver}
        if self.C < np.inf:
            return router.solve(task, solver_params=self.solver_params, start=start, **run)
        if self.loss not in HARD:
            raise ValueError(
                f"C=inf asks for a hard margin, which {', '.join(HARD)} have; choose a finite C for {self.loss}"
            )

        def machine(C, start):
            return router.solve(task._replace(loss="hinge", params={}, C=C), start=start, **run)

        found = hard_margin.separate(task.kernel, task.X, task.y, machine)
        if found is None:
            raise ValueError(
                "C=inf asks for a hard margin, but no machine with this kernel separates the classes: "
                "choose a finite C, or a kernel that bends more"
            )
        return found

    def decision_function(self, X) -> np.ndarray:
        """f(x) for each row of X (n, d), (n,); with a precomputed kernel X is (n, n_train).

        With k > 2 classes (n, k), or (n, k (k - 1) / 2) for decision_function_shape="ovo".
        """
        f, k = self._values(X), len(self.classes_)
        return one_vs_one.by_class(f, k) if k > 2 and self.decision_function_shape == "ovr" else f

    def predict(self, X) -> np.ndarray:
        """The class of each row of X (n, d), (n,); f = 0 is the second class of a pair.

        Of more than two classes the one with the most votes; see `break_ties`.
        """
        if len(getattr(self, "classes_", ())) <= 2:
            return super().predict(X)
        if not self.break_ties:
            return self.classes_[one_vs_one.votes(self._values(X) > 0.0, len(self.classes_)).argmax(axis=1)]
        if self.decision_function_shape == "ovo":
            raise ValueError(
                "break_ties must be False when decision_function_shape is 'ovo': ties are broken by the values for "
                "each class, of decision_function_shape='ovr'"
            )
        return self.classes_[self.decision_function(X).argmax(axis=1)]

    @property
    def predict_proba(self):
        """AttributeError, as for an estimator without probabilities, that says where they are."""
        raise AttributeError(f"{type(self).__name__} has no probabilities: {checked.CALIBRATED}")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags

    def _positive(self, X):
        if self.kernel == "precomputed":
            return self._values(X) >= 0.0
        X = self._check_new(X)
        return self.kernel_.positive(X, self.support_vectors_, self.dual_coef_[0], self.intercept_[0])


@checked.estimator
@dataclass(eq=False, repr=False)
class SVR(RegressorMixin, KernelMachine):
    """Support vector regression with a choice of losses.

    minimise  1/2 |w|^2 + C sum_i loss(y_i - f(x_i)),    f(x) = sum_j beta_j k(x_j, x) + b

    `tol` and `epsilon` are in units of y, and a loss with linear growth bounds every |beta_i| by C: if y is not of
    about unit size, scale it (`sklearn.compose.TransformedTargetRegressor`) or choose these accordingly.

    Parameters
    ----------
    loss : "epsilon_insensitive" (Vapnik's, max(0, |r| - epsilon)), "least_squares" (LS-SVM, r^2 / 2), "least_absolute"
        (|r|), or one that is bounded, "welsch" or "hawkeye", of the residual r = y - f(x); see
        `svmcore.losses.regression`
    epsilon : >= 0, half the width of the tube in which errors cost nothing; for epsilon_insensitive and hawkeye
    loss_params : dict or None, the parameters of a bounded loss, such as {"width": 2.0} for "welsch"; an epsilon in it
        replaces the other one
    C : positive weight of the loss; `sample_weight` in `fit` multiplies it. Infinity, for epsilon_insensitive: no error
        outside the tube; `fit` raises ValueError if no machine has that
    kernel, gamma, degree, coef0, max_iter, solver, warm_start : as for `SVC`
    tol : the run ends when the largest violation of the optimality conditions is at most this

    Attributes
    ----------
    dual_coef_ : (1, n_SV) beta, positive for points above f
    objective_ : of a bounded loss the primal objective; of the others the dual one, -1/2 beta'(K + diag(ridge)) beta +
        y'beta - epsilon |beta|_1 (the last term for epsilon_insensitive only), at the optimum equal to the primal one
    n_starts_, n_starts_agreed_ : as for `SVC`
    n_support_ : (1,) the number of support vectors
    n_iter_ : int, steps taken by all solvers that took part
    support_, support_vectors_, intercept_, coef_, shape_fit_, status_, violation_, route_, kernel_, n_features_in_ : as
        for `SVC` with two classes

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
        "loss_params": [dict, None],
        **SETTINGS,
    }

    loss: str = "epsilon_insensitive"
    epsilon: float = 0.1
    C: float = 1.0
    kernel: str | Callable = "rbf"
    gamma: str | float = "scale"
    degree: int = 3
    coef0: float = 0.0
    tol: float = 1e-3
    max_iter: int = 1_000_000
    solver: str = "auto"
    warm_start: bool = False
    loss_params: dict | None = None

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
        y, last = y[kept], self._last(X, kept)
        tube, loss, params = self.loss == "epsilon_insensitive", regression.get(self.loss), dict(self.loss_params or {})
        if "epsilon" in loss.check(**params):
            params.setdefault("epsilon", self.epsilon)
        run = {"tol": self.tol, "max_iter": self.max_iter, "solver": self.solver}

        def machine(C, start):
            if not loss.convex:
                return router.solve(Task(kernel, points, y, C, loss, params, regression=True), **run)
            qp = duals.epsilon_insensitive(y, C, **params) if tube else duals.build(self.loss, y, C)
            return router.solve_dual(kernel, points, qp, start=start, **run)

        if self.C < np.inf:
            found = machine(self.C * weight[kept], None if last is None else warm.Start(last[:, 0]))
        elif tube:
            found = hard_margin.separate(kernel, points, y, machine)
        else:
            raise ValueError(f"C=inf asks for a tube without errors, which {self.loss} has not; choose a finite C")
        if found is None:
            raise ValueError(
                f"C=inf asks for no error beyond epsilon={params['epsilon']:g}, but no machine with this kernel has "
                "that: choose a finite C, a larger epsilon, or a kernel that bends more"
            )
        self._keep(found, X, kept)
        self.n_starts_, self.n_starts_agreed_ = found.details.n_starts, found.details.n_agreed
        self.n_support_ = np.array([len(self.support_)], np.int32)
        return self

    def predict(self, X) -> np.ndarray:
        """f(x) for each row of X (n, d), (n,); with a precomputed kernel X is (n, n_train)."""
        return self._values(X)


def _part(task, rows, signs):
    points = task.X[np.ix_(rows, rows)] if task.kernel.name == "precomputed" else task.X[rows]
    return task._replace(X=points, y=signs, C=task.C[rows])
