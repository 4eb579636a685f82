"""The table of several machines on the same points, as texts: for a page's script and for its live channel."""

from pages.shared.studies import classification, tasks
from pages.shared.studies.formatting import milliseconds, number

ABOVE = "above the smallest"


def cells(studies, moves) -> dict[str, str]:
    """{table-ROW-COLUMN: text} of each machine: its `movement`, errors, support vectors and solver."""
    words, gaps = tasks.task_of(studies[0]).words, above_smallest(studies) or ["–"] * len(studies)
    found = {}
    for row, (study, (moved, _), gap) in enumerate(zip(studies, moves, gaps, strict=True)):
        n = study.numbers
        texts = dict(zip(words.movement, moved, strict=True)) | {
            f"test {words.error}": words.written(n.test_error),
            ABOVE: gap,
            f"training {words.error}": words.written(n.train_error),
            "support vectors": f"{n.n_support} of {len(study.f)}",
            "at a bound": f"{n.n_at_bound}",
            f"Σ |{study.points.letter}|": number(n.sum_alpha, ".4g"),
            "‖w‖": number(n.norm, ".4g"),
            "status": n.status,
            "violation": number(n.violation, ".1e"),
            "steps": f"{n.n_iter:,}",
            "time": milliseconds(n.solve_time),
        }
        found |= {f"table-{row}-{name}": text for name, text in texts.items()}
    return found


def above_smallest(studies) -> list[str]:
    """The difference of each test error to the smallest one, paired, as text; none without classes or test points."""
    tested = [study for study in studies if tasks.task_of(study).classes and len(study.wrong)]
    if not tested:
        return []
    best = min(tested, key=lambda study: study.numbers.test_error)
    return ["smallest" if study is best else classification.error_change(study, best) for study in studies]


def movement(now, before) -> tuple[list[str], str]:
    """`Task.movement`: the change of a machine by the outliers as texts, and as a phrase; dashes, and none, without."""
    return (["–", "–", "–"], "") if before is None else tasks.task_of(now).movement(before, now)
