"""Work in the background as a part of a page: its box, the end of a run, its words."""

from types import SimpleNamespace

import pytest
from screen import healthy, session
from streamlit.testing.v1 import AppTest

from pages.shared.page import job_panel


def test_progress_and_a_duration_that_is_rounded_up():
    words = {0: "1 s", 3.2: "4 s", 10: "10 s", 11: "15 s", 38: "40 s", 60: "60 s", 61: "2 min", 600: "10 min"}
    assert {seconds: job_panel.duration(seconds) for seconds in words} == words
    for seconds, left in ((None, ""), (38.0, ", about 40 s to go")):
        job = SimpleNamespace(progress=0.3, rows=range(612), total=2304, seconds_left=seconds)
        assert job_panel.JobPanel("map", "fits")._count(job) == (0.3, f"612 of 2304 fits{left}")


def test_a_box_is_open_on_all_pages_or_on_none():
    def pages():
        import streamlit as st

        from pages.shared.controls import sections

        with sections.expander("map", st.text_input("page", "one"), "A box", ":material/menu_book:") as opened:
            st.caption(f"open: {opened}")

    app = AppTest.from_function(pages).run()
    assert [one.value for one in healthy(app).caption] == ["open: False"]
    app.session_state["map-one"] = True
    app.run()
    assert [one.value for one in app.text_input[0].set_value("two").run().caption] == ["open: True"]
    app.session_state["map-two"] = False
    app.run()
    assert [one.value for one in app.text_input[0].set_value("three").run().caption] == ["open: False"]


@pytest.mark.parametrize("stop, ended", [("Stop", "Finished: 1 fits."), ("", "")], ids=["", "begun by itself"])
def test_the_page_is_made_again_when_the_work_has_ended(stop, ended):
    """What stands outside of the part that renews itself, the button above all, knows of the end then."""

    def page(stop, ends=True):
        from types import SimpleNamespace

        import streamlit as st

        from pages.shared.page.job_panel import JobPanel

        st.session_state["made"] = made = st.session_state.get("made", 0) + 1
        still = iter([made == 1 or not ends, not ends])  # it ends while the first page is made

        class Work(SimpleNamespace):
            is_running = property(lambda self: next(still))
            __hash__ = object.__hash__

        panel = JobPanel("map", "fits", stop=stop)
        panel.jobs["page"] = st.session_state["work"] = Work(
            stop=None, key="asked", rows=[1], total=1, error=None, is_stopped=False, is_finished=False, progress=0.5,
            seconds_left=None,
        )  # fmt: skip
        panel.watch("page", "asked", lambda job, rows: st.caption(f"{rows}"))

    app = healthy(AppTest.from_function(page, kwargs={"stop": stop}).run())
    assert app.session_state["made"] == 2 and [one.value for one in app.caption] == ["[1]"]
    assert (session(app).ended if "svm_lab" in app.session_state else "") == ended
    running = healthy(AppTest.from_function(page, kwargs={"stop": stop, "ends": False}).run())
    assert [button.label for button in running.button] == [stop] * bool(stop)


def test_work_that_begins_by_itself_is_begun_once_for_each_request():
    def page():
        import streamlit as st

        from pages.shared.page.job_panel import Job, JobPanel

        def begin(request):
            st.session_state["begun"] = st.session_state.get("begun", []) + [request]
            return Job(request, iter(request), len(request))

        panel, request = JobPanel("word", "letters"), st.text_input("word", "abc")
        panel.run("page", request, begin, 10)
        panel.watch("page", request, lambda job, rows: st.caption(f"{rows}"))

    app = healthy(AppTest.from_function(page).run())
    assert [one.value for one in app.caption] == ["['a', 'b', 'c']"] and len(app.button) == 0
    assert healthy(app.run()).session_state["begun"] == ["abc"]
    app.text_input[0].set_value("de").run()
    assert [one.value for one in healthy(app).caption] == ["['d', 'e']"]
    assert app.session_state["begun"] == ["abc", "de"]
