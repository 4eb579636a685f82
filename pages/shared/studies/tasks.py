"""The two tasks: what is classified by a boundary, and what is fitted by a curve. No Streamlit here."""

from pages.shared.studies import classification, regression
from pages.shared.studies.study import Task

TASKS = {task.key: task for task in (classification.TASK, regression.TASK)}


def of(what) -> Task:
    """The Task of a `Data`, a `Problem` or a `Study`: of anything with the key of one as its `task`."""
    return TASKS[what.task]
