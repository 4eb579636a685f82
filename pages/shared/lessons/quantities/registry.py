"""The record of a quantity, the registry of all, and their values as text."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pages.shared.lessons import state
from pages.shared.lessons.quantities.case import AFTER, BEFORE
from pages.shared.screen import schema
from pages.shared.screen.choices import ISLS, ISLS_NAME
from pages.shared.studies.formatting import percent
from svmcore import losses
from svmcore.words import number, with_count

KINDS = {  # what a value is, as JSON has it
    "number": "a number",
    "key": "the key of a machine",
    "points": "a sorted list of points",
    "line": "[x0, y0, x1, y1]",
    "place": "[x, y, effect]",
    "order": "[[key, number], ...], the largest number first",
}
BY = {"test": "the error on the test points", "cv": "cross-validation", "vc_bound": "the VC bound"}
# the values that an argument may have, and the smallest one of those that are whole numbers
ALLOWED = {
    "of": [BEFORE, AFTER],
    "loss": state.LOSSES,
    "solver": list(schema.SOLVER.options),
    "other": [*state.LOSSES, *schema.SOLVER.options],
    "by": [*BY],
}
WHOLE = {"k": 1, "draws": 1, "round": 0, "steps": 0}


class Quantity(NamedTuple):
    """An entry of the registry: `words` name it in a sentence, `kind` is a key of KINDS, `written` makes it a text."""

    key: str
    words: str
    kind: str
    unit: str
    written: Callable[[Any], str]
    compute: Callable[..., Any]


REGISTRY: dict[str, Quantity] = {}


def register(key, words, compute, unit="", written=None, kind="number") -> None:
    """Registers `compute(case, **arguments)`; the fields are those of `Quantity`."""
    usual = {"number": number, "points": point_list, "key": machine_name, "place": place_text, "line": line_text}
    REGISTRY[key] = Quantity(key, words, kind, unit, written or usual.get(kind, str), compute)


def quantity(words, kind="number", unit="", written=None) -> Callable:
    """A decorator that registers a function under its name."""

    def under_its_name(compute):
        register(compute.__name__, words, compute, unit, written, kind)
        return compute

    return under_its_name


def check_quantity(name: str, arguments: dict) -> None:
    """Raises ValueError, in a sentence, for a quantity or an argument that there is not."""
    if name not in [*REGISTRY]:  # a name of a file may be a table
        raise ValueError(f"names the quantity {name!r}; known are {', '.join(sorted(REGISTRY))}")
    known = [*inspect.signature(REGISTRY[name].compute).parameters][1:]
    for argument, value in arguments.items():
        if argument not in known:
            has = f"has the arguments {', '.join(known)}" if known else "has no arguments"
            raise ValueError(f"gives {name!r} the argument {argument!r}, but it {has}")
        if value not in ALLOWED.get(argument, [value]):
            raise ValueError(f"has {argument} = {value!r}, but it must be one of {', '.join(ALLOWED[argument])}")
        if argument in WHOLE and (isinstance(value, bool) or not isinstance(value, int) or value < WHOLE[argument]):
            raise ValueError(f"has {argument} = {value!r}, but it must be a whole number from {WHOLE[argument]}")
        if argument == "point":
            state.point(value)
        if argument == "quantity":
            check_quantity(value, {})
            inner = REGISTRY[value]
            if inner.kind != "number" or "loss" not in inspect.signature(inner.compute).parameters:
                raise ValueError(f"has quantity = {value!r}, but it must be a number of one machine, such as angle")


def degrees(value: float) -> str:
    """An angle as text."""
    return "–" if np.isnan(value) else f"{value:.1f}°"


def points_of_percent(value: float) -> str:
    """A difference of two errors, in percentage points."""
    return f"{number(100 * value, '+.1f')} percentage points"


def unsigned_points_of_percent(value: float) -> str:
    """A standard error of errors, in percentage points."""
    return points_of_percent(value).lstrip("+")


def point_list(rows) -> str:
    """Points as text: "no point", "3 points"."""
    return with_count(len(rows), "point") if len(rows) else "no point"


def line_text(value) -> str:
    x0, y0, x1, y1 = map(number, value)
    return f"the line f = 0 from ({x0}, {y0}) to ({x1}, {y1})"


def place_text(value) -> str:
    return (
        f"({number(value[0], '.2g')}, {number(value[1], '.2g')}), where {percent(value[2])} of the plane changes class"
    )


def machine_name(key: str) -> str:
    return ISLS_NAME if key == ISLS else losses.get(key).machine
