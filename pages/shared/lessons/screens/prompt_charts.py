"""The charts that a prompt names with `shows`: what can be read off before the answer, and the answer itself in it."""

import numpy as np

from pages.shared.figures.charts.bars import bars_figure
from pages.shared.figures.charts.history import history_figure
from pages.shared.figures.charts.losses import losses_figure
from pages.shared.figures.charts.subgradients import Subgradient
from pages.shared.figures.style import Drawing
from pages.shared.lessons.quantities import runs as run_quantities
from pages.shared.lessons.quantities import width
from pages.shared.lessons.quantities.case import AFTER, BEFORE
from pages.shared.lessons.quantities.registry import BY
from pages.shared.live.loss_pictures import LossGraph, loss_curves_of
from pages.shared.live.pictures import points_on_loss
from pages.shared.screen.choices import LOSSES, Walk
from pages.shared.studies import runs
from pages.shared.studies.arrays import Line
from pages.shared.studies.feature_walk import Steps
from pages.shared.studies.formatting import number
from svmcore.watch import recording

PLACES_OF_CHART = 400  # of a run, at most
FAR = 12.0  # times its end, a beginning from which the objective has a log axis
ENDS = ("2-norm SVM", "1-norm SVM")


# ------------------------------------------------------------------------------------------ losses


def _losses(prompt, case, answered):
    """The losses of the machines; the point of the question on them before the change, and with the answer now."""
    named = [watch.arguments.get("loss") for watch in prompt.watches]
    keys = dict.fromkeys([machine.loss for machine in case.after.machines] + [key for key in named if key])
    machines = tuple(case.after.machine(key) for key in keys)
    moments = [BEFORE] * bool(prompt.change) + [AFTER] * answered
    marked = [_mark_point(prompt, case, machine, of) for of in moments for machine in machines]
    graph = LossGraph(machines, machines, "value", 1.0)
    return losses_figure(loss_curves_of(graph), "value", marked)


def _mark_point(prompt, case, machine, of):
    """The point of the question on the loss of a machine: the one that is named, else the first outlier."""
    named = next((watch.arguments["point"] for watch in prompt.watches if "point" in watch.arguments), None)
    after = case.problem(AFTER)
    row = case.row(int(after.ids[after.outlier.argmax()]) if named is None else named, of)
    points = case.study(of, machine.loss).points
    t, slope = 1.0 - float(points.margin[row]), float(points.alpha[row]) / case.setup(of).setting.C
    value = float(LOSSES[machine.loss](t, **dict(machine.params)))
    earlier = of == BEFORE and bool(prompt.change)
    words = "the point" + " before the change" * earlier
    return Subgradient(machine.name, t, value, slope, machine.colour, words, earlier)


def _points_on_loss(prompt, case, answered):
    """The loss of the machine beside that of the L1-SVM; with the answer all points on it."""
    machine = case.after.machines[0]
    if answered:
        return points_on_loss(machine, case.study().points, case.after.setting.C)
    machines = tuple(dict.fromkeys([machine, case.after.machine("hinge")]))
    return losses_figure(loss_curves_of(LossGraph(machines, machines, "value", 1.0)), "value")


# ------------------------------------------------------------------------------------------ runs


def _violation(prompt, case, answered):
    """The violation after each step: of the run that is asked about the first `at` steps, with the answer all."""
    lines, recorded = [], None
    for k, (of, solver, asked) in enumerate(_runs(prompt, case)):
        _, recorded = case.record_run(solver, of=of)
        kept = np.flatnonzero(np.isfinite(recorded.violation) & (recorded.violation > 0.0) & (recorded.iteration > 0))
        if asked and not answered:
            kept = kept[recorded.iteration[kept] <= case.at]
        kept = np.unique(kept[np.linspace(0, len(kept) - 1, min(len(kept), PLACES_OF_CHART)).astype(int)])
        lines.append(Line(_run_name(case, of, solver), recorded.iteration[kept], recorded.violation[kept], k))
    level = (recorded.tol, f"tolerance {number(recorded.tol, 'g')}")
    return history_figure(lines, xlabel="steps", ylabel="violation", log=True, level=level)


def _objectives(prompt, case, answered):
    """Primal and dual objective over the first `at` steps, with the answer all; the step of the question is marked."""
    reachable = case.record_run()[1].reachable
    found = case.objectives(only=reachable[recording.spread(len(reachable) - 1, PLACES_OF_CHART)])
    kept = slice(None) if answered else found.iteration <= case.at
    lines = [Line(f"{name} objective", found.iteration[kept], getattr(found, name)[kept], k)
             for k, name in enumerate(("primal", "dual"))]  # fmt: skip
    at = prompt.watch.arguments.get("steps")
    if answered and prompt.watch.name in ("steps_to_gap", "changed_after_gap"):
        at = run_quantities.steps_to_gap(case)
    log = bool(found.primal[0] > FAR * found.primal[-1])
    return history_figure(lines, xlabel="steps", ylabel="objective", log=log, log_x=False, at=at)


def _runs(prompt, case):
    """(of which set-up, solver, whether it is the one that is asked about) of each run in a chart."""
    watch = prompt.watch
    asked = watch.arguments.get("solver") or case.after.solver
    if watch.name == "growth":
        return [(BEFORE, asked, False), (AFTER, asked, True)]
    named = [one.arguments.get(name, "") for one in prompt.watches for name in ("solver", "other")]
    known = [key for key in dict.fromkeys(named) if key and key != asked]
    return [*((AFTER, key, False) for key in known), (AFTER, asked, True)]


def _run_name(case, of, solver):
    at = case.setup(of)
    same = case.before.setting == case.after.setting
    return dict(runs.solver_titles(at.machines[0].loss))[solver] + ("" if same else f", C = {number(at.setting.C)}")


# ------------------------------------------------------------------------------------------ widths


def _width(prompt, case, answered):
    """Error that a criterion judges by, over σ; with the answer the test error, and the σ that is chosen."""
    by = prompt.watch.arguments.get("by", "cv")
    shown = {"vc_bound": "train"}.get(by, by)
    names = BY | {"train": "training error"}
    lines = [Line(names[key], width.SIGMAS, 100.0 * np.array(width.errors(case, key)), k)
             for k, key in enumerate([shown, "test"][: 1 + answered])]  # fmt: skip
    at = width.best_sigma(case, by) if answered else None
    return history_figure(lines, xlabel="σ", ylabel="error in %", at=at)


# ------------------------------------------------------------------------------------------ walks


def _walk(prompt, case, answered):
    """The sizes of the weights; where rounds are known or answered, the error or the number of features over them."""
    steps, walk = case.steps(), case.after.walk
    watch = prompt.watch
    if watch.name == "relevant_found" or not (answered or prompt.at):
        return _sizes(steps, walk, watch, answered or prompt.closing)
    return walk_chart(steps, walk, _rounds(watch, walk) if answered else prompt.at, watch.name == "walk_features")


def walk_chart(steps: Steps, walk: Walk, until: int, counts=False) -> Drawing:
    """The error over the rounds of a walk up to one of them, or with `counts` the number of features; its end."""
    rounds = np.arange(1, until + 1)
    if counts:
        line, unit, end = steps.n_features, "features with a weight", np.count_nonzero(steps.exact.details.w)
    else:
        line, unit, end = 100.0 * (1.0 - steps.accuracy), "% misclassified", 100.0 * (1.0 - steps.exact_accuracy)
    lines = [
        Line("the walk, from the 2-norm SVM on", rounds, line[:until], 0),
        Line(ENDS[1], np.array([1, walk.rounds]), np.full(2, float(end)), 1),
    ]
    return history_figure(lines, xlabel="round", ylabel=unit, log_x=False)


def _rounds(watch, walk):
    """Number of rounds that an answer tells of; later questions ask about the others."""
    return {"walk_gain": 1, "walk_error": watch.arguments.get("round", 1)}.get(watch.name, walk.rounds)


def _sizes(steps, walk, watch, told):
    """The sizes of the weights in order, at one end of the walk or at both; `told`: which features matter."""
    both = watch.name == "walk_gain"
    rows = {ENDS[0]: steps.w[0], **({ENDS[1]: steps.exact.details.w} if both else {})}
    return bars_figure({name: np.abs(w) for name, w in rows.items()}, walk.d_rel if told else None)


CHARTS = {
    "loss": _losses,
    "points_on_loss": _points_on_loss,
    "violation": _violation,
    "objectives": _objectives,
    "width": _width,
    "walk": _walk,
}
