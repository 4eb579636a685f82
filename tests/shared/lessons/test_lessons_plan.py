"""Plans: they fit into their minutes, in the order of the course, and leave nothing out that a later prompt needs."""

import itertools

import pytest

from pages.shared.lessons import handin
from pages.shared.lessons.plan import EACH, needs, plan, room_for, subjects_that_fit
from pages.shared.lessons.reading import FOLDER, built_in_lessons, read
from pages.shared.lessons.tables import LessonError
from pages.shared.screen import schema

LESSONS = built_in_lessons()
ORDER = [(key, prompt.id) for key, lesson in LESSONS.items() for prompt in lesson.prompts]
SUBJECTS = [[key] for key in LESSONS] + [list(pair) for pair in itertools.combinations(LESSONS, 2)] + [list(LESSONS)]


@pytest.mark.parametrize("minutes, room", [*zip(map(int, schema.LASTS.options), (3, 7, 14), strict=True)])
def test_a_plan_fits_and_leaves_nothing_out_that_a_later_prompt_needs(minutes, room):
    assert room_for(minutes) == room  # with a discussion, more are not answered
    for subjects in SUBJECTS:
        steps = plan(LESSONS, minutes, subjects)
        keys = [step.key for step in steps]
        assert 1 <= len(keys) <= room and len(set(keys)) == len(keys), subjects
        assert sorted(keys, key=ORDER.index) == keys
        assert steps[-1].begin + EACH <= minutes
        assert {b.begin - a.begin for a, b in itertools.pairwise(steps)} <= {EACH}
        for key in keys:
            assert set(needs(LESSONS, key)) <= set(keys[: keys.index(key)]), (subjects, key)
        for step in steps:
            needed = any(step.key in needs(LESSONS, key) for key in keys)
            assert step.lesson.id in subjects_that_fit(subjects, minutes) or (step.is_needed and needed)


@pytest.mark.parametrize("key", LESSONS)
def test_a_lecture_on_one_lesson_has_all_of_it_and_a_short_one_its_end(key):
    whole = [step.prompt.id for step in plan(LESSONS, 90, [key]) if step.lesson.id == key]
    assert whole == [prompt.id for prompt in LESSONS[key].prompts]
    lecture = [step.prompt for step in plan(LESSONS, 45, [key])]
    assert any(prompt.closing for prompt in lecture)
    left = {prompt.id for prompt in LESSONS[key].prompts} - {prompt.id for prompt in lecture}
    assert all(LESSONS[key].prompt(one).optional for one in left)


def test_every_prompt_that_is_needed_is_there_and_comes_before():
    for key in ORDER:
        for name in LESSONS[key[0]].prompt(key[1]).needs:
            lesson, _, prompt = name.rpartition("/")
            assert ORDER.index((lesson or key[0], prompt)) < ORDER.index(key), (key, name)


def test_needs_of_no_lesson_are_left_out_those_of_the_same_one_must_be_earlier_and_none_changes_a_hand_in():
    text = (FOLDER / "errors.toml").read_text(encoding="utf-8")
    bare = "".join(line for line in text.splitlines(True) if not line.startswith(("needs", "optional")))
    assert handin.edition(read(bare)) == handin.edition(LESSONS["errors"])
    lesson = read(text.replace('needs = ["flip"]', 'needs = ["gone/gone", "flip", "flip"]', 1))
    assert lesson.prompt("pull").needs == ("gone/gone", "flip", "flip")
    assert needs({"errors": lesson}, ("errors", "pull")) == [("errors", "flip")]
    for wrong in ("transfer", "pull", "nothing"):
        with pytest.raises(LessonError, match=f"`needs` has '{wrong}'.* must be an earlier prompt"):
            read(text.replace('needs = ["flip"]', f'needs = ["{wrong}"]', 1))
