"""Regression problems with one input: a curve with noise, and measurements. X is (N, 1), y real."""

from math import pi

import numpy as np

from svmcore.problems.registry import Option, Problem, problem
from svmcore.problems.tables import held_out, load_shipped, n_training


@problem(
    "sinc",
    title="Sinc",
    about="sin(x) / x with noise: the textbook curve of regression, tested on the curve itself.",
    source="After V. Vapnik, S. Golowich, A. Smola, Support Vector Method for Function Approximation, "
    "Regression Estimation and Signal Processing, NIPS 9 (1996)",
    options=(
        Option("n", "Points", 200, 10, 5000, 1, "number of training points"),
        Option("noise", "Noise", 0.1, 0.0, 1.0, 0.01, "standard deviation of the Gaussian noise on y"),
    ),
    C=100.0,
    sigma=2.0,
    task="regression",
    n_inputs=1,
)
def sinc(seed, n, noise) -> Problem:
    """x uniform on [-10, 10]; the test set is the curve without noise at 1001 equally spaced x."""
    places, scatter = np.random.default_rng(seed).spawn(2)
    x, test = places.uniform(-10.0, 10.0, n), np.linspace(-10.0, 10.0, 1001)
    y = np.sinc(x / pi) + noise * scatter.standard_normal(n)
    return Problem(x[:, None], y, test[:, None], np.sinc(test / pi))


@problem(
    "motorcycle",
    title="Motorcycle",
    about="Acceleration of a helmet (g) by milliseconds after a crash: the noise is largest where the curve bends.",
    source="B. W. Silverman, Some Aspects of the Spline Smoothing Approach to Non-Parametric Regression Curve "
    "Fitting, Journal of the Royal Statistical Society B 47 (1985) 1-52",
    options=(n_training(133),),
    C=100.0,
    sigma=7.0,
    task="regression",
    n_inputs=1,
)
def motorcycle(seed, n) -> Problem:
    """133 measurements at 94 times; the seed draws the n for training, the others are the test set (`held_out`)."""
    return held_out(*load_shipped("motorcycle.csv"), n, seed)
