"""The strip: all controls of a page in one component, with the numbers that matter and a sentence on the last edit.

It is drawn once, at the end of a run (`draw`), at the top of the page. The controls send nothing themselves: what the
reader changes is one message, {id, values, action}, which `carried.take` reads at the beginning of the next run.
"""

import streamlit as st

from pages.shared import carried, plane

MORE = 99  # the rank of what is always under "More"


def put(control, value, visible=True) -> None:
    """Put a control of `kinds` with its value into the strip; one that the link leaves out is only kept in the link."""
    state = st.session_state
    state["shown"][control.name] = value
    state["words"][control.name] = None if value == control.usual else control.written(value)
    if control.resets:
        state["resettable"].append(control.name)
    fields = control.fields(value)
    if visible and fields and not control.hidden:
        state["items"].append(fields | {"section": state.get("section", "")})


def button(name, label, *, help="") -> bool:
    """Put a button under "More"; whether this run was started by it."""
    item = dict(kind="button", name=name, label=label, short=label, help=help, rank=MORE, section="")
    st.session_state["items"].append(item)
    return st.session_state["action"] == name


def text(words) -> None:
    """A paragraph under "More"."""
    st.session_state["items"].append(dict(kind="text", name=words, label=words, rank=MORE, section=""))


def numbers(shown) -> None:
    """The numbers that stand below the controls: (key, name, value, tip) of texts."""
    st.session_state["numbers"] = [list(number) for number in shown]


def announce(sentence) -> None:
    """The sentence in the line below the controls on what the last edit did."""
    st.session_state["sentence"] = sentence


def hint(sentence) -> None:
    """What to try first, in place of the sentence of the page."""
    st.session_state["hint"] = sentence


def draw() -> None:
    """Draw the strip with what has been put into it."""
    state = st.session_state
    state["strip_done"] = True
    state["reset_next"] = state["resettable"]
    message = {"strip": state["items"], "ack": state.get("heard") or "", "numbers": state.get("numbers") or []}
    message |= {"sentence": state["sentence"], "hint": state["hint"]}
    message["present"] = bool(state.get("present"))
    message["changed"] = [name for name in state["resettable"] if state["words"].get(name) is not None]
    message["resets"] = bool(state["resettable"])
    with state["strip_place"]:
        plane.strip(message, key=carried.STRIP)
