"""Oracles: the example of Demšar's paper, formulas written out, every sign of a signed-rank test, scipy."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from svmcore.studies import significance

# AUC of four machines on 14 data sets (Demšar 2006, table 6); the tie in the last but one row is none before rounding
DEMSAR = np.array(
    """
    0.763 0.768 0.771 0.798  0.599 0.591 0.590 0.569  0.954 0.971 0.968 0.967  0.628 0.661 0.654 0.657
    0.882 0.888 0.886 0.898  0.936 0.931 0.916 0.931  0.661 0.668 0.609 0.685  0.583 0.583 0.563 0.625
    0.775 0.838 0.866 0.875  1.000 1.000 1.000 1.000  0.940 0.962 0.965 0.962  0.619 0.666 0.614 0.669
    0.972 0.981 0.97501 0.975  0.957 0.978 0.946 0.970
    """.split(),
    dtype=float,
).reshape(14, 4)
NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")


def test_the_example_of_the_paper():
    found = significance.compare(1.0 - DEMSAR, NAMES)
    assert found.ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    assert found.critical == pytest.approx(1.25, abs=5e-3)
    critical = significance.critical_difference(4, 14, 0.1)
    assert critical == pytest.approx(1.12, abs=5e-3)
    assert NAMES[found.best] == "C4.5+m+cf"
    # at 0.10 the paper establishes by Nemenyi that C4.5 differs from the two with m, and nothing on C4.5+cf
    apart = np.abs(np.subtract.outer(found.ranks, found.ranks)) > critical
    assert (apart == np.array([[0, 1, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]])).all()
    # the statistic is 9.28 without the correction for ties, which divides it by 1 - sum(m^3 - m) / (N (k^3 - k))
    ties = sum((counts**3 - counts).sum() for counts in (np.unique(row, return_counts=True)[1] for row in DEMSAR))
    assert found.friedman == pytest.approx(stats.chi2.sf(9.28 / (1.0 - ties / (14 * 60)), 3), rel=5e-3)
    # the sums of ranks of C4.5 and C4.5+m are 12 and 93 (table 2)
    assert stats.wilcoxon(np.round(DEMSAR[:, 0] - DEMSAR[:, 1], 12), zero_method="zsplit").statistic == 12.0
    assert significance.wilcoxon(DEMSAR[:, 0] - DEMSAR[:, 1]) < 0.05


@pytest.mark.parametrize("k, q", [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_the_critical_values_are_those_of_the_paper(k, q):
    assert significance.critical_difference(k, 1) == pytest.approx(q * np.sqrt(k * (k + 1) / 6.0), rel=5e-4)
    # there p is alpha
    gap = significance.critical_difference(k, 12) / np.sqrt(k * (k + 1) / (6.0 * 12))
    assert stats.studentized_range.sf(gap * np.sqrt(2.0), k, np.inf) == pytest.approx(0.05, rel=1e-6)


def test_holm_groups_without_a_difference_and_a_breakdown_of_five_lost_points_by_hand():
    assert significance.adjust([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert significance.adjust([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    ranks = np.array([3.0, 1.0, 1.6, 4.4])
    assert significance.groups(ranks, 1.5) == [(1, 2), (2, 0), (0, 3)]
    assert significance.groups(ranks, 0.5) == [] and significance.groups(ranks, 9.0) == [(1, 2, 0, 3)]
    levels = (0.0, 0.1, 0.2, 0.3)
    assert significance.breakdown(levels, [0.2, 0.2499, 0.25, 0.2]) == 0.2
    assert significance.breakdown(levels, [0.2, 0.21, 0.19, 0.24]) is None


def test_the_interval_of_an_effect_holds_by_all_signs():
    n, gaps = 8, np.array([1.0, 2.5, -0.5, 4.0, 3.0, 0.8, 2.2, 5.0])
    found = significance.effect(gaps)
    assert found.shift == np.median([(a + b) / 2 for i, a in enumerate(gaps) for b in gaps[i:]])
    sums = [sum(rank for rank, up in enumerate(signs, 1) if up) for signs in product((0, 1), repeat=n)]

    def p(shift):  # two-sided, by all signs
        least = min(sum(stats.rankdata(abs(gaps - shift))[sign * (gaps - shift) > 0]) for sign in (1, -1))
        return 2.0 * np.mean(np.array(sums) <= least)

    for bound, outwards in ((found.low, -1e-9), (found.high, 1e-9)):
        assert p(bound + outwards) <= 0.05 < p(bound - outwards)
    assert np.isnan(significance.effect(gaps[:5]).low) and np.isfinite(significance.effect(gaps[:6]).low)


def test_a_verdict_says_what_is_established_and_what_is_not():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(16, 4))
    nothing = significance.verdict(significance.compare(noise, "abcd"))
    assert nothing.startswith("Nothing is established") and "16 tables" in nothing
    clear = significance.verdict(significance.compare(noise + [0.0, 5.0, 0.1, 5.0], "abcd"))
    assert "b and d are worse" in clear and "c nothing is established" in clear
    level = significance.compare(np.ones((6, 3)), "abc")
    assert level.friedman == 1.0 and significance.verdict(level).startswith("Nothing is established")
    two = significance.verdict(significance.compare(noise[:, :2], "ab"))
    assert "not established" in two
    one = significance.verdict(significance.compare(noise + [0.0, 5.0, 0.1, 0.0], "abcd"))
    assert "b is worse" in one


def test_a_verdict_on_the_splits_of_one_table_is_that_of_their_paired_differences():
    noise = np.random.default_rng(0).normal(scale=0.01, size=(16, 3)) + 0.2
    for worse, words in (([0.0, 0.1, 0.0], "b is worse on it"), ([0.0, 0.1, 0.2], "b and c are worse on it")):
        text = significance.verdict_of_splits(noise + worse, "abc", 0.5)
        assert f"over 16 splits that {words} (paired t-tests for splits that share points" in text
    assert "over 16 draws that b is worse" in significance.verdict_of_splits(noise + [0.0, 0.1, 0.0], "abc", 0.0)
    assert "not established" in significance.verdict_of_splits(noise, "abc", 0.0)


def test_equal_differences_are_tested_by_their_signs_and_machines_with_one_error_are_named_together():
    few = np.array([[1, 0], [3, 2]]) / 24  # the differences are equal but for rounding
    assert "not established" in significance.verdict_of_splits(few, "ab", 0.25)
    always = np.tile([0.1, 0.6, 0.1], (7, 1))
    text = significance.verdict_of_splits(always, "abc", 0.0)
    assert "a and c have the lowest mean error, 10.0\u202f%; it is established over 7 draws that b is worse" in text
    assert "all machines have the same mean error" in significance.verdict_of_splits(always[:, ::2], "ac", 0.0)


def test_the_best_is_chosen_by_the_same_errors_so_that_all_pairs_count():
    draws = 0.2 + 0.01 * np.random.default_rng(0).normal(size=(60, 20, 12))  # of equal machines
    told = [significance.verdict_of_splits(one, "abcdefghijkl", 0.0) for one in draws]
    assert sum("not established" not in one for one in told) <= 3
    found = significance.compare(1.0 - DEMSAR, NAMES)
    p = [significance.wilcoxon(DEMSAR[:, j] - DEMSAR[:, found.best]) for j in range(3)]
    assert found.holm.min() == pytest.approx(6 * min(p))


@pytest.mark.parametrize("errors", [np.ones((1, 3)), np.ones((3, 1)), np.ones(3), [[1.0, np.nan], [1.0, 2.0]]])
def test_what_cannot_be_compared_gets_a_sentence(errors):
    with pytest.raises(ValueError, match="finite errors of shape"):
        significance.compare(errors, ("a", "b", "c")[: np.shape(errors)[-1]])
