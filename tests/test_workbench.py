"""Words on work in the background."""

import pytest

from pages.shared import workbench


@pytest.mark.parametrize(
    "seconds, words",
    [(0, "1 s"), (3.2, "4 s"), (10, "10 s"), (11, "15 s"), (38, "40 s"), (60, "60 s"), (61, "2 min"), (600, "10 min")],
)
def test_a_duration_is_rounded_up(seconds, words):
    assert workbench.duration(seconds) == words


def test_progress():
    assert workbench.progress(612, 2304, "fits", None) == "612 of 2304 fits"
    assert workbench.progress(612, 2304, "fits", 38.0) == "612 of 2304 fits, about 40 s to go"
