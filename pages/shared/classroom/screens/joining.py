"""Addresses for joining a room, as phones can open them, and the picture of one."""

from pages.shared.page import addresses
from pages.shared.screen.schema import CODE

ROOM = "room"  # the page on which a code is typed


def address(code: str, **others) -> str:
    """The link of the Room page for a room."""
    return addresses.of_page(ROOM, **{CODE.name: code}, **others)


def qr_image(code: str) -> str:
    """The QR code of the link for students as HTML."""
    return addresses.qr_image(address(code), "QR code of the link for students")
