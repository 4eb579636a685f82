"""The pictures of prompts for paper: what is shown before the answer, and what after it, as SVG."""

from collections.abc import Iterator

from pages.shared import figures
from pages.shared.figures.vector import svg
from pages.shared.lessons import answers, quantities
from pages.shared.lessons.asked import Asked
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.quantities import AFTER, BEFORE
from pages.shared.studies import tasks


def asked(lesson: Lesson, draw: int = 0) -> Iterator[Asked]:
    """Each prompt with its answer on the draw with this number, and its pictures."""
    for prompt in lesson.prompts:
        answer = answers.answer(prompt, draw)
        if answer.case.before.walk:  # many features: nothing to draw
            yield Asked(prompt, answer)
        else:
            yield Asked(prompt, answer, svg(before(prompt, answer.case)), svg(after(prompt, answer.case)))


def before(prompt, case, compact=True) -> figures.Drawing:
    """What a reader sees before the answer: the machine if the prompt changes something, else the points alone."""
    at, source = case.before, case.source
    if prompt.change:
        return _machines(prompt, case, BEFORE, compact)
    bare = tasks.of(at.data).bare(source.problem(at.data))
    marked = _marked(prompt, case, BEFORE)
    return figures.picture(source.extent(at.data), bare, compact=compact, off=source.off(at.data), **marked)


def after(prompt, case) -> figures.Drawing:
    """What is shown with the answer: the machine after the change, and the boundary before it, dashed."""
    return _machines(prompt, case, AFTER, True)


def _marked(prompt, case, of):
    """The ring around the point that the question names, if it names one."""
    named = prompt.watch.arguments.get("point")
    row = None if named is None else case.row(named, of)
    return {} if row is None else {"ringed": [row], "meant": {"ringed": "the point of the question"}}


def _machines(prompt, case, of, compact):
    at = case.setup(of)
    studies = [case.study(of, machine.loss) for machine in at.machines]
    if len(studies) > 1:
        names = [quantities.named(machine.loss) for machine in at.machines]
        curves = [figures.Curve(names[k], study.field, k) for k, study in enumerate(studies)]
        return figures.overlay(curves, studies[0].points.bare)
    ghost = case.study(BEFORE).field if of == AFTER and case.before != case.after else None
    off = case.source.off(at.data)
    marked = _marked(prompt, case, of)
    return figures.picture(studies[0].field, studies[0].points, compact=compact, ghost=ghost, off=off, **marked)
