"""Exhibits: the pictures, the digest and the links with which the page shows an experiment of the papers."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from pages.shared.figures.charts.history import history_figure
from pages.shared.figures.marks import largest_alpha
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.picture import machine_figure
from pages.shared.papers import stored_results
from pages.shared.papers.stored_results import comparison_text, nearest_beside_chosen, number, square
from pages.shared.screen.choices import NO_OUTLIERS, Data, Machine, Setting
from pages.shared.studies import arrays, regression, results
from pages.shared.studies.arrays import Field, FunctionCurve, Points, Samples
from pages.shared.studies.results import shared_cache
from pages.shared.studies.scenes import COMPARE, CONVERGENCE, FEATURE_WALK, PLAYGROUND, SCENES, SPARSITY
from pages.shared.studies.study import RESOLUTION
from svmcore import grid, problems
from svmcore.duals import FREE, ZERO
from svmcore.papers import Table, isls
from svmcore.problems import REGISTRY
from svmcore.solvers.box_dual import sphere

LINEAR = Setting(1.0, "linear", 2.0)


class Picture(NamedTuple):
    """A Drawing with its title and its height on the page in pixels."""

    title: str
    figure: object
    height: int


class Exhibit(NamedTuple):
    """Display of an experiment.

    links: (words, page, parameters of the link) of the same setting on other pages; draw: makes its pictures from its
    table, None if it has none; live: the pictures are machines fitted now, which need no table; digest: a heading, and
    the function from its table to the (head, rows) of its main part; contaminates: the problem whose contamination it
    studies.
    """

    links: list[tuple[str, str, dict[str, str]]]
    draw: Callable[[Table | None], list[Picture]] | None = None
    live: bool = False
    digest: tuple[str, Callable[[Table], tuple[list[str], list[list[str]]]]] | None = None
    contaminates: str | None = None

    def pictures(self, table: Table | None) -> list[Picture]:
        """The pictures from left to right; none if the result is missing."""
        return self.draw(table) if self.draw and (self.live or table is not None) else []


# each function takes the table of the result, None if it is missing, and returns the pictures from left to right


def support_values(table) -> list[Picture]:
    """The LS-SVM and the SVM on the same two classes, with their support values."""
    return _planes(_machines(Data("toy_outliers", 0, ()), ["least_squares", "hinge"], LINEAR))


def spirals(table) -> list[Picture]:
    setting = Setting.from_problem(REGISTRY["two_spirals"])
    study = results.fit(Data("two_spirals", 0, ()), Machine.from_loss("least_squares"), setting)
    return _planes([("σ = 1, C = 1", machine_figure(study.field, study.points))])


def outliers(table) -> list[Picture]:
    """The LS-SVM and the Least 1-Norm SVM without and with outliers; the latter with the boundary without them."""
    names, data = ["least_squares", "least_absolute"], Data("toy_outliers", 0, (), NO_OUTLIERS, 0)
    contaminated = data._replace(contamination="flip_farthest", amount=2)
    clean = [(f"{name}, original", picture) for name, picture in _machines(data, names, LINEAR)]
    pictures = _machines(contaminated, names, LINEAR, ghost=True)
    return _planes(clean + [(f"{name}, with outliers", picture) for name, picture in pictures])


def sparse_models(table) -> list[Picture]:
    """ISLS on those data sets of the table that are available."""
    rows = [row for row in table.records() if problems.available(row["set"])]
    models = [sparse_model(row["set"], row["C"], row["sigma"]) for row in rows]
    titles = [f"{row['set']}, {row['support vectors']} support vectors" for row in rows]
    return _planes([(title, machine_figure(*made, compact=True)) for title, made in zip(titles, models, strict=True)])


def bound(table) -> list[Picture]:
    """The bound on the VC dimension and the test error over sigma, for each problem of the table; the smallest ball."""

    def curves(name, value):
        """By machine and C, which is the paper's gamma."""
        found = {}
        for machine in dict.fromkeys(table.column("machine")):
            where = {"set": name, "machine": machine}
            pairs = stored_results.series(table, "sigma", "gamma", value, **where)
            found |= {f"{machine}, C = {C:g}": (x[np.isfinite(y)], y[np.isfinite(y)]) for C, (x, y) in pairs.items()}
        return found

    pictures = []
    for name in dict.fromkeys(table.column("set")):
        pictures.append(_curves(f"The bound, {name}", curves(name, "r^2 |w|^2"), "σ", "r² |w|²", log=True))
        pictures.append(_curves(f"Test error, {name}", curves(name, "test error %"), "σ", "test error, %"))
    return [*pictures, _ball()]


def flips(table) -> list[Picture]:
    """Accuracy and support vectors over the share of flipped labels, for the largest number of training points."""
    n = max(table.column("n"))
    return _by_contamination(table, "flips %", f"% of {n} labels flipped", n=n)


def leverage(table) -> list[Picture]:
    """Accuracy and support vectors over the number of outliers."""
    return _by_contamination(table, "outliers", "outliers")


def convergence(table) -> list[Picture]:
    t = np.array(table.column("iteration"), dtype=float)
    series = {name: (t, np.array(table.column(name), dtype=float)) for name in table.columns[1:]}
    return [_curves("(objective − optimum) / optimum", series, "iteration", "excess", log=True, log_x=False)]


def relevant(table) -> list[Picture]:
    """Accuracy over the number of relevant features, for each number of points."""
    pictures = []
    for n in sorted(set(table.column("n")), reverse=True):
        series = stored_results.series(table, "relevant features", "machine", "ours", measure="accuracy %", n=n)
        pictures.append(_curves(f"{n} training points", series, "relevant features", "% correct"))
    return pictures


def _ball():
    """The smallest ball around points where it can be drawn: with the linear kernel the feature space is the plane."""
    study = results.fit(Data("toy_outliers", 0, ()), Machine.from_loss("hinge"), LINEAR)
    X = study.points.X
    ball = sphere.smallest(X @ X.T)
    centre, radius = ball.weights @ X, np.sqrt(ball.squared_radius)
    xs, ys = (np.linspace(middle - 1.1 * radius, middle + 1.1 * radius, 121) for middle in centre)
    inside = 1.0 - ((xs - centre[0]) ** 2 + (ys[:, None] - centre[1]) ** 2) / ball.squared_radius
    smallest = float(np.min(study.points.margin))
    curves = [
        Curve(f"the smallest ball, r = {radius:.3g}", arrays.Field(xs, ys, inside), 1),
        Curve("boundary of the L1-SVM", study.field, 0),
    ]
    value = ball.squared_radius * (study.numbers.norm / smallest) ** 2
    return Picture(
        f"The ball of the bound, linear kernel: r²‖w‖² = {value:.3g}", overlay_figure(curves, study.points), 480
    )


def _machines(data, names, setting, ghost=False):
    """(title, Drawing) of each machine on the same points; `ghost` adds its boundary on the clean ones."""
    machines = [Machine.from_loss(loss) for loss in names]
    studies = [results.fit(data, machine, setting) for machine in machines]
    before = [results.fit_before(data, machine, setting) if ghost else None for machine in machines]
    largest = max(largest_alpha(study.points) for study in studies)
    return [
        (m.name, machine_figure(s.field, s.points, ghost=b and b.field, compact=True, alpha_max=largest))
        for m, s, b in zip(machines, studies, before, strict=True)
    ]


def _planes(pictures):
    """Planes side by side are narrow: their height follows."""
    height = {1: 480, 2: 520, 3: 380}.get(len(pictures), 300)
    return [Picture(title, figure, height) for title, figure in pictures]


def _by_contamination(table, x, xlabel, **where):
    def series_of(measure):
        return stored_results.series(table, x, "machine", "ours", measure=measure, **where)

    return [
        _curves("Accuracy on clean points", series_of("accuracy %"), xlabel, "% correct", log_x=False),
        _curves("Support vectors", series_of("support vectors"), xlabel, "support vectors", log=True, log_x=False),
    ]


def _curves(title, series, xlabel, ylabel, **options):
    """The picture of the series {name: (x, y)}; all plots are equally high, above a legend that may have many lines."""
    lines = [arrays.Line(str(name), x, y, k) for k, (name, (x, y)) in enumerate(series.items())]
    figure = history_figure(lines, xlabel=xlabel, ylabel=ylabel, **options)
    return Picture(title, figure, 320 + 20 * len(figure.traces))


@shared_cache(16, "Solving …")
def sparse_model(name, C, sigma) -> tuple[Field, Points] | tuple[FunctionCurve, Samples]:
    """ISLS on all points of the data set `name`, as arrays for a picture; C as `isls.fig1`."""
    (X, y), unit = isls.rows_of(name), problems.load(name).unit
    model = isls.machine(name, "ISLS").set_params(C=C, gamma=1 / sigma**2).fit(X, y / unit)
    beta = np.zeros(len(y))
    beta[model.support_] = model.dual_coef_[0]
    state = np.where(beta == 0.0, ZERO, FREE)
    if name in isls.CLASSIFICATION:
        xs, ys = grid.axes(X, RESOLUTION)
        f = grid.decision(model.kernel_, X, beta, model.intercept_[0], xs, ys)
        return Field(xs, ys, f.astype(np.float32)), Points(X, y, alpha=y * beta, state=state)
    xs = np.linspace(X.min(), X.max(), regression.FINENESS * RESOLUTION)
    margin = 0.08 * np.ptp(y)
    graph = FunctionCurve(xs, np.array([y.min() - margin, y.max() + margin]), unit * model.predict(xs[:, None]))
    return graph, Samples(X[:, 0], y, beta=beta, state=state)


def _scene(key):
    return SCENES[key].title, SCENES[key].page, SCENES[key].query


def _link(words, page, **query):
    return words, page, query


RACES = "least_absolute:smo_first,least_squares:smo_first"
RACE = _link("The same race of iterations on the toy problem", CONVERGENCE, show="race", race=RACES)
DIGESTS = {
    "ls_svm.fig2": (
        "Test error in %, by σ (rows) and γ, our C (columns)",
        partial(square, down="sigma", across="gamma", cell=lambda record: number(record["test error %"])),
    ),
    "least_1_norm.places": (
        "Places picked by the paper's numbers: test error in %; support vectors; SMO iterations",
        nearest_beside_chosen,
    ),
    "walk.table2": (
        "Accuracy in %: ours | the paper's",
        partial(square, down="set", across="machine", cell=comparison_text, measure="accuracy %"),
    ),
}
EXHIBITS = {
    "ls_svm.fig1": Exhibit([_scene("ls_svm_fig1")], support_values, live=True),
    "ls_svm.fig2": Exhibit([_scene("ls_svm_fig2")], spirals, live=True, digest=DIGESTS["ls_svm.fig2"]),
    "ls_svm.vc_bound": Exhibit(
        [_link("An LS-SVM on Ripley's data", PLAYGROUND, problem="ripley", loss="least_squares", sigma="0.5")], bound
    ),
    "least_1_norm.fig1": Exhibit([_scene("least_1_norm_fig1")], outliers, live=True),
    "least_1_norm.table2": Exhibit([RACE]),
    "least_1_norm.places": Exhibit([RACE], digest=DIGESTS["least_1_norm.places"]),
    "isls.table1": Exhibit(
        [
            _link("LS-SVM and SVM on Ripley's data", COMPARE, problem="ripley", losses="least_squares,hinge"),
            _link("ISLS on Ripley's data", SPARSITY, problem="ripley"),
        ]
    ),
    "isls.fig1": Exhibit(
        [
            _link("The LS-SVM on the motorcycle data", PLAYGROUND, problem="motorcycle", loss="least_squares"),
            _link("ISLS on the motorcycle data", SPARSITY, problem="motorcycle"),
        ],
        sparse_models,
    ),
    "l01.flips": Exhibit([_scene("wrong_labels")], flips, contaminates="label_flips"),
    "l01.leverage": Exhibit(
        [_scene("ignored_outliers"), _scene("leverage")], leverage, contaminates="leverage_outliers"
    ),
    "l01.optimum": Exhibit(
        [
            _link(
                "The best possible machine for one of these draws",
                COMPARE,
                problem="label_flips",
                n="60",
                noise="0.2",
                kernel="linear",
                losses="zero_one,ramp",
            )
        ]
    ),  # fmt: skip
    "walk.fig2": Exhibit([_link("The objective over the rounds", FEATURE_WALK, rounds="20")], convergence),
    "walk.table1": Exhibit([_link("The features of a synthetic set", FEATURE_WALK)]),
    "walk.table2": Exhibit(
        [_link("The features of each round", FEATURE_WALK, d_rel="5")], digest=DIGESTS["walk.table2"]
    ),
    "walk.fig3": Exhibit(
        [_link("Any number of relevant features", FEATURE_WALK, walk_n="100", choose="validation")], relevant
    ),
}
