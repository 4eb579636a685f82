"""The records that go from the studies to the pictures: arrays, no Streamlit, no Plotly."""

from typing import NamedTuple

import numpy as np

from svmcore.duals import FREE, LOWER, UPPER, ZERO
from svmcore.watch.sentences import STATES, counted

__all__ = [
    "FREE", "LOWER", "STATES", "UPPER", "ZERO", "CurveFilm", "Field", "Frame", "Graph", "Line", "Moment", "NormFilm",
    "PlaneFilm", "Points", "RankFilm", "Samples", "counted", "marked",
]  # fmt: skip


class Field(NamedTuple):
    """Decision values on a grid: f[r, c] = f(xs[c], ys[r]); xs (m,), ys (k,), f (k, m), float32 is enough.

    Without f it is the extent of a plane that has no machine yet.
    """

    xs: np.ndarray
    ys: np.ndarray
    f: np.ndarray | None = None


class Graph(NamedTuple):
    """The graph of f: values f[k] = f(xs[k]), (m,) each, in a picture from xs[0] to xs[-1] and from ys[0] to ys[-1].

    `tube` is the distance from f within which errors cost nothing, None for a loss without; `truth` the places (x, y)
    of the curve that the points were drawn from, where it is known. Without f it is the extent of a plane that has no
    machine yet.
    """

    xs: np.ndarray
    ys: np.ndarray
    f: np.ndarray | None = None
    tube: float | None = None
    truth: tuple[np.ndarray, np.ndarray] | None = None


class Points(NamedTuple):
    """Training points and what the solver says about each; all arrays of length n but X (n, 2).

    Only X and y (+1 or -1) are needed. `alpha` is the support value alpha_i = y_i beta_i, `state` one of ZERO,
    FREE, UPPER, LOWER, `margin` y_i f(x_i), `slack` the loss or slack, `kkt` words on the optimality of the point,
    `outlier` a mask, `text` a label that heads the hover box, `ids` which point is which (default: the row), below zero
    for those that were added by hand.
    """

    X: np.ndarray
    y: np.ndarray
    alpha: np.ndarray | None = None
    state: np.ndarray | None = None
    margin: np.ndarray | None = None
    slack: np.ndarray | None = None
    kkt: np.ndarray | None = None
    outlier: np.ndarray | None = None
    text: np.ndarray | None = None
    ids: np.ndarray | None = None

    letter, spelled = "α", "alpha"

    @property
    def bare(self) -> "Points":
        """The same points without a machine."""
        return Points(self.X, self.y, outlier=self.outlier, ids=self.ids)

    def named(self, members) -> np.ndarray:
        """The ids of the rows `members`."""
        return members if self.ids is None else np.asarray(self.ids)[members]


class Samples(NamedTuple):
    """Training points of a regression in the plane of (x, y), and what the solver says about each; arrays (n,).

    Only x and y are needed. `beta` is the support value, above zero for points above the curve, `state` one of ZERO,
    FREE, UPPER, LOWER, `residual` y - f(x), `kkt`, `outlier` and `ids` as in `Points`.
    """

    x: np.ndarray
    y: np.ndarray
    beta: np.ndarray | None = None
    state: np.ndarray | None = None
    residual: np.ndarray | None = None
    kkt: np.ndarray | None = None
    outlier: np.ndarray | None = None
    ids: np.ndarray | None = None

    letter, spelled = "β", "beta"
    named = Points.named

    @property
    def X(self) -> np.ndarray:
        """The places in the plane, (n, 2)."""
        return np.column_stack([self.x, self.y])

    @property
    def alpha(self) -> np.ndarray | None:
        """The support values, whose size is drawn as that of alpha is."""
        return self.beta

    @property
    def bare(self) -> "Samples":
        """The same points without a machine."""
        return Samples(self.x, self.y, outlier=self.outlier, ids=self.ids)


class Line(NamedTuple):
    """One curve: its name, its places (k,) and values (k,), and the number that picks its colour and dash."""

    name: str
    x: np.ndarray
    y: np.ndarray
    index: int


class Frame(NamedTuple):
    """One moment: decision values f (k, m) on the grid, alpha (N,) and state (N,) as in `Points`.

    `margin` (N,) is y f(x) at the points. `ringed` points with a word each, and `joined` pairs (i, j, length) show what
    the step was about; `crossed` are points left out, `band` is as in `plane`. `box` (2, N) are the bounds of alpha.
    """

    f: np.ndarray
    alpha: np.ndarray
    state: np.ndarray
    margin: np.ndarray | None = None
    ringed: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    joined: tuple[tuple[int, int, float], ...] = ()
    crossed: tuple[int, ...] = ()
    band: tuple[float, float] | None = None
    box: np.ndarray | None = None


class Moment(NamedTuple):
    """One moment of a fit: values f (m,) at the places of the graph, beta (N,) and state (N,) as in `Samples`.

    `ringed`, `words`, `joined`, `crossed` as in `Frame`.
    """

    f: np.ndarray
    beta: np.ndarray
    state: np.ndarray
    ringed: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    joined: tuple[tuple[int, int, float], ...] = ()
    crossed: tuple[int, ...] = ()


class PlaneFilm(NamedTuple):
    """What `figures.film` draws: frames over the grid xs (m,), ys (k,), and the points."""

    xs: np.ndarray
    ys: np.ndarray
    frames: list[Frame]
    points: Points
    compact: bool = False
    axes: tuple[str, str] | None = None
    meant: dict[str, str] | None = None


class CurveFilm(NamedTuple):
    """What `figures.curve_film` draws: a curve that is fitted round by round."""

    graph: Graph
    frames: list[Moment]
    samples: Samples
    meant: dict[str, str] | None = None


class RankFilm(NamedTuple):
    """What `figures.ranks` draws: |alpha| of each round in order, and a (value, name) to hold it against."""

    sizes: np.ndarray
    level: tuple[float, str]


class NormFilm(NamedTuple):
    """What `figures.norms` draws: the plane of two weights, round by round."""

    field: Field
    error: np.ndarray
    ellipse: tuple[np.ndarray, np.ndarray]
    corner: np.ndarray
    path: np.ndarray
    end: np.ndarray
    names: tuple[str, str]
    said: list[str]


def marked(frame, meant) -> str:
    """How many points of a frame are ringed and crossed, and where its band lies; "" where nothing is `meant`."""
    if not meant:
        return ""
    parts = [
        f"{counted(len(rows), 'point')} {name} ({meant[name]})"
        for name, rows in (("ringed", frame.ringed), ("crossed", frame.crossed))
        if name in meant
    ]
    if "band" in meant and frame.band:
        low, high = frame.band
        ends = f"y f from {low:.3g} to {high:.3g}" if np.isfinite(low) else f"y f below {high:.3g}"
        parts.append(f"the band is {ends} ({meant['band']})")
    return f"In the picture: {', '.join(parts)}."
