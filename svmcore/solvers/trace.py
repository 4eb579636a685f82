"""Watching a solver without touching it.

A watched run re-enters `advance` at iterations 1, 2, ..., 8, 10, 12, 15, ... and keeps the whole vector there, and lets
the compiled loop write one row per step. The iterates are bit for bit those of an unwatched run, and no code of ours
is called from within the loop. What a page wants beside that (accuracy, primal objective, margin) it computes from
the kept frames.
"""

from typing import NamedTuple

import numpy as np

from svmcore.solvers import smo


class Trace(NamedTuple):
    """What a run did. Steps are numbered from 1; frame 0 is the start."""

    steps: smo.Steps  # one row per step, the first `max_steps` of them
    frame_iter: np.ndarray  # (n_frames,) steps taken when the frame was kept
    frame_beta: np.ndarray  # (n_frames, N)
    frame_intercept: np.ndarray  # (n_frames,)
    frame_violation: np.ndarray  # (n_frames,)
    frame_objective: np.ndarray  # (n_frames,)


def record(K, qp, *, tol=1e-3, max_iter=1_000_000, selection="conjugate", max_frames=60, max_steps=100_000):
    """The run of `smo.solve` and its trace. Memory is bounded by `max_frames` vectors and `max_steps` rows."""
    state = smo.advance(K, qp, smo.start(K, qp), 0, tol=tol, selection=selection)  # moves nothing, measures
    frames, chunks = [_frame(qp, state)], []
    room = max_steps
    for stop in widening(max_iter):
        before = state.n_iter
        steps = smo.Steps.room_for(min(stop - before, room))
        state = smo.advance(K, qp, state, stop - before, tol=tol, selection=selection, steps=steps)
        written = min(state.n_iter - before, room)
        chunks.append([column[:written] for column in steps])
        room -= written
        if state.n_iter > before:
            frames.append(_frame(qp, state))
        if state.done:
            break
    frames = _thinned(frames, max_frames)
    columns = [np.concatenate(column) for column in zip(*chunks, strict=True)] if chunks else smo.UNWATCHED
    return state, Trace(smo.Steps(*columns), *map(np.array, zip(*frames, strict=True)))


def widening(limit, growth=1.25):
    """1, 2, ..., 8, 10, 12, 15, ...: about ten stops per tenfold, the last one is `limit`."""
    stop = 0
    while stop < limit:
        stop = min(max(stop + 1, int(stop * growth)), limit)
        yield stop


def replay(trace, n_iter):
    """The coefficients after `n_iter` steps, rebuilt from the nearest earlier frame, shape (N,)."""
    at = int(np.searchsorted(trace.frame_iter, n_iter, side="right")) - 1
    beta = trace.frame_beta[at].copy()
    steps = trace.steps
    if n_iter > len(steps.i) and n_iter != trace.frame_iter[at]:
        raise ValueError(f"only the first {len(steps.i)} steps were kept, got {n_iter}; ask for a kept frame")
    first = int(trace.frame_iter[at])
    while first < n_iter and steps.momentum[first] != 0.0:
        first -= 1  # a direction is known from where it began
    direction = np.zeros_like(beta)
    for t in range(first, n_iter):
        direction *= steps.momentum[t]
        direction[steps.i[t]] += 1.0
        direction[steps.j[t]] -= 1.0
        if t >= trace.frame_iter[at]:
            beta += steps.step[t] * direction
    return beta


def _frame(qp, state):
    return state.n_iter, state.beta.copy(), smo.intercept(qp, state), state.violation, state.objective


def _thinned(frames, most):
    """Evenly over the list, which is log-spaced already; first and last stay."""
    if len(frames) <= most:
        return frames
    return [frames[k] for k in np.unique(np.linspace(0, len(frames) - 1, most).round().astype(int))]
