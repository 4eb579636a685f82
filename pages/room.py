"""A class in one room: its screens, its votes."""

from pages.shared import frame

frame.begin("Room", "Show a class your screen, and let it vote.")

from pages.shared import controls
from pages.shared.parts import guards, room

with guards.guarded():
    code, key, projected = controls.room()
    controls.share()
    room.page(code, key, projected)
