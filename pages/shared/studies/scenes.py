"""One-click scenes: a link to a page and what it shows there; tests check each claim."""

from typing import NamedTuple


class Scene(NamedTuple):
    """`query` are the parameters of the link; controls that it leaves out take their defaults. `first` is what to do
    first on the page that it opens.
    """

    title: str
    claim: str
    page: str
    query: dict[str, str]
    first: str = ""


PLAYGROUND, COMPARE, CONVERGENCE = "pages/playground.py", "pages/compare.py", "pages/convergence.py"
SPARSITY, FEATURE_WALK, PAPERS = "pages/sparsity.py", "pages/feature_walk.py", "pages/papers.py"

SCENES = {
    "least_1_norm_fig1": Scene(
        "Two flipped labels",
        "The LS-SVM changes more of the plane than the Least 1-Norm SVM, whose boundary stays put: its loss |t| is "
        "symmetric, and a flip far from the boundary changes nothing. Figure 1 of López and Dorronsoro (2010).",
        COMPARE,
        {"contamination": "flip_farthest", "losses": "least_squares,least_absolute"},
        "Change the number of outliers and compare the shares in the panels.",
    ),
    "ls_svm_fig1": Scene(
        "Support values as sizes",
        "In an LS-SVM every point has a support value. On these points the largest belong to points near the boundary "
        "and far from it. "
        "Figure 1 of Suykens and Vandewalle (1999).",
        PLAYGROUND,
        {"loss": "least_squares"},
        "Drag a point away from the boundary and watch its size.",
    ),
    "ls_svm_fig2": Scene(
        "Two spirals",
        "The LS-SVM, a single linear system, separates them without an error. Figure 2 of Suykens and Vandewalle "
        "(1999).",
        PLAYGROUND,
        {"problem": "two_spirals", "loss": "least_squares"},
        "Change σ and watch the test error.",
    ),
    "leverage": Scene(
        "Leverage",
        "Four mislabelled points far away raise the test error most with squared losses and least with the absolute "
        "loss.",
        COMPARE,
        {
            "problem": "leverage_outliers",
            "outliers": "4",
            "losses": "least_squares,squared_hinge,hinge,least_absolute",
        },
        "Switch the outliers off and on and compare the test errors.",
    ),
    "fan": Scene(
        "A fan and a line",
        "On these points one mislabelled point far away turns the boundary of the LS-SVM, and that of the L0/1-SVM "
        "stays. Wherever the point is dragged, the one leaves a fan of lines behind, and the other a single line.",
        COMPARE,
        {"problem": "leverage_outliers", "outliers": "1", "losses": "least_squares,zero_one", "trail": "true"},
        "Drag the ringed point along a line, far away and back.",
    ),
    "ignored_outliers": Scene(
        "Outliers ignored",
        "Twenty mislabelled points far away turn the boundary of every convex machine. The ramp loss and the 0/1 loss "
        "ignore them. The robustness study on that page makes the table: none to twenty outliers, twenty draws each.",
        COMPARE,
        {
            "problem": "leverage_outliers",
            "outliers": "20",
            "losses": "hinge,least_absolute,ramp,zero_one",
        },
        "Switch the outliers off and on: some boundaries do not move.",
    ),
    "influence_ends": Scene(
        "Influence that ends",
        "The slope of the RoBoSS and of the Welsch loss rises, and falls back to zero: twenty mislabelled points far "
        "away turn the boundaries of the L1-SVM and the LS-SVM, and leave those of the other two where they were.",
        COMPARE,
        {
            "problem": "leverage_outliers",
            "outliers": "20",
            "losses": "hinge,least_squares,roboss,welsch",
        },
        "Make the parameter width larger: from some value on, the outliers have influence again.",
    ),
    "broken": Scene(
        "How many wrong labels?",
        "Labels are flipped one after another, farthest first. On these points a tenth of the plane has changed after "
        "12 flips for the L1-SVM, and after 19 of 40 for the L0/1-SVM.",
        COMPARE,
        {"losses": "hinge,zero_one", "flipping": "farthest", "broken": "10"},
        "Open “Break them” below the pictures, and press the button.",
    ),
    "wrong_labels": Scene(
        "A fifth of the labels wrong",
        "Labels flipped at random hardly change the test error of any machine. The ramp loss and the 0/1 loss gain "
        "sparsity: the L1-SVM has over a hundred support vectors, the ramp-loss SVM up to thirty, the L0/1-SVM two or "
        "three. "
        "The robustness study on that page makes the table.",
        COMPARE,
        {"problem": "label_flips", "noise": "0.2", "losses": "hinge,least_squares,ramp,zero_one"},
        "Change C and compare how many points keep a support value.",
    ),
    "sparsity": Scene(
        "Which machine needs which points",
        "On Ripley's data the errors are similar, but a third of the points are support vectors of the L1-SVM and all "
        "of them are support vectors of the LS-SVM.",
        COMPARE,
        {"problem": "ripley", "losses": "hinge,squared_hinge,least_squares,least_absolute"},
        "Compare how many points are large in each panel.",
    ),
    "pruned": Scene(
        "Support vectors pruned",
        "The LS-SVM needs all of Ripley's 250 points. Nine rounds of re-weighting keep six of them, and the test error "
        "does not increase.",
        SPARSITY,
        {"problem": "ripley", "C": "10", "sigma": "0.7"},
        "Press Play: the support vectors disappear round by round.",
    ),
    "few_features": Scene(
        "Five features of two hundred",
        "On this draw the 2-norm SVM uses all features and misclassifies one new point in six; the 1-norm SVM uses "
        "few. With this C the best machine lies between: after two rounds of re-weighting, one new point in thirteen "
        "is misclassified.",
        FEATURE_WALK,
        {"d_rel": "5", "rounds": "15"},
        "Press Play: the circle becomes an ellipse, and the optimum moves to that of the 1-norm SVM.",
    ),
    "overfitting": Scene(
        "Overfitting",
        "The kernel is far too narrow: the training error is zero, and nothing is learnt between the training points.",
        PLAYGROUND,
        {"problem": "moons", "sigma": "0.03", "C": "1000"},
        "Increase σ until the test error falls.",
    ),
    "needles": Scene(
        "Hills and needles",
        "With a kernel far too narrow for these points f is a needle at each of them: almost all are support vectors.",
        PLAYGROUND,
        {"problem": "moons", "sigma": "0.05", "surface": "true"},
        "Open the surface below the picture, and hold σ: the needles grow together to hills.",
    ),
    "lift": Scene(
        "A plane cuts the circles apart",
        "A quadratic kernel lifts these points to a paraboloid. There a plane, or nearly one, separates the two "
        "circles, which no line in the plane does.",
        PLAYGROUND,
        {"problem": "circles", "kernel": "poly", "degree": "2", "surface": "true"},
        "Open the surface below the picture, and turn the lift until you look along the grey plane.",
    ),
    "multiples": Scene(
        "Twenty-five machines at once",
        "Five values of C and five of σ on these points. The narrowest kernel with the largest C has a training error "
        "below 2 % and a test error above 5 %: the noise is learnt, too.",
        PLAYGROUND,
        {"problem": "moons", "multiples": "true"},
        "Drag a point in any of the small planes, then press the name of one to open it.",
    ),
    "orders": Scene(
        "First against second order",
        "Two rules for choosing the pair race on the moons. The rule that also uses the curvature needs fewer "
        "steps, on these points a quarter.",
        CONVERGENCE,
        {"show": "race", "problem": "moons", "C": "100"},
        "Press Play and compare the number of steps.",
    ),
    "window": Scene(
        "The window of the L0/1-SVM",
        "It reaches from y f = 1 downwards, contains all points at first, then narrows. At the end three points are "
        "support vectors, and the twenty that lie far away on the wrong side are crossed out: the loss ignores them.",
        CONVERGENCE,
        {"problem": "leverage_outliers", "outliers": "20", "loss": "zero_one"},
        "Press Play: the strip of the window becomes narrower.",
    ),
    "conjugate_gradients": Scene(
        "Conjugate gradients at work",
        "Twelve steps find the 360 support values of the LS-SVM on two spirals; after the first step no point is "
        "misclassified.",
        CONVERGENCE,
        {"problem": "two_spirals", "loss": "least_squares", "solver": "cg"},
        "Go back to the first step, then forwards one by one.",
    ),
}


def neighbours(key: str) -> tuple[str | None, str | None]:
    """The keys of the scenes before and after the scene `key`, None at the ends."""
    keys = list(SCENES)
    at = keys.index(key)
    return (keys[at - 1] if at else None), (keys[at + 1] if at + 1 < len(keys) else None)
