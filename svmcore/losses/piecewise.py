"""Convex losses made of lines and parabolas: their duals are boxes (see `svmcore.duals`)."""

import numpy as np

from svmcore.losses.registry import Loss, Parameter

TAU = Parameter(
    name="tau",
    default=0.5,
    high=1.0,
    latex=r"\tau",
    meaning="the slope of the loss beyond the margin: 0 gives the hinge loss, 1 the Least 1-Norm SVM",
)

hinge = Loss(
    key="hinge",
    machine="L1-SVM",
    colour=0,
    latex=r"\max(0,\, t)",
    value_of=lambda t: np.maximum(t, 0.0),
    slope_of=lambda t: np.where(t > 0.0, 1.0, 0.0),
    prox_of=lambda z, c: z - np.clip(z, 0.0, c),
    sparse=True,
    slack="absolute",
    constraint="inequality",
    solved_by="box dual",
    source="C. Cortes, V. Vapnik (1995). Support-vector networks. Machine Learning 20(3), 273-297.",
)

squared_hinge = Loss(
    key="squared_hinge",
    machine="L2-SVM",
    colour=1,
    latex=r"\tfrac{1}{2}\max(0,\, t)^2",
    value_of=lambda t: 0.5 * np.maximum(t, 0.0) ** 2,
    slope_of=lambda t: np.maximum(t, 0.0),
    prox_of=lambda z, c: np.where(z > 0.0, z / (1.0 + c), z),
    sparse=True,
    slack="squared",
    constraint="inequality",
    solved_by="box dual",
    source="V. Vapnik (1995). The Nature of Statistical Learning Theory. Springer, New York.",
)

least_squares = Loss(
    key="least_squares",
    machine="LS-SVM",
    colour=2,
    latex=r"\tfrac{1}{2}\, t^2",
    value_of=lambda t: 0.5 * t**2,
    slope_of=lambda t: 1.0 * t,
    prox_of=lambda z, c: z / (1.0 + c),
    slack="squared",
    constraint="equality",
    solved_by="box dual",
    source="J. A. K. Suykens, J. Vandewalle (1999). Least squares support vector machine classifiers. "
    "Neural Processing Letters 9(3), 293-300.",
)

least_absolute = Loss(
    key="least_absolute",
    machine="Least 1-Norm SVM",
    colour=3,
    latex=r"|t|",
    value_of=np.abs,
    slope_of=np.sign,
    prox_of=lambda z, c: z - np.clip(z, -c, c),
    slack="absolute",
    constraint="equality",
    solved_by="box dual",
    source="J. López, J. R. Dorronsoro (2010). Least 1-norm SVMs: a new SVM variant between standard and LS-SVMs. "
    "18th European Symposium on Artificial Neural Networks (ESANN), Bruges.",
)

pinball = Loss(
    key="pinball",
    machine="Pinball SVM",
    colour=4,
    latex=r"\max(t,\, -\tau t)",
    value_of=lambda t, tau: np.maximum(t, -tau * t),
    slope_of=lambda t, tau: np.where(t > 0.0, 1.0, np.where(t < 0.0, -tau, 0.0)),
    prox_of=lambda z, c, tau: z - np.clip(z, -tau * c, c),
    parameters=(TAU,),
    solved_by="box dual",
    source="X. Huang, L. Shi, J. A. K. Suykens (2014). Support vector machine classifier with pinball loss. "
    "IEEE Transactions on Pattern Analysis and Machine Intelligence 36(5), 984-997.",
)


def _insensitive_pinball_prox(z, c, tau, epsilon):
    lowest = -epsilon / tau if tau > 0.0 else -np.inf
    nearest = np.clip(z, lowest, epsilon)
    return z - np.clip(z - nearest, -tau * c, c)


insensitive_pinball = Loss(
    key="insensitive_pinball",
    machine="Insensitive-zone pinball SVM",
    colour=6,
    latex=r"\max(0,\, t - \varepsilon,\, -\tau t - \varepsilon)",
    value_of=lambda t, tau, epsilon: np.maximum(np.maximum(t, -tau * t) - epsilon, 0.0),
    slope_of=lambda t, tau, epsilon: np.where(t > epsilon, 1.0, np.where(-tau * t > epsilon, -tau, 0.0)),
    prox_of=_insensitive_pinball_prox,
    parameters=(
        TAU,
        Parameter(
            name="epsilon",
            default=0.1,
            latex=r"\varepsilon",
            meaning="the height below which the pinball loss costs nothing: 0 gives the pinball loss",
        ),
    ),
    sparse=True,
    solved_by="doubled box dual",
    source="X. Huang, L. Shi, J. A. K. Suykens (2014). Support vector machine classifier with pinball loss. "
    "IEEE Transactions on Pattern Analysis and Machine Intelligence 36(5), 984-997.",
)

huber = Loss(
    key="huber",
    machine="Huberised-hinge SVM",
    colour=5,
    latex=r"\begin{cases} 0 & t \le 0 \\ t^2 / (2\delta) & 0 < t \le \delta \\ t - \delta/2 & t > \delta \end{cases}",
    # the part of t inside the parabola, and the part above it; no branch overflows for a tiny delta
    value_of=lambda t, delta: 0.5 * np.clip(t, 0.0, delta) ** 2 / delta + np.maximum(t - delta, 0.0),
    slope_of=lambda t, delta: np.clip(t, 0.0, delta) / delta,
    prox_of=lambda z, c, delta: z - np.clip(z * (c / (delta + c)), 0.0, c),
    parameters=(
        Parameter(
            name="delta",
            default=0.5,
            latex=r"\delta",
            meaning="the width of the parabola that rounds the kink of the hinge: towards 0 it is the hinge loss",
            low_open=True,
        ),
    ),
    sparse=True,
    solved_by="box dual",
    source="L. Wang, J. Zhu, H. Zou (2008). Hybrid huberized support vector machines for microarray classification "
    "and gene selection. Bioinformatics 24(3), 412-419.",
)
