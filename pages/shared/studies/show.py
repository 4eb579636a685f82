"""Content of a page with a film, as arrays: its moments, its planes and its charts. `figures.drawing` draws it."""

from typing import NamedTuple

import numpy as np

from pages.shared.studies import arrays


class FilmStep(NamedTuple):
    """One moment of the transport: its name, sentences on it, and its iteration.

    `height` is where its objective lies between the best value of the run, 0, and the worst, 1, as in `heights`; None
    where no objective is known.
    """

    label: str
    words: list[str]
    iteration: int
    height: float | None = None


class FilmPlane(NamedTuple):
    """One plane: its name, its film, the frame of each tick (-1 before the first); figures.drawing draws it."""

    name: str
    film: arrays.PlaneFilm | arrays.CurveFilm | arrays.RankFilm | arrays.LossFilm | arrays.NormFilm
    at: list[int]


class Chart(NamedTuple):
    """One chart of lines: `places` (T,) are the x of the ticks, `help` explains its terms; the rest is as in
    `figures.charts.history`.
    """

    title: str
    lines: list[arrays.Line]
    xlabel: str
    ylabel: str
    log: bool
    places: list[float]
    level: tuple[float, str] | None = None
    log_x: bool = True
    help: str = ""


class FilmView(NamedTuple):
    """A complete film. `facts` are (name, value) pairs about the runs; `start` is a tick; `steps` and `beyond` as in
    `component.transport`; `note` is a sentence on runs that failed, "" if none did. It `plays` by itself, or waits.
    """

    ticks: list[FilmStep]
    screens: list[FilmPlane]
    charts: list[Chart]
    facts: list[tuple[str, str]]
    start: int | None = None
    steps: bool | None = None
    beyond: tuple[bool, bool] = (False, False)
    note: str = ""
    plays: bool = False


def heights(values, log=False) -> np.ndarray:
    """Place each of the `values` (n,) between the smallest, 0, and the largest, 1, on an axis that is logarithmic
    with `log`, whose smallest value is then the smallest positive one; nan for a value that is not finite.
    """
    values = np.asarray(values, float)
    known = np.isfinite(values)
    if log:
        least = np.min(values, where=known & (values > 0.0), initial=np.inf)
        values = np.log(np.maximum(values, least), where=known, out=np.full(len(values), np.nan))
    low, high = np.min(values, where=known, initial=np.inf), np.max(values, where=known, initial=-np.inf)
    return np.where(known, (values - low) / (high - low) if high > low else 0.0, np.nan)
