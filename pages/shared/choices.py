"""What a reader has chosen, as small hashable values: they key the caches and write the snippets."""

from typing import NamedTuple

from pages.shared.points.edits import NONE, Edits
from pages.shared.points.own_points import OWN
from svmcore import losses
from svmcore.kernels import Kernel
from svmcore.losses import regression
from svmcore.problems import REGISTRY
from svmcore.solvers import isls
from svmcore.solvers.router import SOLVABLE

NO_OUTLIERS = "none"
LOSSES = losses.LOSSES | regression.LOSSES
MACHINES = {"classification": list(SOLVABLE), "regression": list(regression.LOSSES)}
COMPARED = {
    "classification": ["hinge", "least_squares", "least_absolute", "pinball"],
    "regression": MACHINES["regression"],
}


class Data(NamedTuple):
    """Which points: hashable, so that it can key a cache."""

    problem: str
    seed: int
    options: tuple[tuple[str, float], ...]
    contamination: str = NO_OUTLIERS
    amount: float = 0
    on: bool = True
    edits: Edits = NONE
    room: float = 1.0

    @property
    def task(self):
        """ "classification" or "regression"."""
        return "classification" if self.problem == OWN else REGISTRY[self.problem].task

    @property
    def drawn(self):
        """The problem as it is drawn, before anything is done to its points; the reader's own wait for no draw."""
        if self.problem == OWN:
            return Data(OWN, 0, self.options[:1])
        return Data(self.problem, self.seed, self.options)

    @property
    def base(self):
        """The points that the edits are relative to."""
        return self._replace(edits=NONE, on=True, room=1.0)


class Setting(NamedTuple):
    """Everything about a machine but its loss."""

    C: float
    kernel: str
    sigma: float
    degree: int = 3
    coef0: float = 1.0

    @classmethod
    def of(cls, entry, kernel=None):
        """What the entry of a problem suggests, perhaps with another kernel."""
        return cls(float(entry.C), kernel or entry.kernel, float(entry.sigma))

    @property
    def gamma(self):
        return 1.0 / self.sigma**2

    def as_kernel(self):
        return Kernel(self.kernel, self.gamma, self.degree, self.coef0)


class Reweighting(NamedTuple):
    """How ISLS runs: its first weights and its stopping rule, keys of `isls.INITS` and `isls.STOPS`."""

    init: str = "absolute"
    stop: str = "paper"

    @property
    def options(self):
        """The arguments of `isls.rounds`: the paper's limits, or strict ones."""
        tol, max_iter = (1e-4, isls.MAX_ROUNDS) if self.stop == "paper" else (1e-6, 1000)
        return {"init": self.init, "stop": self.stop, "tol": tol, "max_iter": max_iter}


class Machine(NamedTuple):
    """A loss with its parameters."""

    loss: str
    params: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, loss, params):
        """From `params`, {name: value} with at least the parameters of the loss."""
        return cls(loss, tuple((p.name, params[p.name]) for p in LOSSES[loss].parameters))

    @property
    def name(self):
        numbers = ", ".join(f"{name} = {value:g}" for name, value in self.params)
        return LOSSES[self.loss].machine + (f" ({numbers})" if numbers else "")


class Walk(NamedTuple):
    """The problem `relevant_features` and how far to walk: n points, d_rel relevant features, so many rounds."""

    n: int
    d_rel: int
    seed: int
    C: float
    rounds: int
