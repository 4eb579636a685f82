"""The five papers: every table and figure, our results beside the published ones."""

from pages.shared.page.page import page

with page("Papers", "Every table and figure of the five papers: our results beside the published ones."):
    import streamlit as st

    from pages.shared.controls import widgets
    from pages.shared.panels import machine_numbers
    from pages.shared.papers import stored_results
    from pages.shared.papers.screens import result_tables
    from pages.shared.papers.screens.exhibits import EXHIBITS
    from pages.shared.papers.stored_results import PAPERS, experiments
    from pages.shared.plane import component
    from pages.shared.screen import schema
    from svmcore.words import capital

    key = widgets.show(schema.PAPER, options={key: paper.title for key, paper in PAPERS.items()})
    paper = PAPERS[key]

    st.caption(paper.source)
    st.markdown(paper.idea)
    for experiment in experiments(key):
        name, exhibit = experiment.name, EXHIBITS[experiment.name]
        table = stored_results.load_result(name)
        st.header(capital(experiment.title), anchor=name.replace(".", "-"), divider="gray")
        st.caption(f"In the paper: {stored_results.symbols(experiment.shows)}")
        pictures = exhibit.pictures(table)
        with st.container(key=f"exhibit_{name}"):
            cells = machine_numbers.cells(len(pictures), max(len(pictures), 2))
        for number, (cell, picture) in enumerate(zip(cells, pictures, strict=False)):
            with cell:
                component.show_figure(
                    picture.figure, heading=picture.title, key=f"{name}-{number}", height=picture.height
                )
        result_tables.numbers(name, table, exhibit)
        result_tables.recompute(experiment, exhibit.links)
    result_tables.claims(paper)
