"""What the code uses of other packages that their manuals do not promise: each such name stands in a list here.

A new one fails. Where there is a documented way, take it; where there is none, add the name here, and bound the version
of its package in requirements.txt and pyproject.toml.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from sources import imports, nodes_of

ROOT = Path(__file__).parents[1]
OURS = ("pages", "svmcore", "deploy", "docs")
FILES = [ROOT / "app.py", ROOT / "home.py", *(path for top in OURS for path in sorted((ROOT / top).rglob("*.py")))]
# modules whose names have no underscore and that their packages do not document, or only as an aside
UNDOCUMENTED = tuple(
    f"streamlit.{name}" for name in ("runtime", "web", "proto", "delta_generator", "config", "components.v1")
) + ("numba.core", "uvicorn.protocols")  # fmt: skip
DOCUMENTED = ("numba.core.event",)  # nevertheless, in numba's manual for developers
LISTED = {
    # the type of a place on the page, in annotations
    "pages/shared/page/run.py": "streamlit.delta_generator.DeltaGenerator",
    # what browsers say to Streamlit; without it: all passes
    "pages/shared/server/gate.py": "streamlit.proto.BackMsg_pb2.BackMsg",
    # the session of a thread, which Streamlit's manual names for threads; without it: no session
    "pages/shared/server/sessions.py": "streamlit.runtime.scriptrunner.get_script_run_ctx",
    # the same, with the page whose run comes next
    "pages/shared/page/callbacks.py": "streamlit.runtime.scriptrunner.get_script_run_ctx",
    # the same, with whether the reader used the arrows of the browser; without it the link tells
    "pages/shared/page/url_state.py": "streamlit.runtime.scriptrunner.get_script_run_ctx",
    # what `streamlit run` calls
    "deploy/launch.py": "streamlit.web.cli",
    # the hooks: all of it may go
    "pages/shared/server/streamlit_hooks.py": """
        _call_soon_on_event_loop _event_loop _handle_rerun_script_request _handle_scriptrunner_event_on_event_loop
        _message_enqueued_callback _on_scriptrunner_event streamlit.runtime.app_session.AppSession
        streamlit.runtime.scriptrunner.ScriptRunnerEvent streamlit.runtime.scriptrunner.get_script_run_ctx
        streamlit.runtime.scriptrunner_utils.script_requests.ScriptRequests
        streamlit.runtime.scriptrunner_utils.script_run_context.ThreadState""",
    # the ranges of parameters, as scikit-learn's own estimators state them
    "svmcore/estimators/base.py": "sklearn.utils._param_validation.Interval sklearn.utils._param_validation.StrOptions",
    "svmcore/estimators/sparse.py": "sklearn.utils._param_validation.StrOptions",
    "svmcore/estimators/svm.py": "sklearn.utils._param_validation.Interval sklearn.utils._param_validation.StrOptions",
    "svmcore/estimators/one_norm.py": """
        sklearn.utils._param_validation.Interval sklearn.utils._param_validation.StrOptions
        sklearn.utils.validation._check_sample_weight""",
    "svmcore/estimators/checked.py": "sklearn.utils.validation._check_sample_weight",
}
REDEFINED = {"_get_param_names", "_validate_params"}  # of scikit-learn's estimators, for speed
OF_ABC = {"_abc_impl"}  # of every class with abstract methods, by Python
NAMED_TUPLE = {"_replace", "_asdict", "_fields", "_make", "_field_defaults"}  # documented
BOUNDED = ("streamlit", "plotly", "scikit-learn")
# of plotly.js: an axis with its place in pixels, and the layout with these axes
OF_PLOTLY = {"_fullLayout", "_offset", "_length"}
WEB = ROOT / "pages" / "shared" / "plane" / "web"


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def own_names():
    """Names with an underscore that this code itself gives to something."""
    names = set()
    for path in FILES:
        for node in nodes_of(path):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                if isinstance(node.value, ast.Name) and node.value.id == "self":
                    names.add(node.attr)
    return names


def foreign(path, own):
    """Private and undocumented names of other packages that a file touches."""
    for node in nodes_of(path):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own | NAMED_TUPLE:
            yield node.attr
    for name in imports(path):
        package, *parts = name.split(".")
        undocumented = name.startswith(UNDOCUMENTED) and name not in DOCUMENTED
        if package not in OURS and (undocumented or any(map(is_private, [package, *parts]))):
            yield name


def test_every_private_name_of_another_package_is_listed():
    own = own_names()
    used = {(str(path.relative_to(ROOT)), name) for path in FILES for name in foreign(path, own)}
    assert used == {(path, name) for path, names in LISTED.items() for name in names.split()}


def test_no_class_redefines_a_private_name_of_its_bases_that_is_not_listed():
    found = set()
    for top in ("svmcore", "pages.shared"):
        package = importlib.import_module(top)
        for module in pkgutil.walk_packages(package.__path__, f"{top}."):
            if not module.name.endswith("__main__"):
                for one in vars(importlib.import_module(module.name)).values():
                    found |= redefined(one) if inspect.isclass(one) and one.__module__ == module.name else set()
    assert found == REDEFINED


def redefined(one):
    """Private names that our classes give to what a class of another package has, too."""
    theirs, ours = set(), set()
    for base in one.__mro__:
        package = base.__module__.split(".")[0]
        if package not in sys.stdlib_module_names:
            (ours if package in OURS else theirs).update(filter(is_private, vars(base)))
    return ours & theirs - OF_ABC if theirs else set()


def test_scripts_use_what_is_listed_of_plotly_and_look_in_one_file_for_parts_of_streamlits_page():
    files = [*WEB.rglob("*.js"), *WEB.rglob("*.css")]
    texts = {path.name: re.sub(r"//.*", "", path.read_text(encoding="utf-8")) for path in files}
    looking = re.compile(r"data-testid|testConnection|/static/|\.st[A-Z]")
    assert {name for name, text in texts.items() if looking.search(text)} == {"streamlit.js"}
    scripts = "\n".join(text for name, text in texts.items() if name.endswith(".js"))
    assert set(re.findall(r"(?:(?<!this)\.|\{ )(_[a-zA-Z]\w*)", scripts)) == OF_PLOTLY


@pytest.mark.parametrize("name", BOUNDED)
def test_packages_of_which_something_private_is_used_have_an_upper_bound(name):
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    (found,) = (Requirement(line) for line in lines if re.match(rf"{name}\b", line))
    assert {one.operator for one in found.specifier} == {">=", "<"}
