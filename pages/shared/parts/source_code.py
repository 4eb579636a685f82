"""The source of the watched solver beside its run, from the file itself."""

import inspect
from textwrap import dedent

import streamlit as st

from svmcore.watch import registry


def show(solver):
    """A folded box with the functions that the Description of `solver`, a key, names; nothing where it names none.

    Above each stands its place; above the first of a file also what that file is about.
    """
    functions = registry.DESCRIPTIONS[solver].code
    if not functions:
        return
    with st.expander("Code", icon=":material/code:", key="code", on_change="rerun") as box:
        if not box.open:
            return
        shown = None
        for function in functions:
            module = inspect.getmodule(function)
            if module is not shown:
                st.markdown(" ".join(inspect.getdoc(module).split("\n\n")[0].split()))
                shown = module
            lines, first = inspect.getsourcelines(function)
            st.caption(f"`{module.__name__.replace('.', '/')}.py`, line {first}")
            st.code(dedent("".join(lines)), language="python")
