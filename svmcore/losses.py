"""The losses: value, slope, prox, and what to say about each.

A loss is a function of t = 1 - y f(x): t > 0 means that the point lies inside the margin or on the wrong side,
t < 0 that it lies beyond the margin. The machine it belongs to minimises

    1/2 |w|^2 + sum_i C_i loss(t_i).

Squared losses carry the factor 1/2. Each loss below is one entry, and everything else reads the entries:

    losses.hinge(t)                      the values
    losses.pinball(t, tau=0.3)           parameters are keywords; left out, they take their defaults
    losses.hinge.slope(t)                a subgradient; at a kink the one nearest to zero
    losses.hinge.prox(z, c)              argmin_v  c loss(v) + 1/2 (v - z)^2,  c >= 0 a number or one per entry
    losses.get("pinball"), losses.LOSSES the registry, in teaching order

Arrays of any shape go in and arrays of the same shape come out.

The prox of a convex loss is written through its conjugate wherever that is shorter (Moreau: prox = z - c * prox of
the conjugate); for the piecewise linear losses this makes it z minus z clipped to the box of the dual (`duals`).
Reference: Parikh and Boyd (2014), Proximal algorithms, Foundations and Trends in Optimization 1(3), 127-239.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Parameter:
    """One shape parameter of a loss: its range is [low, high], without an end that is marked open."""

    name: str
    default: float
    low: float
    high: float
    latex: str
    meaning: str
    low_open: bool = False
    high_open: bool = False

    @property
    def interval(self) -> str:
        """The range as text, such as "[0, 1]" or "(0, inf)"."""
        return f"{'(' if self.low_open else '['}{self.low:g}, {self.high:g}{')' if self.high_open else ']'}"

    def __contains__(self, value) -> bool:
        above = value > self.low if self.low_open else value >= self.low
        below = value < self.high if self.high_open else value <= self.high
        return bool(above and below)


@dataclass(frozen=True, eq=False)
class Loss:
    """A loss with its three formulas and its place among the machines.

    `machine` is the name of the support vector machine that it gives; `latex` the value as a function of t.
    `sparse`: the loss is flat on an interval, so the points there are no support vectors.
    `slack` and `constraint` place the machine among the four types of López and Dorronsoro (2010), Table 1:
    absolute or squared slacks, inequality or equality constraints; None for a machine outside that table.
    `value_of(t, **params)`, `slope_of(t, **params)`, `prox_of(z, c, **params)` are the bare formulas.
    """

    key: str
    machine: str
    latex: str
    source: str
    value_of: Callable = field(repr=False)
    slope_of: Callable = field(repr=False)
    prox_of: Callable = field(repr=False)
    parameters: tuple[Parameter, ...] = ()
    convex: bool = True
    bounded: bool = False
    sparse: bool = False
    slack: str | None = None
    constraint: str | None = None

    def __call__(self, t, **params):
        """Loss of each entry of t."""
        return self.value_of(np.asarray(t, float), **self.check(**params))

    def slope(self, t, **params):
        """A subgradient for each entry of t; at a kink the one nearest to zero."""
        return self.slope_of(np.asarray(t, float), **self.check(**params))

    def prox(self, z, c, **params):
        """argmin_v  c loss(v) + 1/2 (v - z)^2 for each entry of z; c >= 0 is a number or has the shape of z."""
        return self.prox_of(np.asarray(z, float), np.asarray(c, float), **self.check(**params))

    def check(self, **params) -> dict[str, float]:
        """All parameters as floats, defaults filled in; ValueError for an unknown name or a value out of range."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in params:
            if name not in known:
                takes = f"it takes {', '.join(known)}" if known else "it takes no parameters"
                raise ValueError(f"{self.key}: unknown parameter {name!r}; {takes}")
        return {name: self._checked(known[name], params.get(name, known[name].default)) for name in known}

    def _checked(self, parameter: Parameter, given) -> float:
        try:
            value = float(given)
        except (TypeError, ValueError):
            value = np.nan
        if value not in parameter:
            raise ValueError(
                f"{self.key}: {parameter.name} must lie in {parameter.interval}, got {given}; "
                f"{parameter.name} is {parameter.meaning}"
            )
        return value

    def __reduce__(self):
        # formulas do not pickle; the name is enough, and brings back the very same object
        return get, (self.key,)


hinge = Loss(
    key="hinge",
    machine="L1-SVM",
    latex=r"\max(0,\, t)",
    value_of=lambda t: np.maximum(t, 0.0),
    slope_of=lambda t: np.where(t > 0.0, 1.0, 0.0),
    prox_of=lambda z, c: z - np.clip(z, 0.0, c),
    sparse=True,
    slack="absolute",
    constraint="inequality",
    source="C. Cortes, V. Vapnik (1995). Support-vector networks. Machine Learning 20(3), 273-297.",
)

squared_hinge = Loss(
    key="squared_hinge",
    machine="L2-SVM",
    latex=r"\tfrac{1}{2}\max(0,\, t)^2",
    value_of=lambda t: 0.5 * np.maximum(t, 0.0) ** 2,
    slope_of=lambda t: np.maximum(t, 0.0),
    prox_of=lambda z, c: np.where(z > 0.0, z / (1.0 + c), z),
    sparse=True,
    slack="squared",
    constraint="inequality",
    source="V. Vapnik (1995). The Nature of Statistical Learning Theory. Springer, New York.",
)

least_squares = Loss(
    key="least_squares",
    machine="LS-SVM",
    latex=r"\tfrac{1}{2}\, t^2",
    value_of=lambda t: 0.5 * t**2,
    slope_of=lambda t: 1.0 * t,
    prox_of=lambda z, c: z / (1.0 + c),
    slack="squared",
    constraint="equality",
    source="J. A. K. Suykens, J. Vandewalle (1999). Least squares support vector machine classifiers. "
    "Neural Processing Letters 9(3), 293-300.",
)

least_absolute = Loss(
    key="least_absolute",
    machine="Least 1-Norm SVM",
    latex=r"|t|",
    value_of=np.abs,
    slope_of=np.sign,
    prox_of=lambda z, c: z - np.clip(z, -c, c),
    slack="absolute",
    constraint="equality",
    source="J. López, J. R. Dorronsoro (2010). Least 1-norm SVMs: a new SVM variant between standard and LS-SVMs. "
    "18th European Symposium on Artificial Neural Networks (ESANN), Bruges.",
)

pinball = Loss(
    key="pinball",
    machine="Pinball SVM",
    latex=r"\max(t,\, -\tau t)",
    value_of=lambda t, tau: np.maximum(t, -tau * t),
    slope_of=lambda t, tau: np.where(t > 0.0, 1.0, np.where(t < 0.0, -tau, 0.0)),
    prox_of=lambda z, c, tau: z - np.clip(z, -tau * c, c),
    parameters=(
        Parameter(
            name="tau",
            default=0.5,
            low=0.0,
            high=1.0,
            latex=r"\tau",
            meaning="the price of a point beyond the margin: 0 gives the hinge loss, 1 the Least 1-Norm SVM",
        ),
    ),
    source="X. Huang, L. Shi, J. A. K. Suykens (2014). Support vector machine classifier with pinball loss. "
    "IEEE Transactions on Pattern Analysis and Machine Intelligence 36(5), 984-997.",
)

huber = Loss(
    key="huber",
    machine="Huberised-hinge SVM",
    latex=r"\begin{cases} 0 & t \le 0 \\ t^2 / (2\delta) & 0 < t \le \delta \\ t - \delta/2 & t > \delta \end{cases}",
    # the part of t inside the parabola, and the part above it; no branch overflows for a tiny delta
    value_of=lambda t, delta: 0.5 * np.clip(t, 0.0, delta) ** 2 / delta + np.maximum(t - delta, 0.0),
    slope_of=lambda t, delta: np.clip(t, 0.0, delta) / delta,
    prox_of=lambda z, c, delta: z - np.clip(z * (c / (delta + c)), 0.0, c),
    parameters=(
        Parameter(
            name="delta",
            default=0.5,
            low=0.0,
            high=np.inf,
            latex=r"\delta",
            meaning="the width of the parabola that rounds the kink of the hinge: towards 0 it is the hinge loss",
            low_open=True,
            high_open=True,
        ),
    ),
    sparse=True,
    source="L. Wang, J. Zhu, H. Zou (2008). Hybrid huberized support vector machines for microarray classification "
    "and gene selection. Bioinformatics 24(3), 412-419.",
)

LOSSES: dict[str, Loss] = {
    loss.key: loss for loss in (hinge, squared_hinge, least_squares, least_absolute, pinball, huber)
}


def get(key) -> Loss:
    """The loss of that name (a Loss is handed through); ValueError with the list of names otherwise."""
    if isinstance(key, Loss):
        return key
    if not isinstance(key, str) or key not in LOSSES:
        raise ValueError(f"unknown loss {key!r}; choose one of {', '.join(LOSSES)}")
    return LOSSES[key]
