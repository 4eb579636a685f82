"""What a reader has answered, as a text."""

import hypothesis
import pytest
from hypothesis import strategies as st

from pages.shared.lessons import progress

MARKED = st.dictionaries(
    st.sampled_from(["errors", "support", "width", "my_own"]), st.text("-rns", min_size=1, max_size=9)
)


@hypothesis.given(MARKED)
def test_what_is_written_is_read_again(marks):
    begun = {key: text for key, text in marks.items() if set(text) - {"-"}}
    assert progress.read(progress.write(marks)) == begun


@pytest.mark.parametrize("text", ["", "~", "errors", "errors.", "errors.xyz", "<b>.rr", "a.b.c", "errors." + "r" * 99])
def test_what_cannot_be_read_is_left_out(text):
    assert progress.read(text) == {}
    assert progress.read(f"{text}~width.r-n") == {"width": "r-n"}


@hypothesis.given(MARKED, MARKED)
def test_two_visits_have_all_answers_of_both(one, other):
    both = progress.merge(one, other)
    assert set(both) == {*one, *other}
    for key, marks in both.items():
        for k, mark in enumerate(marks):
            first, second = (visit.get(key, "")[k : k + 1] or "-" for visit in (one, other))
            assert mark == (second if first == "-" else first)


def test_the_first_answer_counts_a_later_right_one_is_noted_and_there_are_as_many_marks_as_prompts():
    known = progress.record_answer({}, "errors", 3, 1, False)
    assert known == {"errors": "-n-"}
    changed = progress.record_answer(known, "errors", 3, 1, True)
    assert changed == known, "the settings were changed, not the question asked"
    assert progress.record_answer(known, "errors", 3, 1, True, again=True) == {"errors": "-s-"}
    assert progress.record_answer(known, "errors", 3, 1, False, again=True) == known
    right = progress.record_answer(known, "errors", 3, 0, True)
    assert right == {"errors": "rn-"} and progress.record_answer(right, "errors", 3, 0, False, again=True) == right
    assert progress.lesson_marks({"a": "rrrr"}, "a", 2) == "rr" and progress.lesson_marks({"a": "r"}, "a", 3) == "r--"
    assert progress.lesson_marks({}, "a", 2) == "--"
