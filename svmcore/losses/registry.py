"""The parts of a loss, and the registry of all losses by name."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from svmcore import words

RECENT = 2020  # the first year of a group of its own
GROUPS = {  # of the losses in a list of them, by `Loss.group`
    "convex": "Convex",
    "smooth": "Convex and smooth",
    "bounded": "Bounded",
    "unbounded": "Neither convex nor bounded",
    "recent": f"Published since {RECENT}",
}


@dataclass(frozen=True)
class Parameter:
    """One shape parameter of a loss: its range is [low, high], without `low` if it is open, and never infinite.

    `gentler`: a start that is annealed multiplies the parameter by a factor above 1 to this power, which makes the loss
    more like a convex one.
    """

    name: str
    default: float
    low: float = 0.0
    high: float = np.inf
    latex: str = ""
    meaning: str = ""
    low_open: bool = False
    gentler: float = 0.0

    @property
    def letter(self) -> str:
        """The symbol in the formula as text: the μ of `mu`, the λ of `height`."""
        return words.letter(self.latex)

    @property
    def interval(self) -> str:
        """The range as text, such as "[0, 1]" or "(0, inf)"."""
        return f"{'(' if self.low_open else '['}{self.low:g}, {self.high:g}{']' if self.high < np.inf else ')'}"

    def __contains__(self, value) -> bool:
        above = value > self.low if self.low_open else value >= self.low
        return bool(above and value <= self.high and value < np.inf)


@dataclass(frozen=True, eq=False)
class Loss:
    """A loss with its three formulas and its place among the machines.

    `machine` is the name of the support vector machine with this loss; `latex` the value as a function of t. `colour`
    is the number of its line style in charts, of which there are 32: fixed, and different for any two losses that can
    share a chart.
    `solved_by` says how that machine is solved: "box dual", "doubled box dual" (each coefficient split in two),
    "quasi-Newton", "CCCP" (a box that moves), "re-weighting", "ADMM"; `svmcore.solvers.router` has a route for each.
    `convex` and `bounded` say what they mean; only a bounded loss bounds the cost of a single point.
    `sparse`: the loss is flat on an interval, so the points there are no support vectors.
    `slack` and `constraint` place the machine among the four types of López and Dorronsoro (2010), Table 1:
    absolute or squared slacks, inequality or equality constraints; None for a machine outside that table.
    `value_of(t, **params)`, `slope_of(t, **params)`, `prox_of(z, c, **params)` are the bare formulas, and
    `curvature_of(t, **params)` the second derivative of a smooth loss, or between the kinks of one that is not convex
    there, None for the others. `compiled_as(**params)` is
    (form, height, steepness) of `losses.smooth`; a smooth loss without it is solved by the same steps, more slowly.
    A loss that is a concave function g of a convex one, loss(t) = g(base(t)), names the `base`, whose parameters it
    has too, and `weight_of(height, **params)` is the slope of g at height = base(t).
    """

    key: str
    machine: str
    colour: int
    latex: str
    solved_by: str
    source: str
    value_of: Callable = field(repr=False)
    slope_of: Callable = field(repr=False)
    prox_of: Callable = field(repr=False)
    curvature_of: Callable | None = field(repr=False, default=None)
    compiled_as: Callable | None = field(repr=False, default=None)
    base: "Loss | None" = field(repr=False, default=None)
    weight_of: Callable | None = field(repr=False, default=None)
    parameters: tuple[Parameter, ...] = ()
    convex: bool = True
    bounded: bool = False
    sparse: bool = False
    slack: str | None = None
    constraint: str | None = None

    @property
    def group(self) -> str:
        """A key of GROUPS: "recent" by the year of the source, else by what the loss is."""
        if max(map(int, re.findall(r"\((\d{4})\)", self.source)), default=0) >= RECENT:
            return "recent"
        if self.convex:
            return "convex" if self.curvature_of is None else "smooth"
        return "bounded" if self.bounded else "unbounded"

    def __call__(self, t, **params) -> np.ndarray:
        """The loss of each entry of t, in its shape. Raises ValueError for parameters unknown or out of range."""
        return self.value_of(np.asarray(t, float), **self.check(**params))

    def slope(self, t, **params) -> np.ndarray:
        """A subgradient for each entry of t, in its shape; at a kink or a jump the one nearest to zero."""
        return self.slope_of(np.asarray(t, float), **self.check(**params))

    def prox(self, z, c, **params) -> np.ndarray:
        """A point of argmin_v  c loss(v) + 1/2 (v - z)^2 for each entry of z; c >= 0 is a number or has z's shape."""
        return self.prox_of(np.asarray(z, float), np.asarray(c, float), **self.check(**params))

    def check(self, **params) -> dict[str, float]:
        """All parameters as floats, defaults filled in; ValueError for an unknown name or a value out of range."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in params:
            if name not in known:
                takes = f"it takes {', '.join(known)}" if known else "it takes no parameters"
                raise ValueError(f"{self.key}: unknown parameter {name!r}; {takes}")
        return {name: self._check(known[name], params.get(name, known[name].default)) for name in known}

    def base_params(self, params) -> dict[str, float]:
        """The parameters of the base, among `params`."""
        return {parameter.name: params[parameter.name] for parameter in self.base.parameters}

    def gentler(self, params, factor) -> dict[str, float]:
        """All parameters as an annealed start changes them; equal to `params` if it does not."""
        return {p.name: params[p.name] * factor**p.gentler for p in self.parameters}

    def _check(self, parameter: Parameter, given) -> float:
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
        # formulas do not pickle; the name is enough, and unpickling returns the same object
        return get, (self.key,)


LOSSES: dict[str, Loss] = {}  # in teaching order; filled by the package


def get(key, known=LOSSES, kind="") -> Loss:
    """The loss of that name (a Loss is returned as it is); ValueError with the names of the `known` for any other."""
    if isinstance(key, Loss):
        return key
    if not isinstance(key, str) or key not in known:
        raise ValueError(f"unknown loss {key!r}{kind}; choose one of {', '.join(known)}")
    return known[key]
