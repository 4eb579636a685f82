"""Shared by all tests: the pages find their solvers warm, as after a first start, and no set that a user fetched."""

import os
from pathlib import Path

import pytest

os.environ["SVMCORE_DATA"] = str(Path(__file__).parent / "nothing fetched")  # a folder that does not exist


@pytest.fixture(scope="session")
def warm():
    from pages.shared import warm

    progress = warm.start()
    assert progress.finished.wait(120)
    assert progress.error is None, progress.error
