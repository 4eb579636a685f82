"""What is prepared in advance. On the server: one background thread loads numba, scikit-learn and the parts of the
pages and compiles the solvers, and reports its progress. In the browser: plotly.js is fetched meanwhile.

Nothing heavy is imported here, so that a page is visible while it loads. After the first start the compiled code comes
from numba's disk cache in a fraction of a second.
"""

import gc
import gzip
import importlib
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path

import streamlit as st

from pages.shared import bundle, delivery, traffic

ROOT = Path(__file__).resolve().parents[2]
STREAMLIT = Path(st.__file__).parent / "static"
SWITCH = 0.0005  # seconds that a thread which only computes keeps Python from one that answers a reader
LEVEL = 5  # of compression: the next one takes twice the time for a hundredth of the size
PARTS = (
    "live.pictures",
    "parts.export",
    "parts.guards",
    "parts.influence_map",
    "parts.points_table",
    "parts.tuning_panel",
)
PRELOAD = """<script>
{
    const script = [...document.querySelectorAll("script[src]")].find(({ src }) => src.includes("/static/js/"));
    if (script) import(new URL("CHUNK", script.src).href).catch(() => {});
}
</script>"""
NEEDED = ("BidiComponent", "serialization", "recordbatch", "_arrayReduce", "Html", "purify.es", "PageLink", "Button")
compressed: dict[str, bytes] = {}  # Streamlit's scripts, by path below the server's root
STEPS = ("numba", "the kernels", "the pair updates", "the linear machines", "large problems", "the pictures")


class Progress:
    """Shared by all sessions; written by the one thread, read by the pages."""

    def __init__(self):
        self.step, self.error = 0, None
        self.finished = threading.Event()

    @property
    def message(self) -> str:
        """The step in progress, as a sentence."""
        return f"First start: preparing {STEPS[min(self.step, len(STEPS) - 1)]} …"


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
    delivery.install()
    start()
    yield


def _work(progress):
    try:
        for step, action in enumerate((_numba, _kernels, _pair_updates, _linear, _large, _pictures)):
            progress.step = step
            action()
    except Exception as error:  # shown on the page, which works without the warm-up
        progress.error = repr(error)
    finally:
        traffic.prepared()
        progress.finished.set()
    time.sleep(3)  # the pictures that wait for this come first
    importlib.import_module("svmcore.papers")
    gc.collect()
    gc.freeze()  # modules stay loaded: later collections can skip them
    _compress()
    _many()
    _rare()


def _numba():
    if not os.access(ROOT / "svmcore", os.W_OK):  # a read-only install cannot hold numba's cache
        os.environ.setdefault("NUMBA_CACHE_DIR", os.path.join(tempfile.gettempdir(), "svm-lab-numba"))
    import numba  # noqa: F401
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, user_api="blas")  # readers share the cores: several threads for one delay the others


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
    from svmcore import SVC
    from svmcore.kernels import Kernel
    from svmcore.watch import registry, trace

    X, y = _small()
    SVC().fit(X, y).decision_function(X)
    registry.DESCRIPTIONS["smo_first"].record(trace.Given.of(Kernel("rbf"), X, y, "hinge", 1.0))


def _linear():
    from svmcore import SVC, OneNormSVC

    X, y = _small()
    SVC(loss="least_squares").fit(X, y)
    OneNormSVC().fit(X, y)


def _large():
    from svmcore.solvers import convex

    _fit_copies(convex.SMALL)


def _many():
    """As many points as few readers ask for at once. Compiled during a fit, it would take all the time of that fit."""
    from svmcore.solvers import convex

    _fit_copies(convex.LARGE)


def _fit_copies(more_than):
    import numpy as np

    from svmcore import SVC

    X, y = _small()
    times = more_than // len(y) + 1
    X = np.vstack([X + 0.01 * k for k in range(times)])
    y = np.tile(y, times)
    SVC().fit(X, y)
    SVC(kernel="linear").fit(X, y)


def _rare():
    """Machines that few readers ask for at once: with smooth losses, and the L0/1-SVM, which takes half a minute."""
    from svmcore import SVC

    for loss in ("log", "zero_one"):
        SVC(loss=loss).fit(*_small())


def _pictures():
    for name in PARTS:
        importlib.import_module(f"pages.shared.{name}")


def _compress():
    """Compress the scripts that every page needs, which takes half a second of a processor."""
    document = (STREAMLIT / "index.html").read_text(encoding="utf-8")
    for path in {*re.findall(r"static/js/[\w.-]+\.js", document), *needed(), *chunks("PlotlyChart")}:
        if path.startswith("static/"):
            compressed[path] = gzip.compress((STREAMLIT / path).read_bytes(), LEVEL)


@lru_cache
def chunks(name) -> list[str]:
    """Paths, below the server's root, of the script of that name that Streamlit ships: one, or none."""
    return [f"static/js/{path.name}" for path in (STREAMLIT / "static/js").glob(f"{name}.*.js")]


def needed() -> list[str]:
    """Paths, below the server's root, of the files that each page fetches before its first picture."""
    return [bundle.path(), *(path for name in NEEDED for path in chunks(name))]


def preload() -> None:
    """Let the browser run plotly.js while the server prepares, so that the two times do not add up."""
    for path in chunks("PlotlyChart"):
        st.html(PRELOAD.replace("CHUNK", Path(path).name), unsafe_allow_javascript=True)
