"""Support vector machine variants: four vectors, one solver, scikit-learn estimators.

Reading order, each module importing only earlier ones: `losses`, `regression_losses`, `gaussian`, `kernels`, `rows`,
`duals`; `solvers.smo`, `solvers.linear_system`, `solvers.decomposition`, `solvers.interior_point`, `solvers.polish`,
`solvers.convex`, `solvers.doubled`, `solvers.trace`; `solvers.starts`, `solvers.smooth`, `solvers.cccp`,
`solvers.machines`; `estimators`, `grid`; `outliers`, `problems`, `robustness`, `influence`; `watch.words`,
`watch.pairs`, `watch.linear`, `watch.path`, `watch.registry`, `watch.curves`, `watch.race`.
"""

from svmcore.estimators import SVC, SVR

__all__ = ["SVC", "SVR"]
