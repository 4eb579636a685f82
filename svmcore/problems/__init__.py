"""The problems: `load(name, seed, **options)` makes one, `names()` lists them, `REGISTRY` describes them.

To add a problem, write one function that returns a `Problem` and register it with `@problem(...)`; the app's
menu and controls follow. A set is fixed, bit for bit, by its name, seed and options. Training points, test
points and flips have independent random streams, so that moving one control leaves alone what others decided.

Sets that may not be shipped are `available` once the user has called `fetch`.
"""

from svmcore.problems import planar, curves, features, fetched, benchmarks  # noqa: F401, I001  (imports fill the registry, in menu order)
from svmcore.problems.fetched import fetch
from svmcore.problems.registry import REGISTRY, Entry, Option, Problem, available, load, names, problem

__all__ = ["REGISTRY", "Entry", "Option", "Problem", "available", "fetch", "load", "names", "problem"]
