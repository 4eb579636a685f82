"""Work in the background as a part of a page: begun, watched, stopped, resumed, and shown while it is made.

A new kind of background work needs a `JobPanel`, a function that begins a `Job`, and one that shows its rows.
"""

from collections.abc import Callable, Hashable
from math import ceil
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import streamlit as st

from pages.shared.page.run import session
from pages.shared.server import cache, jobs, run_queue
from pages.shared.server.jobs import Job, start

threads = jobs.threads
SHOWN = "jobs of sessions"  # kind of what the cache has
KEPT = 256  # jobs that all sessions have begun and may still show
EVERY = 0.5  # seconds between two updates of work in progress


class JobPanel(NamedTuple):
    """Work that continues while the reader is on another page, one job of a kind for each page.

    kind: begins the keys of the widgets; units: what is counted; start, resume, stop: the words on the buttons, none
    for work that begins by itself; stopped: the sentence on a stopped job, with {made} and {total}; outdated: that on
    rows which the settings of the page no longer ask for; room: how many finished jobs the server keeps for all
    sessions; again: a finished job may be begun anew; inside: where there are rows, what shows them shows the progress,
    too, by `progress`, so that it does not move them.
    """

    kind: str
    units: str
    start: str = ""
    resume: str = ""
    stop: str = ""
    stopped: str = ""
    outdated: str = "The settings have changed since these results were computed."
    room: int = 0
    again: bool = False
    inside: bool = False

    @property
    def jobs(self) -> WeakValueDictionary[str, Job]:
        """{page: Job} of this session; a job that does not run is there as long as the cache has it."""
        return st.session_state.setdefault(f"{self.kind}_jobs", WeakValueDictionary())

    def once(self, key: Hashable, make: Callable) -> Any:
        """The result of `make()`, computed anew only for another `key`: while a point moves, the page is run often."""
        shown = st.session_state.get(f"{self.kind}_shown")
        if not shown or shown[0] != key:
            shown = st.session_state[f"{self.kind}_shown"] = key, make()
        return shown[1]

    def job(self, page: str, request: Hashable | None) -> Job | None:
        """The job of this page, or a finished one of the server that is what is requested; None where there is none."""
        shown = self.jobs
        job = shown.get(page)
        if job and job.is_finished:
            cache.RESULTS.put(f"finished {self.kind}", job.key, job, self.room)
        if request is not None and not (job and (job.key == request or job.is_running)):
            job = self.finished_job(request) or job
            if job:
                shown[page] = job
        if job:
            cache.RESULTS.put(SHOWN, job, job, KEPT)
        return job

    def finished_job(self, request: Hashable) -> Job | None:
        """The job of this request that some session has finished, as long as the cache has it."""
        return cache.RESULTS.find(f"finished {self.kind}", request)

    def button(self, page: str, request: Hashable | None, begin: Callable[[Hashable], Job]) -> None:
        """Begins the job `begin(request)`, or resumes it; disabled where there is nothing to do or request."""
        job = self.job(page, request)
        own = job is not None and job.key == request
        st.button(
            self.resume if own and job.is_stopped and not job.error else self.start,
            icon=":material/play_arrow:",
            key=f"{self.kind}_start",
            disabled=request is None or (own and (job.is_running or (job.is_finished and not self.again))),
            on_click=self._start,
            args=(page, request, begin),
        )

    def run(self, page: str, request: Hashable, begin: Callable[[Hashable], Job], patience: float) -> None:
        """Begins the job `begin(request)` without a button; waits `patience` seconds: quick work needs no progress."""
        job = self.job(page, request)
        if job is None or job.key != request:
            job = self._start(page, request, begin)
        job.wait(patience)

    def _start(self, page, request, begin):
        job = start(self.jobs, page, request, begin, self.again)
        cache.RESULTS.put(SHOWN, job, job, KEPT)
        return job

    def watch(self, page: str, request: Hashable | None, show: Callable, outdated=None, progress=None) -> None:
        """The rows made so far, by `show(job, rows)`, renewed while more are made; nothing before a job has begun.

        `outdated(key)` writes the sentence on rows that are not those of the request, `progress(job)` gives the share
        done and words on it; the defaults are the panel's sentence, and a count of the rows. The stop button is renewed
        with the rows, so that it need not wait for the rest of the page.
        """
        job = self.job(page, request)
        if job:
            running = job.is_running
            note = "" if job.key == request else outdated(job.key) if outdated else self.outdated
            every = jobs.update_interval(EVERY) if running else None
            run_queue.repeat(_watch, every, self, job, show, note, progress or self._count, running)

    def progress(self, job: Job) -> None:
        """The progress of a job that is running, in a place that it leaves without a trace."""
        place = st.empty()
        if job.is_running:
            share, words = self._count(job)
            place.progress(share, text=words)

    def _count(self, job):
        seconds = job.seconds_left
        left = "" if seconds is None else f", about {duration(seconds)} to go"
        return job.progress, f"{len(job.rows)} of {job.total} {self.units}{left}"


def _watch(panel, job, show, note, progress, ran):
    """`ran` says that the job was running when the page was made."""
    running, rows = job.is_running, list(job.rows)
    if running and not (panel.inside and rows):
        with st.container(horizontal=True, vertical_alignment="center"):
            share, words = progress(job)
            st.progress(share, text=words)
            if panel.stop:
                st.button(panel.stop, icon=":material/stop:", key=f"{panel.kind}_stop", on_click=job.stop)
    if job.error:
        st.error(job.error, icon=":material/error:")
    elif job.is_stopped:
        st.caption(panel.stopped.format(made=len(rows), total=job.total))
    if note:
        st.caption(note)
    if rows:
        show(job, rows)
    if ran and not running:
        if panel.stop:  # otherwise it began by itself
            session().ended = f"{'Stopped' if job.is_stopped else 'Finished'}: {len(rows)} {panel.units}."
        st.rerun()


def duration(seconds: float) -> str:
    """Seconds as a number that does not flicker: "4 s", "40 s", "3 min", rounded up."""
    for step, end in ((1, 10), (5, 60)):
        if seconds <= end:
            return f"{max(step * ceil(seconds / step), 1)} s"
    return f"{ceil(seconds / 60)} min"
