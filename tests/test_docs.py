"""The manual: generated parts are up to date, code prints what stands below it, links lead somewhere, numbers hold."""

import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import svmcore
from docs import picture, tables
from pages.shared.controls.machines import MOST_COMPARED
from pages.shared.figures import palette
from pages.shared.files.table import MOST_COLUMNS, MOST_ROWS
from pages.shared.lessons import own
from pages.shared.page import page
from pages.shared.panels import tuning_panel
from pages.shared.papers.stored_results import PAPERS
from pages.shared.screen import own_points
from pages.shared.screen.schema import RACE
from pages.shared.studies import contaminated, manual
from pages.shared.studies.scenes import SCENES
from svmcore import losses
from svmcore.losses import regression
from svmcore.losses.registry import GROUPS
from svmcore.solvers.box_dual import smo_plain
from svmcore.status import Status
from svmcore.tuning import proposals

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
FILES = sorted((ROOT / "docs").glob("*.md"))
EVERY = [README, *FILES]
BLOCK = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```\n", re.M | re.S)
every_file = pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)


def manual_text(key):
    return (ROOT / "docs" / f"{key}.md").read_text(encoding="utf-8")


def words(path):
    """The text of a file without its code, and the claims below it."""
    code = r"^```.*?^```\n|`[^`\n]+`|^<!-- claims.*?^-->"
    return re.sub(code, "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(path):
    """The addresses of the headings of a file, as GitHub and Streamlit make them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(path):
    """(file, anchor) of every relative link and picture of a file."""
    for target in re.findall(r"\]\(([^)\s]+)\)", words(path)):
        if not target.startswith("https:"):
            place, _, anchor = target.partition("#")
            yield (path.parent / place).resolve() if place else path, anchor


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_generated_parts_are_up_to_date(path):
    text = path.read_text(encoding="utf-8")
    assert text == tables.fill(text), "run `python -m docs`"


def test_every_generated_part_is_in_the_manual():
    found = [name for path in FILES for _, name, _ in tables.PART.findall(path.read_text(encoding="utf-8"))]
    assert sorted(found) == sorted(tables.PARTS)


def test_the_picture_is_up_to_date_and_has_the_colours_of_the_app():
    """Numbers may differ in the last digit that is written: solvers end within a tolerance."""
    numbers = re.compile(r"(?<![#\w])-?\d+\.\d")
    stored, made = (ROOT / "docs" / "flipped_labels.svg").read_text(encoding="utf-8"), picture.svg()
    assert numbers.sub("", stored) == numbers.sub("", made), "run `python -m docs`"
    assert [float(x) for x in numbers.findall(stored)] == pytest.approx(
        [float(x) for x in numbers.findall(made)], abs=0.11
    )
    assert len(stored) < 150_000
    for style, theme in zip(picture.STYLE.split("@media"), ("light", "dark"), strict=True):
        assert len(colours := set(re.findall(r"#\w{6}", style))) == 6 and colours <= set(palette.THEMES[theme].values())


CODE = [
    (path, number, *code)
    for path in FILES
    for number, code in enumerate(BLOCK.findall(path.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize(
    "path, number, code, printed", CODE, ids=[f"{path.stem}-{number}" for path, number, *_ in CODE]
)
def test_code_prints_what_stands_below_it(path, number, code, printed, capsys):
    exec(code, {})
    assert capsys.readouterr().out == printed


@every_file
def test_python_in_the_manual_is_followed_by_what_it_prints(path):
    text = path.read_text(encoding="utf-8")
    printed = len(re.findall(r"^```python\n.*?^```\n+(?:prints\n+)?```text\n", text, re.M | re.S))
    assert printed == len(re.findall(r"^```python$", text, re.M))


@every_file
def test_links_lead_somewhere(path):
    for target, anchor in links(path):
        assert target.exists(), target
        assert not anchor or anchor in anchors(target), f"{target.name}#{anchor}"


def test_every_file_is_reached_from_the_readme():
    reached, new = set(), {README}
    while new:
        reached |= new
        new = {target for path in new if path.suffix == ".md" for target, _ in links(path)} - reached
    assert {path.resolve() for path in (ROOT / "docs").iterdir() if path.suffix in (".md", ".svg")} <= reached


def test_the_readme_lists_the_manual():
    assert list(manual.subjects()) == [*dict.fromkeys(manual.subjects())] and manual.GLOSSARY in manual.subjects()
    assert set(manual.subjects()) - {manual.GLOSSARY} == {path.stem for path in FILES}
    for key, title in manual.subjects().items():
        if key != manual.GLOSSARY:
            assert manual_text(key).startswith(f"# {title}\n")


def test_every_page_is_described():
    sections = re.findall(r"^## ([^\n]+)\n\n(.*?)(?=^## |\Z)", manual_text("pages"), re.M | re.S)
    assert [title for title, _ in sections] == [label for label, _ in page.MENU.values()]
    titles = {scene.title for scene in SCENES.values()}
    for title, text in sections:
        tried = re.search(r"^\*Try first:\* (.+?)\n\n", text + "\n", re.M | re.S)[1]
        assert text.startswith("**Shows** ") and set(re.findall(r"\*\*(.+?)\*\*", tried)) <= titles, title


@every_file
def test_the_files_that_a_text_names_are_there(path):
    named = re.findall(
        r"`((?:pages|svmcore|tests|docs|deploy|data)/[\w/]*(?:\.\w+)?)`", path.read_text(encoding="utf-8")
    )
    recipes = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").glob("test_recipes*.py"))
    assert [file for file in named if not (ROOT / file).exists() and file not in recipes] == []  # which make the others


def test_the_tests_that_a_recipe_names_are_there():
    """The recipes themselves run among the slow tests; some write the test that they name."""
    paths = [ROOT / "docs" / "internals.md", *(ROOT / "tests").rglob("test_*.py")]
    recipes, others = (
        "".join(p.read_text("utf-8") for p in paths if ("recipes" in p.stem) is one) for one in (True, False)
    )
    assert [name for name in re.findall(r'"(test_\w+)', recipes) if f"def {name}" not in others] == []


def test_what_travels_passes_the_places_that_the_manual_names():
    rows = re.findall(r"^\| .+ \| `([\w/]+\.\w+)` \| `(\w+)` \|$", manual_text("internals"), re.M)
    assert len(rows) > 15
    definition = r"(?:def|class|function) {0}\b|^  #?{0}\("
    for path, name in rows:
        source = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(definition.format(name), source, re.M), f"{path} does not define {name}"


def test_private_words_are_few_and_in_use():
    section = manual_text("architecture").partition("\n## Private words\n")[2].partition("\n## ")[0]
    known = re.findall(r"^- \*\*([\w-]+)\*\*: .+\.$", section, re.M)
    assert known == sorted(set(known)) and 20 < len(known) == section.count("\n- ") <= 35
    sources = [
        path.read_text(encoding="utf-8").lower() for top in ("pages", "svmcore") for path in ROOT.glob(f"{top}/**/*.py")
    ]
    for word in known:
        near = [source for source in sources if word in source]
        assert sum(bool(re.search(rf"\b{word}s?\b", source)) for source in near) >= 3, f"{word} has gone"


def test_labels_are_those_of_the_screen():
    """What the manual quotes ("Your own points") or sets in italics (*Play*) stands on a page."""
    sources = [*ROOT.glob("pages/**/*.py"), *ROOT.glob("pages/**/*.html"), ROOT / "home.py"]
    screen = "".join(path.read_text(encoding="utf-8") for path in sources)
    text = " ".join(" ".join(words(path).split()) for path in FILES)
    labels = re.findall(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)", text) + re.findall(r'"([A-Z][^"]+)"', text)
    assert len(labels) > 10 and {label for label in labels if label not in screen} == {"Try first", "Try first:"}


def test_every_loss_and_status_is_in_the_manual():
    machines, solvers = manual_text("machines"), manual_text("solvers")
    named = re.findall(r"^### (.+): `(\w+)`$", machines, re.M)
    by_group = sorted(losses.LOSSES.values(), key=lambda loss: list(GROUPS).index(loss.group))
    every = [*by_group, *regression.LOSSES.values()]
    assert named == [(loss.machine, loss.key) for loss in every]
    assert all(machines.count(f"t) = {loss.latex}\n") for loss in losses.LOSSES.values())
    curves = {
        "epsilon_insensitive": r"\max(0,\, |r| - \varepsilon)",
        "least_squares": r"\tfrac{1}{2}\, r^2",
        "least_absolute": "|r|",
        "welsch": r"\tfrac{1}{2}\, s^2\, (1 - e^{-r^2 / s^2})",
        "hawkeye": regression.hawkeye.latex,
    }
    assert all(machines.count(f"r) = {curves[key]}\n") for key in regression.LOSSES)
    assert set(Status) == set(re.findall(r"^\| (.+) \| (?:yes|no) \|$", solvers, re.M))


def test_numbers_in_prose_are_those_of_the_code():
    points, pages, python, papers_page, teaching = (
        " ".join(words(ROOT / "docs" / f"{key}.md").split())
        for key in ("points", "pages", "python", "papers", "teaching")
    )
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    megabytes = config["server"]["maxUploadSize"]
    assert f"{MOST_ROWS} points, {MOST_COLUMNS} columns and {megabytes} MB" in points
    assert f"{own.MOST['prompt']} prompts, {own.MOST['loss']} machines at a time, C up to {own.LARGEST_C:g}" in teaching
    least = f"and {own.POINTS} points. It is {own.SLOW_POINTS} points"
    assert least in teaching and f"{own.MANY_POINTS} where many machines are fitted" in teaching
    assert f"{own.MAP_POINTS} where the most harmful" in teaching
    assert f"the {own_points.MOST_SETS} sets used last" in points and f'"{own_points.TITLE}"' in points
    spelt = {2: "two", 4: "four", 5: "five", 6: "six", 20: "twenty"}
    assert f"two to {spelt[MOST_COMPARED]} machines" in pages and f"two to {spelt[RACE.most]} solvers" in pages
    assert f"over {spelt[contaminated.SEEDS]} draws" in pages
    assert f"with {spelt[proposals.STARTERS]} chains" in python and f"the {spelt[tuning_panel.SHOWN]} best" in python
    assert f"{spelt[len(PAPERS)]} papers" in papers_page and f"{spelt[len(PAPERS)]} papers" in README.read_text(
        encoding="utf-8"
    )
    assert f"Its {spelt[len(svmcore.__all__)]} estimators" in python
    lines = inspect.getsource(smo_plain.minimise).split('"""')[2].strip().splitlines()
    assert "a solver of about twenty lines" in manual_text("architecture") and 15 <= len(lines) <= 25


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_needs_no_network(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    pages = {path.stem: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.html")}
    assert {path.stem for path in FILES} | {"index", "api"} <= set(pages)
    for name, text in pages.items():
        assert "```" not in text, name
        assert not re.findall(r"<(?:script|img|iframe)[^>]+src=.?https?:|<link[^>]+stylesheet[^>]+https?:", text), name
        assert "$" not in re.sub(r"<(pre|code|script|style).*?</\1>", "", text, flags=re.S), name
    assert "<math" in pages["machines"] and 'alt="Three machines' in pages["index"]
    for name in svmcore.__all__:
        assert f'id="svmcore.{name}' in pages["api"]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path, capsys):
    names = {}
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert sum(bool(cell.get("outputs")) for cell in cells) >= 3
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
            assert capsys.readouterr().out == "".join(line for shown in cell["outputs"] for line in shown["text"])
