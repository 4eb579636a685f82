"""A class in one room: its screens, its votes."""

from pages.shared.page.page import page

with page("Room", "Show a class your screen, and let it vote."):
    from pages.shared.classroom.screens import room_page
    from pages.shared.controls.room import read_room

    code, key, projected = read_room()
    room_page.page(code, key, projected)
