"""The pictures of prompts for paper and for other programs: what is shown before the answer, and with it, as SVG."""

from collections.abc import Iterator

from pages.shared.figures import marks
from pages.shared.figures.film import still_figure
from pages.shared.figures.norms import WALK_END
from pages.shared.figures.vector import join_documents, svg
from pages.shared.lessons import answers
from pages.shared.lessons.answers import Answer
from pages.shared.lessons.asked import AnsweredPrompt
from pages.shared.lessons.lesson import Lesson, Prompt
from pages.shared.lessons.quantities.case import AFTER, BEFORE
from pages.shared.lessons.screens import asked_pictures
from pages.shared.studies import tasks

BALLS = {  # lines in the plane of two weights
    "re-weighted": "ball of the re-weighted norm",
    "1-norm": "ball of the 1-norm",
    "2-norm": "ball of the 2-norm",
    "touched": "level line of the error that it touches",
    "walk": "path of the optimum",
}


def printed_prompts(lesson: Lesson) -> Iterator[AnsweredPrompt]:
    """Each prompt with its answer on the points of the lesson, and its pictures; AnswerError where it has none."""
    for prompt in lesson.prompts:
        answer = answers.answer(prompt)
        with answers.explain_errors(prompt):
            before, after = pictures(prompt, answer)
        yield AnsweredPrompt(prompt, answer, before, after)


def pictures(prompt: Prompt, answer: Answer) -> tuple[str, str]:
    """Pictures before the answer and with it, as SVG documents."""
    case, marked = answer.case, asked_pictures.marked_points(prompt, answer.case)
    numbered = prompt.answer_kind == "points"
    if asked_pictures.is_film(prompt, case):
        film = asked_pictures.film(case)
        rings = _rings(case, BEFORE, marked, numbered)
        return _frame(film, film.until - 1, rings, told=False), _frame(film, film.answer_moment)
    other = answers.second(prompt, source=case.source)
    if prompt.kind == "place":
        marked = [asked_pictures.point(prompt, case)]
    before = asked_pictures.planes(prompt, case, other, compact=True)
    rings = _rings(case, BEFORE, marked, numbered)
    if prompt.kind == "place":
        case = asked_pictures.move_point(prompt, case, answer.value[:2])
    after = asked_pictures.planes(prompt, case, other, answered=True, compact=True)
    right = _rings(case, AFTER, answer.value if numbered else marked, numbered)
    return _planes(before, rings), _planes(after, right)


def _frame(film, moment, rings=(), told=True):
    """The picture of one moment of a film, under its name; of the plane of two weights with the names of its lines."""
    screen = film.show.screens[0]
    drawing = still_figure(screen.film, screen.at[moment])
    drawing = drawing if told else asked_pictures.untold(drawing)
    named = [t | {"name": BALLS[t["name"]], "showlegend": True} if t["name"] in BALLS else t for t in drawing.traces]
    names = {trace["name"] for trace in drawing.traces}
    weights = ": ● now" * bool(names & {*BALLS}) + f", □ {WALK_END}" * (WALK_END in names)
    return svg(drawing._replace(traces=[*named, *rings]), name=film.show.ticks[moment].label + weights)


def _planes(sights, rings):
    """The planes side by side, the first one with these traces of rings."""
    documents = []
    for k, sight in enumerate(sights):
        drawing = sight.drawing._replace(traces=[*sight.drawing.traces, *(rings if k == 0 else [])])
        documents.append(svg(drawing, name=sight.name if len(sights) > 1 else ""))
    return join_documents(documents)


def _rings(case, of, marked, numbered):
    """The traces of rings around the points with these ids, and with `numbered` of the numbers of all points."""
    problem = case.problem(of)
    rows = [row for row, key in enumerate(problem.ids.tolist()) if key in marked]
    points = tasks.task_of(problem).bare(problem)
    rings = [marks.support(points, rows)] if rows else []  # points of a feature walk have no picture
    return [*rings, marks.numbers(points)] if numbered else rings
