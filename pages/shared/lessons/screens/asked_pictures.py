"""Contents of the pictures of a prompt, before and with its answer, for the page and for print."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pages.shared.figures import marks
from pages.shared.figures.drawing import with_films
from pages.shared.figures.norms import WALK_END
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.palette import colour
from pages.shared.figures.picture import machine_figure
from pages.shared.figures.plane import Change
from pages.shared.figures.style import Drawing, path
from pages.shared.lessons import answers, state
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities.boundary import ends_in_frame
from pages.shared.lessons.quantities.case import AFTER, BEFORE, Case
from pages.shared.lessons.screens.prompt_charts import CHARTS
from pages.shared.live import films
from pages.shared.screen.choices import ISLS, Walk
from pages.shared.studies import feature_walk, sparsity, tasks
from pages.shared.studies.show import FilmView
from pages.shared.studies.source import Source
from svmcore.studies import plane

ARROW = 0.28  # of the picture, the longest force


class PromptPlane(NamedTuple):
    """One plane or chart: the name of its machine, "" for none or for several, and its drawing."""

    name: str
    drawing: Drawing


class PromptView(NamedTuple):
    """Source of the planes of a prompt: the draw of its points, what the reader said and has set, {name: value}.

    `answered` says that the picture is that after the answer; then nothing else can be `given`, which is None before.
    """

    prompt: Prompt
    draw: int
    given: Any = None
    changes: Mapping[str, Any] = {}
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
        """The moment that the answer is about: of a walk its end, else the next one."""
        last = len(self.show.ticks) - 1
        return last if isinstance(self.run[0], Walk) else min(self.until, last)


# ------------------------------------------------------------------------------------------ planes


def prompt_planes(look: PromptView, source: Source) -> list[PromptPlane]:
    """The planes of a prompt as its reader has them, with what `source` computes."""
    prompt = look.prompt
    case = answers.case(prompt, look.draw, look.changes, source)
    if look.answered and prompt.kind == "place":
        case = move_point(prompt, case, look.given)
    return planes(prompt, case, answers.second(prompt, look.draw, look.changes, source), look.answered)


def planes(prompt: Prompt, case: Case, other: Case | None = None, answered=False, compact=False) -> list[PromptPlane]:
    """The plane of a prompt, or two of them where it has a second one, whose case is `other`; then the chart that it
    shows beside them, or that one alone.

    Where a point was moved, `case` is the one after that, see `move_point`. `compact` is the form for small pictures.
    """
    shown = [PromptPlane("", CHARTS[prompt.shows](prompt, case, answered))] if prompt.shows in CHARTS else []
    if prompt.chart_place == "alone":
        return shown
    cases = [case, *filter(None, [other])]
    found = [_plane(prompt, one, k, answered, compact) for k, one in enumerate(cases)] + shown
    if prompt.kind == "place":
        drawing = found[0].drawing
        found[0] = found[0]._replace(drawing=drawing._replace(traces=[*drawing.traces, _region(case)]))
    return found


def move_point(prompt: Prompt, case: Case, place) -> Case:
    """The case of a prompt with its point at a `place` (x, y)."""
    move = {"point": point(prompt, case), "move": list(place)}
    return Case(case.before, state.lay_edits(case.after, [move], case.before, case.source), case.at, case.source)


def _plane(prompt, case, position, answered, compact):
    earlier = _machines(prompt, case.before, position)
    machines = _machines(prompt, case.after, position) if answered else earlier
    name = machines[0].name if len(machines) == 1 else ""
    if not answered:
        return PromptPlane(name, _planes_before(prompt, case, machines, compact))
    if len(machines) > 1 or _draws(prompt, case) > 1:
        return PromptPlane(name, _overlay(prompt, case, AFTER, machines))
    now = case.study(AFTER, machines[0].loss)
    changed = prompt.change or prompt.kind == "place"
    before = case.study(BEFORE, earlier[0].loss) if changed else None
    ghost = before and before.field
    look = dict(ghost=ghost, earlier=True, off=case.source.points_off(case.after.data), compact=compact)
    if before and "changed_share" in [watch.name for watch in prompt.watches] or prompt.kind == "place":
        look["change"] = Change(*plane.view(before.points.X, 2), machines[0].colour)
    if prompt.change and case.after.setting.kernel == "linear":
        look["forces"] = _forces(case, now)
    return PromptPlane(name, machine_figure(now.field, now.points, **look))


def _region(case):
    """The edge of the plane on which two boundaries are compared, which is not that of the picture."""
    (left, *_, right), (low, *_, high) = plane.view(case.problem(BEFORE).X)
    x, y = [left, right, right, left, left], [low, low, high, high, low]
    return path(np.array(x), np.array(y), "region", colour("muted"), width=1.2, dash="2px,4px")


def _machines(prompt, setup, position):
    """The machines of a plane; where a second plane has one of several machines, the first one has the others."""
    beside = (prompt.second or {}).get("loss")
    if beside is None or len(setup.machines) == 1:
        return setup.machines
    return [machine for machine in setup.machines if (machine.loss == beside) == (position > 0)]


def _planes_before(prompt, case, machines, compact):
    """The points, with the machine before the change where there is one; else the machine is what is asked for."""
    if prompt.shows == "disputed":
        return _overlay(prompt, case, AFTER, case.after.machines)
    if not prompt.change and prompt.kind != "place":
        return _bare(case, compact, told=prompt.answer_kind != "points")
    if len(machines) > 1:
        return _overlay(prompt, case, BEFORE, machines)
    study = case.study(BEFORE, machines[0].loss)
    if prompt.kind == "line":
        return _bare(case, compact, ghost=study.field)
    after = case.problem(AFTER)
    told = study.points.bare if prompt.answer_kind == "points" else study.points  # sizes would tell which points
    points = tasks.task_of(after).bare(after) if _same_places(case) else told
    return machine_figure(study.field, points, off=case.source.points_off(case.before.data), compact=compact)


def _bare(case, compact, ghost=None, told=True):
    """The points alone; `told`: outliers are ringed. A question about points is asked without the rings."""
    problem, data = case.problem(), case.after.data
    look = dict(ghost=ghost, earlier=True, off=case.source.points_off(data), compact=compact)
    points = tasks.task_of(problem).bare(problem)
    return machine_figure(case.source.extent(data), points if told else points._replace(outlier=None), **look)


def _overlay(prompt, case, of, machines):
    """The boundaries of all machines; after a change what they were before it, and those of the other draws that the
    answer is about. Where points are disputed, the test points at which one of two machines is wrong.
    """
    told, curves = of == AFTER, []
    for machine in machines:
        field = case.study(of, machine.loss).field
        earlier = case.study(BEFORE, machine.loss).field if told and prompt.change else None
        others = _other_draws(case, machine, field, _draws(prompt, case)) if told else None
        curves.append(Curve(machine.name, field, machine.colour, earlier, others))
    drawn = overlay_figure(curves, case.study(of, machines[0].loss).points)
    disputed = _disputed_points(case, machines) if prompt.shows == "disputed" else []
    return drawn._replace(traces=drawn.traces + disputed)


def _draws(prompt, case):
    """Number of draws that the answer is about; only lines are drawn for each."""
    return prompt.watch.arguments.get("draws", 1) if case.after.setting.kernel == "linear" else 1


def _other_draws(case, machine, field, draws):
    """The boundaries on the draws that follow, as `overlay` has them; None where the answer is about one draw."""
    ends = []
    for other in (case.redrawn(k) for k in range(1, draws)):
        w, intercept = other.normal(loss=machine.loss), other.study(loss=machine.loss).intercept
        try:
            ends.append([*np.reshape(ends_in_frame(w, intercept, field.xs, field.ys), (2, 2)), [np.nan, np.nan]])
        except ValueError:  # outside the picture
            continue
    return tuple(np.reshape(ends, (-1, 2)).T) if ends else None


def _disputed_points(case, machines):
    """The test points at which exactly one of two machines is wrong, in the colour of that one."""
    X, wrong = case.problem().X_test, [case.study(loss=machine.loss).wrong for machine in machines]
    return [
        marks.places(X[own & ~other], f"▲ only the {machine.name} is wrong", machine.colour)
        for machine, own, other in zip(machines, wrong, wrong[::-1], strict=True)
    ]


def _forces(case, now):
    """α y (x − mean) of the points that the change has touched, as (x, y) of arrows, the longest of a fixed length."""
    ids = touched_points(case) or [int(key) for key in case.problem().ids[case.problem().outlier]]
    rows = np.flatnonzero(np.isin(now.points.ids_of(np.arange(len(now.points.y))), ids))
    if not len(rows):
        return None
    X, weight = now.points.X, now.points.alpha * now.points.y
    every = weight[:, None] * (X - X.mean(axis=0))
    longest = float(np.max(np.linalg.norm(every[rows], axis=1), initial=1e-12))
    return X[rows], every[rows] * ARROW * float(now.field.xs[-1] - now.field.xs[0]) / longest


def _same_places(case):
    """True if the change reverses labels and does nothing else to the points."""
    one, other = case.problem(BEFORE), case.problem(AFTER)
    return np.array_equal(one.X, other.X) and not np.array_equal(one.y, other.y)


# ------------------------------------------------------------------------------------------ what is asked


def point(prompt: Prompt, case: Case) -> int:
    """The id of the point that a question about a place moves."""
    return state.row_of(prompt.watch.arguments.get("point", "farthest"), case.before, case.source)


def moved_point(prompt: Prompt, case: Case) -> tuple[list[float], float]:
    """(place, class) of that point before it is moved."""
    problem, row = case.problem(BEFORE), case.row(point(prompt, case), BEFORE)
    return problem.X[row].tolist(), float(problem.y[row])


def marked_points(prompt: Prompt, case: Case) -> list[int]:
    """The ids of the points that the question names or that the change touches."""
    named = prompt.watch.arguments.get("point")
    touched = set() if _same_places(case) else set(touched_points(case))
    if named is not None and prompt.kind != "place":
        touched.add(state.row_of(named, case.before, case.source))
    return sorted(touched) if len(touched) <= 12 else []


def touched_points(case: Case) -> list[int]:
    """The ids of the points that the change moves, deletes or gives another label."""
    one, other = case.problem(BEFORE), case.problem(AFTER)
    now = {key: (*place, label) for key, place, label in zip(other.ids, other.X.tolist(), other.y, strict=True)}
    points = zip(one.ids.tolist(), one.X.tolist(), one.y, strict=True)
    return [key for key, place, label in points if now.get(key) != (*place, label)]


# ------------------------------------------------------------------------------------------ films


def is_film(prompt: Prompt, case: Case) -> bool:
    """True if the pictures of a prompt are those of a film: a moment of a run, or a feature walk."""
    moments = case.before.walk is not None or (prompt.kind == "step" and case.at is not None)
    return moments and prompt.chart_place != "alone"


def film(case: Case) -> PromptFilm:
    """The run of the case of a prompt for which `is_film`, or its walk in two features."""
    setup = case.after
    if setup.walk is not None:
        steps, flat = films.walk(setup.walk)
        names = feature_walk.names(steps, setup.walk.d_rel)
        show = with_films(feature_walk.two_features(flat, setup.walk, names))
        return PromptFilm(show._replace(screens=show.screens[:1]), case.at or 1, (setup.walk,))
    machine = setup.machine()
    if machine.loss == ISLS:
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
