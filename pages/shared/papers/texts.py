"""The five papers in a few sentences. No Streamlit here."""

from typing import NamedTuple

from svmcore import papers


class Paper(NamedTuple):
    """One of the five: its title, its source, its `idea` in a few sentences; its experiments begin with its key."""

    title: str
    source: str
    idea: str


PAPERS = {
    "ls_svm": Paper(
        "LS-SVM",
        "J. A. K. Suykens, J. Vandewalle, Least Squares Support Vector Machine Classifiers, Neural Processing Letters "
        "9 (1999) 293-300",
        "Equality constraints and squared slacks turn the quadratic programme of the support vector machine into one "
        "set of linear equations. The price is the loss of sparsity: every point has a support value, which is "
        "proportional to its error. A bound on the VC dimension is proposed for choosing the width of the kernel; "
        "the paper writes γ for our C.",
    ),
    "least_1_norm": Paper(
        "Least 1-Norm SVM",
        "J. López, J. R. Dorronsoro, Least 1-Norm SVMs: a New SVM Variant between Standard and LS-SVMs (2010)",
        "Equality constraints with the 1-norm of the slacks complete a table of four machines. The dual is that of the "
        "standard machine with the box [−C, C] instead of [0, C]. So the support value of an outlier is bounded, while "
        "in the LS-SVM it grows with the distance of the outlier.",
    ),
    "isls": Paper(
        "Sparse LS-SVM",
        "J. López, K. De Brabanter, J. R. Dorronsoro, J. A. K. Suykens, Sparse LS-SVMs with L0-norm Minimization, "
        "ESANN (2011) 189-194",
        "An LS-SVM with a penalty weight on each squared coefficient is solved repeatedly. Before each round the "
        "weight becomes the inverse of the squared coefficient, so that the penalty approximates the 0-norm. Small "
        "coefficients converge to zero quadratically and are pruned; a handful of support vectors is left, in "
        "classification and in regression.",
    ),
    "l01": Paper(
        "L0/1-SVM",
        "H. Wang, Y. Shao, S. Zhou, C. Zhang, N. Xiu, Support Vector Machine Classifier via L0/1 Soft-Margin Loss "
        "(2019)",
        "The soft margin counts the points inside it instead of measuring how far inside they are. The alternating "
        "direction method of multipliers keeps a working set of points near the margin, and only these enter the "
        "linear system of an iteration. Every point on the wrong side has the same cost at any distance, and is never "
        "a support vector.",
    ),
    "walk": Paper(
        "RW",
        "J. Kujala, T. Aho, T. Elomaa, A Walk from 2-Norm SVM to 1-Norm SVM, ICDM (2009) 836-841",
        "Each feature is scaled by the square root of its previous weight, and a 2-norm SVM is solved again. Repeated, "
        "this leads to the 1-norm SVM, which uses few features. The paper finds that the machines after the first "
        "rounds often predict better than both the 2-norm and the 1-norm SVM.",
    ),
}


def experiments(key: str) -> list[papers.Experiment]:
    """The experiments of the paper with this key, in its order."""
    return [entry for entry in papers.REGISTRY.values() if entry.name.startswith(f"{key}.")]
