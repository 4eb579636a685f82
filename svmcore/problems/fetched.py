"""Problems whose data may not be distributed with the project: downloaded once, on request, to the user's folder.

    python -m svmcore.problems fetch fossil          download, check, keep
    python -m svmcore.problems store fossil FILE     the same with a file that was downloaded by other means

The folder is the environment variable SVMCORE_DATA, else `svmcore` in the user's cache folder. Only `fetch` uses the
network.
"""

import hashlib
import http.client
import io
import os
import sys
import urllib.request
import uuid
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import sklearn

from svmcore.problems.registry import Problem, problem
from svmcore.problems.tables import held_out, n_training, read

PUBLIC = "https://raw.githubusercontent.com"
LARGEST = 10_000_000  # bytes; the files have a few thousand, those of gene expression up to 4.2 million
TIMEOUT = 30  # seconds
GZIP = b"\x1f\x8b"
_instead: ContextVar[Mapping[str, np.ndarray]] = ContextVar("instead", default=MappingProxyType({}))


class Source(NamedTuple):
    """The public address of a set, its expected shape, and its parser.

    path: below the base address; positive: the number of labels +1, the others being -1, or None for real targets;
    parse: text -> rows of numbers, the label or target last; digest: SHA-256 of the table as little-endian float64.
    """

    path: str
    rows: int
    inputs: int
    positive: int | None
    licence: str
    parse: Callable
    digest: str

    @property
    def shape(self) -> str:
        """The expected content, as text."""
        kind = "a real target" if self.positive is None else f"{self.positive} labels +1 among -1"
        return f"{self.rows} points with {self.inputs} input{'s' * (self.inputs > 1)} and {kind}"


def _fossil(text):
    """Age and ratio of each row, below a header with these names in any order; rows may start with a name."""
    names = "age", "strontium.ratio"
    lines = [line.replace('"', "").replace(",", " ").split() for line in text.splitlines() if line.strip()]
    header, rows = lines[0] if lines else [], lines[1:]
    if not set(names) <= set(header):
        raise ValueError(f"it has no columns named {' and '.join(names)}")
    if any(len(row) < len(header) for row in rows):
        raise ValueError("a row is cut short")
    where = [header.index(name) - len(header) for name in names]
    return [[float(row[column]) for column in where] for row in rows]


def _fourclass(text):
    """The rows of lines `label index:value ...`; a missing value is zero."""
    X, y = sklearn.datasets.load_svmlight_file(io.BytesIO(text.encode()), n_features=2, zero_based=False)
    return np.column_stack([X.toarray(), y])


def _words(positive, where, start):
    """A parser for comma-separated numbers with the name of the class at `where` (0 first, -1 last) of each row.

    `positive` is the class +1; the rows begin below the line that starts with `start`.
    """

    def parse(text):
        lines = [line.replace('"', "").replace("'", "").strip() for line in text.splitlines() if line.strip()]
        headed = [number for number, line in enumerate(lines) if line.startswith(start)]
        if not headed:
            raise ValueError(f"it has no line {start}")
        rows = [line.split(",") for line in lines[headed[0] + 1 :]]
        classes = [row.pop(where) for row in rows]
        return [[*map(float, row), 1.0 if word == positive else -1.0] for row, word in zip(rows, classes, strict=True)]

    return parse


def _biolab(file, rows, inputs, positive, word, digest):
    """A gene expression set of the Bioinformatics Laboratory in Ljubljana, as ARFF."""
    path = f"mmayo888/GeneExpressionDatasets/1b24a06d664e16fd0289886dc580f4d7853d52ee/biolab/arff/{file}.arff"
    return Source(path, rows, inputs, positive, "not stated", _words(word, -1, "@data"), digest)


SOURCES = {
    "fossil": Source(
        "cran/SemiPar/master/data/fossil.txt.gz", 106, 1, None, "GPL-2 or later", _fossil,
        "4fc353ab9181de32a07edea33d558d83684dff36e4511a9238a4b663e79f1200",
    ),
    "fourclass": Source(
        "wxwidget/logistic_regression/master/data/fourclass_scale", 862, 2, 307, "not stated", _fourclass,
        "97f009112c613fb5232554690f95289d4ee0efbd4da9b1b9d768cc0c7e10518d",
    ),
    "colon": Source(
        "ramhiser/datamicroarray/7a49f8ad77e63b14a7dde2b20958530d816c0953/alon-colon/colon-cancer.csv",
        62, 2000, 40, "MIT", _words("t", 0, "labels"),
        "647c2fa358ebeb61ff78d6fa0105baa8fb976b1aedce4e497180014023d46c95",
    ),
    "leukemia_5147": _biolab(
        "01_leukemia", 72, 5147, 47, "ALL", "c3ce1d3d706e10c0a7b7ff13d487694d4a4f9ad704e32a9f16c9533191317887"
    ),
    "dlbcl_7070": _biolab(
        "04_DLBCL", 77, 7070, 58, "DLBCL", "487554cebce81587b9fa2250d52feb084893b4d6ea5eb232dd78535ced1bfc01"
    ),
    "prostate_12533": _biolab(
        "05_prostata", 102, 12533, 52, "tumor", "8baea10801c807d71a5cd1b26d07f1e8798f888f222c88b9706f73938637bc90"
    ),
}  # fmt: skip


def folder() -> Path:
    """The user's data folder, which may not exist yet."""
    if os.environ.get("SVMCORE_DATA"):
        return Path(os.environ["SVMCORE_DATA"])
    caches = {"win32": os.environ.get("LOCALAPPDATA"), "darwin": os.path.expanduser("~/Library/Caches")}
    cache = caches.get(sys.platform) or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(cache) / "svmcore"


def file(name) -> Path:
    """The file of the set `name` after it has been fetched; ValueError for a set that is not in `SOURCES`."""
    if name not in SOURCES:
        raise ValueError(f"{name!r} is not a set to fetch; those are {', '.join(SOURCES)}.")
    return folder() / f"{name}.csv"


def address(name, base=PUBLIC) -> str:
    """The public address of the set `name`, below `base`."""
    return f"{base}/{SOURCES[name].path}"


def fetch(name, base=PUBLIC) -> Path:
    """Download the set `name` from below `base`, and `store` it; returns the file.

    Raises ConnectionError if the download fails, and the errors of `store`.
    """
    file(name)
    try:
        with urllib.request.urlopen(address(name, base), timeout=TIMEOUT) as answer:
            content = answer.read(LARGEST + 1)
            if answer.length and len(content) <= LARGEST:
                raise http.client.IncompleteRead(content, answer.length)
    except (OSError, http.client.HTTPException) as error:
        raise ConnectionError(
            f"{address(name, base)} could not be downloaded ({error}). Try again later, or save that file by other "
            f"means and run `python -m svmcore.problems store {name} FILE`."
        ) from error
    return store(name, content)


def store(name, content: bytes) -> Path:
    """Check the content of a downloaded or uploaded file (gzip or not), and store it; returns the file.

    The file is written completely or not at all. Raises ValueError if the content is not the set, OSError if the
    folder cannot be written.
    """
    path, source, table = file(name), SOURCES[name], check_content(name, content)
    lines = [
        f"# from {address(name)}; licence: {source.licence}",
        ",".join([*(f"x{k}" for k in range(1, source.inputs + 1)), "y"]),
        *(",".join(map(repr, row)) for row in table.tolist()),
    ]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, "\n".join(lines) + "\n")
    except OSError as error:
        raise OSError(
            f"The data folder {path.parent} cannot be written ({error}); set SVMCORE_DATA to a folder of your own."
        ) from error
    return path


def check_content(name, content: bytes) -> np.ndarray:
    """The table in the content of a downloaded or uploaded file (gzip or not); ValueError if it is not the set."""
    source = SOURCES[name]
    try:
        table = np.array(source.parse(_text(content)), dtype=float)
        _check(source, table)
    except (ValueError, zlib.error) as error:
        raise ValueError(f"This is not the set {name!r}, {source.shape}: {error}. Nothing was stored.") from error
    return table


def is_published(name, table) -> bool:
    """True if this table has exactly the numbers of the published one."""
    return hashlib.sha256(np.ascontiguousarray(table, "<f8").tobytes()).hexdigest() == SOURCES[name].digest


@contextmanager
def instead(tables: Mapping[str, np.ndarray]) -> Iterator[None]:
    """Inside, and in this thread, the sets with these names are these tables (N, d + 1), whatever the folder has."""
    token = _instead.set({**_instead.get(), **tables})
    try:
        yield
    finally:
        _instead.reset(token)


def points(name) -> tuple[np.ndarray, np.ndarray]:
    """X (N, d), y (N,) of the set `name`; FileNotFoundError, with what to do, if it has not been fetched.

    Raises ValueError for a damaged file.
    """
    path, source = file(name), SOURCES[name]
    if name in _instead.get():
        table = _instead.get()[name]
        return table[:, :-1].copy(), table[:, -1].copy()
    if not path.is_file():
        raise FileNotFoundError(
            f"The data of {name!r} may not be distributed with the project, and {path} does not exist. "
            f"Run `python -m svmcore.problems fetch {name}`: it downloads {address(name)}, checks that it holds "
            f"{source.shape}, and stores it."
        )
    try:
        X, y = read(path)
        _check(source, np.column_stack([X, y]))
    except ValueError as error:
        raise ValueError(
            f"The file {path} is damaged: {error}. Run `python -m svmcore.problems fetch {name}` again."
        ) from error
    return X, y


def _text(content):
    if content[:2] == GZIP:
        packed = zlib.decompressobj(wbits=31)
        content = packed.decompress(content, LARGEST + 1)
        if len(content) <= LARGEST and not packed.eof:
            raise ValueError("it is cut short")
    if len(content) > LARGEST:
        raise ValueError(f"it has more than {LARGEST} bytes")
    return content.decode()


def _check(source, table):
    """ValueError if the table (rows, inputs + 1) is not that of the source."""
    if table.shape != (source.rows, source.inputs + 1):
        raise ValueError(f"it has {len(table)} rows of {np.size(table) // max(len(table), 1)} numbers")
    if not np.isfinite(table).all():
        raise ValueError("it holds NaN or infinity")
    positive, negative = int(np.sum(table[:, -1] == 1)), int(np.sum(table[:, -1] == -1))
    if source.positive is not None and (positive, negative) != (source.positive, source.rows - source.positive):
        raise ValueError(f"it has {positive} labels +1 and {negative} labels -1")


def _write(path, text):
    """Write to a temporary file and rename it: no reader ever sees an incomplete file."""
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        part.write_text(text)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


@problem(
    "fossil",
    title="Fossil",
    about="Strontium isotope ratios in fossil shells against their age: changes of sea water over 30 million years.",
    source="T. J. Bralower et al., Mid-Cretaceous Strontium-Isotope Stratigraphy of Deep-Sea Sections, Geological "
    "Society of America Bulletin 109 (1997) 1421-1442; the set fossil of R's SemiPar package",
    options=(n_training(106),),
    C=10.0,
    sigma=8.0,
    task="regression",
    available=lambda: file("fossil").is_file(),
    n_inputs=1,
)
def fossil(seed, n) -> Problem:
    """Age in million years -> ratio; the seed draws the n for training, the others are the test set (`held_out`)."""
    return held_out(*points("fossil"), n, seed)


@problem(
    "fourclass",
    title="Fourclass",
    about="Two classes in winding, scattered regions of a square: an RBF machine makes almost no errors.",
    source="T. K. Ho, E. M. Kleinberg, Building Projectable Classifiers of Arbitrary Complexity, ICPR 13 (1996); "
    "scaled to [-1, 1] as in the LIBSVM collection",
    options=(n_training(862),),
    C=10.0,
    sigma=0.3,
    available=lambda: file("fourclass").is_file(),
)
def fourclass(seed, n) -> Problem:
    """862 points; the seed draws the n for training, the others are the test set (`held_out`)."""
    return held_out(*points("fourclass"), n, seed)
