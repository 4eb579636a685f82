"""The state of a prompt: a table whose names are parameters of a link, as points and machines, and as a link.

One name is not of a link: `edit`, a list of edits of points in words (`EDITS`), because a link can only number points.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pages.shared.choices import LOSSES, MACHINES, NO_OUTLIERS, RANGES, Data, Machine, Reweighting, Setting, Walk
from pages.shared.points import codec, edits, own_points
from pages.shared.studies import sparsity
from pages.shared.studies.source import Source
from svmcore import kernels
from svmcore.problems import REGISTRY, names, outliers
from svmcore.solvers import isls
from svmcore.watch import registry

SOURCE = Source(lambda key: own_points.EMPTY, lru_cache(64))
WALK = "relevant_features"
PLANAR = names("classification", planar=True)
OPTIONS = {option.name: option for key in [*PLANAR, WALK] for option in REGISTRY[key].options}
PARAMETERS = {p.name: p for loss in LOSSES.values() for p in loss.parameters}
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
WORDS = {
    "problem": [*PLANAR, WALK],
    "contamination": [NO_OUTLIERS, *outliers.KINDS],
    "loss": [*MACHINES["classification"], sparsity.KEY],
    "kernel": [key for key in kernels.KERNELS if key != "precomputed"],
    "solver": list(registry.DESCRIPTIONS),
    "show": ["run", "race", "path"],
    "init": list(isls.INITS),
    "stop": list(isls.STOPS),
    "walk_loss": ["hinge", "squared_hinge"],
}
NAMES = (
    *WORDS, "losses", "outliers_on", "edits", "edit", "flips", "share", *RANGES, *(OPTIONS.keys() - {"flips"}),
    *PARAMETERS,
)  # fmt: skip


class Setup(NamedTuple):
    """The points, the machines (one for each loss) and their setting; `walk` for the feature walk, else None.

    `origin` are the points before `edit`, to which the names of points refer. `solver` is the key of the solver whose
    run is watched, "" for none. `page` and `query` make the link.
    """

    data: Data
    origin: Data
    machines: tuple[Machine, ...]
    setting: Setting
    solver: str
    walk: Walk | None
    page: str
    query: dict[str, str]

    def machine(self, loss: str = "") -> Machine:
        """The machine with this loss, whether it is shown or not; "" for the first."""
        parameters = {key: float(value) for key, value in self.query.items() if key in PARAMETERS}
        return _machine(loss, self.query, parameters) if loss else self.machines[0]


def check(table: Mapping[str, Any]) -> None:
    """Raises ValueError, in a sentence, for a name or a value that no link could have."""
    for name, value in table.items():
        if name not in NAMES:
            raise ValueError(f"has {name!r}, which is not a parameter of a link; known are {', '.join(sorted(NAMES))}")
        if name in WORDS or name == "losses":
            for word in _several(value) if name == "losses" else [value]:
                known = WORDS["loss" if name == "losses" else name]
                if word not in known:
                    raise ValueError(f"has {name} = {word!r}, but {name} must be one of {', '.join(known)}")
        elif name == "outliers_on":
            if not isinstance(value, bool):
                raise ValueError(f"has {name} = {value!r}, but {name} must be true or false")
        elif name == "edits":
            codec.decode(value)
        elif name == "edit":
            _check_edits(value)
        else:
            _check_number(name, value)


def _check_number(name, value):
    low, high = _range(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise ValueError(f"has {name} = {value!r}, but {name} must be a number from {low:g} to {high:g}")


def _range(name):
    if name in RANGES:
        return RANGES[name]
    if name == "share":
        return 0.0, outliers.KINDS["flip_share"].maximum
    if name == "flips":
        return 0, outliers.KINDS["flip_farthest"].maximum
    of = OPTIONS.get(name) or PARAMETERS[name]
    return of.low, of.high


def _check_edits(rows):
    known = f"an entry needs `point` and one of {', '.join(EDITS)}"
    for row in rows if isinstance(rows, list) else [rows]:
        if not isinstance(row, dict) or "point" not in row or len(row) < 2 or set(row) - {"point"} - set(EDITS):
            raise ValueError(f"has edit = {row!r}, but {known}")
        point(row["point"])


def point(name) -> str | int:
    """The name of a point, checked: a key of PLACES or the number of a row; ValueError for another."""
    if name not in PLACES and (isinstance(name, bool) or not isinstance(name, int)):
        raise ValueError(f"names the point {name!r}, but a point is a number or one of {', '.join(PLACES)}")
    return name


def setup(table: Mapping[str, Any], draw: int = 0, source: Source = SOURCE, before: "Setup | None" = None) -> Setup:
    """The points and machines of a table of link parameters, with the seed of the draw; ValueError as `check`.

    Points that `edit` calls after their support value are those of the machine of `before`, by default of this one.
    """
    check(table)
    table = {**table, "seed": int(table.get("seed", 0)) + draw}
    key = table.setdefault("problem", "toy_outliers")
    entry = REGISTRY[key]
    kind = table.get("contamination", NO_OUTLIERS)
    options = {o.name: type(o.default)(table[o.name]) for o in entry.options if o.name in table and o.name != "flips"}
    data = Data(
        key, table["seed"], tuple(options.items()), kind, _amount(kind, table), table.get("outliers_on", True),
        codec.decode(table.get("edits", "")), float(table.get("room", 1.0)),
    )  # fmt: skip
    suggested = Setting.of(entry, table.get("kernel"))
    given = {name: type(value)(table[name]) for name, value in suggested._asdict().items() if name in table}
    setting = suggested._replace(**given)
    chosen = _several(table["losses"]) if "losses" in table else [table.get("loss", "hinge")]
    parameters = {name: float(table[name]) for name in PARAMETERS if name in table}
    machines = tuple(_machine(loss, table, parameters) for loss in chosen)
    walk = _walk(table) if key == WALK else None
    made = Setup(data, data, machines, setting, table.get("solver", ""), walk, _page(table), _query(table))
    if "edit" not in table:
        return made
    script = _script(table["edit"], before or made, data, source)
    query = {**made.query, "edits": codec.encode(script)}
    return made._replace(data=data._replace(edits=script), query=query)


def _several(value):
    return value.split(",") if isinstance(value, str) else list(value)


def _amount(kind, table):
    if kind == NO_OUTLIERS:
        return 0
    amount = table.get("share" if outliers.KINDS[kind].unit == "share" else "flips", outliers.KINDS[kind].default)
    return type(outliers.KINDS[kind].default)(amount)


def _machine(loss, table, parameters):
    if loss == sparsity.KEY:
        return sparsity.machine(Reweighting(table.get("init", "absolute"), table.get("stop", "paper")))
    return Machine.of(loss, {p.name: p.default for p in LOSSES[loss].parameters} | parameters)


def _walk(table):
    return Walk(
        int(table.get("walk_n", 100)), int(table.get("d_rel", OPTIONS["d_rel"].default)), table["seed"],
        float(table.get("walk_C", 0.03)), int(table.get("rounds", 15)), table.get("walk_loss", "hinge"),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------ points


def row_of(name: str | int, at: Setup, source: Source = SOURCE) -> int:
    """The id of the point with this name, for the points (before `edit`) and the first machine of a set-up.

    ValueError, in a sentence, for a number that the points do not have or a kind of point that there is not.
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
    for row in rows if isinstance(rows, list) else [rows]:
        key = row_of(row["point"], at, source)
        edit = made.setdefault(key, [key, 0, 0, 0])
        for name, flag in (("flip", edits.FLIPPED), ("delete", edits.GONE), ("off", edits.OFF)):
            edit[1] |= flag if row.get(name) else 0
        place = row.get("move") or ("beyond" in row and _beyond(base, key, row["beyond"]))
        if place:
            edit[1] |= edits.MOVED | edits.MARKED
            edit[2:] = [round(value / 10.0**power) for value, power in zip(place, step, strict=True)]
    return edits.script(step, made.values())


def _beyond(base, key, distance):
    label = base.y[base.ids == key][0]
    own, other = (base.X[base.y == sign * label].mean(axis=0) for sign in (1.0, -1.0))
    return (own + distance * (other - own)).tolist()


# ------------------------------------------------------------------------------------------ links


def _page(table):
    if table["problem"] == WALK:
        return "pages/feature_walk.py"
    if "solver" in table or "show" in table:
        return "pages/convergence.py"
    if table.get("loss") == sparsity.KEY:
        return "pages/sparsity.py"
    return "pages/compare.py" if "losses" in table else "pages/playground.py"


def _query(table):
    """The parameters as texts of a link, without `edit` and without what the pages of ISLS and the walk imply."""
    implied = (sparsity.KEY, WALK)
    return {name: _written(value) for name, value in table.items() if name != "edit" and value not in implied}


def _written(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(value)
    return value if isinstance(value, str) else f"{value:.15g}"
