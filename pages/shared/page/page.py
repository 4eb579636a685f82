"""A page: menu, title, the places of controls and notes, what surrounds every page, and the progress of a first start.

    with page("Playground", "One problem, one machine.") as run:
        ...                            imports and parts of the page

The frame is on the screen, and the solvers are prepared, before anything inside is imported. An error inside becomes a
sentence; in the end the link and the strip of controls are written, and the next reader has the turn.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path

import streamlit as st

from pages.shared.page import url_state
from pages.shared.page.run import Run
from pages.shared.server import run_queue, startup, streamlit_hooks

# Modules with a context manager `surround_page(run)`, the outermost first. They belong to rooms that this one does not
# import, and are loaded after the solvers are prepared.
AROUND = (
    "pages.shared.classroom.screens.room_page",
    "pages.shared.controls.link",
    "pages.shared.page.errors",
    "pages.shared.lessons.screens.scene_card",
)

MENU = {
    "home.py": ("SVM Lab", ":material/home:"),
    "pages/playground.py": ("Playground", ":material/tune:"),
    "pages/compare.py": ("Compare", ":material/grid_view:"),
    "pages/losses.py": ("Losses", ":material/show_chart:"),
    "pages/convergence.py": ("Convergence", ":material/slow_motion_video:"),
    "pages/sparsity.py": ("Sparsity", ":material/filter_alt:"),
    "pages/feature_walk.py": ("Feature walk", ":material/directions_walk:"),
    "pages/robustness.py": ("Robustness", ":material/shield:"),
    "pages/papers.py": ("Papers", ":material/menu_book:"),
    "pages/lessons.py": ("Lessons", ":material/school:"),
    "pages/room.py": ("Room", ":material/groups:"),
    "pages/teach.py": ("Teach", ":material/co_present:"),
    "pages/help.py": ("Help", ":material/help:"),
}

FIRST = {  # what to try first on a page, by its title; nothing where the page itself says so
    "SVM Lab": "First: flip labels.",
    "Playground": "First: drag a point across the boundary.",
    "Compare": "First: choose outliers, then see in each picture how much of the plane changed class.",
    "Losses": "First: move the slider of the outlier outwards and see which boundaries turn, and when.",
    "Convergence": "First: press Play, then “Why?”.",
    "Sparsity": "First: press Play.",
    "Feature walk": "First: press Play.",
    "Robustness": "First: choose other outliers or another level.",
    "Papers": "First: open the claims of a paper and see which are confirmed.",
    "Lessons": "",
    "Room": "First: open a room and join it with a phone.",
    "Teach": "",
    "Help": "",
}

UPDATE = 0.2  # seconds between two reports on the first start; more of them would slow it down
ICON = str(Path(__file__).with_name("icon.png"))


@contextmanager
def page(title: str, subtitle: str) -> Iterator[Run]:
    """A page of this title; all of it stands inside.

    The title of the menu is that of the page; the heading itself is for readers who hear the page.
    """
    streamlit_hooks.let_run_end()
    run_queue.enter()
    try:
        with run_queue.from_the_top():
            run = _begin(title, subtitle)
            with ExitStack() as around:
                for name in AROUND:
                    around.enter_context(import_module(name).surround_page(run))
                yield run
            if url_state.query() != run.menu_query:
                _menu(run)
    finally:
        streamlit_hooks.let_run_end()
        run_queue.leave()


def _begin(title, subtitle):
    """The frame of the page; waits, and says so, while the solvers are being prepared."""
    st.set_page_config(
        page_title=f"{title} · SVM Lab", page_icon=ICON, layout="wide", initial_sidebar_state="collapsed"
    )
    streamlit_hooks.finish_run()
    run = url_state.begin(title, next(path for path, (label, _) in MENU.items() if label == title))
    run.hint = FIRST.get(title, subtitle)
    places = run.places
    with st.container(key="nav", horizontal=True, gap="small", vertical_alignment="center"):
        places.menu = [(st.empty(), path) for path in MENU]
        _menu(run)
        places.menu_end = st.container(key="nav_end", width="content", horizontal=True, gap="small")
    with st.container(key="heading"):
        st.title(title, anchor=False)
        st.caption(subtitle)
    places.room = st.container(key="room_line")
    with st.container(key="controls", horizontal=True, gap="small"):
        places.strip = st.container(key="strip_place")
        places.beside_strip = st.container(key="aside", width="content")
    places.scene = st.container(key="scene_line")
    places.notes = st.container(key="notes")
    run.show_refused()
    with places.notes:
        _wait()
    return run


def _menu(run):
    """The links to all pages, with the settings of this one; once more where these have changed in this run."""
    run.menu_query = url_state.query()
    for place, path in run.places.menu:
        label, icon = MENU[path]
        place.page_link(path, label=label, icon=icon, query_params=run.menu_query)


def _wait():
    progress = startup.start()
    if not progress.finished.is_set():
        place = st.empty()
        while not progress.finished.wait(UPDATE):
            step = startup.STEPS[progress.step]
            place.progress(progress.step / len(startup.STEPS), text=f"First start: preparing {step} …")
        place.empty()
    if progress.error:
        st.warning(f"The solvers could not be prepared in advance: {progress.error}")
