"""One name for the picture of a machine, whatever its task."""

from pages.shared.figures.curve import curve
from pages.shared.figures.plane import plane
from pages.shared.figures.style import Drawing
from pages.shared.studies.arrays import Graph


def picture(field, points, **options) -> Drawing:
    """The `curve` of a Graph and its samples, the `plane` of a Field and its points; the options are those of both."""
    return curve(field, points, **options) if isinstance(field, Graph) else plane(field, points, **options)
