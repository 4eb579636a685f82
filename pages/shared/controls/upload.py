"""Where points of the reader's own come in: a file, a pasted table, the choice of its columns.

What cannot be read is a sentence beside the place it was brought to; the points on the page stay as they are.
"""

from typing import NamedTuple

import streamlit as st

from pages.shared import files, session, tables
from pages.shared.choices import OWN
from pages.shared.points import codec, editor, own_points, screen_document

TYPES = ["csv", "tsv", "txt", "libsvm", "svm", "data", "json"]


class Brought(NamedTuple):
    """What was brought last: its table and the columns chosen of it, None where it could not be read; what is wrong."""

    name: str = ""
    table: files.Table | None = None
    features: tuple[str, ...] = ()
    label: str = ""
    classes: tuple[str, ...] = ()
    error: str | None = None


def panel(key):
    """The uploader, what the points of the set `key` are, and the columns to choose from. Call it in the sidebar."""
    st.file_uploader(
        "A file of points",
        TYPES,
        key="upload",
        on_change=_uploaded,
        max_upload_size=20,
        help=f"CSV, LIBSVM text, or JSON that this app wrote; at most {files.MOST_ROWS} points.",
    )
    with st.popover("Or paste a table", icon=":material/content_paste:", width="stretch"):
        st.text_area(
            "Rows of a spreadsheet or a file",
            key="pasted",
            height=160,
            placeholder="x1, x2, class\n0.5, 1.2, +1\n1.5, 0.3, -1",
        )
        st.button("Use these points", on_click=_pasted, key="use_pasted")
    brought = _brought()
    if brought.error:
        st.error(tables.plain(brought.error), icon=":material/error:")
    if key:
        st.caption(_words(session.own_set(key)))
    if brought.table:
        with st.expander("Its columns", expanded=not brought.classes):
            _columns(brought)
    if key:
        st.button(
            "Begin with an empty plane",
            on_click=_take_set,
            args=("",),
            type="tertiary",
            icon=":material/crop_square:",
            key="empty_plane",
        )


def suggest(key):
    """Kernel, C and sigma for the set `key`; only before the controls of a run."""
    entry = own_points.entry(session.own_set(key) or own_points.EMPTY)
    st.session_state.update(kernel=entry.kernel, C=entry.C, sigma=entry.sigma, hold_out=0.0)


def _words(points):
    """How many points, where they come from, and what their columns and classes are called there."""
    source, x1, x2, minus, plus = map(tables.plain, (points.source or "Pasted", *points.features, *points.classes))
    axes = "" if points.features == ("x1", "x2") else f" x1 is {x1}, x2 is {x2}."
    classes = "" if points.classes in (("-1", "1"), ("-1", "+1")) else f" +1 is {plus}, −1 is {minus}."
    return f"**{source}**: {len(points.y)} points.{axes}{classes}"


def _columns(brought):
    """Which columns are x1, x2 and the class. What is chosen is tried at once, and taken if it is good."""
    numeric = list(brought.table.numeric)
    left, right = st.columns(2, gap="small")
    with left:
        _select("x1", numeric, brought.features[0])
        _select("label", list(brought.table.names), brought.label, "Class")
    with right:
        _select("x2", numeric, brought.features[1])
        if brought.classes:
            _select("positive", sorted(brought.classes), brought.classes[1], "+1 is")
    for flaw in list(brought.table.flaws.values())[:3]:
        st.caption(f"Left out: {tables.plain(flaw)}")


def _select(name, options, chosen, label=None):
    key = f"column_{name}"
    if st.session_state.get(key) != chosen:
        st.session_state[key] = chosen
    st.selectbox(label or name, options, key=key, on_change=_chosen, args=(name,))


def _brought() -> Brought:
    return st.session_state.get("brought", Brought())


# ------------------------------------------------------------- callbacks, before the controls of a run


def _uploaded():
    file = st.session_state["upload"]
    if file is None:
        st.session_state["brought"] = _brought()._replace(error=None)
    else:
        _take(file.getvalue(), file.name)


def _pasted():
    _take(st.session_state["pasted"], "")


def _take(raw, name):
    """Points out of bytes or text; a file that this app wrote brings its settings and edits, too."""
    try:
        table = files.read(raw, name)
        screen = screen_document.read(raw, name) if table.unit == "point" else None
    except ValueError as error:
        st.session_state["brought"] = _brought()._replace(error=str(error))
        return
    if screen:
        st.session_state["brought"] = Brought()
        _restore(screen)
    else:
        features, label = files.suggested(table)
        _try(Brought(name, table, (*features, *features)[:2], label))


def _chosen(name):
    """Another column was picked for one part."""
    brought, picked = _brought(), st.session_state[f"column_{name}"]
    x1, x2 = brought.features
    changed = {
        "x1": dict(features=(picked, x1 if picked == x2 else x2)),  # what the other has is exchanged
        "x2": dict(features=(x2 if picked == x1 else x1, picked)),
        "label": dict(label=picked),
        "positive": dict(),
    }[name]
    _try(brought._replace(**changed), picked if name == "positive" else None)


def _try(brought, positive=None):
    """Take the points that the choice of columns makes; where it makes none, say why and leave what is there."""
    try:
        points = own_points.chosen(brought.table, brought.features, brought.label, positive, brought.name)
    except ValueError as error:
        said = f"{brought.name}: {error}" if brought.name else str(error)
        st.session_state["brought"] = brought._replace(error=said, classes=())
        return
    st.session_state["brought"] = brought._replace(error=None, classes=points.classes)
    session.own_sets().put(points)
    _take_set(points.key)


def _take_set(key):
    """From now on the points are those of the set `key`. One that the link was waiting for gets the link's edits."""
    state = st.session_state
    if key and state.get("data") == key and state.get("own_shown") != key:
        try:
            editor.of(state).brought = codec.decode(state.get("edits", ""))
        except ValueError:
            pass
        return
    state["data"] = key
    if not key:
        state["brought"] = Brought()
    suggest(key)


def _restore(screen):
    """What the file says of the controls is for them to take; each knows what it can."""
    values = dict(screen.values)
    if screen.points is not None:
        session.own_sets().put(screen.points)
        values |= {"problem": OWN, "data": screen.points.key}
    st.session_state["settings_brought"] = values
    editor.of(st.session_state).brought = screen.edits
