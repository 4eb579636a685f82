"""What a page shows, as a few numbers: the settings of its controls, and sums over what its pictures hold.

`python tests/helpers/fingerprint.py NAME ...` opens these links of tests/pages/links.json, without names all of them,
and writes down what they show now; do so only where a change of what an old link shows is meant.
"""

import json
import math
import sys
from pathlib import Path

LINKS = Path(__file__).parents[1] / "pages" / "links.json"
PARTS = ("settings", "pictures")


def sums(values):
    """How many finite numbers, their sum, and the sum of their sizes, to four digits."""
    flat = [value for value in _flat(values) if isinstance(value, int | float) and math.isfinite(value)]
    return [len(flat), *(float(f"{math.fsum(part):.4g}") for part in (flat, map(abs, flat)))]


def _flat(values):
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield value


def of_figure(figure):
    """Sums over the points, the field and the lines of a picture; parts that it does not have are left out."""
    data = figure["data"]
    parts = {
        "points": [
            sums(t["x"]) + sums(t["y"]) for t in data if t.get("mode") == "markers" and t["name"].startswith("points")
        ],
        "field": [sums(t["z"])[1:] for t in data if t.get("type") == "contour"][:1],
        "lines": [sums(t["y"]) for t in data if t.get("mode") == "lines"],
    }
    return {name: found for name, found in parts.items() if found}


def of_page(app):
    """The fingerprint of an opened page; what is still being computed when it is read is left out."""
    from screen import notes, pictures, session, transports

    kept, shown = session(app).kept, session(app).run.shown
    unsteady = ("alpha", "moved", "boundaries")
    return {
        "settings": {name: kept[name] for name in sorted(shown) if kept[name] is not None},
        "pictures": {name: of_figure(figure) for name, figure in pictures(app).items() if name not in unsteady},
        "moments": {name: len(sent["ticks"]) for name, sent in transports(app).items()},
        "notes": sum(1 + note.count("\n- ") for note in notes(app)),
    }


def names(listed, part):
    """The controls (part "settings") or the pictures (part "pictures") that there were when the links were recorded.

    What came later is at its default in an old link, and is neither compared nor written down.
    """
    return {name for entry in listed for name in entry["shows"][part]}


def restricted(shows, listed):
    """A fingerprint without what came later than the recorded ones."""
    parts = {part: {name: shows[part][name] for name in shows[part] if name in names(listed, part)} for part in PARTS}
    return shows | parts


def main():
    sys.path[:0] = [str(Path(__file__).parents[2])]
    from screen import open_page

    from pages.shared.server import startup

    assert startup.start().finished.wait(300)
    listed = json.loads(LINKS.read_text(encoding="utf-8"))
    named = sys.argv[1:] or [entry["name"] for entry in listed]
    for entry in (entry for entry in listed if entry["name"] in named):
        entry["shows"] = restricted(of_page(open_page(entry["page"], **entry["link"])), listed)
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in listed)
    LINKS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
