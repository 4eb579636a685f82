"""Problems in the plane: Gaussian classes, spirals, Ripley's data, shapes for kernels.

A distribution is a function `draw(n, rng, ...) -> X (n, 2), y (n,)` with one random stream per ingredient, used
row by row: the first n points are those of every larger n, and `noise` only scales fixed displacements.
"""

from dataclasses import replace
from math import hypot, inf, pi, sqrt

import numpy as np
from scipy.special import ndtr

from svmcore.problems.outliers import KINDS, add, flip_farthest, flip_share
from svmcore.problems.registry import Option, Problem, problem
from svmcore.problems.tables import load_shipped

N_TEST = 2000


def _n(default, low=10):
    # from 10 points on, no allowed share of flips can flip a whole class
    return Option("n", "Points", default, low, 5000, 1, "number of training points, both classes together")


def _noise(default, high, meaning):
    return Option("noise", "Noise", default, 0.0, high, 0.01, meaning)


def _alternate_labels(n):
    """Labels +1, -1, +1, ... (n,)."""
    y = np.ones(n)
    y[1::2] = -1.0
    return y


def _sample(draw, n, seed, *parameters, bayes_error):
    """A Problem with n training and N_TEST test points of `draw(n, rng, *parameters)`."""
    train, test = np.random.default_rng(seed).spawn(2)
    return Problem(*draw(n, train, *parameters), *draw(N_TEST, test, *parameters), bayes_error=bayes_error)


# ---- two Gaussian classes ----


def _gaussians(n, rng, mean_positive, mean_negative, deviations):
    X = rng.standard_normal((n, 2))
    for q in range(2):  # a column at a time: rows of two are slow
        X[:, q] *= deviations[q]
        X[0::2, q] += mean_positive[q]
        X[1::2, q] += mean_negative[q]
    return X, _alternate_labels(n)


@problem(
    "toy_outliers",
    title="Toy with outliers",
    about="Two separable clouds: flip one label of each class and see which boundary rotates.",
    source="J. López, J. R. Dorronsoro, Least 1-Norm SVMs: a New SVM Variant between Standard and LS-SVMs",
    options=(
        _n(40),
        Option("flips", "Flipped labels", 0, 0, 10, 1, KINDS["flip_farthest"].meaning),
    ),
    kernel="linear",
    sigma=2.0,
)
def toy_outliers(seed, n, flips) -> Problem:
    """N((0, 0), I) is +1 and N((5, 2), I) is -1."""
    clean = _sample(_gaussians, n, seed, (0, 0), (5, 2), (1, 1), bayes_error=float(ndtr(-hypot(5, 2) / 2)))
    return flip_farthest(clean, flips)


# Mean and deviations of one class of Huang, Shi and Suykens; the other is its image under x -> -x.
_LONG_MEAN = np.array([0.5, -3.0])
_LONG_DEVIATIONS = np.sqrt([0.2, 3.0])
_LONG_ERROR = float(ndtr(-sqrt(17) / 2))


@problem(
    "label_flips",
    title="Flipped labels",
    about="Two long parallel clouds with a share of wrong labels: the effect of label noise on each loss.",
    source="X. Huang, L. Shi, J. A. K. Suykens, Support Vector Machine Classifier with Pinball Loss, "
    "IEEE TPAMI 36 (2014) 984-997",
    options=(_n(200), _noise(0.1, 0.4, "share of the training labels that are flipped")),
    kernel="linear",
    sigma=2.0,
)
def label_flips(seed, n, noise) -> Problem:
    """N(mu, S) is -1 and N(-mu, S) is +1; mu = (0.5, -3), S = diag(0.2, 3). Bayes rule sign(x2 - 2.5 x1)."""
    classes = -_LONG_MEAN, _LONG_MEAN, _LONG_DEVIATIONS
    return flip_share(_sample(_gaussians, n, seed, *classes, bayes_error=_LONG_ERROR), noise, seed)


@problem(
    "leverage_outliers",
    title="Leverage outliers",
    about="Two long parallel clouds and a distant clump of wrong labels behind one: the effect of leverage.",
    source="Classes of X. Huang, L. Shi, J. A. K. Suykens, IEEE TPAMI 36 (2014); the clump is our own",
    options=(
        _n(200),
        Option("outliers", "Leverage points", 10, 0, 100, 1, KINDS["leverage_cluster"].meaning),
    ),
    kernel="linear",
    sigma=2.0,
)
def leverage_outliers(seed, n, outliers) -> Problem:
    """N(mu, S) is +1 and N(-mu, S) is -1: the classes of `label_flips` with their signs exchanged.

    The outliers N((6, -12), I) of label -1 therefore lie deep on the +1 side of the Bayes rule sign(2.5 x1 - x2).
    """
    classes = _LONG_MEAN, -_LONG_MEAN, _LONG_DEVIATIONS
    clump = np.random.default_rng(seed).standard_normal((outliers, 2)) + (6, -12)
    return add(_sample(_gaussians, n, seed, *classes, bayes_error=_LONG_ERROR), clump, np.full(outliers, -1.0))


# ---- spirals ----


def _mirror(arm):
    """The points of one arm (+1) and their images under x -> -x (-1), in turn."""
    X = np.empty((2 * len(arm), 2))
    X[::2], X[1::2] = arm, -arm
    return X, _alternate_labels(len(X))


@problem(
    "two_spirals",
    title="Two spirals",
    about="Two arms of three turns, tested between the training points: the classic task for an RBF kernel.",
    source="J. A. K. Suykens, J. Vandewalle, Least Squares Support Vector Machine Classifiers, "
    "Neural Processing Letters 9 (1999), Fig. 2; the paper gives no formula, this Archimedean spiral is our own",
    options=(
        _n(360, low=20),
        _noise(0.0, 1.0, "standard deviation of a Gaussian displacement of each training point"),
    ),
)
def two_spirals(seed, n, noise) -> Problem:
    """Radius 0.5 + 6 t at the angle 6 pi t, t = i / (n / 2); the test points lie half-way (i + 1/2), without noise."""
    per_arm = (n + 1) // 2

    def arm(i):
        t = i / per_arm
        return (0.5 + 6 * t)[:, None] * np.column_stack([np.cos(6 * pi * t), np.sin(6 * pi * t)])

    (train,) = np.random.default_rng(seed).spawn(1)
    X, y = _mirror(arm(np.arange(per_arm)))
    X = X + noise * train.standard_normal(X.shape)
    return Problem(X[:n], y[:n], *_mirror(arm(np.arange(per_arm - 1) + 0.5)), bayes_error=0.0)


@problem(
    "two_spirals_cmu",
    title="Two spirals (CMU)",
    about="The original 194 points of the two-spirals task: crowded at the centre, sparse outside.",
    source="K. J. Lang, M. J. Witbrock, Learning to Tell Two Spirals Apart (1988); points by A. Wieland",
    C=10.0,
)
def two_spirals_cmu(seed) -> Problem:
    """Angle i pi/16, radius 6.5 (104 - i)/104, i = 0..96; (x, y) is +1, (-x, -y) is -1; the test points lie half-way.

    The points are fixed: the seed has no effect.
    """

    def arm(i):
        radius, angle = 6.5 * (104 - i) / 104, i * pi / 16
        return radius[:, None] * np.column_stack([np.sin(angle), np.cos(angle)])

    return Problem(*_mirror(arm(np.arange(97))), *_mirror(arm(np.arange(96) + 0.5)), bayes_error=0.0)


# ---- Ripley ----


@problem(
    "ripley",
    title="Ripley",
    about="Two overlapping classes of two clumps each, 250 points to train, 1000 to test: the real files.",
    source="B. D. Ripley, Pattern Recognition and Neural Networks, Cambridge University Press (1996)",
    sigma=0.7,
)
def ripley(seed) -> Problem:
    """The files synth.tr and synth.te: the seed has no effect."""
    return Problem(*load_shipped("ripley_train.csv"), *load_shipped("ripley_test.csv"))


_RIPLEY_POSITIVE = np.array([[-0.3, 0.7], [0.4, 0.7]])
_RIPLEY_NEGATIVE = np.array([[-0.7, 0.3], [0.3, 0.3]])


def _ripley_clumps(n, rng):
    clumps, scatter = rng.spawn(2)
    y = _alternate_labels(n)
    clump = clumps.integers(2, size=n)
    centres = np.where(y[:, None] > 0, _RIPLEY_POSITIVE[clump], _RIPLEY_NEGATIVE[clump])
    return centres + sqrt(0.03) * scatter.standard_normal((n, 2)), y


@problem(
    "ripley_mixture",
    title="Ripley mixture",
    about="New samples of any size from the distribution behind Ripley's data, whose Bayes error is known.",
    source="B. D. Ripley, Pattern Recognition and Neural Networks, Cambridge University Press (1996)",
    options=(_n(250),),
    sigma=0.7,
)
def ripley_mixture(seed, n) -> Problem:
    """Each class is an equal mixture of two Gaussians of covariance 0.03 I."""
    # integral of the smaller class density over the plane, by quadrature
    return _sample(_ripley_clumps, n, seed, bayes_error=0.0893266)


# ---- shapes for kernels ----


def _moons(n, rng, noise):
    angles, scatter = rng.spawn(2)
    y = _alternate_labels(n)
    angle = pi * angles.random(n)
    crescent = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.where(y[:, None] > 0, crescent, (1, 0.5) - crescent)
    return X + noise * scatter.standard_normal((n, 2)), y


@problem(
    "moons",
    title="Moons",
    about="Two interlocking crescents: the simplest case that needs a curved boundary.",
    source="The distribution of scikit-learn's make_moons",
    options=(_n(200), _noise(0.2, 1.0, "standard deviation of the scatter around the crescents")),
    sigma=0.7,
)
def moons(seed, n, noise) -> Problem:
    """Half circles of radius 1 around (0, 0), upper, +1, and (1, 0.5), lower, -1."""
    return _sample(_moons, n, seed, noise, bayes_error=None if noise else 0.0)


def _circles(n, rng, noise):
    angles, scatter = rng.spawn(2)
    y = _alternate_labels(n)
    angle = 2 * pi * angles.random(n)
    X = np.where(y > 0, 0.5, 1.0)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + noise * scatter.standard_normal((n, 2)), y


@problem(
    "circles",
    title="Circles",
    about="A ring around a ring: no line separates them, a quadratic kernel does.",
    source="The distribution of scikit-learn's make_circles with factor 0.5",
    options=(_n(200), _noise(0.1, 1.0, "standard deviation of the scatter around the circles")),
)
def circles(seed, n, noise) -> Problem:
    """Radius 0.5 is +1, radius 1 is -1."""
    return _sample(_circles, n, seed, noise, bayes_error=None if noise else 0.0)


@problem(
    "circles_squared",
    title="Circles, squared",
    about="The circles, each point at the squares of its coordinates: now a line separates the rings.",
    source="The distribution of scikit-learn's make_circles with factor 0.5, after the map x -> (x1², x2²)",
    options=(_n(200), _noise(0.1, 1.0, "standard deviation of the scatter around the circles")),
    kernel="linear",
)
def circles_squared(seed, n, noise) -> Problem:
    """The points of `circles` at (x1², x2²)."""
    rings = circles(seed, n, noise)
    return replace(rings, X=rings.X**2, X_clean=rings.X**2, X_test=rings.X_test**2)


def _checkerboard(n, rng, noise):
    squares, inside, scatter = rng.spawn(3)
    y = _alternate_labels(n)
    square = squares.integers(8, size=n)
    column = square % 4
    row = 2 * (square // 4) + (column + (y < 0)) % 2
    X = np.column_stack([column, row]) - 2 + inside.random((n, 2))
    return X + noise * scatter.standard_normal((n, 2)), y


@problem(
    "checkerboard",
    title="Checkerboard",
    about="Four by four squares: many corners, so both the kernel width and C matter.",
    source="After T. K. Ho, E. M. Kleinberg, Checkerboard data set (1996)",
    options=(_n(400), _noise(0.0, 0.5, "standard deviation of a displacement; a square has side 1")),
    C=100.0,
    sigma=0.7,
)
def checkerboard(seed, n, noise) -> Problem:
    """The square [-2, 2] x [-2, 2]; the lower left square is +1."""
    return _sample(_checkerboard, n, seed, noise, bayes_error=None if noise else 0.0)


def _three_clouds(n, rng, noise):
    y = np.arange(n) % 3 + 1.0
    angles = np.pi * (0.5 + 2.0 / 3.0 * (y - 1.0))
    return 2.0 * np.column_stack([np.cos(angles), np.sin(angles)]) + noise * rng.standard_normal((n, 2)), y


@problem(
    "three_clouds",
    title="Three clouds",
    about="Three clouds of one class each: a machine for each class against the rest, and the largest f decides.",
    source="Three Gaussian clouds at the corners of a triangle",
    options=(
        Option("n", "Points", 90, 10, 5000, 1, "number of training points, all classes together"),
        _noise(0.8, 2.0, "standard deviation of each cloud"),
    ),
    kernel="linear",
    sigma=2.0,
    task="multiclass",
)
def three_clouds(seed, n, noise) -> Problem:
    """Class k = 1, 2, 3 is a cloud around the corner at 90, 210 and 330 degrees, at distance 2 from the centre."""
    return _sample(_three_clouds, n, seed, noise, bayes_error=None)


def _xor(n, rng, noise):
    sides, scatter = rng.spawn(2)
    y = _alternate_labels(n)
    side = 2.0 * sides.integers(2, size=n) - 1
    return np.column_stack([side, side * y]) + noise * scatter.standard_normal((n, 2)), y


@problem(
    "xor",
    title="XOR",
    about="Four clouds, opposite ones of one class: the smallest problem that no line separates.",
    source="M. Minsky, S. Papert, Perceptrons (1969), as four Gaussian clouds",
    options=(_n(200), _noise(0.4, 2.0, "standard deviation of each cloud around its corner (+-1, +-1)")),
    sigma=1.5,
)
def xor(seed, n, noise) -> Problem:
    """The Bayes rule sign(x1 x2) is wrong where exactly one coordinate has crossed its axis."""
    crossed = float(ndtr(-1 / noise if noise else -inf))
    return _sample(_xor, n, seed, noise, bayes_error=2 * crossed * (1 - crossed))
