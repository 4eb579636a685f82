"""The numbers of a study of contaminated tables: errors by table, curves, ranks, and what is established."""

import gzip
import re
from functools import lru_cache
from pathlib import Path

import numpy as np

from pages.shared.files.delimited import csv_text
from pages.shared.screen import own_points, screen
from pages.shared.screen.choices import NO_OUTLIERS, Contamination, Data, Machine, OwnTable, Setting
from pages.shared.studies import classification, results
from svmcore import SVC, losses, words
from svmcore.kernels import KERNELS
from svmcore.problems import REGISTRY, outliers
from svmcore.problems.benchmarks import SETS
from svmcore.problems.tables import DATA
from svmcore.studies import contamination, robustness, significance
from svmcore.studies.contamination import CLEAN, LEVELS, Row

SEEDS = 20  # draws or splits of a study that another page asks for
STORED = DATA / "results" / "robustness.csv.gz"
HEAD = (
    "machine",
    "average rank",
    "clean error, %",
    "error, %",
    "SVs",
    "breaks down at",
    "tables broken",
    "worse by",
    "p",
)
TIPS = {
    "SVs": "mean number of support vectors at this level",
    "average rank": "1 if the error is the lowest on every table",
    "breaks down at": "first level at which the mean error is 5 percentage points above that on clean points",
    "tables broken": "tables on which it breaks down at some level",
    "worse by": "than the best, percentage points, with the interval at 95 % (Hodges and Lehmann)",
    "p": "Wilcoxon against the best, corrected by Holm",
}


@lru_cache(1)
def stored_study() -> tuple[list[Row], dict[str, str]]:
    """The rows of the stored study and what its file says of them; none if the file is missing."""
    if not STORED.is_file():
        return [], {}
    return contamination.from_csv(gzip.decompress(STORED.read_bytes()).decode())


def stored_rows(request: Contamination) -> list[Row]:
    """The stored rows of a study, on those of its tables that are stored; none for a table of the reader's own, for
    parameters that are not the usual ones, and if a machine or its outliers are not stored.
    """
    if request.own or request.params or request.setting or not request.scaled:
        return []
    rows = [row for row in stored_study()[0] if row.table in request.tables and row.machine in request.machines]
    rows = [row for row in rows if row.kind in (CLEAN, request.kind)]
    stored = {row.machine for row in rows if row.kind == request.kind}
    return rows if stored == set(request.machines) else []


def stored_request(request: Contamination) -> Contamination:
    """The part of a study that is stored: with the tables, splits, and C and sigma of the stored rows."""
    rows, said = stored_study()
    splits, tables = len({row.split for row in rows}), {row.table for row in rows}
    kept = tuple(table for table in request.tables if table in tables)
    return request._replace(tables=kept, repeats=splits, tuned=int(said["tuned"]))


def stored_sentence(request: Contamination) -> str:
    """The date and the command of the stored study, where its C and sigma were chosen, and which tables it has not."""
    said = stored_study()[1]
    first = "the first split" if said["tuned"] == "1" else f"the first {said['tuned']} splits"
    sentence = (
        f"The stored result, of {said['date']}, with C and σ as chosen on {first} of each table: `{said['command']}`."
    )
    kept = stored_request(request).tables
    missing = [table_name(table) for table in request.tables if table not in kept]
    if not missing:
        return sentence
    return f"{sentence} It does not have {words.join_words(missing)}; *Run this study* computes all tables."


def names(request: Contamination) -> list[str]:
    """The names of its machines, with the parameters of those that do not have the usual ones."""
    machines = map(request.machine, request.machines)
    return [losses.LOSSES[m.loss].machine if m == Machine.from_loss(m.loss) else m.name for m in machines]


def models(request: Contamination) -> dict[str, SVC]:
    """{key: estimator} of its machines."""
    if request.setting:
        return {key: classification.estimator(request.machine(key), request.setting) for key in request.machines}
    return {key: contamination.machine(key, **dict(request.machine(key).params)) for key in request.machines}


def kind_label(request: Contamination) -> str:
    """The outliers of a study, as in menus."""
    if request.kind == contamination.PROBLEM:
        return robustness.OWN_LEVELS[request.tables[0]][0]
    return outliers.KINDS[request.kind].label


def table_name(key) -> str:
    """The title of a table; one of the reader's own has a name alone."""
    return REGISTRY[key].title if key in REGISTRY else key


def link(data: Data, machines: list[Machine], setting: Setting) -> dict[str, str]:
    """The link of a study of a problem, over draws, or of the reader's own points, with these machines as they are."""
    usual = contamination.PROBLEM if data.problem in robustness.OWN_LEVELS else "flip_random"
    kind = {NO_OUTLIERS: usual, "flip_share": "flip_random"}.get(data.contamination, data.contamination)
    values = {name: value for machine in machines for name, value in machine.params} | setting._asdict()
    values |= {name: value for name, value in data.options if name == "data" or data.problem in contamination.DRAWN}
    tested = ",".join(machine.loss for machine in machines)
    scaled = data.is_table and data.scaled
    values |= {"tables": data.problem, "tested": tested, "spoilt": kind, "repeats": SEEDS, "tuned": "given"}
    return screen.texts(values | {"scaled": scaled})


def shown_set(data: Data) -> own_points.Own:
    """The reader's own points without outliers, as they are after edits."""
    clean, before = outliers.without_outliers(results.problem(data)), results.own_set(dict(data.options)["data"])
    X, y = np.vstack([clean.X, clean.X_test]), np.append(clean.y, clean.y_test)
    return own_points.Own(X, y, before.features, before.classes, before.source)


def own_table(key) -> OwnTable:
    """The set of points with this key as a table, under the name of a file that `contamination.read_table` reads."""
    own = results.own_set(key)
    stem = re.sub(r"[^\w .-]", "_", Path(own.source).stem)[:40].strip(" .") or "pasted"
    return OwnTable(f"{stem}.csv", key, len(own.y))


def own_flaw(own: OwnTable) -> str:
    """A sentence on why the study cannot use a table; "" if it can."""
    points = results.own_set(own.key)
    if len(points.classes) != 2:
        return f"The study needs two classes; {own.name} has {len(points.classes)}."
    try:
        contamination.check_points(own.name, points.y)
    except ValueError as error:
        return str(error)
    return ""


def own_csv(points: own_points.Own) -> str:
    """The reader's points in the format of the shipped tables: a comment, a header, and y in the last column."""
    said = f"{', '.join(points.features)}; y = -1 is {points.classes[0]}, y = 1 is {points.classes[1]}"
    return f"# {' '.join(said.split())}\n{csv_text(points.X, points.y)}"


def read(request: Contamination) -> dict[str, contamination.Table]:
    """{name: table or drawn problem}; ValueError if the server no longer has the reader's own."""
    found = {}
    for name in request.tables:
        if request.own and name == request.own.name:
            points = results.own_set(request.own.key)
            if points is None:
                raise ValueError(f"The server no longer has the points of {name}; load the file again.")
            found[name] = points.X, points.y
        elif request.options:
            found[name] = contamination.Drawn(name, request.options)
        else:
            found[name] = contamination.read_table(name)
    return found


def design_of(request: Contamination) -> contamination.Design:
    """The design of its cells; machines of a given setting begin at all their starts, as on other pages."""
    return contamination.Design(tuned=request.tuned, all_starts=request.tuned is None, scaled=request.scaled)


def n_cells(request: Contamination) -> int:
    """The number of choices of C and sigma, and of fits."""
    given = request.tables, request.machines, [request.kind], LEVELS, request.repeats
    made = contamination.cells(*given)
    return len(made) + len(contamination.tuned_cells(made, design_of(request)))


def errors_of(rows, request: Contamination) -> dict[str, np.ndarray]:
    """{table: errors (machines, levels, splits) in percent}, of the splits on which everything is computed."""
    conditions = contamination.conditions([request.kind], LEVELS)
    known = {row[:5]: 100.0 * row.error for row in rows if isinstance(row, Row)}
    found = {}
    for table in request.tables:
        values = [
            [[known.get((table, machine, *at, split), np.nan) for at in conditions] for machine in request.machines]
            for split in sorted({cell[4] for cell in known if cell[0] == table})
        ]
        whole = [value for value in values if np.isfinite(value).all()]
        if whole:
            found[table] = np.moveaxis(np.array(whole), 0, -1)
    return found


def support_of(rows, request: Contamination, level) -> list[float]:
    """The mean number of support vectors (machines,) of the fits at a level, nan without any."""
    at = [row for row in rows if isinstance(row, Row) and row[2:4] in ((CLEAN, level), (request.kind, level))]
    counts = [[row.n_support for row in at if row.machine == machine] for machine in request.machines]
    return [float(np.mean(mine)) if mine else np.nan for mine in counts]


def curves(errors) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, 10th and 90th percentile (machines, levels); of one table over its splits.

    Over several tables they are of the errors above the lowest clean one of each table, since tables differ more than
    machines do.
    """
    means = [values.mean(axis=-1) for values in errors.values()]
    every = np.stack([mean - mean[:, 0].min() for mean in means], axis=-1)
    if len(errors) == 1:
        (every,) = errors.values()
    return (every.mean(axis=-1), *np.percentile(every, [10, 90], axis=-1))


def at_level(errors, level) -> np.ndarray:
    """Mean errors (tables, machines) in percent at one of `LEVELS`."""
    return np.array([values[:, LEVELS.index(level)].mean(axis=-1) for values in errors.values()])


def excess(errors, level) -> np.ndarray:
    """The errors of `at_level` above the lowest one of each table, in percentage points."""
    found = at_level(errors, level)
    return found - found.min(axis=1, keepdims=True)


def comparison(errors, level, request) -> significance.Comparison | None:
    """The comparison at a level over the tables; None for fewer than two tables or machines."""
    if len(errors) < 2 or len(request.machines) < 2:
        return None
    return significance.compare(at_level(errors, level), tuple(names(request)))


def verdict(found, errors, level, request) -> str:
    """Sentences on what is established at a level, by its `comparison`; "" for one machine."""
    if found:
        return significance.verdict(found)
    ((table, values),) = list(errors.items())[:1]
    if len(request.machines) < 2 or values.shape[-1] < 2:
        return ""
    at = values[:, LEVELS.index(level)].T / 100.0
    return significance.verdict_of_splits(at, names(request), _test_ratio(table, request))


def _test_ratio(table, request):
    """The number of test points of a table divided by that of training points; 0 for a drawn problem."""
    if table in contamination.DRAWN:
        return 0.0
    share = contamination.held_share(request.own.n if request.own else SETS[table][0], design_of(request))
    return share / (1.0 - share)


def summary(found, errors, support, level, request) -> list[list[str]]:
    """A row of `HEAD` for each machine, in the order of their ranks, or of their errors where `found` is None.

    support (machines,): that of `support_of`.
    """
    called = names(request)
    means = [values.mean(axis=-1) for values in errors.values()]
    mean = np.mean(means, axis=0)
    place = LEVELS.index(level)
    rows = []
    for j in np.argsort(found.ranks if found else mean[:, place], kind="stable"):
        broken = sum(significance.breakdown(LEVELS, one[j], 5.0) is not None for one in means)
        at = significance.breakdown(LEVELS, mean[j], 5.0)
        rows.append(
            [
                called[j],
                f"{found.ranks[j]:.2f}" if found else "–",
                f"{mean[j, 0]:.1f}",
                f"{mean[j, place]:.1f}",
                f"{support[j]:.0f}",
                "not up to 30 %" if at is None else words.percent(at, "g"),
                f"{broken} of {len(means)}",
                _effect(found, j) if found else "–",
                "–" if not found or j == found.best else significance.p_text(found.holm[j]).removeprefix("p = "),
            ]
        )
    return rows


def _effect(found, j):
    effect = found.effects[j]
    if j == found.best:
        return "best"
    interval = (
        f" [{words.number(effect.low, '.1f')}, {words.number(effect.high, '.1f')}]" if np.isfinite(effect.low) else ""
    )
    return f"{words.number(effect.shift, '.1f')}{interval}"


def about(errors, request, level) -> str:
    """A sentence on where the numbers come from."""
    splits = sorted({values.shape[-1] for values in errors.values()})
    several = f"{splits[0]} to {splits[-1]}" if len(splits) > 1 else str(splits[0])
    drawn = sum(table in contamination.DRAWN for table in errors)
    kinds = {"table": len(errors) - drawn, "drawn problem": drawn}
    counted = words.join_words([words.with_count(count, kind) for kind, count in kinds.items() if count])
    unit = "split" if drawn == 0 else "draw" if drawn == len(errors) else "splits or draw"
    unit += "s" * (splits != [1])
    given = (
        request.setting
        and f", with C = {words.number(request.setting.C, 'g')}, {KERNELS[request.setting.kernel].label} kernel"
    )
    most = f"; at most {design_of(request).most} training points of a table" * (drawn < len(errors))
    return (
        f"{counted}, {several} {unit} each{given or ''}{most}; contaminated up to 30 %, compared at "
        f"{words.percent(level, 'g')}; test points are clean."
    )


def script(request: Contamination, level) -> str:
    """Source text that computes the same study and prints its ranks and its verdict."""
    file = f'# {request.own.name} is the download "Table of the study (CSV)"\n' if request.own else ""
    design, made = design_of(request), [f"{key!r}: {model!r}" for key, model in models(request).items()]
    points = "contamination.read_table(name)"
    if request.options:
        points = f"contamination.Drawn(name, {request.options!r})"
    return f"""import numpy as np

from svmcore import SVC
from svmcore.studies import contamination, significance

tables, machines = {list(request.tables)}, {list(request.machines)}
kinds, levels, splits = [{request.kind!r}], {contamination.LEVELS}, {request.repeats}
{file}points = {{name: {points} for name in tables}}
models = {{
    {f",{chr(10)}    ".join(made)},
}}
design = contamination.Design(tuned={design.tuned}, all_starts={design.all_starts}, scaled={design.scaled})
made = list(contamination.study(points, models, kinds, levels, splits, design))
rows = [row for row in made if isinstance(row, contamination.Row) and row.level == {level!r}]
errors = [
    [np.mean([row.error for row in rows if (row.table, row.machine) == (table, machine)]) for machine in machines]
    for table in tables
]
for table, line in zip(tables, errors):
    print(table, *(f"{{machine}} {{100 * error:.2f}} %" for machine, error in zip(machines, line)))
if len(tables) > 1 and len(machines) > 1:
    found = significance.compare(errors, tuple(machines))
    print(*(f"{{name}} {{rank:.2f}}" for name, rank in zip(machines, found.ranks)))
    print(significance.verdict(found))
elif len(machines) > 1 and splits > 1:
    each = np.transpose([[row.error for row in rows if row.machine == machine] for machine in machines])
    print(significance.verdict_of_splits(each, machines, shared={_test_ratio(request.tables[0], request)!r}))
"""
