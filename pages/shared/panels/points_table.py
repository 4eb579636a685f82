"""The points as a table that can be edited, with the keyboard or with rows from a spreadsheet."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared.page import callbacks
from pages.shared.panels import editing
from pages.shared.screen import point_rows
from pages.shared.screen.choices import Data
from pages.shared.screen.edits import Edits, class_names
from pages.shared.studies import formatting, results
from svmcore.words import join_words


class Opened(NamedTuple):
    """A table on the page: its points when it was opened, their edits since, and the messages on rejected changes.

    The key of the widget is new for each table, because the widget keeps the changes made in the old one.
    """

    base: Data
    script: Edits
    now: Edits
    messages: tuple[str, ...]
    key: str


def editor(data: Data) -> None:
    """An expander with a row for each point. It is built when it is opened, and again when the points change elsewhere.

    Changes in the table itself do not rebuild it, so that nothing is lost while the next cell is typed.
    """
    with st.expander("Points as a table", icon=":material/table:", key="table", on_change="rerun") as box:
        if not box.open:
            st.session_state.pop("table_opened", None)
            return
        opened = _open_table(data)
        script = opened.script
        table = point_rows.rows(results.base(opened.base), script)
        callbacks.show_widget(
            st.data_editor,
            table.columns,
            key=opened.key,
            num_rows="dynamic",
            hide_index=True,
            column_config=_columns(table),
            act=_take,
            args=(data.as_drawn, opened),
        )
        for message in opened.messages:
            st.info(formatting.plain(message), icon=":material/info:")
        classes = f", with classes {join_words(table.classes)} there" if table.classes else ""
        st.caption(
            f"Rows can be added, deleted, and pasted from a spreadsheet{classes}. "
            "Undo is in the toolbar above the plane."
        )
        st.html(plain(data))


def plain(data: Data) -> str:
    """The points as a table of plain HTML, which a screen reader goes through cell by cell, closed until it is opened.

    The widget draws its cells on a canvas.
    """
    columns = point_rows.rows(results.base(data.base), data.edits).columns
    cells = zip(*(map(_cell_text, column) for column in columns.values()), strict=True)
    return f"<details><summary>The same as plain text</summary>{formatting.grid(list(columns), list(cells))}</details>"


def _cell_text(cell):
    if isinstance(cell, (bool, np.bool_)):
        return "yes" if cell else "no"
    return cell if isinstance(cell, str) else f"{cell:.6g}"


def _open_table(data):
    opened, now = st.session_state.get("table_opened"), (data.base, data.edits)
    if opened and (opened.base, opened.now) == now:
        return opened
    number = st.session_state["tables_opened"] = st.session_state.get("tables_opened", 0) + 1
    st.session_state["table_opened"] = Opened(*now, data.edits, (), f"points-table-{number}")
    return st.session_state["table_opened"]


def _take(drawn, opened, changes):
    """Called before the run that is started by a change of a cell; the table may have been closed meanwhile."""
    try:
        now, messages = point_rows.apply_changes(results.base(opened.base), opened.script, changes)
    except ValueError as error:
        now, messages = None, [str(error)]
    shown = st.session_state.get("table_opened")
    if shown and shown.key == opened.key:
        st.session_state["table_opened"] = shown._replace(now=now or shown.now, messages=tuple(messages))
    if now:
        editing.remember(drawn, now)


def _columns(table):
    config, names = st.column_config, class_names(table.classes)
    number = {name: config.NumberColumn(name, format="%.6g") for name in table.names}
    return {
        "point": config.TextColumn("point", disabled=True, default="new", help="The number of the point on the plane."),
        **number,
        "class": config.SelectboxColumn(
            "class", options=list(names), format_func=names.get, default=next(iter(names), None)
        ),
        "outlier": config.CheckboxColumn("outlier", default=False, help="The point counts as an outlier."),
        "on": config.CheckboxColumn("on", default=True, help="Off: the point is left out of the fit."),
    }
