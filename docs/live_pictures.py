"""The live pictures of the manual: the scenes of the first page that a live file can show, and some more.

They share one script, `svmcore/live/live.js`, so that each is a few kilobytes; the site has a copy beside them.
"""

from pathlib import Path

from pages.shared.screen.screen import Screen
from pages.shared.studies import live_scene
from pages.shared.studies.scenes import COMPARE, PLAYGROUND, SCENES, Scene
from pages.shared.studies.source import Source
from svmcore import live

FOLDER = Path(__file__).parent / "live"
SCRIPT = "../../svmcore/live/live.js"
OWN = {
    "flipped_labels": Scene(
        "Six flipped labels, three machines",
        "In the LS-SVM it grows with the error. In the other two it cannot exceed C: the edge of the marker is thick.",
        COMPARE,
        {"contamination": "flip_farthest", "flips": "6", "losses": "least_squares,hinge,least_absolute"},
        "Drag a ringed point further away. What becomes of its area, its support value, in each machine?",
    ),
    "moons": Scene(
        "Two moons",
        "A larger C narrows the margin, so that fewer points lie inside it.",
        PLAYGROUND,
        {"problem": "moons", "n": "100", "C": "10"},
        "How does the number of support vectors change with C?",
    ),
    "xor": Scene(
        "Exclusive or, with a polynomial kernel",
        "Two: the product of the two coordinates has the sign of the class. A line cannot separate these classes.",
        PLAYGROUND,
        {"problem": "xor", "n": "80", "kernel": "poly", "degree": "2"},
        "Which degree is needed at least?",
    ),
}


def pictures() -> dict[str, Scene]:
    """The scene of each picture, by the name of its file."""
    there = {key: scene for key, scene in SCENES.items() if scene.page in (PLAYGROUND, COMPARE)}
    return {key: scene for key, scene in there.items() if not is_refused(scene.query)} | OWN


def is_refused(query) -> bool:
    """True if a machine of that screen is not one of a live file."""
    screen = Screen.read(query)
    sentence = live_scene.refusal(screen.data, screen.machines, screen.setting, 1)
    return bool(sentence) or len(live_scene.kept_machines(screen.machines)) < len(screen.machines)


def write() -> None:
    """Write all pictures to their folder; what to do first is the question of a picture, the claim its answer."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        screen = Screen.read(picture.query)
        scene = live_scene.scene(Source(entries=1), screen.data, screen.machines, screen.setting)
        words = live.Words(picture.title, picture.first, picture.claim)
        live.page(scene, words, script=SCRIPT).save(FOLDER / f"{name}.html")
