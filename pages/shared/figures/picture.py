"""One name for the picture of a machine, whatever its task."""

from pages.shared.figures.curve import curve_figure
from pages.shared.figures.plane import plane_figure
from pages.shared.figures.regions import regions_figure
from pages.shared.figures.style import Drawing
from pages.shared.studies.arrays import Field, FunctionCurve, Regions

DRAWN = {Field: plane_figure, FunctionCurve: curve_figure, Regions: regions_figure}


def machine_figure(field, points, **options) -> Drawing:
    """The `curve` of a FunctionCurve and its samples, the `plane` of a Field, or the `regions` of several.

    The options are those of `curve` and `plane`; `regions` has fewer.
    """
    return DRAWN[type(field)](field, points, **options)
