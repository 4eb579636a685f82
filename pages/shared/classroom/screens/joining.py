"""Addresses for joining a room, as phones can open them, and the picture of one."""

from urllib.parse import urljoin

import streamlit as st

from pages.shared.page import addresses
from pages.shared.screen.schema import CODE

ROOM = "room"  # the page on which a code is typed


def base() -> str:
    """The address of the Room page, under which phones can open it where that is known."""
    return addresses.shareable(urljoin(st.context.url or "", ROOM))


def address(code: str, **others) -> str:
    """The link of the Room page for a room."""
    return f"{base()}?" + "&".join(f"{name}={value}" for name, value in {CODE.name: code, **others}.items())


def qr_image(code: str) -> str:
    """The QR code of the link for students as HTML."""
    return addresses.qr_image(address(code), "QR code of the link for students")
