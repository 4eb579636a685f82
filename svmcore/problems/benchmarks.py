"""Benchmark sets with more than two inputs (and `banana`), for the tables of the papers.

    titanic, heart, breast_cancer, german   Table 2 of López and Dorronsoro; their sizes, as banana's, are those of
                                            G. Rätsch's benchmark repository, which drew 100 splits of each
    abalone ... wisconsin                   the sets of section 4.1 of the walk to the 1-norm SVM
    leukemia ... lung, colon                gene expression: more inputs than points
    pc_mac                                  texts: words counted, a sparse matrix

`load(name, seed=k)` is the k-th random split; its default n is the training size of the paper, and the others are the
test set. The splits are our own draws: those that were published with Rätsch's repository are in no package.
Texts, sizes and suggestions are rows of benchmarks.csv. In a set with more than two classes the most frequent one is
+1 (the first of several), all others are -1.
"""

import csv
import gzip
from functools import lru_cache
from itertools import islice
from pathlib import Path

import numpy as np
import sklearn
from scipy.sparse import csr_matrix

from svmcore.problems import fetched
from svmcore.problems.registry import Problem, problem
from svmcore.problems.tables import DATA, held_out, load_shipped, n_training

SETS: dict[str, tuple[int, int]] = {}  # the shape (N, d) of each; filled below
_AS_PUBLISHED = ("banana",)
_FROM_SKLEARN = {"iris": 0, "wine": 1}  # the class that is +1


def table(name) -> tuple[np.ndarray, np.ndarray]:
    """X (N, d), y (N,) of a set in its own units; FileNotFoundError, with what to do, if its file is missing."""
    if name in fetched.SOURCES:
        return fetched.points(name)
    if name in _FROM_SKLEARN:
        known = _of_sklearn(name)
        return known.data, np.where(known.target == _FROM_SKLEARN[name], 1.0, -1.0)
    return load_shipped(f"{name}.csv.gz")


def _of_sklearn(name):
    return getattr(sklearn.datasets, f"load_{name}")()


def standardise(X, like=None) -> np.ndarray:
    """X (n, d) by the column means and standard deviations (N - 1 degrees of freedom) of `like` (N, d), X by default.

    Constant columns are only shifted.
    """
    like = X if like is None else like
    spread = like.std(axis=0, ddof=1)
    return (X - like.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


@lru_cache(32)
def feature_names(name) -> tuple[str, ...]:
    """The names of the d columns of a set that is shipped, as in its file."""
    if name in _FROM_SKLEARN:
        return tuple(_of_sklearn(name).feature_names)
    with gzip.open(DATA / f"{name}.csv.gz", "rt") as file:
        return tuple(list(file)[1].strip().split(",")[:-1])


@lru_cache(32)
def points(name) -> tuple[np.ndarray, np.ndarray]:
    """`table`, standardised over all rows as in Rätsch's repository, as read-only arrays; `banana` is unchanged."""
    X, y = table(name)
    X = X if name in _AS_PUBLISHED else standardise(X)
    for array in (X, y):
        array.setflags(write=False)
    return X, y


def _register(row):
    """Register the set of a row of benchmarks.csv."""
    name, title, about, source, N, d, n, kernel, C, sigma = row
    SETS[name] = int(N), int(d)

    @problem(
        name,
        title=title,
        about=about,
        source=source,
        options=(n_training(int(N), int(n) if n else None),),
        kernel=kernel,
        C=float(C),
        sigma=float(sigma),
        available=lambda: name not in fetched.SOURCES or fetched.file(name).is_file(),
        n_inputs=int(d),
    )
    def make(seed, n):
        return held_out(*points(name), n, seed)


with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as _file:
    for _row in islice(csv.reader(_file), 2, None):  # below a comment and the header
        _register(_row)


N_NEWS = 1168  # the earlier ones of the 1945 texts


@problem(
    "pc_mac",
    title="PC or Mac",
    about="News on PC hardware against news on Macs: 6901 words, a third of which occur in at most three texts.",
    source="K. Lang, NewsWeeder: Learning to Filter Netnews, ICML 12 (1995); 20 Newsgroups, split by date",
    options=(n_training(N_NEWS, N_NEWS)._replace(meaning=f"training texts drawn from the {N_NEWS} earlier ones"),),
    kernel="linear",
    n_inputs=6901,
)
def pc_mac(seed, n) -> Problem:
    """X (n, 6901), sparse: (1 + ln count) times the inverse document frequency among the 1168, rows of length 1.

    The seed draws the n training texts among the earlier ones; the 777 later ones are the test set.
    """
    X, y = news()
    train = np.random.default_rng(seed).permutation(N_NEWS)[:n]
    return Problem(X[train], y[train], X[N_NEWS:], y[N_NEWS:])


@lru_cache(32)
def news() -> tuple[csr_matrix, np.ndarray]:
    """X (1945, 6901) sparse, y (1945,) of all texts, in the order of their dates."""
    counts, y = load_shipped("pc_mac.svm.gz")
    return sklearn.feature_extraction.text.TfidfTransformer(sublinear_tf=True).fit(counts[:N_NEWS]).transform(counts), y
