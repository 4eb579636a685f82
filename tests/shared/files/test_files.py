"""Files of points: what was written is read bit by bit, and columns are chosen from files of others."""

import io
import json

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_iris, load_svmlight_file
from written import numbers_in

from pages.shared.files.delimited import csv_text
from pages.shared.files.document import json_text, read_json
from pages.shared.files.libsvm import libsvm_text
from pages.shared.files.reading import read_table
from pages.shared.files.table import MOST_COLUMNS, point_columns, read_classes, read_features, suggested_columns

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
WORDS = st.text("abcXYZ éß-+_/.!", min_size=1, max_size=6).map(str.strip).filter(bool)


@st.composite
def point_sets(draw, most=4):
    """X (N, d) of any finite floats, and y (N,) of -1 and +1 with both classes."""
    n, d = draw(st.integers(2, 8)), draw(st.integers(2, most))
    X = draw(arrays(float, (n, d), elements=NUMBERS))
    y = draw(arrays(float, n, elements=st.sampled_from([-1.0, 1.0])))
    y[:2] = [1.0, -1.0]
    return X, y


def assert_bits(found, expected):
    assert np.array_equal(np.asarray(found, float).view(np.int64), np.asarray(expected, float).view(np.int64))


# What was written is read again


@settings(max_examples=30, deadline=None)
@given(point_sets(), st.booleans())
@example((np.array([[-0.0, 5e-324], [1e308, 0.1]]), np.array([1.0, -1.0])), True)
def test_our_csv_comes_back_bit_by_bit(made, as_bytes):
    X, y = made
    alpha, outlier = X[:, 0] / 3, y > 0
    text = csv_text(X, y, alpha=alpha, outlier=outlier)
    table = read_table(text.encode() if as_bytes else text)
    assert table.names == (*(f"x{i + 1}" for i in range(X.shape[1])), "y", "alpha", "outlier")
    assert_bits(table.columns, [*X.T, y, alpha, outlier])
    assert table.numeric == table.names and not table.flaws
    assert list(table.lines) == list(range(2, len(y) + 2))


@settings(max_examples=30, deadline=None)
@given(point_sets())
def test_our_libsvm_text_comes_back_bit_by_bit(made):
    X, y = made
    table = read_table(libsvm_text(X, y))
    assert table.names == (*(f"x{i + 1}" for i in range(X.shape[1])), "y")
    assert_bits(table.columns, [*X.T, y])
    theirs, labels = load_svmlight_file(io.BytesIO(libsvm_text(X, y).encode()), n_features=X.shape[1])
    assert np.array_equal(theirs.toarray(), X) and np.array_equal(labels, y)


@settings(max_examples=30, deadline=None)
@given(point_sets(), st.dictionaries(WORDS, NUMBERS | WORDS | st.booleans() | st.lists(NUMBERS)))
def test_our_json_comes_back_bit_by_bit(made, kept):
    X, y = made
    model = {"beta": X[:, 0], "intercept": np.float64(0.1), "support": np.arange(3)}
    text = json_text(point_columns(X, y, alpha=X[:, 1]), kept, model)
    assert {"format": "svm-lab", "version": 1}.items() <= json.loads(text).items()
    points, same, back = read_json(text)
    assert list(points) == [*(f"x{i + 1}" for i in range(X.shape[1])), "y", "alpha"]
    assert_bits(list(points.values()), [*X.T, y, X[:, 1]])
    assert same == kept and back["intercept"] == 0.1 and back["support"] == [0, 1, 2]
    assert_bits(back["beta"], X[:, 0])
    table = read_table(text)
    assert table.names == tuple(points) and table.unit == "point"
    assert_bits(table.columns, [*X.T, y, X[:, 1]])


def test_files_of_points_have_the_shortest_text_of_each_number():
    X, y = np.array([[0.5, -1.25], [3.0, 0.1]]), np.array([1.0, -1.0])
    text = csv_text(X, y, alpha=[0.0, 2.0], margin=[1.5, -0.5], outlier=[False, True])
    assert text == "x1,x2,y,alpha,margin,outlier\n0.5,-1.25,1,0,1.5,0\n3,0.1,-1,2,-0.5,1\n"
    assert libsvm_text(X, y) == "+1 1:0.5 2:-1.25\n-1 1:3 2:0.1\n"
    assert suggested_columns(read_table(text)) == (("x1", "x2"), "y")


# Files of others


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encodings_of_spreadsheets(encoding):
    for text in ("Länge;x;Art\r\n1,5;2;grün\r\n3;4;weiß\r\n", "Länge\tx\tArt\n1.5\t2\tgrün\n3\t4\tweiß\n"):
        table = read_table(text.encode(encoding))
        assert table.names == ("Länge", "x", "Art")
        assert [list(column) for column in table.columns] == [[1.5, 3.0], [2.0, 4.0], ["grün", "weiß"]]


@settings(max_examples=30, deadline=None)
@given(
    point_sets(), st.sampled_from([",", ";", "\t"]), st.booleans(), st.booleans(), st.sampled_from(["\n", "\r\n", "\r"])
)
def test_every_dialect_holds_the_same_table(made, delimiter, header, quoted, end):
    X, y = made
    rows = [
        [repr(float(v)) for v in row] + ["ja" if label > 0 else "no, or ; never"]
        for row, label in zip(X, y, strict=True)
    ]
    if delimiter != ",":
        rows = [[cell.replace(".", ",") for cell in row[:-1]] + row[-1:] for row in rows]
    if header:
        rows.insert(0, [*(f"Länge {i}" for i in range(X.shape[1])), "Art"])
    quote = '"{}"'.format if quoted else str
    lines = [delimiter.join([*map(quote, row[:-1]), f'"{row[-1]}"']) for row in rows]
    text = "\ufeff" + end * 2 + (end * 2).join(lines) + end
    table = read_table(text.encode())
    assert table.names[0] == ("Länge 0" if header else "column 1") and len(table.names) == X.shape[1] + 1
    assert_bits(table.columns[:-1], X.T)
    assert table.numeric == table.names[:-1] and table.columns[-1].tolist() == [row[-1] for row in rows[header:]]
    assert list(table.lines) == list(range(3 + 2 * header, 3 + 2 * len(rows), 2))
    assert suggested_columns(table)[1] == table.names[-1]


@settings(max_examples=30, deadline=None)
@given(point_sets(), st.lists(WORDS, min_size=2, max_size=2, unique=True))
def test_labels_of_any_two_names(made, pair):
    X, y = made
    X = np.clip(X, -1e9, 1e9)
    low, high = pair
    assume(not any(word.isdigit() for word in pair))
    rows = [f'{a!r},"{high if label > 0 else low}",{b!r}' for (a, b), label in zip(X[:, :2].tolist(), y, strict=True)]
    table = read_table("p,kind,q\n" + "\n".join(rows))
    found, labels, names = read_classes(table, ("p", "q"), "kind", positive=high)
    assert_bits(found, X[:, :2])
    assert np.array_equal(labels, y) and names == {-1.0: low, 1.0: high}
    swapped = read_classes(table, ("q", "p"), "kind", positive=low)
    assert np.array_equal(swapped[1], -y) and swapped[2] == {-1.0: high, 1.0: low}
    assert np.array_equal(swapped[0], found[:, ::-1])


@pytest.mark.parametrize(
    "pair, positive",
    [
        (("setosa", "virginica"), "virginica"),
        (("yes", "no"), "yes"),
        (("TRUE", "FALSE"), "TRUE"),
        (("y", "z"), "y"),
        (("true", "yes"), "yes"),
        (("+", "-"), "+"),
        (("Positive", "negative"), "Positive"),
        (("neg", "pos"), "pos"),
        (("0", "1"), "1"),
        (("1", "2"), "2"),
        (("-1", "+1"), "1"),
        (("-10", "-9.5"), "-9.5"),
        (("9", "10"), "10"),
        (("1", "other"), "1"),
    ],
)
def test_the_positive_class(pair, positive):
    """Of numbers the larger, of words the one that says yes, else the second in the alphabet."""
    for first, second in (pair, pair[::-1]):
        table = read_table(f"a,b,c\n0.1,0.2,{first}\n0.3,0.5,{second}\n0.4,0.7,{second}")
        _, y, names = read_classes(table, ("a", "b"), "c")
        assert names[1.0] == positive and len({*names.values()}) == 2
        assert y[0] == (1.0 if first.lstrip("+") == positive or first == positive else -1.0) and y[1] == y[2] == -y[0]


def test_what_is_no_label():
    table = read_table("a,b,c,y,z\n1,2,u,0,u\n3,4,,-0,u\n5,6,u,1,u")
    assert table.labels() == ("y",)
    assert read_classes(table, ("a", "b"), "y")[2] == {-1.0: "0", 1.0: "1"}
    regions = read_table("a,b,y\n1,2,EU\n3,4,NA\n5,6,EU")
    assert read_classes(regions, ("a", "b"), "y")[2] == {-1.0: "EU", 1.0: "NA"}


def test_two_features_of_any(sentence):
    iris = load_iris()
    rows = [
        f"{i},{','.join(map(str, row))},{iris.target_names[kind]}"
        for i, (row, kind) in enumerate(zip(iris.data, iris.target, strict=True))
    ]
    table = read_table("\n".join([",sl,sw,pl,pw,species", *rows[50:]]))
    assert table.names == ("column 1", "sl", "sw", "pl", "pw", "species")
    assert table.numeric == table.names[:5] and table.labels() == ("species",)
    X, y, names = read_classes(table, ("pw", "sl"), "species")
    assert np.array_equal(X, iris.data[50:, [3, 0]]) and np.array_equal(y, np.repeat([-1.0, 1.0], 50))
    assert names == {-1.0: "versicolor", 1.0: "virginica"}
    four = [*rows, *(row.replace("setosa", "another") for row in rows[:2])]
    assert numbers_in(sentence("\n".join([",sl,sw,pl,pw,species", *four]))) == [2, 153, 4, 50, 50, 50, 2, 3]


def test_three_classes_are_numbered_in_their_order():
    iris = load_iris()
    names = iris.target_names[iris.target]
    rows = [f"{row[2]},{row[3]},{name}" for row, name in zip(iris.data, names, strict=True)]
    table = read_table("\n".join(["pl,pw,species", *reversed(rows)]))
    assert table.labels() == ("species",) and suggested_columns(table) == (("pl", "pw"), "species")
    X, y, classes = read_classes(table, ("pl", "pw"), "species")
    assert np.array_equal(X, iris.data[::-1, 2:]) and np.array_equal(y, iris.target[::-1] + 1.0)
    assert classes == {1.0: "setosa", 2.0: "versicolor", 3.0: "virginica"}
    numbers = read_table("a,b,y\n1,2,10\n3,4,9\n5,7,9\n6,6,-1")
    assert numbers.labels() == ("y",)
    assert read_classes(numbers, ("a", "b"), "y")[1:][1] == {1.0: "-1", 2.0: "9", 3.0: "10"}


def test_what_spreadsheets_add(sentence):
    text = "sep=;\n a ;b;b;;c;\n\n1,5; 2;3;;ja;\n;;;;;\n2,5;4;5e1;;nein;;\n"
    table = read_table(text)
    assert table.names == ("a", "b", "b (column 3)", "c") and list(table.lines) == [4, 6]
    assert np.array_equal(np.column_stack(table.columns[:3]), [[1.5, 2, 3], [2.5, 4, 50]])
    inside = read_table('# top\n1,2,"u\n#v"\n3,4,w')
    assert inside.columns[2].tolist() == ["u\n#v", "w"] and list(inside.lines) == [2, 4]
    assert "Row 2 has 1 cell, but row 1 has 3" in sentence("1,2,u\n# 2\n3,4,w")
    again = read_table('x,x (column 3),x,"two\nlines"\n1,2,3,4\n5,6,7,9')
    assert len({*again.names}) == 4 and list(again.lines) == [3, 4]


def test_decimal_commas_and_points_are_not_mixed_up(sentence):
    assert read_table("1,5;2;1\n2,5;3;2\n3,5;1\n3,5;3;1".replace("3,5;1\n", "")).columns[0].tolist() == [1.5, 2.5, 3.5]
    assert read_table("1.5;2;1\n2.5;3;2").columns[0].tolist() == [1.5, 2.5]
    assert read_table("1,5;2,5;ja\n1;2;nein").columns[1].tolist() == [2.5, 2.0]
    assert numbers_in(sentence("1,5;2;1\n2,5;3;1\n3,5;3\n"))[:4] == [3, 2, 1, 3]
    words = sentence("a;b;y\n1,5;2,25;1\n1.500;2,5;2\n2,5;3,5;2")
    assert "Row 3, column 'a': expected a number with a decimal comma, found '1.500'" in words
    words = sentence("a;b;y\n1.5;2,25;1\n1.500;2.5;2\n2.5;3.5;2")
    assert "Row 2, column 'b'" in words and "'2,25'" in words
    assert read_table("1,5\t2,5\tja\n1\t−2\tnein").columns[1].tolist() == [2.5, -2.0]  # as a spreadsheet copies
    for text in ("a;b;y\n987;1;u\n1.234;2;v\n12.345;3;v", "a\tb\ty\n987\t1\tu\n1,234\t2\tv\n12,345\t3\tv"):
        words = f"Row 3, column 'a': expected a number without separators of thousands, found '{text[14:19]}'"
        assert words in sentence(text)
    words = sentence("a;b;y\n1,5;1,5;u\n2,5;1.234,5;v\n3,5;2.234,5;v")
    assert "Row 3, column 'b'" in words and "'1.234,5'" in words
    words = sentence("a\tb\ty\n1,5\t2\t1\n2.5\t3\t2\n3\t4\t1")
    assert "Row 2, column 'a'" in words and "'1,5'" in words


def test_libsvm_text():
    table = read_table("# made by hand\n+1 1:0.5 3:2 # first\r\n\r\n-1 2:1e-3\n1\n")
    assert table.names == ("x1", "x2", "x3", "y") and list(table.lines) == [2, 4, 5]
    assert np.array_equal(np.column_stack(table.columns), [[0.5, 0, 2, 1], [0, 1e-3, 0, -1], [0, 0, 0, 1]])
    assert read_table(f"1 1:1\n2 {MOST_COLUMNS - 1}:7").columns[-2].tolist() == [0.0, 7.0]
    times = "when,a,b,y\n2024-01-01 12:30,1,2,1\n2024-01-02 13:00,2,3,-1"  # with colons, but no LIBSVM text
    assert read_table(times).numeric == ("a", "b", "y")


def test_what_can_be_used_without_its_broken_columns_is_used():
    table = read_table("a,b,c,y\n1,2,3,u\n3,,5,v\n5,6,7,u")
    assert table.numeric == ("a", "c") and table.labels() == ("y",)
    assert table.flaws == {
        "b": "Row 3, column 'b': expected a number, found an empty cell; correct the cell or delete the row."
    }
    assert suggested_columns(table) == (("a", "c"), "y")
    for wrong in (("a", "b"), ("b", "c")):
        with pytest.raises(ValueError, match="Row 3, column 'b': expected a number, found an empty cell"):
            read_classes(table, wrong, "y")
    with pytest.raises(ValueError, match="Row 3, column 'b'"):
        read_classes(table, ("a", "c"), "b")


def test_words_become_features_of_0_and_1():
    table = read_table("a,b,kind,side,who,gap,y\n1,0,u,l,n1,p,no\n2,0,v,r,n2,,yes\n3,0,w,l,n3,p,yes")
    assert table.features("y") == ("a", "b", "kind", "side", "who")
    assert table.flaw("gap") == (
        "Row 3, column 'gap': expected a word, found an empty cell; fill it in or delete the row."
    )
    asked = read_table("a,b,c,y\n1,0,u,1\n2,0,?,2\n3,0,none,2")
    assert "Row 3, column 'c'" in asked.flaw("c") and "'?'" in asked.flaw("c")
    X, names = read_features(table, ("side", "kind", "a"))
    assert names == ("side = r", "kind = u", "kind = v", "kind = w", "a")
    assert X.tolist() == [[0, 1, 0, 0, 1], [1, 0, 1, 0, 2], [0, 0, 0, 1, 3]]
    assert np.array_equal(read_classes(table, ("side", "kind", "a"), "y")[0], X)
    with pytest.raises(ValueError, match="Row 3, column 'gap': expected a word, found an empty cell"):
        read_classes(table, ("a", "kind", "gap"), "y")
    rows = "\n".join(f"{k},0,w{k},{k % 2}" for k in range(11))
    wide = read_table("a,b,who,y\n" + rows)
    words = "Column 'who' has 11 different words, such as {}, and those of at most 10 become features."
    assert wide.flaw("who") == words.format("'w0'")
    assert read_table("a,b,who,y\n" + rows.replace("w0", "7")).flaw("who") == words.format("'w1'")
    names = [f"c{k}" for k in range(12)]
    many = [",".join([*names, "a", "b"]), *(",".join([f"w{j}"] * 12 + [f"{j},{j}"]) for j in range(10))]
    table = read_table("\n".join(many))
    with pytest.raises(ValueError, match="These columns make 120 features, and at most 99 are fitted"):
        read_features(table, names)
    assert len(read_features(table, ["b"] * MOST_COLUMNS)[1]) == MOST_COLUMNS


def test_a_choice_that_is_none():
    table = read_table("a,b,c,y\n1,2,3,u\n3,4,5,v\n5,6,7,u")
    for features, label in ((("a", "a"), "y"), (("a", "b"), "b"), (("a",), "y"), ((), "y")):
        with pytest.raises(ValueError, match="Expected two or more different features .* choose among: 'a'"):
            read_classes(table, features, label)
    with pytest.raises(ValueError, match="There is no column 'z'; choose among: 'a', 'b', 'c', 'y'"):
        read_classes(table, ("a", "z"), "y")
    with pytest.raises(ValueError, match="Class 'w' is not in column 'y'; choose 'u' or 'v'"):
        read_classes(table, ("a", "b"), "y", positive="w")


@pytest.mark.parametrize(
    "head, rows, expected",
    [
        ("x,y,group", "1,2,u 3,4,v 5,6,u", (("x", "y"), "group")),
        ("y,a,b,z", "0,2,3,0 1,4,5,1 0,6,7,1", (("a", "b", "z"), "y")),
        ("a,b,z,w", "1,2,0,0 3,4,1,1 5,6,1,0", (("a", "b", "z"), "w")),
        ("class,a,b,w", "u,2,3,0 v,4,5,0 v,5,6,1", (("a", "b", "w"), "class")),
        ("a,kind,b,w", "1,u,3,0 2,v,5,0 4,v,6,1", (("a", "b", "w"), "kind")),
        ("a,b,c,species,w", "1,2,0,u,0 2,3,1,v,2 4,4,0,w,1", (("a", "b", "c", "w"), "species")),
        ("a,b,note", "1,2,u 2,3,v 3,4,w", (("a", "b"), "note")),
        ("a,b,kind,side", "1,2,u,l 3,4,v,r 5,6,w,l", (("a", "b", "kind"), "side")),  # two classes before three
        ("a,b,c", "1,2,3 2,3,4 3,4,5", (("a", "b"), "c")),
        (",b,c,kind", "0,2,3,u 1,3,3,u 2,4,5,v", (("b", "c"), "kind")),  # a first column that numbers the rows
        ("a,b,c,kind", "1,2,3,u 2,3,3,u 4,4,5,v", (("a", "b", "c"), "kind")),
    ],
)
def test_suggested_columns(head, rows, expected):
    assert suggested_columns(read_table("\n".join([head, *rows.split()]))) == expected


@settings(max_examples=100, deadline=None)
@given(
    st.binary(max_size=60)
    | st.text(max_size=60)
    | st.text('01.5,;\t\n\r"-+e:# ayn{}[]\ufeff', max_size=60)
    | st.lists(
        st.lists(st.sampled_from(["1", "2.5", "u", "", "nan", "1,5", '"', "3:4"]), max_size=4).map(",".join)
    ).map("\n".join)
)
@example('"')
@example(",\n,")
@example("1\n")
@example("\x1c,1\n2,3")
def test_whatever_comes_is_a_table_or_a_sentence(raw):
    try:
        table = read_table(raw)
    except ValueError as error:
        assert str(error).endswith(".")
        return
    assert len({*table.names}) == len(table.names) == len(table.columns) >= 2 and len(table.numeric) >= 2
    assert {len(column) for column in table.columns} == {len(table.lines)}
    try:
        read_classes(table, *suggested_columns(table))
    except ValueError as error:
        assert str(error).endswith(".")
