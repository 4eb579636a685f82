"""The points as a table that can be edited: all of them in reach of the keyboard, and rows out of a spreadsheet."""

from typing import NamedTuple

import streamlit as st

from pages.shared import session, tables
from pages.shared.choices import Data
from pages.shared.parts import editing
from pages.shared.points import point_rows
from pages.shared.points.edits import Edits


class Opened(NamedTuple):
    """A table on the page: the points it began with, what has come of them since, and what could not be taken."""

    base: Data
    script: Edits
    now: Edits
    said: tuple[str, ...]
    number: int

    @property
    def key(self):
        """A table that begins anew has forgotten what was done in the one before."""
        return f"points-table-{self.number}"


def editor(data: Data):
    """An expander with one row per point. It is made when it is opened, and anew when the points change elsewhere.

    What is done in the table itself leaves the table alone, so that nothing is lost while the next cell is typed.
    """
    with st.expander("Points as a table", icon=":material/table:", key="table", on_change="rerun") as box:
        if not box.open:
            st.session_state.pop("table_opened", None)
            return
        opened = _opened(data)
        script = opened.script
        found = point_rows.rows(session.base(opened.base), script)
        st.data_editor(
            found.columns,
            key=opened.key,
            num_rows="dynamic",
            hide_index=True,
            column_config=_columns(found),
            on_change=_take,
            args=(data.drawn,),
        )
        for sentence in opened.said:
            st.info(tables.plain(sentence), icon=":material/info:")
        st.caption(
            "Rows can be added, deleted, and pasted from a spreadsheet"
            f"{', with classes 1 and -1 there' if 'class' in found.columns else ''}. Undo stands above the plane."
        )


def _opened(data):
    opened, now = st.session_state.get("table_opened"), (data.base, data.edits)
    if opened and ((opened.base, opened.now) == now or editing.is_moving()):
        return opened
    number = st.session_state["tables_opened"] = st.session_state.get("tables_opened", 0) + 1
    st.session_state["table_opened"] = Opened(*now, data.edits, (), number)
    return st.session_state["table_opened"]


def _take(drawn):
    """Called before the run that a change of a cell starts."""
    opened = st.session_state["table_opened"]
    try:
        now, said = point_rows.changed(session.base(opened.base), opened.script, st.session_state[opened.key])
    except ValueError as error:
        st.session_state["table_opened"] = opened._replace(said=(str(error),))
        return
    st.session_state["table_opened"] = opened._replace(now=now, said=tuple(said))
    editing.remember(drawn, now)


def _columns(found):
    config = st.column_config
    number = {name: config.NumberColumn(name, format="%.6g") for name in found.names}
    return {
        "point": config.TextColumn("point", disabled=True, default="new", help="Its name on the plane."),
        **number,
        "class": config.SelectboxColumn(
            "class", options=[1, -1], format_func=lambda k: "+1" if k > 0 else "−1", default=1
        ),
        "outlier": config.CheckboxColumn("outlier", default=False, help="Taken as an outlier."),
        "on": config.CheckboxColumn("on", default=True, help="Off: left out of the fit for now."),
    }
