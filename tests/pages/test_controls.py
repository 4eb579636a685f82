"""Every control says once what it is, and the rest follows: the link, hide=, notes, files, what travels."""

import json
from dataclasses import asdict

import numpy as np
import pytest
from screen import healthy, notes, open_page, press

from pages.shared import session
from pages.shared.choices import LOSSES
from pages.shared.controls import kinds
from pages.shared.controls.kinds import REGISTRY
from pages.shared.controls.machines import PARAMETERS
from pages.shared.controls.points import OPTIONS, SEED
from pages.shared.jobs.background import LRU
from pages.shared.points import codec, edits, own_points
from svmcore import losses, problems

pytestmark = pytest.mark.usefixtures("warm")

PLAYGROUND = "pages/playground.py"
OWN = own_points.Own(np.random.default_rng(0).normal(size=(20, 2)), np.where(np.arange(20) % 2, 1.0, -1.0))
SCREENS = {
    "home": ("app.py", {}),
    "flips": (PLAYGROUND, dict(problem="moons", contamination="flip_random", kernel="poly")),
    "share": (PLAYGROUND, dict(problem="label_flips", contamination="flip_share", kernel="rbf")),
    "own": (PLAYGROUND, dict(problem="own", data=OWN.key)),
    "regression": (PLAYGROUND, dict(problem="sinc")),
    "compare": ("pages/compare.py", {}),
    "losses": ("pages/losses.py", dict(losses=",".join(losses.LOSSES), curve="prox")),
    "run": ("pages/convergence.py", {}),
    "race": ("pages/convergence.py", dict(show="race")),
    "path": ("pages/convergence.py", dict(show="path", problem="moons")),
    "sparsity": ("pages/sparsity.py", {}),
    "walk": ("pages/feature_walk.py", {}),
    "papers": ("pages/papers.py", {}),
}
DRAWN = [entry for entry in problems.REGISTRY.values() if entry.planar and entry.available()]
WITH_OPTION = {o.name: entry.key for entry in DRAWN for o in entry.options}
SCREENS |= {f"option {name}": (PLAYGROUND, dict(problem=key)) for name, key in WITH_OPTION.items() if name in OPTIONS}
TEXTS = {"data": OWN.key, "edits": codec.encode(edits.script((-3, -3), [(2, edits.FLIPPED)])), "hide": "room"}
every_screen = pytest.mark.parametrize("name", SCREENS)


@pytest.fixture(scope="module", autouse=True)
def own_set():
    store = LRU(4)
    store.put(OWN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "own_sets", lambda: store)
        yield


@pytest.fixture(scope="module")
def opened(warm, own_set):
    """{screen: (its page, {name: control} of all that it showed, with the fields that they had then)}."""
    found, at = {}, kinds.Control.at
    with pytest.MonkeyPatch.context() as patch:
        for name in SCREENS:
            shown = {}

            def recorded(self, shown=shown, **moment):
                shown[self.name] = at(self, **moment)
                return shown[self.name]

            patch.setattr(kinds.Control, "at", recorded)
            found[name] = healthy(screen(name)), shown
    return found


def screen(name, **link):
    path, its = SCREENS[name]
    return open_page(path, **its | link)


def bound(app):
    """The parameters of the link that widgets of this page own."""
    return {node.proto.query_param_key for node in app if getattr(getattr(node, "proto", None), "query_param_key", "")}


def out_of_sight(app):
    """The keys of all widgets that stand in a place that is not shown."""
    found = set()
    for node in app:
        if (getattr(node, "key", None) or "").startswith("hidden-"):
            found |= {inner.key for inner in node if getattr(inner, "key", None)}
    return found


def other(control):
    """A value that the control can take and does not have by itself, as a link says it."""
    if isinstance(control, kinds.Options):
        usual = control.default or next(iter(control.options))
        return next((key for key in control.options if key not in usual), None)
    if isinstance(control, kinds.Text):
        return TEXTS[control.name]
    if isinstance(control, kinds.Check):
        return control.written(not control.default)
    if isinstance(control, kinds.Logarithmic):
        return f"{2 * control.default:g}"
    up = control.default + control.step
    return f"{up if up <= control.high else control.default - control.step:g}"


def refused(app):
    """The notes on what a link says and no control can take."""
    return [note for note in notes(app) if note.startswith("The link")]


@every_screen
def test_what_a_page_binds_to_the_link_is_a_control_that_knows_it(name, opened):
    app, shown = opened[name]
    assert refused(app) == []
    assert bound(app) == set(shown) <= set(REGISTRY)


def test_every_control_is_on_a_screen(opened):
    assert set().union(*(shown for _, shown in opened.values())) == set(REGISTRY)


@every_screen
def test_a_link_sets_every_control_and_leaves_out_any(name, opened):
    """All numbers and switches at once, each choice alone: the link is obeyed and kept, and hide= hides it."""
    controls = {key: control for key, control in opened[name][1].items() if key not in {*SCREENS[name][1], "hide"}}
    choices = {key for key, control in controls.items() if isinstance(control, kinds.Options)}
    links = [{key: other(controls[key]) for key in controls.keys() - choices}]
    links += [{key: other(controls[key])} for key in sorted(choices) if other(controls[key])]
    for link in links:
        hide = {"hide": ",".join(key for key in link if REGISTRY[key].hideable)} if controls else {}
        app = healthy(screen(name, **link, **hide))
        assert refused(app) == []
        for key, value in link.items():
            assert app.session_state[key] == REGISTRY[key].read(value) == app.session_state["kept"][key]
            assert app.query_params[key] in (value, [value])
            assert {key, f"{key}_choice"} & out_of_sight(app) or not REGISTRY[key].hideable


def test_two_controls_never_have_one_name():
    with pytest.raises(ValueError, match="two controls are called 'seed': 'Seed', 'Another seed'"):
        kinds.Number("seed", "Another seed", 0, 0, 1)
    assert REGISTRY["seed"] is SEED


def test_labels_tell_controls_apart():
    labels = [control.label for control in REGISTRY.values()]
    assert all(labels) and len(set(labels)) == len(labels)


@pytest.mark.parametrize("control", REGISTRY.values(), ids=REGISTRY)
def test_what_a_control_says_of_itself_is_plain_data(control):
    fields = asdict(control) | {"then": None}
    assert json.loads(json.dumps(fields | {"kind": control.kind})).keys() >= {"name", "label", "kind", "default"}
    if isinstance(control, kinds.Number):
        assert control.low <= control.default <= control.high and control.step > 0
        assert control.fits(control.low) and control.fits(str(control.high)) and not control.fits(control.high + 1)
        assert not control.fits("banana") and not control.fits("nan") and not control.fits(True)


def test_registries_of_the_core_make_controls():
    assert set(PARAMETERS) == {p.name for loss in LOSSES.values() for p in loss.parameters}
    options = {option.name for entry in problems.REGISTRY.values() for option in entry.options}
    assert set(OPTIONS) == options - {"flips"} | {"hold_out"}


def test_what_a_control_lets_through_the_loss_takes(opened):
    _, shown = opened["losses"]
    for loss in losses.LOSSES.values():
        for parameter in loss.parameters:
            control = shown[parameter.name]
            assert control.low in parameter and control.high in parameter and control.default == parameter.default


def test_a_moment_has_only_fields_that_the_control_has():
    assert SEED.at(default=7).default == 7 and SEED.default == 0
    with pytest.raises(TypeError, match="humbug"):
        SEED.at(humbug=7)


@pytest.mark.parametrize("value", ["maybe", "0", ""])
def test_a_switch_that_the_link_says_wrongly_falls_back_with_a_note(value):
    app = healthy(open_page(PLAYGROUND, problem="leverage_outliers", outliers_on=value))
    assert notes(app) == [f"The link has outliers_on = '{value}', but outliers_on must be true or false; true is used."]
    assert app.toggle(key="outliers_on").value is True


def test_a_switch_can_be_left_out():
    app = healthy(open_page(PLAYGROUND, problem="leverage_outliers", outliers_on="false", hide="outliers_on"))
    assert notes(app) == [] and "outliers_on" in out_of_sight(app) and not app.toggle(key="outliers_on").value


@pytest.mark.parametrize(
    "hide, headings",
    [
        ("", ["Machine", "Outliers"]),
        ("loss,tau", ["Outliers"]),
        ("loss", ["Machine", "Outliers"]),
        ("loss,tau,contamination,flips", []),
        ("loss,tau,contamination", ["Outliers"]),
    ],
)
def test_a_heading_stands_over_something(hide, headings):
    app = healthy(open_page(PLAYGROUND, loss="pinball", contamination="flip_random", hide=hide))
    assert [heading.value for heading in app.sidebar.subheader] == headings


def test_the_list_of_what_can_be_left_out_says_what_stands_on_the_screen():
    app = open_page(PLAYGROUND, {"sharing": True})
    offered = app.multiselect(key="hide_choice").options
    assert set(offered) == {control.label for control in REGISTRY.values() if control.hideable}
    drawn = {widget.label for kind in ("selectbox", "number_input", "slider", "toggle") for widget in app.get(kind)}
    assert drawn <= set(offered)


@pytest.mark.parametrize("path", [PLAYGROUND, "pages/feature_walk.py"])
def test_the_die_takes_the_next_seed(path):
    app = healthy(press(open_page(path, seed="6"), "draw"))
    assert app.number_input(key="seed").value == 7


def test_a_slider_ends_where_the_moment_says():
    """No more labels can be flipped than leave half of every class as it was."""
    app = healthy(open_page(PLAYGROUND, problem="moons", n="10", contamination="flip_random"))
    assert (app.slider(key="flips").max, app.slider(key="flips").value) == (5, 2)
    app = open_page(PLAYGROUND, problem="moons", n="10", contamination="flip_random", flips="6")
    assert refused(app) == ["The link has flips = '6', but flips must be a whole number from 0 to 5; 2 is used."]
