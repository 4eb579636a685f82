"""The kinds of controls. Each owns one parameter of the link, tells where a link says what it cannot take, and can be
left out by `hide`.
"""

import math
from contextlib import contextmanager, nullcontext

import streamlit as st

from pages.shared import carried, tables


def note(text):
    """A sentence at the top of the page: something was asked for that could not be done."""
    st.session_state["notes"].warning(text, icon=":material/info:")


def _hidden(name):
    return name in (st.session_state.get("hide") or st.query_params.get("hide", "")).split(",")


def place(name, part=""):
    """Where a control goes; one that is left out still exists, so that its value and its link parameter do."""
    return st.container(key=f"hidden-{name}{part}") if _hidden(name) else nullcontext()


def bring(name, fits, kind, make=lambda value: value):
    """What a file says of a control is taken when the control is declared next, if it fits."""
    brought = st.session_state.get("settings_brought", {})
    if name not in brought:
        return
    value = brought.pop(name)
    if fits(value):
        carried.give(name, make(value))
    else:
        note(tables.plain(f"The file says {name} = {value!r}, but it must be {kind}; it was left out."))


@contextmanager
def _noting(name, low, high, whole):
    """Streamlit drops what a number cannot take; say so in the run in which it happens."""
    kind = f"a{' whole' * whole} number from {low:g} to {high:g}"
    bring(name, lambda value: _is_number(value, low, high, whole), kind, int if whole else float)
    raw = st.query_params.get(name)
    yield
    if raw is not None and not _is_number(raw, low, high, whole):
        note(f"The link says {name} = {raw!r}, but {name} must be {kind}; {st.session_state[name]:g} is used.")


def _is_number(raw, low, high, whole):
    """Whether a text of the link, or a value of a file, is one."""
    try:
        return type(raw) is not bool and low <= (int(raw) if whole else float(raw)) <= high
    except (TypeError, ValueError):
        return False


def linked(name, default):
    """A text that the link carries. Streamlit links a select box by its visible label; a link should say the key."""
    bring(name, lambda value: isinstance(value, str), "a text")
    with st.session_state["links"]:
        return st.text_input(name, default, key=name, bind="query-params")


def choice(name, label, options, words, default=None, on_change=None):
    default = default or options[0]
    value = linked(name, default)
    if value not in options:
        note(f"The link says {name} = {value!r}, but {name} must be one of {', '.join(options)}; {default} is used.")
        value = default
    picker = f"{name}_choice"
    _show(picker, value)
    with place(name):
        st.selectbox(label, options, format_func=words, key=picker, on_change=_take, args=(name, picker, on_change))
    return value


def named(name, options, default, most=None):
    """The options that the link names, separated by commas; what is no option is noted and left out."""
    named = [part for part in linked(name, ",".join(default)).split(",") if part]
    for part in named:
        if part not in options:
            note(f"The link says {name} = {part!r}, but {name} must be among {', '.join(options)}; it was left out.")
    return [part for part in dict.fromkeys(named) if part in options][:most]


def pick_several(name, label, chosen, options, words, most=None, help=None):
    picker = f"{name}_choice"
    _show(picker, chosen)
    st.multiselect(
        label,
        options,
        format_func=words,
        key=picker,
        max_selections=most,
        help=help,
        on_change=_take,
        args=(name, picker),
    )


def _show(widget, value):
    """Give a widget its value, only where it has another: what is set anew is sent and drawn anew."""
    if st.session_state.get(widget) != value:
        st.session_state[widget] = value


def _take(name, picker, then=None):
    picked = st.session_state[picker]
    st.session_state[name] = ",".join(picked) if isinstance(picked, list) else picked
    if then:
        then()


def number(name, label, default, low, high, *, step, help):
    whole = isinstance(default, int)
    with _noting(name, low, high, whole), place(name):
        return st.number_input(
            label,
            min_value=low,
            max_value=high,
            value=default,
            step=step,
            key=name,
            help=help,
            format=None if whole else "%g",
            bind="query-params",
        )


def slider(name, label, default, low, high, step, help):
    with _noting(name, low, high, isinstance(default, int)), place(name):
        return st.slider(label, low, high, default, step, key=name, help=help, bind="query-params")


def logarithmic(name, label, default, limits, powers):
    """A slider over powers of ten beside a field for any number; the field owns the link parameter."""
    low, high = limits
    with _noting(name, low, high, False), place(name):
        left, right = st.columns([0.6, 0.4], vertical_alignment="bottom", gap="small")
        with right:
            value = st.number_input(
                label,
                low,
                high,
                float(default),
                key=name,
                format="%g",
                bind="query-params",
                label_visibility="hidden",
                step=None,
            )
        slider = f"{name}_power"
        _show(slider, round(min(max(math.log10(value), powers[0]), powers[1]), 2))
        with left:
            st.slider(
                label,
                float(powers[0]),
                float(powers[1]),
                step=0.05,
                key=slider,
                format="10^%.2f",
                on_change=_take_power,
                args=(name, slider),
            )
    return value


def _take_power(name, slider):
    st.session_state[name] = float(f"{10.0 ** st.session_state[slider]:.3g}")
