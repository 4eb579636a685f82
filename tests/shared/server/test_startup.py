"""The preparation at the start: the fits of many points are compiled by it, not within the time limit of a reader."""

import gc
import importlib
import inspect
import os
import socket
import subprocess
import sys
import weakref
from types import SimpleNamespace

import joblib
import pytest
from calls import recorded

from pages.shared.server import startup
from svmcore.solvers.box_dual import convex, planar

LATER = startup.LATER  # conftest takes it away


def test_the_solver_of_many_points_in_the_plane_is_prepared(monkeypatch):
    """Compiled during a reader's first fit of 2000 points, it ended that fit with "time limit", after 73 steps."""
    solved = recorded(monkeypatch, planar, "solve", lambda kernel, X, *arguments, **options: (kernel.name, len(X)))
    startup._large()
    assert [name for name, _ in solved] == ["rbf"] and solved[0][1] >= convex.LARGE


def test_the_rest_is_prepared_after_the_pictures_and_the_later_the_less_of_a_processor_there_is(monkeypatch):
    begun, clock = [], iter((100.0, 140.0))
    loaded, frozen = [[]], []

    def step(name):
        begun.append(name)
        frozen.append(not any(one is loaded[-1] for one in gc.get_objects()))  # which leaves out what is frozen
        loaded.append([])

    for name in ("_numba", "_kernels", "_pair_updates", "_pictures"):
        monkeypatch.setattr(startup, name, lambda name=name: step(name))
    monkeypatch.setattr(startup, "LATER", tuple(lambda k=k: begun.append(k) for k in range(2)))
    time = SimpleNamespace(monotonic=lambda: next(clock), thread_time=lambda: 4.0, sleep=begun.append)
    monkeypatch.setattr(startup, "time", time)
    monkeypatch.setattr(startup.health, "start", lambda: None)
    progress = startup.Progress()
    startup._work(progress)
    assert progress.finished.is_set() and progress.compiled.is_set() and progress.error is None
    assert "_pictures" in begun[:4] and begun[4:] == [10 * startup.SPARED, 0, 1]
    assert frozen == [True] * 4, "what is loaded is not looked at again by each collection"


def test_compiled_code_of_a_read_only_install_is_in_a_folder_of_its_user(monkeypatch, tmp_path):
    """With one folder for all, a second user found no place for it, or code that another one had put there."""
    monkeypatch.setattr(startup.tempfile, "tempdir", str(tmp_path))
    places, me = [], os.getuid()
    for user in (me, me, me + 7):  # to whom the folder of that name does not belong
        monkeypatch.setattr(startup.os, "getuid", lambda user=user: user)
        places.append(startup._temporary_cache())
    assert places[0] == places[1] == str(tmp_path / f"svm-lab-numba-{me}")
    assert places[2] not in (places[0], str(tmp_path / f"svm-lab-numba-{me + 7}"))
    assert all(os.stat(place).st_mode & 0o777 == 0o700 for place in places)


def test_what_was_left_during_the_first_steps_is_collected():
    left = type("Left", (), {})()
    left.itself, gone = left, weakref.ref(left)
    del left
    gc.freeze()
    startup._settle()
    assert gone() is None and gc.get_freeze_count() > 1000


def test_a_module_is_put_off_until_something_in_it_is_asked_for(monkeypatch, tmp_path):
    (tmp_path / "put_off_at_first.py").write_text("value = 3")
    (tmp_path / "put_off_in_vain.py").write_text("value = 4")
    names = ("put_off_at_first", "put_off_in_vain", "joblib")
    monkeypatch.syspath_prepend(tmp_path)
    for name in names[:2]:
        monkeypatch.setitem(sys.modules, name, None)  # as it is now after the test
        del sys.modules[name]
    with startup.put_off(*names):
        later = importlib.import_module("put_off_at_first")
        inspect.stack()  # looks at all modules, as Streamlit does once
        from put_off_in_vain import value

        assert value == 4 and "put_off_at_first.py" not in str(sys.modules["put_off_at_first"])
    assert "put_off_at_first" not in sys.modules and sys.modules["put_off_in_vain"].value == 4
    assert later.value == 3 and sys.modules["put_off_at_first"].value == 3
    assert importlib.import_module("joblib") is joblib


@pytest.mark.parametrize(
    "cores, compiled, begun", [(2, "advance-350", 0), (1, "", 0), (2, "prepare-90", 1), (2, "", 1)]
)
def test_a_first_start_on_several_cores_compiles_in_two_processes(monkeypatch, tmp_path, cores, compiled, begun):
    commands = []
    monkeypatch.setattr(startup.subprocess, "Popen", lambda command, **options: commands.append(command[0]))
    monkeypatch.setattr(startup, "_compilers", [])
    monkeypatch.setattr(joblib, "cpu_count", lambda: cores)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    (tmp_path / "box_dual").mkdir()
    (tmp_path / f"box_dual/pair_updates.{compiled or 'nothing'}.py311.nbi").touch()
    startup._begin_pair_updates()
    assert commands == [sys.executable] * begun and len(startup._compilers) == begun


@pytest.mark.slow
def test_the_second_process_compiles_what_the_first_fit_needs(tmp_path):
    """With another signature, of a read-only array for example, the fit would compile it once more."""
    code = """
from pages.shared.server import startup
import joblib
joblib.cpu_count = lambda: 2
startup._numba()
startup._pair_updates()
from svmcore.solvers.box_dual import pair_updates
print(*(sum(found.stats.cache_misses.values()) for found in (pair_updates.advance, pair_updates.optimality)))
print(len(startup._compilers))
"""
    fresh = dict(cwd=startup.ROOT, env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, timeout=300)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, **fresh)
    assert run.stdout.split() == ["0", "1", "0"], run.stderr


@pytest.mark.parametrize("action", LATER, ids=lambda action: action.__name__)
def test_what_is_prepared_later_can_be(monkeypatch, action):
    monkeypatch.setattr(startup, "time", SimpleNamespace(sleep=lambda seconds: None))
    quick = dict.fromkeys(("unfreeze", "collect", "freeze"), lambda: None)
    monkeypatch.setattr(startup, "gc", SimpleNamespace(**quick))
    action()


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process can list its files")
def test_connections_send_at_once_what_is_written_to_them():
    """The socket that a server listens on hands this down; Streamlit's does not see to it itself.

    No copy of another file stays open: a pipe whose copy is open never ends for the process that reads from it.
    """
    reader, writer = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        startup.send_at_once()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    os.close(writer)
    os.set_blocking(reader, False)
    assert os.read(reader, 1) == b""  # the end; BlockingIOError while it is open somewhere
    os.close(reader)


def test_the_soft_limit_of_open_files_is_raised():
    """1024, which is usual, is used up by three hundred readers."""
    resource = pytest.importorskip("resource", reason="not on Windows")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        startup.raise_limit()
        wanted = startup.MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, startup.MOST_FILES)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == wanted
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
