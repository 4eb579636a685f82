"""One-click scenes: a link into a page and what one sees there; tests/test_scenes.py checks each claim."""

from typing import NamedTuple


class Scene(NamedTuple):
    """`query` are the link's parameters; what it leaves out takes the defaults of the controls."""

    title: str
    claim: str
    page: str
    query: dict[str, str]


PLAYGROUND, COMPARE, CONVERGENCE = "pages/playground.py", "pages/compare.py", "pages/convergence.py"
SPARSITY, FEATURE_WALK, PAPERS = "pages/sparsity.py", "pages/feature_walk.py", "pages/papers.py"

SCENES = {
    "least_1_norm_fig1": Scene(
        "Two flipped labels",
        "The LS-SVM turns, the Least 1-Norm SVM holds. Figure 1 of López and Dorronsoro (2010).",
        COMPARE,
        {"contamination": "flip_farthest", "losses": "least_squares,least_absolute"},
    ),
    "ls_svm_fig1": Scene(
        "Support values as sizes",
        "In an LS-SVM every point has one: largest near the boundary and far from it. Figure 1 of Suykens and "
        "Vandewalle (1999).",
        PLAYGROUND,
        {"loss": "least_squares"},
    ),
    "ls_svm_fig2": Scene(
        "Two spirals",
        "One linear system separates them without an error. Figure 2 of Suykens and Vandewalle (1999).",
        PLAYGROUND,
        {"problem": "two_spirals", "loss": "least_squares"},
    ),
    "leverage": Scene(
        "Leverage",
        "Four wrong points far away cost the squared losses most, the absolute loss least.",
        COMPARE,
        {
            "problem": "leverage_outliers",
            "outliers": "4",
            "losses": "least_squares,squared_hinge,hinge,least_absolute",
        },
    ),
    "given_up": Scene(
        "Outliers given up",
        "Twenty wrong points far away turn every convex machine. The ramp loss and the 0/1 loss stop paying for them. "
        "The robustness study on that page makes the table: none to twenty of them, twenty draws each.",
        COMPARE,
        {
            "problem": "leverage_outliers",
            "outliers": "20",
            "losses": "hinge,least_absolute,ramp,zero_one",
        },
    ),
    "wrong_labels": Scene(
        "A fifth of the labels wrong",
        "Flipped at random, they cost no machine much. What bounded losses gain is size: the L1-SVM keeps over a "
        "hundred points, the ramp loss twenty, the L0/1-SVM three. The robustness study on that page makes the table.",
        COMPARE,
        {"problem": "label_flips", "noise": "0.2", "losses": "hinge,least_squares,ramp,zero_one"},
    ),
    "sparsity": Scene(
        "Who needs which points",
        "On Ripley's data the errors are close, but the L1-SVM needs a third of the points, the LS-SVM all.",
        COMPARE,
        {"problem": "ripley", "losses": "hinge,squared_hinge,least_squares,least_absolute"},
    ),
    "dying": Scene(
        "Support vectors dying",
        "The LS-SVM needs all of Ripley's 250 points. Nine rounds of re-weighting leave six of them, and no more "
        "errors.",
        SPARSITY,
        {"problem": "ripley", "C": "10", "sigma": "0.7"},
    ),
    "few_features": Scene(
        "Five features of two hundred",
        "The 2-norm SVM uses all and errs on one new point in six, the 1-norm SVM picks few. Best is a short walk from "
        "the one to the other: two rounds more, and it errs on one in thirteen.",
        FEATURE_WALK,
        {"d_rel": "5", "rounds": "15"},
    ),
    "by_heart": Scene(
        "Learning by heart",
        "A kernel that is far too narrow: no training error, and no idea of anything in between.",
        PLAYGROUND,
        {"problem": "moons", "sigma": "0.03", "C": "1000"},
    ),
    "orders": Scene(
        "First against second order",
        "Two ways to choose the pair race on the moons: who looks at the curvature, too, needs a quarter of the steps.",
        CONVERGENCE,
        {"show": "race", "problem": "moons", "C": "100"},
    ),
    "window": Scene(
        "The window of the L0/1-SVM",
        "It reaches from y f = 1 down, holds everybody at first, and closes. At the end three points carry the "
        "machine, and the twenty that lie far away on the wrong side are crossed out, given up.",
        CONVERGENCE,
        {"problem": "leverage_outliers", "outliers": "20", "loss": "zero_one"},
    ),
    "conjugate_gradients": Scene(
        "Conjugate gradients at work",
        "Twelve steps find the 360 support values of the LS-SVM on two spirals; after the first no point is misjudged.",
        CONVERGENCE,
        {"problem": "two_spirals", "loss": "least_squares", "solver": "cg"},
    ),
}
