"""The JavaScript of the plane: its own tests, and that it means the same as Python by an edit and by a payload."""

import base64
import math
import re
import subprocess
from dataclasses import replace

import hypothesis
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from javascript import ROOT, WEB
from serving import tool

from pages.shared.plane import component
from pages.shared.screen import codec, edits, point_rows
from svmcore import problems
from svmcore.problems import outliers

EDITS, REPLAY = f"{WEB}/editing/edits.js", "tests/js/replay.js"
FILES = sorted(path for path in (ROOT / WEB).rglob("*.*"))


def test_its_own_tests_pass():
    files = sorted(str(path) for path in (ROOT / "tests/js").glob("*.test.js"))
    done = subprocess.run([tool("node"), "--test", *files], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:]
    assert int(re.search(r"^\S+ pass (\d+)$", done.stdout, re.MULTILINE)[1]) >= 50


# ------------------------------------------------------------------------------------------- files


def test_what_is_served_is_all_that_is_imported_and_no_more():
    names = {path.name for path in FILES}
    texts = {path.name: path.read_text(encoding="utf-8") for path in FILES if path.suffix == ".js"}
    imported = {name for text in texts.values() for name in re.findall(r'"(?:\.{1,2}/)*(?:\w+/)*(\w+\.js)"', text)}
    assert imported | {"entry.js", "view.js"} == set(texts)
    named = {name for text in texts.values() for name in re.findall(r'"(\w+\.(?:css|html))"', text)}
    assert names - set(texts) == named != set()


def test_no_line_is_too_long():
    for path in [*FILES, *(ROOT / "tests/js").iterdir()]:
        long = [row for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if len(line) > 120]
        assert not long, f"{path.name}: lines {long}"


# ----------------------------------------------------------------------------------------- payloads


def test_what_python_packs_the_browser_unpacks(modules):
    rng = np.random.default_rng(0)
    arrays = {code: (100 * rng.normal(size=(3, 2, 4))).astype(code) for code in ("f4", "f8", "i1", "i2", "i4")}
    arrays |= {code: rng.integers(0, 200, (5,)).astype(code) for code in ("u1", "u2", "u4")}
    spec = {
        "words": "−1 ≤ α",
        "none": None,
        "deep": [{"yes": True, "x": arrays}],
        "flags": np.array([True, False]),
        "empty": np.zeros((0, 2)),
        "long": np.arange(3),
        "nan": math.nan,
        "infinity": np.float64(np.inf),
        "letters": np.array(["x", "y"]),
        "many words": ["free", "−1"] * 40,
        "different words": [f"word {k}" for k in range(300)],
    }
    result = modules.call(REPLAY, "unpackBase64", base64.b64encode(component.pack(spec)).decode())
    deep = [{"yes": True, "x": {code: array.tolist() for code, array in arrays.items()}}]
    same = dict(flags=[True, False], empty=[], long=[0, 1, 2], nan=None, infinity=None, letters=["x", "y"])
    assert result == spec | same | {"deep": deep}


# -------------------------------------------------------------------------------------------- edits


def test_flags_and_names_are_the_same(modules):
    flags = {name: getattr(edits, name) for name in ("MOVED", "FLIPPED", "MARKED", "OFF", "GONE", "TURNED")}
    assert modules.call(EDITS, "FLAGS") == flags
    for key in (0, 7, -1, -12):
        assert modules.call(EDITS, "pointName", key) == edits.point_name(key)


def few(problem):
    """Six points of it, some of them outliers, whose ids are not the first six."""
    kept = np.array([0, 1, 4, 7, 20, 25])
    parts = {name: getattr(problem, name)[kept] for name in ("X", "y", "X_clean", "y_clean", "added", "ids")}
    return replace(problem, **parts)


CLOUDS = few(problems.load("three_clouds", 1))
TOY = few(outliers.flip_farthest(problems.load("toy_outliers", 1), 20))
CURVE = replace(TOY, X=TOY.X[:, :1], X_clean=None, y=TOY.X[:, 1], y_clean=TOY.X[:, 1] - TOY.outlier, task="regression")
LIMITS = {"x": [-9.0, 9.0], "y": [-9.0, 9.0]}
PLACE = st.floats(-9, 9)
SOME = st.sets(st.integers(0, 11), min_size=1, max_size=4)  # places in the list of the points that are there
ROWS = st.lists(  # of a script that is there before
    st.tuples(st.sampled_from([0, 4, 25, -1, -2, -5]), st.integers(0, 63), st.integers(-99, 99), st.integers(-99, 99)),
    max_size=5,
    unique_by=lambda row: row[0],
)
COMMANDS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), PLACE, PLACE, st.integers(0, 2)),
        st.tuples(st.just("shift"), SOME, st.tuples(st.floats(-20, 20), st.floats(-20, 20))),
        st.tuples(st.just("flip"), SOME),
        st.tuples(st.just("mark"), SOME, st.booleans()),
        st.tuples(st.just("switchOff"), SOME, st.booleans()),
        st.tuples(st.just("remove"), SOME),
        st.tuples(st.just("snap"), SOME),
        st.tuples(st.just("undo")),
        st.tuples(st.just("redo")),
    ),
    max_size=25,
)


class Plain:
    """The points as a reader thinks of them: {id: (x, y, label, outlier, on)}, None for one that was deleted."""

    def __init__(self, problem, script):
        self.classes = problem.classes
        self.own, self.past, self.future = table(problem, edits.NONE), [], []
        self.points = dict.fromkeys(self.own) | table(problem, script)

    @property
    def there(self):
        """The points that are not deleted: the problem's own, then those added, the last one last."""
        found = [key for key, point in self.points.items() if point]
        return sorted((key for key in found if key >= 0), key=[*self.own].index) + sorted(
            (key for key in found if key < 0), reverse=True
        )

    def do(self, name, *args):
        if name in ("undo", "redo"):
            source, target = (self.past, self.future) if name == "undo" else (self.future, self.past)
            if source:
                target.append(self.points)
                self.points = source.pop()
            return
        self.past.append(self.points)
        self.points, self.future = dict(self.points), []
        getattr(self, name)(*args)

    def add(self, x, y, label):
        self.points[min(0, *self.points) - 1] = (x, y, label, False, True)

    def shift(self, keys, by, limits):
        x, y, *_ = zip(*(self.points[key] for key in keys), strict=True)
        dx, dy = (
            min(max(delta, limits[name][0] - min(places)), limits[name][1] - max(places))
            for delta, name, places in zip(by, "xy", (x, y), strict=True)
        )
        self._each(keys, lambda key, x, y, *rest: (x + dx, y + dy, *rest))

    def flip(self, keys):
        self._each(keys, self._flipped)

    def _flipped(self, key, x, y, label, mark, on):
        after = self.classes[(self.classes.index(label) + 1) % len(self.classes)]
        own = self.own[key][2] if key >= 0 else None
        return x, y, after, mark != (own in (label, after)), on

    def mark(self, keys, value):
        self._each(keys, lambda key, x, y, label, mark, on: (x, y, label, value, on))

    def switchOff(self, keys, value):
        self._each(keys, lambda key, x, y, label, mark, on: (x, y, label, mark, not value))

    def remove(self, keys):
        self._each(keys, lambda *_: None)

    def snap(self, keys):
        for key in keys:
            if key in self.own:
                self.points[key] = self.own[key]
            else:
                del self.points[key]

    def _each(self, keys, change):
        self.points |= {key: change(key, *self.points[key]) for key in keys}


def meant(commands, plain):
    """The commands with the ids of points for places in the list of those that are there then."""
    for name, *args in commands:
        if args and isinstance(args[0], set):
            keys = [key for place, key in enumerate(plain.there) if place in args[0]]
            if not keys or (name == "flip" and not plain.classes):
                continue
            args = [keys, *args[1:], *([LIMITS] if name == "shift" else [])]
        if name == "add":
            args[2] = plain.classes[args[2] % len(plain.classes)] if plain.classes else 1
        plain.do(name, *args)
        yield (name, *args)


def table(base, script):
    """{id: (x, y, label, outlier, on)} as a table of points shows them; the points of a regression have the label 1."""
    sheet = point_rows.rows(base, script)
    label = np.ones(len(sheet.ids)) if base.task == "regression" else sheet.label
    columns = (*sheet.places.T, label, sheet.outlier, sheet.on)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return dict(zip(sheet.ids.tolist(), rows, strict=True))


def given(base, script, step):
    """What the board is told of a problem and its edits."""
    x, y = edits.places(base).T
    label = base.y if base.classes else np.ones(len(x))
    columns = {"ids": base.ids, "x": x, "y": y, "label": label, "mark": base.outlier}
    columns = {name: column.tolist() for name, column in columns.items()}
    return {"base": columns, "edits": script.edits, "step": step, "labels": base.classes}


def standing(problem):
    """{id: (x, y, label, outlier)} of a problem, or of None; the points of a regression have the label 1."""
    if problem is None:
        return {}
    label = np.ones(len(problem.y)) if problem.task == "regression" else problem.y
    columns = (*edits.places(problem).T, label, problem.outlier)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return dict(zip(problem.ids.tolist(), rows, strict=True))


@settings(max_examples=50, deadline=None)
@hypothesis.given(
    COMMANDS, ROWS, st.sampled_from([TOY, CURVE, CLOUDS]), st.tuples(st.integers(-4, 0), st.integers(-4, 0))
)
def test_the_browser_and_python_make_the_same_of_every_command(modules, commands, rows, base, step):
    """What the browser shows is what a reader expects, and what its script makes of the problem and of the table."""
    first = edits.script(step, rows)
    commands, plain = list(meant(commands, Plain(base, first))), Plain(base, first)
    half = [0.5 * 10.0**power * (1 + 1e-6) + 1e-12 for power in step]
    for command, state in zip(
        commands, modules.call(REPLAY, "replay", given(base, first, step), commands), strict=True
    ):
        plain.do(*command)
        shown = {p["id"]: (p["x"], p["y"], p["label"], p["mark"], not p["off"]) for p in state["points"]}
        assert [*shown] == plain.there
        for key, point in shown.items():
            assert point[2:] == plain.points[key][2:], command
            assert all(abs(a - b) <= reach for a, b, reach in zip(point, plain.points[key], half, strict=False)), (
                command
            )
            plain.points[key] = point  # a place is the nearest that a script can say

        script = edits.script(step, state["rows"])
        assert codec.decode(codec.encode(script)) == script
        assert table(base, script) == shown
        made = edits.apply(base, script)
        assert standing(made.problem) == {key: point[:4] for key, point in shown.items() if point[4]}
        assert standing(made.off) == {key: point[:4] for key, point in shown.items() if not point[4]}
