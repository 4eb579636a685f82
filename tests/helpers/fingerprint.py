"""What a page shows, as a few numbers: the settings of its controls, and sums over what its pictures hold.

`python tests/helpers/fingerprint.py NAME ...` opens these links of tests/pages/links.json, without names all of them,
and writes down what they show now; do so only where a change of what an old link shows is meant.
"""

import json
import math
import sys
from pathlib import Path

LINKS = Path(__file__).parents[1] / "pages" / "links.json"


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
    from screen import notes, pictures, transports

    kept = app.session_state["kept"]
    unsteady = ("alpha", "moved", "boundaries")
    return {
        "settings": {name: kept[name] for name in sorted(app.session_state["shown"]) if kept[name] is not None},
        "pictures": {name: of_figure(figure) for name, figure in pictures(app).items() if name not in unsteady},
        "moments": {name: len(sent["ticks"]) for name, sent in transports(app).items()},
        "notes": sum(1 + note.count("\n- ") for note in notes(app)),
    }


def main():
    sys.path[:0] = [str(Path(__file__).parents[2])]
    from screen import open_page

    from pages.shared import warm

    assert warm.start().finished.wait(300)
    listed = json.loads(LINKS.read_text(encoding="utf-8"))
    named = sys.argv[1:] or [entry["name"] for entry in listed]
    for entry in (entry for entry in listed if entry["name"] in named):
        entry["shows"] = of_page(open_page(entry["page"], **entry["link"]))
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in listed)
    LINKS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
