"""The source code of a solver beside its recorded run, from the file itself."""

import inspect
from textwrap import dedent

import streamlit as st

from svmcore.watch import registry


def show(solver) -> None:
    """An expander with the functions named in the Description of `solver`, a key; nothing if there are none.

    Each function has a caption with its file and line; the first one of a file also has the summary of that file.
    """
    functions = registry.DESCRIPTIONS[solver].code
    if not functions:
        return
    with st.expander("Code", icon=":material/code:", key="source", on_change="rerun") as box:
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
