"""The live pictures of the manual: the scenes of the first page that a live file can show, and some more.

They share one script, `svmcore/live/live.js`, so that each is a few kilobytes; the site has a copy beside them.
"""

from pathlib import Path
from typing import NamedTuple

from pages.shared.screen.screen import Screen
from pages.shared.studies import live_scene
from pages.shared.studies.scenes import COMPARE, PLAYGROUND, SCENES
from pages.shared.studies.source import Source
from svmcore import live

FOLDER = Path(__file__).parent / "live"
SCRIPT = "../../svmcore/live/live.js"


class Picture(NamedTuple):
    """A title, the link of the screen, and a question with its answer."""

    title: str
    query: dict[str, str]
    question: str = ""
    answer: str = ""


OWN = {
    "flipped_labels": Picture(
        "Six flipped labels, three machines",
        {"contamination": "flip_farthest", "flips": "6", "losses": "least_squares,hinge,least_absolute"},
        "Drag a ringed point further away. What becomes of its area, its support value, in each machine?",
        "In the LS-SVM it grows with the error. In the other two it cannot exceed C: the edge of the marker is thick.",
    ),
    "moons": Picture(
        "Two moons",
        {"problem": "moons", "n": "100", "C": "10"},
        "How does the number of support vectors change with C?",
        "A larger C narrows the margin, so that fewer points lie inside it.",
    ),
    "xor": Picture(
        "Exclusive or, with a polynomial kernel",
        {"problem": "xor", "n": "80", "kernel": "poly", "degree": "2"},
        "Which degree is needed at least?",
        "Two: the product of the two coordinates has the sign of the class. A line cannot separate these classes.",
    ),
}


def pictures() -> dict[str, Picture]:
    """All pictures by the name of their file."""
    found = {}
    for key, scene in SCENES.items():
        if scene.page in (PLAYGROUND, COMPARE) and not is_refused(scene.query):
            found[key] = Picture(scene.title, scene.query, scene.first, scene.claim)
    return found | OWN


def is_refused(query) -> bool:
    """True if a machine of that screen is not one of a live file."""
    screen = Screen.read(query)
    sentence = live_scene.refusal(screen.data, screen.machines, screen.setting, 1)
    return bool(sentence) or len(live_scene.kept_machines(screen.machines)) < len(screen.machines)


def page(picture: Picture, script: str | None = SCRIPT) -> live.Live:
    """The file of a picture."""
    screen = Screen.read(picture.query)
    scene = live_scene.scene(Source(entries=1), screen.data, screen.machines, screen.setting)
    return live.page(scene, live.Words(picture.title, picture.question, picture.answer), script=script)


def write() -> None:
    """Write all pictures to their folder."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        page(picture).save(FOLDER / f"{name}.html")
