"""The chapter before the lessons, read in one scroll: its sections, the screens that belong to them, the picture."""

import tomllib
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pages.shared.figures import style
from pages.shared.figures.palette import colour
from pages.shared.figures.picture import machine_figure
from pages.shared.figures.style import Drawing
from pages.shared.lessons.lesson import Lesson, Teacher
from pages.shared.live.pictures import PictureSet, points_on_loss
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies.formatting import percent
from pages.shared.studies.source import Source
from pages.shared.studies.study import FittedMachine
from svmcore.problems.tables import DATA
from svmcore.words import number

KEY = "beginning"  # of the chapter in a link, of its plane, and of its file
CHART = f"{KEY}-loss"
CHARTED = ("loss", "value")  # the sections with the chart
SVM = Machine("hinge")
CLOUDS = Data("toy_outliers", 3197, (("n", 20),))
STRAYED = CLOUDS._replace(options=(("n", 24),))  # the same points and four more, one of them on the wrong side
RINGS = Data("circles", 0, (("n", 60), ("noise", 0.12)))
HARD, SOFT = 1e4, 1.0  # C without and with slack
TRIED = 36  # directions of lines
BELOW = 24  # pixels for the ticks
WIDE = 0.9  # a reach of a line beyond the middle of the picture, as a share of its diagonal
LIMITS = {"C": (1e-2, 1e2), "sigma": (10**-1.5, 10**1.5)}


@lru_cache(1)
def chapter() -> dict[str, Any]:
    """The chapter as its file has it: its "title", the "goal", what a reader can do afterwards, and each "section".

    A section has a "key", a "title", a "text", the terms that it "shows", and, where it has a slider, of powers, its
    "control" {name, label, low, high}.
    """
    return tomllib.loads((DATA / "lessons" / f"{KEY}.toml").read_text(encoding="utf-8"))


def as_lesson() -> Lesson:
    """The chapter as a place among the lessons: it asks nothing."""
    return Lesson(KEY, chapter()["title"], 3, (chapter()["goal"],), (), (), Teacher("", "", "", ""), ())


class ChapterScreen(NamedTuple):
    """The section that is read, its points, and what its sliders say."""

    step: int = 0
    data: Data = CLOUDS
    C: float = SOFT
    sigma: float = 0.5

    @property
    def key(self) -> str:
        return chapter()["section"][self.step]["key"]

    @property
    def setting(self) -> Setting:
        if self.data.problem == RINGS.problem:
            return Setting(SOFT, "rbf", self.sigma if self.key == "width" else 0.5)
        return Setting(
            {"price": self.C}.get(self.key, SOFT if self.data.options == STRAYED.options else HARD), "linear", 1.0
        )

    def replace(self, name: str, value: float) -> "ChapterScreen":
        """The screen with another section ("step") or another value of a slider; ValueError for what there is not."""
        if name == "step":
            if value not in range(len(chapter()["section"])):
                raise ValueError(f"has step = {value!r}, but the sections are 0 to {len(chapter()['section']) - 1}")
            moved = self._replace(step=int(value))
            drawn = moved.usual_data
            return moved if drawn.base == self.data.base else moved._replace(data=drawn)
        low, high = LIMITS.get(name, (0.0, -1.0))
        if not low * 0.999 <= value <= high * 1.001:
            raise ValueError(f"has {name} = {value!r}, which is no slider of this chapter or beyond its ends")
        return self._replace(**{name: value})

    @property
    def usual_data(self) -> Data:
        """The points of the section as they are drawn, before any is dragged."""
        if self.key in ("kernel", "width"):
            return RINGS
        return CLOUDS if self.key in ("classes", "lines", "margin", "support") else STRAYED


def pictures(source: Source, screen: ChapterScreen, moving=False) -> PictureSet:
    """The plane of a section, its points on the loss, and the numbers in the texts."""
    study = source.fit(screen.data, SVM, screen.setting, moving)
    drawn = {KEY: _plane(source, screen, study), CHART: points_on_loss(SVM, study.points, screen.setting.C)}
    return PictureSet(drawn, [study], [], numbers(screen, study))


def numbers(screen: ChapterScreen, study: FittedMachine) -> dict[str, str]:
    """The numbers of the texts, {name: text}."""
    n, slack = study.numbers, study.points.slack
    free = _has_strip(screen, study)
    return {
        "tried": str(TRIED),
        "lines": str(len(separating_lines(study.points)[1])),
        "width": number(2.0 / np.linalg.norm(study.w), ".3g")
        if study.w is not None and free
        else "0, because no strip is free",
        "holding": f"{n.n_support} of {len(study.points.y)}" if free else "there are none, because no strip is free",
        "n": str(len(study.points.y)),
        "n_support": str(n.n_support),
        "slack": number(slack.max(), ".2f"),
        "total": number(slack.sum(), ".1f"),
        "C": number(screen.C),
        "sigma": number(screen.sigma),
        "gamma": number(screen.sigma**-2),
        "train": percent(n.train_error),
        "test": percent(n.test_error),
        "alpha": number(study.points.alpha.max(), ".2f"),
    }


def _has_strip(screen, study):
    """Tell whether there is a margin: a hard one is none where a point lies within it."""
    return screen.setting.C < HARD or study.points.slack.max() < 1e-2


def separating_lines(points) -> tuple[np.ndarray, np.ndarray]:
    """The lines, normals (k, 2) and offsets (k,), midway between the classes, of the directions that separate them."""
    angles = np.pi * np.arange(TRIED) / TRIED
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    one, other = (points.X[points.y == label] @ normals.T for label in points.classes)
    ahead = one.mean(axis=0) < other.mean(axis=0)
    low = np.where(ahead, one.max(axis=0), other.max(axis=0))
    high = np.where(ahead, other.min(axis=0), one.min(axis=0))
    free = low < high
    return normals[free], (low + high)[free] / 2


def _plane(source, screen, study):
    points, key = study.points, screen.key
    if key in ("classes", "lines") or not _has_strip(screen, study):
        bare = machine_figure(source.extent(screen.data), points.bare)
        normals, offsets = separating_lines(points)
        if key != "lines" or not len(offsets):
            return _add_trace(bare)
        return _add_trace(bare, _lines(normals, offsets, study.field), f"{len(offsets)} lines separate the classes.")
    rings = np.flatnonzero(points.alpha) if key == "support" else ()
    machine = points if key in ("support", "value") else points._replace(alpha=None, state=None)
    drawn = machine_figure(study.field, machine, ringed=rings)
    late = np.flatnonzero(points.slack > 1e-2) if key in ("slack", "price") else np.array([], int)
    if not len(late):
        return _add_trace(drawn)
    feet = points.X[late] + np.outer(points.y[late] * points.slack[late], study.w / (study.w @ study.w))
    said = f"{len(late)} points have slack: each is joined to its edge of the margin."
    return _add_trace(drawn, _strokes("slack", points.X[late], feet, width=2.4), said)


def _lines(normals, offsets, field):
    middle = np.array([(field.xs[0] + field.xs[-1]) / 2, (field.ys[0] + field.ys[-1]) / 2])
    reach = WIDE * np.hypot(field.xs[-1] - field.xs[0], field.ys[-1] - field.ys[0])
    centres = middle + normals * (offsets - normals @ middle)[:, None]
    along = reach * normals[:, ::-1] * [1.0, -1.0]
    return _strokes("lines", centres - along, centres + along, width=1.2)


def _strokes(name, start, end, width):
    """The trace of straight lines between places (k, 2)."""
    ends = np.stack([start, end, np.full_like(start, np.nan)], axis=1)
    return style.path(*ends.reshape(-1, 2).T, name, colour("accent"), width=width)


def _add_trace(drawing: Drawing, trace=None, said="") -> Drawing:
    """The drawing without its key, whose terms come later in the chapter; with a trace below its points and a text."""
    meta = {key: value for key, value in drawing.layout["meta"].items() if key != "key"}
    meta["alt"] = f"{drawing.alt} {said}".rstrip()
    at = next(k for k, one in enumerate(drawing.traces) if one["name"].startswith("points"))
    traces = [*drawing.traces[:at], *([trace] if trace else []), *drawing.traces[at:]]
    margin = {**drawing.layout["margin"], "b": BELOW}
    return Drawing(traces, {**drawing.layout, "meta": meta, "annotations": [], "margin": margin})
