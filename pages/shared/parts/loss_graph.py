"""The curves of all losses in one picture."""

from pages.shared import controls, figures, session
from pages.shared.choices import Machine
from svmcore import losses

MEANING = {
    "value": "What a point costs. Left of t = 0 it lies beyond the margin, right of t = 1 on the wrong side.",
    "slope": "How hard a point pulls: at the optimum α = C × slope, at a jump anything in between.",
    "prox": "Where a slack z goes that c ℓ pulls at and half the squared way holds back. Dashed: it stays.",
}


def curves(every: list[Machine], chosen: list[Machine], what: str, c: float) -> list[figures.LossCurve]:
    """The curve of every machine's loss, for `figures.losses`; those of the `chosen` ones stand out.

    what: a key of MEANING; c: the weight of the loss in its prox.
    """
    return [
        figures.LossCurve(
            machine.name if machine in chosen else losses.get(machine.loss).machine,
            *session.curve(machine, what, c),
            controls.colour_index(machine),
            machine in chosen,
        )
        for machine in every
    ]
