"""The kinds of parameters of a screen. A field declares one of them once: its name, label, range and default.

    SEED = Number("seed", "Seed", 0, 0, 10**9, 1, help="The same seed draws the same points.", part="data")
    SEED.parse("7")                the value of a text or of an entry of a file; ValueError, in a sentence
    SEED.replace(default=7)        fields can be changed where they depend on other values

All fields are in `REGISTRY`. The controls of the pages, the parameters of a link, those of a file and the state of a
prompt follow from it. A field is plain data (numbers, texts, lists of them) that can be sent to a browser.
"""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from svmcore.words import number

REGISTRY: dict[str, "Field"] = {}
FEW = 6  # at most so many options are listed in a sentence
MORE = 99  # the rank of what is always under "More"


@dataclass(frozen=True, eq=False)
class Field:
    """Base of all kinds: a name (parameter of the link, key of the value in the session) and a label.

    `part` is the part of a `screen.Screen` that it sets, "" for a parameter of a page alone, and `attribute` its name
    there if it has another. `help` is its explanation, or `terms` are those of the glossary that explain it. `short` is
    the label in the strip, `rank` decides what a narrow strip moves under "More", the largest first, `resets` says
    whether the button "Reset" sets it to its default, and `hideable` whether `hide=` can leave it out. `off` says
    why it does not apply at present: then it is grey and keeps its place. A copy with changed fields, see `replace`,
    is not `listed` in the registry.
    A kind adds `valid_values(value)` (as a phrase), `fits(value)` and `read(value)` for a text of the link or
    a value of a file, and `to_text(value)`, the text of a link.
    Raises ValueError if another field has the same name.
    """

    name: str
    label: str
    _: KW_ONLY
    part: str = ""
    attribute: str = ""
    help: str = ""
    terms: tuple[str, ...] = ()
    short: str = ""
    rank: int = 50
    off: str = ""
    resets: bool = True
    hideable: bool = True
    listed: InitVar[bool] = True

    def __post_init__(self, listed):
        if listed and self.name in REGISTRY:
            raise ValueError(f"two fields are called {self.name!r}: {REGISTRY[self.name].label!r}, {self.label!r}")
        if listed:
            REGISTRY[self.name] = self

    def replace(self, **fields) -> "Field":
        """Return a copy with these fields changed."""
        return replace(self, listed=False, **fields) if fields else self

    @property
    def kind(self) -> str:
        """The kind as an identifier: "number", "slider", "logarithmic", "check", "choice", "chips", "several", or
        "text".
        """
        return type(self).__name__.lower()

    @property
    def usual(self) -> Any:
        """The default, in the type of the values."""
        return self.default

    def parse(self, value) -> Any:
        """The value of a text or of an entry of a file; ValueError, in a sentence without its subject, for others."""
        if not self.fits(value):
            raise ValueError(f"has {self.name} = {value!r:.60}, but {self.name} must be {self.valid_input}")
        return self.read(value)

    @property
    def valid_input(self) -> str:
        """The valid values, as a phrase for one who writes them by hand."""
        return self.valid_values(None)

    def to_text(self, value) -> str:
        """The value as in a link."""
        return str(value)

    def label_of(self, value) -> str:
        """The value in a sentence."""
        return self.to_text(value)


# -------------------------------------------------------------------------------- numbers and switches


@dataclass(frozen=True, eq=False)
class Number(Field):
    """A number from `low` to `high`; whole numbers if `step` is an int."""

    default: float
    low: float
    high: float
    step: float = 1

    @property
    def whole(self) -> bool:
        """True if the values are whole numbers."""
        return isinstance(self.step, int)

    def valid_values(self, value=None) -> str:
        return f"a{' whole' * self.whole} number from {number(self.low, 'g')} to {number(self.high, 'g')}"

    def fits(self, value) -> bool:
        try:
            cut = isinstance(value, float) and self.read(value) != value
            return type(value) is not bool and not cut and self.low <= self.read(value) <= self.high
        except (TypeError, ValueError, OverflowError):
            return False

    def read(self, value) -> float:
        return int(value) if self.whole else float(value)

    to_text = staticmethod("{:.15g}".format)

    @property
    def usual(self) -> float:
        """The default, in the type of the values."""
        return self.read(self.default)


@dataclass(frozen=True, eq=False)
class Slider(Number):
    """A number on a slider."""


@dataclass(frozen=True, eq=False)
class Logarithmic(Number):
    """A slider over powers of ten, from `powers[0]` to `powers[1]`, with a field for any number from `low` to `high`.

    `step` is that of the power.
    """

    step: float = 0.05
    powers: tuple[float, float] = (-3.0, 3.0)


@dataclass(frozen=True, eq=False)
class Check(Field):
    """A switch."""

    default: bool = False

    def valid_values(self, value=None) -> str:
        return "true or false"

    def fits(self, value) -> bool:
        return str(value).lower() in ("true", "false")

    def read(self, value) -> bool:
        return str(value).lower() == "true"

    def to_text(self, value) -> str:
        return str(value).lower()


# ------------------------------------------------------------------------------------ texts and choices


@dataclass(frozen=True, eq=False)
class Text(Field):
    """A text of the link that no control shows."""

    _: KW_ONLY
    default: str = ""

    def valid_values(self, value=None) -> str:
        return "a text"

    def fits(self, value) -> bool:
        return isinstance(value, str)

    def read(self, value) -> str:
        return value


@dataclass(frozen=True, eq=False)
class Options(Text):
    """A base of choices: the `options` {key: label}; the link has the keys. `groups` {key: heading} orders the list."""

    options: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)

    def label_of(self, value) -> str:
        return self.options.get(value, value)

    @property
    def valid_input(self) -> str:
        return f"one of {', '.join(self.options)}"

    def only(self, keys: Iterable[str]) -> "Options":
        """Return a copy with these of its options, in their order."""
        return self.replace(options={key: self.options[key] for key in keys})

    def list_options(self, value) -> str:
        """The options with their keys, as a phrase; of many only one that resembles the value, if there is one."""
        named = {key: f"{label} ({key})" for key, label in self.options.items()}
        if len(named) <= FEW:
            return ", ".join(named.values())
        alike = get_close_matches(str(value), named, 1)
        return f"the {len(named)} in its list" + "".join(f" (the nearest: {named[key]})" for key in alike)


@dataclass(frozen=True, eq=False)
class Choice(Options):
    """One of the options; by default the first.

    With `gives_way`, a value that is no longer one of the options is replaced by the default without a note.
    """

    _: KW_ONLY
    gives_way: bool = False

    @property
    def usual(self) -> str:
        """The default, or else the first option."""
        return self.default or next(iter(self.options))

    def valid_values(self, value=None) -> str:
        return f"one of {self.list_options(value)}"

    def fits(self, value) -> bool:
        return isinstance(value, str) and value in self.options


@dataclass(frozen=True, eq=False)
class Chips(Choice):
    """Buttons, one for each option but the first, which is chosen when none of them is pressed.

    `closed` says of options why they do not apply at present: their buttons are grey.
    """

    _: KW_ONLY
    closed: Mapping[str, str] = field(default_factory=dict)

    def fits(self, value) -> bool:
        return super().fits(value) and value not in self.closed

    def list_options(self, value) -> str:
        """The options that apply."""
        return Choice.list_options(self.only(key for key in self.options if key not in self.closed), value)


@dataclass(frozen=True, eq=False)
class Several(Options):
    """Some of the options, at most `most`; the value is a text of their keys, separated by commas."""

    _: KW_ONLY
    default: tuple[str, ...] = ()
    most: int | None = None

    @property
    def usual(self) -> str:
        """The keys of the default, as in a link."""
        return ",".join(self.default)

    def valid_values(self, value=None) -> str:
        return f"among {self.list_options(value)}"

    def keys(self, value: str) -> list[str]:
        """The known keys in a value, each once, and no more than there can be."""
        return [part for part in dict.fromkeys(value.split(",")) if part in self.options][: self.most]

    def unknown(self, value: str) -> list[str]:
        """The other keys in a value."""
        return [part for part in value.split(",") if part and part not in self.options]

    def parse(self, value) -> str:
        """The text of a text or a list; ValueError, in a sentence without its subject, for an unknown key as well."""
        value = ",".join(value) if isinstance(value, list | tuple) and all(type(one) is str for one in value) else value
        if self.fits(value) and (wrong := self.unknown(value)):
            raise ValueError(f"has {self.name} = {wrong[0]!r:.60}, but {self.name} must be {self.valid_input}")
        return super().parse(value)
