"""Old links restore their screens: what each showed is written down in links.json (see helpers/fingerprint.py)."""

import json

import pytest
from fingerprint import LINKS, names, of_page, restricted
from screen import healthy, open_page
from waiting import mostly_slow

from pages.shared.screen.fields import REGISTRY

pytestmark = pytest.mark.usefixtures("warm")
EVERY = json.loads(LINKS.read_text(encoding="utf-8"))

FIRST = [*{entry["page"]: entry for entry in reversed(EVERY)}.values()]  # of each page
LONG = ("poly", "motorcycle", "curve_prox", "race_two", "isls_strict", "walk")  # those that set most on their page
QUICK = FIRST + [entry for entry in EVERY if entry["name"] in LONG]

OLD = names(EVERY, "settings")  # controls that came later are at their default


def _same(found, number, part):
    rounding = part == "lines" and 0.0 < number[2] < 1e-9  # a logarithmic axis leaves out what is 0
    return found[rounding:] == pytest.approx(number[rounding:], rel=2e-3, abs=1e-6)


@pytest.mark.parametrize("entry", mostly_slow(EVERY, QUICK), ids=[entry["name"] for entry in EVERY])
def test_an_old_link_shows_what_it_showed(entry):
    now = of_page(healthy(open_page(entry["page"], **entry["link"])))
    shows, expected = restricted(now, EVERY), entry["shows"]
    assert shows["settings"] == expected["settings"]
    assert all(REGISTRY[name].usual == now["settings"][name] for name in now["settings"].keys() - OLD)
    assert (shows["notes"], shows["moments"]) == (expected["notes"], expected["moments"])
    assert set(shows["pictures"]) == set(expected["pictures"])
    for name, parts in expected["pictures"].items():
        for part, numbers in parts.items():
            found = shows["pictures"][name][part]
            if entry["page"] == "pages/losses.py" and part == "lines":  # the curves of later losses lie between
                rest = iter(found)
                found = [next((one for one in rest if _same(one, number, part)), number[:0]) for number in numbers]
            for one, number in zip(found, numbers, strict=True):
                assert _same(one, number, part), (name, part)


def test_a_record_that_is_written_again_holds_no_control_that_came_later():
    entry = EVERY[0]
    now = {"settings": {"later": 1}, "pictures": {"new": {}}}
    later = {part: entry["shows"][part] | new for part, new in now.items()}
    assert restricted(entry["shows"] | later, EVERY) == entry["shows"]


def test_the_list_is_long_and_reaches_every_page():
    assert len(EVERY) >= 40
    assert len({entry["page"] for entry in EVERY}) == 7
