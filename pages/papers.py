"""The five papers: every table and figure, our results beside the published ones."""

from pages.shared import frame

frame.begin("Papers", "Every table and figure of the five papers: our results beside the published ones.")

import streamlit as st

from pages.shared import controls, plane
from pages.shared.parts import guards, panels, paper_claims, paper_recomputation, paper_tables
from pages.shared.parts.paper_exhibits import EXHIBITS
from pages.shared.studies import paper_results
from pages.shared.studies.paper_texts import PAPERS, experiments

key = controls.paper({key: paper.title for key, paper in PAPERS.items()})
paper = PAPERS[key]

with guards.guarded():
    controls.share()
    st.caption(paper.source)
    st.markdown(paper.idea)
    for experiment in experiments(key):
        name, exhibit = experiment.name, EXHIBITS[experiment.name]
        table = paper_results.stored(name)
        paper_tables.heading(experiment)
        pictures = exhibit.pictures(table)
        with st.container(key=f"exhibit_{name}"):
            cells = panels.cells(len(pictures), max(len(pictures), 2))
        for number, (cell, picture) in enumerate(zip(cells, pictures, strict=False)):
            with cell:
                plane.show(picture.figure, heading=picture.title, key=f"{name}-{number}", height=picture.height)
        paper_tables.numbers(name, table, exhibit)
        paper_recomputation.section(experiment, exhibit.links)
    paper_claims.section(paper)
