"""A bad file of points is a sentence that says where and what to do, and what just fits is taken."""

import json

import numpy as np
import pytest
from written import numbers_in

from pages.shared.files.delimited import WIDEST, csv_text
from pages.shared.files.document import json_text, read_json
from pages.shared.files.libsvm import libsvm_text
from pages.shared.files.reading import read_table
from pages.shared.files.table import MOST_COLUMNS, MOST_ROWS, point_columns

BAD = {
    "nothing": (b"", "empty; expected rows of numbers"),
    "blank": ("\ufeff \n\n\t\n", "empty; expected rows of numbers"),
    "comments alone": ("# a\n# b\n", "empty; expected rows of numbers"),
    "a header alone": ("# a\nx1,x2,y\n\n", "Row 2 is a header, and no rows of points follow; add them"),
    "one column": ("\nx\n1\n2\n", "Row 2 has one column only, 'x'; expected at least two, with a comma"),
    "spaces": ("1 2 1\n3 4 -1", "Row 1 has one column only, '1 2 1'"),
    "a cell too few": ("a,b,y\n1,2,1\n\n3,4\n", "Row 4 has 2 cells, but row 1 has 3: column 3 is missing; add"),
    "a cell too many": ("a,b,y\n1,2,1\n3,4,1,6", "Row 3 has 4 cells, but row 1 has 3: nothing is expected in column 4"),
    "a word": ("width,b,y\n1,2,1\n3,4,-1\nn/a,5,1", "Row 4, column 'width': expected a number, found 'n/a'; correct"),
    "a long word": ("a,b,y\n1,2,1\n3,4,-1\n" + "w" * 99 + ",5,1", "found '" + "w" * 39 + "…'"),
    "no number at first": ("n/a,2,1\n3,4,-1\n5,6,1", "Row 1, column 1: expected a number, found 'n/a'"),
    "nan at first": ("nan,nan,b\n3,4,a\n5,6,b", "Row 1, column 1: expected a number, found 'nan'"),
    "an empty cell": ("a,b,y\n1,,1\n3,4,-1", "Row 2, column 'b': expected a number, found an empty cell; correct"),
    "an empty column": ("a,b,y\n1,,1\n3,,-1", "Row 2, column 'b': expected a number, found an empty cell"),
    "nan": ("a,b,y\n1,2,1\n3,NaN,-1", "Row 3, column 'b': expected a number, found 'NaN'"),
    "inf": ("a,b,y\n1,2,1\n3,-inf,-1\n4,5,1", "Row 3, column 'b': expected a number, found '-inf'"),
    "beyond all floats": ("a,b,y\n1,2,1\n3,1e400,-1", "Row 3, column 'b': expected a number, found '1e400'"),
    "an underscore": ("a,b,y\n1,2,1\n3,1_0,-1\n4,5,1", "Row 3, column 'b': expected a number, found '1_0'"),
    "nan as a label": ("a,b,y\n1,2,1\n3,4,-1\n5,6,", "Row 4, column 'y': expected a number, found an empty cell"),
    "no name of a class": ("a,b,y\n1,2,u\n3,4,v\n5,6,", "Row 4, column 'y': expected the name of a class, found an"),
    "a class without a name": ("a,b,y\n1,2,u\n3,4,\n5,6,u", "Row 3, column 'y': expected the name of a class, found"),
    "a class that is not known": (
        "a,b,y\n1,2,u\n3,4,v\n5,6,NA",
        "column 'y': expected the name of a class, found 'NA'",
    ),
    "one word as a label": ("a,b,y\n1,2,u\n3,4,u", "classes in column 'y', rows 2 to 3, found only one: 'u' (2 rows)"),
    "one row": ("a,b,y\n1,2,u", "classes in column 'y', row 2, found only one: 'u' (1 row)"),
    "one number as a label": ("a,b,y\n1,2,1\n3,4,1\n5,6,1", "'y', rows 2 to 4, found only one: '1' (3 rows); choose"),
    "seven classes": (
        "a,b,y\n1,2,q\n" + "\n".join(f"{i},{i},{kind}" for i, kind in enumerate("qrstuvw")),
        "found 7: 'q' (2 rows), 'r' (1 row), 's' (1 row), 't' (1 row), 'u' (1 row), 'v' (1 row) and 1 more; keep the",
    ),
    "no numbers": ("a,b,y\nu,v,w\n", "Row 2, column 'a': expected a number, found 'u', and the file has no column of"),
    "one column of numbers": ("a,b,y\n1,u,w\n2,u,x", "expected a number, found 'u', and the file has one column"),
    "one feature": (
        "1 1:0.5\n-1 1:0.25",
        "Expected two or more different features beside the label 'y', got 'x1'; only this can be one: 'x1'.",
    ),
    "a column of dates": (
        "day,b,y\n" + "\n".join(f"2024-01-{k},{k},{k % 2}" for k in range(10, 21)),
        "only this can be one: 'b'. Column 'day' has 11 different words, such as '2024-01-10', and those",
    ),
    "too far": (
        "a,b,y\n1,2,1\n3,1000000001,-1\n5,6,1",
        "Row 3, column 'b': expected at most 1e+09 in size, found 1e+09",
    ),
    "far too far": ("a,b,y\n1,2,1\n3,-1e308,-1\n5,6,1", "expected at most 1e+09 in size, found -1e+308; use"),
    "quotation marks": ('a,b,y\n1,2,1\n2,"3,-1\n4,5,1\n', "Row 3 cannot be split into cells: a quotation mark opens"),
    "a word after quotation marks": ('a,b,y\n1,2,"u"v\n', "Row 2 cannot be split into cells: a quotation mark opens"),
    "UTF-16 without a mark": ("a,b,y\n1,2,1\n".encode("utf-16-le"), "Row 1 has a zero byte: the file is not text"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0", "The file is a PNG picture, not text; export"),
    "a workbook": (b"PK\x03\x04\x14\0", "a zip archive or an Excel workbook, not text; export the table as CSV"),
    "an endless line": ("1," * 500_001, "Row 1 has 1000002 characters; expected one point a row"),
    "ARFF": ("% of Weka\n@RELATION r\n@ATTRIBUTE a real\n@DATA\n1,2,u\n3,4,v", "The file is ARFF; keep the rows below"),
    "entry 0": ("1 1:1\n-1 0:1", "Row 2, entry '0:1': features count from 1 in LIBSVM text; add one to all"),
    "a falling entry": ("1 2:1 1:3", "Row 1, entry '1:3': feature numbers must increase, but this one follows feature"),
    "a double entry": ("1 2:1 2:3", "Row 1, entry '2:3': feature 2 appears twice; delete"),
    "an entry without a number": ("1 1:1 2:x", "Row 1, entry '2:x': expected a number for column 'x2', found 'x';"),
    "an entry without a value": ("1 1:1 2:", "entry '2:': expected a number for column 'x2', found an empty cell"),
    "an entry nan": ("1 1:1 2:nan", "Row 1, entry '2:nan': expected a number for column 'x2', found 'nan'"),
    "an entry without a colon": ("1 1:1\n1 1:1 2", "Row 2, entry '2': expected feature:value with a whole number"),
    "an entry with a word": ("1 1:1\n1 1:1 qid:2", "Row 2, entry 'qid:2': expected feature:value with a whole number"),
    "a negative entry": ("1 -1:1", "Row 1, entry '-1:1': expected feature:value with a whole number"),
    "a label that is a word": ("u 1:1\nv 1:2", "Row 1: expected a number as the label, found 'u'; write -1 or +1"),
    "many features": ("1 1:1\n1 2:2 99:1", "Row 2, entry '99:1': at most 98 features and the label are read; delete"),
    "no JSON": ('{"format": "svm-lab",\n "version" 1}', "Row 2, character 12: this is not JSON"),
    "a list": ("[1, 2]", "Expected a JSON object in braces, found '[1, 2]'; download"),
    "other JSON": ('{"format": "geojson"}', 'with "format": "svm-lab", found \'"geojson"\'; save the points as CSV'),
    "JSON of nobody": ("{}", 'with "format": "svm-lab", found nothing'),
    "JSON of tomorrow": ('{"format": "svm-lab", "version": 2}', "Expected version 1 of the format, found '2'; open"),
    "endless JSON": ('{"a":' * 50_000, "more parts than a document"),
    "an endless number": ('{"a": ' + "9" * 5000 + "}", "too deep; download the file again"),
}


@pytest.mark.parametrize("raw, words", BAD.values(), ids=BAD)
def test_a_bad_file_is_a_sentence(sentence, raw, words):
    assert words in sentence(raw)


def test_the_limits(sentence):
    """What just fits is taken, one more is refused: 5000 points, 99 columns."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(MOST_ROWS, MOST_COLUMNS - 1))
    y = np.where(np.arange(len(X)) % 3, 1.0, -1.0)
    for write in (csv_text, libsvm_text):
        for points, labels in ((X[:, :2], y), (X[:9], y[:9])):
            assert np.array_equal(read_table(write(points, labels)).columns, [*points.T, labels])
    text = csv_text(X[:, :2], y) + "\n1,2,1\n"
    assert "The file holds 5001 points, and the plane takes at most 5000: those from row 5003 on" in sentence(text)
    body = text.split("\n", 1)[1]
    assert numbers_in(sentence(body)) == [5001, 5000, 5002]
    assert numbers_in(sentence(body + "1,2,1\n" * 4998)) == [9999, 5000, 5002]
    assert numbers_in(sentence(libsvm_text(X[:, :2], y) + "1 1:1\n")) == [5001, 5000, 5001]
    columns = point_columns(X[:, :2], y)
    document = json_text({name: [*values, 1.0] for name, values in columns.items()}, {}, {})
    assert "point 5001 " in sentence(document)

    wide = rng.normal(size=(4, 99))
    for head in ("", ",".join(f"f{i}" for i in range(100)) + "\n"):
        rows = head + "\n".join(",".join(map(str, [*row, 1])) for row in wide)
        assert "Row 1 has 100 columns, and at most 99 can be chosen from; delete columns" in sentence(rows)
    late = "1,2" + "," * 98 + "\n" + "\n".join(",".join(["1"] * 100) for _ in range(3))
    assert numbers_in(sentence(late)) == [1, 100, 99, 100]
    assert numbers_in(sentence("1," * 100 + "1\n1,2"))[:2] == [1, 101]  # before any other row is looked at
    fitting, beyond = "," * (WIDEST - 3), "," * (WIDEST - 2)  # after three cells
    assert read_table(f"a,b,y{fitting}\n1,2,1\n3,4,-1{fitting}").names == ("a", "b", "y")
    assert numbers_in(sentence(f"a,b,y{beyond}\n1,2,1\n3,4,-1"))[:2] == [1, WIDEST + 1]
    assert numbers_in(sentence(f"a,b,y\n1,2,1\n3,4,-1{beyond}"))[:2] == [3, WIDEST + 1]
    many = json_text({**point_columns(X[:9, :2], y[:9]), **{f"z{i}": y[:9] for i in range(97)}}, {}, {})
    assert '"points"' in sentence(many) and numbers_in(sentence(many)) == [100, 99, 100]


POINTS = {"x1": [1.0, 2.0], "x2": [3, 4], "y": [-1, 1]}


@pytest.mark.parametrize(
    "change, words",
    [
        ({"points": None}, 'Expected an object under "points", found nothing'),
        ({"settings": 3}, "Expected an object under \"settings\", found '3'"),
        ({"model": [1]}, "Expected an object under \"model\", found '[1]'"),
        ({"version": "1"}, "Expected version 1 of the format, found '\"1\"'"),
        ({"points": {"x1": [1, 2]}}, "under \"points\", found no column 'y'"),
        ({"points": {"y": [1, 2]}}, "under \"points\", found no column 'x1'"),
        ({"points": {**POINTS, "y": 1}}, "Expected a list of numbers in column 'y', found '1'"),
        ({"points": {**POINTS, "x2": []}}, "Expected a list of numbers in column 'x2', found '[]'"),
        ({"points": {**POINTS, "x2": [1]}}, "Expected 2 numbers in column 'x2', as in 'y', found 1"),
        ({"points": {**POINTS, "x2": [1, "2"]}}, "Point 2, column 'x2': expected a number, found '\"2\"'"),
        ({"points": {**POINTS, "x2": [1, None]}}, "Point 2, column 'x2': expected a number, found nothing"),
        ({"points": {**POINTS, "x1": [float("nan"), 2]}}, "Point 1, column 'x1': expected a number, found 'NaN'"),
        ({"points": {**POINTS, "x1": [10**400, 2]}}, "Point 1, column 'x1': expected a number, found '1000"),
        ({"points": {**POINTS, "x1": [1, 2e9]}}, "Point 2, column 'x1': expected at most 1e+09 in size, found 2e+09"),
        ({"points": {**POINTS, "y": [1, 1]}}, "column 'y', points 1 to 2, found only one: '1' (2 points)"),
    ],
)  # fmt: skip
def test_a_broken_document_is_a_sentence(sentence, change, words):
    document = {"format": "svm-lab", "version": 1, "points": POINTS, "settings": {}, "model": {}}
    read_json(json.dumps(document))
    assert words in sentence(json.dumps({**document, **change}), ("x1", "x2"), "y")


def test_a_document_takes_plain_finite_values():
    with pytest.raises(ValueError, match="Expected finite numbers in 'model', got nan or inf; leave"):
        json_text(POINTS, {}, {"upper": np.inf})
    with pytest.raises(TypeError, match="Expected numbers, texts, lists and dicts, got set"):
        json_text(POINTS, {"kinds": {1}}, {})
