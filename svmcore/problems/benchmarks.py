"""Benchmark sets with more than two inputs (and `banana`), for the tables of the papers.

    titanic, heart, breast_cancer, german   Table 2 of López and Dorronsoro; their sizes, as banana's, are those of
                                            G. Rätsch's benchmark repository, which drew 100 splits of each
    abalone ... wisconsin                   the sets of section 4.1 of the walk to the 1-norm SVM
    leukemia ... lung, colon                gene expression: more inputs than points
    pc_mac                                  texts: words counted, a sparse matrix

`load(name, seed=k)` is the k-th random split; its default n is the training size of the paper, and the others are the
test set. The splits are our own draws: those that were published with Rätsch's repository are in no package.
In a set with more than two classes the most frequent one is +1 (the first of several), all others are -1.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris, load_wine
from sklearn.feature_extraction.text import TfidfTransformer

from svmcore.problems import fetched
from svmcore.problems.registry import Problem, problem
from svmcore.problems.tables import held_out, n_training, shipped


class Benchmark(NamedTuple):
    """One set: its shape (N, d), the default n for training, the texts and suggestions of its registry entry."""

    title: str
    about: str
    source: str
    shape: tuple[int, int]
    n: int | None = None
    kernel: str = "rbf"
    C: float = 1.0
    sigma: float = 1.0


_UCI = "UCI Machine Learning Repository"
_IDA = (
    "in the sizes of G. Rätsch, T. Onoda, K.-R. Müller, Soft Margins for AdaBoost, Machine Learning 42 (2001) 287-320"
)
_GOLUB = "T. R. Golub et al., Molecular Classification of Cancer, Science 286 (1999) 531-537"
_SHIPP = "M. A. Shipp et al., Diffuse Large B-Cell Lymphoma Outcome Prediction, Nature Medicine 8 (2002) 68-74"
_SINGH = (
    "D. Singh et al., Gene Expression Correlates of Clinical Prostate Cancer Behavior, Cancer Cell 1 (2002) 203-209"
)
_GENES = {"kernel": "linear", "C": 0.01, "sigma": 100.0}

SETS = {
    "banana": Benchmark(
        "Banana",
        "Two overlapping classes, curved like bananas and interlocked.",
        f"Artificial; {_IDA}",
        (5300, 2),
        400,
        C=10.0,
    ),
    "titanic": Benchmark(
        "Titanic",
        "Survival by class, age and sex: 14 kinds of people among 2201, ten of which are in both classes.",
        f"R. J. M. Dawson, The Unusual Episode Data Revisited, Journal of Statistics Education 3 (1995); {_IDA}",
        (2201, 3),
        150,
    ),
    "heart": Benchmark(
        "Heart",
        "Heart disease from 13 measurements of a patient.",
        f"Statlog (Heart), {_UCI}; {_IDA}",
        (270, 13),
        170,
        sigma=16.0,
    ),
    "breast_cancer": Benchmark(
        "Breast cancer (Ljubljana)",
        "Whether breast cancer recurred, from 9 attributes of patient and tumour.",
        f"M. Zwitter, M. Soklic, Institute of Oncology, Ljubljana, {_UCI}; {_IDA}",
        (277, 9),
        200,
        C=10.0,
        sigma=8.0,
    ),
    "german": Benchmark(
        "German credit",
        "Bad (+1) or good credit, from 20 attributes of the applicant.",
        f"H. Hofmann, Statlog (German Credit Data), {_UCI}; {_IDA}",
        (1000, 20),
        700,
        sigma=8.0,
    ),
    "abalone": Benchmark(
        "Abalone",
        "Nine rings in a shell, the most frequent age, against all others.",
        f"W. J. Nash et al. (1994), {_UCI}",
        (4177, 8),
        sigma=0.5,
    ),
    "australian": Benchmark(
        "Australian credit",
        "Credit approved or not, from 14 attributes.",
        f"Statlog (Australian Credit Approval), {_UCI}",
        (690, 14),
        C=0.1,
        sigma=8.0,
    ),
    "bupa": Benchmark(
        "BUPA liver",
        "Five blood tests and the drinks a day; the label is the selector field.",
        f"R. S. Forsyth, Liver Disorders (1990), {_UCI}",
        (345, 6),
        C=10.0,
        sigma=4.0,
    ),
    "ecoli": Benchmark(
        "E. coli",
        "Proteins of the cytoplasm against those of seven other sites.",
        f"P. Horton, K. Nakai (1996), {_UCI}",
        (336, 7),
        sigma=2.0,
    ),
    "glass": Benchmark(
        "Glass",
        "Window glass that was not float processed against five other kinds.",
        f"B. German, Glass Identification (1987), {_UCI}",
        (214, 9),
        sigma=2.0,
    ),
    "ionosphere": Benchmark(
        "Ionosphere",
        "Radar echoes that show structure in the ionosphere, against those that do not.",
        f"V. G. Sigillito et al. (1989), {_UCI}",
        (351, 34),
        C=10.0,
        sigma=8.0,
    ),
    "iris": Benchmark(
        "Iris",
        "Iris setosa against the two other kinds.",
        "R. A. Fisher, The Use of Multiple Measurements in Taxonomic Problems, Annals of Eugenics 7 (1936) 179-188",
        (150, 4),
        sigma=4.0,
    ),
    "page_blocks": Benchmark(
        "Page blocks",
        "Text against pictures, lines and graphics in the layout of printed pages.",
        f"D. Malerba, Page Blocks Classification (1995), {_UCI}",
        (5473, 10),
        C=100.0,
        sigma=2.0,
    ),
    "segmentation": Benchmark(
        "Image segmentation",
        "The first of seven kinds of image regions against the others.",
        f"Vision Group, University of Massachusetts (1990), {_UCI}",
        (2310, 19),
        C=10.0,
        sigma=8.0,
    ),
    "sonar": Benchmark(
        "Sonar",
        "Echoes of mines and of rocks in 60 bands.",
        "R. P. Gorman, T. J. Sejnowski, Analysis of Hidden Units in a Layered Network Trained to Classify Sonar "
        "Targets, Neural Networks 1 (1988) 75-89",
        (208, 60),
        104,
        C=10.0,
        sigma=8.0,
    ),
    "vehicle": Benchmark(
        "Vehicle",
        "A bus against three other vehicles, by 18 features of its silhouette.",
        f"J. P. Siebert, Statlog (Vehicle Silhouettes) (1987), {_UCI}",
        (846, 18),
        C=10.0,
        sigma=4.0,
    ),
    "wine": Benchmark(
        "Wine",
        "The second of three cultivars against the others, from a chemical analysis.",
        f"M. Forina et al. (1988), {_UCI}",
        (178, 13),
        sigma=4.0,
    ),
    "wisconsin": Benchmark(
        "Breast cancer (Wisconsin)",
        "Malignant against benign, from nine marks of a biopsy.",
        "W. H. Wolberg, O. L. Mangasarian, PNAS 87 (1990) 9193-9196",
        (683, 9),
        sigma=4.0,
    ),
    "leukemia": Benchmark(
        "Leukaemia", "ALL against AML by the expression of 7129 genes.", _GOLUB, (72, 7129), 36, **_GENES
    ),
    "prostate": Benchmark(
        "Prostate", "Tumour against normal tissue by the expression of 6033 genes.", _SINGH, (102, 6033), 51, **_GENES
    ),
    "srbct": Benchmark(
        "SRBCT",
        "Ewing's sarcoma against three other small round blue cell tumours, by 2308 genes.",
        "J. Khan et al., Classification and Diagnostic Prediction of Cancers, Nature Medicine 7 (2001) 673-679",
        (83, 2308),
        42,
        **_GENES,
    ),
    "dlbcl": Benchmark(
        "Lymphoma", "DLBCL against follicular lymphoma by the expression of 798 genes.", _SHIPP, (77, 798), 38, **_GENES
    ),
    "lung": Benchmark(
        "Lung",
        "Adenocarcinoma against four other kinds of lung tissue, by 1543 genes.",
        "A. Bhattacharjee et al., Classification of Human Lung Carcinomas, PNAS 98 (2001) 13790-13795",
        (203, 1543),
        102,
        **_GENES,
    ),
    "colon": Benchmark(
        "Colon",
        "Tumour against normal tissue by the expression of 2000 genes.",
        "U. Alon et al., Broad Patterns of Gene Expression, PNAS 96 (1999) 6745-6750",
        (62, 2000),
        31,
        **_GENES,
    ),
    "leukemia_5147": Benchmark(
        "Leukaemia (5147 genes)", "ALL against AML, the genes of the walk paper.", _GOLUB, (72, 5147), 36, **_GENES
    ),
    "dlbcl_7070": Benchmark(
        "Lymphoma (7070 genes)",
        "DLBCL against follicular lymphoma, the genes of the walk paper.",
        _SHIPP,
        (77, 7070),
        38,
        **_GENES,
    ),
    "prostate_12533": Benchmark(
        "Prostate (12533 genes)",
        "Tumour against normal tissue, the genes of the walk paper.",
        _SINGH,
        (102, 12533),
        51,
        **_GENES,
    ),
}
_AS_PUBLISHED = ("banana",)
_FROM_SKLEARN = {"iris": (load_iris, 0), "wine": (load_wine, 1)}  # the class that is +1


def table(name) -> tuple[np.ndarray, np.ndarray]:
    """X (N, d), y (N,) of a set in its own units; FileNotFoundError, with what to do, if its file is missing."""
    if name in fetched.SOURCES:
        return fetched.points(name)
    if name in _FROM_SKLEARN:
        make, positive = _FROM_SKLEARN[name]
        X, classes = make(return_X_y=True)
        return X, np.where(classes == positive, 1.0, -1.0)
    return shipped(f"{name}.csv.gz")


def standardised(X) -> np.ndarray:
    """X (N, d) with mean 0 and standard deviation 1 (N - 1 degrees of freedom) in each column; constants become 0."""
    spread = X.std(axis=0, ddof=1)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


@cache
def points(name) -> tuple[np.ndarray, np.ndarray]:
    """`table`, standardised over all rows as in Rätsch's repository, as read-only arrays; `banana` is unchanged."""
    X, y = table(name)
    X = X if name in _AS_PUBLISHED else standardised(X)
    for array in (X, y):
        array.setflags(write=False)
    return X, y


def _register(name, entry):
    N, d = entry.shape

    @problem(
        name,
        title=entry.title,
        about=entry.about,
        source=entry.source,
        options=(n_training(N, entry.n),),
        kernel=entry.kernel,
        C=entry.C,
        sigma=entry.sigma,
        available=lambda: name not in fetched.SOURCES or fetched.file(name).is_file(),
        n_inputs=d,
    )
    def make(seed, n):
        return held_out(*points(name), n, seed)


for _name, _entry in SETS.items():
    _register(_name, _entry)


N_NEWS = 1168  # the earlier ones of the 1945 texts


@problem(
    "pc_mac",
    title="PC or Mac",
    about="News on PC hardware against news on Macs: 6901 words, a third of which occur in at most three texts.",
    source="K. Lang, NewsWeeder: Learning to Filter Netnews, ICML 12 (1995); 20 Newsgroups, split by date",
    options=(n_training(N_NEWS, N_NEWS)._replace(meaning=f"training texts drawn from the {N_NEWS} earlier ones"),),
    kernel="linear",
    C=1.0,
    sigma=1.0,
    n_inputs=6901,
)
def pc_mac(seed, n) -> Problem:
    """X (n, 6901), sparse: (1 + ln count) times the inverse document frequency among the 1168, rows of length 1.

    The seed draws the n training texts among the earlier ones; the 777 later ones are the test set.
    """
    X, y = news()
    train = np.random.default_rng(seed).permutation(N_NEWS)[:n]
    return Problem(X[train], y[train], X[N_NEWS:], y[N_NEWS:])


@cache
def news() -> tuple[csr_matrix, np.ndarray]:
    """X (1945, 6901) sparse, y (1945,) of all texts, in the order of their dates."""
    counts, y = shipped("pc_mac.svm.gz")
    return TfidfTransformer(sublinear_tf=True).fit(counts[:N_NEWS]).transform(counts), y
