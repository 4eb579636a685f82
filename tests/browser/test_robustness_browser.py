"""The Robustness page in Chromium: a small study runs, is stopped and resumed; its pictures follow."""

import re

import numpy as np
import pytest
import waiting
from playwright.sync_api import expect

from svmcore.studies import contamination

pytestmark = pytest.mark.slow  # by default the page is tested without a browser, in test_robustness_page.py


def button(page, name):
    return page.get_by_role("button", name=name)


def nine(n=60):
    """A file of nine features and two classes."""
    rng = np.random.default_rng(1)
    y = rng.random(n) < 0.4
    rows = np.column_stack([rng.normal(size=(n, 9)) + 1.5 * y[:, None], y])
    return "\n".join([",".join([*"abcdefghi", "class"]), *(",".join(f"{x:.3f}" for x in row) for row in rows)])


def test_a_study_with_a_loaded_table_is_run_stopped_and_resumed(page, app):
    link = "tables=sonar&tested=hinge,ramp,roboss&spoilt=flip_farthest&repeats=2"
    waiting.open_page(page, f"{app}/robustness?{link}")
    button(page, "Load a table").click()
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(
        dict(name="nine.csv", mimeType="text/csv", buffer=nine().encode())
    )
    expect(page.get_by_text("nine.csv: 60 points. 9 features")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("No result is stored for this choice")).to_be_visible()
    button(page, "Run this study").click()
    button(page, "Stop this study").click()
    stopped = page.get_by_text(re.compile(r"Stopped after \d+ of 120 cells"))
    expect(stopped).to_be_visible()
    before = int(re.search(r"after (\d+)", stopped.inner_text())[1])
    assert before < 120
    button(page, "Resume this study").click()
    waiting.drawn(page, "errors")
    waiting.drawn(page, "heat")
    expect(button(page, "Stop this study")).to_have_count(0)
    waiting.drawn(page, "ranks")
    expect(page.get_by_text("2 tables, 2 splits each")).to_be_visible()
    expect(page.get_by_role("button", name="Table of the study (CSV)")).to_be_visible()
    assert len(waiting.figure(page, "ranks")["ranks"]["x"]) == 3
    assert "spoilt=flip_farthest" in page.url and "tables=sonar%2Cown" in page.url


def test_compare_leads_to_the_study_of_its_problem(page, app):
    waiting.opened(page, app + "/compare?losses=hinge,least_squares&n=2000&seed=1&problem=moons&C=3", "overlay")
    page.get_by_role("link", name="Robustness of these machines").click()
    expect(page.get_by_text("No result is stored for this choice")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/robustness\?.*tables=moons&.*tuned=given"))
    button(page, "Run this study").click()
    waiting.drawn(page, "errors")
    button(page, "Stop this study").click()
    expect(page.get_by_text(re.compile(r"Stopped after \d+ of 200 cells"))).to_be_visible()
    waiting.answered(page)  # a run puts new buttons in the place of the old
    with page.expect_download() as download:
        button(page, "Study (CSV)").click()
    about, rows = contamination.from_csv(download.value.path().read_text())[::-1]
    assert (
        about["kernel"] == "rbf"
        and about["n"] == "2000"
        and {row.machine for row in rows} == {"hinge", "least_squares"}
    )
    assert {row.C for row in rows} == {3.0}
