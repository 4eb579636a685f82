"""The choices of a reader as small hashable values: they are the keys of the caches and are printed in the snippets."""

from types import MappingProxyType
from typing import NamedTuple

from pages.shared.screen.edits import NONE, Edits
from pages.shared.screen.own_points import OWN, task_of
from svmcore import losses
from svmcore.kernels import PARAMETERS, Kernel
from svmcore.losses import regression
from svmcore.losses.registry import Parameter
from svmcore.problems import REGISTRY
from svmcore.solvers import isls
from svmcore.solvers.router import SOLVABLE
from svmcore.words import number

NO_OUTLIERS = "none"
MOST_FEATURES = 99  # of a table that a slice shows
ISLS = "isls"  # of the sparse LS-SVM as a Machine, beside the keys of the losses
ISLS_NAME = "Sparse LS-SVM (ISLS)"
ISLS_COLOUR = 16  # a number that no loss has
WALK = "relevant_features"  # the problem of the feature walk
LOSSES = losses.LOSSES | regression.LOSSES
MACHINES = {"classification": list(SOLVABLE), "regression": list(regression.LOSSES), "multiclass": list(SOLVABLE)}
COMPARED = {
    "classification": ["hinge", "least_squares", "least_absolute", "pinball"],
    "regression": ["epsilon_insensitive", "least_squares", "least_absolute"],
    "multiclass": ["hinge", "least_squares", "least_absolute", "pinball"],
}


class Data(NamedTuple):
    """The choice of points: the problem and how it is drawn, its outliers, the edits, and the room of the view.

    `given` is the key of a file that this reader has given in the place of a set that the server does not have;
    `n_classes` and `n_features` are the numbers of classes and features of the reader's own points. Of more than two
    features the plane shows a `slice`, with columns `across` and `up` (from 1); own points are `scaled` or not.
    """

    problem: str
    seed: int
    options: tuple[tuple[str, float], ...]
    contamination: str = NO_OUTLIERS
    amount: float = 0
    on: bool = True
    edits: Edits = NONE
    room: float = 1.0
    given: str = ""
    n_classes: int = 2
    n_features: int = 2
    slice: str = "components"
    across: str = "1"
    up: str = "2"
    scaled: bool = True

    @property
    def task(self) -> str:
        """One of `problems.registry.TASKS`."""
        return task_of(self.n_classes) if self.problem == OWN else REGISTRY[self.problem].task

    @property
    def n_inputs(self) -> int:
        return self.n_features if self.problem == OWN else REGISTRY[self.problem].n_inputs

    @property
    def is_table(self) -> bool:
        """True if its points are a table with more features than a plane shows."""
        return 2 < self.n_inputs <= MOST_FEATURES

    @property
    def as_drawn(self) -> "Data":
        """The problem as it is drawn, before outliers and edits; the reader's own points need no draw."""
        if self.is_table:
            return self.base._replace(contamination=NO_OUTLIERS, amount=0)
        if self.problem == OWN:
            return Data(OWN, 0, self.options[:1], n_classes=self.n_classes)
        return Data(self.problem, self.seed, self.options, given=self.given)

    @property
    def base(self) -> "Data":
        """The points that the edits are relative to."""
        return self.usual_view._replace(edits=NONE, on=True)

    @property
    def usual_view(self) -> "Data":
        """The same points without the choices that the picture alone shows: what a machine depends on."""
        return self._replace(room=1.0)


class Setting(NamedTuple):
    """C, the kernel and its parameters: everything about a machine except its loss."""

    C: float
    kernel: str
    sigma: float
    degree: int = 3
    coef0: float = 1.0

    @classmethod
    def from_problem(cls, entry, kernel=None) -> "Setting":
        """The setting suggested by the registry entry of a problem, with its kernel or the given one."""
        return cls(float(entry.C), kernel or entry.kernel, float(entry.sigma))

    @property
    def gamma(self) -> float:
        """1 / sigma^2, as svmcore and scikit-learn count the width."""
        return 1.0 / self.sigma**2

    @property
    def parameters(self) -> dict:
        """The parameters of the estimators of svmcore that it sets."""
        return {name: getattr(self, name) for name in ("C", "kernel", *PARAMETERS)}

    def as_kernel(self) -> Kernel:
        return Kernel.from_machine(self)


class Reweighting(NamedTuple):
    """The options of ISLS: its first weights and its stopping rule, keys of `isls.INITS` and `isls.STOPS`."""

    init: str = "absolute"
    stop: str = "paper"

    @property
    def options(self) -> dict:
        """The arguments of `isls.rounds`, with the limits of the paper or strict ones."""
        tol, max_iter = (1e-4, isls.MAX_ROUNDS) if self.stop == "paper" else (1e-6, 1000)
        return {"init": self.init, "stop": self.stop, "tol": tol, "max_iter": max_iter}


class Machine(NamedTuple):
    """A loss with its parameters."""

    loss: str
    params: tuple[tuple[str, float], ...] = ()

    @classmethod
    def from_loss(cls, loss, params=MappingProxyType({})) -> "Machine":
        """The machine with this loss, or ISLS; parameters that `params` {name: value} does not have are the usual."""
        if loss == ISLS:
            usual = Reweighting()._asdict()
        else:
            usual = {p.name: p.default for p in LOSSES[loss].parameters}
        return cls(loss, tuple((name, params.get(name, default)) for name, default in usual.items()))

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The numbers that its loss has."""
        return () if self.loss == ISLS else LOSSES[self.loss].parameters

    @property
    def for_curves(self) -> dict:
        """The arguments of `svmcore.SVR` that it sets: epsilon has one of its own."""
        own = dict(self.params)
        tube = {"epsilon": own.pop("epsilon")} if "epsilon" in own else {}
        return {"loss": self.loss, **tube, **({"loss_params": own} if own else {})}

    @property
    def colour(self) -> int:
        """The number of its colour, the same in all comparisons."""
        return ISLS_COLOUR if self.loss == ISLS else LOSSES[self.loss].colour

    def replace(self, name, value) -> "Machine":
        """The machine with another value of a parameter, if it has it; ValueError for one that its loss cannot have."""
        if any(value not in parameter for parameter in self.parameters if parameter.name == name):
            raise ValueError(f"has {name} = {number(value, 'g')}, which the {self.name} cannot have")
        return self._replace(params=tuple((key, value if key == name else kept) for key, kept in self.params))

    @property
    def name(self) -> str:
        """The name of the machine with the parameters of its loss, for the page."""
        if self.loss == ISLS:
            return ISLS_NAME
        letters = {parameter.name: parameter.letter for parameter in self.parameters}
        numbers = ", ".join(f"{letters[name]} = {number(value, 'g')}" for name, value in self.params)
        return LOSSES[self.loss].machine + (f" ({numbers})" if numbers else "")


class Walk(NamedTuple):
    """A walk on the problem `relevant_features`: n points, d_rel relevant features, seed, C and number of rounds."""

    n: int
    d_rel: int
    seed: int
    C: float
    rounds: int
    loss: str = "hinge"


class OwnTable(NamedTuple):
    """A table that the reader has loaded: its name in a study, the key of its set of points, and their number."""

    name: str
    key: str
    n: int


class Contamination(NamedTuple):
    """A study of contaminated tables: names of tables, keys of losses and of a kind of outliers, the number of splits,
    and how many of them choose C and sigma for all (0: each for itself, None: the `setting` holds). `own` is the
    reader's table among `tables`; `options` are those of a drawn problem alone in the place of a table, `params` the
    parameters of losses that are not the usual ones, and points are `scaled` or not.
    """

    tables: tuple[str, ...]
    machines: tuple[str, ...]
    kind: str
    repeats: int
    tuned: int | None
    own: OwnTable | None = None
    options: tuple[tuple[str, float], ...] = ()
    params: tuple[tuple[str, float], ...] = ()
    setting: Setting | None = None
    scaled: bool = True

    def machine(self, key) -> Machine:
        """The machine with one of its losses."""
        return Machine.from_loss(key, dict(self.params))
