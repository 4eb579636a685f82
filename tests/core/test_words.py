"""Numbers, shares and lists as a reader sees them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import number_in

from svmcore import words


@pytest.mark.parametrize("x, text", [
    (0.1234, "0.123"),
    (-0.5, "−0.5"),
    (-0.0, "0"),
    (0.0, "0"),
    (1e-6, "10⁻⁶"),
    (-1e-6, "−10⁻⁶"),
    (1.234e-5, "1.23·10⁻⁵"),
    (-2.5e17, "−2.5·10¹⁷"),
    (12.0, "12"),
    (-2048.0, "−2050"),
    (1e6, "10⁶"),
    (float("-inf"), "−inf"),
])  # fmt: skip
def test_a_number(x, text):
    assert words.number(x) == text


def test_what_is_rounded_to_zero_has_no_sign():
    assert [words.number(x, "+.1f") for x in (-0.04, 0.0, 0.04, 0.06)] == ["0.0", "0.0", "0.0", "+0.1"]
    assert words.percent(-1e-6) == "0.0\u202f%" and words.number(-0.0, ".2e") == "0.00"
    assert [words.number(x, ".2e") for x in (3.25, -128.4, 9.32e-4)] == ["3.25", "−128", "0.000932"]
    assert words.number(9.32e-5, ".2e") == "9.32·10⁻⁵" and words.number(3.599e6, ".4g") == "3.599·10⁶"


@given(st.floats(-1e30, 1e30))
def test_what_is_written_can_be_read(x):
    assert number_in(words.number(x, ".17g")) == x


def test_hyphens_stay_where_they_are_none_of_a_number_and_a_share_is_not_broken():
    assert words.readable("LS-SVM: -3, (-0.5, 1e-3), L0/1-SVM") == "LS-SVM: −3, (−0.5, 10⁻³), L0/1-SVM"
    assert words.percent(0.3842) == "38.4\u202f%" and words.percent(-0.005) == "−0.5\u202f%"
    assert words.keep_units("from 2 % to 38.4 %, in %") == "from 2\u202f% to 38.4\u202f%, in %"
    assert words.keep_units("from y f = 1 to C = 2") == "from y\u00a0f\u00a0=\u00a01 to C\u00a0=\u00a02"


def test_one_of_many_is_not_none_and_all_but_one_not_all():
    shares = [words.percent(share)[:-2] for share in (0.0, 1 / 4900, 1 - 1 / 4900, 2e-6, 1e-9, 0.0005, 1.0)]
    assert shares == ["0.0", "0.02", "99.98", "0.0002", "0.0", "0.1", "100.0"]


@pytest.mark.parametrize("items, text", [([3], "3"), ([3, 7], "3 and 7"), ("abc", "a, b and c")])
def test_a_list(items, text):
    assert words.join_words(items) == text and words.join_words(items, "or") == text.replace("and", "or")


@pytest.mark.parametrize("n, text", [(0, "0 steps"), (1, "1 step"), (1200, "1200 steps"), (12_000, "12,000 steps")])
def test_a_count(n, text):
    assert words.with_count(n, "step") == text


def test_a_symbol_of_a_formula_is_a_letter_in_a_text_and_a_word_for_those_who_hear_it():
    assert [words.letter(latex) for latex in (r"\mu", r"\varepsilon", r"\lambda", "s")] == ["μ", "ε", "λ", "s"]
    assert words.spell("σ, width of the kernel; λ = 1") == "sigma, width of the kernel; lambda = 1"
