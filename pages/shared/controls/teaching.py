"""The controls of the Teach page: its section, and the lesson that it is about."""

from pages.shared.controls import strip
from pages.shared.controls.kinds import Choice

SECTION = Choice(
    "section",
    "Section",
    {
        "plan": "Plan",
        "notes": "Lesson for teachers",
        "sheets": "Sheets",
        "exercise": "Exercise sheet",
        "handins": "Read hand-ins",
        "own": "Own lessons",
    },
    resets=False,
    rank=1,
)
# the parameter is that of the Lessons page, so that a lesson is kept from page to page
LESSON = Choice("lesson", "Lesson", resets=False, rank=2, listed=False)
OF_ALL = ("plan", "own")  # the sections that are about no single lesson


def section() -> str:
    """The section of the Teach page."""
    return SECTION()


def lesson(titles, shown: str) -> str:
    """One of the lessons {id: title}, for the section `shown`."""
    control = LESSON.at(options=titles)
    chosen = control.current()
    strip.put(control, chosen, visible=shown not in OF_ALL)
    return chosen
