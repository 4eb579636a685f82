"""The component that shows a Plotly figure and updates it in place, its board for edits, its transport for films."""

from pages.shared.plane.plane import board, memory, question, reel, show, strip, tour, transport, words

__all__ = ["board", "memory", "question", "reel", "show", "strip", "tour", "transport", "words"]
