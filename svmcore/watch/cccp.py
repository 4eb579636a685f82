"""Watching CCCP (`solvers.nonconvex.cccp`): the truncated points, the moves of their boxes, and the effect on P."""

import numpy as np

from svmcore import losses
from svmcore.solvers.nonconvex import cccp
from svmcore.watch import dual_rounds, sentences, trace


def _cut_before(run, row):
    """The cuts whose boxes were current before this row; those of the start, in row 0, take effect in round 1."""
    return run.events["cut"][row - 1] if row > 1 else np.zeros(len(run.events["cut"][0]))


def _cuts(before, now):
    """Sentence on the boxes that moved from one vector of cuts to the next."""
    moves = (
        ("lies above μ", (now > 0) & (before <= 0), "truncated, the box of α moves down by C and 0 is its upper end"),
        ("lies below −κ", (now < 0) & (before >= 0), "truncated, the box of α moves up by τ C and 0 is its lower end"),
        ("lies between", (now == 0) & (before != 0), "no longer truncated, the box of α moves back"),
    )
    found = [f"{_lie(np.flatnonzero(some), where)}: {effect}." for where, some, effect in moves if some.any()]
    return found or ["No box moves."]


def _lie(points, where):
    where = where if len(points) == 1 else where.replace("lies", "lie")
    return f"{sentences.capital(sentences.list_points(points))} {where}"


class Cccp(dual_rounds.DualRounds):
    """CCCP from the start "convex" or "means"."""

    solver, method, within = cccp, cccp.MovingBoxes, "In these boxes"
    code = (cccp.Method.rounds, cccp.truncation_signs)
    words = trace.Words(
        title="",
        unit="round",
        substeps=("find the truncated points", "move their boxes", "solve the dual in these boxes"),
        columns={
            "cut": "+1 if a point is taken to lie above μ, -1 below -κ, 0 between",
            "above": "the number of points truncated above μ",
            "below": "the number of points truncated below -κ",
            **dual_rounds.COLUMNS,
        },
        source="Collobert, Sinz, Weston, Bottou (2006), Trading convexity for scalability; Yuille, Rangarajan (2003)",
        meant={"band": "loss not constant", "ringed": "box moves", "crossed": "truncated"},
        charts=(trace.Chart("Truncated points", "points", False, ("above", "below")),),
    )

    def serves(self, given) -> bool:
        return losses.get(given.loss).solved_by == "CCCP"

    def _columns(self, tangent):
        return {"cut": tangent, "above": int(np.sum(tangent > 0)), "below": int(np.sum(tangent < 0))}

    def _changes(self, run, row):
        return _cuts(_cut_before(run, row), run.events["cut"][row])

    def _first_substep(self, run, row, given):
        now = run.events["cut"][row]
        sides = ((now > 0, "above μ"), (now < 0, "below −κ"))
        off = [_lie(np.flatnonzero(some), f"lies {where}") for some, where in sides if some.any()]
        return [f"{'; '.join(off) or 'No point lies beyond a cut'}."]

    def marks(self, run, t, given) -> trace.Marks:
        """Points whose boxes moved in round t ringed, truncated ones crossed; in the band the loss is not constant."""
        row = run.row(t)
        cut = run.events["cut"][row]
        points = np.flatnonzero(cut != _cut_before(run, row))
        params = losses.get(given.loss).check(**given.params)
        edges = (1.0 - params.get("mu", np.inf), 1.0 + params.get("kappa", 0.0))
        return trace.Marks.without_words(points, np.flatnonzero(cut), edges)


DESCRIPTIONS = (Cccp("convex", "CCCP from the convex machine"), Cccp("means", "CCCP from the class means"))
