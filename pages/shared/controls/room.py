"""The parameters of a room in the link: its code, which stays on all pages, the key of its cockpit, its screen."""

from pages.shared.controls.widgets import checked_value, keep
from pages.shared.page import url_state
from pages.shared.screen.schema import CODE, KEY, PROJECTED


def read_room() -> tuple[str, str, bool]:
    """(code, key, projected: the page is for the projector) of the link of the Room page; "" where it has none."""
    key, projected = keep(KEY), keep(PROJECTED)
    return checked_value(CODE), key, bool(projected)


def joined_code() -> str:
    """The code of the room in the link of any page. A key has no place in the links of other pages."""
    url_state.forget(KEY.name)
    url_state.forget(PROJECTED.name)
    return checked_value(CODE)
