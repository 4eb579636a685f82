"""Several machines on several tables: ranks, and the tests that say which differences are more than chance.

Friedman's test asks whether the machines differ at all; Nemenyi's compares all pairs by one critical difference of
average ranks; Wilcoxon's compares pairs by their signed ranks, corrected by Holm for all pairs.
Tables are independent, splits of one table are not: what enters is one error per table and machine.

Source: J. Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
Research 7, 1-30. Interval of an effect: J. L. Hodges, E. L. Lehmann (1963), Estimates of location based on rank tests,
Annals of Mathematical Statistics 34(2), 598-611.
"""

from typing import NamedTuple

import numpy as np
from scipy import stats

from svmcore.studies import paired
from svmcore.words import join_words, percent

ALPHA = 0.05
BREAKDOWN = 0.05  # by which the error exceeds that on clean points: 5 percentage points
DECIMALS = 12  # of errors; those that differ by rounding only are tied


class Effect(NamedTuple):
    """A shift with its interval at 95 %, in the unit of the differences; both bounds are nan for fewer than six."""

    shift: float
    low: float
    high: float


class Comparison(NamedTuple):
    """k machines on N tables; arrays are in the order of `names`.

    ranks: (k,) average ranks, 1 the lowest error; friedman: p of Friedman's test (nan for k < 3); critical: difference
    of average ranks from which Nemenyi's test counts; best: number of the machine with the lowest rank, of equals with
    the lowest mean error; holm: (k,) p of Wilcoxon's test against the best, corrected by Holm, 1 for itself; effects:
    how much larger the error is than that of the best.
    """

    names: tuple[str, ...]
    n_tables: int
    ranks: np.ndarray
    friedman: float
    critical: float
    best: int
    holm: np.ndarray
    effects: tuple[Effect, ...]


def compare(errors, names, alpha=ALPHA) -> Comparison:
    """The comparison of k machines by errors (N, k) on N tables.

    Raises ValueError for fewer than two machines or tables, and for errors that are not finite.
    """
    errors = np.asarray(errors, dtype=float)
    if errors.ndim != 2 or min(errors.shape) < 2 or errors.shape[1] != len(names) or not np.isfinite(errors).all():
        raise ValueError(
            f"a comparison needs finite errors of shape (tables, machines), at least 2 of each, with {len(names)} "
            f"names; got shape {errors.shape}"
        )
    n, k = errors.shape
    errors = np.round(errors, DECIMALS)
    ranks = stats.rankdata(errors, axis=1).mean(axis=0)
    best = int(np.lexsort((errors.mean(axis=0), ranks))[0])
    others = [j for j in range(k) if j != best]
    holm = np.ones(k)
    holm[others] = _adjust_for_best([wilcoxon(errors[:, j] - errors[:, best]) for j in others])
    return Comparison(
        names=tuple(names),
        n_tables=n,
        ranks=ranks,
        friedman=friedman(errors),
        critical=critical_difference(k, n, alpha),
        best=best,
        holm=holm,
        effects=tuple(effect(errors[:, j] - errors[:, best]) for j in range(k)),
    )


def friedman(errors) -> float:
    """p of Friedman's test for errors (N, k), corrected for ties; 1 if all are equal, nan for k < 3."""
    if errors.shape[1] < 3:
        return float("nan")
    if np.all(np.ptp(errors, axis=1) == 0.0):
        return 1.0
    return float(stats.friedmanchisquare(*errors.T).pvalue)


def critical_difference(k, n, alpha=ALPHA) -> float:
    """The difference of the average ranks of k machines on n tables from which Nemenyi's test counts."""
    q = stats.studentized_range.ppf(1.0 - alpha, k, np.inf) / np.sqrt(2.0)
    return float(q * np.sqrt(k * (k + 1) / (6.0 * n)))


def wilcoxon(gaps) -> float:
    """p of Wilcoxon's signed-rank test for paired differences (N,), two-sided; zeros count half on each side."""
    gaps = np.round(gaps, DECIMALS)
    return float(stats.wilcoxon(gaps, zero_method="zsplit").pvalue) if np.any(gaps) else 1.0


def adjust(p) -> np.ndarray:
    """The p (m,) of m tests corrected by Holm: by chance one is below alpha with at most that probability."""
    p = np.asarray(p, dtype=float)
    order = np.argsort(p)
    steps = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order])
    found = np.empty(len(p))
    found[order] = np.minimum(steps, 1.0)
    return found


def _adjust_for_best(p):
    """`adjust` for tests of the others against the best, which the same errors have chosen: all pairs count."""
    return adjust((len(p) + 1) / 2.0 * np.asarray(p))


def effect(gaps, level=0.95) -> Effect:
    """The shift of paired differences (N,) by Hodges and Lehmann: the median of all means of two of them.

    The interval is that of the exact signed-rank distribution (without ties).
    """
    gaps = np.asarray(gaps, dtype=float)
    n = len(gaps)
    means = np.sort((gaps[:, None] + gaps[None, :])[np.triu_indices(n)]) / 2.0
    counts = np.ones(1)
    for rank in range(1, n + 1):  # how many of the 2^n signs give each sum of ranks
        counts = np.append(counts, np.zeros(rank)) + np.append(np.zeros(rank), counts)
    below = np.cumsum(counts) / 2.0**n
    q = int(np.searchsorted(below, (1.0 - level) / 2.0, side="right"))
    low, high = (means[q - 1], means[-q]) if q else (np.nan, np.nan)
    return Effect(float(np.median(means)), float(low), float(high))


def groups(ranks, critical) -> list[tuple[int, ...]]:
    """The largest sets of machines whose average ranks (k,) differ by less than `critical`, best first."""
    order = np.argsort(ranks, kind="stable")
    found, last = [], 0
    for first in range(len(order)):
        end = first + int(np.count_nonzero(ranks[order[first:]] - ranks[order[first]] < critical))
        if end > max(last, first + 1):
            found.append(tuple(int(j) for j in order[first:end]))
        last = max(last, end)
    return found


def breakdown(levels, errors, by=BREAKDOWN) -> float | None:
    """The first of the ascending levels (k,) at which the error (k,) exceeds the first one, the clean one, by `by`.

    None if there is none up to the last level.
    """
    return next(
        (level for level, e in zip(levels, errors, strict=True) if round(e - errors[0] - by, DECIMALS) >= 0), None
    )


def verdict(found: Comparison, alpha=ALPHA) -> str:
    """Sentences on what a comparison establishes; where it establishes nothing, they say so."""
    best, k = found.names[found.best], len(found.names)
    over = f"over {found.n_tables} tables"
    if found.friedman >= alpha:
        return (
            f"Nothing is established: {over} the ranks of the {k} machines differ no more than by chance (Friedman, "
            f"{p_text(found.friedman)})."
        )
    worse = [name for name, p in zip(found.names, found.holm, strict=True) if p < alpha]
    rest = [name for j, name in enumerate(found.names) if found.holm[j] >= alpha and j != found.best]
    head = f"The machines differ (Friedman {over}, {p_text(found.friedman)}). " if k > 2 else ""
    if not worse:
        least = found.holm.min()
        return (
            f"{head}{best} has the lowest average rank, {found.ranks[found.best]:.2f}, but it is not established that "
            "any other machine is worse (Wilcoxon against it, corrected by Holm, "
            f"{p_text(least)}{' at least' if least < 1 else ''})."
        )
    sentence = (
        f"{head}{best} has the lowest average rank, {found.ranks[found.best]:.2f}; it is established that "
        f"{join_words(worse)} {'is' if len(worse) == 1 else 'are'} worse (Wilcoxon, corrected by Holm, p < {alpha:g})."
    )
    if rest:
        sentence += f" Between {best} and {join_words(rest)} nothing is established."
    return sentence


def verdict_of_splits(errors, names, shared, alpha=ALPHA) -> str:
    """Sentences on k machines by errors (J, k) on J splits of one table, which share points, or draws of a problem.

    t-tests of the paired differences from the lowest mean error, with the variance of `paired.difference`, or sign
    tests of those that do not vary, corrected by Holm. shared: number of test points divided by that of training
    points, 0 for draws.
    """
    errors = np.asarray(errors, dtype=float)
    means = np.round(errors.mean(axis=0), DECIMALS)
    best = int(np.argmin(means))
    others = [j for j in range(errors.shape[1]) if j != best]
    gaps = [paired.difference(errors[:, j], errors[:, best], shared) for j in others]
    p = _adjust_for_best([_p_of_splits(gap, len(errors)) for gap in gaps])
    worse = [names[j] for j, one in zip(others, p, strict=True) if one < alpha]
    place, splits, of = ("table", "splits", " for splits that share points") if shared else ("problem", "draws", "")
    lowest = [name for name, mean in zip(names, means, strict=True) if mean == means[best]]
    if 1 < len(lowest) == len(names):
        return f"On this {place} all machines have the same mean error, {percent(means[best])}."
    has = "has" if len(lowest) == 1 else "have"
    head = f"On this {place} {join_words(lowest)} {has} the lowest mean error, {percent(means[best])}"
    if not worse:
        return f"{head}, but over {len(errors)} {splits} it is not established that any other machine is worse."
    return (
        f"{head}; it is established over {len(errors)} {splits} that {join_words(worse)} "
        f"{'is' if len(worse) == 1 else 'are'} worse on it (paired t-tests{of}, "
        f"corrected by Holm, p < {alpha:g}). On other {place}s this need not hold."
    )


def _p_of_splits(gap, n):
    """p of n paired differences, two-sided; rounding alone makes a variance that no t-test can use."""
    if gap.error > 10.0**-DECIMALS:
        return 2.0 * stats.t.sf(gap.mean / gap.error, n - 1)
    return 2.0 ** (1 - n) if gap.mean > 10.0**-DECIMALS else 1.0


def p_text(p) -> str:
    """A probability as "p = 0.03", or "p < 0.001"."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"
