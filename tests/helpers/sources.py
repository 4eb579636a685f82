"""Python files as trees: several tests read all of them, and each is parsed once in a process.

A tree is thousands of objects that stay: the garbage collector, which would look at all of them again and again, is
told so, which takes a third of the time.
"""

import ast
import functools
import gc


@functools.cache
def tree_of(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    gc.freeze()
    return tree


@functools.cache
def nodes_of(path):
    nodes = tuple(ast.walk(tree_of(path)))
    gc.freeze()
    return nodes


@functools.cache
def imports(path):
    """Full names of everything that a file imports, `from a import b` as a.b."""
    found = []
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found
