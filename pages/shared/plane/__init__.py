"""The component that puts a Plotly figure on the page and updates it in place, the board that edits its points,
and the transport that plays its frames."""

from pages.shared.plane.plane import board, reel, show, transport

__all__ = ["board", "reel", "show", "transport"]
