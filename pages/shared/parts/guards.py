"""The conditions that end a page early, with a sentence; nothing that the reader made is lost."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import streamlit as st

from pages.shared import controls, delivery, figures, plane, session, tables, traffic
from pages.shared.choices import OWN, Data
from pages.shared.parts import editing, points_table, room, scene_card
from pages.shared.studies import tasks
from svmcore import deadline
from svmcore.problems import fetched


class Unfinished(Exception):
    """The page has shown what is missing; the rest of it is left out."""


@contextmanager
def guarded() -> Iterator[None]:
    """Show an error of svmcore as a sentence on the page; the controls stay as they are."""
    room.line()
    try:
        with scene_card.shown(), deadline.within(session.SECONDS):
            yield
    except Unfinished:
        pass
    except (ValueError, FileNotFoundError) as error:
        st.error(str(error).replace(f"{fetched.folder()}{os.sep}", ""), icon=":material/error:")
        for name in fetched.SOURCES:
            if f"fetch {name}`" in str(error):
                _upload(name)
    finally:
        controls.finish()
        room.publish()
        traffic.leave()
    delivery.complete()


def _upload(name):
    """An upload for a data set that may not be shipped, under the sentence with the command that fetches it."""
    given = st.file_uploader(
        f"Or upload [the published file]({fetched.address(name)}) here, compressed or not. Another file of this shape "
        "serves your session alone.",
        key=f"upload-{name}",
        max_upload_size=20,
    )
    if given is None:
        return
    try:
        session.take_file(name, given.getvalue())
    except ValueError as error:
        st.error(tables.plain(str(error)), icon=":material/error:")
    else:
        st.rerun()


def classes(data: Data) -> None:
    """Ends the page unless the problem has two classes."""
    if data.task != "classification":
        end(f"This page needs two classes, and this problem {OTHERS[data.task]}. Choose another problem.")


def one_machine(data: Data) -> None:
    """Ends the page if the problem has more classes than one machine separates."""
    if data.task == "multiclass":
        problem = OTHERS[data.task]
        end(f"This page needs two classes or a regression, and this problem {problem}. Choose another problem.")


OTHERS = {"regression": "is a regression", "multiclass": "has more than two classes, which Playground shows"}


def end(sentence: str, icon="info") -> None:
    """Ends the page with a sentence on what is missing; the controls stay. `st.stop` would not send them.

    What to try first is left out: it is about pictures that are not there.
    """
    controls.hint("")
    st.info(sentence, icon=f":material/{icon}:")
    raise Unfinished


def enough(data: Data, toolbar=False) -> None:
    """Ends the page if there are too few points to fit; the points can still be edited, `toolbar` adds the toolbar."""
    problem = session.problem(data)
    task = tasks.of(problem)
    sentence = task.missing(problem)
    if sentence is None:
        return
    if data.problem == OWN:
        sentence += " Click in the plane, or load a file with “Load points”."
        controls.hint("First: choose a class in the toolbar and click in the plane.")
    st.info(sentence, icon=":material/touch_app:")
    picture = figures.picture(session.extent(data), task.bare(problem), off=session.off(data))
    with editing.editing(data) if toolbar else nullcontext():
        plane.show(picture, key="bare", fill=1, less=70, link=editing.BOARD, edit=True)
    points_table.editor(data)
    raise Unfinished
