"""Arrows go one way, pages stay paragraphs, and the core knows no screen."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = [
    "losses.registry",
    "losses.piecewise",
    "losses.smooth",
    "losses.truncated",
    "losses",
    "regression_losses",
    "gaussian",
    "kernels",
    "rows",
    "duals",
    "solvers.smo",
    "solvers.sphere",
    "solvers.linear_system",
    "solvers.held_out",
    "solvers.decomposition",
    "solvers.interior_point",
    "solvers.polish",
    "solvers.convex",
    "solvers.doubled",
    "solvers.trace",
    "solvers.starts",
    "solvers.smooth",
    "solvers.cccp",
    "solvers.forms",
    "solvers.admm",
    "solvers.margins",
    "solvers.zero_one",
    "solvers.sparse",
    "solvers.machines",
    "solvers.coordinate",
    "solvers.walk",
    "estimators.base",
    "estimators.machines",
    "estimators.sparse",
    "estimators.one_norm",
    "estimators",
    "grid",
    "watch.words",
    "watch.pairs",
    "watch.linear",
    "watch.path",
    "watch.cuts",
    "watch.windows",
    "watch.deaths",
    "watch.registry",
    "watch.curves",
    "watch.race",
    "outliers",
    "problems.registry",
    "problems.tables",
    "problems.planar",
    "problems.curves",
    "problems.features",
    "problems.fetched",
    "problems.benchmarks",
    "problems.__main__",
    "problems",
    "robustness",
    "influence",
    "tuning.records",
    "tuning.walks",
    "tuning.criteria",
    "tuning.search",
    "tuning",
    "papers.table",
    "papers.work",
    "papers.experiment",
    "papers.sets",
    "papers.ls_svm",
    "papers.least_1_norm",
    "papers.isls",
    "papers.l01",
    "papers.walk",
    "papers.claims",
    "papers.claims_dense",
    "papers.claims_sparse",
    "papers.__main__",
    "papers",
]
PACKAGES = ("losses", "estimators", "problems", "tuning", "papers")
SHARED_PURE = [
    "figures",
    "files",
    "palette.py",
    "choices.py",
    "edits.py",
    "own.py",
    "sheet.py",
    "record.py",
    "study.py",
    "support.py",
    "approach.py",
    "loss_curves.py",
    "regression_study.py",
    "snippet.py",
    "scenes.py",
    "background.py",
    "results.py",
    "paper_models.py",
]
PAGES = [ROOT / "app.py", *sorted(p for p in (ROOT / "pages").glob("*.py") if p.stem != "__init__")]


def imports(path):
    """Full names of everything that a file imports, `from a import b` as a.b."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_path(name):
    path = ROOT / "svmcore" / Path(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def test_the_reading_order_names_every_module_of_the_core():
    found = {p for p in (ROOT / "svmcore").rglob("*.py") if p.name != "__init__.py"}
    assert found == {module_path(name) for name in CORE} - {module_path(name) for name in PACKAGES}


@pytest.mark.parametrize("position, name", list(enumerate(CORE)), ids=CORE)
def test_the_core_imports_only_what_was_read_before(position, name):
    for imported in imports(module_path(name)):
        assert not imported.startswith(("streamlit", "plotly", "pages")), imported
        later = [x for x in CORE[position:] if imported == f"svmcore.{x}" or imported.startswith(f"svmcore.{x}.")]
        assert not later or name.startswith(PACKAGES), f"{name} imports {imported}"


def test_importing_the_core_loads_no_screen():
    code = "import sys, svmcore; print([m for m in ('streamlit', 'plotly') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", SHARED_PURE)
def test_what_is_pure_knows_no_streamlit(name):
    path = ROOT / "pages" / "shared" / name
    for file in path.rglob("*.py") if path.is_dir() else [path]:
        assert not [x for x in imports(file) if x.startswith("streamlit")], file


def test_figures_neither_fit_nor_score():
    for file in (ROOT / "pages" / "shared" / "figures").glob("*.py"):
        assert not [x for x in imports(file) if x.startswith(("svmcore", "sklearn"))], file


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_is_a_paragraph(path):
    source = path.read_text()
    assert len(source.splitlines()) <= 80
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    assert not [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    assert "frame.begin(" in source


def test_only_session_caches_data():
    users = [p.name for p in (ROOT / "pages").rglob("*.py") if "st.cache_data" in p.read_text()]
    assert users == ["session.py"]


def test_nothing_is_fetched_from_outside():
    for path in [
        *ROOT.glob("pages/**/*.js"),
        *ROOT.glob("pages/**/*.css"),
        *ROOT.glob("pages/**/*.html"),
        *PAGES,
    ]:
        text = path.read_text().replace("http://www.w3.org/", "")
        assert "http://" not in text and "https://" not in text, path


def test_compiled_solvers_stand_in_one_file():
    """numba's disk cache does not notice edits in an imported file: no compiled function may call one from another."""
    compiled = [p for p in (ROOT / "svmcore").rglob("*.py") if "njit" in p.read_text()]
    assert {p.name for p in compiled} == {"smo.py", "gaussian.py", "rows.py", "coordinate.py"}
    assert not [x for x in imports(ROOT / "svmcore/solvers/smo.py") if x.startswith("svmcore")]
    assert not [x for x in imports(ROOT / "svmcore/gaussian.py") if x.startswith("svmcore")]
    assert not [x for x in imports(ROOT / "svmcore/solvers/coordinate.py") if x.startswith("svmcore")]
    assert {x for x in imports(ROOT / "svmcore/rows.py") if x.startswith("svmcore")} == {
        "svmcore.kernels.BLOCK_BYTES",
        "svmcore.kernels.slices",
    }


def test_the_first_start_asks_nothing_and_tells_nobody():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["browser"]["gatherUsageStats"] is False and config["server"]["showEmailPrompt"] is False
    assert config["server"]["maxUploadSize"] == 20 and config["runner"]["postScriptGC"] is False
