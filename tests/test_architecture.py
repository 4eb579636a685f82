"""Arrows go one way, pages stay paragraphs, and the core knows no screen."""

import ast
import re
import tomllib
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from sources import imports, nodes_of, tree_of

import svmcore

ROOT = Path(__file__).parents[1]
SHARED = ROOT / "pages" / "shared"
CORE_ORDER = re.findall(r"\w+", svmcore.__doc__.partition("before it:")[2])
# the folders of pages/shared: each may import those before it
SHARED_ORDER = [
    "files", "server", "screen", "studies", "page", "figures", "plane", "controls", "live", "papers", "panels",
    "lessons", "classroom",
]  # fmt: skip
# the same for what a page shows as arrays and what it is made of: folders without Streamlit, and without Plotly
NO_STREAMLIT = ("files", "screen", "studies", "figures")
NO_PLOTLY = ("files", "screen", "studies")
CORE_FILES = sorted(path for path in (ROOT / "svmcore").rglob("*.py") if path.stem != "__init__")
OURS = [path for top in ("pages", "svmcore", "deploy", "docs") for path in sorted((ROOT / top).rglob("*.py"))]
PAGES = [ROOT / "home.py", *sorted(p for p in (ROOT / "pages").glob("*.py") if p.stem != "__init__")]


@pytest.mark.parametrize("package, order", [("svmcore", CORE_ORDER), ("pages.shared", SHARED_ORDER)])
def test_a_room_imports_only_those_before_it(package, order):
    rooms = rooms_of(ROOT / package.replace(".", "/"))
    assert set(rooms) == set(order)
    for (room, other), files in arrows_between(rooms, package).items():
        assert order.index(other) < order.index(room), f"{files[0].relative_to(ROOT)} imports {other}"


def test_the_manual_lists_each_module_of_the_core_after_those_that_it_imports():
    manual = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    block = re.search(r"docs: reading_order -->\n\n```text\n(.*?)```", manual, re.S)[1]
    lines = [line.split() for line in re.sub(r"\n {12}", " ", block).splitlines()]
    order = [(package, name) for package, *names in lines for name in names or [package]]
    modules = {path.relative_to(ROOT / "svmcore").with_suffix("").parts: path for path in CORE_FILES}
    assert sorted(order) == sorted((name[0], name[-1]) for name in modules)
    for name, path in modules.items():
        used = [tuple(x.split(".")[1:]) for x in imports(path) if x.startswith("svmcore.")]
        for other in {*used, *(x[:-1] for x in used)} & modules.keys():
            assert order.index((other[0], other[-1])) < order.index((name[0], name[-1])), f"{name} imports {other}"


def rooms_of(folder):
    """What stands directly in a folder: {name of a file or folder: its Python files}."""
    rooms = {p.stem: [p] for p in folder.glob("*.py") if p.stem != "__init__"}
    return rooms | {p.name: sorted(p.rglob("*.py")) for p in folder.iterdir() if p.is_dir() and any(p.glob("*.py"))}


def arrows_between(rooms, package):
    """{(room, other): files of the room that import the other}, wherever in the file the import stands."""
    arrows = {}
    for room, files in rooms.items():
        for file in files:
            inside = {x.removeprefix(f"{package}.").split(".")[0] for x in imports(file) if x.startswith(f"{package}.")}
            for other in (inside & rooms.keys()) - {room}:
                arrows.setdefault((room, other), []).append(file)
    return arrows


def test_the_shared_house_is_small_enough_to_remember():
    """At most 14 rooms on 9 floors, 50 arrows from one room to another, no circle."""
    rooms = rooms_of(SHARED)
    arrows = arrows_between(rooms, "pages.shared")
    assert len(rooms) <= 14, sorted(rooms)
    below, floors = {room: {other for one, other in arrows if one == room} for room in rooms}, {}
    for room in TopologicalSorter(below).static_order():  # one floor above the highest one that it imports
        floors[room] = 1 + max((floors[other] for other in below[room]), default=0)
    assert max(floors.values()) <= 9
    assert len(arrows) <= 50, sorted(arrows)


@pytest.mark.parametrize("package", ["pages.shared", "svmcore", "deploy", "docs"])
def test_no_files_import_each_other_in_a_circle(package):
    folder = ROOT / Path(*package.split("."))
    names = {
        p: ".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for p in folder.rglob("*.py")
    }
    known = set(names.values())
    below = {
        name: {x if x in known else x.rpartition(".")[0] for x in imports(path)} & known - {name}
        for path, name in names.items()
    }
    assert len(list(TopologicalSorter(below).static_order())) == len(names) > 1


@pytest.mark.parametrize("top", ["pages", "svmcore", "deploy", "docs", "tests"])
def test_no_folder_holds_more_than_25_files(top):
    files = (path for path in (ROOT / top).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    counts = Counter(str(path.parent.relative_to(ROOT)) for path in files)
    assert not {folder: count for folder, count in counts.items() if count > 25}


def test_no_package_of_the_pages_only_repeats_names():
    for path in SHARED.rglob("__init__.py"):
        assert not list(imports(path)), f"{path.relative_to(ROOT)} repeats names of its modules: import these"


def test_the_manual_names_every_room_of_the_pages_in_order():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.partition("\n## Imports go one way\n")[2].partition("\n## ")[0]
    assert re.findall(r"^- `(\w+)`: ", section, re.MULTILINE) == SHARED_ORDER[::-1]
    pure = re.search(r"^(.*) know no Streamlit and no Plotly\.$", section, re.MULTILINE)[1]
    assert set(re.findall(r"`(\w+)`", pure)) == set(NO_PLOTLY)


@pytest.mark.parametrize(
    "files, unknown",
    [
        ("svmcore/**/*.py", ("streamlit", "plotly", "pages")),
        *((f"pages/shared/{room}/**/*.py", "streamlit") for room in NO_STREAMLIT),
        *((f"pages/shared/{room}/**/*.py", "plotly") for room in NO_PLOTLY),
        ("pages/shared/figures/*.py", ("svmcore", "sklearn", "random")),
    ],
)
def test_what_is_pure_knows_no_others(files, unknown):
    """The core and the arrays know no screen, and figures neither fit nor score."""
    found = {path: [name for name in imports(path) if name.startswith(unknown)] for path in ROOT.glob(files)}
    assert found and not any(found.values()), {path: names for path, names in found.items() if names}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_is_a_paragraph(path):
    source = path.read_text()
    assert len(source.splitlines()) <= 80, "put a part of it into a function in pages/shared/panels/"
    assert "://" not in source, "nothing is fetched from outside"
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    assert not [node for node in nodes_of(path) if isinstance(node, kinds)]
    document, imported, frame = tree_of(path).body  # all of the page stands inside its frame
    assert isinstance(frame, ast.With) and frame.items[0].context_expr.func.id == "page"
    # it is visible before anything heavy is imported, and no two threads import the same modules at once
    assert ast.unparse(imported) == "from pages.shared.page.page import page"


WRITTEN_IN_ONE_PLACE = {  # (kinds of files, expression): the files of pages/ that may have it
    # what sessions share is in `server.cache`, small results of pure code in `functools.lru_cache`
    ("py", r"@st\.cache_\w+"): {"shared/server/startup.py"},
    # the browser goes to another page by itself, see `url_state.lead_to`
    ("py", r"switch_page\("): set(),
    # a part renews itself by `run_queue.repeat` alone, which gives it a place
    ("py", r"st\.fragment\("): {"shared/server/run_queue.py"},
    # nothing is fetched from outside
    ("js css html", r"https?://(?!www\.w3\.org/)"): set(),
    # "*" and ":not" within ":has": the browser looks at the whole page whenever an element comes or goes, and each text
    # that a picture renews then costs more than the picture
    ("css", r":has\((?:[^()]|\([^()]*\))*?(?:\*|:not\().*"): set(),
}


@pytest.mark.parametrize("kinds, pattern", WRITTEN_IN_ONE_PLACE)
def test_what_is_written_in_one_place_or_in_none(kinds, pattern):
    files = [path for kind in kinds.split() for path in (ROOT / "pages").rglob(f"*.{kind}")]
    found = {str(path.relative_to(ROOT / "pages")) for path in files if re.search(pattern, path.read_text("utf-8"))}
    assert files and found == WRITTEN_IN_ONE_PLACE[kinds, pattern]


def test_every_cache_says_how_many_results_it_keeps():
    """`lru_cache(n)` and `shared_cache(n)`; without a number only what has few arguments: files, and the start."""
    cache = re.compile(r"^ *@(?:functools\.)?(?:lru_cache|cache|shared_cache)(?:\(\))?$", re.M)
    files = [*(ROOT / "pages").rglob("*.py"), *CORE_FILES]
    assert [path for path in files if cache.search(path.read_text(encoding="utf-8"))] == []


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
    files = [*PAGES, *SHARED.rglob("*.py")]
    calls = [(path, node) for path in files for node in nodes_of(path) if isinstance(node, ast.Call)]
    keys = {ast.unparse(k.value) for _, node in calls for k in node.keywords if k.arg == "key"}
    found = 0
    for path, call in calls:
        for keyword in call.keywords:
            if keyword.arg == "on_change" and path.stem != "callbacks":
                assert ast.unparse(keyword.value) == "'rerun'", f"{path}: {ast.unparse(call)[:80]}"
        names = {part.id for value in _handed_over(call) for part in ast.walk(value) if isinstance(part, ast.Name)}
        functions = (node for node in tree_of(path).body if isinstance(node, ast.FunctionDef))
        for function in (node for node in functions if node.name in names):
            found += 1
            read = [ast.unparse(key) for key in map(_of_the_session, ast.walk(function)) if key is not None]
            assert not keys & set(read), f"{path.relative_to(ROOT)}: {function.name} reads {read}"
    assert found > 20


HEADLESS = re.compile(r"(What|Whether|How|Which|Who|Whom|Where|When|Why|Those|That|Its?|They|Their|This|These|As|If)\b")


def test_docstrings_begin_with_a_verb_or_a_noun():
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    headless = [
        f"{path.relative_to(ROOT)}: {text.partition('.')[0]}"
        for path in OURS
        for node in nodes_of(path)
        if isinstance(node, kinds) and HEADLESS.match(text := ast.get_docstring(node) or "")
    ]
    assert headless == []


def test_what_a_docstring_names_in_a_module_is_there():
    """`module.name`, of a module or package whose name is here; a class or an object of that name may have it, too."""
    names, texts = {}, []
    for path in OURS:
        module = (path.parent if path.stem == "__init__" else path).with_suffix("")
        mine = names.setdefault(module.name, {"py", "csv", "js"})
        names.setdefault(module.parent.name, {"py", "csv", "js"}).add(module.name)
        for node in nodes_of(path):
            mine.update(getattr(node, part) for part in ("name", "asname", "id", "arg") if hasattr(node, part))
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                texts.append((str(path.relative_to(ROOT)), ast.get_docstring(node) or ""))
    named = re.compile(r"`(?:\w+\.)*(\w+)\.([a-z_0-9]+|[A-Z]\w*)[`(]")
    found = [(path, *one) for path, text in texts for one in named.findall(text)]
    assert len(found) > 200 and [one for one in found if one[1] in names and one[2] not in names[one[1]]] == []


PARTICIPLE = re.compile(r"[a-z]+(ed|ing)")
IRREGULAR = """begun bought brought built caught chosen done drawn found given gone heard held kept known led lost made
meant met moved paid said seen sent shown sold spoken taken thought told understood won written""".split()
PREPOSITIONS = """above after ahead along apart around aside at before behind below beside between beyond by down for
from in inside near of off on out outside over since through to under until up with within without""".split()
NOUNS = ["setting", "meaning", "string", "heading", "embed", "feed", "need", "seed", "speed"]  # and verbs


def test_no_function_is_named_by_a_bare_participle_or_preposition():
    bare = []
    for path, node in ((file, node) for file in OURS for node in nodes_of(file)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            word = node.name.strip("_")
            like = PARTICIPLE.fullmatch(word) and word not in NOUNS or word in IRREGULAR or word in PREPOSITIONS
            # the name of a quantity is what lessons write in their files
            if like and not any(ast.unparse(one).startswith("quantity(") for one in node.decorator_list):
                bare.append(f"{path.relative_to(ROOT)}: {node.name}")
    assert bare == []


def test_a_compiled_function_carries_the_digest_of_the_files_that_it_uses():
    """numba's disk cache does not notice edits in other files: `svmcore.numba_cache` says what helps."""
    carried = 0
    for path in (p for p in (ROOT / "svmcore").rglob("*.py") if "njit" in p.read_text(encoding="utf-8")):
        tree = tree_of(path)
        assigned = {ast.unparse(n.targets[0]): n.value for n in tree.body if isinstance(n, ast.Assign)}
        digests = {
            name: _names(value) for name, value in assigned.items() if "numba_cache.digest" in ast.unparse(value)
        }
        foreign = {
            x.asname or x.name: {x.asname or x.name}
            for n in nodes_of(path)
            if isinstance(n, ast.ImportFrom) and n.module.startswith("svmcore")
            for x in n.names
        }
        for name, value in assigned.items():  # a constant made of an imported one is compiled in, too
            if name not in digests:
                foreign[name] = set().union(*(foreign.get(part, ()) for part in _names(value)))
        for function in (n for n in nodes_of(path) if isinstance(n, ast.FunctionDef) and _is_compiled(n)):
            used = set().union(*(foreign.get(name, ()) for line in function.body for name in _names(line)))
            known = digests.get(ast.unparse(function.args.defaults[-1]), set()) if function.args.defaults else set()
            assert used <= known, (
                f"{path.name}: {function.name} uses {', '.join(used - known)}: see svmcore.numba_cache"
            )
            carried += bool(used)
    assert carried >= 2
    assert not [x for x in imports(ROOT / "svmcore/status.py") if x.startswith("svmcore")]


def _names(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _is_compiled(function):
    """Decorated with njit, by itself or as `compiled`."""
    names = {n.id for d in function.decorator_list for n in ast.walk(d) if isinstance(n, ast.Name)}
    return bool(names & {"njit", "compiled"})


def test_the_first_start_asks_nothing_and_sends_nothing():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["server"]["maxMessageSize"] == 30, "each websocket can hold as much"
    assert config["browser"]["gatherUsageStats"] is False and config["server"]["showEmailPrompt"] is False
    assert config["server"]["maxUploadSize"] == 20 and config["runner"]["postScriptGC"] is False
    assert config["server"]["fileWatcherType"] == "none" and config["runner"]["magicEnabled"] is False
