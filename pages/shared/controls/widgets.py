"""A control for a field of `screen.fields`: it puts the field into the strip and returns its value.

    seed = show(SEED)              puts the control into the strip, returns its value
    seed = show(SEED, default=7)   fields can be changed at the call, if they depend on other values
    screen = ask(screen, "C")      the same for a field of a `screen.Screen`, with the range that it has there

The value is that of the session under the name, checked before anything else sees it; the strip is its view. A link, a
file and the strip offer new ones, with a note on an invalid value.
"""

from collections.abc import Callable
from typing import Any

from pages.shared.controls import strip
from pages.shared.page import run
from pages.shared.screen.fields import REGISTRY, Choice, Field, Options, Several
from pages.shared.screen.screen import Screen
from pages.shared.studies import formatting

LONGEST = 60  # characters of an invalid value in a note


def show(field: Field, then: Callable[[], None] | None = None, **changes) -> Any:
    """Put the control of a field, with these of its own fields changed, into the strip, unless the link leaves it out.

    Returns the value, of a `Several` the list of keys, and of one that is `off` the default. `then` is called after
    the reader picked another one, before the controls that follow are shown.
    """
    field = field.replace(**changes)
    value = field.usual if field.off else checked_value(field, then)
    strip.put(field, value)
    return field.keys(value) if isinstance(field, Several) else value


def keep(field: Field) -> Any:
    """The value of a field that stands in the link alone."""
    value = checked_value(field)
    strip.put(field, value, visible=False)
    return value


def ask(screen: Screen, name: str, off="", **changes) -> Screen:
    """The screen with what the reader chose for the field with this name, the same where the field does not apply.

    There the control keeps its place if `off` says why it does not apply, and has none otherwise.
    """
    if screen.applies(name):
        return screen.replace(name, show(screen.field(name), **changes))
    if off:
        show(REGISTRY[name], off=off, **changes)
    return screen


def raw_value(field: Field) -> Any:
    """The value in the session or in the link, or the default."""
    held = run.session().values.get(field.name)
    return run.session().linked.get(field.name, field.default if held is None else held)


def checked_value(field: Field, then: Callable[[], None] | None = None) -> Any:
    """The checked value in the session, or the new one of a file, a link or the strip if there is one."""
    kept = run.session()
    held = kept.values.get(field.name)
    if held is not None and not field.fits(held):
        if isinstance(field, Choice) and not field.gives_way and field.name not in kept.brought:
            _refuse(field, None, held, field.usual)
        held = None
    held, brought_by = field.usual if held is None else held, None
    for source, values in (("file", kept.brought), ("link", kept.linked), ("entry", kept.run.changed)):
        if field.name not in values:
            continue
        names = list(values)
        later = {name: values[name] for name in names[names.index(field.name) + 1 :]}
        value = values.pop(field.name)
        if not field.fits(value):
            _refuse(field, source, value, held)
            continue
        before, held, brought_by = held, field.read(value), source
        kept.values[field.name] = held
        if then and source == "entry" and held != before:
            then()
            values.update(later)  # what the reader has changed since stays
    if isinstance(field, Several):
        for key in field.unknown(held):
            _refuse(field, brought_by, key, None)
        held = ",".join(field.keys(held))
    kept.values[field.name] = held
    return held


def _refuse(field, source, value, instead):
    """Note on a value that the field cannot have; a part of a choice, or one of a file, is left out.

    Without a `source` it is one that the field had, before another control left it fewer options.
    """
    outcome = (
        "it was left out"
        if source == "file" or instead is None
        else f"{_words(field, field.label_of(instead))} is used"
    )
    name, valid = f"“{formatting.plain(field.label)}”", _words(field, field.valid_values(value))
    if source:
        had = f"The {source} has {field.name} = {quote(value)}, but {name}"
    else:
        had = f"{name} cannot stay {quote(REGISTRY[field.name].label_of(value))} here: it"
    run.current().refuse(f"{had} must be {valid}; {outcome}.")


def _words(field, text):
    """A phrase about a field in Markdown: labels of options may hold what Markdown would change."""
    return formatting.plain(text) if isinstance(field, Options) else text


def quote(value) -> str:
    """A value of a link or a file in quotation marks, shortened, with nothing in it that Markdown would change."""
    text = formatting.unlink(repr(value))
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return "".join(f"\\{mark}" if mark in "*_[]()<>`$:#~|" else mark for mark in text)
