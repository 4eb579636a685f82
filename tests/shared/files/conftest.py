"""What is said of a file that cannot be used."""

import pytest

from pages.shared.files.reading import read_table
from pages.shared.files.table import read_classes, suggested_columns


@pytest.fixture(scope="session")
def sentence():
    """sentence(raw, features, label) -> what is said; without a choice with the suggested columns."""

    def said(raw, *choice):
        with pytest.raises(ValueError) as caught:
            table = read_table(raw)
            read_classes(table, *(choice or suggested_columns(table)))
        words = str(caught.value)
        assert words[0].isupper() and words.endswith(".") and "\n" not in words and len(words) < 400, words
        return words

    return said
