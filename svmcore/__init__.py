"""Support vector machine variants: four vectors, one solver, scikit-learn estimators.

Reading order, each module importing only earlier ones: `losses`, `regression_losses`, `gaussian`, `kernels`, `rows`,
`duals`; `solvers.smo`, `solvers.linear_system`, `solvers.decomposition`, `solvers.interior_point`, `solvers.polish`,
`solvers.convex`, `solvers.doubled`, `solvers.trace`; `estimators`, `grid`; `outliers`, `problems`, `robustness`,
`influence`.
"""

from svmcore.estimators import SVC, SVR

__all__ = ["SVC", "SVR"]
__version__ = "0.1.0"
