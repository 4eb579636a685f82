"""The addresses of pages as other computers can open them, and the picture of one."""

import socket
from html import escape
from urllib.parse import urlencode, urljoin, urlsplit, urlunsplit

import segno
import streamlit as st

ONLY_HERE = ("localhost", "127.0.0.1", "::1")
LOCAL = (
    "You opened the app at an address that no phone can reach. The links here have the address of this computer in its "
    "network, if it has one: try them with a phone."
)
LONGEST = 1200  # characters of a link whose QR code a phone reads from a screen


def is_local() -> bool:
    """True if the app was opened under an address that means another computer on each phone."""
    return urlsplit(st.context.url or "").hostname in ONLY_HERE


def shareable(link: str) -> str:
    """The link as other computers can open it, where that is known: with the address of this computer in its network in
    place of one that means "this computer".
    """
    here = urlsplit(link)
    known = in_network() if here.hostname in ONLY_HERE else ""
    port = f":{here.port}" if here.port else ""
    return urlunsplit(here._replace(netloc=f"{known}{port}")) if known else link


def of_page(page: str, **query) -> str:
    """The address of a page with this query, shareable."""
    base = shareable(urljoin(st.context.url or "", page))
    return f"{base}?{urlencode(query)}" if query else base


def qr_image(link: str, alt: str) -> str:
    """The QR code of a link as HTML, dark on light in any theme; "" for one that is too long to be read."""
    if len(link) > LONGEST:
        return ""
    picture = segno.make(link, error="m" if len(link) < LONGEST / 4 else "l", micro=False)
    source = picture.svg_data_uri(scale=4, border=3, dark="#000", light="#fff")
    return f'<img class="svm-qr" src="{escape(source)}" alt="{escape(alt)}">'


def in_network() -> str:
    """The address of this computer in its network, "" without one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation (RFC 5737): only the way to it is looked up
            found = probe.getsockname()[0]
        except OSError:
            return ""
    return "" if found.startswith("127.") else found
