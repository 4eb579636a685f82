"""The terms of the app, each explained once: help texts, column tips and the Help page take their sentences from here.

A page asks for `meaning("violation")`; an unknown term raises KeyError. A test compares the terms that the pages use
with those of `data/texts/glossary.toml`, in both directions.
"""

from typing import NamedTuple

from svmcore.problems.tables import load_texts


class Term(NamedTuple):
    """One term: its `name`, one or two sentences, and a formula and a source where there is one. Plain text."""

    name: str
    text: str
    formula: str = ""
    source: str = ""


TERMS = {key: Term(**entry) for key, entry in load_texts("glossary").items()}


def meaning(*terms: str) -> str:
    """The sentences on each of the `terms` with its formula, a Markdown line each; KeyError for an unknown term."""
    entries = [TERMS[term] for term in terms]
    return "  \n".join(f"{entry.text} {entry.formula}".strip() for entry in entries)


def tips(terms: dict[str, str]) -> dict[str, str]:
    """{label: meaning} from {label: term}: the tips for the heads of a table. Raises KeyError as `meaning`."""
    return {label: meaning(term) for label, term in terms.items()}


def markdown() -> str:
    """All terms as a Markdown list in alphabetical order, with formulas and sources, for the Help page."""
    lines = []
    for entry in sorted(TERMS.values(), key=lambda entry: entry.name.casefold()):
        formula = f" `{entry.formula}`" if entry.formula else ""
        source = f" *{entry.source}*" if entry.source else ""
        lines.append(f"- **{entry.name}.** {entry.text}{formula}{source}")
    return "\n".join(lines) + "\n"
