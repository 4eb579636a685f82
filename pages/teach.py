"""For teachers: plans and notes, sheets, exercise sheets with hand-in codes, and lessons of one's own."""

from pages.shared import frame

frame.begin("Teach", "Plans, notes, sheets, hand-ins and lessons of your own.")

import streamlit as st

from pages.shared import controls
from pages.shared.lessons import own
from pages.shared.parts import exercise_sheet, guards, hand_ins, own_lessons, teaching_notes, teaching_sheets

lessons = own.of(st.session_state)
titles = {key: lesson.title for key, lesson in lessons.items()}
section = controls.teaching.section()
lesson = lessons[controls.teaching.lesson(titles, section)]

with guards.guarded():
    controls.share()
    if section == "plan":
        teaching_notes.plans(lessons)
    elif section == "notes":
        teaching_notes.notes(lesson)
    elif section == "sheets":
        teaching_sheets.downloads(lesson)
    elif section == "exercise":
        exercise_sheet.sheet_of(lesson)
    elif section == "handins":
        hand_ins.reader(lesson)
    else:
        own_lessons.editor(titles)
