"""Two classes, more classes and a curve: one object each, whose functions take the arguments that Task declares."""

import inspect

import numpy as np
import pytest

from pages.shared.screen.choices import MACHINES
from pages.shared.studies import formatting, regression, tasks
from pages.shared.studies.study import Task
from svmcore import problems


def test_every_problem_has_its_task():
    known = {entry.task for entry in problems.REGISTRY.values()}
    assert known == set(MACHINES) == set(problems.registry.TASKS)
    assert set(tasks.TASKS) == known
    for key, task in tasks.TASKS.items():
        problem = next(entry for entry in problems.REGISTRY.values() if entry.task == key)
        assert task.key == key and tasks.task_of(problem) is task and task.svm.loss in MACHINES[key]


def test_all_take_the_arguments_that_are_declared():
    for name in Task.__abstractmethods__:
        declared = list(inspect.signature(getattr(Task, name)).parameters)
        for task in tasks.TASKS.values():
            assert list(inspect.signature(getattr(task, name)).parameters) == declared, name


def test_errors_are_written_with_their_unit():
    share, root = (tasks.TASKS[key].words for key in ("classification", "regression"))
    assert (share.written(0.25), share.written(np.nan), root.written(12.34567)) == ("25.0\u202f%", "–", "12.35")
    assert (share.chart[0] * 0.25, root.chart[0] * 0.25) == (25.0, 0.25)
    times = [formatting.milliseconds(seconds) for seconds in (1e-8, 0.00123, 0.0997, 2.0)]
    assert times == ["10⁻⁵ ms", "1.2 ms", "100 ms", "2000 ms"]


def test_a_criterion_is_shown_in_units_of_y():
    assert tasks.TASKS["classification"].score(0.2, 0.1, 1.0) == (0.2, 0.1)
    value, spread = regression.root_score(4.0, 0.4, 10.0)
    assert (value, spread) == (20.0, pytest.approx(1.0))  # the slope of the root at 4 is 1 / 4
    for value in (0.0, np.inf):
        assert regression.root_score(value, 0.4, 10.0) == (value, 0.4)
