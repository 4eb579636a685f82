"""Support vector machine variants: four vectors, one solver, scikit-learn estimators.

Each package imports only those before it:

    status words deadline warned finite numba_cache, losses, kernels, duals, solvers, work commands, grid, slices,
    watch, estimators, problems, tuning, studies, live, papers
"""

from svmcore.estimators import SVC, SVR, OneNormSVC, SparseLSSVC, SparseLSSVR

__all__ = ["SVC", "SVR", "OneNormSVC", "SparseLSSVC", "SparseLSSVR"]
__version__ = "0.1.0"
