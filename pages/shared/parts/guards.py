"""What ends a page early, in a sentence, with everything the reader made still there."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import streamlit as st

from pages.shared import figures, plane, session
from pages.shared.choices import Data
from pages.shared.parts import editing, points_table
from pages.shared.studies import tasks
from svmcore.problems import fetched


class Unfinished(Exception):
    """The page has said what is missing; the rest of it is left out."""


@contextmanager
def guarded() -> Iterator[None]:
    """What svmcore cannot do is a sentence on the page; the controls stay as they are."""
    try:
        yield
    except Unfinished:
        pass
    except (ValueError, FileNotFoundError) as error:
        st.error(str(error), icon=":material/error:")
        for name in fetched.SOURCES:
            if f"fetch {name}`" in str(error):
                _upload(name)


def _upload(name):
    """A place for the file of a set that may not come with the project, beside the sentence that asks to fetch it."""
    given = st.file_uploader(
        f"Or give that file here, as [it is published]({fetched.address(name)}), packed or not:", key=f"upload-{name}"
    )
    if given is None:
        return
    try:
        fetched.store(name, given.getvalue())
    except (ValueError, OSError) as error:
        st.error(str(error), icon=":material/error:")
    else:
        st.rerun()


def classes(data: Data) -> None:
    """Ends the page where the problem has no classes."""
    if not tasks.of(data).classes:
        st.info("This page is about two classes, and this problem is a curve: choose another.", icon=":material/info:")
        raise Unfinished


def enough(data: Data, toolbar=False) -> None:
    """Ends the page where there is nothing to fit; the bare points stay in reach, under a `toolbar` if it has none."""
    problem = session.problem(data)
    task = tasks.of(problem)
    sentence = task.missing(problem)
    if sentence is None:
        return
    st.info(sentence, icon=":material/touch_app:")
    picture = figures.picture(session.extent(data), task.bare(problem), off=session.off(data))
    with editing.editing(data) if toolbar else nullcontext():
        plane.show(picture, key="bare", height=640, link=editing.BOARD, edit=True)
    points_table.editor(data)
    raise Unfinished
