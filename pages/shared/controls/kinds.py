"""The kinds of controls. A control is one object of a module, which states its name, label and range once:

    SEED = Number("seed", "Seed", 0, 0, 10**9, 1, help="The same seed draws the same points.")
    seed = SEED()                  shows the widget, gives its value
    seed = SEED(default=7)         what depends on the moment is said at the call: any field may be

All controls stand in `REGISTRY`. What follows from it: `?name=value` in the link, with a note about a value that the
control cannot take; the same of a file; what travels from page to page; what `hide=` may leave out, and its label
there. The fields of a control are plain data (numbers, texts, lists of them), so that they can be sent to a browser.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace

import streamlit as st

from pages.shared import carried, tables

REGISTRY: dict[str, "Control"] = {}


def note(text) -> None:
    """A sentence at the top of the page: something was asked for that could not be done."""
    st.session_state["notes"].warning(text, icon=":material/info:")


@contextmanager
def under(title) -> Iterator[None]:
    """A heading over the controls that are called inside; where a link leaves out all of them it does not appear."""
    st.session_state["heading"] = (st.empty(), title)
    try:
        yield
    finally:
        st.session_state["heading"] = None


@dataclass(frozen=True, eq=False)
class Control:
    """What all kinds share: a name (the link's parameter and the key of its value in the session) and a visible label.

    A kind adds `wanted` (what a value must be, in words), `fits(value)` and `read(value)` for a text of the link or a
    value of a file, and `show()`, which puts the widget on the page and gives the value.
    Raises ValueError for a name that another control has.
    """

    name: str
    label: str
    _: KW_ONLY
    help: str | None = None
    hideable: bool = True
    listed: InitVar[bool] = True

    def __post_init__(self, listed):
        if listed and self.name in REGISTRY:
            raise ValueError(f"two controls are called {self.name!r}: {REGISTRY[self.name].label!r}, {self.label!r}")
        if listed:
            REGISTRY[self.name] = self

    def __call__(self, **moment):
        """Shows the widget and gives its value; `moment` are fields that are others just now."""
        return self.at(**moment).show()

    def at(self, **moment) -> "Control":
        """This control with the fields that it has just now."""
        return replace(self, listed=False, **moment)

    @property
    def kind(self) -> str:
        """Its kind as a word of a program: "number", "slider", "logarithmic", "check", "choice", "several", "text"."""
        return type(self).__name__.lower()

    @property
    def value(self) -> float | bool | str:
        """Its value as it stands in the session, the default before it is first shown; the call checks it."""
        return st.session_state.get(self.name, self.default)

    @property
    def hidden(self) -> bool:
        """Whether the link leaves it out."""
        return self.name in (st.session_state.get("hide") or st.query_params.get("hide", "")).split(",")

    def place(self, part="") -> AbstractContextManager:
        """Where it goes; one that is left out still exists, so that its value and its link parameter do.

        `part` names what else belongs to it and goes with it.
        """
        if self.hidden:
            return st.container(key=f"hidden-{self.name}{part}")
        if heading := st.session_state.get("heading"):
            heading[0].subheader(heading[1], anchor=False)
            st.session_state["heading"] = None
        return nullcontext()

    def bring(self) -> None:
        """What a file says of a control is taken when the control is shown next, if it fits."""
        brought = st.session_state.get("settings_brought", {})
        if self.name not in brought:
            return
        value = brought.pop(self.name)
        if self.fits(value):
            carried.give(self.name, self.read(value))
        else:
            note(tables.plain(self._refusal("file", value, "it was left out")))

    @contextmanager
    def bound(self) -> Iterator[None]:
        """Around a widget that Streamlit binds to the link: it drops what the widget cannot take, without a word."""
        self.bring()
        raw = st.query_params.get(self.name)
        yield
        if raw is not None and not self.fits(raw):
            note(self._refusal("link", raw, f"{self.written(st.session_state[self.name])} is used"))

    def _refusal(self, source, value, outcome):
        return f"The {source} says {self.name} = {value!r}, but {self.name} must be {self.wanted}; {outcome}."


# -------------------------------------------------------------------------------- numbers and switches


@dataclass(frozen=True, eq=False)
class Number(Control):
    """A field for a number from `low` to `high`; a whole one if `step` is an int."""

    default: float
    low: float
    high: float
    step: float = 1

    @property
    def whole(self) -> bool:
        return isinstance(self.step, int)

    @property
    def wanted(self) -> str:
        return f"a{' whole' * self.whole} number from {self.low:g} to {self.high:g}"

    def fits(self, value) -> bool:
        """Whether a text of the link, or a value of a file, is such a number."""
        try:
            return type(value) is not bool and self.low <= self.read(value) <= self.high
        except (TypeError, ValueError):
            return False

    def read(self, value) -> float:
        """The text or number as an int or a float."""
        return int(value) if self.whole else float(value)

    written = staticmethod("{:g}".format)

    @property
    def _range(self):
        """Streamlit wants all three of one type."""
        return [self.read(value) for value in (self.low, self.high, self.default)]

    def show(self) -> float:
        with self.bound(), self.place():
            return st.number_input(
                self.label,
                *self._range,
                self.step,
                key=self.name,
                help=self.help,
                format=None if self.whole else "%g",
                bind="query-params",
            )


@dataclass(frozen=True, eq=False)
class Slider(Number):
    """A number that is set by sliding."""

    def show(self) -> float:
        with self.bound(), self.place():
            return st.slider(self.label, *self._range, self.step, key=self.name, help=self.help, bind="query-params")


@dataclass(frozen=True, eq=False)
class Logarithmic(Number):
    """A slider over powers of ten, from `powers[0]` to `powers[1]`, beside a field for any number from `low` to `high`.

    The field owns the link parameter. `step` is that of the power.
    """

    step: float = 0.05
    powers: tuple[float, float] = (-3.0, 3.0)

    def show(self) -> float:
        with self.bound(), self.place():
            left, right = st.columns([0.6, 0.4], vertical_alignment="bottom", gap="small")
            with right:
                value = st.number_input(
                    self.label,
                    *self._range,
                    key=self.name,
                    format="%g",
                    bind="query-params",
                    label_visibility="hidden",
                    step=None,
                )
            lowest, highest = map(float, self.powers)
            power = f"{self.name}_power"
            _set(power, round(min(max(math.log10(value), lowest), highest), 2))
            with left:
                st.slider(
                    self.label,
                    lowest,
                    highest,
                    step=self.step,
                    key=power,
                    format="10^%.2f",
                    on_change=self._take,
                    args=(power,),
                    help=self.help,
                )
        return value

    def _take(self, power):
        st.session_state[self.name] = float(f"{10.0 ** st.session_state[power]:.3g}")


@dataclass(frozen=True, eq=False)
class Check(Control):
    """A switch."""

    default: bool = False
    wanted = "true or false"

    def fits(self, value) -> bool:
        return str(value).lower() in ("true", "false")

    def read(self, value) -> bool:
        return str(value).lower() == "true"

    def written(self, value) -> str:
        return str(value).lower()

    def show(self) -> bool:
        with self.bound(), self.place():
            return st.toggle(self.label, self.default, key=self.name, help=self.help, bind="query-params")


# ------------------------------------------------------------------------------------ texts and choices


@dataclass(frozen=True, eq=False)
class Text(Control):
    """A text that the link carries and no widget shows."""

    _: KW_ONLY
    default: str = ""
    wanted = "a text"

    def fits(self, value) -> bool:
        return isinstance(value, str)

    def read(self, value) -> str:
        return value

    def show(self) -> str:
        return self._linked(self.default)

    def _linked(self, default):
        """The field out of sight that owns the parameter: Streamlit links a select box by its visible label, and a
        link should say the key.
        """
        self.bring()
        with st.session_state["links"]:
            return st.text_input(self.name, default, key=self.name, bind="query-params")


@dataclass(frozen=True, eq=False)
class Options(Text):
    """What choices share: the `options`, {key: words}, of which the link says keys."""

    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def _picker(self):
        return f"{self.name}_choice"


@dataclass(frozen=True, eq=False)
class Choice(Options):
    """One of the options; by default the first.

    `gives_way`: what was chosen for another moment, and is no option in this one, gives way without a note.
    `then` is called after another option was picked, before the run that follows.
    """

    _: KW_ONLY
    gives_way: bool = False
    then: Callable | None = None

    @property
    def wanted(self) -> str:
        return f"one of {', '.join(self.options)}"

    def fits(self, value) -> bool:
        return isinstance(value, str) and value in self.options

    def show(self) -> str:
        default = self.default or next(iter(self.options))
        if self.gives_way and not self.fits(st.session_state.get(self.name, default)):
            st.session_state[self.name] = default
        value = self._linked(default)
        if not self.fits(value):
            note(self._refusal("link", value, f"{default} is used"))
            value = default
        _set(self._picker, value)
        with self.place():
            st.selectbox(
                self.label,
                list(self.options),
                format_func=self.options.get,
                key=self._picker,
                on_change=self._take,
                help=self.help,
            )
        return value

    def _take(self):
        st.session_state[self.name] = st.session_state[self._picker]
        if self.then:
            self.then()


@dataclass(frozen=True, eq=False)
class Several(Options):
    """Some of the options, at most `most`; the link names their keys, separated by commas."""

    _: KW_ONLY
    default: tuple[str, ...] = ()
    most: int | None = None

    def show(self) -> list[str]:
        chosen = self.chosen()
        with self.place():
            self.pick(chosen)
        return chosen

    def chosen(self) -> list[str]:
        """The options that the link names; what is no option is noted and left out."""
        named = [part for part in self._linked(",".join(self.default)).split(",") if part]
        for part in named:
            if part not in self.options:
                among = ", ".join(self.options)
                note(f"The link says {self.name} = {part!r}, but {self.name} must be among {among}; it was left out.")
        return [part for part in dict.fromkeys(named) if part in self.options][: self.most]

    def pick(self, chosen) -> None:
        """The widget, where it is not shown with the value."""
        _set(self._picker, chosen)
        st.multiselect(
            self.label,
            list(self.options),
            format_func=self.options.get,
            key=self._picker,
            max_selections=self.most,
            help=self.help,
            on_change=self._take,
        )

    def _take(self):
        st.session_state[self.name] = ",".join(st.session_state[self._picker])


def _set(widget, value):
    """Give a widget its value, only where it has another: what is set anew is sent and drawn anew."""
    if st.session_state.get(widget) != value:
        st.session_state[widget] = value
