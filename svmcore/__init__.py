"""Support vector machine variants: four vectors, one solver, scikit-learn estimators.

Reading order, each module importing only earlier ones: `losses`, `gaussian`, `kernels`, `rows`, `duals`; `solvers.smo`,
`solvers.linear_system`, `solvers.decomposition`, `solvers.interior_point`, `solvers.polish`, `solvers.convex`,
`solvers.trace`; `solvers.split`, `solvers.starts`, `solvers.smooth`, `solvers.cccp`, `solvers.machines`; `estimators`,
`grid`; `outliers`, `problems`, `robustness`.
"""

from svmcore.estimators import SVC

__all__ = ["SVC"]
