"""The component that puts a Plotly figure on the page and updates it in place."""

from pages.shared.plane.plane import show

__all__ = ["show"]
