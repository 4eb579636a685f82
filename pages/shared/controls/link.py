"""The link of a screen: its parameters, the controls that it leaves out, and how it is shared."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlencode

import streamlit as st

from pages.shared.controls import download, live_file, strip
from pages.shared.controls.widgets import keep, quote, raw_value
from pages.shared.page import addresses, callbacks, url_state
from pages.shared.page.run import Run, current, session
from pages.shared.plane import component
from pages.shared.screen import codec, own_points
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.fields import REGISTRY
from pages.shared.screen.schema import CLAIMS, CODE, EDITS, HIDE, PRESENT, PRIVATE, SCENE

LONG = 1500  # characters of edits in a link; for longer ones a file is recommended


@contextmanager
def surround_page(run: Run) -> Iterator[None]:
    """In the end, also after an error: write the link and draw the strip, when all controls and numbers are known."""
    try:
        yield
    except Exception:
        _finish(run)
        raise
    _finish(run)


def _finish(run):
    if HIDE.name not in run.shown:
        share()
    _write()
    strip.draw()


def share(data: Data | None = None, machines: Sequence[Machine] = (), setting: Setting | None = None) -> None:
    """The link of this screen, and the choice of controls that it leaves out, before the page computes.

    `data` are the points of the page, whose edits may be too long for a link; with `machines` and their `setting` the
    screen can be saved as a live file, too. A page without points need not call it.
    """
    hide = HIDE.replace(options={name: field.label for name, field in REGISTRY.items() if field.hideable})
    hidden = keep(hide)
    for field in (PRESENT, SCENE, CODE, CLAIMS):
        keep(field)
    _write()
    place = current().places.menu_end
    place.button(
        "Present",
        icon=":material/slideshow:",
        key="presenting",
        help="Hides the menu and enlarges letters and lines for a projector. The key P switches it on and off.",
        on_click=callbacks.with_values(url_state.give),
        args=(PRESENT.name, 1),
    )
    with place, st.popover("Share", icon=":material/link:", key="sharing", on_change="rerun") as box:
        if box.open:
            st.markdown("This link restores the points and the settings.")
            if addresses.is_local():
                st.caption(addresses.LOCAL)
            if data:
                _too_long(data)
            sent = addresses.shareable(link())
            st.code(sent, language=None, wrap_lines=True, height=180 if len(sent) > LONG else "content")
            component.share(sent, key="send")
            if picture := addresses.qr_image(sent, "QR code of this link"):
                st.html(picture)
            callbacks.show_widget(
                st.multiselect,
                hide.label,
                list(hide.options),
                format_func=hide.options.get,
                key="hide_choice",
                now=hide.keys(hidden),
                help=hide.help,
                act=lambda picked: url_state.give(hide.name, ",".join(picked)),
            )
            if data and setting:
                st.divider()
                live_file.save("share", data, machines, setting, link())


def _write():
    """Write the link; what is left in `linked` is of no control of this page, perhaps of none at all."""
    url_state.keep(REGISTRY)
    linked = session().linked
    for name in sorted(linked.keys() - REGISTRY.keys()):
        current().refuse(
            f"The link has {quote(name)[1:-1]} = {quote(linked.pop(name))}, which is not a parameter of this app; it "
            "was ignored."
        )


def link() -> str:
    """Address and query of this screen, with the controls shown so far in this run."""
    base = (st.context.url or "").split("?")[0]
    query = urlencode(sorted((name, text) for name, text in st.query_params.items() if name not in PRIVATE))
    return f"{base}?{query}" if query else base


def _too_long(data):
    """A download in the place of a link that is too long to share."""
    length = len(codec.encode(data.edits))
    if length > LONG:
        left_out = "" if raw_value(EDITS) else ", so it leaves them out"
        st.markdown(
            f"The edits of points add {length} characters to this link{left_out}. Share a file instead: loading it "
            f"under “{own_points.TITLE}” restores the screen."
        )
        download.screen(data)
