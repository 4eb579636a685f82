"""The tables and figures of the five papers, recomputed: `get(name).run(quick=True)` yields progress, then a table.

One module per paper; each experiment is a generator that requests its splits and returns a table of our results and
the paper's. `python -m svmcore.papers` lists them.
"""

# imports fill the registry, in the order of the papers
from svmcore.papers import ls_svm, least_1_norm, least_1_norm_places, isls, l01, walk  # noqa: F401, I001
from svmcore.papers import claims, claims_dense, claims_sparse, claims_walk  # noqa: F401
from svmcore.papers.experiment import REGISTRY, Experiment, experiment, final_table, get
from svmcore.papers.table import COMPARED, MEASURED, Table, agrees, comparison, summary
from svmcore.work import Progress

__all__ = [
    "COMPARED", "MEASURED", "REGISTRY", "Experiment", "Progress", "Table", "agrees", "comparison", "experiment",
    "final_table", "get", "summary",
]  # fmt: skip
