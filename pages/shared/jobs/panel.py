"""Work in the background as a part of a page: begun, watched, stopped, gone on with, and shown while it is made."""

from contextlib import contextmanager
from math import ceil
from typing import NamedTuple

import streamlit as st

from pages.shared.jobs import background

EVERY = 0.5  # seconds between two looks at work that is being done


class Workbench(NamedTuple):
    """Work that goes on while the reader is elsewhere, one of a kind on each page.

    `kind` begins the keys of the widgets; `start`, `go_on` and `stop` are written on the buttons; `units` is what is
    counted. "Stopped after 3 of 9 fits; " is followed by `rest`, which says what stands there then.
    """

    kind: str
    start: str
    go_on: str
    stop: str
    units: str
    rest: str

    @property
    def jobs(self):
        """{page: background.Job} of this session."""
        return st.session_state.setdefault(f"{self.kind}_jobs", {})

    @contextmanager
    def box(self, page, title, icon):
        """A folded part of the page, open on all pages or on none; yields whether it is open."""
        key, everywhere = f"{self.kind}-{page}", f"{self.kind}_open"  # a widget that two pages have is not the same one
        st.session_state.setdefault(key, st.session_state.get(everywhere, False))
        with st.expander(title, icon=icon, key=key, on_change="rerun") as box:
            st.session_state[everywhere] = box.open
            yield box.open

    def once(self, key, make):
        """What `make()` gives, made anew only for another `key`: while a point moves, pages are made often."""
        kept = st.session_state.get(f"{self.kind}_shown")
        if not kept or kept[0] != key:
            kept = st.session_state[f"{self.kind}_shown"] = key, make()
        return kept[1]

    def job(self, page, shelf, asked):
        """The job of this page, or a finished one from the `shelf` that is what is `asked` for; None where none is."""
        return background.kept(self.jobs, shelf, page, asked)

    def button(self, page, job, asked, begin):
        """Begins with `begin(asked)`, or goes on where it was stopped; off where there is nothing to do."""
        own = job is not None and job.key == asked
        st.button(
            self.go_on if own and job.stopped and not job.error else self.start,
            icon=":material/play_arrow:",
            key=f"{self.kind}_start",
            disabled=asked is None or (own and (job.running or job.finished)),
            on_click=background.start,
            args=(self.jobs, page, asked, begin),
        )

    def watch(self, job, asked, show, outdated="The settings have changed since; this is what was asked for before."):
        """What there is so far, by `show(rows)`, renewed while it is made; `outdated` says that `asked` is not its key.

        The stop is part of what is renewed, so that it need not wait for the rest of the page.
        """
        running = job.running
        st.fragment(_watch, run_every=EVERY if running else None)(self, job, asked, show, outdated, running)


def _watch(bench, job, asked, show, outdated, ran):
    """`ran` says that the work was being done when the page was made."""
    running, rows = job.running, list(job.rows)
    if running:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.progress, text=progress(len(rows), job.total, bench.units, job.remaining))
            st.button(bench.stop, icon=":material/stop:", key=f"{bench.kind}_stop", on_click=job.stop)
    if job.error:
        st.error(job.error, icon=":material/error:")
    elif job.stopped:
        st.caption(f"Stopped after {len(rows)} of {job.total} {bench.units}; {bench.rest}.")
    if job.key != asked:
        st.caption(outdated)
    if rows:
        show(rows)
    if ran and not running:
        st.rerun()


def progress(made, total, units, seconds):
    """Words on how far the work is; `seconds` to go, or None."""
    return f"{made} of {total} {units}" + (f", about {duration(seconds)} to go" if seconds is not None else "")


def duration(seconds):
    """Seconds as a number that does not flicker: "4 s", "40 s", "3 min", rounded up."""
    for step, end in ((1, 10), (5, 60)):
        if seconds <= end:
            return f"{max(step * ceil(seconds / step), 1)} s"
    return f"{ceil(seconds / 60)} min"
