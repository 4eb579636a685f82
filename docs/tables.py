"""The generated parts of the manual: what stands between two marks in a Markdown file comes from the code."""

import ast
import inspect
import re
from pathlib import Path

import svmcore
from svmcore import duals, losses, papers, problems, status
from svmcore.losses import regression

SYMBOLS = {r"\balpha\b": "α", r"\bbeta\b": "β", r"\btau\b": "τ", r"\bepsilon\b": "ε", r"\bdelta\b": "δ", "<=": "≤"}
PART = re.compile(r"(<!-- made by python -m docs: (\w+) -->\n).*?(<!-- end -->\n)", re.S)


def filled(text: str) -> str:
    """A Markdown text with its generated parts made anew; KeyError for a part that is not in `PARTS`."""
    return PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]()}\n{found[3]}", text)


def classes() -> str:
    """A section on each loss of classification."""
    return "\n".join(_section(loss, "t") for loss in losses.LOSSES.values())


def curves() -> str:
    """A section on each loss of regression."""
    return "\n".join(_section(loss, "r") for loss in regression.LOSSES.values())


def solvers() -> str:
    """The modules of svmcore.solvers with the first sentences of their docstrings, in reading order."""
    order = re.search(r"^    solvers +((?:[\w ]|\n {16})*)$", svmcore.__doc__, re.M)[1].split()
    folder = Path(svmcore.__file__).with_name("solvers")
    return _table(
        "module", "what it solves, and how", rows=[(f"`{name}`", _about(folder / f"{name}.py")) for name in order]
    )


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
        options = ", ".join(f"`{option.name}`" for option in entry.options) or "–"
        rows.append((f"`{entry.key}`", about, str(entry.n_inputs), options))
    return _table("name", "what it is", "inputs", "options", rows=rows)


def reading() -> str:
    """The reading order of svmcore, as its docstring has it."""
    order = re.search(r"^    \w.*?(?=\n\n|\Z)", svmcore.__doc__.rstrip(), re.M | re.S)[0]
    return f"```text\n{inspect.cleandoc(order)}\n```\n"


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


PARTS = {make.__name__: make for make in (classes, curves, solvers, statuses, sets, experiments, reading)}


def _section(loss, variable):
    dual = getattr(duals, loss.key, None)
    properties = [
        "convex" if loss.convex else "not convex",
        "bounded" if loss.bounded else "unbounded",
        "sparse" if loss.sparse else "not sparse",
    ]
    lines = [
        f"### {loss.machine}: `{loss.key}`\n",
        f"$$\n\\ell({variable}) = {_in_terms_of(variable, loss.latex)}\n$$\n",
        f"- The loss is {', '.join(properties)}. Solved by: {loss.solved_by}.",
        *(
            f"- `{one.name}` (${one.latex}$) in {one.interval}, by default {one.default:g}: {one.meaning}."
            for one in loss.parameters
        ),
        f"- Dual: {_box(dual)}" if dual else f"- No box dual: {_rule(loss)}.",
        f"- Source: {loss.source}",
    ]
    return "\n".join(lines) + "\n"


def _in_terms_of(variable, latex):
    """A formula in t with another variable; the commands of LaTeX stay."""
    return re.sub(r"(?<![\\A-Za-z])t(?![A-Za-z])", variable, latex)


def _box(dual):
    """The docstring of a dual without the name of the machine at its beginning."""
    sentences = " ".join(inspect.getdoc(dual).split()).partition(": ")[2]
    return re.sub(
        "|".join(SYMBOLS), lambda found: SYMBOLS[rf"\b{found[0]}\b" if found[0].isalpha() else found[0]], sentences
    )


def _rule(loss):
    return r"$\alpha = C\, \ell'(t)$" if loss.curvature_of else r"$\alpha \in C\, \partial \ell(t)$"


def _about(path):
    """The first sentence of the docstring of a module."""
    paragraph = " ".join(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))).split("\n\n")[0].split())
    return _cell(re.split(r"(?<=\.) (?=[A-Z])", paragraph)[0])


def _cell(text):
    return text.replace("|", "\\|")


def _table(*head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
