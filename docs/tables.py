"""The generated parts of the manual: what stands between two marks in a Markdown file comes from the code."""

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from textwrap import wrap

import numpy as np

import svmcore
from pages.shared.lessons import reading, state
from pages.shared.lessons.quantities.catalogue import REGISTRY as QUANTITIES
from pages.shared.lessons.quantities.registry import KINDS
from pages.shared.panels.loss_cards import properties
from pages.shared.papers.stored_results import symbols
from pages.shared.screen.choices import Contamination
from pages.shared.studies import contaminated
from svmcore import duals, kernels, losses, papers, problems, status
from svmcore.losses import regression
from svmcore.losses.registry import GROUPS
from svmcore.problems import outliers
from svmcore.solvers import router
from svmcore.studies import contamination, significance
from svmcore.words import number, percent

NORM = r"\|", r"\Vert "  # without bars, which would end a cell
COMPARED = 0.2  # the level of the tables of robustness
PART = re.compile(r"(<!-- made by python -m docs: (\w+) -->\n).*?(<!-- end -->\n)", re.S)


def fill(text: str) -> str:
    """A Markdown text with its generated parts made anew; KeyError for a part that is not in `PARTS`."""
    return PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]()}\n{found[3]}", text)


def classes() -> str:
    """A section on each loss of classification, by the groups of the menus."""
    return "\n".join(
        f"**{heading}**\n\n" + "\n".join(_section(loss, "t") for loss in losses.LOSSES.values() if loss.group == group)
        for group, heading in GROUPS.items()
    )


def curves() -> str:
    """A section on each loss of regression."""
    return "\n".join(_section(loss, "r") for loss in regression.LOSSES.values())


def solvers() -> str:
    """The modules of svmcore.solvers with the first sentences of their docstrings, in reading order."""
    rows = [(f"`{name}`", _about(path)) for package, name, path in _reading_order() if package == "solvers"]
    return _table("module", "what it solves, and how", rows=rows)


def kernel_families() -> str:
    """All kernels, and the ranges of their parameters."""
    families = [
        (f"`{one.key}`", f"${one.latex.replace(*NORM)}$", _definite(one), _list_names(one.parameters), f"{one.source}.")
        for one in kernels.KERNELS.values()
    ]
    parameters = [(f"`{name}`", f"${one.latex}$", one.words) for name, one in kernels.PARAMETERS.items()]
    head = _table("name", "formula", "positive semidefinite", "parameters", "source", rows=families)
    return f"{head}\n{_table('parameter', 'in the formula', 'range', rows=parameters)}"


def statuses() -> str:
    """All statuses, those of a success first."""
    rows = sorted(((one.value, one.success) for one in status.Status), key=lambda row: not row[1])
    return _table("status", "success", rows=[(words, "yes" if success else "no") for words, success in rows])


def sets() -> str:
    """All problems with their options."""
    rows = []
    for entry in problems.REGISTRY.values():
        about = _cell(entry.about) + " Regression." * (entry.task == "regression")
        about += " On request." * (entry.key in problems.fetched.SOURCES)
        options = _list_names(option.name for option in entry.options)
        rows.append((f"`{entry.key}`", about, str(entry.n_inputs), options))
    return _table("name", "what it is", "inputs", "options", rows=rows)


def reading_order() -> str:
    """The modules of svmcore, each after those that it imports."""
    packages = {}
    for package, name, _ in _reading_order():
        packages.setdefault(package, []).append(name)
    lines = []
    for package, names in packages.items():
        lines += wrap(f"{package:<12}{' '.join(names)}".strip(), 112, subsequent_indent=12 * " ")
    return "```text\n" + "\n".join(lines) + "\n```\n"


@cache
def _reading_order():
    """(package, module, path) of all modules of svmcore; a module directly in svmcore is a package without a name."""
    folder = Path(svmcore.__file__).parent
    files = sorted({*folder.rglob("*.py")} - {*folder.rglob("__init__.py")})
    paths = {path.relative_to(folder).with_suffix("").parts: path for path in files}
    packages = re.findall(r"\w+", svmcore.__doc__.partition("before it:")[2])
    found = []

    def add_after_imports(name):
        if name not in found:
            for other in sorted(_imports(paths[name]) & paths.keys()):
                add_after_imports(other)
            found.append(name)

    for name in sorted(paths, key=lambda name: packages.index(name[0])):
        add_after_imports(name)
    return [(name[0], name[-1] if name[1:] else "", paths[name]) for name in found]


def _imports(path):
    """Names that a module imports from svmcore, each as its parts."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
    names = (f"{node.module}{end}" for node in nodes for end in ("", *(f".{alias.name}" for alias in node.names)))
    return {tuple(name.split(".")[1:]) for name in names if name.startswith("svmcore.")}


def experiments() -> str:
    """The tables and figures of the papers, with what is computed and the statement that it concerns."""
    sections = []
    for entry in papers.REGISTRY.values():
        computed = " ".join(inspect.getdoc(entry.make).split()).removeprefix("The Table of ")
        sections.append(
            f"### `{entry.name}`\n\n{entry.paper}, {entry.title}.\n\n"
            f"- Computed: {computed}\n- Statement: {entry.shows}\n"
        )
    return "\n".join(sections)


def lessons() -> str:
    """The lessons in the order of the course: what they are for, their minutes, and what is left out first."""
    rows = []
    for lesson in reading.built_in_lessons().values():
        optional = [str(k) for k, prompt in enumerate(lesson.prompts, 1) if prompt.optional]
        aims, before = (" ".join(map(_cell, texts)) for texts in (lesson.objectives, lesson.prerequisites))
        size = f"{lesson.minutes} min, {len(lesson.prompts)} questions"
        rows.append((f"**{lesson.title}**", aims, before, size, ", ".join(optional) or "none"))
    return _table("lesson", "objectives", "before it", "size", "left out first", rows=rows)


def quantities() -> str:
    """The quantities that a prompt can watch, by what they are, with the values of the arguments left out."""
    rows = []
    for kind, words in KINDS.items():
        for key, found in QUANTITIES.items():
            if found.kind == kind:
                known = [*inspect.signature(found.compute).parameters.values()][1:]
                rows.append((f"`{key}`", found.words, words, ", ".join(f"`{_argument(each)}`" for each in known)))
    return _table("name", "the answer", "is", "arguments", rows=rows)


def _argument(parameter):
    if parameter.default in ("", None, "after"):
        return parameter.name
    return f"{parameter.name} = {parameter.default!r}".replace("'", '"')


def named_points() -> str:
    """The points that a prompt can name, and what an entry of `edit` can do to one."""
    rows = [(f"`{name}`", words) for table in (state.PLACES, state.EDITS) for name, words in table.items()]
    return _table("word", "meaning", rows=rows)


def contaminated_tables() -> str:
    """The stored study of robustness: where the expected order fails, what is established, and every machine."""
    rows, said = contaminated.stored_study()
    tables = tuple(dict.fromkeys(row.table for row in rows))
    stored = {row.machine for row in rows}
    machines = tuple(key for key in router.SOLVABLE if key in stored)
    splits = max(row.split for row in rows) + 1
    parts = [
        f"{len(tables)} tables, {len(machines)} machines, {splits} splits, made by `{said['command']}` "
        f"({said['versions']}).\n"
    ]
    for kind in contamination.KINDS:
        request = Contamination(tables, machines, kind, splits, int(said["tuned"]))
        errors = contaminated.errors_of(rows, request)
        found = contaminated.comparison(errors, COMPARED, request)
        support = contaminated.support_of(rows, request, COMPARED)
        lines = contaminated.summary(found, errors, support, COMPARED, request)
        parts += [
            f"### {outliers.KINDS[kind].label}, {percent(COMPARED, 'g')}\n",
            *(f"{_order(contaminated.at_level(errors, level), level, request)}\n" for level in (COMPARED, 0.3)),
            f"{contaminated.verdict(found, errors, COMPARED, request)}\n",
            _table(*contaminated.HEAD, rows=lines),
        ]
    return "\n".join(parts)


def _order(errors, level, request):
    """A sentence on the tables on which bounded losses have the higher mean error, and on the difference over all."""
    bounded = np.array([losses.LOSSES[key].bounded for key in request.machines])
    gaps = errors[:, bounded].mean(axis=1) - errors[:, ~bounded].mean(axis=1)
    fails = [contaminated.table_name(table) for table, gap in zip(request.tables, gaps, strict=True) if gap > 0.0]
    found = significance.effect(gaps)
    p = significance.wilcoxon(gaps)
    established = "" if p < significance.ALPHA else "; no difference is established"
    listed = f"{': ' if fails else ''}{', '.join(fails)}"
    low, shift, high = (number(value, ".1f") for value in (found.low, found.shift, found.high))
    return (
        f"At {percent(level, 'g')} the {bounded.sum()} machines with a bounded loss have the higher mean error, "
        f"against expectation, on {len(fails)} of {len(gaps)} tables{listed}. Over all tables their error minus "
        f"that of the others is {shift} points [{low}, {high}] (Wilcoxon, {significance.p_text(p)}{established})."
    )


PARTS = {
    make.__name__: make
    for make in (
        classes, curves, kernel_families, solvers, statuses, sets, experiments, contaminated_tables, reading_order,
        lessons, quantities, named_points,
    )
}  # fmt: skip


def _section(loss, variable):
    dual = getattr(duals, loss.key, None)
    rule = r"$\alpha = C\, \ell'(t)$" if loss.curvature_of else r"$\alpha \in C\, \partial \ell(t)$"
    lines = [
        f"### {loss.machine}: `{loss.key}`\n",
        f"$$\n\\ell({variable}) = {_in_terms_of(variable, loss.latex)}\n$$\n",
        f"- The loss is {properties(loss)}. Solved by: {loss.solved_by}.",
        *(
            f"- `{one.name}` (${one.latex}$) in {one.interval}, by default {one.default:g}: {one.meaning}."
            for one in loss.parameters
        ),
        f"- Dual: {_box(dual)}" if dual else f"- No box dual: {rule}.",
        f"- Source: {loss.source}",
    ]
    return "\n".join(lines) + "\n"


def _in_terms_of(variable, latex):
    """A formula in t with another variable; the commands of LaTeX stay."""
    return re.sub(r"(?<![\\A-Za-z])t(?![A-Za-z])", variable, latex)


def _box(dual):
    """The docstring of a dual without the name of the machine at its beginning."""
    return symbols(" ".join(inspect.getdoc(dual).split()).partition(": ")[2])


def _about(path):
    """The first sentence of the docstring of a module."""
    paragraph = " ".join(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))).split("\n\n")[0].split())
    return _cell(re.split(r"(?<=\.) (?=[A-Z])", paragraph)[0])


def _definite(family):
    if family.definite != "depends":
        return family.definite
    return f"depends on the {'parameters' if family.definite_if else 'points'}"


def _list_names(names):
    return ", ".join(f"`{name}`" for name in names) or "–"


def _cell(text):
    return text.replace("|", "\\|")


def _table(*head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
