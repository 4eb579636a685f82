"""Shared by all tests: the pages find their solvers warm, as after a first start."""

import pytest


@pytest.fixture(scope="session")
def warm():
    from pages.shared import warm

    progress = warm.start()
    assert progress.finished.wait(120)
    assert progress.error is None, progress.error
