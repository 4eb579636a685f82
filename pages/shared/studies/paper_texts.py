"""The five papers in a few sentences. No Streamlit here."""

from typing import NamedTuple

from svmcore import papers


class Paper(NamedTuple):
    """One of the five: `idea` in three sentences; its experiments have names that begin with its key."""

    title: str
    source: str
    idea: str


PAPERS = {
    "ls_svm": Paper(
        "LS-SVM",
        "J. A. K. Suykens, J. Vandewalle, Least Squares Support Vector Machine Classifiers, Neural Processing Letters "
        "9 (1999) 293-300",
        "Equality constraints and squared slacks turn the quadratic programme of the support vector machine into one "
        "set of linear equations. The price is sparsity: every point has a support value, and it is proportional to "
        "its error. A bound on the VC dimension is proposed for choosing the width of the kernel.",
    ),
    "least_1_norm": Paper(
        "Least 1-Norm SVM",
        "J. López, J. R. Dorronsoro, Least 1-Norm SVMs: a New SVM Variant between Standard and LS-SVMs (2010)",
        "Equality constraints with the 1-norm of the slacks fill the last cell of a table of four machines. The dual "
        "is that of the standard machine with the box [−C, C] instead of [0, C]. So the pull of an outlier is "
        "bounded, where in the LS-SVM it grows with its distance.",
    ),
    "isls": Paper(
        "Sparse LS-SVM",
        "J. López, K. De Brabanter, J. R. Dorronsoro, J. A. K. Suykens, Sparse LS-SVMs with L0-norm Minimization, "
        "ESANN (2011) 189-194",
        "An LS-SVM whose coefficients are penalised one by one is solved again and again. Each time the weight of a "
        "coefficient becomes the inverse of its square, which is a way towards the 0-norm. What is small dies "
        "quadratically, and a handful of support vectors is left, for classes and for curves.",
    ),
    "l01": Paper(
        "L0/1-SVM",
        "H. Wang, Y. Shao, S. Zhou, C. Zhang, N. Xiu, Support Vector Machine Classifier via L0/1 Soft-Margin Loss "
        "(2019)",
        "The soft margin counts the points inside it instead of measuring how far they are inside. Alternating "
        "directions keep a working set of points near the margin, and only these are in the linear system of a step. "
        "Points on the wrong side cost one each, however far they lie, and are never support vectors.",
    ),
    "walk": Paper(
        "RW",
        "A Walk from 2-Norm SVM to 1-Norm SVM",
        "A feature is scaled by the square root of the weight that it had, and a 2-norm SVM is solved again. "
        "Repeated, this leads to the 1-norm SVM, which uses few features. The first steps of the way often predict "
        "better than both its ends.",
    ),
}


def experiments(key: str) -> list[papers.Experiment]:
    """The experiments of the paper with this key, in its order."""
    return [entry for entry in papers.REGISTRY.values() if entry.name.startswith(f"{key}.")]
