"""A set of a reader's own points, as points, as a file and as the document of a screen."""

import json

import numpy as np

from pages.shared.screen import document as screen_document
from pages.shared.screen import edits, own_points
from pages.shared.screen.choices import OWN, Data, Machine, Setting
from pages.shared.screen.edits import FLIPPED, MARKED, MOVED
from pages.shared.studies import classification

# a point moved, one flipped and marked as an outlier, one added
SCRIPT = edits.script((-3, -3), [(2, MOVED, 1500, -250), (4, FLIPPED | MARKED), (-1, 0, 7, 9)])
SETTING = Setting(2.0, "rbf", 0.8, 3, 1.0)


def people(n=30, seed=0):
    """A set of `n` points: two features, two classes, one third of the points in the second."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 3, 1.0, -1.0)
    return own_points.Own(rng.normal(size=(n, 2)) + y[:, None], y, ("height", "weight"), ("no", "yes"), "people.csv")


def as_csv(points):
    """The file that holds the set."""
    rows = (f"{a!r},{b!r},{points.classes[int(c > 0)]}" for (a, b), c in zip(points.X.tolist(), points.y, strict=True))
    return "\n".join([f"{','.join(points.features)},answer", *rows]).encode()


def documented(script=edits.NONE, points=None, **settings):
    """The document of a screen, with its problem and its fitted machines."""
    points = points or people()
    data = Data(OWN, 0, (("data", points.key),), edits=script)
    problem = classification.make_problem(data, points)
    axis = np.linspace(-2, 2, 5)
    machines = [Machine("hinge"), Machine("least_squares")]
    studies = {machine: classification.fit(problem, machine, SETTING, axis, axis) for machine in machines}
    settings = {"problem": "own", "data": points.key, **settings}
    return screen_document.text(problem, settings, script, points, SETTING, studies), problem, studies


def broken(**settings):
    """A document in which `settings` have replaced what was written."""
    document = json.loads(documented()[0])
    document["settings"] |= settings
    return json.dumps(document)
