"""Modules of the plane for all tests of this folder: node starts once in a process."""

import pytest
from javascript import Modules


@pytest.fixture(scope="session")
def modules():
    running = Modules()
    yield running
    running.close()
