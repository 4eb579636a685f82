"""Preparation in advance. On the server: one background thread loads numba, scikit-learn and the parts of the
pages and compiles the solvers, on a first start with the help of a second process, and reports its progress. In the
browser: plotly.js is fetched meanwhile.

Nothing heavy is imported here, so that a page is visible while it loads. After the first start the compiled code comes
from numba's disk cache in a fraction of a second.
"""

import gc
import importlib
import os
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from types import ModuleType

import streamlit as st

from pages.shared.server import health, static_files, streamlit_hooks

ROOT = Path(__file__).resolve().parents[3]
SWITCH = 0.0005  # seconds that a thread which only computes keeps Python from one that answers a reader
SPARED = 3.0  # seconds of a whole processor for the first pictures, before the rest is prepared
MOST_FILES = 65_536  # open at a time
PARTS = (
    "live.scene",
    "panels.export",
    "panels.guards",
    "page.errors",
    "classroom.screens.room_page",
    "lessons.screens.scene_card",
    "panels.influence_map",
    "panels.points_table",
    "panels.tuning_panel",
)
STEPS = ("numba", "the kernels", "the pictures", "the pair updates")
PAIR_UPDATES = """
import numpy as np
from svmcore import duals
from svmcore.solvers.box_dual import smo
qp = duals.BoxQP(*np.zeros((4, 2)))
smo.advance(np.eye(2), qp, smo.State(np.zeros(2), np.zeros(2), np.zeros((smo.ROWS, 2))), 0)
"""
LARGE = ("scipy.stats", "pandas")  # what scikit-learn loads beside itself, in eight times its own time
_compilers: list[subprocess.Popen] = []  # that are at work for this process


class Progress:
    """Shared by all sessions; written by the one thread, read by the pages."""

    def __init__(self):
        self.step, self.error = 0, None
        self.finished, self.compiled = threading.Event(), threading.Event()  # what most pages need; everything


@st.cache_resource(show_spinner=False)
def start() -> Progress:
    """Start once per server; later calls return the same progress."""
    progress = Progress()
    threading.Thread(target=_work, args=(progress,), daemon=True, name="warm-up").start()
    return progress


@asynccontextmanager
async def lifespan(app) -> AsyncIterator[None]:
    """Of the server: the preparation starts with it, before the first reader comes."""
    sys.setswitchinterval(SWITCH)
    send_at_once()
    raise_limit()
    streamlit_hooks.install()
    start()
    yield


def raise_limit() -> None:
    """Let the process have as many open files as the system allows: a reader takes several, and 1024 is usual."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # not on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        if soft < most and soft != resource.RLIM_INFINITY:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def send_at_once() -> None:
    """Connections send what is written to them at once; they have this from the socket on which the server listens.

    Streamlit's socket keeps the second packet of an answer until the browser has confirmed the first one, which takes
    40 ms for each of a page's hundred files. Only where the system lists the files of a process, as Linux does.
    """
    with suppress(OSError):
        for number in map(int, os.listdir("/proc/self/fd")):
            with suppress(OSError):
                _send_at_once(number)


def _send_at_once(number):
    """The same for the connections of the open file with this number, if it is a socket that listens."""
    if stat.S_ISSOCK(os.fstat(number).st_mode):  # a copy of anything else would stay open
        with socket.socket(fileno=os.dup(number)) as found:
            if found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _work(progress):
    begun = time.monotonic()
    try:
        for step, action in enumerate((_numba, _kernels, _pictures, _pair_updates)):
            progress.step = step
            gc.freeze()  # modules stay loaded: to look at them again and again would take a quarter of the time
            action()
    except Exception as error:  # shown on the page, which works without the warm-up
        progress.error = repr(error)
    finally:
        health.start()
        progress.finished.set()
    # the pictures that wait for this come first; they take the longer, the less of a processor there is
    time.sleep(SPARED * (time.monotonic() - begun) / max(time.thread_time(), 0.01))
    try:
        for action in LATER:
            action()
    except Exception as error:
        progress.error = progress.error or repr(error)
    finally:
        progress.compiled.set()


def _numba():
    if not os.access(ROOT / "svmcore", os.W_OK):  # a read-only install cannot hold numba's cache
        with suppress(OSError):  # then numba looks for a place itself
            os.environ.setdefault("NUMBA_CACHE_DIR", _temporary_cache())
    _begin_pair_updates()
    import numba  # noqa: F401
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, user_api="blas")  # readers share the cores: several threads for one delay the others
    with put_off(*LARGE):
        import sklearn.base  # noqa: F401


def _temporary_cache():
    """A folder for compiled code that is this user's alone: numba runs what it finds there."""
    user = getattr(os, "getuid", int)()  # Windows has a temporary folder for each user, and knows no numbers of them
    folder = Path(tempfile.gettempdir(), f"svm-lab-numba-{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    return str(folder) if folder.stat().st_uid == user else tempfile.mkdtemp(prefix="svm-lab-numba-")


class _Later(ModuleType):
    """Stands for a module until anything in it is asked for."""

    __file__ = None  # `inspect` asks all modules for it

    def __getattr__(self, name):
        _give_way(self)
        return getattr(importlib.import_module(self.__name__), name)


def _give_way(later):
    if sys.modules.get(later.__name__) is later:
        del sys.modules[later.__name__]


@contextmanager
def put_off(*names):
    """Modules with these `names` are not loaded by an import within the block that asks for nothing in them.

    What does ask, also later or in another thread, gets it.
    """
    later = [module for module in map(_Later, names) if sys.modules.setdefault(module.__name__, module) is module]
    try:
        yield
    finally:
        for module in later:
            _give_way(module)


def _begin_pair_updates():
    """On a first start a process of its own compiles the longest function, while this one does all the rest.

    numba compiles one function of a process at a time. With one core it would only load svmcore a second time.
    """
    if any(Path(os.environ.get("NUMBA_CACHE_DIR", ROOT / "svmcore")).rglob("pair_updates.advance-*.nbi")):
        return
    import joblib

    if joblib.cpu_count() > 1:
        command, quiet = [sys.executable, "-c", PAIR_UPDATES], subprocess.DEVNULL  # what it fails to do is done here
        with suppress(OSError):
            _compilers.append(subprocess.Popen(command, cwd=ROOT, stderr=quiet))


def _small():
    import numpy as np

    rng = np.random.default_rng(0)
    y = np.where(np.arange(40) % 2, 1.0, -1.0)
    return rng.normal(size=(40, 2)) + y[:, None], y


def _kernels():
    from svmcore import grid, kernels

    X, y = _small()
    rbf = kernels.Kernel("rbf", gamma=1.0)
    rbf(X)
    rbf.dot(X, X, y)
    xs, ys = grid.axes(X, 10)
    grid.decision(rbf, X, y, 0.0, xs, ys)


def _pair_updates():
    import numpy as np

    from svmcore import SVC, duals
    from svmcore.solvers.box_dual import smo

    X, y = _small()
    qp = duals.build("hinge", y, 1.0)
    state = smo.start(np.eye(len(y)), qp)  # compiles what is left, while the other one ends
    smo.solution(qp, state.beta, state.F, 0, state.status, "")
    smo.drift(state.beta, state.F, 0)
    while _compilers:
        _compilers.pop().wait()
    SVC().fit(X, y).decision_function(X)


def _usual():
    """Compile for the first readers: a linear kernel, the machines that Home compares, a film of pair updates."""
    from svmcore import SVC, OneNormSVC
    from svmcore.kernels import Kernel
    from svmcore.watch import registry, trace

    X, y = _small()
    for loss in ("hinge", "least_squares"):
        SVC(loss=loss, kernel="linear").fit(X, y)
    OneNormSVC().fit(X, y)
    registry.DESCRIPTIONS["smo_first"].record(trace.Given.classification(Kernel("rbf"), X, y, "hinge", 1.0))


def _large():
    """Compile the solvers of many points, the largest last, as few readers need them at once; during a fit it would
    take all its time.
    """
    from svmcore import SVC
    from svmcore.solvers.box_dual import convex

    for more_than in (convex.SMALL, convex.LARGE):
        for kernel in ("rbf", "linear"):
            SVC(kernel=kernel).fit(*_copies(more_than))


def _settle():
    """Modules stay loaded: later collections can skip them, but not what the compilers have left."""
    for name in ("svmcore.papers", "scipy.optimize", *LARGE):
        importlib.import_module(name)
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    static_files.plotly_script()


def _copies(more_than):
    import numpy as np

    X, y = _small()
    times = more_than // len(y) + 1
    return np.vstack([X + 0.01 * k for k in range(times)]), np.tile(y, times)


def _rest():
    """All else that a page can ask for: machines with smooth losses, the L0/1-SVM, which takes half a minute, every
    solver that is watched, edited points, proofs, many features.
    """
    import numpy as np

    from svmcore import SVC, duals, losses
    from svmcore.kernels import Kernel, chebyshev
    from svmcore.solvers.box_dual import convex, warm
    from svmcore.studies import optimality
    from svmcore.tuning import criteria
    from svmcore.watch import registry, trace

    X, y = _small()
    for loss in ("log", "zero_one"):
        SVC(loss=loss).fit(X, y)
    Kernel("rbf")(np.tile(X, (1, 10)))
    for loss in losses.LOSSES:
        given = trace.Given.classification(Kernel("rbf"), X, y, loss, 1.0)
        for over in ("", "C", "sigma"):
            for description in registry.solvers_for(given, over):
                registry.record(description.key, given)
    for loss in optimality.METHODS:
        for _ in optimality.compare(loss, {}, X[:8], y[:8], 1.0):
            pass
    kernel, (X, y) = Kernel("rbf"), _copies(convex.LARGE)
    moved, qp = X.copy(), duals.build("hinge", y, 1.0)
    moved[0] += 1.0
    expansion = chebyshev.Expansion(np.ascontiguousarray(X.T), 0.1)
    expansion.dot(np.arange(len(y)), y, chebyshev.ERROR)
    start = warm.start_after_move(kernel, X, moved, convex.solve(kernel, X, qp))
    convex.solve(kernel, moved, qp, start=start)
    criteria.CrossValidation(criteria.Points(SVC(), *_small()), cv=2)(1.0, 1.0)


def _pictures():
    for name in PARTS:
        importlib.import_module(f"pages.shared.{name}")


LATER = (_settle, _usual, _large, _rest)  # once the pages are ready
