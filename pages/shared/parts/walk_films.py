"""The parts of the Feature walk page: two features, all features, and the experiment over how many matter."""

import numpy as np
import streamlit as st

from pages.shared import controls, figures, files, plane, session, tables
from pages.shared.choices import Walk
from pages.shared.controls import download
from pages.shared.jobs.background import Job
from pages.shared.jobs.panel import Workbench
from pages.shared.parts import player
from pages.shared.studies import arrays, feature_walk
from pages.shared.studies.runs import Screen, Tick
from svmcore.problems import features
from svmcore.studies import relevance

IDEA = (
    "The 1-norm |w₁| + |w₂| + … has corners on the axes, where weights are zero; the 2-norm has none. Each round of "
    "the walk solves a 2-norm SVM in which a feature costs w²/|u|, u being its weight in the round before: cheap where "
    "that was large, dear where it was small."
)
IN_TWO = (
    "Both norms in the plane of two weights, after Figure 1 of *A Walk from 2-Norm SVM to 1-Norm SVM*: {first}, and "
    "{second}, the irrelevant one that the 2-norm SVM falls for most. Level lines show the error C Σ max(0, 1 − y w·x) "
    "of these two features alone, without an intercept."
)
IN_ALL = (
    "The same rounds with all 200 features, |b| in the norm. The objective falls to that of the linear programme, the "
    "1-norm SVM itself; the lower bound needs no linear programme."
)
EXPERIMENT = (
    "**Who wins depends on how many features matter.** As in Figure 3 of the paper: {n} points, the distance of the "
    "classes always 3, spread over the relevant ones of 200 features; {seeds} draws each. Mean error on new points, "
    "exact, and the band from the 10th to the 90th percentile. Cross-validation takes some minutes, one C for all some "
    "seconds."
)
D_RELS = (1, 2, 5, 10, 20, 50, 100, 200)
SEEDS = 8
KEYS = ("balls", "flat-points")  # of the two pictures
BENCH = Workbench(
    kind="relevance",
    start="Run the experiment",
    go_on="Go on with the experiment",
    stop="Stop the experiment",
    units="machines",
    rest="the bands show these",
)
HEIGHT = 560
SPEED = 2  # rounds a second


def two_features(asked: Walk):
    """The ball of the norm squeezing from circle to diamond, and the boundary that this makes."""
    steps, flat = session.walk(asked)
    pair = (0, feature_walk.deceptive(steps, asked.d_rel))
    names = feature_walk.names(pair, asked.d_rel)
    st.markdown(IDEA)
    st.caption(IN_TWO.format(first=names[0], second=names[1]))
    ticks = [Tick(f"Round {t}", feature_walk.why_in_the_plane(flat, t), t) for t in range(1, asked.rounds + 1)]
    rev = player.transport(ticks, "flat", asked, speed=SPEED)
    every = list(range(asked.rounds))
    screens = [
        Screen("The weights", figures.draw(feature_walk.balls(flat, asked, names)), every),
        Screen("The points", figures.draw(feature_walk.points(flat, asked, names)), every),
    ]
    for place, screen, key in zip(st.columns(2, gap="medium"), screens, KEYS, strict=True):
        with place:
            st.markdown(f"**{screen.name}**")
            reel = plane.reel(screen.film, "flat", rev)
            plane.show(screen.film.figure, key=key, height=HEIGHT, link="flat", reel=reel)
    with st.expander("Take it along", icon=":material/download:", key="take_flat", on_change="rerun") as box:
        if box.open:
            with st.container(horizontal=True):
                for screen in screens:
                    player.film_button(screen, ticks, f"feature-walk-{screen.name.lower().replace(' ', '-')}")
            st.caption(player.OFFLINE)


def all_features(asked: Walk):
    """Weights, objective, accuracy and how many weights matter, round by round."""
    steps, _ = session.walk(asked)
    st.caption(IN_ALL)
    ticks = [Tick(f"RW({t})", feature_walk.why(steps, t, asked.d_rel), t) for t in range(1, asked.rounds + 1)]
    rev = player.transport(ticks, "walk", asked, speed=SPEED)
    rounds = np.arange(1, asked.rounds + 1)
    cursor = {"film": "walk", "rev": rev, "places": rounds.tolist()}
    relevant = np.arange(steps.w.shape[1]) < asked.d_rel
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**All weights**")
        picture = figures.weights(np.abs(steps.w), relevant, np.abs(steps.exact.w), xlabel="round")
        plane.show(picture, key="weights", height=440, cursor=cursor)
        _numbers(steps, asked)
    with right:
        for title, lines, ylabel, level in charts(steps, rounds):
            st.markdown(f"**{title}**")
            picture = figures.history(lines, xlabel="round", ylabel=ylabel, log_x=False, level=level)
            plane.show(picture, key=f"walk-{ylabel}", height=186 + picture.layout.margin.b, cursor=cursor)


def charts(steps, rounds):
    """(title, lines, unit, level of the linear programme) of each chart over the rounds."""
    end = "linear programme"
    objective = [
        arrays.Line("objective", rounds, steps.objective, 0),
        arrays.Line("lower bound", rounds, steps.bound, 1),
    ]
    share = [arrays.Line("the walk", rounds, 100.0 * steps.accuracy, 0)]
    count = [arrays.Line("the walk", rounds, steps.n_features, 0)]
    return [
        ("1-norm objective", objective, "objective", (steps.exact.objective, end)),
        ("Accuracy on new points", share, "% correct", (100.0 * steps.exact_accuracy, end)),
        ("Weights that matter", count, "weights", (float(np.count_nonzero(steps.exact.w)), end)),
    ]


def _numbers(steps, asked):
    """The walk's rounds of the paper's tables beside the linear programme."""
    head = ["", "objective", "excess, at most", "weights", "correct"]
    rows = [
        [
            f"RW({t})" + " = 2-norm SVM" * (t == 1),
            f"{steps.objective[t - 1]:.4g}",
            feature_walk.percent(steps.guaranteed[t - 1]),
            str(steps.n_features[t - 1]),
            feature_walk.percent(steps.accuracy[t - 1]),
        ]
        for t in sorted({1, 2, 3, 5, 10, asked.rounds})
        if t <= asked.rounds
    ]
    exact = steps.exact
    nonzero, share = np.count_nonzero(exact.w), feature_walk.percent(steps.exact_accuracy)
    rows.append(["1-norm SVM", f"{exact.objective:.4g}", feature_walk.percent(exact.gap), str(nonzero), share])
    best = feature_walk.percent(1.0 - features.BAYES_ERROR)
    rows.append(["best rule", "–", "–", str(asked.d_rel), best])
    st.html(tables.grid(head, rows))


# ----------------------------------------------------------------------------------- the experiment


def experiment(asked: Walk):
    """Error against the number of relevant features: started, watched, stopped, downloaded."""
    st.markdown(EXPERIMENT.format(n=asked.n, seeds=SEEDS))
    left, right = st.columns([0.3, 0.7], gap="medium", vertical_alignment="bottom")
    with left:
        how = controls.choosing()
    key = (asked.n, None if how == "validation" else asked.C)
    job = BENCH.job("feature_walk", session.sweeps(), key)
    with right:
        BENCH.button("feature_walk", job, key, begin)
    if job:
        BENCH.watch(job, key, _outcome, "The settings have changed since; this is the experiment as it was run.")


def begin(key) -> Job:
    """The experiment, begun in the background."""
    n, C = key
    return Job(key, relevance.sweep(D_RELS, range(SEEDS), n, C), len(D_RELS) * SEEDS * len(relevance.METHODS))


def _outcome(rows):
    d_rels, bands = feature_walk.summary(rows)
    if not len(d_rels):
        return
    lines = [figures.Band(name, *band, relevance.METHODS.index(name)) for name, band in bands.items()]
    options = dict(xlabel="relevant features of 200", ylabel="error on new points (%)", log_x=True)
    plane.show(figures.sweep(d_rels, lines, **options), key="relevance", height=460)
    means = [[name, *(f"{value:.1f}" for value in mean)] for name, (mean, _, _) in bands.items()]
    st.html(tables.grid(["mean error (%)", *map(str, d_rels)], means))
    table = [relevance.Row._fields, *rows]
    download.button("Experiment (CSV)", lambda: files.rows_text(table), "relevant-features.csv", "text/csv")
