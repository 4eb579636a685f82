"""The points and the machines that pictures are drawn from. No Streamlit here."""

from collections.abc import Callable
from functools import lru_cache

from pages.shared.screen import edits, own_points
from pages.shared.screen.choices import ISLS, OWN, Data, Machine, Setting
from pages.shared.studies import classification, sparsity, tasks
from pages.shared.studies.arrays import Field, FunctionCurve, Points, Samples
from pages.shared.studies.study import RESOLUTION, FittedMachine
from svmcore.problems import Problem, fetched

WHILE_MOVING = 50  # lines of the grid while something is moved


class Source:
    """Computes points and machines on demand, the same for a page and for its live channel.

    own(key): the set of a reader's own points, or the table of a file that the reader has given for a problem (see
    `choices.Data.given`), None if it is no longer there. Of the points, the edits, the views and the fits the
    last `entries` stay.
    """

    def __init__(self, own: Callable = lambda key: own_points.EMPTY, entries: int = 64):
        self._own = own
        self.base = lru_cache(entries)(self._base)
        self.edited = lru_cache(entries)(lambda data: classification.apply_edits(self.base(data.base), data))
        self.view = lru_cache(entries)(self._view)
        self._fits = lru_cache(entries)(self._fit)

    def _base(self, data: Data) -> Problem:
        """The points that the edits are relative to; shared, so do not write to them.

        Raises ValueError if the reader's own points are no longer on the server.
        """
        key = dict(data.options)["data"] if data.problem == OWN else data.given
        points = self._own(key)
        if points is None:
            raise ValueError("These points are no longer on the server; choose their file again.")
        with fetched.instead({data.problem: points} if data.given else {}):
            return classification.base_problem(data, own_points.EMPTY if data.given else points)

    def problem(self, data: Data) -> Problem:
        """The points that are fitted, with the test points."""
        return self.edited(data).problem

    def missing_sentence(self, data: Data) -> str | None:
        """A sentence on the points that are missing before a machine can be fitted; None if there are enough."""
        return tasks.task_of(data).missing_sentence(self.problem(data))

    def points_off(self, data: Data) -> Points | Samples | None:
        """The points that are switched off individually; None without any."""
        left_out = self.edited(data).off
        return left_out and tasks.task_of(left_out).bare(left_out)

    def _view(self, data: Data, size=RESOLUTION) -> tuple:
        """Grid coordinates xs and ys of the plane; for a regression the x of the curve and (low, high) of y."""
        return tasks.task_of(data).view(self.base(data.base), data, size)

    def extent(self, data: Data) -> Field | FunctionCurve:
        """The plane without a machine."""
        return tasks.task_of(data).extent(*self.view(data), self.base(data.base))

    def frames(self, data: Data, screens: int = 1) -> Field | FunctionCurve:
        """The extent of the frames of a film with so many pictures."""
        task, points = tasks.task_of(data), self.problem(data)
        return task.extent(*self.view(data, task.film_size(len(points.y), screens)), points)

    def unit(self, data: Data) -> float:
        """The unit in which the machines measure y: that of the problem as drawn, so that edits do not change C."""
        return self.base(data.as_drawn).unit

    def fit(self, data: Data, machine: Machine, setting: Setting, moving=False, size=RESOLUTION) -> FittedMachine:
        """The machine on these points, drawn over the extent of the problem with its outliers switched on.

        Raises ValueError, in a sentence, where points are missing.

        `size` is the number of lines of the grid. While something is moved, the grid is coarse and nothing is kept: the
        next position is a different problem.
        """
        if moving:
            return self._fit(data, machine, setting, min(size, WHILE_MOVING))
        return self._kept_fit(data, machine, setting, size)

    def _kept_fit(self, data: Data, machine: Machine, setting: Setting, size) -> FittedMachine:
        return self._fits(data, machine, setting, size)

    def _fit(self, data: Data, machine: Machine, setting: Setting, size) -> FittedMachine:
        if missing := self.missing_sentence(data):
            raise ValueError(missing)
        points, view, unit = self.problem(data), self.view(data, size), self.unit(data)
        if machine.loss == ISLS:
            return sparsity.fit(points, setting, sparsity.to_reweighting(machine), *view, unit)
        return tasks.task_of(data).fit(points, machine, setting, *view, unit)

    def fit_before(self, data: Data, machine: Machine, setting: Setting, moving=False) -> FittedMachine | None:
        """The machine on the clean points; None if no outliers are switched on, or too few points are left.

        It does not depend on the positions of the outliers, so it is not solved again while one is moved.
        """
        if not data.on or not self.problem(data).outlier.any():
            return None
        clean = data._replace(on=False, edits=edits.without_outliers(self.base(data.base), data.edits))
        if self.missing_sentence(clean):
            return None
        return self._kept_fit(clean, machine, setting, WHILE_MOVING if moving else RESOLUTION)
