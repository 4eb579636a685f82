"""Our `SVC.fit` beside other software, one thread each: `python tests/bench/bench_peers.py [FILE]`.

Prints a table in Markdown, or writes it to FILE (`docs/peers.md`). The peers are in `tests/bench/requirements.txt`; one
that is not installed is named below the table. Candidates take turns in one process; a ratio is the median, over the
turns, of a peer's processor time divided by ours. What a peer needs first is not counted: a problem in LIBSVM's format,
the Gram matrix of the quadratic programmes. Ours is the whole `fit`, with its checks and its kernel.

Every answer is judged by the same measures, computed here in double precision: how far its objective is above the
optimum, and for duals the violation of the optimality conditions, which our `tol` and LIBSVM's bound by 1e-3.
"""

import argparse
import importlib.metadata
import os
import sys
import time
import warnings
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # read when a library is loaded; some take all processors otherwise

import numpy as np
import sklearn.svm
from bench_svc import points
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from threadpoolctl import threadpool_limits

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "helpers")]

from variants import expanded

from svmcore import SVC, duals, kernels, problems, tuning
from svmcore.solvers.box_dual import active_set, convex
from svmcore.words import number

TOL = 1e-3
NEAR = 1e-6
SMALL = 400  # points up to which quadratic programmes are solved on their whole matrix
TURNS, LONG, SECONDS = 5, 1.0, 0.003  # fewer turns for a peer that takes so long; short ones are repeated in a turn
ALONE = "svmcore, solver alone"
CHOICES = ("ripley 250", "banana 400", "moons 2000", "breast_cancer 200")
LARGE = 1000  # points, from which a grid search is timed once
QP_SOLVERS = {"daqp": "daqp", "piqp": "piqp", "proxqp": "proxsuite", "clarabel": "clarabel", "highs": "highspy"}
CASES = [
    *(("toy 40", "rbf", "hinge", C) for C in (1.0, 100.0)),
    *(("ripley 250", "rbf", "hinge", C) for C in (1.0, 100.0)),
    ("ripley 250", "rbf", "least_absolute", 100.0),
    *(("spirals 360", "rbf", "hinge", C) for C in (1.0, 100.0)),
    *(("moons 2000", "rbf", "hinge", C) for C in (1.0, 10.0, 100.0)),
    *(("moons 2000", "linear", "hinge", C) for C in (1.0, 100.0)),
    *(("moons 2000", "rbf", "least_absolute", C) for C in (1.0, 100.0)),
    *(("moons 5000", "rbf", "hinge", C) for C in (1.0, 10.0, 100.0)),
    *(("moons 20000", "rbf", "hinge", C) for C in (1.0, 100.0)),
    *(("d20 2000", "rbf", "hinge", C) for C in (1.0, 100.0)),
]


class Case:
    """A problem with its optimum; `judged` measures an answer to it."""

    def __init__(self, name, kernel, loss, C):
        self.name, self.loss, self.C = name, loss, C
        self.X, self.y, sigma = points(name)
        self.kernel = kernels.Kernel(kernel, gamma=1.0 / sigma**2)
        self.qp = duals.build(loss, self.y, C)
        start = convex.solve(self.kernel, self.X, self.qp, tol=1e-6).beta
        best = active_set.newton(convex.Rows(self.kernel, self.X), self.qp, start, tol=1e-9).beta
        self.optimum = self.dual(best)[0]

    def dual(self, beta):
        """(objective, violation) of coefficients; those of interior points within 1e-6 C of a bound count as on it."""
        beta = np.clip(beta, self.qp.lower, self.qp.upper)
        for bound in (self.qp.lower, self.qp.upper):
            beta = np.where(np.abs(beta - bound) <= NEAR * self.C, bound, beta)
        K_beta = self.kernel.dot(self.X, self.X, beta)
        F = -self.qp.linear - K_beta - self.qp.ridge * beta
        rise, fall = F[beta < self.qp.upper], F[beta > self.qp.lower]
        return duals.dual_objective(self.qp, K_beta, beta), max(rise.max() - fall.min(), 0.0)

    def judged(self, answer):
        """(relative distance of the objective from the optimum, violation or None) of beta (N,), or of w (d,)."""
        if len(answer) == len(self.y):
            objective, violation = self.dual(answer)
            return abs(objective - self.optimum) / self.optimum, violation
        f = self.X @ answer
        slack = self.y - f  # the best intercept lies at a kink
        shifts = np.unique(np.quantile(slack, np.linspace(0.0, 1.0, 2001)))
        losses = (duals.primal_objective(self.loss, f + b, self.y, self.C, answer @ answer) for b in shifts)
        return (min(losses) - self.optimum) / self.optimum, None


def ours(case):
    """The whole estimator."""
    model = SVC(loss=case.loss, C=case.C, kernel=case.kernel.name, gamma=case.kernel.gamma, tol=TOL)
    return lambda: model.fit(case.X, case.y), lambda fitted: expanded(fitted, len(case.y))


def solver_alone(case):
    """Arrays in, arrays out: ours, given as little to do as the peers; it computes the kernel."""

    def solve():
        return convex.solve(case.kernel, case.X, duals.build(case.loss, case.y, case.C), tol=TOL)

    return solve, lambda found: found.beta


def estimator(module):
    """The SVC of a module like scikit-learn's, or its SVR without a tube for least_absolute."""

    def peer(case):
        settings = dict(C=case.C, kernel=case.kernel.name, gamma=case.kernel.gamma, tol=TOL, cache_size=500)
        model = module.SVC(**settings) if case.loss == "hinge" else module.SVR(**settings, epsilon=0.0)
        return lambda: model.fit(case.X, case.y), lambda fitted: expanded(fitted, len(case.y))

    return peer


def libsvm(case):
    """LIBSVM's own interface."""
    from libsvm import svmutil

    kind, shape = {"hinge": 0, "least_absolute": 3}[case.loss], {"linear": 0, "rbf": 2}[case.kernel.name]
    options = f"-s {kind} -t {shape} -g {case.kernel.gamma} -c {case.C} -p 0 -e {TOL} -m 500 -q"
    problem, parameter = svmutil.svm_problem(case.y, case.X), svmutil.svm_parameter(options)

    def answer(model):
        beta = np.zeros(len(case.y))
        beta[np.array(model.get_sv_indices()) - 1] = np.ravel(model.get_sv_coef())
        first = model.get_labels()[0] if kind == 0 else 1  # LIBSVM counts the class that comes first as positive
        return first * beta

    return lambda: svmutil.svm_train(problem, parameter), answer


def liblinear(case):
    """Its dual coordinate descent; the intercept is penalised, so the problem is a slightly different one."""
    if case.kernel.name != "linear":
        return None
    from liblinear import liblinearutil

    problem = liblinearutil.problem(case.y, case.X, 1.0)
    parameter = liblinearutil.parameter(f"-s 3 -c {case.C} -e {TOL} -q")
    return (
        lambda: liblinearutil.train(problem, parameter),
        lambda model: np.array(model.get_decfun()[0]) * model.get_labels()[0],
    )


def rehline(case):
    """Its coordinate descent on a piecewise linear loss; the intercept is penalised, as a feature of ones."""
    if case.kernel.name != "linear":
        return None
    from rehline import plqERM_Ridge

    X = np.column_stack([case.X, np.ones(len(case.y))])
    model = plqERM_Ridge(loss={"name": "svm"}, C=case.C, tol=TOL, max_iter=100_000)
    return lambda: model.fit(X=X, y=case.y), lambda fitted: fitted.coef_[:-1]


def programme(solver):
    """The dual as a quadratic programme, for small problems."""

    def peer(case):
        if len(case.y) > SMALL:
            return None
        import scipy.sparse as sp
        from qpsolvers import solve_qp

        n, K = len(case.y), case.kernel(case.X) + 1e-10 * np.eye(len(case.y))  # which some need to see it is convex
        A, b = np.ones((1, n)), np.zeros(1)
        if solver in ("clarabel", "highs"):
            K, A = sp.csc_matrix(K), sp.csc_matrix(A)
        box = dict(lb=case.qp.lower, ub=case.qp.upper)
        limit = {"highs": {"time_limit": 10.0}}.get(solver, {})
        return lambda: solve_qp(K, case.qp.linear, A=A, b=b, **box, solver=solver, **limit), lambda beta: beta

    return peer


def peers():
    """({name: peer}, names of the packages that are absent)."""
    found, absent = {"scikit-learn": estimator(sklearn.svm)}, []

    def add(package, entries):
        try:
            importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            absent.append(package)
        else:
            found.update(entries())

    def intelex():
        import daal4py
        import sklearnex.svm

        daal4py.daalinit(1)
        return {"scikit-learn-intelex": estimator(sklearnex.svm)}

    add("scikit-learn-intelex", intelex)
    add("libsvm-official", lambda: {"libsvm-official": libsvm})
    add("liblinear-official", lambda: {"liblinear-official": liblinear})
    add("rehline", lambda: {"rehline": rehline})
    add("qpsolvers", dict)
    for solver, package in QP_SOLVERS.items():
        if "qpsolvers" not in absent:
            add(package, lambda solver=solver, package=package: {package: programme(solver)})
    return found, absent


def seconds(action, repeat=1):
    """Processor seconds of one call, of all threads, and what it returns."""
    start = time.process_time()
    for _ in range(repeat):
        result = action()
    return (time.process_time() - start) / repeat, result


def compared(case, candidates):
    """(name, ratio to ours, judgement) of each candidate that takes the case; the first is ours."""
    made = {name: peer(case) for name, peer in candidates.items()}
    rows, (own, read) = [], ours(case)
    own()
    repeat = max(1, int(SECONDS / max(seconds(own)[0], 1e-6)))
    rows.append(("svmcore", 1.0, case.judged(read(own()))))
    for name, (action, answer) in ((name, pair) for name, pair in made.items() if pair):
        first, result = seconds(action)
        if result is None:
            rows.append((name, None, None))
            continue
        judgement = case.judged(answer(result))
        again = max(1, int(SECONDS / max(first, 1e-6)))
        turns = [(seconds(action, again)[0], seconds(own, repeat)[0]) for _ in range(1 if first > LONG else TURNS)]
        rows.append((name, np.median([a / b for a, b in turns]), judgement))
    return rows


def chosen(name, module):
    """(ratio to ours, error of theirs, error of ours) of a grid search with the SVC of a module, on the same folds."""
    if name == "moons 2000":
        X, y, _ = points(name)
    else:
        problem = problems.load(name.partition(" ")[0])
        X, y = problem.X, problem.y
    C, sigma = tuning.C_VALUES[::2].tolist(), np.round(tuning.widths(X)[::2], 3)
    folds = list(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
    grid = {"C": C, "gamma": (1.0 / sigma**2).tolist()}
    search = GridSearchCV(module.SVC(tol=TOL, cache_size=500), grid, cv=folds, refit=False)
    actions = (lambda: search.fit(X, y), lambda: tuning.tune(SVC(tol=TOL), X, y, C=C, sigma=sigma, cv=folds))
    actions[1]()
    turns = [[seconds(action) for action in actions] for _ in range(3 if len(y) < LARGE else 1)]
    ratio = np.median([theirs / own for (theirs, _), (own, _) in turns])
    return ratio, 1.0 - turns[0][0][1].best_score_, turns[0][1][1].best.value


def choices(modules):
    """The rows of the table of grid searches, in Markdown."""
    yield "| problem | machines | software | times ours | its error | our error |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name in CHOICES:
        for software, module in modules.items():
            print(name, software, file=sys.stderr, flush=True)
            ratio, theirs, own = chosen(name, module)
            yield f"| {name} | 300 | {software} | {told(ratio)} | {number(theirs, '.4f')} | {number(own, '.4f')} |"


def told(ratio):
    """A ratio as a cell of the table: bold where the peer wins, with its advantage unless that is a few per cent."""
    cell, faster = number(ratio, ".2g"), number(1.0 / ratio, ".2g")
    if ratio >= 1.0 or cell == "1":
        return cell
    return f"**{cell}**" if faster == "1" else f"**{cell}**, {faster} times faster"


def lines(candidates):
    """The rows of the table, in Markdown."""
    yield "| problem | kernel | loss | C | software | times ours | objective off by | violation |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for name, kernel, loss, C in CASES:
        print(name, kernel, loss, C, file=sys.stderr, flush=True)
        for peer, ratio, judgement in compared(Case(name, kernel, loss, C), candidates):
            cells = [name, kernel, loss, f"{C:g}", peer]
            if judgement is None:
                cells += ["-", "no answer", "-"]
            else:
                off, violation = judgement
                cells += [told(ratio), number(max(off, 0.0), ".0e")]
                cells += ["-" if violation is None else number(violation, ".0e")]
            yield f"| {' | '.join(cells)} |"


def page():
    """The whole page as text."""
    candidates, absent = peers()
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = "\n".join(lines({ALONE: solver_alone, **candidates}))
        modules = {"scikit-learn": sklearn.svm}
        if "scikit-learn-intelex" in candidates:
            modules["scikit-learn-intelex"] = sys.modules["sklearnex.svm"]
        searches = "\n".join(choices(modules))
    names = ["numpy", "numba", *candidates, *({"qpsolvers"} - set(absent))]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)
    missing = f"\nNot installed, and so not in the table: {', '.join(absent)}.\n" if absent else ""
    return TEXT.format(table=table, searches=searches, versions=versions, missing=missing)


TEXT = """# Speed beside other software

Written by `python tests/bench/bench_peers.py docs/peers.md`, one thread each, tolerance 10⁻³ where there is one.

The column `times ours` is the median ratio of a program's time to that of our whole `SVC.fit`, which includes the
checks and the kernel: above 1 ours is faster; below 1, in bold, the other program is faster.
`svmcore, solver alone` is `convex.solve`, arrays in and arrays out, the kernel included. The others are given what they
need: LIBSVM and LIBLINEAR a problem in their own format, the quadratic programming solvers the Gram matrix.
`objective off by` is the relative distance from the optimum, and `violation` that of the optimality conditions, both
computed anew in double precision. LIBLINEAR and ReHLine penalise the intercept and so solve a slightly different
problem; their w is judged with its best intercept.

## Ratios

{table}

## Choosing C and the width

`tuning.tune` beside `GridSearchCV` with the `SVC` of the other software: the same ten folds, six values of C from 10⁻²
to 10³ and five widths, a Gaussian kernel. The errors are those of the best place of the grid by cross-validation.

{searches}

Versions: {versions}.
{missing}"""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path)
    file = parser.parse_args().file
    text = page()
    if file:
        file.write_text(text, encoding="utf-8")
    else:
        print(text)
