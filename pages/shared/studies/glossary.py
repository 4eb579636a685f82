"""The terms of the app, each explained once: help texts, column tips and the Help page take their sentences from here.

A page asks for `meaning("violation")`; an unknown term raises KeyError. A test compares the terms that the pages use
with those that stand here, in both directions.
"""

from typing import NamedTuple


class Term(NamedTuple):
    """One term: its `name`, one or two sentences, and a formula and a source where there is one. Plain text."""

    name: str
    text: str
    formula: str = ""
    source: str = ""


LOPEZ_2010 = "López and Dorronsoro (2010)"
LOPEZ_2011 = "López et al. (2011)"
SUYKENS = "Suykens and Vandewalle (1999)"
WANG = "Wang et al. (2019)"
WALK = "Kujala, Aho and Elomaa (2009)"

TERMS = {
    # the machine
    "decision function": Term(
        "Decision function f",
        "The sign of f(x) is the predicted class of x, and f = 0 is the boundary; in a regression f is the "
        "fitted curve.",
        "f(x) = w·φ(x) + b = Σ βⱼ k(xⱼ, x) + b",
        "Cortes and Vapnik (1995)",
    ),
    "margin": Term(
        "Margin",
        "The strip |f| < 1 around the boundary. A point with label y lies outside it on the correct side if y f ≥ 1, "
        "and it is misclassified if y f < 0.",
        "width 2 / ‖w‖",
        "Cortes and Vapnik (1995)",
    ),
    "slice": Term(
        "Slice",
        "The plane that is shown of points with more than two features: along two of the features, the others at their "
        "median, along the first two principal components, or along w and the largest variance orthogonal to it. f on "
        "it is the machine's own, points are projected onto it.",
        "x = origin + a u + b v, with orthonormal u and v",
    ),
    "slack": Term(
        "Slack",
        "How far a point falls short of the margin. Machines with equality constraints also count it, as a negative "
        "number, beyond the margin.",
        "ξ = max(0, 1 − y f), or ξ = 1 − y f",
        LOPEZ_2010,
    ),
    "loss": Term(
        "Loss", "What a point costs, as a function of t. The machines differ in this function.", "ℓ(t), t = 1 − y f"
    ),
    "slope": Term(
        "Slope of the loss",
        "The derivative of the loss. At the optimum it sets the support value of a point; at a kink any value between "
        "the slopes on both sides is possible, at the jump of the 0/1 loss any α ≥ 0.",
        "α = C ℓ′(t)",
    ),
    "proximal operator": Term(
        "Proximal operator",
        "The v that minimises c ℓ(v) + (v − z)²/2: a step from z towards smaller loss. Methods such as ADMM use it.",
        "prox(z) = argmin c ℓ(v) + (v − z)²/2",
        "Moreau (1965)",
    ),
    "convex": Term(
        "Convex loss",
        "Every local minimum of the machine is its global minimum. With a loss that is not convex, the result can "
        "depend on the start.",
    ),
    "bounded": Term(
        "Bounded loss",
        "No single point can cost more than a fixed amount, however far it lies. Where the slope falls back to zero as "
        "well, as in the Welsch and the RoBoSS loss, a distant point has hardly any influence.",
    ),
    "sparse": Term(
        "Sparse",
        "Points beyond the margin cost nothing, so that their support values are exactly zero.",
    ),
    "C": Term(
        "C",
        "The weight of the losses against ‖w‖²/2. A larger C penalises errors more, a smaller one gives a wider "
        "margin.",
        "‖w‖²/2 + C Σ ℓ(1 − y f)",
    ),
    "C of the walk": Term(
        "C (feature walk)",
        "The weight of the losses against the 1-norm of the weights.",
        "Σ |wⱼ| + C Σ max(0, 1 − y f)",
        WALK,
    ),
    "kernel": Term(
        "Kernel",
        "A similarity of two points that takes the place of their inner product, so that f can be curved.",
        "k(x, z) = φ(x)·φ(z)",
        "Cortes and Vapnik (1995)",
    ),
    "kernel width": Term(
        "Kernel width σ",
        "The distance at which the Gaussian kernel has fallen to 1/e. A small σ lets f bend around single points.",
        "k(x, z) = exp(−γ ‖x − z‖²), γ = 1/σ²",
    ),
    "epsilon tube": Term(
        "Epsilon tube",
        "The band of half-width ε around the curve in which errors of a regression cost nothing.",
        "|y − f| ≤ ε",
        "Vapnik (1995)",
    ),
    # the support values
    "support value": Term(
        "Support value",
        "The coefficient of a point in f: α for the classes, β = y α with its sign. It is the influence that the loss "
        "gives the point.",
        "β = y α = y C ℓ′(t)",
        SUYKENS,
    ),
    "support vector": Term(
        "Support vector", "A point whose support value is not zero. f depends on these points only."
    ),
    "bound": Term(
        "Bound",
        "An end of the interval, the box, to which the loss limits a support value. Points at a bound are drawn with a "
        "thick edge.",
        "for the hinge loss 0 ≤ α ≤ C",
    ),
    "free": Term(
        "Free",
        "A support value strictly between its bounds. With the hinge loss such a point lies exactly on the margin.",
    ),
    "ridge": Term(
        "Ridge",
        "A number added to the diagonal of the kernel matrix in the dual problem. It stems from a quadratic part of "
        "the loss.",
        "½ βᵀ(K + ridge·I)β",
    ),
    "pruned": Term(
        "Pruned",
        "A coefficient whose effect on f is at most 10⁻⁶ is set to zero, and its point is no longer a support vector.",
        source=LOPEZ_2011,
    ),
    "truncated": Term(
        "Truncated",
        "A point where a bounded loss is constant: its slope and its support value are zero, and it is ignored.",
    ),
    # the solver
    "status": Term(
        "Status", "Why the run of the solver ended: at an optimum or a local minimum, or early, with the reason."
    ),
    "violation": Term(
        "Violation",
        "How far the result is from the optimality conditions: 0 is optimal. The solver stops below the tolerance.",
    ),
    "duality gap": Term(
        "Duality gap",
        "Primal minus dual objective: an upper bound on how far the objective lies above its minimum.",
        "gap = primal − dual ≥ 0",
    ),
    "objective": Term(
        "Objective", "The quantity that the machine minimises.", "‖w‖²/2 + C Σ ℓ(1 − y f)", "Cortes and Vapnik (1995)"
    ),
    "dual objective": Term(
        "Dual objective",
        "A lower bound on the objective of a convex machine, equal to it at the optimum.",
    ),
    "iteration": Term(
        "Iteration",
        "One step of the solver, such as the update of a pair of support values. Its cost differs between solvers.",
    ),
    "working set": Term(
        "Working set",
        "The points that the current iteration works on. In the L0/1-SVM these are the points in the window.",
        source=WANG,
    ),
    "window": Term(
        "Window",
        "The interval below y f = 1 in which the L0/1-SVM keeps points in its working set. Points below the window are "
        "ignored.",
        "1 − r ≤ y f < 1",
        WANG,
    ),
    "ADMM penalty": Term(
        "ADMM penalty ρ, the paper's σ",
        "The weight of the squared error of the constraint in ADMM. It sets the width of the window; for ρ ≥ 2C the "
        "printed algorithm ends at w = 0 at once. It is not the σ of the kernel; the paper searches powers of two.",
        "r = √(2C/ρ)",
        WANG,
    ),
    "ADMM step": Term(
        "ADMM step η",
        "In each round the multipliers λ move by η ρ times the error of the constraint. The paper prints 1.618, the "
        "authors' program uses 1.",
        WANG,
    ),
    "minimum": Term(
        "Local minimum",
        "No small change of the machine lowers the objective. A loss that is not convex can have several such minima; "
        "the solver keeps the lowest one that it found.",
    ),
    "stationary point": Term(
        "Stationary point",
        "A point where the derivatives of the objective are zero, such as a minimum. The rounds of the sparse LS-SVM "
        "converge to one.",
        source=LOPEZ_2011,
    ),
    "certificate": Term(
        "Certificate",
        "A number that proves a local minimum of the L0/1-SVM: the point is P-stationary for every ADMM penalty "
        "above it.",
        source=WANG,
    ),
    "weight": Term(
        "Weight of a point",
        "In re-weighting, the factor on the base loss of a point in the next round: the slope of the bounded loss as a "
        "function of its base. A point with a large loss gets hardly any.",
        "u = g′(base(t)), for the loss g(base(t))",
        "Xu, Cao, Hu and Principe (2017)",
    ),
    "round": Term(
        "Round",
        "One solution of a re-weighted problem. The solution sets the weights of the next round.",
    ),
    # measurements
    "error": Term(
        "Error",
        "The share of misclassified points; changes are in percentage points (pp). Test points are not used to fit.",
    ),
    "RMSE": Term(
        "RMSE", "Root mean squared error: the typical residual of a regression, in the units of y.", "√(mean (y − f)²)"
    ),
    "leverage": Term(
        "Leverage",
        "The effect of a distant point: under the linear kernel it adds β times its position to w, so that even a "
        "bounded support value can turn the boundary.",
        "w = Σ βⱼ xⱼ",
    ),
    "plane changed": Term(
        "Plane changed",
        "The share of the plane whose predicted class differs before and after a change. The plane is the rectangle of "
        "the points before the change, widened by a tenth on each side.",
    ),
    "angle turned": Term(
        "Angle turned",
        "The angle between w with and without the outliers, for the linear kernel.",
    ),
    "influence": Term(
        "Influence",
        "The share of the plane that changes class if one training point is moved and the machine is fitted again.",
    ),
    "paired difference": Term(
        "Paired difference",
        "The difference of two test errors on the same test points, ± its standard error: only points at which exactly "
        "one of the two is wrong count. Two standard errors or less is no clear difference.",
    ),
    "standard error": Term(
        "Standard error (s.e.)",
        "The uncertainty of a cross-validation error, from its spread over the folds.",
    ),
    "VC bound": Term(
        "VC bound",
        "The product of the squared radius r² of the smallest ball around the points in feature space and ‖w‖². It "
        "bounds the VC dimension h.",
        "h ≤ min(r² ‖w‖², n) + 1, n the dimension of the feature space",
        SUYKENS,
    ),
    "excess": Term(
        "Excess",
        "How far the 1-norm objective lies above its minimum, as a share of it; “at most” if a dual lower bound stands "
        "in for the minimum.",
        "objective / lower bound − 1",
        WALK,
    ),
    "RW(t)": Term(
        "RW(t)",
        "Round t of the re-weighted 2-norm SVM. RW(1) is the 2-norm SVM itself; for large t it approaches the "
        "1-norm SVM.",
        "penalty Σ w²/|u|, u the weights of the round before",
        WALK,
    ),
}


def meaning(*terms: str) -> str:
    """The sentences on each of the `terms` with its formula, a Markdown line each; KeyError for an unknown term."""
    for term in terms:
        if term not in TERMS:
            raise KeyError(f"the glossary has no term {term!r}; it has {', '.join(TERMS)}")
    entries = [TERMS[term] for term in terms]
    return "  \n".join(f"{entry.text} {entry.formula}".strip() for entry in entries)


def tips(terms: dict[str, str]) -> dict[str, str]:
    """{label: meaning} from {label: term}: the tips for the heads of a table. Raises KeyError as `meaning`."""
    return {label: meaning(term) for label, term in terms.items()}


def markdown() -> str:
    """All terms as a Markdown list in alphabetical order, with formulas and sources, for the Help page."""
    lines = []
    for entry in sorted(TERMS.values(), key=lambda entry: entry.name.casefold()):
        formula = f" `{entry.formula}`" if entry.formula else ""
        source = f" *{entry.source}*" if entry.source else ""
        lines.append(f"- **{entry.name}.** {entry.text}{formula}{source}")
    return "\n".join(lines) + "\n"
