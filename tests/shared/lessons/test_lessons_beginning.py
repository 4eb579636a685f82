"""The chapter before the lessons: no term before it is shown, and what its texts say is what its pictures have."""

import re

import numpy as np
import pytest

from pages.shared.lessons import beginning
from pages.shared.lessons.beginning import HARD, KEY, SVM, ChapterScreen
from pages.shared.screen import edits
from pages.shared.studies import glossary
from pages.shared.studies.source import Source

SECTIONS = beginning.chapter()["section"]
SOURCE = Source()
ALSO_KNOWN = {"hinge loss", "kernel width"}  # terms of the glossary that are shown under a shorter name


def screen(key, **values):
    found = ChapterScreen(**values).replace("step", [section["key"] for section in SECTIONS].index(key))
    return found._replace(**values)


def shown(key, **values):
    at = screen(key, **values)
    return beginning.pictures(SOURCE, at), at


def study(key, **values):
    return shown(key, **values)[0].studies[0]


def width(of):
    return 2 / np.linalg.norm(of.w)


def test_no_term_is_used_before_it_is_shown():
    known = set()
    for section in SECTIONS:
        known |= set(section["shows"])
        text = f"{section['title']} {section['text']} {section.get('control', {}).get('label', '')}"
        plain = re.sub(r"support vector machine|[*{}]", "", text)
        for term in {*glossary.TERMS, *(term for other in SECTIONS for term in other["shows"])} - known - ALSO_KNOWN:
            assert not re.search(rf"(?<!\w){re.escape(term)}s?(?!\w)", plain), (section["key"], term)
        assert all(term in text for term in section["shows"]), section["key"]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section["key"])
def test_each_section_has_its_picture_and_its_numbers(section):
    drawn, at = shown(section["key"])
    named = set(re.findall(r"\{(\w+)\}", section["text"]))
    assert named <= drawn.numbers.keys() and len(section["text"].split()) < 125
    assert drawn.figures[KEY].alt and "key" not in drawn.figures[KEY].layout["meta"]
    if control := section.get("control"):
        name, low, high = control["name"], 10.0 ** control["low"], 10.0 ** control["high"]
        assert name in named and at.replace(name, low) != at and beginning.LIMITS[name] == (low, high)


def test_only_a_point_that_holds_the_strip_moves_it():
    begins = study("support")
    held = int(np.flatnonzero(begins.points.alpha)[0])
    free = int(np.argmax(begins.points.margin))
    assert begins.numbers.n_support == 3 and width(begins) > 3
    step = edits.steps(begins.points.X)
    for row, moves in ((free, False), (held, True)):
        place = begins.points.X[row] * 0.96
        rows = [[row, edits.MOVED, *(round(value / 10.0**power) for value, power in zip(place, step, strict=True))]]
        data = beginning.CLOUDS._replace(edits=edits.script(step, rows))
        now = study("support", data=data)
        assert (abs(width(now) - width(begins)) > 1e-3) == moves


def test_where_no_strip_is_free_the_text_says_so():
    begins = study("margin")
    row = int(np.argmax(begins.points.margin))
    data = beginning.CLOUDS._replace(edits=edits.script(edits.steps(begins.points.X), [[row, edits.FLIPPED, 0, 0]]))
    assert shown("margin", data=data)[0].numbers["width"].startswith("0, because")
    assert shown("support", data=data)[0].numbers["holding"].startswith("there are none")
    for key in ("margin", "support"):  # nor does the picture show one
        drawn = shown(key, data=data)[0].figures[KEY]
        assert all(trace["name"].startswith("points") for trace in drawn.traces), key
    assert shown("lines", data=data)[0].numbers["lines"] == "0"
    drawn = shown("lines", data=data)[0].figures[KEY].traces
    assert not any(len(trace["x"]) for trace in drawn if trace["name"] == "lines")


def test_the_lines_separate_the_classes():
    points = study("lines").points
    normals, offsets = beginning.separating_lines(points)
    assert shown("lines")[0].numbers["lines"] == str(len(offsets)) and 5 < len(offsets) < beginning.TRIED
    for normal, offset in zip(normals, offsets, strict=True):
        sides = np.sign(points.X @ normal - offset)
        assert {*sides * points.y} in ({1.0}, {-1.0})


def test_slack_is_as_long_as_it_is_drawn_and_the_hard_margin_narrow():
    soft = study("slack")
    trace = next(trace for trace in shown("slack")[0].figures[KEY].traces if trace["name"] == "slack")
    ends = np.column_stack([trace["x"], trace["y"]]).reshape(-1, 3, 2)
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    late = soft.points.slack[soft.points.slack > 1e-2]
    assert lengths == pytest.approx(late * width(soft) / 2) and (soft.points.slack > 1).sum() == 1
    hard = SOURCE.fit(screen("slack").data, SVM, screen("slack").setting._replace(C=HARD))
    assert hard.points.slack.max() < 1e-2 and width(hard) < width(soft) / 3


def test_c_trades_width_for_slack_and_sigma_islands_for_a_line():
    found = [study("price", C=C) for C in (0.01, 0.1, 1.0, 10.0, 100.0)]
    assert sorted(map(width, found), reverse=True) == list(map(width, found))
    total = [one.points.slack.sum() for one in found]
    assert sorted(total, reverse=True) == total and total[-1] < total[0] / 10
    narrow, good, wide = (study("width", sigma=sigma).numbers for sigma in (0.04, 0.5, 30.0))
    assert narrow.train_error == 0 and narrow.test_error > 0.15 and good.test_error < 0.05
    assert wide.train_error > 0.25 and wide.test_error > 0.25


def test_no_support_value_exceeds_c_however_far_a_point_lies():
    begins = study("value")
    row, step = int(np.argmax(begins.points.slack)), edits.steps(begins.points.X)
    data = beginning.STRAYED._replace(
        edits=edits.script(step, [[row, edits.MOVED, *(round(-2 / 10.0**p) for p in step)]])
    )
    far = study("value", data=data)
    assert far.points.slack.max() > begins.points.slack.max() + 0.5
    assert far.points.alpha.max() == pytest.approx(begins.points.alpha.max()) == 1.0


@pytest.mark.parametrize("name, value", [("step", 10), ("step", 0.5), ("C", 1e3), ("sigma", 0), ("width", 1)])
def test_what_no_text_sends_is_refused(name, value):
    with pytest.raises(ValueError, match="has (step|C|sigma|width) = "):
        ChapterScreen().replace(name, value)


def test_a_section_with_the_same_points_keeps_what_was_dragged():
    moved = ChapterScreen(data=beginning.CLOUDS._replace(edits=edits.script((-2, -2), [[3, edits.FLIPPED, 0, 0]])))
    assert moved.replace("step", 3).data == moved.data
    assert moved.replace("step", 4).data == beginning.STRAYED and moved.replace("step", 6).data == beginning.RINGS
