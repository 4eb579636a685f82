"""Addresses for joining a room, as phones can open them, and the picture of one."""

from html import escape
from urllib.parse import urlsplit, urlunsplit

import segno
import streamlit as st

from pages.shared.classroom import network
from pages.shared.screen.schema import CODE

ONLY_HERE = ("localhost", "127.0.0.1", "::1")
ROOM = "room"  # the page on which a code is typed


def base() -> str:
    """The address of the Room page, under which phones can open it where that is known."""
    here = urlsplit((st.context.url or "").split("?")[0])
    path = f"{here.path.rpartition('/')[0]}/{ROOM}"
    reached = network.address() if here.hostname in ONLY_HERE else ""
    port = f":{here.port}" if here.port else ""
    return urlunsplit((here.scheme, f"{reached}{port}" if reached else here.netloc, path, "", ""))


def address(code: str, **others) -> str:
    """The link of the Room page for a room."""
    return f"{base()}?" + "&".join(f"{name}={value}" for name, value in {CODE.name: code, **others}.items())


def typed_address() -> str:
    """The address as one types it."""
    return base().partition("//")[2]


def qr_image(code: str) -> str:
    """The QR code of the link for students as HTML, dark on light in any theme."""
    picture = segno.make(address(code), error="m", micro=False)
    source = picture.svg_data_uri(scale=6, border=3, dark="#000", light="#fff")
    return f'<img class="svm-qr" src="{escape(source)}" alt="QR code of the link for students">'


def is_local() -> bool:
    """True if the app was opened under an address that means another computer on each phone."""
    return urlsplit(st.context.url or "").hostname in ONLY_HERE
