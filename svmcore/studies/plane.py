"""The share of the plane that changes class: how far a boundary moves, for any kernel and any number of classes.

The plane is the rectangle of the points before the change, widened by a tenth of its extent on each side. It is divided
by a grid, and the share is that of the grid points whose predicted class differs before and after the change. Angles
between boundaries exist for linear machines only, and a boundary that shifts without turning has none.
"""

import numpy as np

from svmcore import grid

WIDER = 0.1  # of the extent of the points, on each side
SIZE = 100  # grid points along each axis


def view(X, size=SIZE) -> tuple[np.ndarray, np.ndarray]:
    """The grid xs, ys, (size,) each, of the plane around the points before the change, X (n, 2).

    Raises ValueError for anything but finite points of the plane.
    """
    return grid.axes(X, size, margin=WIDER, square=False)


def changed_share(before, after) -> float:
    """The share (0 to 1) of places at which two arrays of decision values, of one shape, differ in the class.

    The arrays are f of a machine for two classes, (k, m), or of one machine for each of K classes, (K, k, m), of which
    the largest decides.
    """
    return float(np.mean(_classes(before) != _classes(after)))


def change(before, after, X) -> float:
    """The share (0 to 1) of the plane around X (n, 2), the points before the change, that two estimators differ on.

    before, after: fitted estimators with `predict`, such as `SVC`, or a meta-estimator for more than two classes.
    """
    places = np.stack(np.meshgrid(*view(X)), axis=-1).reshape(-1, 2)
    return float(np.mean(before.predict(places) != after.predict(places)))


def _classes(values):
    values = np.asarray(values)
    return np.argmax(values, axis=0) if values.ndim == 3 else values >= 0.0
