"""The component that puts a Plotly figure on the page and updates it in place, and the board that edits its points."""

from pages.shared.plane.plane import board, show

__all__ = ["board", "show"]
