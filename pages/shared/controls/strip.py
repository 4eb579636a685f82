"""The strip: all controls of a page in one component, with the numbers that matter and a sentence on the last edit.

It is drawn once, at the end of a run (`draw`), at the top of the page. The controls send nothing themselves: what the
reader changes is one message, {id, values, action}, which `url_state.begin` reads at the beginning of the next run.
"""

import streamlit as st

from pages.shared.page import url_state
from pages.shared.page.run import current, session
from pages.shared.plane import component
from pages.shared.plane.sketches import sketch
from pages.shared.screen.choices import LOSSES
from pages.shared.screen.fields import MORE, Field, Options, Text
from pages.shared.studies import glossary
from svmcore.words import spell

LIMITS = ("low", "high", "step", "powers", "most", "closed")  # what the fields of some kinds have


def hidden(field: Field) -> bool:
    """True if the link leaves out the control of this field."""
    return field.name in (session().values.get("hide") or st.query_params.get("hide", "")).split(",")


def put(field: Field, value, visible=True) -> None:
    """Put the control of a field with its value into the strip; one that is left out is only kept in the link."""
    run = current()
    if not field.off:
        run.shown[field.name] = None if value == field.usual else field.to_text(value)
        if field.resets:
            run.resettable[field.name] = field.short or field.label
    if visible and type(field) is not Text and not hidden(field):
        run.items.append(_item(field, value))


def _item(field, value):
    """The control of a field with its value, as plain data."""
    heard = spell(field.label)  # by screen readers, not all of which know the letters
    item = dict(kind=field.kind, name=field.name, label=heard, short=field.short or field.label, rank=field.rank)
    item |= {name: getattr(field, name) for name in LIMITS if hasattr(field, name)}
    if isinstance(field, Options):
        item["options"] = [list(option) for option in field.options.items()]
        item["groups"] = {key: field.groups[key] for key in field.options if key in field.groups}
        if item["groups"]:
            item["sketches"] = {key: sketch(LOSSES[key]) for key in field.options if key in LOSSES}
    return item | {"off": field.off, "help": field.help or glossary.meaning(*field.terms), "value": value}


def button(name, label, *, help="") -> bool:
    """Put a button under "More"; True if this run was started by it."""
    current().items.append(dict(kind="button", name=name, label=label, short=label, help=help, rank=MORE))
    return current().action == name


def text(words) -> None:
    """A paragraph under "More"."""
    current().items.append(dict(kind="text", name=words, label=words, rank=MORE))


def draw() -> None:
    kept, run = session(), current()
    kept.resettable = list(run.resettable)
    message = {"controls": run.items, "ack": kept.heard or "", "numbers": run.numbers}
    message |= {"edits": kept.values.get("edits")}  # after each a sentence is said anew, also the same one
    message |= {"sentence": f"{run.sentence} {kept.ended}".strip(), "hint": run.hint}
    message |= {"present": bool(kept.values.get("present"))}
    message["changed"] = [label for name, label in run.resettable.items() if run.shown.get(name) is not None]
    message["resets"] = bool(run.resettable)
    with run.places.strip:
        component.control_bar(message, key=url_state.STRIP)
    kept.ended = ""
    if kept.heard is None and url_state.last_message():
        st.rerun()  # it was sent to a session that the server has forgotten, and this one could not read it before
