"""The figures of the papers, drawn anew: from a result's table, or live where the figure is a machine on its points."""

import numpy as np

from pages.shared import figures, session
from pages.shared.choices import NO_OUTLIERS, Data, Machine, Setting
from pages.shared.studies import arrays, paper_results
from svmcore import losses, problems
from svmcore.problems import REGISTRY

LINEAR = Setting(1.0, "linear", 2.0)


PLANES = ("ls_svm.fig1", "ls_svm.fig2", "least_1_norm.fig1", "isls.fig1")


def drawn(name, table):
    """[(heading, Figure)] of an experiment; of one that is a table, or whose result has gone, none."""
    if name in LIVE:
        return LIVE[name]()
    return DRAWN[name](table) if table is not None and name in DRAWN else []


def _machine(loss):
    return Machine(loss, tuple((p.name, p.default) for p in losses.get(loss).parameters))


def _planes(data, names, setting, ghost=False):
    """A plane of each machine on the same points; `ghost` adds its boundary on the clean ones."""
    machines = [_machine(loss) for loss in names]
    studies = [session.fit(data, machine, setting) for machine in machines]
    before = [session.before(data, machine, setting) if ghost else None for machine in machines]
    largest = max(figures.largest(study.points) for study in studies)
    return [
        (m.name, figures.picture(s.field, s.points, ghost=b and b.field, compact=True, alpha_max=largest))
        for m, s, b in zip(machines, studies, before, strict=True)
    ]


def _support_values():
    data = Data("toy_outliers", 0, ())
    return _planes(data, ["least_squares", "hinge"], LINEAR)


def _spirals():
    data, machine = Data("two_spirals", 0, ()), _machine("least_squares")
    study = session.fit(data, machine, Setting.of(REGISTRY["two_spirals"]))
    return [("σ = γ = 1", figures.picture(study.field, study.points))]


def _outliers():
    found = []
    for kind, amount, words in ((NO_OUTLIERS, 0, "original"), ("flip_farthest", 2, "with outliers")):
        data = Data("toy_outliers", 0, (), kind, amount)
        planes = _planes(data, ["least_squares", "least_absolute"], LINEAR, ghost=amount > 0)
        found += [(f"{name}, {words}", picture) for name, picture in planes]
    return found


def _history(found, xlabel, ylabel, **options):
    lines = [arrays.Line(str(name), x, y, k) for k, (name, (x, y)) in enumerate(found.items())]
    return figures.history(lines, xlabel=xlabel, ylabel=ylabel, **options)


def _bound(table):
    def by_gamma(value):
        return {f"γ = {name:g}": pair for name, pair in paper_results.series(table, "sigma", "gamma", value).items()}

    return [
        ("The bound", _history(by_gamma("r^2 |w|^2"), "σ", "r² |w|²", log=True)),
        ("10-fold error", _history(by_gamma("10-fold error %"), "σ", "10-fold error, %")),
        ("Test error", _history(by_gamma("test error %"), "σ", "test error, %")),
    ]


def _flips(table):
    n = max(table.column("n"))

    def of(measure):
        return paper_results.series(table, "flips %", "machine", "ours", measure=measure, n=n) if measure else {}

    where = f"% of {n} labels flipped"
    return [
        ("Accuracy on clean points", _history(of("accuracy %"), where, "% correct", log_x=False)),
        ("Support vectors", _history(of("support vectors"), where, "support vectors", log=True, log_x=False)),
    ]


def _leverage(table):
    found = {
        measure: paper_results.series(table, "outliers", "machine", "ours", measure=measure)
        for measure in ("accuracy %", "support vectors")
    }
    return [
        ("Accuracy on clean points", _history(found["accuracy %"], "outliers", "% correct", log_x=False)),
        ("Support vectors", _history(found["support vectors"], "outliers", "support vectors", log=True, log_x=False)),
    ]


def _convergence(table):
    t = np.array(table.column("iteration"), dtype=float)
    found = {name: (t, np.array(table.column(name), dtype=float)) for name in table.columns[1:]}
    return [("(objective − optimum) / optimum", _history(found, "iteration", "excess", log=True, log_x=False))]


def _relevant(table):
    pictures = []
    for n in sorted(set(table.column("n")), reverse=True):
        found = paper_results.series(table, "relevant features", "machine", "ours", measure="accuracy %", n=n)
        pictures.append((f"{n} training points", _history(found, "relevant features", "% correct")))
    return pictures


def _sparse_models(table):
    """Those whose data is here."""
    return [
        (
            f"{row['set']}, {row['support vectors']} support vectors",
            figures.picture(*session.sparse_model(row["set"], row["C"], row["sigma"]), compact=True),
        )
        for row in table.records()
        if problems.available(row["set"])
    ]


LIVE = {"ls_svm.fig1": _support_values, "ls_svm.fig2": _spirals, "least_1_norm.fig1": _outliers}
DRAWN = {
    "isls.fig1": _sparse_models,
    "ls_svm.vc_bound": _bound,
    "l01.flips": _flips,
    "l01.leverage": _leverage,
    "walk.fig2": _convergence,
    "walk.fig3": _relevant,
}
