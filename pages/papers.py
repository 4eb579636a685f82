"""The five papers: every table and figure, ours beside theirs."""

from pages.shared import frame
from pages.shared.parts import guards

frame.begin("Papers", "Every table and figure of the five papers: ours beside theirs.")

from pages.shared import controls
from pages.shared.parts import paper_tables

paper = controls.paper({key: entry.title for key, entry in paper_tables.PAPERS.items()})

with guards.guarded():
    controls.share()
    paper_tables.idea(paper_tables.PAPERS[paper])
    for entry in paper_tables.experiments(paper):
        paper_tables.section(entry)
    paper_tables.claims(paper_tables.PAPERS[paper])
