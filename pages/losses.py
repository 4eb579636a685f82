"""All losses in one chart, a card for each, and the effect of one outlier on each machine."""

from pages.shared.page.page import page

with page("Losses", "How each loss penalises a point, and how its machine responds to an outlier.") as run:
    from functools import partial

    import streamlit as st

    from pages.shared.controls import link, widgets
    from pages.shared.controls.page_controls import choose_losses
    from pages.shared.live import loss_pictures, scene
    from pages.shared.panels import best_possible, loss_cards, outlier_sweep
    from pages.shared.plane import component
    from pages.shared.screen import schema
    from pages.shared.studies import formatting, lone_outlier

    every, chosen = choose_losses()
    kind = widgets.show(schema.CURVE)
    weight = widgets.show(schema.PROX_C) if kind == "prox" else 1.0
    kernel, distance = widgets.show(schema.LONE_KERNEL.only(lone_outlier.KERNELS)), widgets.show(schema.DISTANCE)
    link.share(lone_outlier.DATA)
    with st.container(key="stage"):
        left, right = st.columns([0.48, 0.52], gap="small")
    graph = loss_pictures.LossGraph(tuple(every), tuple(chosen), kind, weight)
    known = outlier_sweep.begin_sweep(chosen, kernel, distance, graph)
    shown = scene.show(loss_pictures.losses, known)
    with left:
        component.show_figure(shown.figures["curves"], key="curves", fill=1, live=shown.live)
        st.caption(f"{loss_pictures.MEANING[kind]} {loss_pictures.MARKED[kind] if chosen else ''}")
        with st.container(key="cards"):
            loss_cards.cards(chosen)
            loss_cards.show_folded([machine for machine in every if machine not in chosen])
            with st.expander("All losses in one table: the dual box, and how each is solved"):
                st.html(formatting.grid(loss_cards.HEAD, loss_cards.rows(every), tips=loss_cards.TIPS))
    with right:
        if not chosen:
            run.end("Choose a loss to see the effect of the outlier on its machine.")
        outlier_sweep.section(chosen, known, shown, partial(scene.show, loss_pictures.losses))
        if kernel == "linear":
            best_possible.beside_the_outlier(chosen, distance)
        st.header("Moving one outlier away", anchor=False)
        st.markdown(outlier_sweep.SET_UP)
        st.markdown(outlier_sweep.WHY[kernel])
