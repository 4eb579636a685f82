"""The losses of regression: functions of the residual r = y - f(x).

The machines minimise 1/2 |w|^2 + sum_i C_i loss(r_i). Three of the losses are even, loss(-t) = loss(t), and the same
entries as in `losses`: for labels |1 - y f| = |y - f|. Vapnik's and HawkEye are zero inside a tube around f.

    regression.get("epsilon_insensitive")(r, epsilon=0.1)     as with `losses`: value, slope, prox
"""

import numpy as np

from svmcore import losses


class RegressionLoss(losses.Loss):
    """A `losses.Loss` of the residual; the only difference is the registry that holds it."""

    def __reduce__(self):
        return get, (self.key,)


def _excess(r, epsilon):
    return np.maximum(np.abs(r) - epsilon, 0.0)


epsilon_insensitive = RegressionLoss(
    key="epsilon_insensitive",
    machine="ε-SVR",
    colour=0,
    latex=r"\max(0,\, |r| - \varepsilon)",
    value_of=_excess,
    slope_of=lambda r, epsilon: np.where(np.abs(r) > epsilon, np.sign(r), 0.0),
    # towards the tube by c, at most to its edge
    prox_of=lambda z, c, epsilon: z - np.clip(z - np.clip(z, -epsilon, epsilon), -c, c),
    parameters=(
        losses.Parameter(
            name="epsilon",
            default=0.1,
            latex=r"\varepsilon",
            meaning="half the width of the tube in which errors cost nothing, in units of y: 0 gives the absolute loss",
        ),
    ),
    sparse=True,
    solved_by="doubled box dual",
    source="V. Vapnik (1995). The Nature of Statistical Learning Theory. Springer, New York.",
)


def _hawkeye_prox(z, c, epsilon, a, height):
    # outside the tube it is RoBoSS, moved outwards by its edge
    beyond = losses.roboss.prox_of(np.abs(z) - epsilon, c, a, height)
    return np.where(np.abs(z) <= epsilon, z, np.sign(z) * (epsilon + beyond))


hawkeye = RegressionLoss(
    key="hawkeye",
    machine="HawkEye SVR",
    colour=23,
    latex=r"\begin{cases} \lambda\, (1 - (a u + 1)\, e^{-a u}),\; u = |r| - \varepsilon & |r| > \varepsilon \\ "
    r"0 & |r| \le \varepsilon \end{cases}",
    value_of=lambda r, epsilon, a, height: losses.roboss.value_of(_excess(r, epsilon), a, height),
    slope_of=lambda r, epsilon, a, height: np.sign(r) * losses.roboss.slope_of(_excess(r, epsilon), a, height),
    curvature_of=lambda r, epsilon, a, height: losses.roboss.curvature_of(_excess(r, epsilon), a, height),
    prox_of=_hawkeye_prox,
    parameters=(epsilon_insensitive.parameters[0], *losses.roboss.parameters),
    convex=False,
    bounded=True,
    sparse=True,
    solved_by="quasi-Newton",
    source="M. Akhtar, M. Tanveer, M. Arshad (2024). Enhancing efficiency and robustness in support vector regression "
    "with HawkEye loss. arXiv:2401.16785.",
)

LOSSES: dict[str, losses.Loss] = {
    loss.key: loss
    for loss in (epsilon_insensitive, losses.least_squares, losses.least_absolute, losses.welsch, hawkeye)
}


def get(key) -> losses.Loss:
    """`losses.get` among the losses of regression."""
    return losses.get(key, LOSSES, " of regression")
