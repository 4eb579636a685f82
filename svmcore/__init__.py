"""Support vector machine variants: four vectors, one solver, scikit-learn estimators.

Reading order, each module importing only earlier ones: `losses`, `gaussian`, `kernels`, `rows`, `duals`; `solvers.smo`,
`solvers.linear_system`, `solvers.decomposition`, `solvers.interior_point`, `solvers.polish`, `solvers.convex`,
`solvers.trace`; `estimators`, `grid`; `watch.words`, `watch.pairs`, `watch.linear`, `watch.path`, `watch.registry`,
`watch.curves`, `watch.race`; `outliers`, `problems`, `robustness`.
"""

from svmcore.estimators import SVC

__all__ = ["SVC"]
