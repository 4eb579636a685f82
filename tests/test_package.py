"""The package: its lists of requirements, its version, its command."""

import io
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from sources import imports

import svmcore
from deploy import launch
from svmcore import problems

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def listed(file):
    """{name: line} of a list of requirements."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return {re.match(r"[\w.-]+", line)[0]: line for line in lines if line and not line.startswith("#")}


def test_the_package_asks_for_what_the_readme_installs():
    assert sorted(PROJECT["dependencies"] + PROJECT["optional-dependencies"]["app"]) == list(
        listed("requirements.txt").values()
    )
    assert PROJECT["optional-dependencies"]["dask"] == [listed("tests/requirements.txt")["distributed"]]


def test_every_package_that_is_imported_is_declared():
    ours = {"pages", "svmcore", "deploy", "docs", "home"} | sys.stdlib_module_names
    files = [
        ROOT / "app.py",
        ROOT / "home.py",
        *(p for top in ("pages", "svmcore", "deploy") for p in (ROOT / top).rglob("*.py")),
    ]
    imported = {name.partition(".")[0] for file in files for name in imports(file)}
    declared = {*listed("requirements.txt"), "distributed"}
    assert {{"sklearn": "scikit-learn", "PIL": "pillow"}.get(name, name) for name in imported - ours} == declared


def test_the_lock_holds_one_version_of_all_that_is_required():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    parts = re.split(r"\n(?=\w)", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    lock = {re.match(r"[\w.-]+", part)[0]: part.partition(" ")[0] for part in parts}
    digests = r"( \\\n    --hash=sha256:[0-9a-f]{64})+"
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+" + digests, part.strip()) for part in parts)
    for name, line in listed("requirements.txt").items():
        assert Requirement(line).specifier.contains(lock[name].partition("==")[2]), name


def test_the_version_is_the_same_everywhere_and_the_paper_cites_what_its_list_has():
    for file, line in {"CITATION.cff": "version: {}", "CHANGELOG.md": "## {}"}.items():
        assert line.format(svmcore.__version__) in (ROOT / file).read_text(encoding="utf-8").splitlines(), file
    cited = set(re.findall(r"@(\w+)", (ROOT / "paper.md").read_text(encoding="utf-8")))
    assert cited == set(re.findall(r"^@\w+\{(\w+),", (ROOT / "paper.bib").read_text(encoding="utf-8"), re.M))


def test_the_command_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(launch, "find_spec", lambda name: None if name == "plotly" else object())
    assert launch.main(["--no-browser"]) == 1
    said = capsys.readouterr().err
    assert "needs plotly, not found here. In the folder of the project, `pip install '.[app]'` adds what" in said


def test_the_help_of_the_command_names_all_that_it_does(capsys):
    with pytest.raises(SystemExit):
        launch.main(["--help"])
    words = capsys.readouterr().out.split()
    assert {*launch.DEPLOY, *launch.COMMANDS} <= set(words)
    with pytest.raises(SystemExit):
        launch.main(["paper"])
    assert "svm-lab {papers,problems,serve," in capsys.readouterr().err


@pytest.mark.parametrize("port", ["0", "65536", "-1", "abc"])
def test_a_port_that_does_not_exist_is_a_sentence(port, capsys, monkeypatch):
    monkeypatch.setattr(launch, "_start", lambda options: 0)
    with pytest.raises(SystemExit):
        launch.main(["--no-browser", "--port", port])
    assert f"a port is a whole number from 1 to 65535, got '{port}'" in capsys.readouterr().err
    assert launch.main(["--port", "8502"]) == 0


def test_the_command_computes_without_the_app_and_writes_in_any_encoding(capsys, monkeypatch):
    assert launch.main(["papers"]) == 0
    assert "walk.table2" in capsys.readouterr().out
    assert launch.main(["problems"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == problems.names()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "cp1251"))
    assert launch.main(["papers"]) == 0
    sys.stdout.flush()
    assert b"L?pez" in sys.stdout.buffer.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    "needed, spared",
    [
        ("import svmcore", "streamlit plotly"),
        (
            "from pages.shared.server import startup; startup._numba(); startup._pictures()",
            "scipy.optimize scipy.stats pandas",
        ),
    ],
)
def test_the_import_loads_no_other_machines(needed, spared):
    """sklearn.svm and sklearn.linear_model take a tenth of a second, and so do the papers, which few pages need.

    scipy.stats and pandas take a second together.
    """
    names = f"sklearn.svm sklearn.linear_model svmcore.papers {spared}".split()
    code = f"import sys; {needed}; print(*{{*{names}}} & {{*sys.modules}})"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=300
    )
    assert run.stdout.split() == []
