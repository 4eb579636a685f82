"""scikit-learn estimators: they check and translate, the solvers compute.

`SVC` covers every machine whose loss has a solver (see `svmcore.solvers.router`), and more than two classes by pairs,
`SVR` regression; `SparseLSSVC` and `SparseLSSVR` are the sparse LS-SVM, `OneNormSVC` is a linear machine that uses few
features. They follow scikit-learn's contract, so pipelines, grid search and `OneVsRestClassifier` work.
"""

from svmcore.estimators.one_norm import OneNormSVC
from svmcore.estimators.sparse import SparseLSSVC, SparseLSSVR
from svmcore.estimators.svm import SVC, SVR

__all__ = ["SVC", "SVR", "OneNormSVC", "SparseLSSVC", "SparseLSSVR"]
