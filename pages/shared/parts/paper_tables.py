"""The parts of the Papers page: the idea of a paper, its tables and figures, what it claims."""

from typing import NamedTuple

import streamlit as st

from pages.shared import plane, tables
from pages.shared.jobs.background import Job
from pages.shared.parts import paper_figures
from pages.shared.studies import paper_results
from pages.shared.studies.scenes import COMPARE, CONVERGENCE, FEATURE_WALK, PLAYGROUND, SCENES, SPARSITY
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


def _scene(key):
    return SCENES[key].title, SCENES[key].page, SCENES[key].query


LINKS = {  # (words, page, what its link says) of the same setting elsewhere
    "ls_svm.fig1": [_scene("ls_svm_fig1")],
    "ls_svm.fig2": [_scene("ls_svm_fig2")],
    "ls_svm.vc_bound": [
        ("An LS-SVM on Ripley's data", PLAYGROUND, {"problem": "ripley", "loss": "least_squares", "sigma": "0.5"})
    ],
    "least_1_norm.fig1": [_scene("least_1_norm_fig1")],
    "least_1_norm.table2": [
        (
            "The same race of iterations on the toy",
            CONVERGENCE,
            {"show": "race", "race": "least_absolute:smo_first,least_squares:smo_first"},
        )
    ],
    "isls.table1": [
        ("LS-SVM and SVM on Ripley's data", COMPARE, {"problem": "ripley", "losses": "least_squares,hinge"}),
        ("ISLS on Ripley's data", SPARSITY, {"problem": "ripley"}),
    ],
    "isls.fig1": [
        ("The LS-SVM on the motorcycle data", PLAYGROUND, {"problem": "motorcycle", "loss": "least_squares"}),
        ("ISLS on the motorcycle data", SPARSITY, {"problem": "motorcycle"}),
    ],
    "l01.flips": [_scene("wrong_labels")],
    "l01.leverage": [_scene("given_up"), _scene("leverage")],
    "walk.fig2": [("The objective on its way", FEATURE_WALK, {"rounds": "20"})],
    "walk.table2": [("Which features a round keeps", FEATURE_WALK, {"d_rel": "5"})],
    "walk.fig3": [("As many relevant features as you like", FEATURE_WALK, {"walk_n": "100", "choose": "validation"})],
}
CLAIMS, CONFIRMED = "claims", "confirmed"
FOLDED, FOLDED_BELOW_PICTURES = 28, 16  # rows of a table from which on it is folded
SQUARES = {
    "ls_svm.fig2": "Test error in %, by σ (down) and γ (across)",
    "walk.table2": "Accuracy in %: ours | the paper",
}


def idea(paper):
    """What the paper is about."""
    st.caption(paper.source)
    st.markdown(paper.idea)


def experiments(key):
    """The experiments of a paper, in its order."""
    return [entry for entry in papers.REGISTRY.values() if entry.name.startswith(f"{key}.")]


def section(entry):
    """One table or figure: what it shows, ours beside theirs, how it was made, and again while one waits."""
    table = paper_results.stored(entry.name)
    st.subheader(entry.title[0].upper() + entry.title[1:], anchor=entry.name.replace(".", "-"), divider="gray")
    st.caption(f"In the paper: {paper_results.symbols(entry.shows)}")
    _pictures(entry.name, table)
    if table is None:
        st.info(paper_results.missing(entry.name), icon=":material/info:")
    else:
        _numbers(entry.name, table)
        with st.expander("How it was made, and where it differs from the paper"):
            st.markdown("\n".join(f"- {tables.plain(paper_results.symbols(note))}" for note in table.notes))
            st.markdown(paper_results.made(table))
    _again(entry)


def _pictures(name, table):
    pictures = paper_figures.drawn(name, table)
    if not pictures:
        return
    for number, (cell, (heading, picture)) in enumerate(zip(st.columns(max(len(pictures), 2)), pictures, strict=False)):
        with cell:
            st.markdown(f"**{heading}**")
            plane.show(picture, key=f"{name}-{number}", height=_high(name, len(pictures), len(picture.data)))


def _high(name, abreast, traces):
    """Pixels: planes that lie abreast are narrow; curves keep their height above a legend of so many lines."""
    if name in paper_figures.PLANES:
        return 300 if abreast > 1 else 480
    return 320 + 20 * traces


def _numbers(name, table):
    """The table, folded where it is long; a square of it first where that says more."""
    said = paper_results.tally(table)
    if said:
        st.markdown(said)
    if name in SQUARES:
        st.markdown(f"**{SQUARES[name]}**")
        st.html(tables.grid(*paper_results.square(name, table)))
    head, rows = paper_results.sheet(table)
    most = FOLDED_BELOW_PICTURES if name in paper_figures.DRAWN or name in paper_figures.LIVE else FOLDED
    if name not in SQUARES and len(rows) < most:
        st.html(tables.grid(head, rows))
        return
    with st.expander(f"All {len(rows)} rows", key=f"rows-{name}", on_change="rerun") as box:
        if box.open:
            st.html(tables.grid(head, rows))


def _again(entry):
    """The quick recomputation, in the background, and the places where one can try it by hand."""
    slot = f"paper_job {entry.name}"
    job = st.session_state.get(slot)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Recompute quickly", icon=":material/play_arrow:", key=f"run {entry.name}", disabled=busy(job)):
            job = st.session_state[slot] = Job(entry.name, entry.run(quick=True), total=1, warns=False)
        if st.button("Stop", icon=":material/stop:", key=f"stop {entry.name}", disabled=not busy(job)):
            job.stop()
        for words, page, query in LINKS.get(entry.name, ()):
            st.page_link(page, label=words, icon=":material/open_in_new:", query_params=query)
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
        st.markdown(f"**Quick run**, just now, in {last.seconds:.0f} s. {paper_results.tally(last)}")
        if job.key == CLAIMS:
            _listed(last.records())
        else:
            st.html(tables.grid(*paper_results.sheet(last)))


def claims(paper):
    """What the paper claims, and whether ours confirms it."""
    table = paper_results.stored(CLAIMS)
    st.subheader("What it claims", anchor="claims", divider="gray")
    if table is None:
        st.info(paper_results.missing(CLAIMS), icon=":material/info:")
    else:
        mine = [record for record in table.records() if record["paper"].startswith(f"{paper.title} (")]
        held = sum(record["verdict"] == CONFIRMED for record in mine)
        st.markdown(f"{held} of {len(mine)} claims are confirmed by quick tests; the words of the paper are shortened.")
        _listed(mine)
        st.caption(paper_results.made(table))
    st.caption("The quick recomputation tests the claims of all five papers.")
    _again(papers.get(CLAIMS))


def _listed(records):
    for record in records:
        confirmed = record["verdict"] == CONFIRMED
        mark = ":material/check_circle:" if confirmed else ":material/cancel:"
        words, evidence, reason = (
            tables.plain(paper_results.symbols(record[part] or "")) for part in ("words", "evidence", "reason")
        )
        why = "" if confirmed else f"  \n*Not confirmed:* {reason}"
        st.markdown(f"{mark} **{words}**  \n{evidence}{why}")
