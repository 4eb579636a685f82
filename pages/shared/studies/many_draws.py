"""The linear machines of a screen on a hundred draws of its problem, beside the one draw that is shown."""

from functools import lru_cache

from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import classification
from svmcore.studies import draws

DRAWS = 100
SHOWN = 25  # boundaries of other draws in a picture


@lru_cache(64)
def follow(data: Data, machine: Machine, setting: Setting) -> draws.Draws | None:
    """The machine before and after the outliers of `data`, on this draw and those that follow.

    None where there is nothing to compare: without outliers, for edited points, and for another kernel.
    """
    if data.edits.edits or not data.on or not data.amount or setting.kernel != "linear":
        return None
    seeds = range(data.seed, data.seed + DRAWS)
    pairs = ([classification.make_problem(data._replace(seed=seed, on=on)) for on in (False, True)] for seed in seeds)
    return draws.follow(machine.loss, pairs, setting.C, **dict(machine.params))
