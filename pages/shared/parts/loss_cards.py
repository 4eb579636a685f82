"""The parts of the Losses page: the curves, a card each, one outlier on its way out."""

import numpy as np
import streamlit as st

from pages.shared import controls, figures, plane, session, tables
from pages.shared.jobs.background import Job
from pages.shared.parts import panels
from pages.shared.parts.panels import percent
from pages.shared.studies import arrays, lone_outlier, loss_curves
from pages.shared.studies.scenes import PLAYGROUND
from svmcore import losses

LIMITS = {"value": (-0.2, 4.0), "slope": (-1.6, 3.2), "prox": (-3.2, 4.2)}
LABELS = {
    "value": ("t = 1 − y f", "ℓ(t)"),
    "slope": ("t = 1 − y f", "slope of ℓ at t"),
    "prox": ("z", "prox of c ℓ at z"),
}
PLACES = ((0.0, "y f = 1"), (1.0, "f = 0"))
WORDS = {
    "value": "What a point costs. Left of t = 0 it lies beyond the margin, right of t = 1 on the wrong side.",
    "slope": "How hard a point pulls: at the optimum α = C × slope, at a jump anything in between.",
    "prox": "Where a slack z goes that c ℓ pulls at and half the squared way holds back. Dashed: it stays.",
}
SET_UP = (
    "Two classes of twenty points and one outlier of class −1, with C = 1. At distance 0 it lies in the middle of "
    "class +1; from there it goes outwards, 60° off the line through the centres of the classes. The unit is the "
    "distance between the centres. What is said below holds for the parameters that the losses come with."
)
LESSONS = {
    "linear": """
- **A bounded slope bounds α.** At the optimum α = C × slope; at a kink, anything between the slopes beside it. So α
  never exceeds C where no slope exceeds 1. Where the slope grows without end, as that of a square does, α exceeds C.
- **A bounded loss lets go** where the outlier would cost more than the loss can: it stops pulling, α goes to 0, and the
  boundary stays where it was without the outlier. A loss that is cut off only beyond the margin is not bounded, and its
  boundary turns. It depends on the way out: 60° off on the other side of the line a boundary turned by 17° separates
  all 41 points in the end, and then even the L0/1-SVM takes the outlier in.
- **Far outside, every unbounded loss turns**, the Least 1-Norm SVM late. Its α is bounded, but what pulls at w is α
  times the place of the point, and that is not bounded: leverage. In the end α falls, not because the loss lets go, but
  because the boundary has given way: the outlier lies on its own side of it.
""",
    "rbf": """
- **A far point is alone.** Its kernel with all others is zero, so from some distance on nothing changes any more,
  whatever the loss: the kernel bounds the leverage.
- **There, bounded losses do not let go.** A small hill around a lone point costs less than to give it up, and even
  the L0/1-SVM pays for it.
- **In the middle of class +1 they do.** At distance 0 the hill would rise against the neighbours. A bounded loss gives
  the outlier up, with α = 0 or next to it; for the others α is about C or more.
""",
}
NO_BOX = "–"
FEW = 6  # boundaries that have a legend of their own; more would leave no room for them
PATIENCE = 0.7  # seconds within which a page waits for what is not computed yet


def curves(every, chosen, what, c):
    """All losses on one axis; those that are looked at in colour."""
    lines = []
    for machine in every:
        name = losses.get(machine.loss).machine if machine not in chosen else machine.name
        broken = session.curve(machine, what, c)
        lines.append(figures.LossCurve(name, *broken, controls.colour_index(machine), machine in chosen))
    xlabel, ylabel = LABELS[what]
    stays = (np.array(LIMITS["prox"]), np.array(LIMITS["prox"]), "stays") if what == "prox" else None
    places = () if what == "prox" else PLACES
    picture = figures.losses(lines, xlabel=xlabel, ylabel=ylabel, limits=LIMITS[what], places=places, level=stays)
    st.caption(WORDS[what])
    plane.show(picture, key="curves", height=430 + 20 * len(chosen))


def cards(every, chosen):
    """A card for each loss: those that are looked at at once, the others on demand."""
    _cards(chosen)
    others = [machine for machine in every if machine not in chosen]
    if others:
        with st.expander(f"The other {len(others)} losses", key="others", on_change="rerun") as box:
            if box.open:
                _cards(others)


def _cards(machines):
    cells = panels.cells(len(machines), 3)
    for cell, machine in zip(cells, machines, strict=False):
        loss = losses.get(machine.loss)
        with cell.container(border=True, height="stretch", gap="small"):
            st.page_link(PLAYGROUND, label=f"**{loss.machine}**", query_params={"loss": loss.key})
            st.caption(f"$\\ell(t) = {loss.latex}{_numbers(machine)}$  \n`{loss.key}`: {kind(loss)}. {loss.source}")


def _numbers(machine):
    """The parameters as they stand in the formula."""
    symbols = {p.name: p.latex for p in losses.get(machine.loss).parameters}
    return "".join(rf",\; {symbols[name]} = {value:g}" for name, value in machine.params)


def kind(loss):
    """What kind of loss it is and how it is solved, in words."""
    words = [
        "convex" if loss.convex else "not convex",
        "bounded" if loss.bounded else "unbounded",
        "sparse" if loss.sparse else "not sparse",
    ]
    return f"{', '.join(words)}; solved by {loss.solved_by}"


def table(every):
    """One row per loss: its kind, and where its support values lie."""
    rows = []
    for machine in every:
        loss, box = losses.get(machine.loss), loss_curves.box(machine)
        yes = [("no", "yes")[flag] for flag in (loss.convex, loss.bounded, loss.sparse)]
        rows.append([machine.name, *yes, *between(box), loss.solved_by])
    st.html(tables.grid(["machine", "convex", "bounded", "sparse", "α between", "ridge", "solved by"], rows))


def between(box):
    """The dual box and its ridge, in words."""
    if box is None:
        return [NO_BOX, NO_BOX]
    ridge = {None: NO_BOX, 0.0: "0", 1.0: "1/C"}.get(box.ridge, f"{box.ridge or 0:g}/C")
    return [f"{_times_C(box.low)} .. {_times_C(box.high)}", ridge]


def _times_C(bound):
    if np.isinf(bound):
        return "−inf" if bound < 0 else "inf"
    return {0.0: "0", 1.0: "C", -1.0: "−C"}.get(bound, f"{bound:g} C".replace("-", "−"))


def outlier(chosen, kernel, distance):
    """What one outlier does to each machine, all along its way and where it is now."""
    journeys = [session.journey(machine, kernel) for machine in chosen]
    at = lone_outlier.DISTANCES[round(distance / (lone_outlier.DISTANCES[1] - lone_outlier.DISTANCES[0]))]
    job = _begun(journeys)
    st.fragment(_so_far, run_every=0.5 if job and job.running else None)(job, journeys, kernel, at)


def _so_far(job, journeys, kernel, at):
    """What is computed of it; while more comes, again and again."""
    if job and job.error:
        st.error(job.error, icon=":material/error:")
    elif job and job.running:
        st.progress(job.progress, text=f"{len(job.rows)} of {job.total} fits")
    elif job:
        st.rerun()
    begun = [journey for journey in journeys if journey.steps]
    if not begun:
        return
    here = {j.machine: step for j in begun for step in list(j.steps) if step.distance == at}
    moved, words = (
        ("turned", "How far the boundary turned") if kernel == "linear" else ("share", "How much changed sides")
    )
    left, right = st.columns([0.5, 0.5], gap="medium")
    with left:
        st.markdown("**α of the outlier**")
        plane.show(along(begun, "alpha", at), key="alpha", height=250 + 20 * len(begun))
        st.markdown(f"**{words}**")
        plane.show(along(begun, moved, at), key="moved", height=250 + 20 * len(begun))
    with right:
        if here:
            st.markdown("**All boundaries f = 0**")
            plane.show(boundaries(here, kernel, at), key="boundaries", height=560)
    measured(here, begun)


def _begun(journeys):
    """The work on what is not computed yet, None where all is, perhaps after a moment."""
    left = [journey for journey in journeys if not journey.done]
    if not left:
        return None
    key, job = tuple((journey.machine, journey.kernel) for journey in left), st.session_state.get("travel_job")
    if job is None or job.key != key or job.stopped and not job.error:
        if job:
            job.stop()
        total = sum(len(lone_outlier.DISTANCES) - len(journey.steps) for journey in left)
        job = st.session_state["travel_job"] = Job(key, lone_outlier.travel(left), total, warns=False)
    job.wait(PATIENCE)
    return job if job.running or job.error else None


def along(journeys, quantity, at):
    """The Figure of a quantity of the steps over the distance, with the present place marked."""
    lines, scale = [], 100.0 if quantity == "share" else 1.0
    for journey in journeys:
        steps = list(journey.steps)
        x = np.array([step.distance for step in steps])
        y = scale * np.array([getattr(step, quantity) for step in steps])
        lines.append(arrays.Line(journey.machine.name, x, y, controls.colour_index(journey.machine)))
    ylabel = {"alpha": "α", "turned": "degrees", "share": "% of the plane"}[quantity]
    return figures.history(lines, xlabel="distance of the outlier", ylabel=ylabel, log_x=False, at=at)


def boundaries(here, kernel, at):
    """The Figure of all boundaries with the outlier where it is now."""
    X, y = lone_outlier.points()
    xs, ys = lone_outlier.view(X)
    drawn = [
        figures.Curve(
            machine.name,
            arrays.Field(xs, ys, lone_outlier.field(step.fit, kernel, xs, ys).astype(np.float32)),
            controls.colour_index(machine),
        )
        for machine, step in here.items()
    ]
    place = lone_outlier.place(at, X, y)
    points = arrays.Points(np.vstack([X, place]), np.append(y, -1.0), outlier=np.append(np.zeros(len(y), bool), True))
    return figures.overlay(drawn, points, beyond=(place, "the outlier"), legend=len(drawn) <= FEW)


def measured(here, journeys):
    """The numbers of each machine where the outlier is now, and the largest α of its whole way."""
    rows = []
    for journey in journeys:
        if journey.machine not in here:
            continue
        step = here[journey.machine]
        turned = NO_BOX if np.isnan(step.turned) else f"{step.turned:.1f}°"
        largest = _decimals(max(s.alpha for s in list(journey.steps)), 3)
        share, status = percent(step.share), step.fit.status
        rows.append(
            [journey.machine.name, _decimals(step.alpha, 3), largest, _decimals(step.t, 2), turned, share, status]
        )
    if rows:
        st.html(tables.grid(["machine", "α", "largest α", "t = 1 − y f", "turned", "plane changed", "status"], rows))


def _decimals(value, digits):
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
