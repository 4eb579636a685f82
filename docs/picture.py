"""The picture of the README: three machines before and after six labels are flipped, as SVG, from svmcore alone.

The points and the strong boundaries are those of one draw, the faint boundaries and the numbers those of a hundred.
"""

import numpy as np

from svmcore import SVC, losses, problems
from svmcore.studies import draws, plane

LOSSES = ("least_squares", "hinge", "least_absolute")
FLIPS = 6
DRAWS = 100
FAINT = 40  # of these draws have their boundary in the picture
WIDTH, HEIGHT, EDGE, TOP, BOTTOM = 260, 220, 12, 44, 62  # of a panel; of the space around it
LEFT, RIGHT, LOW, HIGH = -3.5, 8.5, -4.2, 6.0  # the part of the plane that is shown
LARGEST = 11.0  # radius of the largest marker
AREAS = ("#3ba518", "#2929e0", "#782b11")  # the colours of these machines in the app

STYLE = """
    .card { fill: #ffffff; stroke: #e3e8ec } .ink { fill: #16202a } .muted { fill: #5b6770 }
    .plus { fill: #d55e00 } .minus { fill: #0072b2 } .flipped { fill: none; stroke: #16202a; stroke-width: 1.5 }
    .after { stroke: #16202a; stroke-width: 3 } .before { stroke: #5b6770; stroke-width: 1.5 }
    .area { fill-opacity: 0.25 }
    .faint { fill: none; stroke: #5b6770; stroke-width: 1; stroke-opacity: 0.28 }
    .plus, .minus { fill-opacity: 0.75 } text { font: 14px system-ui, sans-serif; text-anchor: middle }
    .name { font-weight: 600 }
    @media (prefers-color-scheme: dark) {
        .card { fill: #10161c; stroke: #2a343d } .ink { fill: #f0f4f8 } .muted { fill: #a3afb9 }
        .plus { fill: #ff8a3d } .minus { fill: #5ab4f0 }
        .flipped, .after { stroke: #f0f4f8 } .before, .faint { stroke: #a3afb9 }
    }
"""


def svg() -> str:
    """The picture as a text of SVG. Its background follows the reader's theme and is part of it."""
    clean, flipped = (problems.load("toy_outliers", flips=flips) for flips in (0, FLIPS))
    fits = [(_fit(loss, clean), _fit(loss, flipped)) for loss in LOSSES]
    largest = max(np.abs(after.dual_coef_).max() for _, after in fits)
    panels = [
        _panel(number, losses.get(loss).machine, flipped, pair, largest, on_draws(loss))
        for number, (loss, pair) in enumerate(zip(LOSSES, fits, strict=True))
    ]
    width, height = len(LOSSES) * (WIDTH + 2 * EDGE), TOP + HEIGHT + BOTTOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img">\n<style>{STYLE}</style>\n<rect class="card" x="0.5" y="0.5" width="{width - 1}" '
        f'height="{height - 1}" rx="8"/>\n' + "".join(panels) + "</svg>\n"
    )


def on_draws(loss) -> draws.Draws:
    """The machine with this loss on all draws, before and after the flips."""
    pairs = ([problems.load("toy_outliers", seed, flips=flips) for flips in (0, FLIPS)] for seed in range(DRAWS))
    return draws.follow(loss, pairs)


def _fit(loss, problem):
    return SVC(loss=loss, C=problem.C, kernel="linear", tol=1e-8).fit(problem.X, problem.y)


def _panel(number, name, problem, pair, largest, many):
    """The points with area in proportion to |alpha|, the boundary now (thick) and without the flips (thin), the area
    between (shaded), the boundary on other draws (faint), and below it the share of the plane that changes class.
    """
    before, after = pair
    middle, clip = WIDTH / 2, f"panel-{number}"
    low, high = many.range
    alpha = np.zeros(len(problem.y))
    alpha[after.support_] = np.abs(after.dual_coef_[0])
    radii = np.maximum(LARGEST * np.sqrt(alpha / largest), 1.5)
    places = _pixels(problem.X)
    marks = []
    for i in np.argsort(-radii, kind="stable"):
        place = f'cx="{places[i, 0]:.1f}" cy="{places[i, 1]:.1f}"'
        marks.append(f'<circle class="{"plus" if problem.y[i] > 0 else "minus"}" {place} r="{radii[i]:.1f}"/>')
        if problem.outlier[i]:
            marks.append(f'<circle class="flipped" {place} r="{radii[i] + 3:.1f}"/>')
    return (
        f'<g transform="translate({EDGE + number * (WIDTH + 2 * EDGE)} {TOP})">\n'
        f'<clipPath id="{clip}"><rect width="{WIDTH}" height="{HEIGHT}"/></clipPath>\n'
        f'<clipPath id="measured-{number}">{_measured_rectangle(problem.X)}</clipPath>\n'
        f'<text class="ink name" x="{middle:g}" y="-18">{name}</text>\n'
        f'<g clip-path="url(#{clip})">\n{_faint(many)}\n'
        f'<path class="area" fill="{AREAS[number]}" clip-path="url(#measured-{number})" d="{_area(*pair)}"/>\n'
        + "\n".join(marks)
        + f"\n{_line(before, 'before')}\n{_line(after, 'after')}\n</g>\n"
        f'<text class="ink" x="{middle:g}" y="{HEIGHT + 24}">'
        f"{100 * many.share.mean():.1f} % of the plane changes</text>\n"
        f'<text class="muted" x="{middle:g}" y="{HEIGHT + 44}">'
        f"nine of ten draws: {100 * low:.1f} to {100 * high:.1f} %</text>\n</g>\n"
    )


def _measured_rectangle(X):
    """The rectangle on which the share of the plane is measured."""
    (left, right), (low, high) = plane.view(X, 2)
    (x1, y1), (x2, y2) = _pixels(np.array([[left, high], [right, low]]))
    return f'<rect x="{x1:.1f}" y="{y1:.1f}" width="{x2 - x1:.1f}" height="{y2 - y1:.1f}"/>'


def _area(before, after):
    """The outline of what lies between two boundaries, which may cross."""
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = [*_ends(before), *_ends(after)[::-1]]
    return f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}L{x3:.1f} {y3:.1f}L{x4:.1f} {y4:.1f}Z"


def _ends(model):
    """The ends of the boundary w.x + b = 0 at the lower and the upper edge: none of the boundaries is horizontal."""
    (u, v), b = model.coef_[0], model.intercept_[0]
    return _pixels(np.array([[-(v * height + b) / u, height] for height in (LOW, HIGH)]))


def _line(model, kind):
    (x1, y1), (x2, y2) = _ends(model)
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _faint(many):
    """The boundaries of the draws after the first one, each as a line, so that where many lie it is darker."""
    corners = _pixels(np.column_stack(many.lines((LEFT, RIGHT), (LOW, HIGH)))).reshape(-1, 3, 2)
    ends = (f"M{x1:.0f} {y1:.0f}L{x2:.0f} {y2:.0f}" for (x1, y1), (x2, y2), _ in corners[1 : FAINT + 1])
    return "\n".join(f'<path class="faint" d="{line}"/>' for line in ends)


def _pixels(places):
    return (places - [LEFT, HIGH]) * [WIDTH / (RIGHT - LEFT), HEIGHT / (LOW - HIGH)]
