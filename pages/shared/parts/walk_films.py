"""What is said beside the films of the feature walk."""

IDEA = (
    "The 1-norm |w₁| + |w₂| + … has corners on the axes, where weights are zero; the 2-norm has none. Each round of "
    "the walk solves a 2-norm SVM in which a feature costs w²/|u|, u being its weight in the round before: cheap where "
    "that was large, dear where it was small."
)
IN_TWO = (
    "Both norms in the plane of two weights, after Figure 1 of Kujala, Aho and Elomaa (2009): {}, and {}, the "
    "irrelevant one that the 2-norm SVM falls for most. Level lines show the error C Σ max(0, 1 − y w·x) of these two "
    "features alone, without an intercept."
)
IN_ALL = (
    "The same rounds with all 200 features, |b| in the norm. The objective falls to that of the linear programme, the "
    "1-norm SVM itself; the lower bound needs no linear programme."
)
KEYS = ("balls", "flat-points")  # of the two planes
FILES = ("feature-walk-the-weights", "feature-walk-the-points")
SPEED = 2  # rounds a second
