"""Lessons of one's own: the shipped ones pass as they are, and no file of a stranger does harm."""

import random
import re

import pytest

from pages.shared.lessons import answers, draft, own, reading, state
from pages.shared.lessons.tables import LessonError
from pages.shared.screen.screen import Screen

INF = float("inf")
SHIPPED = list(reading.built_in_lessons())
ERRORS = (reading.FOLDER / "errors.toml").read_text(encoding="utf-8")


ALPHA = 'watch = { name = "alpha", point = "farthest" }'


def refused(text):
    with pytest.raises(LessonError) as caught:
        own.read(text)
    return caught.value


@pytest.mark.parametrize("key", SHIPPED)
def test_the_shipped_lessons_pass_as_files(key):
    raw = (reading.FOLDER / f"{key}.toml").read_bytes()
    assert own.read(own.text_of(raw)) == reading.built_in_lessons()[key]
    assert own.read(own.text_of(b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n"))) == reading.built_in_lessons()[key]


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("Two points of forty", "<img src=x>", "HTML.* a space after"),
        ('id = "own_side"', 'id = "[x](y)"', " link"),
        ("Two points of forty", "![x](y.png)", "picture"),
        ("Two points of forty", "[x](javascript:alert)", "link"),
        ("Two points of forty", "see https://x.example", "address"),
        ("Two points of forty", r"$x_i$ and $\\alpha_i$", "formula in LaTeX"),
        ("It is {value}. The sq", "It is {value.__class__}. The sq", "bracket"),
        ("It is {value}. The sq", "It is {value:999999999}. The sq", "bracket"),
        ("It is {value}. The sq", "It is {value!r:>9}{}. The sq", "bracket"),
        ("Two points of forty", "x" * 2001, "characters, and at most 2000"),
        ('problem = "label_flips"', 'problem = "moons", n = 5000', "5000 points"),
        ('"exponential"], C = 1.0', '"exponential"], C = 1e6', "C = 1000000.0"),
        ('problem = "label_flips"', 'problem = "label_flips", kernel = "poly", degree = 9', "degree = 9"),
        ('quantity = "angle"', 'quantity = "worst_share"', "many machines"),
        ('quantity = "angle"', 'quantity = "cv_error"', "many machines"),
        ('quantity = "angle"', 'quantity = "angle", draws = 1000', "at most 20"),
        ('name = "largest", k = 2', 'name = "largest", k = 51', "k = 51"),
        (
            ALPHA,
            ALPHA + '\nchange = { C = 100.0 }\nsecond = { kernel = "poly" }',
            "C = 100.0, but here .* from 0 to 10",
        ),
        ("losses = [", 'losses = ["hinge", "ramp", "zero_one", ', "more than 4"),
        ("Move and flip a", "See [x](y) and flip a", "the challenge: .* link"),
        ("seed = 11, n = 40", "seed = 11, n = 5000", "the challenge: has 5000 points"),
        ('watch = "changed_share", low', 'watch = { name = "mean", draws = 99 }, low', "the challenge: has draws = 99"),
    ],
)
def test_what_a_lesson_may_not_have_is_named_with_its_line(old, new, said):
    assert old in ERRORS
    error = refused(ERRORS.replace(old, new, 1))
    assert re.search(said, str(error)) and error.line > 0


@pytest.mark.parametrize("old", ["Two points of forty", "Two clouds without", "The support value of a point is"])
def test_the_line_is_that_of_the_text_itself(old):
    text = ERRORS.replace(old, f"{old} <b>bold</b>", 1)
    error = refused(text)
    assert "<b>bold</b>" in text.splitlines()[error.line - 1] and "<b>" in str(error)


def test_limits_of_a_file():
    with pytest.raises(LessonError, match="at most 100,000"):
        own.text_of(b"#" * 100_001)
    with pytest.raises(LessonError, match="Line 2.*UTF-8"):
        own.text_of(b"id = 1\n\xff")
    assert "TOML" in str(refused("a = " + "[" * 40_000)) or "read" in str(refused("a = " + "[" * 40_000))
    assert "read" in str(refused("a = " + "9" * 90_000)) or "TOML" in str(refused("a = " + "9" * 90_000))
    head, *prompts = re.split(r"(?=^\[\[prompt\]\])", ERRORS, flags=re.MULTILINE)
    many = head + "".join(prompts[0].replace('"own_side"', f'"p{k}"') for k in range(13))
    assert "13 prompts" in str(refused(many))


@pytest.mark.parametrize("seed", range(2))
def test_no_damage_to_a_file_is_more_than_a_sentence(seed):
    rng, lines = random.Random(seed), ERRORS.splitlines()
    for _ in range(60):
        damaged = list(lines)
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(damaged))
            line, kind = damaged[place], rng.randrange(4)
            if kind == 0:
                del damaged[place]
            elif kind == 1 and line:
                cut = rng.randrange(len(line))
                damaged[place] = line[:cut] + rng.choice('"{}[]=,.0x') + line[cut + 1 :]
            elif kind == 2:
                value = rng.choice(["1", '"x"', "[]", "{}", "true", "1979-05-27", "-inf", "nan", "[[1]]", '""'])
                damaged[place] = re.sub(r"= .*", f"= {value}", line)
            else:
                damaged[place], damaged[0] = damaged[0], line
        try:
            own.read("\n".join(damaged))
        except LessonError as error:
            assert str(error) and error.line >= 0


def test_a_session_has_its_lessons_beside_the_shipped_ones():
    state = {}
    mine = own.keep(state, ERRORS.replace('id = "errors"', 'id = "mine"'))
    changed = own.keep(state, ERRORS.replace("What an error costs", "Changed"))
    assert own.available_lessons(state) == reading.built_in_lessons() | {"mine": mine, "errors": changed}
    assert own.available_lessons({}) == reading.built_in_lessons()
    assert reading.built_in_lessons()["errors"].title != changed.title


def test_a_session_has_so_many_own_lessons_and_those_can_be_changed(monkeypatch):
    monkeypatch.setattr(own, "MOST_KEPT", 2)
    session = {}
    lessons = [ERRORS.replace('id = "errors"', f'id = "mine_{k}"') for k in range(3)]
    for text in [*lessons[:2], lessons[0]]:
        own.keep(session, text)
    with pytest.raises(LessonError, match="^A session has at most 2 own lessons"):
        own.keep(session, lessons[2])
    assert list(session[own.OWN]) == list(session[own.TEXTS]) == ["mine_0", "mine_1"]


SCREEN = Screen.read({"losses": "hinge,least_squares", "C": "2", "contamination": "flip_farthest", "flips": "2"})
SAID = ("What do you expect?", "It is {value}.", "You may have expected another answer.")
ASKED = [(kind, names[0]) for kind, (_, names) in draft.KINDS.items()]


@pytest.mark.parametrize("kind, name", ASKED, ids=[kind for kind, _ in ASKED])
def test_a_question_about_a_screen_becomes_a_prompt_of_an_own_lesson(kind, name):
    session = {}
    made = draft.Draft(kind, name, "hinge", *SAID, limits=(20.0, 5.0), ends=(0.0, 40.0))
    for _ in range(2):
        lesson = draft.add(session, made, SCREEN, draft.answer(made, SCREEN))
    assert own.read(session[own.EDITOR]) == lesson == session[own.OWN][draft.MINE]
    assert [prompt.id for prompt in lesson.prompts] == ["q1", "q2"]
    answer = answers.answer(lesson.prompts[-1], draw=3)  # it stays on the points of the screen
    assert answer.expected and answers.off_scale(lesson.prompts[-1], answer) == ""
    shown = answer.case.after
    assert (shown.data, shown.machines, shown.setting) == SCREEN[:3]
    if name == "n_support":
        fits = {machine.loss: state.SOURCE.fit(SCREEN.data, machine, SCREEN.setting) for machine in SCREEN.machines}
        counts = {loss: fit.numbers.n_support for loss, fit in fits.items()}
        largest = max(counts, key=counts.get)
        wanted = {"machine": largest, "order": [[loss, counts[loss]] for loss in sorted(counts, key=counts.get)[::-1]]}
        assert answer.value == wanted.get(kind, counts["hinge"])


def test_the_options_of_a_question_about_a_screen_leave_no_gap():
    made = draft.Draft("choose", "train_error", "hinge", *SAID, limits=(2.0, 10.0))
    (prompt,) = draft.add({}, made, SCREEN, draft.answer(made, SCREEN)).prompts
    assert [(option.low, option.high) for option in prompt.options] == [(-INF, 0.02), (0.02, 0.1), (0.1, INF)]
    texts = ["Below 2.0\u202f%.", "At least 2.0\u202f%, but below 10.0\u202f%.", "At least 10.0\u202f%."]
    assert [option.text for option in prompt.options] == texts
    made = made._replace(quantity="n_support", limits=(2.0, 5.0))
    (prompt,) = draft.add({}, made, SCREEN, draft.answer(made, SCREEN)).prompts
    assert prompt.expected_option == 2


@pytest.mark.parametrize("name, step", [("n_support", 1.0), ("largest_alpha", 0.4)])
def test_a_slider_has_a_hundred_steps_but_none_between_two_points(name, step):
    made = draft.Draft("number", name, "hinge", *SAID, ends=(0.0, 40.0))
    (prompt,) = draft.add({}, made, SCREEN, draft.answer(made, SCREEN)).prompts
    assert prompt.scale[:3] == (0.0, 40.0, step)


def test_what_no_lesson_can_have_is_refused_and_nothing_is_lost():
    session, made = {}, draft.Draft("number", "n_support", "hinge", *SAID, ends=(0.0, 40.0))
    found = draft.answer(made, SCREEN)
    draft.add(session, made, SCREEN, found)
    kept = dict(session)
    with pytest.raises(ValueError, match="The answer, 8, does not lie between 0 and 5: widen the slider"):
        draft.add(session, made._replace(ends=(0.0, 5.0)), SCREEN, found)
    with pytest.raises(ValueError, match="HTML"):
        draft.add(session, made._replace(question="<b>What?</b>"), SCREEN, found)
    assert session == kept
    for other in (Screen.from_problem("iris"), Screen.read({"problem": "sinc"})):
        with pytest.raises(ValueError, match="built-in problems of two classes in the plane"):
            draft.state_of(other)
