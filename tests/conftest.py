"""Shared by all tests: the pages find their solvers warm, as after a first start, and no set that a user fetched."""

import atexit
import functools
import gc
import hashlib
import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import settings

try:
    import fcntl
except ImportError:
    fcntl = None

# workers and servers share the processors: threads of BLAS would wait for each other, in twice the time
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ["SVMCORE_DATA"] = str(Path(__file__).parent / "nothing fetched")  # a folder that does not exist
STORE = tempfile.mkdtemp(prefix="svm-lab-tests-")
atexit.register(shutil.rmtree, STORE, ignore_errors=True)
os.environ["SVM_LAB_STORE"] = str(Path(STORE) / "store.sqlite3")
# for colours numba exchanges sys.stdout while it compiles in a thread, where colorama is installed; tests read it
os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"
os.environ["SVM_LAB_SECONDS"] = "60"  # functions are compiled while the pages run, and machines are shared

# the same examples on every run, however busy the machine; to look for new ones: pytest --hypothesis-profile=default
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")


TESTS = Path(__file__).parent
LONGER = TESTS / "longer.txt"  # tests that are not fast, by their recorded time
FAST = 0.15  # seconds that a fast test takes at most


def pytest_addoption(parser):
    parser.addoption(
        "--half", type=int, choices=(0, 1), help="every second slow test only, from the first or the second"
    )
    parser.addoption("--record-longer", action="store_true", help=f"write the tests over {FAST} s into {LONGER.name}")


def pytest_configure(config):
    if config.option.record_longer:
        config.pluginmanager.register(Recorder())


class Recorder:
    """Writes which test functions are not fast: their first case takes longer than `FAST`."""

    def __init__(self):
        self.seconds, self.cases = {}, {}

    def pytest_runtest_logreport(self, report):
        name = _function(report.nodeid)
        if self.cases.setdefault(name, report.nodeid) == report.nodeid:
            self.seconds[name] = self.seconds.get(name, 0.0) + report.duration

    def pytest_sessionfinish(self):
        listed = sorted(name for name, seconds in self.seconds.items() if seconds > FAST)
        LONGER.write_text("".join(f"{name}\n" for name in listed), encoding="utf-8")


def _function(nodeid):
    """The name of a test without its folder and its parameters: files may move."""
    return nodeid.partition("[")[0].rpartition("/")[2]


def pytest_ignore_collect(collection_path, config):
    """Tests in a browser are never fast: not even imported."""
    return True if config.option.markexpr == "fast" and collection_path == TESTS / "browser" else None


def pytest_collection_modifyitems(config, items):
    if config.option.half is not None:
        slow = sorted(item.nodeid for item in items if item.get_closest_marker("slow"))
        dropped = set(slow[1 - config.option.half :: 2])
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in dropped])
        items[:] = [item for item in items if item.nodeid not in dropped]
    files, seen = {}, set(LONGER.read_text(encoding="utf-8").split())
    for item in items:
        files.setdefault(item.path, []).append(item)
        folder = item.path.relative_to(TESTS).parts[0]
        # fast: the first case of each test that is not known to take longer
        name = _function(item.nodeid)
        if name not in seen and folder != "browser" and not item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.fast)
        seen.add(name)
        if folder == "browser":
            item.add_marker(pytest.mark.browser)
        if folder in ("browser", "deploy"):  # several processes: one may be late once; what is broken fails twice
            item.add_marker(pytest.mark.flaky(reruns=1))
    items[:] = [item for path in _spread(files) for item in files[path]]


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Imports and cases stay until the end: the garbage collector need not look at them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _spread(files):
    """The files as workers get them: those that wait for a browser evenly among those that compute, large ones first.

    So one worker computes while the other waits. The first ones compute: they leave the compiled functions on the disk,
    which a server of the app would else compile for itself, as long as that takes.
    """
    browser = [path for path in files if path.is_relative_to(TESTS / "browser")]
    places = {}
    for kind, first in ((browser, 0.2), ([path for path in files if path not in browser], 0.0)):
        for k, path in enumerate(sorted(kind, key=lambda path: (-len(files[path]), path))):
            places[path] = first + (1.0 - first) * (k + 0.5) / len(kind), path
    return sorted(files, key=places.get)


@pytest.hookimpl(trylast=True)  # fixtures may hold a job
def pytest_runtest_teardown():
    """No job outlives its test: in the next one it would take processor time, and undo what that sets for warnings."""
    jobs = sys.modules.get("pages.shared.server.jobs")
    for job, _ in jobs.running_jobs() if jobs else ():
        job.stop()
    for thread in threading.enumerate():
        if thread.name == "job":
            thread.join()


@pytest.fixture(scope="session")
def warm():
    from pages.shared.server import startup

    progress = startup.start()
    assert progress.finished.wait(120)
    assert progress.error is None, progress.error


@pytest.fixture
def own_store(monkeypatch, tmp_path):
    """The path of a store of its own for a test, in a folder that is not there yet."""
    path = tmp_path / "data" / "store.sqlite3"
    monkeypatch.setenv("SVM_LAB_STORE", str(path))
    return path


@pytest.fixture
def broken_store(monkeypatch, tmp_path):
    """A store that cannot be written: there is a file where its folder should be."""
    (tmp_path / "taken").touch()
    monkeypatch.setenv("SVM_LAB_STORE", str(tmp_path / "taken" / "store.sqlite3"))


@pytest.fixture(scope="session", autouse=True)
def only_what_pages_wait_for():
    """A page waits for the first part of the preparation; the rest would compile in a thread beside other tests.

    numba and scikit-learn change the filters of warnings for all threads of a process meanwhile.
    """
    if "streamlit.testing.v1" in sys.modules:
        from pages.shared.server import startup

        startup.LATER = ()


@pytest.fixture(scope="session", autouse=True)
def compiled_once():
    """Of two workers that need the same compiled function one compiles it while the other waits and loads it.

    So a clean checkout compiles once and not in each worker; without fcntl, on Windows, each compiles for itself.
    """
    if fcntl is None:
        return
    from numba.core import compiler_lock, dispatcher

    compiled = dispatcher.Dispatcher.compile

    @functools.wraps(compiled)
    def alone(self, sig):
        # the lock of the process comes first, as for what is compiled inside: else two threads wait for each other
        with compiler_lock.global_compiler_lock, open(_lock(self.py_func), "w") as lock:  # closed: unlocked
            fcntl.flock(lock, fcntl.LOCK_EX)
            return compiled(self, sig)

    dispatcher.Dispatcher.compile = alone


def _lock(function):
    name = hashlib.sha1(f"{function.__code__.co_filename}:{function.__qualname__}".encode()).hexdigest()
    return Path(tempfile.gettempdir()) / f"svm-lab-tests-{name}.lock"


@pytest.fixture(scope="session", autouse=True)
def one_look_for_components():
    """Each AppTest searches all installed packages for components, half of its time; the first search serves all."""
    if "streamlit.testing.v1" in sys.modules:
        from streamlit.components.v2 import manifest_scanner

        manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)
