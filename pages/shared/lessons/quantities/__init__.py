"""What a prompt can ask for: one registry of quantities, each computed from the points and machines of the prompt.

A quantity is a function of a `Case` and of arguments with defaults. Frequent arguments: `loss`, the machine ("" for
the first one of the prompt); `of`, whether it is measured "before" or "after" the change. To add one: a function with
`@quantity`; its defaults say which arguments a lesson may set.
"""

from pages.shared.lessons.quantities import boundary, compared, place, runs, support, walk, width
from pages.shared.lessons.quantities.boundary import ends
from pages.shared.lessons.quantities.case import AFTER, BEFORE, Case
from pages.shared.lessons.quantities.place import harm
from pages.shared.lessons.quantities.registry import BY, KINDS, REGISTRY, Quantity, check, listed, named, quantity

__all__ = [
    "AFTER", "BEFORE", "BY", "KINDS", "REGISTRY", "Case", "Quantity", "boundary", "check", "compared", "ends", "harm",
    "listed", "named", "place", "quantity", "runs", "support", "walk", "width",
]  # fmt: skip
