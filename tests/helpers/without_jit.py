"""What the compiled functions compute, written to a file: `python tests/helpers/without_jit.py OUT.npz`.

tests/core/test_without_jit.py runs it twice, compiled and with NUMBA_DISABLE_JIT=1. Uncompiled it also writes which
lines of these functions were not executed, as "missed".
"""

import ast
import inspect
import os
import sys

import numpy as np
import scipy.sparse
from variants import SMOOTH, VARIANTS, overlapping

from svmcore import duals, finite
from svmcore.kernels import Kernel, chebyshev, gaussian, inner, rows
from svmcore.solvers import descent, quasi_newton
from svmcore.solvers.box_dual import cells, coordinate, pair_updates, planar_steps, semismooth, smo, warm
from svmcore.solvers.box_dual.pair_updates import Work, _direction_step, total
from svmcore.solvers.solution import Task

MODULES = (
    finite, duals, pair_updates, semismooth, planar_steps, cells, warm,
    coordinate, descent, chebyshev, gaussian, inner, rows,
)  # fmt: skip


def pair_updates():
    """Runs of every box dual, whole and in pieces, of boxes without free coefficients, of a kernel without minimum."""
    X, y = overlapping(16)
    K = np.exp(-0.3 * ((X[:, None] - X[None]) ** 2).sum(-1))
    for loss, params in VARIANTS:
        qp = duals.build(loss, y, 30.0, **params)
        for selection in smo.SELECTIONS:
            record = smo.room_for(200)
            whole = smo.advance(K, qp, smo.start(K, qp), 200, tol=1e-6, selection=selection, record=record)
            yield f"{loss} {selection}", (*numbers(qp, whole), record[: whole.n_iter])
            state = smo.start(K, qp)
            while not state.is_done and state.n_iter < 150:
                state = smo.advance(K, qp, state, 7, tol=1e-6, selection=selection)
            yield f"{loss} {selection} in pieces", numbers(qp, state)
            i, j, wanted, _, momentum, *_ = record[: whole.n_iter].T
            stops = np.unique(np.linspace(0, whole.n_iter, 9).astype(int))
            steps = (i.astype(np.int64), j.astype(np.int64), wanted.copy(), momentum.copy())
            yield f"{loss} {selection} replayed", [smo.replay(qp, np.zeros(16), *steps, stops)]
    for low, high in ((-1.0, 0.0), (0.0, 1.0), (-1e-3, 1e-3)):
        qp = duals.BoxQP(np.full(2, low), np.full(2, high), np.zeros(2), np.array([0.3, -0.2]))
        yield f"box {low} {high}", numbers(qp, smo.run(np.eye(2), qp))
    K, qp = np.tanh(2.0 * X @ X.T - 1.0), duals.least_squares(y, 10.0)
    for selection in smo.SELECTIONS:
        yield f"no minimum {selection}", numbers(qp, smo.run(K, qp, selection=selection, max_iter=1000))

    direction, members, beta, free = np.array([1.0, -1.0, 0.0, 0.0]), np.arange(4.0), np.zeros(4), np.full(4, 9.0)
    qp, none = duals.BoxQP(-free, free, np.zeros(4), np.zeros(4)), np.zeros(4)
    work = Work(direction, none, none.copy(), none.copy(), none, members)
    yield "the sum of all sizes", [total(direction - 0.25)]
    yield "a member without a share", [*_direction_step(2, 3, 0.5, 1.0, qp, beta, work, 3), direction, beta]


def numbers(qp, state):
    again = smo.state_at(qp, state.beta, state.F)
    return *state._replace(work=state.work[smo.DIAGONAL]), smo.intercept(qp, state), again.top, again.bottom


def kernel_values():
    rng = np.random.default_rng(0)
    for d in (2, 4):
        x, z, c = rng.normal(size=(d, 7)), rng.normal(size=(d, 600)), rng.normal(size=600)
        K, out = np.empty((7, 600)), np.zeros(7)
        gaussian.difference_gram(x, z, 2.0, K)
        gaussian.difference_dot(x, z, c, 100.0, out)
        whole = np.empty((40, 40))
        gaussian.symmetric_gram(z[:, :40], 2.0, whole)
        products, squares = x.T @ z, [(v**2).sum(0) for v in (x, z)]
        gaussian.exp_block(products, 0, 7, 600, *squares, 0.5)
        yield f"Gaussian in {d}", (K, out, products, whole)
        inner.products(K, 2, 7, 599, x, z)
        yield f"inner products in {d}", [K]
        single = np.zeros(7)
        gaussian.difference_dot_single(x.astype(np.float32), z.astype(np.float32), c, 100.0, single)
        yield f"Gaussian in {d}, single precision", [single]
    out = np.zeros(600)
    rows._add_rows(K, np.array([6, 0, 3, 2, 5, 1]), c[:6], out)
    yield "rows", [out]
    yield "polynomials", [chebyshev._polynomials(np.linspace(-1.0, 1.0, 9), m) for m in (1, 2, 5)]
    yield "a series", [chebyshev.Expansion(x[:2], 1.0).dot(np.arange(7), c[:7])]


def sets():
    """Choices with room for all free coefficients and without, and with more equal violators than places."""
    rng = np.random.default_rng(0)
    for size, most_free in ((4, 40), (4, 2), (60, 40), (24, 2)):
        lower, upper, F = np.full(40, -1.0), np.full(40, 1.0), rng.normal(size=40).round()
        beta = np.clip(rng.normal(size=40), lower, upper)
        box = duals.BoxQP(lower, upper, np.zeros(40), np.zeros(40))
        at = smo.state_at(box, beta, F)
        chosen = np.zeros(40, np.int64)
        count = planar_steps.choose(box, beta, F, (at.top, at.bottom), (size, most_free), chosen, np.empty(40))
        yield f"set {size} {most_free}", (count, chosen)
    qp, some = duals.BoxQP(lower, upper, np.full(40, 0.5), np.zeros(40)), np.array([3, 7, 20])
    part = planar_steps.take(some, *qp, beta, F)
    moved = planar_steps.put_back(some, np.array([1.0, beta[7], -0.3]), part[2], beta, F)
    yield "a set taken and put back", (part, *moved, beta, F)
    X, y = overlapping(40)
    columns, qp = gaussian.columns(X), duals.hinge(y, 5.0)
    runs = (0, 40, 0.0, 900), (900, 40, np.inf, 900), (900, 0, 0.0, 900), (0, 40, 0.0, 9)
    for memory, few, most_lost, limit in runs:
        beta, F = np.zeros(40), -qp.linear
        points, plan = planar_steps.Points(columns, columns.astype(np.float32), 1.0), planar_steps.Plan
        found = planar_steps.rounds(points, qp, beta, F, plan(8, 1e-2, limit, most_lost, few), np.empty(memory))
        yield f"rounds {memory} {few} {most_lost} {limit}", (*found, beta, F)


def starts():
    """Multiples of old coefficients up to the box, and the coefficient that takes what is left of a sum."""
    before = np.arange(6.0).reshape(3, 2)
    yield "moved rows", [warm._changed_rows(before, before + [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])]
    lower, upper = np.array([-1.0, -1.0, -3.0, -np.inf]), np.array([1.0, 1.0, 3.0, np.inf])
    for old in ([0.5, -0.25, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0], [1.0, -1.0, 0.0, 0.0]):
        beta = np.array(old)
        excesses = (0.1, -0.1, 4.0, -4.0)
        rooms = [warm._most_room(lower[:3], upper[:3], beta[:3], excess) for excess in excesses]
        yield f"start {old}", (warm._stretch(lower, upper, beta), rooms)


def coarse_problems():
    """Cells of labels, of real targets with one coefficient and two a point, and points too far apart for any."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(4, 2)), 30, axis=0)
    targets = np.repeat(rng.normal(size=4), 30)
    labels = np.where(rng.random(120) < 0.5, -1.0, 1.0)
    both = duals.epsilon_insensitive(targets, 5.0)
    boxes = {"labels": duals.hinge(labels, 5.0), "targets": duals.least_absolute(targets, 5.0), "two": both}
    for name, qp in boxes.items():
        yield f"cells of {name}", cells.begin(gaussian.columns(X), 0.01, qp, 1000)
    far = gaussian.columns(rng.normal(size=(120, 2)))
    yield "no cells", cells.begin(far, 1e9, both, 1000)
    yield "too many cells", cells.begin(far, 10.0, both, 1000)


def newton_steps():
    """Every box dual with a ridge or two bounds; a C so large that a line search takes many steps."""
    X, y = overlapping(100)
    for loss, params in VARIANTS:
        for C in (0.01, 1e6):
            found = semismooth.solve(X, duals.build(loss, y, C, **params), tol=1e-6)
            numbers_found = found.beta, found.intercept, found.objective, found.violation, found.n_iter
            yield f"{loss} {C} in the primal", numbers_found


def gaps():
    """Machines with and without a ridge, with errors of both signs and of none."""
    y, error = np.where(np.arange(9) % 2 > 0, 1.0, -1.0), np.linspace(-1.0, 1.0, 9)
    for loss in ("hinge", "huber"):
        yield f"gap of {loss}", [duals.gap(duals.build(loss, y, 2.0), 0.5 * y, error)]


def epochs():
    X, y = overlapping(20, d=3)
    X[0] = 0.0
    for loss in coordinate.LOSSES:
        for form, points in (("dense", X), ("sparse", scipy.sparse.csr_matrix(np.where(X > -0.5, X, 0.0)))):
            task = coordinate.task(points, y, 1.0, loss=loss, bias=0.0)
            state = coordinate.run(task, tol=1e-6, max_iter=300)
            yield f"{loss} {form}", [state.alpha, state.w, state.order, state.random, state.violation, state.n_iter]


def descents():
    """Of every smooth loss, watched; to a tolerance out of reach; a slope that is none; no number at the start."""
    X, y = overlapping(30)
    space = quasi_newton._space(Kernel("linear"), X)
    for loss, params in SMOOTH:
        tasks = [Task(Kernel("linear"), X, y, C, loss, params).validate() for C in (10.0, 1e-3)]
        P, small = (quasi_newton._Problem(space, task).as_compiled for task in tasks)
        visited = []
        yield f"{loss} watched", descent.minimise(P, np.ones(3), goal=1e-6, max_iter=200, visited=visited.append)
        yield f"{loss} visited", [np.array(visited)]
        yield f"{loss} in 3 steps", descent.minimise(P, np.ones(3), goal=1e-6, max_iter=3)
        yield f"{loss} to its end", descent.minimise(small, np.ones(3), goal=0.0, max_iter=200)
    for name, P in (("no slope", lambda v: (v @ v, -2e9 * v)), ("no number", lambda v: (np.nan, np.full(3, np.nan)))):
        yield name, descent.minimise(P, np.ones(3), goal=1e-6, max_iter=3)


def compiled_functions(module):
    """Every function that numba compiles, or its plain form: all that have a decorator, none of them a property."""
    for node in ast.parse(open(module.__file__, encoding="utf-8").read()).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            yield node.name, node.body[isinstance(node.body[0], ast.Expr)].lineno


def expected(module):
    """The (file, line) pairs with code in the bodies of these functions."""
    return {
        (module.__file__, line)
        for name, begin in compiled_functions(module)
        if inspect.isfunction(getattr(module, name))  # not one that only remembers its results
        for *_, line in getattr(module, name).__code__.co_lines()
        if line is not None and line >= begin
    }


def results():
    parts = pair_updates, kernel_values, sets, starts, coarse_problems, newton_steps, gaps, epochs, descents
    with np.errstate(all="ignore"):
        for name, values in (pair for part in parts for pair in part()):
            yield from ((f"{name} {k}", np.asarray(value)) for k, value in enumerate(values))


def watched():
    """The results, and the lines of compiled functions that were not executed on the way."""
    executed = set()
    files = {module.__file__ for module in MODULES}

    def note(frame, event, _):
        if frame.f_code.co_filename not in files:
            return None
        if event == "line":
            executed.add((frame.f_code.co_filename, frame.f_lineno))
        return note

    sys.settrace(note)
    found = dict(results())
    sys.settrace(None)
    missed = set().union(*map(expected, MODULES)) - executed
    lines = [f"{os.path.basename(file)}:{line}" for file, line in sorted(missed)]
    return found | {"missed": np.array(lines, dtype=str)}


if __name__ == "__main__":
    np.savez(sys.argv[1], **(watched() if os.environ.get("NUMBA_DISABLE_JIT") == "1" else dict(results())))
