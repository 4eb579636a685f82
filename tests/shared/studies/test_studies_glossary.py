"""The glossary: each term is defined once and used, and each term that a page uses is defined."""

import ast
from pathlib import Path

import pytest
from sources import nodes_of

from pages.shared.screen.screen import REGISTRY
from pages.shared.studies import glossary
from pages.shared.studies.tasks import TASKS

PAGES = Path(__file__).parents[3] / "pages"
SOURCES = [path for path in PAGES.rglob("*.py") if path.name != "glossary.py"]


def texts(node):
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def named(call):
    """The terms in a call of `meaning` or `tips`, which maps labels to terms."""
    if call.func.attr == "meaning":
        return texts(call)
    values = [value for node in ast.walk(call) if isinstance(node, ast.Dict) for value in node.values]
    shared = [node.args[1] for node in ast.walk(call) if isinstance(node, ast.Call) and len(node.args) == 2]
    return set().union(*map(texts, values + shared))


def used():
    """{term: paths of the modules that use it}."""
    found = {term: {"tasks"} for task in TASKS.values() for term in [*task.words.explained.values(), task.words.error]}
    for path in SOURCES:
        for node in nodes_of(path):
            of_glossary = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("meaning", "tips")
            if of_glossary and ast.unparse(node.func.value) == "glossary":
                for term in named(node):
                    found.setdefault(term, set()).add(path.name)
    for field in REGISTRY.values():
        for term in field.terms:
            found.setdefault(term, set()).add("schema.py")
    return found


def test_the_terms_of_the_pages_are_those_of_the_glossary():
    found = set(used())
    assert len(found) > 20 and found == set(glossary.TERMS)


@pytest.mark.parametrize("term", glossary.TERMS)
def test_an_entry_is_one_or_two_sentences(term):
    entry = glossary.TERMS[term]
    assert entry.text[0].isupper() and entry.text[-1] == "." and entry.text.count(". ") <= 2
    assert not entry.formula.endswith(".")
    assert entry.text in glossary.meaning(term) and entry.formula in glossary.meaning(term)


def test_meanings_are_lines_and_an_unknown_term_is_an_error():
    assert glossary.meaning("C", "bound").split("  \n") == [glossary.meaning("C"), glossary.meaning("bound")]
    assert glossary.tips({"largest |α|": "support value"}) == {"largest |α|": glossary.meaning("support value")}
    with pytest.raises(KeyError, match="pull"):
        glossary.meaning("C", "pull")


def test_the_markdown_has_every_term_once_in_alphabetical_order():
    lines = glossary.markdown().splitlines()
    names = [line.split("**")[1].removesuffix(".") for line in lines]
    assert names == sorted((entry.name for entry in glossary.TERMS.values()), key=str.casefold)
    assert len({name.casefold() for name in names}) == len(names)
    for entry in glossary.TERMS.values():
        (line,) = [line for line in lines if line.startswith(f"- **{entry.name}.** ")]
        assert entry.text in line and entry.formula in line and entry.source in line
