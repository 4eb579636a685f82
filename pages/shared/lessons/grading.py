"""Grading: the answer of a reader compared with that of the solvers, never a bare "wrong".

`given` by the kind of the answer, as JSON has it:

    choose  the index of an option           number  a number
    line    [x0, y0, x1, y1]                 points  a list of the ids of points
    place   [x, y]                           order   a list of the keys of losses
"""

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from pages.shared.lessons.answers import Answer, difference, words
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities.boundary import harm
from pages.shared.lessons.quantities.catalogue import REGISTRY
from pages.shared.lessons.quantities.registry import machine_name, point_list
from pages.shared.studies.formatting import percent
from svmcore.studies import plane, robustness
from svmcore.words import number, with_count

MOST = 1e300  # of a number, whose digits may be hundreds
SIDES = 200  # lines of the grid on which two lines are compared


class Feedback(NamedTuple):
    """`you` said, it `is`_, `why`; `misconception` is "" if it was right. `gap` says in words how far off it was.

    `ids` {"right": [...], "missed": [...], "extra": [...]} are points to mark on the picture, for points only. A right
    answer that is not `exact` is as close as the prompt asks.
    """

    right: bool
    you: str
    is_: str
    why: str
    misconception: str
    gap: str
    ids: dict[str, list[int]] = {}
    exact: bool = True


def grade(prompt: Prompt, given: Any, answer: Answer) -> Feedback:
    """The feedback on what a reader said; ValueError, in a sentence, if that is no answer of this kind."""
    found = GRADERS[prompt.answer_kind](prompt, given, answer)
    return found._replace(why=why(prompt, answer), misconception="" if found.right else found.misconception)


def why(prompt: Prompt, answer: Answer) -> str:
    """The explanation with its numbers; where another answer than the lesson's is true, a sentence that says so."""
    if answer.expected:
        return prompt.why.format(**answer.numbers)
    about = REGISTRY[prompt.watch.name].words
    return (
        f"On these points the usual answer to this question does not hold: {about} is {answer.text}. The explanation "
        "is left out, because it is written for the usual answer. Try other points, or go back to the first settings."
    )


def _choose(prompt, given, answer):
    if type(given) is not int or not 0 <= given < len(prompt.options):
        raise ValueError(f"Choose one of the {len(prompt.options)} options, from 0, got {given!r}.")
    said, right = prompt.options[given], given == answer.true
    unusual = "This holds as a rule, and the reasoning is sound; on these points the computed value is different."
    is_ = answer.text if answer.true is None else prompt.options[answer.true].text
    return Feedback(right, said.text, is_, "", said.wrong or unusual, answer.text)


def _number(prompt, given, answer):
    said, value, scale = _real(given), float(answer.value), prompt.scale
    if scale.log and said <= 0:
        raise ValueError(f"Give a number above 0, got {given!r}.")
    if scale.log and value > 0:
        factor = max(said / value, value / said)
        right, gap = factor <= prompt.close * (1 + 1e-9), f"off by a factor of {number(factor, '.2g')}"
    else:
        apart = abs(said - value)
        right, gap = apart <= prompt.close + 1e-9, f"off by {difference(prompt.watch, apart)}"
    mistake = prompt.wrong["too_low" if said < value else "too_high"]
    you = words(prompt.watch, said)
    exact = you == answer.text
    return Feedback(right, you, answer.text, "", mistake, "" if exact else gap, exact=exact)


def _line(prompt, given, answer):
    ends = np.array(_reals(given, 4, "two points, [x0, y0, x1, y1]")).reshape(2, 2)
    if np.allclose(ends[0], ends[1]):
        raise ValueError("The two ends of a line must differ.")
    field = answer.case.study().field
    apart, share = line_difference(ends, np.reshape(answer.value, (2, 2)), field.xs, field.ys)
    right = share <= prompt.close
    gap = f"{apart:.1f}° and {percent(share)} of the picture between the lines"
    return Feedback(right, "your line", "the machine's line", "", prompt.wrong["off"], gap, exact=False)


def line_difference(one, other, xs, ys) -> tuple[float, float]:
    """The angle (0 to 90 degrees) between two lines, ends (2, 2) each, and the share of the rectangle between them."""
    normals, values = [], []
    x, y = np.meshgrid(np.linspace(xs[0], xs[-1], SIDES), np.linspace(ys[0], ys[-1], SIDES))
    for first, last in (one, other):
        across, up = last - first
        normals.append(np.array([-up, across]))
        values.append(-up * (x - first[0]) + across * (y - first[1]))
    turned = robustness.angle(*normals)
    if turned > 90.0:
        turned, values[1] = 180.0 - turned, -values[1]
    return turned, plane.changed_share(*values)


def _points(prompt, given, answer):
    if not isinstance(given, list) or not all(type(key) is int for key in given):
        raise ValueError(f"Give a list of points, such as [3, 17], got {given!r}.")
    known = set(answer.case.problem().ids.tolist()) | set(answer.case.problem("before").ids.tolist())
    if strange := sorted(set(given) - known):
        raise ValueError(f"There is no point {strange[0]}.")
    said, true = set(given), set(answer.value)
    ids = {"right": sorted(said & true), "missed": sorted(true - said), "extra": sorted(said - true)}
    counts = {name: len(rows) for name, rows in ids.items()}
    right = counts["missed"] + counts["extra"] <= prompt.close
    gap = f"{counts['right']} right, {counts['missed']} missed, {counts['extra']} too many"
    more = "missed" if counts["missed"] >= counts["extra"] else "extra"
    mistake = prompt.wrong["points" if "points" in prompt.wrong else more]
    return Feedback(right, point_list(said), point_list(answer.value), "", mistake, gap, ids, said == true)


def _place(prompt, given, answer):
    place = _reals(given, 2, "a place, [x, y]")
    effect, best = harm(answer.case, place, **prompt.watch.arguments), answer.value[2]
    right = effect >= prompt.close * best
    gap = f"{percent(effect / best, '.0f')} of the largest effect" if best else "no place changes anything"
    you = f"{percent(effect)} of the plane changes class"
    return Feedback(right, you, f"up to {percent(best)}", "", prompt.wrong["weaker"], gap, exact=effect >= best)


def _order(prompt, given, answer):
    value = dict(answer.value)
    if not isinstance(given, list) or sorted(map(str, given)) != sorted(value):  # of any parts
        raise ValueError(f"Give each of {', '.join(value)} once, the largest first, got {given!r}.")
    swapped = sum(value[first] < value[then] for first, then in combinations(given, 2))
    right = swapped <= prompt.close
    gap = f"{with_count(swapped, 'pair')} swapped" if swapped else "no pair in the wrong order"
    you = ", ".join(map(machine_name, given))
    return Feedback(right, you, answer.text, "", prompt.wrong["order"], gap, exact=not swapped)


def _real(given):
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not abs(given) < MOST:
        raise ValueError(f"Give a number, got {given!r}.")
    return float(given)


def _reals(given, n, wanted):
    if not isinstance(given, (list, tuple)) or len(given) != n:
        raise ValueError(f"Give {wanted}, got {given!r}.")
    return [_real(value) for value in given]


GRADERS = {
    "choose": _choose, "number": _number, "line": _line, "points": _points, "place": _place, "order": _order,
}  # fmt: skip
