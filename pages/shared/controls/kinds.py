"""The kinds of controls. A control is one object of a module, which declares its name, label and range once:

    SEED = Number("seed", "Seed", 0, 0, 10**9, 1, help="The same seed draws the same points.")
    seed = SEED()                  puts the control into the strip, returns its value
    seed = SEED(default=7)         fields can be changed at the call, if they depend on other values

The value is that of the session under the name, checked before anything else sees it; the strip is its view.
All controls are in `REGISTRY`. Several things follow from it: `?name=value` in the link, with a note on an invalid
value; the same for a file; the values that the menu takes from page to page; the controls that `hide=` can leave out,
and their labels there. The fields are plain data (numbers, texts, lists of them) that can be sent to a browser.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace
from difflib import get_close_matches
from typing import Any

import streamlit as st

from pages.shared import carried, tables
from pages.shared.controls import strip

REGISTRY: dict[str, "Control"] = {}
LONGEST = 60  # characters of an invalid value in a note
FEW = 6  # at most so many options are listed in a note


def note(text) -> None:
    """Show a sentence at the top of the page: something that was requested could not be done."""
    st.session_state["notes"].warning(text, icon=":material/info:")


def refuse(text) -> None:
    """A note on a part of the link that cannot be used; it stays until the reader changes something."""
    st.session_state["refused"].append(text)
    carried.show_refused()


@contextmanager
def under(title) -> Iterator[None]:
    """The controls that are called inside are a group with this name."""
    before, st.session_state["section"] = st.session_state.get("section", ""), title
    try:
        yield
    finally:
        st.session_state["section"] = before


@dataclass(frozen=True, eq=False)
class Control:
    """The fields of all kinds: a name (parameter of the link, key of the value in the session) and a label.

    `short` is the label in the strip, `rank` decides what a narrow strip moves under "More", the largest first,
    `resets` says whether the button "Reset" sets it to its default, and `hideable` whether `hide=` can leave it out. A
    copy with changed fields, see `at`, is not `listed` in the registry.
    A kind adds `expected(value)` (a phrase on valid values, in the place of this one), `fits(value)` and `read(value)`
    for a text of the link or a value of a file, and `written(value)`, the text of a link.
    Raises ValueError if another control has the same name.
    """

    name: str
    label: str
    _: KW_ONLY
    help: str | None = None
    short: str | None = None
    rank: int = 50
    resets: bool = True
    hideable: bool = True
    listed: InitVar[bool] = True

    def __post_init__(self, listed):
        if listed and self.name in REGISTRY:
            raise ValueError(f"two controls are called {self.name!r}: {REGISTRY[self.name].label!r}, {self.label!r}")
        if listed:
            REGISTRY[self.name] = self

    def __call__(self, **fields):
        """Put the control into the strip and return its value, with these fields changed."""
        return self.at(**fields).show()

    def at(self, **fields) -> "Control":
        """This control with these fields changed."""
        return replace(self, listed=False, **fields)

    @property
    def kind(self) -> str:
        """The kind as an identifier: "number", "slider", "logarithmic", "check", "choice", "several", "text"."""
        return type(self).__name__.lower()

    @property
    def value(self) -> float | bool | str:
        """The unchecked value in the session or in the link, or the default."""
        held = st.session_state.get(self.name)
        return st.session_state.get("linked", {}).get(self.name, self.default if held is None else held)

    @property
    def hidden(self) -> bool:
        """Whether the link leaves it out."""
        return self.name in (st.session_state.get("hide") or st.query_params.get("hide", "")).split(",")

    def show(self) -> Any:
        """The value; the control is in the strip unless it is left out."""
        value = self.current()
        strip.put(self, value)
        return value

    def current(self) -> Any:
        """The checked value in the session, or the new one of a file, a link or the strip if there is one."""
        state, default = st.session_state, self.usual
        held = state.get(self.name)
        held = default if held is None or not self._holds(held) else held
        for source, values in (
            ("file", state.get("settings_brought", {})),
            ("link", state.get("linked", {})),
            ("entry", state.get("changed", {})),
        ):
            if self.name not in values:
                continue
            value = values.pop(self.name)
            if self.fits(value):
                held = self._taken(held, self.read(value), source)
            else:
                self._refuse(source, value, held)
        state[self.name] = held
        return held

    @property
    def usual(self) -> Any:
        """The default."""
        return self.default

    def _holds(self, value):
        """Whether a value of the session is one that the control can have with these fields."""
        return self.fits(value)

    def _taken(self, before, value, source):
        return value

    def _refuse(self, source, value, held):
        outcome = "it was left out" if source == "file" else f"{self.called(held)} is used"
        refuse(
            f"The {source} has {self.name} = {quoted(value)}, but “{tables.plain(self.label)}” must be "
            f"{self.expected(value)}; {outcome}."
        )

    def written(self, value) -> str:
        """The value as in a link."""
        return str(value)

    def called(self, value) -> str:
        """The value in a sentence of Markdown."""
        return self.written(value)

    def fields(self, value) -> dict | None:
        """What the strip needs to show the control with this value, as plain data; None if it is never shown."""
        named = dict(name=self.name, kind=self.kind, label=self.label, short=self.short or self.label)
        return named | dict(help=self.help or "", rank=self.rank, value=value)


def quoted(value) -> str:
    """A value of a link or a file in quotation marks, shortened, with nothing in it that Markdown would change."""
    text = tables.unlinked(repr(value))
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return "".join(f"\\{mark}" if mark in "*_[]()<>`$:#~|" else mark for mark in text)


# -------------------------------------------------------------------------------- numbers and switches


@dataclass(frozen=True, eq=False)
class Number(Control):
    """A field for a number from `low` to `high`; whole numbers if `step` is an int."""

    default: float
    low: float
    high: float
    step: float = 1

    @property
    def whole(self) -> bool:
        """Whether the values are whole numbers."""
        return isinstance(self.step, int)

    def expected(self, value=None) -> str:
        """The range of valid values, as a phrase."""
        return f"a{' whole' * self.whole} number from {self.low:g} to {self.high:g}"

    def fits(self, value) -> bool:
        """Whether a text of the link, or a value of a file, is a valid number."""
        try:
            return type(value) is not bool and self.low <= self.read(value) <= self.high
        except (TypeError, ValueError, OverflowError):
            return False

    def read(self, value) -> float:
        """The text or number as an int or a float."""
        return int(value) if self.whole else float(value)

    written = staticmethod("{:.15g}".format)

    @property
    def usual(self) -> float:
        """The default, in the type of the values."""
        return self.read(self.default)

    def fields(self, value) -> dict:
        """What the strip needs."""
        return super().fields(value) | dict(low=self.low, high=self.high, step=self.step)


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

    def fields(self, value) -> dict:
        """What the strip needs."""
        return super().fields(value) | dict(powers=list(self.powers))


@dataclass(frozen=True, eq=False)
class Check(Control):
    """A switch."""

    default: bool = False

    def expected(self, value=None) -> str:
        """The valid values, as a phrase."""
        return "true or false"

    def fits(self, value) -> bool:
        """Whether a text of the link, or a value of a file, is true or false."""
        return str(value).lower() in ("true", "false")

    def read(self, value) -> bool:
        """The text or value as a bool."""
        return str(value).lower() == "true"

    def written(self, value) -> str:
        """The value as in a link."""
        return str(value).lower()


# ------------------------------------------------------------------------------------ texts and choices


@dataclass(frozen=True, eq=False)
class Text(Control):
    """A text of the link that the strip does not show."""

    _: KW_ONLY
    default: str = ""

    def expected(self, value=None) -> str:
        """The valid values, as a phrase."""
        return "a text"

    def fits(self, value) -> bool:
        """Whether a value of a file is a text."""
        return isinstance(value, str)

    def read(self, value) -> str:
        """The text."""
        return value

    def fields(self, value) -> dict | None:
        """Nothing."""
        return None


@dataclass(frozen=True, eq=False)
class Options(Text):
    """A base of choices: the `options` {key: label}; the link has the keys."""

    options: Mapping[str, str] = field(default_factory=dict)

    def called(self, value) -> str:
        """The label of an option."""
        return tables.plain(self.options.get(value, value))

    def known(self, value) -> str:
        """The options with their keys, as a phrase; of many only one that resembles the value, if there is one."""
        keys = list(self.options)
        named = [f"{self.called(key)} ({quoted(key)[1:-1]})" for key in keys]
        if len(keys) <= FEW:
            return ", ".join(named)
        alike = get_close_matches(str(value), keys, 1)
        return f"the {len(keys)} in its list" + "".join(f" (the nearest: {named[keys.index(key)]})" for key in alike)

    def fields(self, value) -> dict:
        """What the strip needs."""
        return Control.fields(self, value) | dict(options=[list(option) for option in self.options.items()])


@dataclass(frozen=True, eq=False)
class Choice(Options):
    """One of the options; by default the first.

    With `gives_way`, a value that is no longer one of the options is replaced by the default without a note.
    `then` is called after another option was picked, before the controls that follow are shown.
    """

    _: KW_ONLY
    gives_way: bool = False
    then: Callable | None = None

    @property
    def usual(self) -> str:
        """The default, or else the first option."""
        return self.default or next(iter(self.options))

    def expected(self, value=None) -> str:
        """The options, as a phrase."""
        return f"one of {self.known(value)}"

    def fits(self, value) -> bool:
        """Whether a value is the key of an option."""
        return isinstance(value, str) and value in self.options

    def _holds(self, value):
        if not self.fits(value) and not self.gives_way:
            self._refuse("link", value, self.usual)
        return self.fits(value)

    def _taken(self, before, value, source):
        st.session_state[self.name] = value
        if self.then and source == "entry" and value != before:
            self.then()
        return value


@dataclass(frozen=True, eq=False)
class Several(Options):
    """Some of the options, at most `most`; the link has their keys, separated by commas."""

    _: KW_ONLY
    default: tuple[str, ...] = ()
    most: int | None = None

    @property
    def usual(self) -> str:
        """The keys of the default, as in a link."""
        return ",".join(self.default)

    def show(self) -> list[str]:
        """The keys of the chosen options."""
        return [part for part in super().show().split(",") if part]

    def fits(self, value) -> bool:
        """Whether a value is a text; unknown keys in it are left out, with a note."""
        return isinstance(value, str)

    def current(self) -> str:
        """The options that are chosen, without unknown ones, for which there is a note."""
        named = [part for part in super().current().split(",") if part]
        for part in named:
            if part not in self.options:
                refuse(
                    f"The link has {self.name} = {quoted(part)}, but “{tables.plain(self.label)}” must be among "
                    f"{self.known(part)}; it was left out."
                )
        chosen = ",".join([part for part in dict.fromkeys(named) if part in self.options][: self.most])
        st.session_state[self.name] = chosen
        return chosen

    def fields(self, value) -> dict:
        """What the strip needs."""
        return super().fields(value) | dict(most=self.most)
