"""Choosing C and sigma: a search that evaluates one pair after another, and can be stopped and resumed."""

import math
from collections.abc import Iterator
from contextlib import nullcontext, suppress

import numpy as np
import sklearn
from joblib import Parallel

from svmcore import kernels
from svmcore.tuning import proposals
from svmcore.tuning.criteria import CrossValidation, Points, VCBound
from svmcore.tuning.records import Evaluation, Tuning, best
from svmcore.warned import silently

METHODS = ("cv", "loo", "csa", "vc_bound")
MOST_REFINEMENT = 30
C_VALUES = np.logspace(-2, 3, 11)
WIDTHS = np.logspace(-1.5, 0.75, 10)  # times the width of gamma="scale"
DIGITS = 4  # of C and sigma, so that numbers copied by hand or in a link are exactly those evaluated


class Search:
    """The search for the C and sigma that minimise a criterion of an estimator.

    method : "cv" evaluates a grid by cross-validation, "loo" by leaving out one point at a time; "csa" explores by
        coupled simulated annealing, then refines the best pair by Nelder and Mead's simplex, both in log C and log
        sigma, by cross-validation; "vc_bound" compares the widths at the estimator's own C
    C, sigma : the values of the grid; for "csa" the box from the smallest to the largest. None: 10^-2 to 10^3 in half
        decades, and 0.03 to 5.6 times the width of gamma="scale" in quarter decades. Numbers are rounded to four
        digits. Kernels without gamma have no sigma. gamma = 1 / sigma^2
    cv : folds, as for `criteria.CrossValidation`: a number, a splitter, or (train, test) arrays; 10 by default
    seed : of the folds and of the annealing
    n_jobs : processes that fit the folds of one pair (joblib); None: this one only
    starters, rounds, refinement : of "csa": the number of chains, the rounds in which each evaluates one pair, and the
        most pairs of the simplex

    Raises ValueError for an unknown method and for arguments that do not fit the method or the estimator.

    Examples
    --------
    >>> from svmcore import SVC, problems, tuning
    >>> problem = problems.load("ripley")
    >>> search = tuning.Search(SVC(loss="least_squares"), problem.X, problem.y)
    >>> found = list(search.run())
    >>> len(found) == search.most
    True
    """

    def __init__(  # noqa: PLR0913
        self,
        estimator,
        X,
        y,
        method="cv",
        *,
        C=None,
        sigma=None,
        cv=None,
        seed=0,
        n_jobs=None,
        starters=proposals.STARTERS,
        rounds=proposals.ROUNDS,
        refinement=MOST_REFINEMENT,
    ):
        if method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}; got {method!r}")
        self.method, self.seed, self.n_jobs = method, seed, n_jobs
        self.points = Points(estimator, X, y)
        self._check(C, sigma, cv)
        if C is None:
            C = [self.points.C] if method == "vc_bound" else C_VALUES
        self.C = _values("C", C)
        self.sigma = None
        if self.points.has_sigma:
            self.sigma = _values("sigma", widths(self.points.X) if sigma is None else sigma)
        if method == "csa" and not (starters >= 2 and rounds >= 1 and refinement >= 0):
            raise ValueError(
                "csa needs starters >= 2, rounds >= 1 and refinement >= 0, "
                f"got {starters!r}, {rounds!r} and {refinement!r}"
            )
        self.starters, self.rounds, self.refinement = starters, rounds, refinement
        cv = sklearn.model_selection.LeaveOneOut() if method == "loo" else 10 if cv is None else cv
        self.criterion = VCBound(self.points) if method == "vc_bound" else CrossValidation(self.points, cv, seed)

    @property
    def most(self) -> int:
        """The largest number of evaluations; only "csa" may need fewer."""
        if self.method == "csa":
            return self.starters * (self.rounds + 1) + self.refinement
        return len(self.C) * (len(self.sigma) if self.sigma else 1)

    def run(self, found=()) -> Iterator[Evaluation]:
        """Yields one `Evaluation` after another; those in `found`, from an earlier run, are not repeated.

        The same arguments give the same evaluations in the same order, wherever a run was stopped. Machines that do not
        converge warn with ConvergenceWarning, as everywhere; the evaluations carry the status as a note.
        """
        known = {evaluation.place: evaluation for evaluation in found}
        with Parallel(n_jobs=self.n_jobs) if self.n_jobs not in (None, 1) else nullcontext() as parallel:
            walk, value = self._walk(), None
            with suppress(StopIteration):
                while True:
                    place = walk.send(value)
                    if place not in known:
                        known[place] = self.criterion(*place, parallel)
                        yield known[place]
                    value = known[place].value

    def _check(self, C, sigma, cv):
        if sigma is not None and not self.points.has_sigma:
            raise ValueError("sigma is given, but this kernel has no gamma = 1 / sigma^2 to tune; leave it out")
        if self.method == "loo" and cv is not None:
            raise ValueError('method="loo" leaves out one point at a time; leave out cv, or choose method="cv"')
        if self.method == "vc_bound":
            if not self.points.has_sigma:
                raise ValueError(
                    "the VC bound compares widths sigma, which this kernel does not have; use cross-validation"
                )
            if cv is not None or (C is not None and np.size(C) != 1):
                raise ValueError("the VC bound compares widths at one C and needs no folds; leave out C and cv")

    def _walk(self):
        """Yields pairs (C, sigma); is sent the value of each."""
        axes = [self.C] if self.sigma is None else [self.C, self.sigma]
        if self.method != "csa":
            for place in proposals.grid(*axes):
                yield self._place(place)
            return
        box = [(math.log(axis[0]), math.log(axis[-1]) - math.log(axis[0])) for axis in axes]
        rng = np.random.default_rng(self.seed)
        lowest = yield from self._search_box(
            box, proposals.coupled_annealing(rng, len(box), starters=self.starters, rounds=self.rounds)
        )
        if self.refinement and lowest is not None:
            yield from self._search_box(box, proposals.simplex(lowest, most=self.refinement))

    def _search_box(self, box, walk):
        """Maps a search in the unit cube to the box of logarithms; returns its best place, in the cube."""
        lowest, least, value = None, math.inf, None
        with suppress(StopIteration):
            while True:
                inner = walk.send(value)
                logarithms = [start + width * u for u, (start, width) in zip(inner, box, strict=True)]
                value = yield self._place(map(math.exp, logarithms))
                if value < least:
                    lowest, least = inner, value
        return lowest

    def _place(self, numbers):
        C, *sigma = (_round(number) for number in numbers)
        return C, sigma[0] if sigma else None


def tune(estimator, X, y, method="cv", *, found=(), **options) -> Tuning:
    """A complete search; `method` and `options` as for `Search`, `found` as for `Search.run`.

    Examples
    --------
    >>> from svmcore import SVC, problems
    >>> from svmcore.tuning import tune
    >>> problem = problems.load("ripley")
    >>> result = tune(SVC(loss="least_squares"), problem.X, problem.y, "csa")
    >>> bool(result.best.value < 0.15)
    True
    """
    search = Search(estimator, X, y, method, **options)
    with silently():  # the evaluations carry it as a note
        evaluations = [*found, *search.run(found)]
    lowest = best(evaluations)
    return Tuning(lowest, evaluations, search.points.machine(*lowest.place))


def widths(X) -> np.ndarray:
    """The default widths sigma, (10,): multiples of the width of gamma="scale" for X (n, d)."""
    return WIDTHS / math.sqrt(kernels.resolve_gamma("scale", X))


def _values(name, values) -> list[float]:
    """The positive numbers, rounded, ascending, without repetitions; ValueError for others."""
    try:
        values = np.asarray(values, dtype=float).ravel()
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if not len(values) or not np.all((values > 0.0) & np.isfinite(values)):
        raise ValueError(f"{name} must be one or more positive finite numbers; the grid is logarithmic")
    return sorted({_round(value) for value in values.tolist()})


def _round(value):
    return float(f"{value:.{DIGITS}g}")
