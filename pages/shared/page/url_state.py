"""The values of the controls: in the session, in the link, and what the strip of controls sent. Imports only Streamlit.

The value of a control is session().values[name] and belongs to no widget. At the beginning of a run `begin` notes what
a link says and what was changed on the page; each control checks its own part of that when it is shown. At the end
`keep` writes the link, once, so that one change is one entry in the history of the browser.
"""

import json
import time

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.page.run import Run, current, read_state, session

STRIP = "strip"  # key of the component with the controls
RESET = "reset"  # the action that sets all controls of the page to their defaults
OF_ONE_PAGE = ("step",)  # what means something else on another page
OF_ROOM = ("join", "projected")  # what a link on a page need not name
# presses a link as soon as it is drawn, within ten seconds
PRESS = """(function press(left) {
    const link = document.querySelector(%s);
    if (link) link.click();
    else if (left) setTimeout(press, 100, left - 1);
})(100)"""
LATE = 2.0  # seconds within which a request that changes nothing may still have an older link
MOST_LINKS = 20  # that a browser may be behind


def begin(title, path) -> Run:
    """Begin a run of the page: read its link if it is another one, and the changes that the strip sent."""
    kept, link, update = session(), st.query_params.to_dict(), last_message()
    run = Run(title, path, _is_arrival(kept, title, link, update))
    goes_on = _goes_on(kept, title, link)
    run.again = run.arrived and kept.run is not None and kept.run.title == title
    kept.run = run
    if run.arrived:
        room = {} if _is_step() else {name: text for name, text in query().items() if name in OF_ROOM}
        kept.values, kept.linked, kept.refused = {}, query() if goes_on else room | link, []
        if not goes_on and _has_just_written(kept):
            # the browser may have had the link of the page before after this one, and have this one after the next page
            _write(link)
    else:
        del kept.links[: kept.links.index(link)]
    if not update or update["id"] == kept.taken:
        return run
    again = update["id"] == kept.heard  # that run was interrupted, and may not have come to these controls
    if again and run.arrived and not goes_on:
        return run
    run.changed = dict(update["values"])
    if update["action"] == RESET:
        for name in kept.resettable:
            forget(name)
    if not again:
        kept.heard, kept.refused, run.action = update["id"], [], update["action"]
    return run


def last_message() -> dict | None:
    """Return what the strip sent last; a session knows it from when it has shown its strip for the first time."""
    return read_state(STRIP, "update", id=str, values=dict, action=str | None)


def _goes_on(kept, title, link):
    """True if the reader comes from another page by its menu, perhaps before that had the link of the last change."""
    if not kept.run or title == kept.run.title or _is_step():
        return False
    return link == query() or (_has_just_written(kept) and link in [_of_menu(one) for one in kept.links])


def _has_just_written(kept):
    """True if the browser may not have the newest link yet."""
    return time.monotonic() - kept.written_at < LATE


def _is_step():
    """True if the reader came by the arrows of the browser."""
    return getattr(get_script_run_ctx(), "is_history_navigation", False)


def _is_arrival(kept, title, link, update):
    """True if the reader followed a link, the menu, or the arrows of the browser, rather than changed this page.

    A request that the browser sent before it knew the newest link has an older one. It comes soon, or brings a change,
    which a followed link does not.
    """
    if link not in kept.links or title != kept.run.title or _is_step():
        return True
    changes = kept.acted == link or (update and update["id"] != kept.taken)
    return link != kept.links[-1] and not changes and not _has_just_written(kept)


def keep(names) -> None:
    """Write the texts of the controls that this run has shown to the link, and store their values.

    `names` are those of all controls: what the link has for one that is not on this page stays in it.
    """
    kept, run, link = session(), current(), st.query_params.to_dict()
    query = {name: text for name, text in link.items() if name in names and name not in {*run.shown, *run.dropped}}
    query |= {name: text for name, text in run.shown.items() if text is not None}
    kept.kept |= {name: kept.values[name] for name in run.shown}
    kept.taken, kept.acted = kept.heard, None
    if run.arrived:
        kept.links = [link]
    # the browser may have an older one, and the newest on its way; it writes the link to another page alone
    if query != link or query != kept.links[-1] or run.again:
        _write(query)
        kept.links = [*kept.links, query][-MOST_LINKS:]


def _write(link):
    st.query_params.from_dict(link)
    session().written_at = time.monotonic()


def query() -> dict[str, str]:
    """{name: text} of the link that a page from the menu begins with."""
    return _of_menu((session().links or [{}])[-1])


def _of_menu(link):
    return {name: text for name, text in link.items() if name not in OF_ONE_PAGE}


def settings() -> dict:
    """{name: value} of the controls that have been shown, on this page or on others."""
    return {name: value for name, value in sorted(session().kept.items()) if value is not None}


def give(name, value) -> None:
    """Set a control to a value before it is shown."""
    session().values[name] = value
    session().linked.pop(name, None)
    current().changed.pop(name, None)


def forget(name) -> None:
    """Set a control to its default before it is shown, also in the link if this page does not show it."""
    give(name, None)
    current().dropped.add(name)


def lead_to(path: str, query_params: dict[str, str], key: str = "page", since: float | None = None) -> None:
    """Have the browser open another page, as if its reader had pressed a link.

    Once for each `since`, the time at which it was led there, by default now; `key` is that of the place of the link.

    `st.switch_page` is for pages without parts that renew themselves: what the browser asks for such a part while the
    server turns to the next page is answered after it, as of the old page, and Streamlit in the browser then clears the
    new one. A browser that goes by itself asks for no such part any more.
    """
    with st.container(key=f"lead_{key}"):
        st.page_link(path, label="Go on", query_params=query_params)
        script = f"{since or time.monotonic()}; {PRESS % json.dumps(f'.st-key-lead_{key} a')}"
        st.html(f"<script>{script}</script>", unsafe_allow_javascript=True)
