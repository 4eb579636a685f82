"""The parameters of a room in the link: its code, which stays on all pages, the key of its cockpit, its screen."""

from pages.shared.controls.widgets import checked_value, keep
from pages.shared.page import url_state
from pages.shared.screen.schema import CODE, KEY, PROJECTED


def read_room() -> tuple[str, str, bool]:
    """(code, key, projected: the page is for the projector) of the link of the Room page; "" where it has none.

    A key leaves the address once it was read.
    """
    return checked_value(CODE), _take_key(), bool(keep(PROJECTED))


def joined_room() -> tuple[str, bool]:
    """(code, projected) of the link of any page. A key has no place in the links of other pages."""
    _take_key()
    return checked_value(CODE), bool(keep(PROJECTED))


def _take_key():
    key = checked_value(KEY)
    url_state.forget(KEY.name)
    return key
