"""The preparation at the start: the fits of many points are compiled by it, not within the time limit of a reader."""

from types import SimpleNamespace

from calls import recorded

from pages.shared import warm
from svmcore.solvers import convex, planar


def test_the_solver_of_many_points_in_the_plane_is_prepared(monkeypatch):
    """Compiled during a reader's first fit of 2000 points, it ended that fit with "time limit", after 73 steps."""
    solved = recorded(monkeypatch, planar, "solve", lambda kernel, X, *arguments, **options: (kernel.name, len(X)))
    warm._many()
    assert [name for name, _ in solved] == ["rbf"] and solved[0][1] >= convex.LARGE


def test_the_preparation_of_many_points_runs_and_comes_after_the_pictures(monkeypatch):
    begun = []
    before = "_numba", "_kernels", "_pair_updates", "_linear", "_large", "_pictures"
    for name in (*before, "_compress", "_many", "_rare"):
        monkeypatch.setattr(warm, name, lambda name=name: begun.append(name))
    monkeypatch.setattr(warm, "time", SimpleNamespace(sleep=lambda seconds: None))
    monkeypatch.setattr(warm, "gc", SimpleNamespace(collect=lambda: None, freeze=lambda: None))
    monkeypatch.setattr(warm.traffic, "prepared", lambda: None)
    progress = warm.Progress()
    warm._work(progress)
    assert progress.finished.is_set() and progress.error is None
    assert begun.index("_pictures") < begun.index("_many") and "_rare" in begun
