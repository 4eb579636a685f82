"""Problems whose data may not come with the project: fetched once, on request, into the user's data folder.

    python -m svmcore.problems fetch fossil          download, check, keep
    python -m svmcore.problems store fossil FILE     the same with a file that was downloaded by other means

The folder is that of the environment variable SVMCORE_DATA, else `svmcore` in the user's cache folder. Nothing here
goes to the network but `fetch`.
"""

import http.client
import os
import sys
import urllib.request
import uuid
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from svmcore.problems.registry import problem
from svmcore.problems.tables import held_out, n_training, read

PUBLIC = "https://raw.githubusercontent.com"
LARGEST = 10_000_000  # bytes; the files have a few thousand, those of gene expression up to 4.2 million
TIMEOUT = 30  # seconds
GZIP = b"\x1f\x8b"


class Source(NamedTuple):
    """Where a set is public, what it must look like, and how to read it.

    path: below the base address; positive: how many labels are +1, the others being -1, or None for real targets;
    parse: text -> rows of numbers, the label or target last.
    """

    path: str
    rows: int
    inputs: int
    positive: int | None
    licence: str
    parse: Callable

    @property
    def shape(self):
        """What is expected, in words."""
        kind = "a real target" if self.positive is None else f"{self.positive} labels +1 among -1"
        return f"{self.rows} points with {self.inputs} input{'s' * (self.inputs > 1)} and {kind}"


def _columns(*names):
    """A parser for a table with a header line: these columns in this order; rows may start with a name."""

    def parse(text):
        lines = [line.replace('"', "").replace(",", " ").split() for line in text.splitlines() if line.strip()]
        header, rows = lines[0] if lines else [], lines[1:]
        if not set(names) <= set(header):
            raise ValueError(f"it has no columns named {' and '.join(names)}")
        if any(len(row) < len(header) for row in rows):
            raise ValueError("a row is cut short")
        where = [header.index(name) - len(header) for name in names]
        return [[float(row[column]) for column in where] for row in rows]

    return parse


def _libsvm(inputs):
    """A parser for lines `label index:value ...`; a value that is not there is zero."""

    def parse(text):
        table = []
        for label, *pairs in (line.split() for line in text.splitlines() if line.strip()):
            row = [0.0] * inputs + [float(label)]
            for index, _, value in (pair.partition(":") for pair in pairs):
                if not 1 <= int(index) <= inputs:
                    raise ValueError(f"an input has the number {index}")
                row[int(index) - 1] = float(value)
            table.append(row)
        return table

    return parse


def _words(positive, where, start):
    """A parser for rows of numbers by commas with a class in words, at `where` (0 first, -1 last) of each row.

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


def _biolab(file, rows, inputs, positive, word):
    """One of the gene expression sets of the Bioinformatics Laboratory in Ljubljana, as ARFF."""
    path = f"mmayo888/GeneExpressionDatasets/1b24a06d664e16fd0289886dc580f4d7853d52ee/biolab/arff/{file}.arff"
    return Source(path, rows, inputs, positive, "not stated", _words(word, -1, "@data"))


SOURCES = {
    "fossil": Source(
        "cran/SemiPar/master/data/fossil.txt.gz", 106, 1, None, "GPL-2 or later", _columns("age", "strontium.ratio")
    ),
    "fourclass": Source(
        "wxwidget/logistic_regression/master/data/fourclass_scale", 862, 2, 307, "not stated", _libsvm(2)
    ),
    "colon": Source(
        "ramhiser/datamicroarray/7a49f8ad77e63b14a7dde2b20958530d816c0953/alon-colon/colon-cancer.csv",
        62,
        2000,
        40,
        "MIT",
        _words("t", 0, "labels"),
    ),
    "leukemia_5147": _biolab("01_leukemia", 72, 5147, 47, "ALL"),
    "dlbcl_7070": _biolab("04_DLBCL", 77, 7070, 58, "DLBCL"),
    "prostate_12533": _biolab("05_prostata", 102, 12533, 52, "tumor"),
}


def folder() -> Path:
    """The user's data folder, which need not exist yet."""
    if os.environ.get("SVMCORE_DATA"):
        return Path(os.environ["SVMCORE_DATA"])
    caches = {"win32": os.environ.get("LOCALAPPDATA"), "darwin": os.path.expanduser("~/Library/Caches")}
    cache = caches.get(sys.platform) or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(cache) / "svmcore"


def file(name) -> Path:
    """Where the set `name` is kept once it has been fetched; ValueError for a set that is not fetched at all."""
    if name not in SOURCES:
        raise ValueError(f"{name!r} is not a set to fetch; those are {', '.join(SOURCES)}.")
    return folder() / f"{name}.csv"


def address(name, base=PUBLIC) -> str:
    """The public address of the set `name`."""
    return f"{base}/{SOURCES[name].path}"


def fetch(name, base=PUBLIC) -> Path:
    """Download the set `name` from its public place below `base`, and `store` it; returns the file.

    Raises ConnectionError where the download fails, and what `store` raises.
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
    """Check what was downloaded, or uploaded, as it is published (gzip or not), and keep it; returns the file.

    The file appears whole or not at all. Raises ValueError where the content is not the set, OSError where the
    folder cannot be written.
    """
    kept, source = file(name), SOURCES[name]
    try:
        table = np.array(source.parse(_text(content)), dtype=float)
        _check(source, table)
    except (ValueError, zlib.error) as error:
        raise ValueError(f"This is not the set {name!r}, {source.shape}: {error}. Nothing was stored.") from error
    lines = [
        f"# from {address(name)}; licence: {source.licence}",
        ",".join([*(f"x{k}" for k in range(1, source.inputs + 1)), "y"]),
        *(",".join(map(repr, row)) for row in table.tolist()),
    ]
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        _write(kept, "\n".join(lines) + "\n")
    except OSError as error:
        raise OSError(
            f"The data folder {kept.parent} cannot be written ({error}); set SVMCORE_DATA to a folder of your own."
        ) from error
    return kept


def points(name):
    """X (N, d), y (N,) of the set `name`; FileNotFoundError, with what to do, until it has been fetched."""
    kept, source = file(name), SOURCES[name]
    if not kept.is_file():
        raise FileNotFoundError(
            f"The data of {name!r} may not come with the project, and {kept} is not there. "
            f"Run `python -m svmcore.problems fetch {name}`: it downloads {address(name)}, checks that it holds "
            f"{source.shape}, and keeps it."
        )
    try:
        X, y = read(kept)
        _check(source, np.column_stack([X, y]))
    except ValueError as error:
        raise ValueError(
            f"The file {kept} is damaged: {error}. Run `python -m svmcore.problems fetch {name}` again."
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
    """ValueError where the table (rows, inputs + 1) is not that of the source."""
    if table.shape != (source.rows, source.inputs + 1):
        raise ValueError(f"it has {len(table)} rows of {np.size(table) // max(len(table), 1)} numbers")
    if not np.isfinite(table).all():
        raise ValueError("it holds NaN or infinity")
    positive, negative = int(np.sum(table[:, -1] == 1)), int(np.sum(table[:, -1] == -1))
    if source.positive is not None and (positive, negative) != (source.positive, source.rows - source.positive):
        raise ValueError(f"it has {positive} labels +1 and {negative} labels -1")


def _write(path, text):
    """Write beside the file, then take its place in one step: nobody ever reads half of it."""
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        part.write_text(text)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


@problem(
    "fossil",
    title="Fossil",
    about="Strontium isotope ratios in fossil shells against their age: how sea water changed in 30 million years.",
    source="T. J. Bralower et al., Mid-Cretaceous Strontium-Isotope Stratigraphy of Deep-Sea Sections, Geological "
    "Society of America Bulletin 109 (1997) 1421-1442; the set fossil of R's SemiPar package",
    options=(n_training(106),),
    C=10.0,
    sigma=8.0,
    task="regression",
    available=lambda: file("fossil").is_file(),
    n_inputs=1,
)
def fossil(seed, n):
    """Age in million years -> ratio; the seed draws which n train, the others are the test set (see `held_out`)."""
    return held_out(*points("fossil"), n, seed)


@problem(
    "fourclass",
    title="Fourclass",
    about="Two classes in winding, scattered regions of a square: an RBF machine makes hardly an error.",
    source="T. K. Ho, E. M. Kleinberg, Building Projectable Classifiers of Arbitrary Complexity, ICPR 13 (1996); "
    "scaled to [-1, 1] as in the LIBSVM collection",
    options=(n_training(862),),
    C=10.0,
    sigma=0.3,
    available=lambda: file("fourclass").is_file(),
)
def fourclass(seed, n):
    """862 points; the seed draws which n train, the others are the test set (see `held_out`)."""
    return held_out(*points("fourclass"), n, seed)
