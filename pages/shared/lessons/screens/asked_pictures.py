"""Contents of the pictures of a prompt, before its answer and with it: `lesson_pictures` shows them on the page,
`printed_pictures` prints them.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pages.shared.figures.drawing import with_films
from pages.shared.figures.norms import WALK_END
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.picture import machine_figure
from pages.shared.figures.style import Drawing
from pages.shared.lessons import answers, state
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities.case import AFTER, BEFORE, Case
from pages.shared.studies import feature_walk, runs, sparsity, tasks
from pages.shared.studies.show import Chart, FilmView
from pages.shared.studies.source import Source

CHARTS = {"walk_error": 1, "walk_gain": 1, "best_round": 1, "walk_features": 2}  # by quantity


class PromptPlane(NamedTuple):
    """One plane: the name of its machine, "" for none or for several, and its drawing."""

    name: str
    drawing: Drawing


class PromptView(NamedTuple):
    """Source of the planes of a prompt: the draw of its points, the settings of the reader, {name: value}.

    `answered` says that the picture is that after the answer; `given` is the one that is locked in, None without one.
    """

    prompt: Prompt
    draw: int
    changes: Mapping[str, Any]
    given: Any = None
    answered: bool = False

    def replace(self, name, value) -> "PromptView":
        """Copy with another value of a control; ValueError, in a sentence without its subject, for no control."""
        if name not in self.prompt.controls:
            raise ValueError(f"has {name!r}, which is not a control of this question")
        return self._replace(changes={**self.changes, name: value})


class PromptFilm(NamedTuple):
    """A film, of which the first `until` moments are known before the answer; `run` is what tells it from others."""

    show: FilmView
    until: int
    run: tuple

    @property
    def answer_moment(self) -> int:
        """The moment that the answer is about, or the last one."""
        return min(self.until, len(self.show.ticks) - 1)


class PromptFilms:
    """The films of a `Source`, made anew each time; `live.films` has the same functions with a memory."""

    def __init__(self, source):
        self._source = source

    def run(self, data, machine, setting, solver, options, centre) -> FilmView:
        """The film of the steps of a run near an iteration."""
        given = runs.solver_input(self._source.problem(data), machine, setting)
        return with_films(runs.run(runs.record(given, solver, options), given, self._source.frames(data), centre))

    def rounds(self, data, setting, reweighting) -> FilmView:
        """The film of the rounds of ISLS."""
        given = sparsity.solver_input(self._source.problem(data), setting, self._source.unit(data))
        return with_films(sparsity.rounds(given, reweighting, self._source.frames(data, 2)))

    def walk(self, choice) -> tuple[feature_walk.Steps, feature_walk.Steps]:
        """The walk in all features, and in two of them."""
        steps = feature_walk.follow(choice)
        return steps, feature_walk.in_the_plane(steps, choice)


# ------------------------------------------------------------------------------------------ planes


def prompt_planes(look: PromptView, source: Source) -> list[PromptPlane]:
    """The planes of a prompt as its reader has them, with what `source` computes."""
    prompt, answered = look.prompt, look.answered
    case = answers.case(prompt, look.draw, look.changes, source)
    if look.given is not None and prompt.kind == "place":
        case = move_point(prompt, case, look.given, look.draw)
    return planes(prompt, case, answers.second(prompt, look.draw, look.changes, source), answered)


def planes(prompt: Prompt, case: Case, other: Case | None = None, answered=False, compact=False) -> list[PromptPlane]:
    """The plane of a prompt, or two of them where it has a second one, whose case is `other`.

    Where a point was moved, `case` is the one after that, see `move_point`. `compact` is the form for small pictures.
    """
    return [_plane(prompt, one, k, answered, compact) for k, one in enumerate([case, *filter(None, [other])])]


def move_point(prompt: Prompt, case: Case, place, draw=0) -> Case:
    """The case of a prompt with its point at a `place` (x, y)."""
    change = {**prompt.change, "edit": [{"point": point(prompt, case), "move": list(place)}]}
    return answers.case(prompt._replace(change=change), draw, source=case.source)


def _plane(prompt, case, position, answered, compact):
    earlier = _machines(prompt, case.before, position)
    machines = _machines(prompt, case.after, position) if answered else earlier
    name = sparsity.title(machines[0]) if len(machines) == 1 else ""
    if not answered:
        return PromptPlane(name, _planes_before(prompt, case, machines, compact))
    if len(machines) > 1:
        return PromptPlane(name, _overlay(case, AFTER, machines, moved=bool(prompt.change)))
    now = case.study(AFTER, machines[0].loss)
    changed = prompt.change or prompt.kind == "place"
    ghost = case.study(BEFORE, earlier[0].loss).field if changed else None
    look = dict(ghost=ghost, earlier=True, off=case.source.points_off(case.after.data), compact=compact)
    return PromptPlane(name, machine_figure(now.field, now.points, **look))


def _machines(prompt, setup, position):
    """The machines of a plane; where a second plane has one of several machines, the first one has the others."""
    beside = (prompt.second or {}).get("loss")
    if beside is None or len(setup.machines) == 1:
        return setup.machines
    return [machine for machine in setup.machines if (machine.loss == beside) == (position > 0)]


def _planes_before(prompt, case, machines, compact):
    """The points, with the machine before the change where there is one; else the machine is what is asked for."""
    if not prompt.change and prompt.kind != "place":
        return _bare(case, AFTER, compact, told=drawing_kind(prompt) != "points")
    if len(machines) > 1:
        return _overlay(case, BEFORE, machines)
    study = case.study(BEFORE, machines[0].loss)
    if prompt.kind == "line":
        return _bare(case, AFTER, compact, ghost=study.field)
    after = case.problem(AFTER)
    points = tasks.task_of(after).bare(after) if _same_places(case) else study.points
    return machine_figure(study.field, points, off=case.source.points_off(case.before.data), compact=compact)


def _bare(case, of, compact, ghost=None, told=True):
    """The points alone; `told`: outliers are ringed. A question about points is asked without the rings."""
    problem, data = case.problem(of), case.setup(of).data
    look = dict(ghost=ghost, earlier=True, off=case.source.points_off(data), compact=compact)
    points = tasks.task_of(problem).bare(problem)
    return machine_figure(case.source.extent(data), points if told else points._replace(outlier=None), **look)


def _overlay(case, of, machines, moved=False):
    """The boundaries of all machines, and, where a change has `moved` them, what they were before it."""
    studies = [(machine, case.study(of, machine.loss)) for machine in machines]
    curves = [
        Curve(
            sparsity.title(machine),
            study.field,
            machine.colour,
            case.study(BEFORE, machine.loss).field if moved else None,
        )
        for machine, study in studies
    ]
    return overlay_figure(curves, studies[0][1].points)


def _same_places(case):
    """True if the change reverses labels and does nothing else to the points."""
    one, other = case.problem(BEFORE), case.problem(AFTER)
    return np.array_equal(one.X, other.X) and not np.array_equal(one.y, other.y)


# ------------------------------------------------------------------------------------------ what is asked


def drawing_kind(prompt: Prompt) -> str:
    """The kind of answer that is drawn on the plane; the others are given in the form."""
    return "points" if prompt.kind == "step" and not prompt.options else prompt.kind


def point(prompt: Prompt, case: Case) -> int:
    """The id of the point that a question about a place moves."""
    return state.row_of(prompt.watch.arguments.get("point", "farthest"), case.before, case.source)


def marked_points(prompt: Prompt, case: Case) -> list[int]:
    """The ids of the points that the question names or that the change touches."""
    named = prompt.watch.arguments.get("point")
    one, other = case.problem(BEFORE), case.problem(AFTER)
    points = {key: (*place, label) for key, place, label in zip(one.ids, one.X.tolist(), one.y, strict=True)}
    now = {key: (*place, label) for key, place, label in zip(other.ids, other.X.tolist(), other.y, strict=True)}
    touched = (
        {int(key) for key in points if now.get(key) != points[key]}
        if prompt.change and not _same_places(case)
        else set()
    )
    if named is not None and prompt.kind != "place":
        touched.add(state.row_of(named, case.before, case.source))
    return sorted(touched) if len(touched) <= 12 else []


# ------------------------------------------------------------------------------------------ films


def is_film(prompt: Prompt, case: Case) -> bool:
    """True if the pictures of a prompt are those of a film: a moment of a run, or a feature walk."""
    return case.before.walk is not None or (prompt.kind == "step" and case.at is not None)


def film(case: Case, films) -> PromptFilm:
    """The run of the case of a prompt for which `is_film`, or its walk in two features; `films` as `Films`."""
    setup = case.after
    if setup.walk is not None:
        steps, flat = films.walk(setup.walk)
        names = feature_walk.names(steps, setup.walk.d_rel)
        show = with_films(feature_walk.two_features(flat, setup.walk, names))
        return PromptFilm(show._replace(screens=show.screens[:1]), case.at or 1, (setup.walk,))
    machine = setup.machine()
    if machine.loss == sparsity.KEY:
        run = setup.data, setup.setting, sparsity.to_reweighting(machine)
        show = films.rounds(*run)
    else:
        run = setup.data, machine, setup.setting, setup.solver, ()
        show = films.run(*run, case.at)
    known = sum(tick.iteration <= case.at for tick in show.ticks)
    return PromptFilm(show, max(known, 1), run)


def untold(drawing: Drawing) -> Drawing:
    """The picture of a film as it is before the answer: without the place where a walk ends."""
    return drawing._replace(traces=[trace for trace in drawing.traces if trace["name"] != WALK_END])


def has_chart(prompt: Prompt, case: Case) -> bool:
    """True if a chart over the rounds of a walk in all features shows the answer."""
    return case.before.walk is not None and _chart(prompt) is not None


def chart(prompt: Prompt, case: Case, films) -> Chart:
    """The chart of a prompt for which `has_chart` is true."""
    walk = case.after.walk
    return feature_walk.all_features(films.walk(walk)[0], walk).charts[_chart(prompt)]


def _chart(prompt):
    return CHARTS.get(prompt.watch.arguments.get("quantity", prompt.watch.name))
