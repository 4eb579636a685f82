"""A loss as a curve: its value, slope or prox over t, with a gap at each jump. No Streamlit here, no figures drawn."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pages.shared.screen.choices import Machine, Setting
from pages.shared.studies import arrays, classification, support
from pages.shared.studies.formatting import percent
from pages.shared.studies.show import Chart, FilmPlane, FilmStep, FilmView
from svmcore import duals, losses
from svmcore.studies import plane
from svmcore.words import number

LOW, HIGH = -3.0, 4.0  # of t = 1 - y f, from well beyond the margin to far on the wrong side
WIDE = -7.0, 7.0  # where training points lie
SAMPLES = 701  # from LOW to HIGH a step of 0.01, so that 0 and 1 are among them
STEEP = 1e-2  # smaller jumps are invisible
HALVINGS = 60


class SampledCurve(NamedTuple):
    """A curve with gaps: x, y (n,) with nan in each gap; `closed` (k, 2) are points of the curve at its ends, `open`
    (k, 2) ends that do not belong to it.
    """

    x: np.ndarray
    y: np.ndarray
    closed: np.ndarray
    open: np.ndarray


class Box(NamedTuple):
    """The range of alpha / C, and the curvature of the conjugate: ridge times C, None if it is not constant."""

    low: float
    high: float
    ridge: float | None


@lru_cache(320)
def curve(machine: Machine, kind, c=1.0, reach=(LOW, HIGH)) -> SampledCurve:
    """The curve of a loss over its `reach`, whose arrays are shared; `kind` is "value", "slope" or "prox" (over z, for
    the weight c).

    Both ends of a jump of the prox belong to the curve, since both are minimisers.
    """
    loss, params = losses.get(machine.loss), dict(machine.params)
    if kind == "prox":
        return sample_curve(lambda z: loss.prox(z, c, **params), *reach, both=True)
    return sample_curve(lambda t: (loss if kind == "value" else loss.slope)(t, **params), *reach)


def rises(machine: Machine) -> np.ndarray:
    """The t (k,) at which the loss jumps upwards from a flat place: every slope from 0 to infinity is a subgradient.

    Figure 1 of Wang et al. (2019) shows some of these slopes.
    """
    value = curve(machine, "value")
    return np.array([t for t, low in value.closed for other, high in value.open if other == t and high > low])


def sample_curve(function, low=LOW, high=HIGH, both=False) -> SampledCurve:
    """A function with jumps, on [low, high]; with `both`, both ends of a jump belong to the curve.

    An isolated point is found only if it is one of the samples; for the losses it is t = 0.
    """
    x = np.linspace(low, high, SAMPLES)
    x[np.argmin(np.abs(x))] = 0.0
    y = function(x)
    change = np.abs(np.diff(y))
    around = np.pad(change, 2, mode="edge")  # a jump changes y much more than two intervals before or after
    after = np.flatnonzero(change > STEEP + 2.0 * np.minimum(around[:-4], around[4:]))
    left, right, ends = _nearer(function, x[after], x[after + 1])
    is_jump = np.abs(ends[:, 1] - ends[:, 0]) > STEEP / 2
    after, left, right, ends = after[is_jump], left[is_jump], right[is_jump], ends[is_jump]
    at = np.round(left, 9)
    belongs = np.ones(ends.shape, bool) if both else np.isclose(ends, function(at)[:, None], atol=1e-6)
    places = np.stack([np.broadcast_to(at[:, None], ends.shape), ends], axis=2)
    where = np.repeat(after + 1, 3)
    x = np.insert(x, where, np.column_stack([left, np.full(len(left), np.nan), right]).ravel())
    y = np.insert(y, where, np.column_stack([ends[:, 0], np.full(len(left), np.nan), ends[:, 1]]).ravel())
    return SampledCurve(x, y, np.unique(places[belongs], axis=0), np.unique(places[~belongs], axis=0))


def _nearer(function, left, right):
    """Each interval bisected towards the larger change; its ends, and the values (k, 2) there."""
    low, high = function(left), function(right)
    for _ in range(HALVINGS if len(left) else 0):
        middle = 0.5 * (left + right)
        y = function(middle)
        first = np.abs(y - low) >= np.abs(high - y)
        left, low = np.where(first, left, middle), np.where(first, low, y)
        right, high = np.where(first, middle, right), np.where(first, y, high)
    return left, right, np.column_stack([low, high])


def box(machine: Machine) -> Box | None:
    """The range of the support values of a convex machine, in which the conjugate of its loss is finite.

    None for a loss that is not convex, which its conjugate does not describe.
    """
    loss = losses.get(machine.loss)
    if not loss.convex:
        return None
    params = loss.check(**dict(machine.params))
    has_box = loss.key in duals.DUALS
    ridge = float(duals.build(loss, np.array([1.0]), 1.0, **params).ridge[0]) if has_box else None
    return Box(*support.bounds(loss, params, 1.0), ridge)


# -------------------------------------------------------------------------------- from loss to loss

LIMITLESS = 8.0  # a parameter at which a loss is another one up to |t| = 8: nearly its limit
MORPHED = np.linspace(-2.0, 4.0, 121)  # of t
# loss, its parameter, the values on the way, and what it is at the end of that way
WAYS = (
    ("ramp", "mu", np.geomspace(0.5, LIMITLESS, 14), "the hinge loss"),
    ("pinball", "tau", np.linspace(0.0, 1.0, 11), "the absolute loss"),
    ("pinball", "tau", np.linspace(1.0, 0.0, 11), "the hinge loss"),
    ("huber", "delta", np.geomspace(0.02, LIMITLESS, 16), "the squared hinge loss"),
    ("welsch", "width", np.geomspace(50.0, 0.5, 18), "a bounded loss"),
)


class Stage(NamedTuple):
    """One loss on the way: its machine, the factor of C, and what it comes close to at the end of its way.

    The Huberised hinge loss is multiplied by delta where that is above 1: in the limit it would be 0.
    """

    machine: Machine
    factor: float
    end: str


def stages() -> list[Stage]:
    """The losses on the way of `WAYS`. Each goes over into the next, but for one place: left of t = 0 the squared hinge
    loss is flat, and the squared loss, where the last way begins, is not.
    """
    return [
        Stage(Machine(loss, ((name, float(f"{value:.3g}")),)), max(value, 1.0) if loss == "huber" else 1.0, end)
        for loss, name, values, end in WAYS
        for value in values
    ]


def morph(problem, setting: Setting, extent) -> FilmView:
    """The film of the machine while its loss changes, and of the loss; `extent` is the plane without a machine."""
    way, (xs, ys), points, cut = stages(), extent[:2], classification.bare(problem), extent.slice
    where = plane.view(points.X)
    studies = [
        classification.fit(problem, one.machine, setting._replace(C=one.factor * setting.C), xs, ys) for one in way
    ]
    hinge = classification.fit(problem, Machine("hinge"), setting, xs, ys).values_on(*where)
    changed = np.array([plane.changed_share(hinge, study.values_on(*where)) for study in studies])
    errors = [("training error", [study.numbers.train_error for study in studies])]
    errors += [("test error", [study.numbers.test_error for study in studies])]
    moments = np.arange(1, len(way) + 1)
    lines = [("plane changed", changed), *(line for line in errors if np.isfinite(line[1]).all())]
    frames = [arrays.Frame(study.field.f, study.points.alpha, study.points.state) for study in studies]
    values = [one.factor * losses.get(one.machine.loss)(MORPHED, **dict(one.machine.params)) for one in way]
    names = [one.machine.name for one in way]
    films = {
        "boundary": arrays.PlaneFilm(xs, ys, frames, points, compact=True, axes=cut and cut.names),
        "loss": arrays.LossFilm(MORPHED, np.array(values), names),
    }
    ticks = [
        FilmStep(name, [f"On the way to {one.end}.", _sentence(study, share, one)], int(k))
        for k, name, study, share, one in zip(moments, names, studies, changed, way, strict=True)
    ]
    return FilmView(
        ticks=ticks,
        screens=[FilmPlane(name, film, list(range(len(way)))) for name, film in films.items()],
        charts=[
            Chart(
                "From loss to loss",
                [arrays.Line(name, moments, 100.0 * np.array(share), k) for k, (name, share) in enumerate(lines)],
                "moment",
                "%",
                False,
                moments.tolist(),
                log_x=False,
            )
        ],
        facts=[
            ("machines", f"{len(way)}, from the {names[0]} to the {names[-1]}"),
            ("one jump", "left of t = 0, from the squared hinge loss to the squared loss"),
        ],
        start=0,
    )


def _sentence(study, share, one):
    scaled = f", the loss times {number(one.factor)}" if one.factor > 1.0 else ""
    return f"{percent(share)} of the plane differs from the L1-SVM; {study.numbers.n_support} support vectors{scaled}."
