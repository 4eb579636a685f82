"""The parts of the Papers page: the idea of a paper, its tables and figures, what it claims."""

from typing import NamedTuple

import streamlit as st

from pages.shared import paper_figures, plane, results, scenes, tables
from pages.shared.background import Job
from svmcore import papers


class Paper(NamedTuple):
    """One of the five: `idea` in three sentences; its experiments have names that begin with its key."""

    title: str
    source: str
    idea: str


PAPERS = {
    "ls_svm": Paper(
        "LS-SVM",
        "J. A. K. Suykens, J. Vandewalle, Least Squares Support Vector Machine Classifiers, Neural Processing Letters "
        "9 (1999) 293-300",
        "Equality constraints and squared slacks turn the quadratic programme of the support vector machine into one "
        "set of linear equations. The price is sparsity: every point has a support value, and it is proportional to "
        "its error. A bound on the VC dimension is proposed for choosing the width of the kernel.",
    ),
    "least_1_norm": Paper(
        "Least 1-Norm SVM",
        "J. López, J. R. Dorronsoro, Least 1-Norm SVMs: a New SVM Variant between Standard and LS-SVMs (2010)",
        "Equality constraints with the 1-norm of the slacks fill the last cell of a table of four machines. The dual "
        "is that of the standard machine with the box [−C, C] instead of [0, C]. So the pull of an outlier is "
        "bounded, where in the LS-SVM it grows with its distance.",
    ),
    "isls": Paper(
        "Sparse LS-SVM",
        "J. López, K. De Brabanter, J. R. Dorronsoro, J. A. K. Suykens, Sparse LS-SVMs with L0-norm Minimization, "
        "ESANN (2011) 189-194",
        "An LS-SVM whose coefficients are penalised one by one is solved again and again. Each time the weight of a "
        "coefficient becomes the inverse of its square, which is a way towards the 0-norm. What is small dies "
        "quadratically, and a handful of support vectors is left, for classes and for curves.",
    ),
    "l01": Paper(
        "L0/1-SVM",
        "H. Wang, Y. Shao, S. Zhou, C. Zhang, N. Xiu, Support Vector Machine Classifier via L0/1 Soft-Margin Loss "
        "(2019)",
        "The soft margin counts the points inside it instead of measuring how far they are inside. Alternating "
        "directions keep a working set of points near the margin, and only these are in the linear system of a step. "
        "Points on the wrong side cost one each, however far they lie, and are never support vectors.",
    ),
    "walk": Paper(
        "RW",
        "A Walk from 2-Norm SVM to 1-Norm SVM",
        "A feature is scaled by the square root of the weight that it had, and a 2-norm SVM is solved again. "
        "Repeated, this leads to the 1-norm SVM, which uses few features. The first steps of the way often predict "
        "better than both its ends.",
    ),
}
LINKS = {
    "ls_svm.fig1": ("ls_svm_fig1",),
    "ls_svm.fig2": ("ls_svm_fig2",),
    "ls_svm.vc_bound": ("sparsity",),
    "least_1_norm.fig1": ("least_1_norm_fig1",),
    "l01.flips": ("wrong_labels",),
    "l01.leverage": ("given_up", "leverage"),
}
LONG = 16  # rows of a table that is folded


def idea(paper):
    """What the paper is about."""
    st.caption(paper.source)
    st.markdown(paper.idea)


def experiments(key):
    """The experiments of a paper, in its order."""
    return [entry for entry in papers.REGISTRY.values() if entry.name.startswith(f"{key}.")]


def section(entry):
    """One table or figure: what it shows, ours beside theirs, how it was made, and again while one waits."""
    table = results.stored(entry.name)
    st.subheader(entry.title[0].upper() + entry.title[1:], anchor=entry.name.replace(".", "-"), divider="gray")
    st.caption(f"In the paper: {entry.shows}")
    _pictures(entry.name, table)
    if table is None:
        st.info(
            f"The file data/results/{entry.name}.csv is missing; `python -m svmcore.papers run {entry.name} --out "
            "data/results` makes it again.",
            icon=":material/info:",
        )
    else:
        _numbers(entry.name, table)
        with st.expander("How it was made, and where it differs from the paper"):
            st.markdown("\n".join(f"- {tables.plain(note)}" for note in table.notes))
            st.markdown(results.made(table))
    _again(entry)


def _pictures(name, table):
    pictures = paper_figures.drawn(name, table)
    if not pictures:
        return
    planes = name in paper_figures.PLANES
    high = 300 if planes and len(pictures) > 1 else 480 if planes else 380
    for number, (cell, (heading, picture)) in enumerate(zip(st.columns(max(len(pictures), 2)), pictures, strict=False)):
        with cell:
            st.markdown(f"**{heading}**")
            plane.show(picture, key=f"{name}-{number}", height=high)


def _numbers(name, table):
    """The table, folded where it is long; of the grid of the spirals a square of test errors."""
    said = results.tally(table)
    if said:
        st.markdown(said)
    square = name == "ls_svm.fig2"
    sheet = results.pivot(table, "sigma", "gamma", "test error %") if square else results.sheet(table)
    if square:
        st.markdown("**Test error in %** by σ (down) and γ (across)")
    if len(sheet[1]) <= LONG:
        st.html(tables.grid(*sheet))
        return
    with st.expander(f"The table, {len(sheet[1])} rows", key=f"rows-{name}", on_change="rerun") as box:
        if box.open:
            st.html(tables.grid(*sheet))


def _again(entry):
    """The quick recomputation, in the background, and the places where one can try it by hand."""
    slot = f"paper_job {entry.name}"
    job = st.session_state.get(slot)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Recompute quickly", icon=":material/play_arrow:", key=f"run {entry.name}", disabled=busy(job)):
            job = st.session_state[slot] = Job(entry.name, entry.run(quick=True), total=1, warns=False)
        if st.button("Stop", icon=":material/stop:", key=f"stop {entry.name}", disabled=not busy(job)):
            job.stop()
        for key in LINKS.get(entry.name, ()):
            scene = scenes.SCENES[key]
            st.page_link(
                scene.page, label=f"Try it: {scene.title}", icon=":material/open_in_new:", query_params=scene.query
            )
    if job:
        st.fragment(_watch, run_every=0.4 if busy(job) else None)(job)


def busy(job):
    return bool(job) and job.running


def _watch(job):
    last = job.rows[-1] if job.rows else None
    if busy(job):
        if last is not None and not isinstance(last, papers.Table):
            st.progress(last.done / max(last.total, 1), text=f"{last.words}: {last.done} of {last.total}")
        return
    if st.session_state.get(f"seen {job.key}") != id(job):
        st.session_state[f"seen {job.key}"] = id(job)
        st.rerun()
    if job.error:
        st.error(job.error, icon=":material/error:")
    elif not isinstance(last, papers.Table):
        st.caption("Stopped before the table was done.")
    else:
        st.markdown(f"**Quick run**, just now, in {last.seconds:.0f} s")
        st.html(tables.grid(*results.sheet(last)))


def claims(paper):
    """What the paper claims, and whether ours confirms it."""
    table = results.stored("claims")
    st.subheader("What it claims", anchor="claims", divider="gray")
    if table is None:
        st.info("The file data/results/claims.csv is missing; `python -m svmcore.papers run claims` makes it again.")
        return
    mine = [record for record in table.records() if record["paper"].startswith(f"{paper.title} (")]
    held = sum(record["verdict"] == "confirmed" for record in mine)
    st.markdown(f"{held} of {len(mine)} claims are confirmed by quick tests; the words of the paper are shortened.")
    for record in mine:
        confirmed = record["verdict"] == "confirmed"
        mark = ":material/check_circle:" if confirmed else ":material/cancel:"
        why = f"  \n*Not confirmed:* {tables.plain(record['reason'])}" if not confirmed else ""
        st.markdown(f"{mark} **{tables.plain(record['words'])}**  \n{tables.plain(record['evidence'])}{why}")
    st.caption(results.made(table))
