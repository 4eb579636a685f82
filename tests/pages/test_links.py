"""Old links restore their screens: what each showed is written down in links.json (see helpers/fingerprint.py)."""

import json

import pytest
from fingerprint import LINKS, of_page
from screen import healthy, open_page

from pages.shared.controls import REGISTRY

pytestmark = pytest.mark.usefixtures("warm")
EVERY = json.loads(LINKS.read_text(encoding="utf-8"))

OLD = {name for entry in EVERY for name in entry["shows"]["settings"]}  # controls that came later are at their default
PICTURES = {name for entry in EVERY for name in entry["shows"]["pictures"]}  # others came later


@pytest.mark.parametrize("entry", EVERY, ids=[entry["name"] for entry in EVERY])
def test_an_old_link_shows_what_it_showed(entry):
    shows = of_page(healthy(open_page(entry["page"], **entry["link"])))
    expected = entry["shows"]
    settings = {name: value for name, value in shows["settings"].items() if name in OLD}
    assert settings == expected["settings"]
    assert all(REGISTRY[name].default == shows["settings"][name] for name in shows["settings"].keys() - OLD)
    assert (shows["notes"], shows["moments"]) == (expected["notes"], expected["moments"])
    assert set(shows["pictures"]) & PICTURES == set(expected["pictures"])
    for name, parts in expected["pictures"].items():
        for part, numbers in parts.items():
            for found, number in zip(shows["pictures"][name][part], numbers, strict=True):
                rounding = part == "lines" and 0.0 < number[2] < 1e-9  # a logarithmic axis leaves out what is 0
                assert found[rounding:] == pytest.approx(number[rounding:], rel=2e-3, abs=1e-6), (name, part)


def test_the_list_is_long_and_reaches_every_page():
    assert len(EVERY) >= 40
    assert len({entry["page"] for entry in EVERY}) == 7
