"""Texts of users cost no more than they are long: expressions are linear, and readers refuse before they parse."""

import ast
import functools
import re
import time
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest
from sources import nodes_of, tree_of

from pages.shared.files.reading import read_table
from pages.shared.lessons import collected, handin, own

ROOT = Path(__file__).parents[2]
METHODS = ("compile", "match", "fullmatch", "search", "sub", "split", "findall", "finditer")
FILES = sorted([*ROOT.glob("pages/**/*.py"), ROOT / "svmcore/words.py", ROOT / "svmcore/problems/tables.py"])
SOURCES = {file: file.read_text(encoding="utf-8") for file in FILES}
OURS = {  # files whose expressions see no text of a user
    "js_bundle.py": "our scripts",
    "manual.py": "our manual",
    "palette.py": "our style",
    "vector.py": "drawings that Plotly has made",
    "sheet.py": "drawings that were made here",
    "machine_numbers.py": "our formulas",
    "stored_results.py": "stored results",
    "question_form.py": "answers in words that were computed here",
    "scene_card.py": "our questions",
    "health.py": "names of threads",
}
SHORT = 4_000
SLOW = 0.0025  # seconds of processor time in SHORT characters from which it is looked at closely; ten times the usual


SEARCHED = [file for file in FILES if file.name not in OURS and re.search(r"\bre\.\w+\(", SOURCES[file])]


@functools.cache
def expressions(file):
    """{expression: how it is called} of every regular expression of a file that may see the text of a user."""
    found, assigned = {}, (node for node in tree_of(file).body if isinstance(node, ast.Assign))
    named = {id(node.value): ast.unparse(node.targets[0]) for node in assigned}
    for call in (node for node in nodes_of(file) if isinstance(node, ast.Call)):
        function = call.func
        if isinstance(function, ast.Attribute) and ast.unparse(function.value) == "re" and function.attr in METHODS:
            names = vars(import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)))
            is_compiled = function.attr == "compile"
            pattern = eval(ast.unparse(call if is_compiled else call.args[0]), names)
            if isinstance(re.compile(pattern).pattern, str):
                found[re.compile(pattern)] = _method(function.attr, named.get(id(call), ""))
    return found


def _method(called, name):
    """How an expression is called, or one that was compiled under this name: where it must match at one place, so."""
    if called == "compile":
        use = re.compile(rf"\b{re.escape(name) or '!'}\.(\w+)\(")
        uses = {method for text in SOURCES.values() if name in text for method in use.findall(text)}
        called = uses.pop() if len(uses) == 1 else "search"
    return called if called in ("match", "fullmatch") else "findall"


def probes(found):
    """Texts to repeat: each character of the expression, each pair of them, and how it begins, without its classes."""
    characters = sorted({*re.sub(r"\\[wsdWSDb]|\\x..|\\u....|\\(?=\W)", "", found.pattern)} - {*"?+|^"} | {*" a0"})
    literal = re.sub(r"\\([^\w])|\[\^?\]?[^]]*\]|\\\w|\(\?[:=!<]+|[()?*+|^$]|\{\d*,?\d*\}", r"\1", found.pattern)
    yield from ("".join(some) for count in (1, 2) for some in product(characters, repeat=count))
    yield from (f"{first}{second}a " for first, second in product("* (", characters))
    yield from (literal[:k] for k in range(3, len(literal) + 1))


def seconds(expression, method, probe, size):
    """Processor time of a search in so many characters that ends with something else."""
    text, search = probe * (size // len(probe)) + "\0", getattr(expression, method)
    begin = time.process_time()
    search(text)
    return time.process_time() - begin


def test_expressions_are_known():
    """The list is not empty by accident, and those that were quadratic are in it."""
    known = {file.name for file in SEARCHED if expressions(file)}
    assert {"lesson.py", "wording.py", "handin.py", "tables.py", "libsvm.py", "formatting.py"} <= known
    assert {*OURS} <= {file.name for file in FILES}


def grown(expression, method, size):
    """The first probe for which the time grows faster than the text, None if there is none."""

    def least(probe, size):
        return min(seconds(expression, method, probe, size) for _ in range(3))

    slow = (probe for probe in probes(expression) if seconds(expression, method, probe, size) > SLOW * size / SHORT)
    return next((probe for probe in slow if least(probe, size) > 3 * least(probe, size // 2)), None)


@pytest.mark.parametrize("file", SEARCHED, ids=lambda file: file.name)
def test_an_expression_takes_time_as_its_text_is_long(file):
    for expression, method in expressions(file).items():
        assert grown(expression, method, SHORT) is None, f"{expression.pattern} takes the square of the time"


# ------------------------------------------------------------------------------------ whole readers


CODE = handin.write(handin.Handin("errors", "0" * 8, "4711", (1, 2, 3)))
COSTLY = {  # readers and how their texts are made, within their limits or beyond
    "dotted key": (own.read, lambda: "a." * 49_000 + "a=1"),
    "dotted keys": (own.read, lambda: "\n".join(f"a{k}{'.a' * 190}=1" for k in range(100))),
    "dotted key with line separators": (own.read, lambda: ".".join(["a." * 189 + 'a."\u2028"'] * 120) + "=1"),
    "brackets": (own.read, lambda: f'id = "a"\ntitle = "{"[" * 99_000}"'),
    "megabytes in the editor": (own.read, lambda: "[[a]]\n" * 800_000),
    "tables": (own.read, lambda: "[[a]]\n" * 16_000),
    "newlines": (read_table, lambda: "\n" * 20_000_000),
    "returns": (read_table, lambda: b"\r" * 20_000_000),
    "rows": (read_table, lambda: "1,2,1\n" * 3_300_000),
    "commas": (read_table, lambda: (",".ljust(900_000, ",") + "\n") * 6),
    "cells": (read_table, lambda: ("1" + "," * 300_000 + "\n") * 2),
    "one cell": (read_table, lambda: '"' + "1" * 20_000_000),
    "pairs": (read_table, lambda: "1 1:1 " + "2:1 " * 300_000),
    "lists": (read_table, lambda: "[" + "[]," * 6_000_000 + "1]"),
    "numbers": (read_table, lambda: '{"points": [' + "1," * 9_000_000 + "1]}"),
    "lines after a code": (collected.entries, lambda: CODE + "\n" + "x - 1\n" * 660_000),
    "lines": (collected.entries, lambda: "1-\n" * 1_300_000),
    "a code that goes on": (collected.entries, lambda: "SVMLAB1ZZZ\n" + "1-!!!!!!!!\n" * 80_000),
    "codes": (collected.entries, lambda: "SVMLAB1 " * 150_000),
    "accents": (handin.read, lambda: "SVMLAB1" + "\u0300\u0316" * 1_900_000),
    "accents in a number": (handin.normalise_number, lambda: "a" + "\u0300\u0316" * 1_900_000),
    "a large entity": (handin.read, lambda: "x&#" + "9" * 3_900_000),
}


@pytest.mark.parametrize("read, write", COSTLY.values(), ids=COSTLY)
def test_a_costly_text_is_a_sentence(read, write):
    """It takes a fraction of a second; without the checks it took ten seconds to hours, and gigabytes."""
    text = write()
    begin = time.process_time()
    with pytest.raises(ValueError, match=r"\.$") as refused:
        read(text)
    assert time.process_time() - begin < 3.0
    assert len(str(refused.value)) < 400
