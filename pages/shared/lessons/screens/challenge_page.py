"""The challenge at the end of a lesson: a goal for the reader's own points and settings, which the solver checks."""

import streamlit as st

from pages.shared.controls import link
from pages.shared.figures.picture import machine_figure
from pages.shared.lessons import answers, challenges
from pages.shared.lessons.lesson import Lesson, plain
from pages.shared.lessons.screens import navigation, prompt_charts
from pages.shared.live import scene
from pages.shared.live.pictures import PictureSet
from pages.shared.panels import editing
from pages.shared.plane import component
from pages.shared.screen.screen import Screen
from pages.shared.studies.source import Source

BEST = "challenges"  # of the session: {lesson: the best value so far that keeps to the rules}
PLANE = "challenge"


def pictures(source: Source, screen: Screen, moving=False) -> PictureSet:
    data, (machine, *_), setting = screen[:3]
    study = source.fit(data, machine, setting, moving)
    return PictureSet({PLANE: machine_figure(study.field, study.points)}, [study], [], {})


def show(lesson: Lesson) -> None:
    """The goal, the plane whose points can be moved where that is allowed, or the chart of a walk; what is reached now,
    and the best so far.
    """
    given = lesson.challenge
    st.markdown(f"**A challenge.** {plain(given.text)}")
    setup = challenges.begin(given, navigation.chosen_controls(given.controls, challenges.begin(given)))
    if not given.moves:
        link.share()
        made = challenges.case(setup, setup.data.edits)
        _result(lesson, made)
        if setup.walk:
            figure = prompt_charts.walk_chart(made.steps(), setup.walk, setup.walk.rounds)
            component.show_figure(figure, key=PLANE, height=420)
            return
        shown = scene.show(pictures, setup.screen)
        component.show_figure(shown.figures[PLANE], key=PLANE, height=420, live=shown.live)
        return
    data = editing.with_edits(setup.data)
    link.share(data)
    with editing.show_toolbar(data):
        _result(lesson, challenges.case(setup, data.edits))
        shown = scene.show(pictures, setup.screen._replace(data=data), points_version=editing.version(data))
        options = dict(link=editing.POINTS, edit=True, live=shown.live)
        component.show_figure(shown.figures[PLANE], key=PLANE, height=420, **options)


def _result(lesson, case):
    given = lesson.challenge
    try:
        value, broken = challenges.judge(given, case)
    except ValueError as error:
        st.info(answers.readable(str(error)), icon=":material/info:")
        return
    best = st.session_state.setdefault(BEST, {})
    if not broken:
        best[lesson.id] = challenges.better(given, best.get(lesson.id), value)
    said = f"Now: {challenges.value_text(given.goal, value)}."
    if lesson.id in best:
        said += f" Best so far: {answers.words(given.goal.watch, best[lesson.id])}."
    if broken:
        st.warning(f"{said} This does not count: {broken}", icon=":material/rule:")
    elif given.goal.holds(value):
        st.success(f"Reached. {said}", icon=":material/flag:")
    else:
        st.info(f"{said} Wanted: {challenges.wanted_text(given.goal)}.", icon=":material/flag:")
