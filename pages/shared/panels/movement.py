"""The effect of the outliers on each machine, as a table and as captions."""

import numpy as np
import streamlit as st

from pages.shared.page.run import current
from pages.shared.screen.choices import Data, Setting
from pages.shared.screen.edits import point_name
from pages.shared.studies import classification, formatting, glossary, tasks
from pages.shared.studies.arrays import ZERO
from pages.shared.studies.formatting import milliseconds, number

ABOVE = "above the smallest"
MEASURES = (
    "test error",
    "training error",
    "support vectors",
    "at a bound",
    "Σ |α|",
    "‖w‖",
    "status",
    "violation",
    "steps",
    "time",
)
BEST = "global minimum (proved)"
TIPS = glossary.tips(
    {
        ABOVE: "paired difference",
        "support vectors": "support vector",
        "at a bound": "bound",
        "status": "status",
        "violation": "violation",
        "steps": "iteration",
    }
)


def table(machines, studies, before, proved=()) -> None:
    """A row for each machine: errors, support vectors, solver and, with outliers, the change that they cause.

    The machines in `proved` are known to be the best possible ones.
    """
    moved, words = any(before), tasks.task_of(studies[0]).words
    measures = [name.replace("error", words.error).replace("α", studies[0].points.letter) for name in MEASURES]
    gaps = above_smallest(studies)
    head = ["machine", *(words.movement if moved else ()), *measures[:1], *([ABOVE] if gaps else ()), *measures[1:]]
    rows = []
    for row, (machine, now, ghost) in enumerate(zip(machines, studies, before, strict=True)):
        n = now.numbers
        measured = [
            words.written(n.test_error),
            *gaps[row : row + 1],
            words.written(n.train_error),
            f"{n.n_support} of {len(now.f)}",
            f"{n.n_at_bound}",
            number(n.sum_alpha, ".4g"),
            number(n.norm, ".4g"),
            BEST if machine in proved else n.status,
            number(n.violation, ".1e"),
            f"{n.n_iter:,}",
            milliseconds(n.solve_time),
        ]
        rows.append([machine.name, *(movement(now, ghost) if moved else ()), *measured])
    st.html(formatting.grid(head, rows, tips=TIPS | glossary.tips(words.explained)))
    if moved:
        st.caption(f"{', '.join(words.movement).capitalize()}: against the clean points.")


def above_smallest(studies) -> list[str]:
    """The difference of each test error to the smallest one, paired, as text; none without classes or test points."""
    if not tasks.task_of(studies[0]).classes or not len(studies[0].wrong):
        return []
    best = min(studies, key=lambda study: study.numbers.test_error)
    return ["smallest" if study is best else classification.error_change(study, best) for study in studies]


def movement(now, before) -> list[str]:
    """The change of a machine by the outliers, as texts in the order of `Task.movement`, or dashes."""
    return ["–", "–", "–"] if before is None else tasks.task_of(now).movement(before, now)[0]


def suggest(data: Data, before) -> None:
    """Suggest what to try first on a page of several machines, by what its points are."""
    if data.task == "regression":
        current().hint = "First: drag a point far up or down and see which curves follow it."
    elif any(before):
        current().hint = "First: drag a ringed outlier and see in each picture how much of the plane changed class."


def announce(data: Data, machines, setting: Setting, studies) -> None:
    """Say below the controls how far each machine moved since the run before, if only its points have changed."""
    state = st.session_state
    before = state.get("moved_from")
    state["moved_from"] = (data, list(machines), setting, list(studies))
    if before is None or (before[0].as_drawn, before[0].room, *before[1:3]) != (
        data.as_drawn,
        data.room,
        list(machines),
        setting,
    ):
        return
    if before[0] != data:
        points = {edit.id for edit in set(before[0].edits.edits) ^ set(data.edits.edits)}
        moves = zip(machines, before[3], studies, strict=True)
        said = "; ".join(f"{machine.name} {response(old, now, points)}" for machine, old, now in moves)
        current().sentence = f"By this change: {said}"


def response(before, now, points=()) -> str:
    """Effect of an edit of the `points` (ids) on a machine: how far it moved, whether the point, if it is one, is now a
    support vector, and how many there are if that has changed.
    """
    parts, (had, has) = [tasks.task_of(now).movement(before, now)[1]], (support_vectors(before), support_vectors(now))
    if len(points) == 1:
        parts += [f"{point_name(point)} is now a support vector" for point in has.intersection(points) - had]
        parts += [f"{point_name(point)} is no longer a support vector" for point in had.intersection(points) - has]
    if len(has) != len(had):
        parts.append(f"{len(has)} of {len(now.points.y)} support vectors")
    return ", ".join(parts)


def support_vectors(study) -> set[int]:
    """The ids of the training points whose support value is not zero."""
    return set(study.points.ids_of(np.flatnonzero(study.points.state != ZERO)).tolist())
