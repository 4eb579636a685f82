"""A class in one room: its screens, its votes."""

from pages.shared.page.page import page

with page("Room", "Show a class your screen, and let it vote."):
    from pages.shared.classroom.screens import room_page

    room_page.page()
