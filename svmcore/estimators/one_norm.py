"""The 1-norm SVM: by re-weighting a 2-norm SVM, or as a linear programme."""

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from svmcore import warned
from svmcore.estimators import checked
from svmcore.estimators.base import TwoClasses
from svmcore.kernels.kernel import LARGEST
from svmcore.solvers import reweighting
from svmcore.solvers.box_dual import coordinate
from svmcore.status import Status, is_success

METHODS = {"reweighting": ("the walk", reweighting.WALK_BIASES)}
METHODS |= {"linear_program": ("the linear programme", reweighting.PROGRAMME_BIASES)}
BIAS = {"reweighting": "squared", "linear_program": "free"}  # of "auto"


@checked.estimator
@dataclass(eq=False, repr=False)
class OneNormSVC(TwoClasses, BaseEstimator):
    """Binary linear classifier that uses few features.

    minimise  |w|_1 + C sum_i loss(1 - y_i f(x_i)),    f(x) = w.x + b

    Re-weighting leads from the 2-norm SVM (`n_rounds=1`) towards the 1-norm SVM; the first few rounds often predict
    better than either end (Kujala, Aho and Elomaa 2009, A Walk from 2-Norm SVM to 1-Norm SVM).

    Parameters
    ----------
    C : positive weight of the loss; `sample_weight` in `fit` multiplies it
    n_rounds : re-weighting rounds: RW(n_rounds), or an earlier one whose relative gap is at most `tol`
    method : "reweighting", or "linear_program" (the exact 1-norm SVM by HiGHS; hinge loss only)
    fit_intercept : False: f(x) = w.x
    loss : "hinge", max(0, t), or "squared_hinge", max(0, t)^2 / 2
    intercept_penalty : "squared" adds b^2 / 2 (re-weighting only), "absolute" |b|, "free" nothing (linear programme
        only); "auto" is "squared" for re-weighting, as in LIBLINEAR, and "free" for the linear programme
    tol : each round ends when its projected gradients span at most this, the run when its relative gap is at most this
    max_iter : most epochs in each round, or simplex iterations
    random_state : seed of the order of the points; the optimum of a round does not depend on it

    Attributes
    ----------
    coef_ : (1, n_features) w; a sparse matrix after `sparsify()`
    intercept_ : (1,)
    n_iter_ : rounds taken, or simplex iterations
    status_ : "converged" (relative gap at most `tol`), "all rounds taken", "iteration limit" (of a round, or of HiGHS),
        or a sentence
    violation_ : relative gap (objective_ - lower_bound_) / objective_; 0 = the 1-norm SVM
    objective_ : the 1-norm objective, with the penalty of the intercept
    lower_bound_ : a lower bound on the optimum, from the dual of the 1-norm SVM
    classes_, n_features_in_ : as in scikit-learn

    Examples
    --------
    >>> from svmcore import OneNormSVC, problems
    >>> problem = problems.load("relevant_features", d_rel=2)
    >>> model = OneNormSVC(C=0.1, n_rounds=30).fit(problem.X, problem.y)
    >>> bool(abs(model.coef_[0, :2]).min() > abs(model.coef_[0, 2:]).max())
    True
    """

    _parameter_constraints = {
        "C": [Interval(Real, 0.0, None, closed="neither")],
        "n_rounds": [Interval(Integral, 1, None, closed="left")],
        "method": [StrOptions(set(METHODS))],
        "fit_intercept": ["boolean"],
        "loss": [StrOptions(set(coordinate.LOSSES))],
        "intercept_penalty": [StrOptions({"auto", "squared", "absolute", "free"})],
        "tol": [Interval(Real, 0.0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    C: float = 1.0
    n_rounds: int = 10
    method: str = "reweighting"
    fit_intercept: bool = True
    loss: str = "hinge"
    intercept_penalty: str = "auto"
    tol: float = 1e-4
    max_iter: int = 10_000
    random_state: int | np.random.RandomState | None = 0

    @checked.parameters
    def fit(self, X, y, sample_weight=None) -> "OneNormSVC":
        """X (n, d), an array or a sparse matrix; y (n,) with two classes; sample_weight (n,) >= 0.

        Raises ValueError for data or parameters out of range; warns with ConvergenceWarning if a solver ended at its
        limit. Taking all rounds is not a failure and gives no warning.
        """
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        if abs(X).max() >= LARGEST:
            raise ValueError(f"points must be below {LARGEST:.0e}; scale the inputs")
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        signs = self._signs(y, weight)
        kept = np.flatnonzero(weight > 0)  # samples of weight zero are ignored
        found = self._solve(X[kept], signs[kept], self.C * weight[kept])
        self.coef_, self.intercept_ = found.details.w[None, :].copy(), np.array([found.intercept])
        self.n_iter_ = max(found.n_iter, 1)
        self.status_, self.violation_ = found.status, found.violation
        self.objective_, self.lower_bound_ = found.objective, found.details.lower_bound
        if not is_success(found.status):
            limit = f" of {self.max_iter}" * (found.status == Status.ITERATION_LIMIT)
            warned.warn(
                f"OneNormSVC: {found.status}{limit}, the relative gap is {found.violation:.3g}; "
                "scale the inputs, lower C, or raise max_iter or tol",
                skipped=2,  # skip the wrapper of `fit`: the warning points to the caller
            )
        return self

    def decision_function(self, X) -> np.ndarray:
        """f(x) for each row of X (n, d), an array or a sparse matrix: (n,)."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return safe_sparse_dot(X, self.coef_.T, dense_output=True)[:, 0] + self.intercept_[0]

    def sparsify(self) -> "OneNormSVC":
        """`coef_` as a sparse matrix, which takes less memory where most of its entries are zero."""
        check_is_fitted(self)
        self.coef_ = sp.csr_matrix(self.coef_)
        return self

    def densify(self) -> "OneNormSVC":
        """`coef_` as an array again, as `fit` leaves it."""
        check_is_fitted(self)
        self.coef_ = self.coef_.toarray() if sp.issparse(self.coef_) else self.coef_
        return self

    def _solve(self, X, y, C):
        bias = BIAS[self.method] if self.intercept_penalty == "auto" else self.intercept_penalty
        if self.fit_intercept:  # here "none" is `fit_intercept=False`
            what, known = METHODS[self.method]
            reweighting.check_penalty(what, bias, [penalty for penalty in known if penalty != "none"])
        else:
            bias = "none"
        if self.method == "linear_program":
            if self.loss != "hinge":
                raise ValueError("the linear programme supports the hinge loss only; use method='reweighting'")
            return reweighting.linear_program(X, y, C, bias=bias, max_iter=self.max_iter, gap=self.tol)
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        run = dict(loss=self.loss, bias=bias, tol=self.tol, max_iter=self.max_iter, seed=seed)
        return reweighting.walk(X, y, C, n_rounds=self.n_rounds, gap=self.tol, **run)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
