"""Support vector machine variants: four vectors, one solver, scikit-learn estimators.

Reading order, each module importing only earlier ones: `losses`, `regression_losses`, `gaussian`, `kernels`, `rows`,
`duals`; `solvers.smo`, `solvers.sphere`, `solvers.linear_system`, `solvers.held_out`, `solvers.decomposition`,
`solvers.interior_point`, `solvers.polish`, `solvers.convex`, `solvers.doubled`, `solvers.trace`; `solvers.starts`,
`solvers.smooth`, `solvers.cccp`; `solvers.forms`, `solvers.admm`, `solvers.margins`, `solvers.zero_one`;
`solvers.sparse`; `solvers.machines`; `solvers.coordinate`, `solvers.walk`; `estimators`, `grid`; `watch.words`,
`watch.pairs`, `watch.linear`, `watch.path`, `watch.cuts`, `watch.windows`, `watch.deaths`, `watch.registry`,
`watch.curves`, `watch.race`; `outliers`, `problems`, `robustness`, `relevance`, `influence`; `tuning`; `papers`.
"""

from svmcore.estimators import SVC, SVR, OneNormSVC, SparseLSSVC, SparseLSSVR

__all__ = ["SVC", "SVR", "OneNormSVC", "SparseLSSVC", "SparseLSSVR"]
__version__ = "0.1.0"
