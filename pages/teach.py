"""For teachers: plans and notes, sheets, exercise sheets with hand-in codes, and lessons of one's own."""

from pages.shared.page.page import page

with page("Teach", "Plans, notes, sheets, hand-ins and lessons of your own."):
    import streamlit as st

    from pages.shared.classroom.screens import hand_in_table, own_lessons, plan_page, teaching_notes, teaching_sheets
    from pages.shared.controls import widgets
    from pages.shared.controls.page_controls import choose_lesson, choose_plan
    from pages.shared.lessons import own
    from pages.shared.lessons.screens import exercise_sheet
    from pages.shared.screen import schema

    lessons = own.available_lessons(st.session_state)
    titles = {key: lesson.title for key, lesson in lessons.items()}
    section = widgets.show(schema.SECTION)
    lesson = lessons[choose_lesson(titles, section)]

    if section == "plan":
        plan_page.show(lessons, *choose_plan(titles))
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
