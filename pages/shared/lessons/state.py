"""The state of a prompt: a table of parameters of a link, as a screen with its points and machines, and as a link.

One name is not of a link: `edit`, a list of edits of points in words (`EDITS`), because a link can only number points.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from pages.shared.screen import codec, edits, schema
from pages.shared.screen.choices import ISLS, MACHINES, WALK, Data, Machine, Setting, Walk
from pages.shared.screen.fields import REGISTRY, Field
from pages.shared.screen.screen import Screen, parse_values, texts
from pages.shared.studies.scenes import SPARSITY
from pages.shared.studies.source import Source
from svmcore.problems import names

SOURCE = Source()
LARGEST = 1e6  # of a number in `edit`
LOSSES = [*MACHINES["classification"], ISLS]
# the parameters of a link that a prompt can set, with the problems and the machines that there are in lessons
FIELDS: dict[str, Field] = {
    name: field
    for name, field in REGISTRY.items()
    if (field.part or name in ("solver", "show")) and name not in ("data", "hold_out", "home_flips")
} | {
    "problem": schema.PROBLEM.only([*names("classification", planar=True), WALK]),
    "loss": schema.LOSS.only(LOSSES),
    "losses": schema.LOSS_LIST.only(LOSSES),
}
PLACES = {
    "farthest": "the point of class +1 that is farthest from the mean of class −1",
    "nearest": "the point of class +1 that is nearest to the mean of class −1",
    "unused": "the point closest to the margin among those whose support value is zero",
    "used": "the point with the largest support value",
    "outlier": "the first of the outliers",
}
# what an entry of `edit` says of its `point`, with the meaning of the value
EDITS = {
    "flip": "true: reverse the label",
    "delete": "true: delete the point",
    "off": "true: leave the point out of the fit",
    "move": "[x, y]: move the point there",
    "beyond": "d: move the point along the line through the class means, d times their distance from its own mean",
}


class Setup(NamedTuple):
    """The parts of the screen of a prompt, and what else belongs to it.

    `walk` is None but for the feature walk. `origin` are the points before `edit`, to which the names of points refer.
    `solver` is the key of the solver whose run is watched, "" for none. `page` and `query` make the link.
    """

    data: Data
    machines: tuple[Machine, ...]
    setting: Setting
    walk: Walk | None
    origin: Data
    solver: str
    page: str
    query: dict[str, str]

    @property
    def screen(self) -> Screen:
        return Screen(*self[:4])

    @property
    def link(self) -> dict[str, str]:
        """The query without what its page has by itself: the page would leave it out of its address, and the browser
        keep both for its arrows.
        """
        link, implied = self.query, {"problem": WALK} if self.walk else {}
        whole = Screen.read(implied | link)
        for name in self.query:
            rest, field = {other: text for other, text in link.items() if other != name}, FIELDS[name]
            if Screen.read(implied | rest) == whole if field.part else link[name] == field.usual:
                link = rest
        return link

    def machine(self, loss: str = "") -> Machine:
        """The machine with this loss, shown or not; "" for the first."""
        given = {name: FIELDS[name].read(text) for name, text in self.query.items() if FIELDS[name].part == "parameter"}
        return Machine.from_loss(loss, given) if loss else self.machines[0]


def check(table: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a table; ValueError, in a sentence without its subject, for what no link could have."""
    values = parse_values({name: value for name, value in table.items() if name != "edit"}, FIELDS)
    if "edit" not in table:
        return values
    rows = table["edit"] if isinstance(table["edit"], list) else [table["edit"]]
    for row in rows:
        if not isinstance(row, dict) or "point" not in row or len(row) < 2 or set(row) - {"point"} - set(EDITS):
            raise ValueError(f"has edit = {row!r}, but an entry needs `point` and one of {', '.join(EDITS)}")
        point(row["point"])
        for word in row.keys() - {"point"}:
            if not _suits(word, row[word]):
                raise ValueError(f"has {word} = {row[word]!r} in `edit`, but it must be {EDITS[word]}")
    return values | {"edit": rows}


def _suits(word, value):
    if word == "move":
        return isinstance(value, list) and len(value) == 2 and all(_suits("beyond", part) for part in value)
    return type(value) in (int, float) and abs(value) < LARGEST if word == "beyond" else value is True


def unused_sentence(table: Mapping[str, Any], tables: Iterable[Mapping[str, Any]], losses: Iterable[str]) -> str:
    """A sentence, without its subject, on a name of the table that sets nothing on the screen of any of the `tables`;
    "" if there is none. A parameter of one of the `losses` is used in any case.
    """
    screens = [Screen.read({name: value for name, value in one.items() if name != "edit"}) for one in tables]
    screens = [one._replace(machines=(*one.machines, *map(Machine.from_loss, losses))) for one in screens]
    for name in table:
        if name in FIELDS and FIELDS[name].part and not any(one.applies(name) for one in screens):
            return f"has {name!r}, which {screens[-1].why_not(name)}"
    return ""


def point(name) -> str | int:
    """The name of a point, checked: a key of PLACES or the number of a row; ValueError for another."""
    if name not in [*PLACES] and (isinstance(name, bool) or not isinstance(name, int)):
        raise ValueError(f"names the point {name!r}, but a point is a number or one of {', '.join(PLACES)}")
    return name


def setup(table: Mapping[str, Any], draw: int = 0, source: Source = SOURCE, before: "Setup | None" = None) -> Setup:
    """The screen of a table of link parameters, with the seed of the draw; ValueError as `check`.

    Points that `edit` calls after their support value are those of the machine of `before`, by default of this one.
    """
    values = {"problem": "toy_outliers", **check(table)}
    values["seed"] = values.get("seed", 0) + draw
    rows = values.pop("edit", None)
    screen = Screen.read(values)
    # the pages of ISLS and of the walk imply the losses and the problem
    page, implied = _page(values, screen), ("loss", "losses")
    query = texts({name: value for name, value in values.items()
                   if value not in (ISLS, WALK) and not (page == SPARSITY and name in implied)})  # fmt: skip
    made = Setup(*screen, screen.data, values.get("solver", ""), page, query)
    return made if rows is None else lay_edits(made, rows, before or made, source)


def lay_edits(at: Setup, rows: Iterable[Mapping[str, Any]], before: Setup, source: Source) -> Setup:
    """The set-up with these entries of `edit` laid over its points; `before` as in `setup`."""
    script = _script(rows, before, at.data, source)
    return at._replace(data=at.data._replace(edits=script), query={**at.query, "edits": codec.encode(script)})


def _page(values, screen):
    if values["problem"] == WALK:
        return "pages/feature_walk.py"
    if "solver" in values or "show" in values:
        return "pages/convergence.py"
    if ISLS in {machine.loss for machine in screen.machines}:
        return SPARSITY
    return "pages/compare.py" if "losses" in values else "pages/playground.py"


# ------------------------------------------------------------------------------------------ points


def row_of(name: str | int, at: Setup, source: Source = SOURCE) -> int:
    """The id of the point with this name, for the points (before `edit`) and the first machine of a set-up; ValueError,
    in a sentence, if there is none.
    """
    points = source.problem(at.data if name == "outlier" else at.origin)
    if point(name) not in PLACES:
        if name not in points.ids:
            raise ValueError(f"there is no point {name}")
        return int(name)
    if name == "outlier":
        if not points.outlier.any():
            raise ValueError("there is no outlier")
        return int(points.ids[points.outlier.argmax()])
    positive = points.y > 0
    distance = np.linalg.norm(points.X - points.X[~positive].mean(axis=0), axis=1)
    if name in ("farthest", "nearest"):
        distance = np.where(positive, -distance if name == "farthest" else distance, np.inf)
        return int(points.ids[distance.argmin()])
    found = source.fit(at.origin, at.machines[0], at.setting).points
    size = np.abs(found.alpha)
    if name == "used":
        return int(found.ids[size.argmax()])
    if not (size == 0.0).any():
        raise ValueError("every point has a support value")
    return int(found.ids[np.where(size == 0.0, found.margin, np.inf).argmin()])


def _script(rows, at, data, source):
    """The edits of the table in words, after those that the data has."""
    base, made = source.base(data.base), {edit.id: list(edit) for edit in data.edits.edits}
    step = data.edits.step if made else edits.steps(base.X)
    for row in rows:
        key = row_of(row["point"], at, source)
        edit = made.setdefault(key, [key, 0, 0, 0])
        for name, flag in (("flip", edits.FLIPPED), ("delete", edits.GONE), ("off", edits.OFF)):
            edit[1] |= flag if row.get(name) else 0
        place = row.get("move") or ("beyond" in row and _place_beyond(base, key, row["beyond"]))
        if place:
            edit[1] |= edits.MOVED | edits.MARKED
            edit[2:] = [round(value / 10.0**power) for value, power in zip(place, step, strict=True)]
    return edits.script(step, made.values())


def _place_beyond(base, key, distance):
    label = base.y[base.ids == key][0]
    own, other = (base.X[base.y == sign * label].mean(axis=0) for sign in (1.0, -1.0))
    return (own + distance * (other - own)).tolist()
