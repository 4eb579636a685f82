"""Arrows go one way, pages stay paragraphs, and the core knows no screen."""

import ast
import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import svmcore
from svmcore.solvers import planar_steps

ROOT = Path(__file__).parents[1]
SHARED = ROOT / "pages" / "shared"
CORE = [
    f"{package}.{module}" if module else package
    for package, modules in re.findall(r"^    (\w+) *((?:[\w ]|\n {16})*)$", svmcore.__doc__, re.MULTILINE)
    for module in modules.split() or [""]
]
# the modules of pages/shared, files and folders: each may import those before it
SHARED_ORDER = [
    "palette", "tables", "memory", "traffic", "delivery", "bundle", "warm", "callbacks", "carried", "jobs", "files",
    "points", "rooms", "choices", "studies", "lessons", "figures", "plane", "session", "controls", "parts", "live",
    "frame",
]  # fmt: skip
NO_STREAMLIT = ("palette", "tables", "files", "points", "rooms", "choices", "studies", "lessons", "figures")
NO_PLOTLY = ("files", "points", "rooms", "choices", "studies", "lessons")
PAGES = [ROOT / "home.py", *sorted(p for p in (ROOT / "pages").glob("*.py") if p.stem != "__init__")]


def imports(path):
    """Full names of everything that a file imports, `from a import b` as a.b."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_path(name):
    return (ROOT / "svmcore" / Path(*name.split("."))).with_suffix(".py")


def within(imported, name):
    return imported == f"svmcore.{name}" or imported.startswith(f"svmcore.{name}.")


def test_the_reading_order_names_every_module_of_the_core():
    found = {p for p in (ROOT / "svmcore").rglob("*.py") if p.name != "__init__.py"}
    assert found == {module_path(name) for name in CORE} and len(CORE) == len(set(CORE))


@pytest.mark.parametrize("position, name", list(enumerate(CORE)), ids=CORE)
def test_the_core_imports_only_what_was_read_before(position, name):
    package = name.split(".")[0]
    later = CORE[position + 1 :]
    packages = {other.split(".")[0] for other in later} - {package}
    for imported in imports(module_path(name)):
        assert not imported.startswith(("streamlit", "plotly", "pages")), imported
        assert not [x for x in later if within(imported, x)], f"{name} imports {imported}"
        assert not [x for x in packages if within(imported, x)], f"{name} imports {imported}"


def test_importing_the_core_loads_no_screen():
    code = "import sys, svmcore; print([m for m in ('streamlit', 'plotly') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def files_of(module):
    return [SHARED / f"{module}.py"] if (SHARED / f"{module}.py").exists() else sorted((SHARED / module).rglob("*.py"))


def modules_imported(file):
    """The modules of pages/shared that a file imports, wherever in it the import stands."""
    for imported in imports(file):
        if imported.startswith("pages.shared."):
            yield imported.split(".")[2]


def test_the_order_names_every_module_of_the_pages():
    modules = {p.stem for p in SHARED.iterdir() if p.suffix == ".py" or any(p.glob("*.py"))} - {"__init__"}
    assert modules == set(SHARED_ORDER)


def test_the_manual_names_every_folder_of_the_pages_in_order():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.partition("\n## Imports go one way\n")[2].partition("\n## ")[0]
    folders = [module for module in SHARED_ORDER if (SHARED / module).is_dir()]
    assert re.findall(r"^- `(\w+)`: ", section, re.MULTILINE) == folders[::-1]
    pure = re.search(r"^(.*) know no Streamlit and no Plotly\.$", section, re.MULTILINE)[1]
    assert set(re.findall(r"`(\w+)`", pure)) == set(NO_PLOTLY) & set(folders)


def test_what_the_manual_names_is_there():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?)`", text)
    assert len(paths) > 30 and [path for path in paths if not (ROOT / path).exists()] == []
    beside = {path.name for path in SHARED.glob("*.py")} - {"__init__.py"}
    assert beside <= set(re.findall(r"`(?:[\w/]+/)?(\w+\.py)`", text))


@pytest.mark.parametrize("position, module", list(enumerate(SHARED_ORDER)), ids=SHARED_ORDER)
def test_arrows_go_one_way_in_the_pages(position, module):
    for file in files_of(module):
        above = set(modules_imported(file)) - set(SHARED_ORDER[: position + 1])
        assert not above, f"{file.relative_to(ROOT)} imports {above}"


def test_the_pages_stand_on_nine_floors():
    """A module stands one floor above the highest one that it imports."""
    floors = {}
    for module in SHARED_ORDER:
        below = {floors[other] for file in files_of(module) for other in modules_imported(file) if other != module}
        floors[module] = 1 + max(below, default=0)
    assert max(floors.values()) <= 9, floors


@pytest.mark.parametrize("module", NO_STREAMLIT)
def test_what_is_pure_knows_no_streamlit(module):
    for file in files_of(module):
        assert not [x for x in imports(file) if x.startswith("streamlit")], file


@pytest.mark.parametrize("module", NO_PLOTLY)
def test_arrays_know_no_pictures(module):
    for file in files_of(module):
        assert not [x for x in imports(file) if x.startswith("plotly")], file


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


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_is_visible_before_anything_heavy_is_imported(path):
    """Imports beside those of the preparation would also load the same modules in two threads at once."""
    before = path.read_text().partition("frame.begin(")[0]
    assert [line for line in before.splitlines() if "import" in line] == ["from pages.shared import frame"]


def test_only_session_caches_data():
    users = [p.name for p in (ROOT / "pages").rglob("*.py") if "st.cache_data" in p.read_text()]
    assert users == ["session.py"]


CALLED = re.compile(r"act|on_click|on_\w*change|on_pick")


def _handed_over(node):
    """What a call hands over to be called before a run."""
    if isinstance(node, ast.Call):
        yield from (keyword.value for keyword in node.keywords if CALLED.fullmatch(keyword.arg or ""))
        if isinstance(node.func, ast.Attribute) and node.func.attr == "reading":
            yield from node.args[:1]


def _of_the_session(node):
    """The key with which an expression reads st.session_state, None for another expression."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        holder, key = node.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        holder, key = node.func.value, node.args[0]
    else:
        return None
    return key if ast.unparse(holder) in ("st.session_state", "state") else None


def test_no_callback_reads_a_widget_from_the_session():
    """The widget may be that of another page, or gone: `callbacks` gives the values, and hears of changes."""
    trees = {path: ast.parse(path.read_text()) for path in [*PAGES, *SHARED.rglob("*.py")]}
    calls = [(path, node) for path, tree in trees.items() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    keys = {ast.unparse(k.value) for _, node in calls for k in node.keywords if k.arg == "key"}
    found = 0
    for path, call in calls:
        for keyword in call.keywords:
            if keyword.arg == "on_change" and path.stem != "callbacks":
                assert ast.unparse(keyword.value) == "'rerun'", f"{path}: {ast.unparse(call)[:80]}"
        names = {part.id for value in _handed_over(call) for part in ast.walk(value) if isinstance(part, ast.Name)}
        for function in (node for node in trees[path].body if isinstance(node, ast.FunctionDef) and node.name in names):
            found += 1
            read = [ast.unparse(key) for key in map(_of_the_session, ast.walk(function)) if key is not None]
            assert not keys & set(read), f"{path.relative_to(ROOT)}: {function.name} reads {read}"
    assert found > 20


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
    """numba's disk cache does not notice edits in an imported file: no compiled function may call one from another.

    The loop of `planar_steps` does, in whose rounds a call from Python would take as long as what it calls; it names
    these files by their content, and so changes with them.
    """
    calls = {"planar_steps.py": {Path(name).stem for name in planar_steps.CALLED}}
    digests = {
        name: hashlib.sha256((ROOT / "svmcore" / name).read_bytes()).hexdigest()[:8] for name in planar_steps.CALLED
    }
    assert digests == planar_steps.CALLED, "write the digests of these files into planar_steps"
    compiled = [p for p in (ROOT / "svmcore").rglob("*.py") if "njit" in p.read_text()]
    names = {str(p.relative_to(ROOT / "svmcore")) for p in compiled}
    assert names == {
        "finite.py",
        "duals.py",
        "solvers/pair_updates.py",
        "solvers/arrangement.py",
        "solvers/planar_steps.py",
        "solvers/semismooth.py",
        "solvers/cells.py",
        "solvers/warm.py",
        "solvers/active_set_steps.py",
        "solvers/admm_steps.py",
        "solvers/local_search.py",
        "solvers/descent.py",
        "kernels/gaussian.py",
        "kernels/inner.py",
        "kernels/chebyshev.py",
        "kernels/rows.py",
        "solvers/coordinate.py",
    }
    for path in compiled:
        tree = ast.parse(path.read_text())
        own = {x.asname or x.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for x in n.names}
        elsewhere = {x.rsplit(".", 1)[-1] for x in imports(path) if x.startswith("svmcore")} & own
        functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and _is_compiled(n)]
        used = {n.id for function in functions for n in ast.walk(function) if isinstance(n, ast.Name)}
        assert used & elsewhere == calls.get(path.name, set()), path.name
    assert not [x for x in imports(ROOT / "svmcore/status.py") if x.startswith("svmcore")]


def _is_compiled(function):
    """Decorated with njit, by itself or as `compiled`."""
    names = {n.id for d in function.decorator_list for n in ast.walk(d) if isinstance(n, ast.Name)}
    return bool(names & {"njit", "compiled"})


def test_the_first_start_asks_nothing_and_sends_nothing():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["browser"]["gatherUsageStats"] is False and config["server"]["showEmailPrompt"] is False
    assert config["server"]["maxUploadSize"] == 20 and config["runner"]["postScriptGC"] is False
    assert config["server"]["fileWatcherType"] == "none"
