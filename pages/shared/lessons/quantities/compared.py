"""One quantity of several machines, of several draws, or before and after a change."""

import numpy as np

from pages.shared.lessons.quantities.case import BEFORE
from pages.shared.lessons.quantities.registry import REGISTRY, quantity


@quantity("the order of the machines", kind="order")
def order(case, quantity="angle", draws=1) -> list:
    """[[loss, value], ...] of the machines after the change, by another quantity, the largest first.

    The value is the mean over so many draws, this one and those that follow.
    """
    found = [[machine.loss, mean(case, quantity, machine.loss, draws)] for machine in case.after.machines]
    return sorted(found, key=lambda row: -row[1])


@quantity("the machine with the largest value", kind="key")
def most(case, quantity="angle", draws=1) -> str:
    """The loss of the machine with the largest value of another quantity, as in `order`."""
    return order(case, quantity, draws)[0][0]


@quantity("the machine with the smallest value", kind="key")
def least(case, quantity="angle", draws=1) -> str:
    """The loss of the machine with the smallest value of another quantity, as in `order`."""
    return order(case, quantity, draws)[-1][0]


@quantity("the mean over several draws")
def mean(case, quantity="test_error", loss="", draws=10) -> float:
    """The mean of another quantity over so many draws, this one and those that follow."""
    return float(np.mean([value_of(case.redrawn(k), quantity, loss) for k in range(draws)]))


@quantity("the spread over several draws")
def spread(case, quantity="test_error", loss="", draws=10) -> float:
    """The difference between the largest and the smallest value of another quantity over so many draws."""
    return float(np.ptp([value_of(case.redrawn(k), quantity, loss) for k in range(draws)]))


@quantity("the ratio of the two")
def ratio(case, quantity="angle", loss="", other="") -> float:
    """A quantity of the machine `loss` divided by that of the machine `other`; infinite for a zero below."""
    above, below = value_of(case, quantity, loss), value_of(case, quantity, other)
    return above / below if below else float("inf")


def value_of(case, quantity, loss) -> float:
    """Another quantity of the machine with this loss."""
    return REGISTRY[quantity].compute(case, loss=loss)


@quantity("the factor by which it grows", written="{:.2g}".format)
def growth(case, quantity="n_support", loss="") -> float:
    """A quantity after the change divided by the same before it; infinite for a zero below."""
    compute = REGISTRY[quantity].compute
    now, before = compute(case, loss=loss), compute(case, loss=loss, of=BEFORE)
    return now / before if before else float("inf")
