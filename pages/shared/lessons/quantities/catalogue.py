"""All quantities: each module registers its own with `@quantity` when it is imported."""

from pages.shared.lessons.quantities import boundary, compared, runs, support, walk, width
from pages.shared.lessons.quantities.registry import REGISTRY

__all__ = ["REGISTRY", "boundary", "compared", "runs", "support", "walk", "width"]
