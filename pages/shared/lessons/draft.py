"""A question about a screen, as text for the file of an own lesson: its answer is computed before it is written."""

import itertools
import json
from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any, NamedTuple

from pages.shared.lessons import answers, own, reading, state
from pages.shared.lessons.answers import Answer
from pages.shared.lessons.lesson import Lesson, Prompt, Watch
from pages.shared.lessons.quantities.registry import machine_name
from pages.shared.screen.screen import Screen
from pages.shared.studies.source import Source

MINE = "my_questions"  # the lesson that gathers them
BEGINNING = (reading.FOLDER / f"{MINE}.toml").read_text(encoding="utf-8")  # of its file, without a question
NUMBERS = ("n_support", "n_at_bound", "largest_alpha", "slack_sum", "margin_width", "train_error", "test_error")
KINDS = {  # kinds of questions: how students answer, and the quantities that can be asked for
    "choose": ("choose between ranges", NUMBERS),
    "number": ("set a number", NUMBERS),
    "points": ("click points", ("support_vectors", "between_bounds", "with_slack", "misclassified")),
    "line": ("draw the boundary", ("boundary",)),
    "place": ("place a point where it does most harm", ("worst_place",)),
    "machine": ("choose a machine", NUMBERS),
    "order": ("put the machines in order", NUMBERS),
}
OF_SEVERAL = {"machine": "most", "order": "order"}  # kinds that compare the machines, with what they watch
CLOSE = {"line": 0.05, "points": 1, "place": 0.7, "order": 0}


class Draft(NamedTuple):
    """A question as a teacher writes it: `kind` is a key of KINDS, `quantity` one of its own, `loss` a machine.

    `limits` lie between the options of a question that chooses; `ends` are those of the slider of a number; `mistake`
    is said to a wrong answer.
    """

    kind: str
    quantity: str
    loss: str
    question: str
    why: str
    mistake: str
    limits: tuple[float, ...] = ()
    ends: tuple[float, float] = (0.0, 1.0)

    @property
    def watch(self) -> Watch:
        """The quantity that is the answer."""
        if self.kind in OF_SEVERAL:
            return Watch(OF_SEVERAL[self.kind], {"quantity": self.quantity})
        point = {"point": "nearest"} if self.kind == "place" else {}
        return Watch(self.quantity, {"loss": self.loss, **point})


@lru_cache(1)  # of the screen on which a reader writes: a run asks several times
def state_of(screen: Screen) -> dict[str, Any]:
    """The state of a prompt that has this screen; ValueError, in a sentence, where no lesson can have it."""
    losses = [machine.loss for machine in screen.machines]
    first = {"problem": screen.data.problem}
    first |= {"losses": ",".join(losses)} if len(losses) > 1 else {"loss": losses[0]}
    try:
        usual = Screen.read(state.check(first))
        names = [name for name in state.FIELDS if name not in ("loss", "losses", *first) and screen.applies(name)]
        changed = [name for name in names if not usual.applies(name) or usual.value(name) != screen.value(name)]
        table = state.check(first | {name: screen.value(name) for name in changed})
        same = state.setup(table).screen == screen
    except ValueError:
        same = False
    if not same:
        raise ValueError("Questions can be asked about the built-in problems of two classes in the plane.")
    return table


def answer(draft: Draft, screen: Screen, source: Source | None = None) -> Answer:
    """The answer of a question about a screen. ValueError and AnswerError say why there is none."""
    asked = Prompt("mine", "number", draft.question, state_of(screen), {}, draft.watch, "", any_draw=False)
    return answers.answer(asked, source=source)


def text(draft: Draft, screen: Screen, found: Answer, key: str) -> str:
    """The `[[prompt]]` with this id; ValueError if the answer lies outside the slider of a number."""
    kind = "choose" if draft.kind == "machine" else draft.kind
    rows = {"id": key, "kind": kind, "draws": "fixed", "question": draft.question, "state": state_of(screen)}
    rows |= {"watch": {"name": draft.watch.name, **draft.watch.arguments}, "why": draft.why}
    if kind == "number":
        rows |= _slider(draft, found)
    elif kind in CLOSE:
        rows["close"] = CLOSE[kind]
    lines = ["[[prompt]]", *(f"{name} = {_toml(value)}" for name, value in rows.items())]
    for option in _options(draft, screen, found):
        lines += ["[[prompt.option]]", *(f"{name} = {_toml(value)}" for name, value in option.items())]
    if mistakes := reading.KINDS[kind][1]:
        lines += ["[prompt.wrong]", *(f"{name} = {_toml(draft.mistake)}" for name in mistakes)]
    return "\n".join(lines) + "\n"


def _slider(draft, found):
    low, high = (end / answers.measure(draft.watch)["factor"] for end in draft.ends)
    if not low <= found.value <= high:
        low, high = (answers.words(draft.watch, end) for end in (low, high))
        raise ValueError(f"The answer, {found.text}, does not lie between {low} and {high}: widen the slider.")
    step = (high - low) / 100.0
    step = max(1.0, round(step)) if isinstance(found.value, int) else step
    return {"scale": {"low": low, "high": high, "step": step}, "close": (high - low) / 20.0}


def _options(draft, screen, found):
    """The rows of the options; all that do not hold have a `wrong`."""
    rows = []
    if draft.kind == "machine":
        rows = [{"text": f"{machine_name(m.loss)}.", "is": m.loss} for m in screen.machines]
    elif draft.kind == "choose":
        limits = sorted(limit / answers.measure(draft.watch)["factor"] for limit in set(draft.limits))
        said = [answers.words(draft.watch, limit) for limit in limits]
        between = [f"At least {one}, but below {other}." for one, other in itertools.pairwise(said)]
        texts = [f"Below {said[0]}.", *between, f"At least {said[-1]}."]
        lows, highs = [{}, *({"low": limit} for limit in limits)], [*({"high": limit} for limit in limits), {}]
        rows = [{"text": text} | low | high for text, low, high in zip(texts, lows, highs, strict=True)]
    return [row if _holds(row, found.value) else row | {"wrong": draft.mistake} for row in rows]


def _holds(row, value):
    return value == row["is"] if "is" in row else row.get("low", value) <= value < row.get("high", float("inf"))


def _toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(part)}" for name, part in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def add(session: MutableMapping, draft: Draft, screen: Screen, found: Answer) -> Lesson:
    """Adds a question to the own lesson of a session that gathers them, and puts its file into the editor; ValueError,
    or LessonError as `own.keep`, for what no lesson can have, and then nothing is changed.
    """
    kept = session.get(own.TEXTS, {}).get(MINE, BEGINNING)
    taken = {prompt.id for prompt in session[own.OWN][MINE].prompts} if kept != BEGINNING else set()
    key = next(name for name in (f"q{k}" for k in range(1, len(taken) + 2)) if name not in taken)
    whole = f"{kept.rstrip()}\n\n{text(draft, screen, found, key)}"
    lesson = own.keep(session, whole)
    own.replace(session, whole)
    return lesson
