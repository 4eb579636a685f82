"""The kinds of controls. A control is one object of a module, which declares its name, label and range once:

    SEED = Number("seed", "Seed", 0, 0, 10**9, 1, help="The same seed draws the same points.")
    seed = SEED()                  shows the widget, returns its value
    seed = SEED(default=7)         fields can be changed at the call, if they depend on other values

All controls are in `REGISTRY`. Several things follow from it: `?name=value` in the link, with a note on an invalid
value; the same for a file; the values that are carried from page to page; the controls that `hide=` can leave out, and
their labels there. The fields are plain data (numbers, texts, lists of them), so that they can be sent to a browser.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace

import streamlit as st

from pages.shared import carried, tables

REGISTRY: dict[str, "Control"] = {}


def note(text) -> None:
    """Show a sentence at the top of the page: something that was requested could not be done."""
    st.session_state["notes"].warning(text, icon=":material/info:")


@contextmanager
def under(title) -> Iterator[None]:
    """A heading above the controls that are called inside; if a link leaves out all of them, it is not shown."""
    st.session_state["heading"] = (st.empty(), title)
    try:
        yield
    finally:
        st.session_state["heading"] = None


@dataclass(frozen=True, eq=False)
class Control:
    """The fields of all kinds: a name (parameter of the link, key of the value in the session) and a visible label.

    A kind adds `wanted` (a phrase on valid values), `fits(value)` and `read(value)` for a text of the link or a value
    of a file, and `show()`, which puts the widget on the page and returns the value.
    Raises ValueError if another control has the same name.
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

    def __call__(self, **fields):
        """Show the widget and return its value, with these fields changed."""
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
        """The unchecked value in the session, or the default before the control is first shown."""
        return st.session_state.get(self.name, self.default)

    @property
    def hidden(self) -> bool:
        """Whether the link leaves it out."""
        return self.name in (st.session_state.get("hide") or st.query_params.get("hide", "")).split(",")

    def place(self, part="") -> AbstractContextManager:
        """The container of the widget; a control that is left out is hidden, so that its value and parameter remain.

        `part` names further elements that belong to the control and are hidden with it.
        """
        if self.hidden:
            return st.container(key=f"hidden-{self.name}{part}")
        if heading := st.session_state.get("heading"):
            heading[0].subheader(heading[1], anchor=False)
            st.session_state["heading"] = None
        return nullcontext()

    def restore(self) -> None:
        """Use the value that a loaded file has for this control, if it is valid."""
        pending = st.session_state.get("settings_brought", {})
        if self.name not in pending:
            return
        value = pending.pop(self.name)
        if self.fits(value):
            carried.give(self.name, self.read(value))
        else:
            note(tables.plain(self._refusal("file", value, "it was left out")))

    @contextmanager
    def bound(self) -> Iterator[None]:
        """Around a widget that Streamlit binds to the link; Streamlit drops invalid values silently, so add a note."""
        self.restore()
        raw = st.query_params.get(self.name)
        yield
        if raw is not None and not self.fits(raw):
            note(self._refusal("link", raw, f"{self.written(st.session_state[self.name])} is used"))

    def _refusal(self, source, value, outcome):
        return f"The {source} has {self.name} = {value!r}, but {self.name} must be {self.wanted}; {outcome}."


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

    @property
    def wanted(self) -> str:
        """The range of valid values, as a phrase."""
        return f"a{' whole' * self.whole} number from {self.low:g} to {self.high:g}"

    def fits(self, value) -> bool:
        """Whether a text of the link, or a value of a file, is a valid number."""
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
        """low, high and default in one type, as Streamlit requires."""
        return [self.read(value) for value in (self.low, self.high, self.default)]

    def show(self) -> float:
        """The widget, and its value."""
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
    """A number on a slider."""

    def show(self) -> float:
        """The widget, and its value."""
        with self.bound(), self.place():
            return st.slider(self.label, *self._range, self.step, key=self.name, help=self.help, bind="query-params")


@dataclass(frozen=True, eq=False)
class Logarithmic(Number):
    """A slider over powers of ten, from `powers[0]` to `powers[1]`, beside a field for any number from `low` to `high`.

    The field owns the parameter of the link. `step` is that of the power.
    """

    step: float = 0.05
    powers: tuple[float, float] = (-3.0, 3.0)

    def show(self) -> float:
        """Both widgets, and the value of the field."""
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
        """Whether a text of the link, or a value of a file, is true or false."""
        return str(value).lower() in ("true", "false")

    def read(self, value) -> bool:
        """The text or value as a bool."""
        return str(value).lower() == "true"

    def written(self, value) -> str:
        """The value as in a link."""
        return str(value).lower()

    def show(self) -> bool:
        """The widget, and its value."""
        with self.bound(), self.place():
            return st.toggle(self.label, self.default, key=self.name, help=self.help, bind="query-params")


# ------------------------------------------------------------------------------------ texts and choices


@dataclass(frozen=True, eq=False)
class Text(Control):
    """A text of the link without a visible widget."""

    _: KW_ONLY
    default: str = ""
    wanted = "a text"

    def fits(self, value) -> bool:
        """Whether a value of a file is a text."""
        return isinstance(value, str)

    def read(self, value) -> str:
        """The text."""
        return value

    def show(self) -> str:
        """The text of the link."""
        return self._linked(self.default)

    def _linked(self, default):
        """The hidden field that owns the parameter: Streamlit would put the visible label of a select box into the link
        instead of the key.
        """
        self.restore()
        with st.session_state["links"]:
            return st.text_input(self.name, default, key=self.name, bind="query-params")


@dataclass(frozen=True, eq=False)
class Options(Text):
    """A base of choices: the `options` {key: label}; the link has the keys."""

    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def _picker(self):
        return f"{self.name}_choice"


@dataclass(frozen=True, eq=False)
class Choice(Options):
    """One of the options; by default the first.

    With `gives_way`, a value that is no longer one of the options is replaced by the default without a note.
    `then` is called after another option was picked, before the run that follows.
    """

    _: KW_ONLY
    gives_way: bool = False
    then: Callable | None = None

    @property
    def wanted(self) -> str:
        """The options, as a phrase."""
        return f"one of {', '.join(self.options)}"

    def fits(self, value) -> bool:
        """Whether a value is the key of an option."""
        return isinstance(value, str) and value in self.options

    def show(self) -> str:
        """The widget, and the key of the chosen option."""
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
    """Some of the options, at most `most`; the link has their keys, separated by commas."""

    _: KW_ONLY
    default: tuple[str, ...] = ()
    most: int | None = None

    def show(self) -> list[str]:
        """The widget, and the keys of the chosen options."""
        chosen = self.chosen()
        with self.place():
            self.pick(chosen)
        return chosen

    def chosen(self) -> list[str]:
        """The options in the link, without unknown ones, for which there is a note."""
        named = [part for part in self._linked(",".join(self.default)).split(",") if part]
        for part in named:
            if part not in self.options:
                among = ", ".join(self.options)
                note(f"The link has {self.name} = {part!r}, but {self.name} must be among {among}; it was left out.")
        return [part for part in dict.fromkeys(named) if part in self.options][: self.most]

    def pick(self, chosen) -> None:
        """The widget with these options chosen, for a place of its own."""
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
    """Set a widget to a value if it has another one; setting the same value would send and draw it again."""
    if st.session_state.get(widget) != value:
        st.session_state[widget] = value
