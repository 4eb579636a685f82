"""Five points whose L0/1-SVM is worked out by hand (w = (0.5, 0), b = 0, alpha = 0.125 on samples 0 and 2, sample 4
given up), and clouds with flipped labels."""

import numpy as np

from svmcore import kernels, problems
from svmcore.solvers.nonconvex import admm

LINEAR = kernels.Kernel("linear")
X5 = np.array([(2, 0), (3, 1), (-2, 0), (-3, -1), (-4, 0)], float)
Y5 = np.array([1.0, 1.0, -1.0, -1.0, 1.0])
PLAIN = admm.Rules(tol=1e-8)  # eta = 1, b over T, sigma fixed


def flips(seed, n, noise):
    """X and y of two classes, in which the share `noise` of the labels is flipped."""
    problem = problems.load("label_flips", seed, n=n, noise=noise)
    return problem.X, problem.y
