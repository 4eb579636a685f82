"""The five papers in a few sentences. No Streamlit here."""

from typing import NamedTuple

from svmcore import papers
from svmcore.problems.tables import load_texts


class Paper(NamedTuple):
    """One of the five: its title, its source, its `idea` in a few sentences; its experiments begin with its key."""

    title: str
    source: str
    idea: str


PAPERS = {key: Paper(**entry) for key, entry in load_texts("papers").items()}


def experiments(key: str) -> list[papers.Experiment]:
    return [entry for entry in papers.REGISTRY.values() if entry.name.startswith(f"{key}.")]
