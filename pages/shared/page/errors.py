"""Errors on a page as sentences; nothing that the reader made is lost."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shared.page.run import Run, Unfinished, session
from pages.shared.studies import formatting, results
from svmcore import deadline
from svmcore.problems import fetched


@contextmanager
def surround_page(run: Run) -> Iterator[None]:
    """Show an error of svmcore as a sentence on the page, and bound the time of its solvers."""
    try:
        with deadline.time_limit(results.SECONDS):
            yield
    except Unfinished:
        pass
    except Exception as error:
        run.hint = ""  # on pictures that are not there
        if not isinstance(error, ValueError | FileNotFoundError):
            raise
        st.error(str(error).replace(f"{fetched.folder()}{os.sep}", ""), icon=":material/error:")
        for name in fetched.SOURCES:
            if f"fetch {name}`" in str(error):
                _upload(name)


def _upload(name):
    """An upload for a data set that may not be shipped, under the sentence with the command that fetches it."""
    file = st.file_uploader(
        f"Or upload [the published file]({fetched.address(name)}) here, compressed or not. Another file of the same "
        "shape is used in your session only.",
        key=f"upload-{name}",
        max_upload_size=20,
    )
    if file is None:
        return
    try:
        session().files[name] = results.take_file(name, file.getvalue())
    except ValueError as error:
        st.error(formatting.plain(str(error)), icon=":material/error:")
    else:
        st.rerun()
