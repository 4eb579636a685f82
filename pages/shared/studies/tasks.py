"""The tasks: two classes and a boundary, a curve, and more classes with a region each. No Streamlit here."""

from pages.shared.studies import classification, one_vs_rest, regression
from pages.shared.studies.study import Task

TASKS = {task.key: task for task in (classification.TASK, regression.TASK, one_vs_rest.TASK)}


def task_of(subject) -> Task:
    """The Task of a `Data`, a `Problem` or a `FittedMachine`: of anything whose `task` is the key of one."""
    return TASKS[subject.task]
