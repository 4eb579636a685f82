"""A screen: its points, its machines and their setting, as the fields of `schema` set them.

screen = Screen.read({"problem": "moons", "n": "60", "loss": "ramp", "mu": 2})
screen = screen.replace("C", 5.0)
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pages.shared.screen import codec, own_points, schema
from pages.shared.screen.choices import (
    COMPARED,
    ISLS,
    LOSSES,
    MACHINES,
    NO_OUTLIERS,
    OWN,
    WALK,
    Data,
    Machine,
    Setting,
    Walk,
)
from pages.shared.screen.edits import NONE
from pages.shared.screen.fields import REGISTRY, Field
from svmcore import kernels, problems
from svmcore.problems import outliers

FIRST = ("problem", "contamination", "loss", "losses", "kernel")  # what decides which other fields apply
LAST = ("edits",)  # which belong to the points that the others make


class Screen(NamedTuple):
    """Points, machines and setting from which a page draws its pictures; `walk` on the Feature walk alone."""

    data: Data
    machines: tuple[Machine, ...]
    setting: Setting
    walk: Walk | None = None

    @classmethod
    def from_problem(cls, entry: problems.Entry | str) -> "Screen":
        """The screen that a problem suggests: (the key of) an entry of the registry, or that of the reader's points."""
        entry = problems.REGISTRY[entry] if isinstance(entry, str) else entry
        drawn = [option for option in entry.options if option.name in schema.OPTIONS]
        options = [(option.name, schema.OPTIONS[option.name].read(option.default)) for option in drawn]
        data = Data(entry.key, 0, tuple([("data", ""), *options] if entry.key == OWN else options))
        if entry.key == OWN:
            data = data._replace(n_features=max(2, entry.n_inputs))
        walk = None
        if entry.key == WALK:
            usual = {field.attribute or field.name: field.usual for field in REGISTRY.values() if field.part == "walk"}
            walk = Walk(d_rel=dict(options)["d_rel"], seed=0, **usual)
        return cls(data, (Machine.from_loss(MACHINES[entry.task][0]),), Setting.from_problem(entry), walk)

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> "Screen":
        """The screen of parameters of a link, as texts or values; those that it does not use are left out.

        ValueError, in a sentence without its subject, for a parameter or a value that no link can have.
        """
        values = parse_values(table)
        screen = cls.from_problem(values.pop("problem", "toy_outliers"))
        middle = [name for name in values if name not in FIRST + LAST]
        for name in [*FIRST, *middle, *LAST]:
            if name in values and screen.applies(name):
                screen = screen.replace(name, values[name])
        return screen

    @property
    def kind(self) -> outliers.Kind | None:
        """The kind of outliers that are added, None without any."""
        return outliers.KINDS.get(self.data.contamination)

    def applies(self, name: str) -> bool:
        """True if a field sets something on this screen; False for the parameters of a page alone."""
        return not self.why_not(name)

    def why_not(self, name: str) -> str:
        """The reason why a field sets nothing on this screen, in words that follow "which"; "" for one that does."""
        match REGISTRY[name].part:
            case "":
                return "is a parameter of its page alone"
            case "data" if name in schema.OF_A_SLICE:
                of_columns, own = name in ("across", "up"), name != "scaled" or self.data.problem == OWN
                if not (self.data.is_table and own and (self.data.slice == "columns" or not of_columns)):
                    return "needs a table of more than two features" + " and slice=columns" * of_columns
            case "option" if name not in dict(self.data.options):
                options = ", ".join(known for known, _ in self.data.options)
                return f"is not an option of the problem {self.data.problem!r}, which has {options or 'none'}"
            case "points" | "share" as unit if not (self.kind and self.kind.unit == unit):
                kinds = ", ".join(key for key, kind in outliers.KINDS.items() if kind.unit == unit)
                return f"needs outliers: set contamination to one of {kinds}"
            case "parameter" if not any(name in dict(machine.params) for machine in self.machines):
                having = [key for key, loss in LOSSES.items() if any(p.name == name for p in loss.parameters)] or [ISLS]
                return f"is a parameter of other losses: set loss to one of {', '.join(having)}"
            case "setting" if name not in ("C", "kernel"):
                parameter = "gamma" if name == "sigma" else name
                having = [key for key in REGISTRY["kernel"].options if parameter in kernels.KERNELS[key].parameters]
                if self.setting.kernel not in having:
                    return f"the kernel {self.setting.kernel!r} does not use: set kernel to one of {', '.join(having)}"
            case "walk" if self.walk is None:
                return f"needs the feature walk: set problem to {WALK}"
        return ""

    def value(self, name: str) -> Any:
        field = REGISTRY[name]
        match field.part:
            case "machines":
                losses = [machine.loss for machine in self.machines]
                return ",".join(losses) if name == "losses" else losses[0]
            case "option":
                return dict(self.data.options)[name]
            case "points" | "share":
                return self.data.amount
            case "parameter":
                return next(dict(machine.params)[name] for machine in self.machines if name in dict(machine.params))
        value = getattr(getattr(self, field.part), field.attribute or name)
        return codec.encode(value) if name == "edits" else value

    def field(self, name: str) -> Field:
        """A field that applies, with the range that it has here; its default is the value on this screen."""
        field = REGISTRY[name]
        match field.part:
            case "option" if name != "data":
                own = self.data.problem == OWN
                known = [own_points.HOLD_OUT] if own else problems.REGISTRY[self.data.problem].options
                field = field.replace(**schema.of_option(next(option for option in known if option.name == name)))
            case "points" | "share":
                field = field.replace(high=self.kind.maximum, help=self.kind.meaning)
            case "data" if name == "slice" and self.data.task == "multiclass":
                field = field.only(["columns", "components"])
            case "parameter" if name in schema.PARAMETERS:
                field = schema.parameter(self.machines, name)
            case "machines":
                field = field.only(MACHINES[self.data.task])
        if name == "losses":
            return field.replace(default=tuple(COMPARED[self.data.task]))
        return field.replace(default=self.value(name))

    def replace(self, name: str, value: Any) -> "Screen":
        """The screen with another value (or its text) of one field. Other points have no edits; another problem,
        other outliers and other losses begin with what is usual for them.

        ValueError, in a sentence without its subject, for a value out of range and for a field that does not apply.
        """
        if reason := self.why_not(name) if name in REGISTRY else _unknown(REGISTRY):
            raise ValueError(f"has {name!r}, which {reason}")
        field = REGISTRY[name]
        of = field.attribute or name
        if field.part in ("option", "points", "share") or name == "slice":
            field = self.field(name)
        value = field.parse(value)
        match field.part:
            case "data":
                return self._with_data(of, value)
            case "option":
                options = tuple((dict(self.data.options) | {name: value}).items())
                return self._replace(data=self.data._replace(options=options, edits=NONE), walk=self._walk(of, value))
            case "points" | "share":
                return self._replace(data=self.data._replace(amount=value))
            case "machines":
                return self._replace(machines=tuple(map(Machine.from_loss, REGISTRY["losses"].keys(value))))
            case "parameter":
                return self._replace(machines=tuple(machine.replace(name, value) for machine in self.machines))
        return self._replace(**{field.part: getattr(self, field.part)._replace(**{of: value})})

    def _with_data(self, of, value):
        if of == "problem":
            return Screen.from_problem(own_points.entry(own_points.EMPTY) if value == OWN else value)
        changes = {of: codec.decode(value) if of == "edits" else value}
        if of == "seed" or of in schema.OF_A_SLICE:
            changes["edits"] = NONE
        if of == "contamination":
            changes["amount"] = 0 if value == NO_OUTLIERS else outliers.KINDS[value].default
        return self._replace(data=self.data._replace(**changes), walk=self._walk(of, value))

    def _walk(self, of, value):
        """The walk with another value of what it shares with the problem; its number of points is its own."""
        return self.walk._replace(**{of: value}) if self.walk and of in ("d_rel", "seed") else self.walk


def parse_values(table: Mapping[str, Any], fields: Mapping[str, Field] = REGISTRY) -> dict[str, Any]:
    """The values of parameters of a link, of texts or of entries of a file; ValueError as `Screen.read`."""
    for name in table:
        if name not in fields:
            raise ValueError(f"has {name!r}, which {_unknown(fields)}")
    values = {name: fields[name].parse(value) for name, value in table.items()}
    codec.decode(values.get("edits", ""))
    return values


def _unknown(fields):
    return f"cannot be set here; known are {', '.join(sorted(fields))}"


def texts(values: Mapping[str, Any]) -> dict[str, str]:
    """The inverse of `parse_values`: the values as texts of a link."""
    return {name: REGISTRY[name].to_text(value) for name, value in values.items()}
