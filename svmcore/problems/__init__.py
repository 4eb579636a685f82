"""The problems: `load(name, seed, **options)` makes one, `names()` lists them, `REGISTRY` describes them.

To add a problem, write one function that returns a `Problem` and register it with `@problem(...)`; the app's
menu and controls follow. A set is fixed, bit for bit, by its name, seed and options. Training points, test
points and flips have independent random streams, so that moving one control leaves alone what others decided.
"""

from svmcore.problems import planar  # noqa: F401  (its import fills the registry)
from svmcore.problems.registry import REGISTRY, Entry, Option, Problem, load, names, problem

__all__ = ["REGISTRY", "Entry", "Option", "Problem", "load", "names", "problem"]
