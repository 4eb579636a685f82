"""The curves of all losses in one picture."""

from pages.shared import controls, figures, session
from pages.shared.choices import Machine
from svmcore import losses

MEANING = {
    "value": "The cost of a point with t = 1 − y f. Points with t < 0 lie beyond the margin, those with t > 1 on "
    "the wrong side of the boundary.",
    "slope": "The slope of the loss. It gives the support value of a point, α = C × slope at the optimum; where the "
    "slope jumps, any value in between is possible.",
    "prox": "The v that minimises c ℓ(v) + (v − z)²/2, drawn over z. Dashed: v = z, where the loss has no effect.",
}


def curves(every: list[Machine], chosen: list[Machine], kind: str, c: float) -> list[figures.LossCurve]:
    """The curve of every machine's loss, for `figures.losses`; those of the `chosen` machines are highlighted.

    kind: a key of MEANING; c: the weight of the loss in its prox.
    """
    return [
        figures.LossCurve(
            machine.name if machine in chosen else losses.get(machine.loss).machine,
            *session.curve(machine, kind, c),
            controls.colour_index(machine),
            machine in chosen,
        )
        for machine in every
    ]
