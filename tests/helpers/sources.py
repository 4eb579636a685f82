"""Python files as trees: several tests read all of them, and each is parsed once in a process."""

import ast
import functools


@functools.cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def nodes_of(path):
    return tuple(ast.walk(tree_of(path)))
