"""Loading the reader's own points: a file, a pasted table, the choice of its columns.

If something cannot be read, a sentence says so beside the control; the points on the page stay as they are.
"""

from contextlib import suppress
from typing import NamedTuple

import streamlit as st

from pages.shared.files.reading import read_table
from pages.shared.files.table import MOST_ROWS, Table, suggested_columns
from pages.shared.page import callbacks
from pages.shared.page.run import current, session
from pages.shared.screen import codec, document, editor, own_points
from pages.shared.screen.choices import COMPARED, OWN
from pages.shared.screen.edits import class_names
from pages.shared.server import sessions
from pages.shared.studies import formatting, point_sets, results
from pages.shared.studies.point_sets import StoreError
from svmcore import problems
from svmcore.words import join_words

LISTED = 3  # names or sentences
TYPES = ["csv", "tsv", "txt", "libsvm", "svm", "data", "json"]


class LoadedFile(NamedTuple):
    """The last file or text: its table and the chosen columns, the table None if it could not be read; its error."""

    name: str = ""
    table: Table | None = None
    features: tuple[str, ...] = ()
    label: str = ""
    classes: tuple[str, ...] = ()
    error: str | None = None


def panel(key, leave) -> None:
    """The uploader, a description of the set `key`, the choice of columns, and the button `leave` for no set."""
    callbacks.show_widget(
        st.file_uploader,
        "A file of points",
        TYPES,
        key="upload",
        act=_on_upload,
        max_upload_size=20,
        help=f"CSV, LIBSVM text, or JSON written by this app; at most {MOST_ROWS} points.",
    )
    with st.popover("Or paste a table", icon=":material/content_paste:", width="stretch"):
        st.text_area(
            "Rows of a spreadsheet or a file",
            key="pasted",
            height=160,
            placeholder="x1, x2, class\n0.5, 1.2, +1\n1.5, 0.3, -1",
        )
        st.button("Use these points", on_click=callbacks.with_values(_load, "pasted"), key="use_pasted")
    loaded = _loaded_file()
    if loaded.error:
        st.error(formatting.plain(loaded.error), icon=":material/error:")
    if key:
        st.caption(_description(results.own_set(key)))
    if results.own_sets().trouble:
        st.caption(
            f"{formatting.plain(results.own_sets().trouble)} Points are kept in its memory until it is restarted."
        )
    if loaded.table:
        with st.expander("Columns of the file", expanded=not loaded.classes):
            _columns(loaded)
    if key:
        st.button(
            leave, on_click=_use_set, args=("",), type="tertiary", icon=":material/crop_square:", key="empty_plane"
        )
        if _may_delete(key):
            st.button(
                "Delete these points from the server",
                on_click=_delete_set,
                args=(key,),
                type="tertiary",
                icon=":material/delete:",
                key="delete_points",
                help="Links to these points stop working, for everyone.",
            )


def _description(points):
    """The number of points, their source, and the names of their columns and classes there."""
    source, *features = map(formatting.plain, (points.source or "Pasted", *points.features))
    labels = own_points.labels(len(points.classes))
    names = dict(zip(sorted(labels), map(formatting.plain, points.classes), strict=True))
    axes = "" if points.features == ("x1", "x2") else f" x1 is {features[0]}, x2 is {features[1]}."
    if len(features) > 2:
        axes = f" {len(features)} features: {join_words(features[:LISTED])}{' and others' * (len(features) > LISTED)}."
    said = [f"{name} is {names[label]}" for label, name in class_names(labels).items()]
    classes = "" if points.classes in own_points.UNNAMED else f" {', '.join(said)}."
    return f"**{source}**: {len(points.y)} points.{axes}{classes}"


def _columns(loaded):
    """The choice of the features and the class. A choice is tried at once, and used if it is valid."""
    table = loaded.table
    _select("features", table.features(loaded.label), list(loaded.features), "Features", st.multiselect)
    left, right = st.columns(2, gap="small")
    with left:
        _select("label", table.names, loaded.label, "Class")
    if len(loaded.classes) == 2:
        with right:
            _select("positive", sorted(loaded.classes), loaded.classes[1], "+1 is")
    for flaw in [flaw for name in table.names if name != loaded.label and (flaw := table.flaw(name))][:LISTED]:
        st.caption(f"Left out: {formatting.plain(flaw)}")


def _select(name, options, chosen, label, widget=st.selectbox):
    key = f"column_{name}"
    callbacks.show_widget(widget, label, list(options), key=key, now=chosen, act=_on_choice, args=(name,))


def _loaded_file() -> LoadedFile:
    return st.session_state.get("loaded", LoadedFile())


# ------------------------------------------------------------- callbacks, before the controls of a run


def _on_upload(file):
    if file is None:
        st.session_state["loaded"] = _loaded_file()._replace(error=None)
    else:
        _load(file.getvalue(), file.name)


def _load(raw, name=""):
    """Load points from bytes or text; a file written by this app also restores its settings and edits."""
    try:
        results.check_room()
    except ValueError as error:
        return _refuse(_loaded_file(), error)
    try:
        table = read_table(raw)
        screen = document.read(raw) if table.unit == "point" else None
    except ValueError as error:
        return _refuse(_loaded_file(), error, name)
    if screen:
        st.session_state["loaded"] = LoadedFile()
        _restore(screen)
    else:
        _try(LoadedFile(name, table, *suggested_columns(table)))


def _on_choice(name, picked):
    """Other features or another class were chosen, or another class for +1."""
    loaded = _loaded_file()
    if name == "features":
        loaded = loaded._replace(features=tuple(picked))
    elif name == "label":
        kept = tuple(feature for feature in loaded.features if feature != picked)
        loaded = loaded._replace(label=picked, features=kept)
    _try(loaded, picked if name == "positive" else None)


def _try(loaded, positive=None):
    """Use the points of these columns; if they are invalid, show the reason and keep the present points."""
    try:
        points = own_points.from_columns(loaded.table, loaded.features, loaded.label, positive, loaded.name)
    except ValueError as error:
        return _refuse(loaded._replace(classes=()), error, loaded.name)
    st.session_state["loaded"] = loaded._replace(error=None, classes=points.classes)
    results.own_sets().put(points, sessions.browser())
    _use_set(points.key)


def _refuse(loaded, error, name=""):
    """Show an error, of the file with this name, beside what is loaded."""
    st.session_state["loaded"] = loaded._replace(error=f"{name}: {error}" if name else str(error))


def _may_delete(key):
    """Only the browser that stored a set first can delete it; the command `python -m deploy store` deletes any."""
    try:
        return point_sets.is_owner(key, sessions.browser())
    except StoreError:
        return False


def _delete_set(key):
    try:
        results.own_sets().delete(key, sessions.browser())
    except StoreError as error:
        return _refuse(_loaded_file(), error)
    _use_set("")


def _use_set(key):
    """Make the set `key` that of the page, with what it suggests; a link that has waited for it keeps its edits."""
    state, values = st.session_state, session().values
    if key and values.get("data") == key and state.get("own_shown") != key:
        with suppress(ValueError):  # `editing.with_edits` has the note on damaged edits
            editor.session_editor(state).brought = codec.decode(values.get("edits", ""))
        return
    if not key:
        state["loaded"] = LoadedFile()
    entry = own_points.entry(results.own_set(key) or own_points.EMPTY)
    values.update(data=key, kernel=entry.kernel, C=entry.C, sigma=entry.sigma, hold_out=0.0)


def _restore(screen):
    """Offer the values of the file to the controls, each of which checks its own, and restore points and edits.

    The file of a page with one loss is one of several on a page of these, the first one, and the other way round.
    """
    values, shown = dict(screen.values), current().shown
    if "loss" in shown and "losses" in values:
        values.setdefault("loss", str(values["losses"]).partition(",")[0])
    if "losses" in shown and "loss" in values:
        entry = problems.REGISTRY.get(values["problem"])
        usual = COMPARED[entry.task if entry else "classification"]
        values.setdefault("losses", ",".join(dict.fromkeys([str(values["loss"]), *usual])))
    if screen.points is not None:
        results.own_sets().put(screen.points, sessions.browser())
        values |= {"problem": OWN, "data": screen.points.key}
    session().brought = values
    editor.session_editor(st.session_state).brought = screen.edits
