"""The five papers: every table and figure, ours beside theirs."""

from pages.shared import frame

frame.begin("Papers", "Every table and figure of the five papers: ours beside theirs.")

from pages.shared import controls, panels, papers_page

paper = controls.paper({key: entry.title for key, entry in papers_page.PAPERS.items()})

with panels.guarded():
    controls.share()
    papers_page.idea(papers_page.PAPERS[paper])
    for entry in papers_page.experiments(paper):
        papers_page.section(entry)
    papers_page.claims(papers_page.PAPERS[paper])
