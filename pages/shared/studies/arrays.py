"""The records that go from the studies to the pictures: arrays, no Streamlit, no Plotly."""

from typing import NamedTuple

import numpy as np

from pages.shared.screen.edits import class_names
from svmcore.duals import FREE, LOWER, UPPER, ZERO
from svmcore.problems import Names
from svmcore.slices import Slice
from svmcore.watch.sentences import STATES
from svmcore.words import number, percent, with_count

__all__ = [
    "CLIP", "FREE", "LOWER", "STATES", "UPPER", "ZERO", "CurveFilm", "Field", "Frame", "FunctionCurve", "Line",
    "LossFilm", "NormFilm", "PlaneFilm", "Points", "RankFilm", "Regions", "Samples", "frame_sentences", "select",
]  # fmt: skip

CLIP = 4.0  # decision values of a film beyond this are clipped: colours end at 2, lines at 1
TOP = 32767  # of an int16


def select(masks, values, otherwise) -> np.ndarray:
    """`numpy.select` of masks (n,) and of values (n,) or one for all, in less than half the time for few points."""
    chosen = otherwise
    for mask, value in zip(reversed(masks), reversed(values), strict=True):
        chosen = np.where(mask, value, chosen)
    return chosen


class Field(NamedTuple):
    """Decision values on a grid: f[r, c] = f(xs[c], ys[r]); xs (m,), ys (k,), f (k, m), float32 is enough.

    Without f it is the extent of a plane without a machine. `slice` is the plane of more than two features, `named`
    what its features and classes are called.
    """

    xs: np.ndarray
    ys: np.ndarray
    f: np.ndarray | None = None
    slice: Slice | None = None
    named: Names = Names()


class Regions(NamedTuple):
    """The f of K machines, each for one class against the rest, on a grid: values (K, k, m), xs (m,), ys (k,).

    A place belongs to the class of the largest f. Without values it is the extent of a plane without machines.
    `slice` as in `Field`.
    """

    xs: np.ndarray
    ys: np.ndarray
    values: np.ndarray | None = None
    slice: Slice | None = None

    @property
    def leads(self) -> np.ndarray:
        """By how much the f of each class exceeds the largest of the others, (K, k, m): its region is where it does."""
        others = (np.max(np.delete(self.values, k, axis=0), axis=0) for k in range(len(self.values)))
        return self.values - np.stack(list(others))

    @property
    def contested_share(self) -> float:
        """The share of the picture where the number of positive f is not one."""
        return float(np.mean(np.sum(self.values > 0.0, axis=0) != 1))


class FunctionCurve(NamedTuple):
    """The graph of f: values f[k] = f(xs[k]), (m,) each, in a picture from xs[0] to xs[-1] and from ys[0] to ys[-1].

    `tube` is the half-width of the tube in which errors cost nothing, None for a loss without; `truth` is (x, y) of
    the curve from which the points were drawn, if it is known. Without f it is the extent of a plane without a machine.
    """

    xs: np.ndarray
    ys: np.ndarray
    f: np.ndarray | None = None
    tube: float | None = None
    truth: tuple[np.ndarray, np.ndarray] | None = None


class Points(NamedTuple):
    """Training points with their results; all arrays have length n, except X (n, 2).

    Only X and y (one of `classes`) are required. `alpha` is the support value alpha_i = y_i beta_i, `state` one of
    ZERO, FREE, UPPER, LOWER, `margin` y_i f(x_i), `slack` the slack, `kkt` a phrase on the optimality condition of the
    point, `outlier` a mask, `ids` the identity of each point (default: its row), negative for points that were added by
    hand, `predicted` the classes that several machines decide on. On a slice X are coordinates, `inputs` (n, d) the
    points themselves, and `depth` 0, 1 or 2: the farther away, the fainter.
    `named` is what their features and classes are called.
    """

    X: np.ndarray
    y: np.ndarray
    alpha: np.ndarray | None = None
    state: np.ndarray | None = None
    margin: np.ndarray | None = None
    slack: np.ndarray | None = None
    kkt: np.ndarray | None = None
    outlier: np.ndarray | None = None
    ids: np.ndarray | None = None
    predicted: np.ndarray | None = None
    inputs: np.ndarray | None = None
    depth: np.ndarray | None = None
    classes: tuple[float, ...] = (1.0, -1.0)
    named: Names = Names()

    letter, spelled = "α", "alpha"

    @property
    def bare(self) -> "Points":
        """The same points without a machine."""
        return self._replace(alpha=None, state=None, margin=None, slack=None, kkt=None, predicted=None)

    @property
    def class_names(self) -> dict[int, str]:
        """The names of the classes in pictures, {label: name}."""
        return class_names(self.classes, self.named.classes)

    @property
    def features(self) -> np.ndarray:
        """The points as they are fitted, (n, d)."""
        return self.X if self.inputs is None else self.inputs

    def ids_of(self, members) -> np.ndarray:
        return members if self.ids is None else np.asarray(self.ids)[members]


class Samples(NamedTuple):
    """Training points of a regression in the plane of (x, y), with their results; arrays (n,).

    Only x and y are required. `beta` is the support value, positive for points above the curve, `state` one of ZERO,
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
    ids_of = Points.ids_of

    @property
    def X(self) -> np.ndarray:
        """The positions in the plane, (n, 2)."""
        return np.column_stack([self.x, self.y])

    @property
    def alpha(self) -> np.ndarray | None:
        """The support values under the name that they have in `Points`."""
        return self.beta

    @property
    def bare(self) -> "Samples":
        """The same points without a machine."""
        return Samples(self.x, self.y, outlier=self.outlier, ids=self.ids)


class Line(NamedTuple):
    """One curve: its name, x (k,) and y (k,), and the number that selects its colour and dash."""

    name: str
    x: np.ndarray
    y: np.ndarray
    index: int


class Frame(NamedTuple):
    """One moment: decision values f (k, m) on the grid, alpha (N,) and state (N,) as in `Points`; of a curve f (m,) at
    its xs, and as alpha the beta (N,) of `Samples`.

    `margin` (N,) is y f(x) at the points. `ringed` points with a word each, and `joined` pairs (i, j, length) mark the
    points of the step; `crossed` points are left out, `band` is as in `plane`. `box` (2, N) are the bounds of alpha.
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

    @property
    def unit(self) -> float:
        """The smallest size of f that a film tells from another, positive in float32."""
        return max(min(float(np.max(np.abs(self.f))), CLIP) / TOP, float(np.finfo(np.float32).tiny))

    @property
    def counts(self) -> np.ndarray:
        """Whole multiples of `unit`, (k, m) int16: f within +-CLIP, 0 only where f is 0, so that it keeps its sign."""
        sizes = np.minimum(np.abs(self.f), CLIP)
        return np.int16(np.sign(self.f) * np.maximum(np.rint(sizes / self.unit), sizes > 0.0))

    @property
    def faint(self) -> float:
        """The share of the cells whose f is not 0 and smaller than `unit`."""
        return float(np.mean((self.f != 0.0) & (np.abs(self.f) < self.unit)))


class PlaneFilm(NamedTuple):
    """The arguments of `figures.film.plane_film`: frames over the grid xs (m,), ys (k,), and the points."""

    xs: np.ndarray
    ys: np.ndarray
    frames: list[Frame]
    points: Points
    compact: bool = False
    axes: tuple[str, str] | None = None
    meant: dict[str, str] | None = None
    sized: bool = True


class CurveFilm(NamedTuple):
    """The arguments of `line_films.curve_film`: a curve that is fitted round by round."""

    graph: FunctionCurve
    frames: list[Frame]
    samples: Samples
    meant: dict[str, str] | None = None


class RankFilm(NamedTuple):
    """The arguments of `line_films.rank_film`: largest effects on f by round (F, N), and a threshold (value, name)."""

    sizes: np.ndarray
    level: tuple[float, str]


class LossFilm(NamedTuple):
    """The arguments of `line_films.loss_film`: a loss that changes, its values (F, k) at t (k,), with a name each."""

    t: np.ndarray
    values: np.ndarray
    names: list[str]


class NormFilm(NamedTuple):
    """The arguments of `figures.norms`: the plane of two weights, round by round."""

    field: Field
    error: np.ndarray
    ellipse: tuple[np.ndarray, np.ndarray]
    corner: np.ndarray
    path: np.ndarray
    end: np.ndarray
    names: tuple[str, str]
    sentences: list[str]


def frame_sentences(frame, meant) -> str:
    """Sentences on the ringed and crossed points of a frame and on its band, if anything is `meant`; and,
    from 1 % of the picture on, where it shows only the sign of f.
    """
    meant = meant or {}
    marks = [
        f"{with_count(len(rows), 'point')} {name} ({meant[name]})"
        for name, rows in (("ringed", frame.ringed), ("crossed", frame.crossed))
        if name in meant
    ]
    if "band" in meant and frame.band:
        low, high = frame.band
        ends = f"y f from {number(low)} to {number(high)}" if np.isfinite(low) else f"y f below {number(high)}"
        marks.append(f"the band is {ends} ({meant['band']})")
    sentences = [f"In the picture: {', '.join(marks)}."] if marks else []
    faint = frame.faint if np.ndim(frame.f) == 2 else 0.0
    if faint >= 0.01:
        low = f"|f| is below {number(frame.unit, '.2g')}"
        sentences.append(f"In {percent(faint, '.2g')} of the picture {low}: only its sign is shown there.")
    return " ".join(sentences)
