"""Problems with many features, few of them relevant. They have no picture in the plane."""

from math import sqrt

import numpy as np
from scipy.special import ndtr

from svmcore.problems.registry import Option, Problem, problem

FEATURES = 200
DISTANCE = 3.0  # between the means of the classes
N_TEST = 1000
BAYES_ERROR = float(ndtr(-0.5 * DISTANCE))


def mean(d_rel) -> np.ndarray:
    """The mean of class +1, (200,); that of class -1 is its opposite. 1 <= d_rel <= 200 entries are not zero."""
    found = np.zeros(FEATURES)
    found[:d_rel] = 0.5 * DISTANCE / sqrt(d_rel)
    return found


def accuracy(w, b, d_rel) -> float:
    """Share (0 to 1) of new points of `relevant_features` that the sign of w.x + b classifies correctly, exactly.

    w (200,), b a number.
    """
    return gaussian_accuracy(w, b, mean(d_rel), -mean(d_rel))


def gaussian_accuracy(w, b, positive, negative, deviations=1.0) -> float:
    """Share (0 to 1) of new points that the sign of w.x + b classifies correctly, exactly, for Gaussian classes.

    Class +1 has the mean `positive` (d,), class -1 `negative`, and both these standard deviations, a number or (d,).
    For w = 0 it is one half: all points are put into one class.
    """
    spread = float(np.linalg.norm(w * deviations))
    if spread == 0.0:
        return 0.5
    return 0.5 * float(ndtr((float(w @ positive) + b) / spread) + ndtr(-(float(w @ negative) + b) / spread))


@problem(
    "relevant_features",
    title="Relevant features",
    about="Two Gaussian clouds in 200 dimensions that differ only in the first few: which machine finds these?",
    source="J. Kujala, T. Aho, T. Elomaa (2009), A Walk from 2-Norm SVM to 1-Norm SVM, ICDM, 836-841, section 4.3",
    options=(
        Option("n", "Points", 100, 10, 5000, 1, "number of training points, both classes together"),
        Option("d_rel", "Relevant features", 5, 1, FEATURES, 1, f"relevant features among the {FEATURES}"),
    ),
    kernel="linear",
    C=0.1,
    sigma=20.0,
    n_inputs=FEATURES,
)
def relevant_features(seed, n, d_rel) -> Problem:
    """N(y mean(d_rel), I), y = +1, -1, +1, ...: the classes are 3 apart, for any d_rel. Bayes error 6.7 %.

    The noise does not depend on d_rel, and the first n points are those of every larger n.
    """
    train, test = np.random.default_rng(seed).spawn(2)
    return Problem(*_draw(n, train, d_rel), *_draw(N_TEST, test, d_rel), bayes_error=BAYES_ERROR)


def _draw(n, rng, d_rel):
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    return rng.standard_normal((n, FEATURES)) + y[:, None] * mean(d_rel), y
