"""The pictures of a prompt: what is there before the commitment, and what the change made of it."""

from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.shared import figures, plane, session
from pages.shared.choices import LOSSES
from pages.shared.controls import colour_index
from pages.shared.lessons import answers, state
from pages.shared.lessons.answers import Answer
from pages.shared.lessons.grading import Feedback
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities import AFTER, BEFORE, Case
from pages.shared.parts import player, walk_films
from pages.shared.parts.lesson_flow import At
from pages.shared.studies import feature_walk, runs, sparsity, tasks

FIRST = "asked"  # key of the plane that is drawn on
SHEET = "lesson"  # on which the form and the plane write the answer
CHARTS = {"walk_error": 1, "walk_gain": 1, "best_round": 1, "walk_features": 2}  # by quantity
UNDER = 84  # pixels of the controls under a film


class Asked(NamedTuple):
    """A prompt with what the reader has made of it: `feedback` is None before the commitment."""

    at: At
    case: Case
    answer: Answer | None
    feedback: Feedback | None

    @property
    def prompt(self) -> Prompt:
        """The prompt."""
        return self.at.prompt

    @property
    def locked(self) -> bool:
        """Whether the answer has been given."""
        return self.feedback is not None

    @property
    def late(self) -> bool:
        """Whether an answer was given that the solvers are not ready for."""
        return self.at.given is not None and not self.locked


def show(asked: Asked, changes: dict[str, float]) -> None:
    """The plane of the prompt, or two of them where it asks for a second one; a film where it asks for a moment."""
    case = asked.case
    if case.before.walk is not None:
        _walk(asked)
    elif _is_film(asked):
        _film(asked)
    elif asked.prompt.second is None:
        _plane(asked, case, FIRST, _ask(asked))
    else:
        other = answers.second(asked.prompt, asked.at.attempt, changes, session.source)
        for column, one, key in zip(st.columns(2, gap="small"), (case, other), (FIRST, "asked-second"), strict=True):
            with column:
                _plane(asked, one, key, _ask(asked) if key == FIRST else None)


def words(asked: Asked) -> None:
    """The place of the sentences of a film on its moment."""
    charted = asked.locked and _charted(asked.prompt) is not None
    if _is_film(asked) or (asked.case.before.walk is not None and not charted):
        plane.words(player.FILM, key="film_words")


def _is_film(asked):
    return asked.prompt.kind == "step" and asked.case.at is not None


# ------------------------------------------------------------------------------------------ planes


def _plane(asked, case, key, ask):
    machines = _machines(asked.prompt, case, key)
    if asked.locked and asked.prompt.kind == "place":
        case = _moved(asked)
    name = sparsity.title(machines[0]) if len(machines) == 1 else ""
    if not asked.locked:
        figure = _before(asked.prompt, case, machines)
    elif len(machines) > 1:
        figure = _overlay(case, AFTER, machines, moved=bool(asked.prompt.change))
    else:
        now = case.study(AFTER, machines[0].loss)
        moved = asked.prompt.change or asked.prompt.kind == "place"
        ghost = case.study(BEFORE, machines[0].loss).field if moved else None
        off = case.source.off(case.after.data)
        figure = figures.picture(now.field, now.points, ghost=ghost, earlier=True, off=off)
    plane.show(figure, key=key, fill=1, edge=(name, "", ""), ask=ask)


def _machines(prompt, case, key):
    """The machines of a plane; where a second plane has one of several machines, the first one has the others."""
    beside = (prompt.second or {}).get("loss")
    if beside is None or len(case.after.machines) == 1:
        return case.after.machines
    return [machine for machine in case.after.machines if (machine.loss == beside) == (key != FIRST)]


def _before(prompt, case, machines):
    """The points, with the machine before the change where there is one; else the machine is what is asked for."""
    off = case.source.off(case.before.data)
    if not prompt.change and prompt.kind != "place":
        return _bare(case, AFTER)
    if len(machines) > 1:
        return _overlay(case, BEFORE, machines)
    study = case.study(BEFORE, machines[0].loss)
    if prompt.kind == "line":
        return _bare(case, AFTER, ghost=study.field)
    after = case.problem(AFTER)
    points = tasks.of(after).bare(after) if _same_places(case) else study.points
    return figures.picture(study.field, points, off=off)


def _bare(case, of, ghost=None):
    problem, data = case.problem(of), case.setup(of).data
    points = tasks.of(problem).bare(problem)
    return figures.picture(case.source.extent(data), points, ghost=ghost, earlier=True, off=case.source.off(data))


def _overlay(case, of, machines, moved=False):
    """The boundaries of all machines, and, where a change has `moved` them, what they were before it."""
    studies = [(machine, case.study(of, machine.loss)) for machine in machines]
    curves = [
        figures.Curve(
            sparsity.title(machine),
            study.field,
            _colour(machine),
            case.study(BEFORE, machine.loss).field if moved else None,
        )
        for machine, study in studies
    ]
    return figures.overlay(curves, studies[0][1].points)


def _colour(machine):
    """The number of the colour of a machine; the sparse LS-SVM has the one after those of the losses."""
    return len(LOSSES) if machine.loss == sparsity.KEY else colour_index(machine)


def _same_places(case):
    """Whether the change reverses labels and does nothing else to the points."""
    one, other = case.problem(BEFORE), case.problem(AFTER)
    return np.array_equal(one.X, other.X) and not np.array_equal(one.y, other.y)


def _moved(asked):
    """The case with the point where the reader has put it."""
    prompt, point = asked.prompt, asked.prompt.watch.arguments.get("point", "farthest")
    row = state.row_of(point, asked.case.before, session.source)
    change = {**prompt.change, "edit": [{"point": row, "move": list(asked.at.given)}]}
    return session.lesson_case(prompt._replace(change=change), asked.at.attempt, {})


# ------------------------------------------------------------------------------------------ what is asked


def _ask(asked) -> dict[str, Any]:
    """What the plane is asked, see pencil.js."""
    prompt, at = asked.prompt, asked.at
    ask = {"sheet": SHEET, "key": at.key, "kind": drawn(prompt), "given": at.given, "locked": asked.locked}
    ask["marked"] = [] if asked.locked else _marked(asked)
    if ask["kind"] == "points":
        ask["most"] = most(prompt)
        ask["points"] = asked.feedback.ids if asked.locked else None
    if ask["kind"] == "number":
        ask["width"] = prompt.watch.name == "best_sigma"
    if ask["kind"] == "place":
        problem, row = asked.case.problem(BEFORE), asked.case.row(prompt.watch.arguments.get("point", "farthest"))
        ask["start"], ask["label"] = problem.X[row].tolist(), float(problem.y[row])
        if asked.locked:
            x, y, _ = asked.answer.value
            ask["places"] = [{"at": [x, y], "words": "most harm"}]
    return ask


def drawn(prompt: Prompt) -> str:
    """The kind of answer that is drawn on the plane; the others are given in the form."""
    return "points" if prompt.kind == "step" and not prompt.options else prompt.kind


def most(prompt: Prompt) -> int | None:
    """The number of points that may be chosen, None for any number."""
    return 2 if prompt.watch.name == "pair" else prompt.watch.arguments.get("k")


def _marked(asked):
    """The ids of the points that the question names or that the change touches."""
    case, named = asked.case, asked.prompt.watch.arguments.get("point")
    one, other = case.problem(BEFORE), case.problem(AFTER)
    points = {key: (*place, label) for key, place, label in zip(one.ids, one.X.tolist(), one.y, strict=True)}
    now = {key: (*place, label) for key, place, label in zip(other.ids, other.X.tolist(), other.y, strict=True)}
    touched = (
        {int(key) for key in points if now.get(key) != points[key]}
        if asked.prompt.change and not _same_places(case)
        else set()
    )
    if named is not None and asked.prompt.kind != "place":
        touched.add(state.row_of(named, case.before, session.source))
    return sorted(touched) if len(touched) <= 12 else []


# ------------------------------------------------------------------------------------------ films


def _film(asked):
    """The run up to the moment of the question; after the commitment all of it, from the next moment on."""
    setup = asked.case.after
    machine = setup.machine()
    if machine.loss == sparsity.KEY:
        run = setup.data, setup.setting, sparsity.reweighting(machine)
        film = session.rounds(*run)
    else:
        run = setup.data, machine, setup.setting, setup.solver, ()
        film = session.run(*run, asked.case.at)
    shown = len([tick for tick in film.ticks if tick.iteration <= asked.case.at])
    _play(asked, film, max(shown, 1), (*run, asked.locked))


def _walk(asked):
    """The walk in two features, at first only its first round; after a question about all features their chart."""
    walk, chart = asked.case.after.walk, _charted(asked.prompt)
    steps, flat = session.walk(walk)
    if asked.locked and chart is not None:
        shown = feature_walk.all_features(steps, walk).charts[chart]
        axes = dict(xlabel=shown.xlabel, ylabel=shown.ylabel, log=shown.log, level=shown.level, log_x=shown.log_x)
        plane.show(figures.history(shown.lines, **axes), key="asked-chart", heading=shown.title, fill=0.8)
        return
    film = figures.drawn(feature_walk.two_features(flat, walk, feature_walk.names(steps, walk.d_rel)))
    film = film._replace(screens=film.screens[:1])
    _play(asked, film, asked.case.at or 1, (walk, asked.locked), walk_films.SPEED)


def _charted(prompt):
    """The chart of `feature_walk.all_features` that shows the answer of a prompt; None for one about two features."""
    return CHARTS.get(prompt.watch.arguments.get("quantity", prompt.watch.name))


def _play(asked, film: runs.Show, until, run, speed=None):
    """The first screen of a film over its controls, up to its first `until` moments before the commitment."""
    ticks, start = (film.ticks, min(until, len(film.ticks) - 1)) if asked.locked else (film.ticks[:until], until - 1)
    picture = st.container()
    rev = player.transport(ticks, player.FILM, run, start=start, speed=speed or 2)
    screen = film.screens[0]
    with picture:
        reel = plane.reel(screen.film, player.FILM, rev, screen.at[: len(ticks)])
        size = dict(fill=1, less=UNDER)
        plane.show(screen.film.figure, key="asked-film", edge=(screen.name, "", ""), reel=reel, ask=_ask(asked), **size)
