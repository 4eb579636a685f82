"""One name for the picture of a machine, whatever its task."""

from pages.shared.figures.curve import curve
from pages.shared.figures.plane import plane
from pages.shared.figures.regions import regions
from pages.shared.figures.style import Drawing
from pages.shared.studies.arrays import Field, Graph, Regions

DRAWN = {Field: plane, Graph: curve, Regions: regions}


def picture(field, points, **options) -> Drawing:
    """The `curve` of a Graph and its samples, the `plane` of a Field or the `regions` of several and their points.

    The options are those of `curve` and `plane`; `regions` has fewer.
    """
    return DRAWN[type(field)](field, points, **options)
