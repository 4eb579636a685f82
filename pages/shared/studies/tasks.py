"""The two tasks: classification by a boundary, and regression by a curve. No Streamlit here."""

from pages.shared.studies import classification, regression
from pages.shared.studies.study import Task

TASKS = {task.key: task for task in (classification.TASK, regression.TASK)}


def of(subject) -> Task:
    """The Task of a `Data`, a `Problem` or a `Study`: of anything whose `task` is the key of one."""
    return TASKS[subject.task]
