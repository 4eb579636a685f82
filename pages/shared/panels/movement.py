"""The effect of the outliers on each machine, as a table and as captions."""

import numpy as np
import streamlit as st

from pages.shared.live import comparison
from pages.shared.live.comparison import ABOVE
from pages.shared.page.run import current
from pages.shared.panels import machine_numbers
from pages.shared.screen.choices import Data, Setting
from pages.shared.screen.edits import point_name
from pages.shared.studies import formatting, glossary, tasks
from pages.shared.studies.arrays import ZERO

BEST = "global minimum (proved)"
TIPS = machine_numbers.COLUMN_TIPS | glossary.tips({ABOVE: "paired difference"})


def table(machines, shown, proved=()) -> None:
    """A row for each machine: errors, support vectors, solver and, with outliers, the change that they cause.

    It has the numbers of the pictures `shown`. The machines in `proved` are known to be the best possible ones.
    """
    moved, words, first = any(shown.before), tasks.task_of(shown.studies[0]).words, "table-0-"
    left_out = {*(() if moved else words.movement), *(() if comparison.above_smallest(shown.studies) else (ABOVE,))}
    names = [key.removeprefix(first) for key in shown.numbers if key.startswith(first)]
    head = [name for name in names if name not in left_out]
    rows = [
        [machine.name]
        + [BEST if machine in proved and name == "status" else shown.numbers[f"table-{row}-{name}"] for name in head]
        for row, machine in enumerate(machines)
    ]
    tips = TIPS | glossary.tips(words.explained)
    st.html(formatting.grid(["machine", *head], rows, tips=tips, version=shown.live.version))
    if moved:
        st.caption(f"Against the clean points: {', '.join(words.movement)}.")


def suggest(data: Data, before) -> None:
    """Suggest what to try first on a page of several machines, by what its points are."""
    if data.task == "regression":
        current().hint = "First: drag a point far up or down and see which curves follow it."
    elif any(before):
        current().hint = "First: drag a ringed outlier and see in each picture how much of the plane changed class."


def announce(data: Data, machines, setting: Setting, studies) -> None:
    """Say below the controls how far each machine moved since the run before, if only its points have changed."""
    screen = (data.as_drawn, list(machines), setting)
    before, old_data, old_studies = st.session_state.get("moved_from", (None, None, None))
    st.session_state["moved_from"] = (screen, data, list(studies))
    if before == screen and old_data.usual_view != data.usual_view:
        points = {edit.id for edit in set(old_data.edits.edits) ^ set(data.edits.edits)}
        moves = zip(machines, old_studies, studies, strict=True)
        said = "; ".join(f"{machine.name} {response(old, now, points)}" for machine, old, now in moves)
        current().sentence = f"By this change: {said}."


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
