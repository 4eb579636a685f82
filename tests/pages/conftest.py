"""Shared by the tests of pages: the lone outlier of the Losses page takes few steps; what others have computed goes."""

import pytest

from pages.shared.server import cache
from pages.shared.studies import lone_outlier, results


@pytest.fixture(scope="module", autouse=True)
def few_steps():
    """Four distances instead of all, and no sweep of another file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lone_outlier, "DISTANCES", (0.0, 2.5, 5.0, 7.5))
        results.outlier_sweep.clear()
        yield
    results.outlier_sweep.clear()


@pytest.fixture
def nothing_computed(warm):
    """No finished work of another test is kept."""
    cache.RESULTS.clear()
