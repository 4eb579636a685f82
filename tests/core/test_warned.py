"""Runs that did not end as they should warn, except where the caller shows it: in that thread alone."""

import threading

import pytest
from sklearn.exceptions import ConvergenceWarning

from svmcore import SVC
from svmcore.warned import silently


def unfinished():
    SVC(C=1e4, max_iter=1).fit([[0.0], [1.0], [0.5], [0.6]], [0, 1, 1, 0])


def test_silence_holds_in_one_thread_alone():
    """With `warnings.catch_warnings` the one that ends first takes the silence of the other away."""
    entered, left, errors = threading.Event(), threading.Event(), []

    def other():
        with silently():
            entered.set()
            left.wait(10)
            try:
                unfinished()
            except ConvergenceWarning as error:
                errors.append(error)

    with silently():
        thread = threading.Thread(target=other)
        thread.start()
        assert entered.wait(10)
        unfinished()
    left.set()
    thread.join()
    assert errors == []
    with pytest.warns(ConvergenceWarning):
        unfinished()
