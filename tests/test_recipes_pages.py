"""The recipes for a section and for a page, carried out as written; a mistake is noticed by a test that names it."""

import re

import pytest
from recipes import Copy, block

MANUAL = "docs/internals.md"
STARTED = "test_every_page_answers_a_link_with_other_points[{}-moons]"
FIGURE, FIGURE_TEST = "pages/shared/figures/charts/margins.py", "tests/shared/figures/test_figures_margins.py"
pytestmark = pytest.mark.slow


def with_a_section(folder, old="", new=""):
    """A copy with the histogram of margins on Playground; old is replaced by new in what is written."""
    copy = Copy(folder)
    parts = {name: block(MANUAL, f"python section {name}") for name in ("figure", "import", "live", "page", "test")}
    if old:
        assert any(old in part for part in parts.values())
        parts = {name: part.replace(old, new, 1) for name, part in parts.items()}
    copy.write(FIGURE, parts["figure"])
    copy.write(FIGURE_TEST, parts["test"])
    pictures, page = "pages/shared/live/pictures.py", "pages/playground.py"
    first = "from pages.shared.figures.charts.spectrum import spectrum_figure\n"
    copy.replace(pictures, first, parts["import"] + first)
    (last,) = re.findall(r'^        shown\["on_loss"\] = .*\n', copy.read(pictures), re.M)
    copy.replace(pictures, last, last + parts["live"])
    copy.replace(page, "    points_table.editor(data)\n", "    points_table.editor(data)\n" + parts["page"])
    return copy


def section_failures(copy, which="margins or ((every_page or held_control) and playground)"):
    """The failed tests of those that belong to the section."""
    where = (FIGURE_TEST, "tests/pages/test_pages.py", "tests/pages/test_live_channel.py")
    return copy.failures(*where, "-k", which)


def with_a_page(folder):
    copy = Copy(folder)
    copy.write("pages/support_values.py", block(MANUAL, "python page"))
    menu = '    "pages/compare.py": ('
    copy.replace("pages/shared/page/page.py", menu, block(MANUAL, "python page menu") + menu)
    copy.replace("README.md", "- **Compare**: ", block(MANUAL, "text page line") + "- **Compare**: ")
    copy.replace("docs/pages.md", "## Compare\n", block(MANUAL, "text page section") + "\n## Compare\n")
    return copy


def page_failures(copy, which="every_page or is_described or a_page_is or support_values"):
    where = ("tests/pages/test_pages.py", "tests/test_docs.py", "tests/test_readme.py", "tests/test_architecture.py")
    return copy.failures(*where, "-k", which)


def test_a_section_in_four_files(tmp_path):
    assert section_failures(with_a_section(tmp_path)) == []


@pytest.mark.parametrize(
    "old, new, noticed",
    [
        ("np.sum(margin < 1.0)", "np.sum(margin < 0.0)", "test_the_bars_of_the_margins_count_the_points"),
        ("margins_figure(study.points.margin)", "margins_figure(study.f)", "test_the_margins_are_those_of_the_machine"),
        ("np.histogram(margin, BARS)", "np.histogram(-margin, BARS)", "test_the_bars_of_the_margins"),
        ('shown.figures["margins"]', 'shown.figures["margin"]', STARTED.format("pages/playground.py")),
    ],
)  # fmt: skip
def test_a_mistake_in_a_section_is_noticed(tmp_path, old, new, noticed):
    failures = section_failures(with_a_section(tmp_path, old, new), noticed)
    assert any(noticed in name for name in failures), failures


def test_a_page_in_four_files(tmp_path):
    assert page_failures(with_a_page(tmp_path)) == []


@pytest.mark.parametrize(
    "path, old, noticed",
    [
        ("README.md", "- **Support values**: ", "test_every_page_has_a_line"),
        ("docs/pages.md", "## Support values\n", "test_every_page_is_described"),
        (
            "pages/support_values.py",
            "study.bounds",
            STARTED.format("pages/support_values.py"),
        ),
    ],
)
def test_a_mistake_in_a_page_is_noticed(tmp_path, path, old, noticed):
    copy = with_a_page(tmp_path)
    copy.replace(path, old, "unknown")
    failures = page_failures(copy, noticed)
    assert any(noticed in name for name in failures), failures
