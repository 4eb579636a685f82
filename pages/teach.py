"""For teachers: plans and notes, sheets, exercise sheets with hand-in codes, and lessons of one's own."""

from pages.shared.page.page import page

with page("Teach", "Plans, notes, sheets, hand-ins and lessons of your own."):
    import streamlit as st

    from pages.shared.classroom.screens import hand_in_table, own_lessons, plan_page, teaching_notes, teaching_sheets
    from pages.shared.controls import widgets
    from pages.shared.lessons import own
    from pages.shared.lessons.screens import exercise_sheet
    from pages.shared.screen import schema

    lessons = own.available_lessons(st.session_state)
    titles = own.titles(lessons)
    section = widgets.show(schema.SECTION)
    choose = widgets.keep if section in ("plan", "own") else widgets.show  # these two are about no single lesson
    lesson = lessons[choose(schema.TAUGHT.replace(options=titles))]

    if section == "plan":
        minutes, chosen = int(widgets.show(schema.LASTS)), widgets.show(schema.SUBJECTS, options=titles)
        plan_page.show(lessons, minutes, chosen or list(titles))
    elif section == "notes":
        teaching_notes.notes(lesson)
    elif section == "sheets":
        teaching_sheets.downloads(lesson)
    elif section == "exercise":
        exercise_sheet.sheet_of(lesson)
    elif section == "handins":
        hand_in_table.reader(lesson)
    else:
        own_lessons.editor(titles, lesson.id)
