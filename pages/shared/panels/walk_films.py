"""The texts beside the films of the feature walk."""

IDEA = (
    "The 1-norm |w₁| + |w₂| + … has corners on the axes, where weights are zero; the 2-norm has none. Each round of "
    "the walk solves a 2-norm SVM with the penalty w²/|u| on each weight w, where u is the same weight in the "
    "previous round: a previously large weight is penalised little, a small one heavily."
)
IN_TWO = (
    "Both norms in the plane of two weights, after Figure 1 of Kujala, Aho and Elomaa (2009): {}, and {}, the "
    "irrelevant feature with the largest weight in the 2-norm SVM. Level lines show the error C Σ ℓ(1 − y w·x) of "
    "these two features alone, without an intercept."
)
IN_ALL = (
    "The same rounds with all 200 features, |b| in the norm. The objective decreases to that of the 1-norm SVM "
    "itself, which for the hinge loss is a linear programme; the lower bound does not need its solution."
)
KEYS = ("balls", "flat-points")  # of the two planes
FILES = ("feature-walk-the-weights", "feature-walk-the-points")
SPEED = 2  # rounds a second
