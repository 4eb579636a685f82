"""Texts of pictures: the key below or beside a plane (picture/key.js), and the description of what it shows."""

import numpy as np

from pages.shared.figures import style
from pages.shared.figures.palette import colour, variant
from pages.shared.screen.edits import point_name
from pages.shared.studies.arrays import LOWER, UPPER, Samples
from pages.shared.studies.formatting import join_words, number, percent, with_count

SPACE, SEMICOLON = "\u2002", "; "  # between the entries of a line of a key: marks, and words without a mark
SHADED = " What has changed class is shaded."
INVISIBLE = 1e-4  # of the largest value of a line
CLASSES = (("●", "plus"), ("■", "minus"), ("▲", "third"))  # as in `regions.KINDS`
LINES = {  # by the name of the trace
    "boundary": ("━", "ink", "f = 0"),
    "margins": ("╌", "ink", "f = ±1"),
    "curve": ("━", "ink", "f"),
    "tube": ("╌", "ink", "f ± ε"),
    "truth": ("━", "field-minus", "the true curve"),
}
CHANGED = "changed class"
FORCES = {"forces": ("→", "accent", "α y (x − mean), part of w")}
MARKED = {"band": ("▨", "ink"), "ringed": ("◯", "ink"), "crossed": ("✕", "ink")}


def plane_legend(points, traces, limit, meant, *, below, earlier, shade=None) -> style.Legend:
    """The key, `below` pixels under a plane, on the meaning of colour, symbol, area, fill and outline.

    The dashed line is that without the outliers, or with `earlier` that before a change; `shade` is the number of the
    colour of what has changed class.
    It has only what is drawn: `traces` are the names of the traces. It has no number that changes with the model,
    because the axes and texts of a plane are drawn again only when they change.
    """
    marks = [*_class_entries(points), *_entries(LINES, traces), *_special(traces, earlier=earlier)]
    words, fills = [f"colours end at |f| = {limit:g}"] if "field" in traces else [], []
    if points.alpha is not None:
        words.append("area ∝ |α|")
        fills = ["filled α > 0", "hollow α < 0", "dot inside: at a bound"]
    shaded = [] if shade is None else [f'<span style="color:{variant(shade)[0]}">▒</span> {CHANGED}']
    last = shaded + _entries(FORCES, traces) + _meaning_entries(meant)
    return legend((SPACE, marks), (SEMICOLON, words), (SEMICOLON, fills), (SPACE, last), below=below)


def _class_entries(points):
    return [f"{_ink(*look)} class {name}" for look, name in zip(CLASSES, points.class_names.values(), strict=False)]


def _entries(looks, traces):
    return [f"{_ink(mark, ink)} {words}" for name, (mark, ink, words) in looks.items() if name in traces]


def curve_legend(samples, traces, meant) -> style.Legend:
    """The key under the picture of a regression, on the meaning of lines, area and outline, or as `meant`."""
    marks = [f"{_ink('●', 'plus')} training point", *_entries(LINES, traces), *_special(traces)]
    lines = []
    if meant:
        lines = [(SEMICOLON, ["area ∝ |β|"]), (SPACE, _meaning_entries(meant))]
    elif samples.beta is not None:
        words = ["dot inside: at a bound", "area ∝ |β|"]
        lines = [(SEMICOLON, words), (SEMICOLON, ["one colour: β > 0 above the curve, β < 0 below"])]
    return legend((SPACE, marks), *lines)


def regions_legend(points, traces) -> style.Legend:
    """The key under the regions of classes."""
    drawn = any(name.startswith("region") for name in traces)
    lines = [_class_entries(points) + ["━ boundary of two regions"] * drawn]
    lines += [["thick edge: support vector; area ∝ the largest |α|"], ["deeper: leads by more than 1"]] * drawn
    return legend(*((SPACE, line) for line in [*lines, _special(traces, changed="changed" in traces)]))


def _special(traces, *, earlier=False, changed=False):
    """The marks that are not in every picture."""
    ghost = any(name.startswith("ghost") for name in traces)  # of more than two classes one each
    marks = [_ink("─", "muted") + (" before" if earlier else " without outliers")] * ghost
    marks += [f"▒ {CHANGED}"] * changed
    marks += [f"{_ink('◯', 'accent')} outlier"] * ("outliers" in traces)
    return marks + [f"{_ink('○', 'muted')} switched off"] * ("switched off" in traces)


def _meaning_entries(meant):
    return [f"{_ink(*MARKED[name])} {text}" for name, text in (meant or {}).items()]


def influence_legend(points, traces, largest, below) -> style.Legend:
    """The key `below` pixels under an influence map, on its marks and its scale of colours."""
    now = [_ink("━", "ink") + " f = 0 now", _ink("⊕", "ink") + " the point that is moved"]
    marks = [*_class_entries(points), *now, *_special(traces)]
    deepest = f"{_ink('■', 'heat')} darkest {percent(largest)} of the plane changes class"
    return legend((SPACE, marks), (SPACE, [f"colour: none {percent(0.0, '.0f')}, {deepest}"]), below=below)


def tuning_legend(low, high, write, now, failed) -> style.Legend:
    """The key under a picture of evaluations, on its scale of colours and its marks.

    `write` writes a value.
    """
    marks = [_ink("◯", "ink") + " best"]
    if now:
        marks.append(_ink("✕", "accent") + " C and σ now")
    if failed:
        marks.append(_ink("×", "muted") + " no machine")
    deepest = f"colour: {_ink('●', 'heat')} darkest {write(low)}, the lowest;"
    return legend((SPACE, marks), (SPACE, [deepest]), (SPACE, [f"lightest {write(high)} or more"]), below=46)


def legend(*lines, below=22) -> style.Legend:
    """The key of `lines`, each a separator and the entries that it stands between, `below` pixels under the axes."""
    lines = [(between, entries) for between, entries in lines if entries]
    at = dict(x=0, xref="x domain", xanchor="left", y=0, yref="y domain", yanchor="top", yshift=-below)
    text = "<br>".join(between.join(entries) for between, entries in lines)
    note = style.note(text, align="left", name="key", **at)
    return style.Legend(note, [entry for _, entries in lines for entry in entries])


def _ink(text, name):
    return f'<span style="color:{colour(name)}">{text}</span>'


def plane(points, traces, *, ringed=(), off=None, timeless=False, earlier=False) -> str:
    """The description of a plane: points, classes, support values, lines; `traces` are the names of the traces.

    With `timeless` only what holds at all moments of a film: no support values. `earlier` as in `plane_legend`.
    """
    text = f"Plane: {_count(points)}."
    if points.alpha is not None and not timeless:
        text += " " + _support(points)
    if "field" in traces:
        text += " The field of decision values is coloured by sign; lines mark f = 0 and f = ±1."
    text += SHADED if "changed" in traces else ""
    text += " Arrows show what the changed points contribute to w." if "forces" in traces else ""
    return text + _mark_sentences(points, "boundary" if "ghost" in traces else None, off, ringed, earlier)


def curve(graph, samples, *, ghost=False, off=None, ringed=()) -> str:
    """The description of a regression: points, support values, the curve with its range, tube, truth."""
    text = f"Plane: {_count(samples)}."
    if samples.beta is not None:
        text += " " + _support(samples)
    if graph.f is not None:
        text += (
            f" A line marks the fitted curve from x = {number(graph.xs[0], '.4g')} to {number(graph.xs[-1], '.4g')}, "
            f"with values from {number(np.min(graph.f), '.6g')} to {number(np.max(graph.f), '.6g')}."
        )
        if graph.tube:
            text += f" Dashed lines mark the tube, {number(graph.tube, '.4g')} above and below it."
    if graph.truth is not None:
        text += " A pale line marks the true curve."
    return text + _mark_sentences(samples, "curve" if ghost else None, off, ringed)


def regions(points, names, used, ghost=False, off=None) -> str:
    """The description of the regions of classes: the points of each of the `names`, and how many are `used` (N,)."""
    labelled = zip(points.classes, names, strict=True)
    counts = [f"{int(np.sum(points.y == label))} of class {name}" for label, name in labelled]
    text = f"Plane with a region for each class: {len(points.y)} points, {', '.join(counts)}."
    if points.predicted is not None:
        wrong = int(np.sum(points.predicted != points.y))
        text += f" Support vectors of at least one machine: {int(used.sum())}; in the region of another class: {wrong}."
    return text + " Grey lines show the boundaries without the outliers." * ghost + _mark_sentences(points, None, off)


def shares(names, leads) -> str:
    """A sentence on the share of the picture that each class has, whose `leads` are positive there; "" for none."""
    found = [
        f"{percent(float(np.mean(lead > 0.0)))} of the picture for class {name}"
        for name, lead in zip(names, leads, strict=False)
    ]
    return f"Regions: {', '.join(found)}." if found else ""


def _mark_sentences(points, ghost, off, ringed=(), earlier=False):
    """The sentences on marks that are not in every picture; `ghost` names the line without the outliers, or is None."""
    when = "before the change" if earlier else "without the outliers"
    text = f" A thin grey line shows the {ghost} {when}." if ghost else ""
    outliers = 0 if points.outlier is None else int(np.sum(points.outlier))
    text += f" {with_count(outliers, 'outlier')} ringed." if outliers else ""
    text += f" {with_count(len(off.y), 'point')} switched off, hollow and grey." if off is not None else ""
    return text + (f" {with_count(len(ringed), 'support vector')} ringed." if len(ringed) else "")


def spectrum(points, lower, upper) -> str:
    """The description of a spectrum: how many support values, how large, how many at a bound."""
    text = f"Support values, ranked: {_count(points)}. {_support(points)}"
    bounds = [
        f"{name} {number(value, '.4g')}" for name, value in (("lower", lower), ("upper", upper)) if np.isfinite(value)
    ]
    return text + (f" Bounds: {', '.join(bounds)}." if bounds else " No bounds.")


def overlay(names, points, moved, redrawn) -> str:
    """The description of an overlay: the machines with a boundary or a curve, and the points; those that have `moved`
    are also shown as they were, and those that are `redrawn` on other draws.
    """
    lines = "Fitted curves" if isinstance(points, Samples) else "Boundaries f = 0"
    text = f"{lines} of {join_words(names)} over {_count(points)}."
    text += f" Pale lines show {join_words(moved)} before the change." if moved else ""
    return text + (f" Faint lines show {join_words(redrawn)} on other draws of the points." if redrawn else "")


def influence(across, up, shares, points, chosen) -> str:
    """The description of an influence map: its machine and its point, the shares, and the largest one."""
    label = _class_words(points)[not points.y[chosen] > 0]
    name = point_name(int(points.ids_of(np.array([chosen]))[0]))
    text = f"Influence map: the share of the plane that changes class if {name} of class {label} is moved. "
    known = np.isfinite(shares)
    if not known.any():
        return text + "No cell is computed yet."
    row, column = np.unravel_index(np.nanargmax(shares), shares.shape)
    x, y = across[column], up[row]
    away = np.hypot(x - points.X[chosen, 0], y - points.X[chosen, 1])
    text += f"Largest share {percent(shares[row, column])}, median {percent(np.median(shares[known]))}. "
    height = ("at the bottom", "halfway up", "at the top")[3 * row // len(up)]
    side = ("left", "in the middle", "right")[3 * column // len(across)]
    text += f"The largest share is at ({number(x)}, {number(y)}), {height} {side}, at distance {number(away)}."
    if not known.all():
        text += f" {with_count(int(np.sum(~known)), 'cell')} of {shares.size} not computed."
    return f"{text} {_count(points)}. A line marks the current boundary f = 0."


def _support(points):
    alpha = np.asarray(points.alpha)
    used = int(np.sum(alpha != 0))
    text = f"{used} of {len(alpha)} {'has' if used == 1 else 'have'} a support value other than zero"
    text += f", largest |{points.spelled}| {number(np.max(np.abs(alpha), initial=0))}"
    negative = int(np.sum(alpha < 0))
    if negative:
        text += f", {negative} negative"
    if points.state is not None:
        bound = int(np.sum((points.state == UPPER) | (points.state == LOWER)))
        text += f", {bound} at a bound"
    return text + "."


def _count(points):
    n = len(points.y)
    if isinstance(points, Samples):
        return with_count(n, "point")
    (one, other), plus = _class_words(points), int(np.sum(np.asarray(points.y) > 0))
    return f"{with_count(n, 'point')}, {plus} of class {one} and {n - plus} of class {other}"


def _class_words(points):
    """The names of two classes with the minus that screen readers speak."""
    return [name.replace("−", "-") for name in points.class_names.values()]


def history(lines, xlabel, ylabel, at, log) -> str:
    """The description of a history: its quantities, their first and last values, and the place that is marked.

    Unless the axis is a logarithmic one, a value that cannot be told from 0 in the picture is 0.
    """
    ends = [
        f"{line.name} from {number(first)} to {number(last)}" for line in lines for first, last in [_ends(line.y, log)]
    ]
    marked = "" if at is None else f" The place {at:g} is marked on each line."
    return f"Curves of {ylabel} over {xlabel}: {'; '.join(ends)}.{marked}"


def _ends(y, log):
    """The first and the last finite value, 0 without a sign."""
    known = np.asarray(y, float)
    known = known[np.isfinite(known)]
    if not log:
        known = np.where(np.abs(known) < INVISIBLE * np.max(np.abs(known), initial=0.0), 0.0, known)
    known = known + 0.0
    return (known[0], known[-1]) if len(known) else (np.nan, np.nan)


def tuning_text(C, sigma, values, best, write, measure) -> str:
    """The description of a picture of evaluations: their number, the best one, the range of the values."""
    known = np.isfinite(values)
    text = f"{with_count(len(values), 'evaluation')} of the {measure}"
    if not known.any():
        return text + ", none with a machine."
    place = [
        f"{name} = {number(numbers[best], '.4g')}" for name, numbers in (("C", C), ("σ", sigma)) if numbers is not None
    ]
    text += f": {write(values[best])} at best, with {join_words(place)}; {write(np.max(values[known]))} at worst."
    return text + (f" {int(np.sum(~known))} without a machine." if not known.all() else "")


def losses(curves, xlabel, ylabel) -> str:
    """The description of a picture of losses: the highlighted ones, the number of faint ones, and of lines beside."""
    chosen = [curve.name for curve in curves if curve.chosen]
    touching = sum(curve.touching for curve in curves)
    others = len(curves) - len(chosen) - touching
    if not chosen:
        return f"{ylabel} over {xlabel}: {with_count(others, 'curve')}, all faint."
    behind = f"; faint behind: {with_count(others, 'other')}" if others else ""
    beside = (
        f" {with_count(touching, 'line')} from below at a jump, where every slope is a subgradient." if touching else ""
    )
    return f"{ylabel} over {xlabel}: {join_words(chosen)}{behind}.{beside}"


def norms_legend() -> style.Legend:
    """The key under the plane of two weights."""
    marks = [
        [("╌", "variant-1", "re-weighted norm"), ("◇", "variant-2", "1-norm"), ("┄", "muted", "2-norm")],
        [("━", "ink", "error, touched level"), ("─", "muted", "other levels")],
        [("●", "accent", "now"), ("━", "accent", "path"), ("□", "ink", "1-norm SVM")],
    ]
    return legend(*((SPACE, [f"{_ink(mark, ink)} {text}" for mark, ink, text in line]) for line in marks), below=38)
