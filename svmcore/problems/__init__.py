"""The problems: `load(name, seed, **options)` makes one, `names()` lists them, `REGISTRY` describes them.

To add a problem, write one function that returns a `Problem` and register it with `@problem(...)`; the app's
menu and controls follow. Name, seed and options determine a set bit for bit. Training points, test points
and flips have independent random streams, so that changing one option does not change what the others determine.

Sets that may not be shipped are `available` after a call of `fetch`.
"""

from svmcore.problems import planar, curves, features, fetched, benchmarks  # noqa: F401, I001  (imports fill the registry, in menu order)
from svmcore.problems.fetched import fetch
from svmcore.problems.registry import REGISTRY, Entry, Names, Option, Problem, available, load, names, problem

__all__ = ["REGISTRY", "Entry", "Names", "Option", "Problem", "available", "fetch", "load", "names", "problem"]
