"""Whatever comes from outside, in numbers: links, uploads, messages of the live channel. A sentence each time, never a
traceback, never more than ten seconds, and nothing in it is executed.

Five thousand links are read, and what they ask for is fitted and drawn, without a page; a sample of links is opened as
a page. More of both, and others (the seed is 0 unless it is given), with

    SVM_LAB_FUZZ=10000 SVM_LAB_FUZZ_SEED=7 .venv/bin/python -m pytest -m slow tests/pages/test_fuzz.py
"""

import json
import os
import random
import re
import time

import pytest
from screen import ROOT, open_page

from pages.shared.controls.widgets import quote
from pages.shared.files.reading import read_table
from pages.shared.files.table import read_classes, suggested_columns
from pages.shared.live import pictures as drawn
from pages.shared.live import scene as pictures
from pages.shared.plane import component
from pages.shared.screen import document as screen_document
from pages.shared.screen.choices import LOSSES, MACHINES, Data, Machine, Setting
from pages.shared.screen.fields import REGISTRY, Choice, Number, Several
from pages.shared.screen.screen import Screen
from pages.shared.studies import results, scenes
from pages.shared.studies.source import Source
from svmcore import deadline, problems
from svmcore.kernels import KERNELS

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("warm")]
COUNT = int(os.environ.get("SVM_LAB_FUZZ") or 240)  # links that are opened as a page
SEED = 10_000 * int(os.environ.get("SVM_LAB_FUZZ_SEED") or 0)
LINKS = max(COUNT, 5_000)  # that are read and drawn without a page
PARTS = 12  # tests, for several workers
PATIENCE = 10.0  # seconds of the processor, which a busy machine does not change
PAGES = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "pages").glob("[a-z]*.py"))] + ["home.py"]
HOSTILE = [
    "", " ", "nan", "inf", "-inf", "1e309", "-1e309", "9" * 300, "0", "-0", "1e-300", "null", "True",
    "\x00", "\u202e", "💥",
    "![p](//any.address/x.png)", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "$\\href{x}{y}$",
    ":material/home:", "{{7*7}}", "{0.__class__}", "%s%n", "'; drop table sets; --", "../../etc/passwd", "x" * 5000,
    "1,2,3", ",,,,", "hinge,hinge", "a,b" * 500, "1_000", "١٢", "0x10", "1e5", "[]", "{}",
]  # fmt: skip


def value(rng, control):
    """A value of a link: valid, at the edge of what is valid, or none of it."""
    kind = rng.random()
    if kind < 0.25:
        return rng.choice(HOSTILE)
    if isinstance(control, Number):
        edge = rng.choice([control.low, control.high, control.default])
        near = edge * 10.0 ** rng.uniform(-12, 12) if kind < 0.5 else rng.uniform(control.low, min(control.high, 200))
        return f"{rng.choice([edge, near, round(near)]):.6g}"
    if isinstance(control, (Choice, Several)):
        known = list(control.options) or ["hinge", "rbf", "moons", "poly", "linear", "smo_first", "least_squares"]
        return ",".join(rng.choices(known, k=rng.choice([1, 1, 3])))
    return rng.choice([*HOSTILE, "1AAAA", "own", "rbf"])


PROBLEMS = ("moons", "circles", "checkerboard", "xor", "ripley", "label_flips", "two_spirals", "sinc", "own", "fossil")
WORDS = {
    "problem": PROBLEMS,
    "loss": ("hinge", "ramp", "zero_one", "log", "least_squares", "insensitive_pinball", "sigmoid", "huber"),
    "kernel": ("linear", "poly", "rbf", "sigmoid"),
    "contamination": ("none", "flip_random", "flip_farthest", "leverage"),
    "scene": tuple(scenes.SCENES),
}


def link(rng):
    """Some parameters of the app, and sometimes one of none."""
    names = rng.sample(sorted(REGISTRY), rng.randint(1, 8))
    found = {name: value(rng, REGISTRY[name]) for name in names}
    found |= {name: rng.choice(WORDS[name]) for name in rng.sample(sorted(WORDS), 2)}
    if rng.random() < 0.1:
        found[rng.choice(HOSTILE[1:]) or "x"] = rng.choice(HOSTILE)
    found["n"] = rng.choice(["10", "40", "100", found.get("n", "40")])
    return found


def outcome(page, **query):
    """What is wrong with a page at this link: a traceback, a page without end, markup that came from outside."""
    began = time.process_time()
    app = open_page(page, **query)
    seconds = time.process_time() - began
    if app.exception:
        return f"a traceback: {app.exception[0].value}"
    if seconds > 3 * PATIENCE:
        return f"{seconds:.0f} seconds"
    texts = [one.value for kind in (app.markdown, app.warning, app.error, app.info, app.caption) for one in kind]
    bad = [text for text in texts if re.search(r"(?<!\\)<(script|img)|!\[p\]\(", text)]
    return f"markup: {bad[0][:200]}" if bad else None


@pytest.mark.parametrize("part", range(PARTS))
def test_links(part, monkeypatch):
    monkeypatch.setattr(results, "SECONDS", 6.0)
    rng, wrong = random.Random(SEED + part), []
    for _ in range(-(-COUNT // PARTS)):
        page, query = rng.choice(PAGES), link(rng)
        try:
            said = outcome(page, **query)
        except Exception as error:
            said = repr(error)[:300]
        if said:
            wrong.append((said, page, query))
    assert not wrong, f"{len(wrong)} links, the first: {wrong[0]}"


def asked(query):
    """The screen that a link asks for, as far as its values are valid. AssertionError for a value that is valid and
    cannot be read or written, and for markup in what is said of the others.
    """
    problem = query["problem"] if query.get("problem") in problems.REGISTRY else "moons"
    kernel = query["kernel"] if query.get("kernel") in KERNELS else "rbf"
    entry = problems.REGISTRY[problem]
    known = MACHINES[entry.task]
    loss = query["loss"] if query.get("loss") in known else known[0]
    machine = Machine.from_loss(loss, {parameter.name: parameter.default for parameter in LOSSES[loss].parameters})
    size = [("n", 40)] if "n" in [option.name for option in entry.options] else []
    screen = Screen(Data(problem, 0, tuple(size)), (machine,), Setting.from_problem(entry, kernel))
    for name, text in query.items():
        assert not re.search(r"(?<!\\)[<`$\[]", quote(name) + quote(text)), text[:200]
        control = REGISTRY.get(name)
        if control is None or not control.fits(text):
            continue
        assert control.fits(control.to_text(control.read(text))), (name, text[:200])
        if isinstance(control, Number):
            try:
                screen = drawn.replace_controls(screen, {name: control.read(text)})
            except ValueError as error:
                assert str(error)
    return screen


@pytest.mark.parametrize("part", range(PARTS))
def test_links_without_a_page(part):
    rng, wrong = random.Random(SEED + 1000 + part), []
    for _ in range(-(-LINKS // PARTS)):
        query, began = link(rng), time.process_time()
        try:
            screen = asked(query)
            with deadline.time_limit(results.SECONDS):
                shown = drawn.playground(Source(results.points_of, 4), screen, moving=rng.random() < 0.8)
            for figure in shown.figures.values():
                component.pack({"data": figure.traces, "layout": figure.layout, "alt": figure.alt})
        except (ValueError, FileNotFoundError) as error:
            said = "" if str(error) else "an error without a sentence"
        except Exception as error:
            said = repr(error)[:300]
        else:
            said = ""
        if said or time.process_time() - began > 3 * PATIENCE:
            wrong.append((said or "no answer in time", query))
    assert not wrong, f"{len(wrong)} links, the first: {wrong[0]}"


# ------------------------------------------------------------------------------------------ uploads


def document():
    """A valid file of the app, as a dict."""
    points = {"x1": [0.0, 1.0, 2.0, 3.0], "x2": [0.0, 1.0, 0.5, 2.0], "y": [1.0, -1.0, 1.0, -1.0]}
    settings = {"problem": "own", "C": 1.0, "edits": "", "own": {**points, "source": "a", "features": ["a", "b"]}}
    return {"format": "svm-lab", "version": 1, "points": points, "settings": settings, "model": {}}


def broken(rng, thing):
    """The thing with one of its parts replaced by something else."""
    parts = [None, [], {}, "", "x", True, -1, 10**400, 1e308, "nan", [[[]]], rng.choice(HOSTILE), list(range(6000))]
    if isinstance(thing, dict) and thing and rng.random() < 0.85:
        key = rng.choice(list(thing))
        return {**thing, key: broken(rng, thing[key])}
    if isinstance(thing, list) and thing and rng.random() < 0.7:
        at = rng.randrange(len(thing))
        return [*thing[:at], broken(rng, thing[at]), *thing[at + 1 :]]
    return rng.choice(parts)


def upload(rng):
    """(content, name) of a file."""
    kind = rng.randrange(4)
    if kind == 0:
        return json.dumps(broken(rng, document())).encode(), "a.json"
    if kind == 1:
        body = bytearray(json.dumps(document()).encode())
        for _ in range(rng.randint(1, 8)):
            body[rng.randrange(len(body))] = rng.randrange(256)
        return bytes(body[: rng.randint(0, len(body))]), rng.choice(["a.json", "a.csv", "a"])
    if kind == 2:
        cells = lambda: rng.choice([*HOSTILE, "1", "2.5", "-1", "yes", "no"])  # noqa: E731
        rows = [
            rng.choice([",", ";", "\t"]).join(cells() for _ in range(rng.randint(1, 5)))
            for _ in range(rng.randint(0, 30))
        ]
        return rng.choice(["\n", "\r\n", "\r"]).join(rows).encode("utf-8", "replace"), rng.choice(["a.csv", "a.txt"])
    lines = [f"{rng.choice(['+1', '-1', 'x'])} {rng.randint(-2, 200)}:{rng.choice(HOSTILE[:12])}" for _ in range(20)]
    return "\n".join(lines).encode("utf-8", "replace"), "a.libsvm"


def test_uploads_are_read_or_refused_in_a_sentence():
    rng = random.Random(SEED + 1)
    for _ in range(10 * max(COUNT // 10, 100)):
        raw, _ = upload(rng)
        began = time.process_time()
        try:
            table = read_table(raw)
            if table.unit == "point":
                screen_document.read(raw)
            else:
                read_classes(table, *suggested_columns(table))
        except ValueError as error:
            assert str(error), raw[:200]
        assert time.process_time() - began < PATIENCE, raw[:200]


def test_uploads_on_the_page():
    rng = random.Random(SEED + 2)
    app = open_page("pages/playground.py", problem="own")
    for _ in range(max(COUNT // 20, 30)):
        raw, name = upload(rng)
        name = name if "." in name else "a.csv"
        app.file_uploader(key="upload").set_value((name, raw, "text/plain")).run()
        assert not app.exception, (raw[:300], app.exception[0].value)


# ----------------------------------------------------------------------------------- the live channel


@pytest.fixture
def scene():
    """What the channel of a page asks."""
    return open_page("pages/playground.py", problem="moons").session_state["scenes"][drawn.PLAYGROUND[False, False]]


def test_messages_of_the_channel(scene):
    assert isinstance(scene, pictures.Scene)
    rng = random.Random(SEED + 3)
    good = {
        "moving": True,
        "changes": {"C": 2.0},
        "version": scene.points_version,
        "step": [-3, -3],
        "edits": [[0, 1, 5, 5]],
    }
    for number in range(10 * max(COUNT // 10, 100)):
        question = broken(rng, good)
        question = question if isinstance(question, dict) else {"edits": question}
        began = time.process_time()
        answer = scene.answer({**question, "scene": "t"})
        assert isinstance(answer, bytes) and answer, question
        assert time.process_time() - began < PATIENCE, (number, question)
