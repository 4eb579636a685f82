"""The parameters of a room in the link: its code, which stays on all pages, the key of its cockpit, its screen."""

from pages.shared import carried
from pages.shared.controls import strip
from pages.shared.controls.kinds import Number, Text

CODE = Text("join", "Room", hideable=False, resets=False)
KEY = Text("cockpit", "Key of the room", hideable=False, resets=False)
PROJECTED = Number("projected", "For the projector", 0, 0, 1, hideable=False, resets=False)
PRIVATE = (CODE.name, KEY.name, PROJECTED.name)  # in no link of a screen


def room() -> tuple[str, str, bool]:
    """(code, key, whether the page is for the projector) of the link of the Room page; "" where it has none."""
    values = []
    for control in (KEY, PROJECTED):
        control = control.at()
        values.append(control.current())
        strip.put(control, values[-1], visible=False)
    key, projected = values
    return CODE.at().current(), key, bool(projected)


def joined() -> str:
    """The code of the room in the link of any page. A key has no place in the links of other pages."""
    carried.forget(KEY.name)
    carried.forget(PROJECTED.name)
    return CODE.at().current()
