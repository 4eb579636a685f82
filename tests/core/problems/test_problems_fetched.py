"""Fetching over loopback: what is served is checked, kept whole or not at all, and found again by `load`.

Synthetic tables of the right shape stand in for the sets.
"""

import gzip
import http.server
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from written import numbers_in

from svmcore import problems
from svmcore.problems import benchmarks, fetched
from svmcore.problems.__main__ import main

ROOT = Path(__file__).parents[3]


def fossil_text(table):
    """As R writes a table: a header line, columns by white space."""
    return "age strontium.ratio\n" + "".join(f"{x!r}  {y!r}\n" for x, y in table.tolist())


def fourclass_text(table):
    """As LIBSVM writes it: a zero is left out, a blank ends the line."""
    lines = []
    for a, b, y in table.tolist():
        pairs = [f"{k}:{value!r}" for k, value in ((1, a), (2, b)) if value]
        lines.append(" ".join([f"{y:+.0f}", *pairs, "\n"]))
    return "".join(lines)


def colon_text(table):
    """As R writes a csv file, the class in front."""
    rows = [",".join(['"t"' if y > 0 else '"n"', *map(repr, row)]) for *row, y in table.tolist()]
    return "\n".join(['"labels",' + ",".join(f'"X{k}"' for k in range(1, 2001)), *rows]) + "\n"


def arff_text(positive, other):
    """As Weka writes a table, the class in the end."""

    def write(table):
        words = [",".join([*map(repr, row), f"'{positive if y > 0 else other}'"]) for *row, y in table.tolist()]
        names = [f"@attribute a{k} numeric" for k in range(1, table.shape[1])]
        classes = f"@attribute class {{'{positive}','{other}'}}"
        return "\n".join(["@relation genes", *names, classes, "", "@data", *words]) + "\n"

    return write


TEXTS = {
    "fossil": fossil_text,
    "fourclass": fourclass_text,
    "colon": colon_text,
    "leukemia_5147": arff_text("ALL", "AML"),
    "dlbcl_7070": arff_text("DLBCL", "FL"),
    "prostate_12533": arff_text("tumor", "normal"),
}


def published(name, table):
    content = TEXTS[name](table).encode()
    return gzip.compress(content, 1, mtime=0) if name == "fossil" else content


def synthetic(name):
    rng, source = np.random.default_rng(7), fetched.SOURCES[name]
    if name == "fossil":
        return rng.standard_normal((106, 2))
    X = np.round(rng.uniform(-1, 1, (source.rows, source.inputs)), 1)  # with zeros among them
    return np.column_stack([X, np.where(np.arange(source.rows) < source.positive, 1.0, -1.0)])


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.server.files.get(self.path)
        self.send_response(200 if body is not None else 404)
        self.send_header("Content-Length", str(len(body or b"") + self.server.missing))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *words):
        pass


@pytest.fixture
def server(monkeypatch):
    """A web server on loopback; `files` maps paths to bytes, `missing` bytes are promised and never sent."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.missing = {}, 0
    server.base = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A data folder that does not exist yet."""
    benchmarks.points.cache_clear()  # it knows nothing of folders that change
    folder = tmp_path / "some" / "data"
    monkeypatch.setenv("SVMCORE_DATA", str(folder))
    return folder


def serve(server, name, content):
    server.files["/" + fetched.SOURCES[name].path] = content


LARGE = ("dlbcl_7070", "prostate_12533")  # read as leukemia_5147 is


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LARGE)) for name in TEXTS])
def test_fetched_once_it_is_a_problem(name, server, folder):
    table = synthetic(name)
    serve(server, name, published(name, table))
    assert not problems.available(name)
    assert problems.fetch(name, base=server.base) == folder / f"{name}.csv"
    assert problems.available(name)
    assert [path.name for path in folder.iterdir()] == [f"{name}.csv"]  # nothing half done is left
    X, y = fetched.points(name)
    assert_array_equal(np.column_stack([X, y]), table)

    made = problems.load(name)
    assert len(made.y) == problems.REGISTRY[name].options[0].default and len(made.y) + len(made.y_test) == len(y)
    assert made.task == problems.REGISTRY[name].task and made.X.flags.c_contiguous
    every = problems.load(name, seed=3, n=len(y))
    X = benchmarks.standardise(X) if name in benchmarks.SETS else X
    shown, held, rows = (sorted(row.tobytes() for row in points) for points in (every.X, every.X_test, X))
    assert shown == held == rows
    assert not np.array_equal(made.X, problems.load(name, seed=1).X)


def test_fossil_is_read_whatever_its_form():
    """With names of rows, with quotes, with commas, packed or not: as R has written it over the years."""
    table = synthetic("fossil")
    plain = fossil_text(table)
    header, *rows = plain.splitlines()
    named = "\n".join(['"age" "strontium.ratio"', *(f'"{k}" {row}' for k, row in enumerate(rows, 1))])
    swapped = "\n".join(["strontium.ratio,age", *(",".join(reversed(row.split())) for row in rows)])
    for text in (plain, named, swapped, "\n" + plain.replace("\n", "\r\n")):
        assert_array_equal(np.array(fetched.SOURCES["fossil"].parse(text)), table)


def labelled(row, label):
    table = synthetic("fourclass")
    table[row, -1] = label
    return published("fourclass", table)


@pytest.mark.parametrize("name, content, words", [
    ("fossil", published("fossil", synthetic("fossil")[:-1]), "it has 105 rows of 2 numbers"),
    ("fossil", b"<html>Moved</html>", "it has no columns named age and strontium.ratio"),
    ("fossil", b"", "it has no columns named"),
    ("fossil", b"\xff\xfe\x00", "decode"),
    ("fossil", b"age strontium.ratio\n1.0 2.0\n3.0\n", "a row is cut short"),
    ("fossil", b"age strontium.ratio\n1.0 x\n", "could not convert"),
    ("fossil", published("fossil", synthetic("fossil"))[:-9], "it is cut short"),
    ("fossil", b"\x1f\x8bnot gzip at all", "decompressing"),
    ("fossil", gzip.compress(bytes(fetched.LARGEST + 1)), "more than 10000000 bytes"),
    ("fossil", bytes(fetched.LARGEST + 1), "more than 10000000 bytes"),
    ("fossil", published("fossil", np.full((106, 2), np.nan)), "NaN or infinity"),
    ("fourclass", published("fourclass", synthetic("fourclass")[1:]), "it has 861 rows of 3 numbers"),
    ("fourclass", labelled(0, -1.0), "it has 306 labels \\+1 and 556 labels -1"),
    ("fourclass", labelled(400, 0.0), "it has 307 labels \\+1 and 554 labels -1"),
    ("fourclass", published("fourclass", synthetic("fourclass") * [1, 1, 2]), "it has 0 labels \\+1 and 0 labels -1"),
    ("fourclass", b"+1 1:0.5 2:0.5 3:0.5\n", "file contains 3 features"),
    ("fourclass", b"+1 0:0.5\n", "Invalid index 0"),
    ("fourclass", b"+1 0.5\n", "unpack"),
    ("fourclass", b"404: Not Found", "could not convert"),
    ("colon", b"404: Not Found", "it has no line labels"),
    ("colon", colon_text(synthetic("colon")[:, 1:]).encode(), "it has 62 rows of 2000 numbers"),
    ("colon", colon_text(synthetic("colon")).replace('"n"', '"t"', 1).encode(), "it has 41 labels"),
    ("dlbcl_7070", b"@relation x\n@data\n1,2,'DLBCL'\n", "it has 1 rows of 3 numbers"),
    ("dlbcl_7070", b"@relation x\n@data\n1,?,'DLBCL'\n", "could not convert"),
])  # fmt: skip
def test_other_content_is_refused(name, content, words, server, folder):
    serve(server, name, content)
    said = rf"This is not the set '{name}', {fetched.SOURCES[name].shape[:10]}"
    with pytest.raises(ValueError, match=said) as caught:
        problems.fetch(name, base=server.base)
    assert caught.match(words) and str(caught.value).endswith("Nothing was stored.")
    assert not folder.exists() and not problems.available(name)


def test_a_refused_download_leaves_what_was_there_and_one_without_end_is_not_awaited(server, folder):
    fetched.store("fossil", published("fossil", synthetic("fossil")))
    before = (folder / "fossil.csv").read_bytes()
    serve(server, "fossil", bytes(fetched.LARGEST + 1))
    server.missing = 10**9
    with pytest.raises(ValueError, match="it has more than 10000000 bytes"):
        problems.fetch("fossil", base=server.base)
    assert (folder / "fossil.csv").read_bytes() == before


def test_a_write_that_fails_leaves_nothing_and_a_folder_that_is_a_file_is_named(folder, monkeypatch, tmp_path):
    def full(*paths):
        raise OSError("No space left on device")

    monkeypatch.setattr(fetched.os, "replace", full)
    with pytest.raises(OSError, match="data folder .* cannot be written .No space left.* set SVMCORE_DATA"):
        fetched.store("fossil", published("fossil", synthetic("fossil")))
    assert list(folder.iterdir()) == []
    (tmp_path / "file").touch()
    monkeypatch.setenv("SVMCORE_DATA", str(tmp_path / "file"))
    assert not problems.available("fossil")
    with pytest.raises(OSError, match="cannot be written"):
        fetched.store("fossil", published("fossil", synthetic("fossil")))


@pytest.mark.parametrize("fault", ["not found", "cut short", "no server"])
def test_a_failed_download_says_what_else_to_do(fault, server, folder):
    base = server.base
    if fault == "cut short":
        serve(server, "fossil", b"age strontium.ratio\n")
        server.missing = 1000
    if fault == "no server":
        base = "http://127.0.0.1:9"
    with pytest.raises(ConnectionError, match="fossil.txt.gz could not be downloaded .*store fossil FILE"):
        problems.fetch("fossil", base=base)
    assert not folder.exists()


@pytest.mark.parametrize("name", fetched.SOURCES)
def test_until_then_the_sentence_says_how(name, folder):
    with pytest.raises(FileNotFoundError) as caught:
        problems.load(name)
    words, source = str(caught.value), fetched.SOURCES[name]
    assert f"python -m svmcore.problems fetch {name}" in words and str(folder / f"{name}.csv") in words
    assert f"https://raw.githubusercontent.com/{source.path}" in words and source.shape in words


def test_the_list_of_sets_says_what_is_fetched_and_other_problems_are_not():
    rows = re.findall(r"^\| (\w+) \| (.+) \| (https:.+) \| (.+) \|$", (ROOT / "data" / "README.md").read_text(), re.M)
    expected = []
    for name, one in fetched.SOURCES.items():
        labels = f"{one.positive} | {one.rows - one.positive}" if one.positive else "- | -"
        expected.append((name, f"{one.rows} x {one.inputs} | {labels}", fetched.address(name), one.licence))
    assert rows == expected
    assert numbers_in(fetched.SOURCES["fossil"].shape) == [106, 1] and " input " in fetched.SOURCES["fossil"].shape
    assert numbers_in(fetched.SOURCES["fourclass"].shape) == [862, 2, 307, 1, 1]  # of labels +1 among -1
    for name in ("moons", "../fossil"):
        with pytest.raises(ValueError, match="is not a set to fetch; those are fossil, fourclass, colon, "):
            problems.fetch(name)


@pytest.mark.parametrize("spoil", [
    lambda path: path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1])),
    lambda path: path.write_text(path.read_text().replace("\n", "\nx", 2)),
    lambda path: path.write_text("# comment\nx1,y\n1.0\n"),
])  # fmt: skip
def test_a_spoilt_file_is_named(spoil, folder):
    fetched.store("fossil", published("fossil", synthetic("fossil")))
    lines = (folder / "fossil.csv").read_text().splitlines()
    assert lines[0].startswith("# from https://") and "GPL-2" in lines[0] and lines[1] == "x1,y" and len(lines) == 108
    spoil(folder / "fossil.csv")
    with pytest.raises(ValueError, match="fossil.csv is damaged: .* fetch fossil` again"):
        problems.load("fossil")


@pytest.mark.parametrize("platform, environment, expected", [
    ("linux", {"XDG_CACHE_HOME": "/c"}, "/c/svmcore"),
    ("linux", {"HOME": "/h"}, "/h/.cache/svmcore"),
    ("darwin", {"HOME": "/h"}, "/h/Library/Caches/svmcore"),
    ("win32", {"LOCALAPPDATA": "/l"}, "/l/svmcore"),
    ("linux", {"SVMCORE_DATA": "/d", "XDG_CACHE_HOME": "/c"}, "/d"),
])  # fmt: skip
def test_the_data_folder(platform, environment, expected, monkeypatch):
    for name in ("SVMCORE_DATA", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(fetched.sys, "platform", platform)
    assert fetched.folder().as_posix() == expected


def test_the_command_fetches(server, folder, monkeypatch, capsys):
    for name in ("fossil", "fourclass"):
        serve(server, name, published(name, synthetic(name)))
    monkeypatch.setattr(fetched.fetch, "__defaults__", (server.base,))
    assert main(["fetch", "fossil", "fourclass"]) == 0
    assert capsys.readouterr().out.split() == [str(folder / "fossil.csv"), str(folder / "fourclass.csv")]
    server.files.clear()
    assert main(["fetch", "fossil"]) == 1
    assert fetched.address("fossil", server.base) in capsys.readouterr().err


def test_the_command_stores(folder, tmp_path, capsys):
    (tmp_path / "download").write_bytes(published("fossil", synthetic("fossil")))
    assert main(["store", "fossil", str(tmp_path / "download")]) == 0
    assert capsys.readouterr().out.strip() == str(folder / "fossil.csv") and problems.available("fossil")
    assert main(["store", "fourclass", str(tmp_path / "download")]) == 1
    assert "'fourclass'" in capsys.readouterr().err
    assert main(["store", "fossil", str(tmp_path / "nowhere")]) == 1
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_is_there():
    done = subprocess.run(
        [sys.executable, "-m", "svmcore.problems", "fetch", "moons"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2 and "fossil" in done.stderr and "fourclass" in done.stderr
