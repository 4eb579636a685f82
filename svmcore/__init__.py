"""Support vector machine variants: four vectors, one solver, scikit-learn estimators.

Reading order: each module imports only those before it (a test reads this list).

    status
    words
    deadline
    warned
    finite
    losses      registry piecewise smooth truncated regression
    kernels     gaussian inner kernel chebyshev rows definiteness
    duals
    solvers     blas smo_plain pair_updates smo warm sphere linear_system fast_cross_validation decomposition
                planar_steps cells planar shifted interior_point active_set_steps active_set semismooth convex
                centred doubled multistart descent quasi_newton cccp expansions admm_steps admm local_search
                zero_one isls router arrangement global_optimum coordinate reweighting
    grid
    watch       trace recording sentences smo linear_system path doubled quasi_newton cccp admm isls registry curves
                race
    estimators  checked base svm sparse one_norm exchange
    problems    registry outliers splits tables planar curves features fetched benchmarks __main__
    studies     at_once robustness relevance influence optimality
    tuning      records proposals criteria search
    papers      table work experiment sets ls_svm least_1_norm isls l01 l01_optimum walk claims
                claims_dense claims_sparse claims_walk __main__
"""

from svmcore.estimators import SVC, SVR, OneNormSVC, SparseLSSVC, SparseLSSVR

__all__ = ["SVC", "SVR", "OneNormSVC", "SparseLSSVC", "SparseLSSVR"]
__version__ = "0.1.0"
