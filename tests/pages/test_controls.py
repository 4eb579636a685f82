"""Every control says once what it is, and the rest follows: the link, hide=, notes, files, what travels."""

import json
import re
from dataclasses import asdict

import numpy as np
import pytest
from screen import (
    ROOT,
    captions,
    choose,
    control,
    healthy,
    html,
    metrics,
    notes,
    open_page,
    pictures,
    press,
    sent,
    session,
    strip,
    unpacked,
    value,
)
from waiting import mostly_slow

from pages.shared.controls import strip as control_strip
from pages.shared.figures import palette
from pages.shared.lessons.reading import built_in_lessons
from pages.shared.page.page import MENU
from pages.shared.panels import best_possible
from pages.shared.plane import sketches
from pages.shared.screen import codec, edits, fields, own_points
from pages.shared.screen.choices import LOSSES
from pages.shared.screen.fields import REGISTRY
from pages.shared.screen.schema import KEY, OPTIONS, SEED, TABLES
from pages.shared.studies import point_sets, results
from svmcore import losses, problems
from svmcore.kernels import KERNELS
from svmcore.words import spell

pytestmark = pytest.mark.usefixtures("warm")

PLAYGROUND = "pages/playground.py"
TABLE = own_points.Own(
    np.random.default_rng(1).normal(size=(20, 3)), np.where(np.arange(20) % 2, 1.0, -1.0), tuple("abc")
)
OWN = own_points.Own(np.random.default_rng(0).normal(size=(20, 2)), np.where(np.arange(20) % 2, 1.0, -1.0))
FEW = {"n": "20"}
SCREENS = {
    "home": ("home.py", {}),
    "flips": (PLAYGROUND, dict(problem="moons", contamination="flip_random", kernel="poly")),
    "share": (PLAYGROUND, dict(problem="label_flips", contamination="flip_share", kernel="rbf")),
    "own": (PLAYGROUND, dict(problem="own", data=OWN.key)),
    "table": (PLAYGROUND, dict(problem="titanic")),
    "own table": (PLAYGROUND, dict(problem="own", data=TABLE.key, slice="columns")),
    "regression": (PLAYGROUND, dict(problem="sinc")),
    "compare": ("pages/compare.py", FEW),
    "losses": ("pages/losses.py", dict(losses=",".join(losses.LOSSES), curve="prox")),
    "run": ("pages/convergence.py", FEW),
    "admm": ("pages/convergence.py", FEW | dict(loss="zero_one", solver="admm_paper")),
    "race": ("pages/convergence.py", FEW | dict(show="race")),
    "path": ("pages/convergence.py", FEW | dict(show="path", problem="moons")),
    "sparsity": ("pages/sparsity.py", FEW),
    "walk": ("pages/feature_walk.py", {}),
    "robustness": ("pages/robustness.py", {}),
    "papers": ("pages/papers.py", {}),
    "lessons": ("pages/lessons.py", dict(lesson="errors", prompt="flip")),
    "room": ("pages/room.py", {}),
    "help": ("pages/help.py", {}),
    "teach": ("pages/teach.py", {}),
}
DRAWN = [entry for entry in problems.REGISTRY.values() if entry.planar and entry.available()]
WITH_OPTION = {o.name: entry.key for entry in DRAWN for o in entry.options}
SHOWN = set(KERNELS["poly"].parameters)
OTHER_KERNELS = [key for key, family in KERNELS.items() if not SHOWN.issuperset(family.parameters)]
SCREENS |= {f"kernel {key}": (PLAYGROUND, dict(problem="moons", kernel=key)) for key in OTHER_KERNELS}
SCREENS |= {f"option {name}": (PLAYGROUND, dict(problem=key)) for name, key in WITH_OPTION.items() if name in OPTIONS}
SCREENS |= {path: (path, {}) for path in MENU if path not in [known for known, _ in SCREENS.values()]}
TEXTS = {
    "data": OWN.key,
    "edits": codec.encode(edits.script((-3, -3), [(2, edits.FLIPPED)])),
    "hide": "room",
    "scene": "leverage",
    "lesson": "support",
    "prompt": "draw",
    "given": "2",
    "progress": "errors.rr------",
    "join": "ABCDE",
    "cockpit": "any",
}
# what the frame of a page, a folded section, a study that has not begun, or a background job alone shows
UNTOLD = {"hide", "present", "projected", "scene", "claims", "broken", "choose", "distance", "repeats", "tuned"}
# the default suite sees the controls of these on other screens, too, but for parameters of losses and of their pages
KNOWN = {"admm", "race", "path", "losses", "option n", "option noise"}
every_screen = pytest.mark.parametrize("name", SCREENS)


@pytest.fixture(scope="module", autouse=True)
def own_set():
    store = point_sets.Sets()
    store.put(OWN)
    store.put(TABLE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(results, "own_sets", lambda: store)
        patch.setattr(best_possible, "beside_the_outlier", lambda machines, distance: None)  # long, and no control
        yield


@pytest.fixture(scope="module")
def opened(warm, own_set):
    """{screen: (its page, {name: control} of all that it showed, with the fields that they had then)}."""
    found, put = {}, control_strip.put
    with pytest.MonkeyPatch.context() as patch:
        for name in SCREENS:
            shown = {}

            def recorded(field, value, visible=True, shown=shown):
                if not field.off:
                    shown[field.name] = field
                put(field, value, visible)

            patch.setattr(control_strip, "put", recorded)
            app = healthy(screen(name))
            found[name] = app, shown
    return found


def screen(name, **link):
    path, its = SCREENS[name]
    return open_page(path, **its | link)


def bound(app):
    """The parameters of the link that belong to controls of this page."""
    return set(session(app).run.shown)


def told(app):
    """All that a page tells its reader, without the values of its controls and the times of its solvers."""
    specs = [unpacked(component.proto.bytes) for component in app.get("bidi_component")]
    of_session = dict.fromkeys(["live", "version", "session"])
    parts = [spec["numbers"] if "controls" in spec else spec | of_session for spec in specs]
    kinds = ("markdown", "caption", "latex", "info", "warning", "code")
    tables = re.sub(r"[\d.]+ ms\b", "", html(app))
    return json.dumps([parts, tables, [[one.value for one in app.get(kind)] for kind in kinds]])


def left_behind(app):
    """The pictures that the live channel of the page draws, and that do not follow it on the page."""
    live = [spec for spec in sent(app, "live") if spec["live"]]
    ids = {spec["live"]["scene"] for spec in live}
    scenes = [scene for scene in app.session_state["scenes"].values() if scene.id in ids] if ids else []
    return {key for scene in scenes for key in unpacked(scene.answer({}))["planes"]} - {spec["name"] for spec in live}


def other(control):
    """A value that the control can take and does not have by itself, as a link says it."""
    if isinstance(control, fields.Options):
        usual = control.default or next(iter(control.options))
        return next((key for key in control.options if key not in usual and control.fits(key)), None)
    if isinstance(control, fields.Text):
        return TEXTS[control.name]
    if isinstance(control, fields.Check):
        return control.to_text(not control.default)
    if isinstance(control, fields.Logarithmic):
        return f"{2 * control.default:g}"
    up = control.default + control.step
    return f"{up if up <= control.high else control.default - control.step:g}"


def refused(app):
    """The notes on what a link says and no control can take."""
    return [note for note in notes(app) if "The link has " in note]


@every_screen
def test_a_page_starts_and_draws_and_what_it_binds_to_the_link_is_a_control_that_knows_it(name, opened):
    app, shown = opened[name]
    assert refused(app) == [] and (name == "admm" or notes(app) == [])  # whose run does not end with a machine
    assert pictures(app) or SCREENS[name][0] in ("pages/room.py", "pages/teach.py", "pages/help.py")
    assert all(figure["layout"]["meta"]["alt"] for figure in pictures(app).values())
    assert bound(app) == set(shown) <= set(REGISTRY)


@pytest.mark.parametrize("name", ["home", "flips", "compare", "run"])
def test_a_page_tells_the_same_in_every_session(name, opened):
    assert told(healthy(screen(name))) == told(opened[name][0])


def test_every_control_is_on_a_screen(opened):
    """But the key of a room, which leaves the address as soon as it is read."""
    assert set().union(*(shown for _, shown in opened.values())) == set(REGISTRY) - {KEY.name}


@pytest.mark.parametrize("name", mostly_slow(SCREENS, SCREENS.keys() - KNOWN))
def test_a_link_sets_every_control_and_leaves_out_any(name, opened):
    """All numbers and switches at once, and each control alone on the first screen that has it: the link is obeyed and
    kept, hide= hides it, a control alone changes what the page tells, and what it shows follows a held control.
    """
    controls = {key: control for key, control in opened[name][1].items() if key not in {*SCREENS[name][1], "hide"}}
    choices = {key for key, control in controls.items() if isinstance(control, fields.Options)}
    links = [{key: other(controls[key]) for key in controls.keys() - choices}]
    first = {key: at for at, (_, shown) in reversed(opened.items()) for key in shown}
    links += [{key: other(controls[key])} for key in sorted(controls) if first[key] == name and other(controls[key])]
    before = told(opened[name][0])
    for link in links:
        hide = {"hide": ",".join(key for key in link if REGISTRY[key].hideable)} if controls else {}
        app = healthy(screen(name, **link, **hide))
        assert refused(app) == []
        in_sight = {item["name"] for item in strip(app)}
        for key, text in link.items():
            assert value(app, key) == REGISTRY[key].read(text) == session(app).kept[key]
            assert app.query_params[key] in (text, [text])
            assert key in bound(app) - in_sight or not REGISTRY[key].hideable
            assert len(link) > 1 or key in UNTOLD or told(app) != before, f"{key} = {text} changes nothing on the page"
        assert left_behind(app) == set(), f"pictures that follow no held control, with {link}"


@pytest.mark.parametrize("name", mostly_slow(SCREENS, ["flips", "compare", "losses", "run", "walk", "papers", "help"]))
def test_what_no_control_can_take_is_named_and_leaves_the_screen_as_it_is(name, opened):
    """All numbers and choices at once, and a parameter of no page."""
    app, shown = opened[name]
    wrong = {key: "humbug" for key, one in shown.items() if not isinstance(one, fields.Text)} | {"colour": "red"}
    wrong = {key: text for key, text in wrong.items() if key not in SCREENS[name][1]}
    told = refused(fallen := healthy(screen(name, **wrong)))[0].replace("\\", "")
    assert all(f"The link has {key} = '{text}', " in told for key, text in wrong.items())
    assert told.count("The link has ") == len(wrong)
    assert {key: value(fallen, key) for key in shown} == {key: value(app, key) for key in shown}


def test_two_controls_have_neither_one_name_nor_one_label():
    labels = [control.label for control in REGISTRY.values()]
    assert all(labels) and len(set(labels)) == len(labels)
    with pytest.raises(ValueError, match="two fields are called 'seed': 'Seed', 'Another seed'"):
        fields.Number("seed", "Another seed", 0, 0, 1)
    assert REGISTRY["seed"] is SEED


def test_no_key_of_the_session_is_the_name_of_a_control(opened):
    """The values of the controls stand in one record. Nothing else of the app has their names, neither on a page that
    was opened here nor in a part that was not.
    """
    held = {name for app, _ in opened.values() for name in REGISTRY if name in app.session_state}
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "pages").rglob("*.py"))
    written = re.findall(r"""(?:\bkey=|session_state(?:\.\w+)?[\[(])f?"([^"]*)\"""", source)
    assert {"upload", "film_rests"} <= set(written)
    assert sorted(held | set(REGISTRY) & set(written)) == [], "controls have these names: choose other keys"


@pytest.mark.parametrize("control", REGISTRY.values(), ids=REGISTRY)
def test_what_a_control_says_of_itself_is_plain_data(control):
    plain = asdict(control)
    assert json.loads(json.dumps(plain | {"kind": control.kind})).keys() >= {"name", "label", "kind", "default"}
    if isinstance(control, fields.Number):
        assert control.step > 0


def test_a_list_of_losses_has_the_curve_of_each_in_the_colour_of_the_legend(opened):
    (listed,) = (item for item in strip(opened["compare"][0]) if item["name"] == "losses")
    assert [*listed["sketches"]] == [key for key, _ in listed["options"]] and len(listed["sketches"]) > 20
    for key, sketch in listed["sketches"].items():
        heights = np.array(sketch["heights"])
        assert np.abs(heights / sketches.ROWS * sketches.HIGHEST - LOSSES[key](sketches.T)).max() < 0.1
        token = palette.variant(LOSSES[key].colour)[0]
        light, dark = (palette.replace_tokens(token, palette.THEMES[theme]) for theme in ("light", "dark"))
        assert sketch["colour"] == f"light-dark({light}, {dark})"
    assert listed["sketches"]["ramp"]["words"] == "Loss 0 at t = −1, 1 at t = 1, 2 at t = 3"
    assert listed["sketches"]["pinball"]["words"] == "Loss 0.5 at t = −1, 1 at t = 1, 3 at t = 3"


def test_what_a_control_lets_through_the_loss_takes(opened):
    _, shown = opened["losses"]
    for loss in losses.LOSSES.values():
        for parameter in loss.parameters:
            control = shown[parameter.name]
            assert control.low in parameter and control.high in parameter and control.default == parameter.default


def test_a_note_on_a_choice_has_its_labels_and_of_many_options_the_nearest():
    app = healthy(open_page(PLAYGROUND, kernel="rbff", problem="riply", C="-3", dragon="1"))
    (note,) = notes(app)
    count = len(problems.names(planar=True)) + len(TABLES) + 1  # the reader's own points
    named = ", ".join(f"{family.label} ({key})" for key, family in KERNELS.items() if key != "precomputed")
    assert note.replace("\\", "").splitlines() == [
        f"- The link has problem = 'riply', but “Problem” must be one of the {count} in its list (the nearest: Ripley "
        "(ripley)); Toy with outliers is used.",
        "- The link has C = '-3', but “C, weight of the loss” must be a number from 10⁻⁶ to 10⁶; 1 is used.",
        f"- The link has kernel = 'rbff', but “Kernel” must be one of {named}; Linear is used.",
        "- The link has dragon = '1', which is not a parameter of this app; it was ignored.",
    ]


def test_the_list_of_what_can_be_left_out_says_what_stands_on_the_screen():
    app = open_page(PLAYGROUND, {"sharing": True}, problem="moons", kernel="rbf", loss="ramp")
    listed = app.multiselect(key="hide_choice").options
    assert set(listed) == {control.label for control in REGISTRY.values() if control.hideable}
    drawn = {item["label"] for item in strip(app) if not item.get("off") and item["kind"] not in ("button", "text")}
    assert {"mu, parameter of the loss", "sigma, width of the kernel"} <= drawn <= set(map(spell, listed))
    assert (control(app, "mu")["short"], control(app, "sigma")["short"]) == ("μ", "σ")
    app.multiselect(key="hide_choice").select("seed").run()
    assert app.query_params["hide"] == "seed" and "Seed" not in {item["label"] for item in strip(app)}


@pytest.mark.parametrize("name", ["flips", "walk"])
def test_the_die_takes_the_next_seed(name):
    assert value(healthy(press(screen(name, seed="6"), "draw")), "seed") == 7


def test_a_slider_ends_where_the_moment_says():
    """No more labels can be flipped than leave half of every class as it was."""
    app = healthy(open_page(PLAYGROUND, problem="moons", n="10", contamination="flip_random"))
    assert (control(app, "flips")["high"], value(app, "flips")) == (5, 2)
    app = open_page(PLAYGROUND, problem="moons", n="10", contamination="flip_random", flips="6")
    assert refused(app) == [
        "The link has flips = '6', but “Number of outliers” must be a whole number from 0 to 5; 2 is used."
    ]


@pytest.mark.parametrize(
    "name, sent, shown",
    [
        ("C", "inf", "inf"),
        ("C", "1e309", "1e309"),
        ("seed", "9" * 300, "9" * 40),
        ("problem", "**bold** [a](b) `c` :red[d] $e$", r"\*\*bold\*\* \[a\]\(b\) \`c\` \:red\[d\] \$e\$"),
        ("**C**", "1", r"\*\*C\*\*"),
        ("seed", "inf", "inf"),
        ("n", "1e309", "1e309"),
        ("![p](//any.address/x.png)", "1", r"!\[p\]\(//any.address/x.png\)"),
        ("loss", ":material/home: https://any.address", "https\\:\u2060//any.address"),
        ("data", "![p](//any.address/x.png)", r"!\[p\]\(//any.address/x.png\)"),
    ],
)
def test_whatever_a_link_holds_is_text(name, sent, shown):
    app = healthy(open_page(PLAYGROUND, **({"problem": "own"} if name == "data" else {}) | {name: sent}))
    assert len(notes(app)) == 1 and shown in notes(app)[0] and len(notes(app)[0]) < 900
    assert "**" not in notes(app)[0]


@pytest.mark.parametrize(
    "page, link",
    [
        ("sparsity", {"problem": "circles", "n": "10", "kernel": "poly", "sigma": "0.00026", "degree": "12"}),
        ("sparsity", {"problem": "moons", "n": "10", "kernel": "poly", "sigma": "1e-06", "coef0": "100"}),
        ("compare", {"problem": "xor", "kernel": "poly", "sigma": "1e-06", "degree": "20", "C": "1e6"}),
    ],
)
def test_extreme_links_are_answered(page, link):
    healthy(open_page(f"pages/{page}.py", **link))


def test_solvers_end_with_the_time_of_a_run_and_nothing_unfinished_is_kept(monkeypatch):
    link = {"problem": "label_flips", "seed": "77", "C": "1000000", "sigma": "1"}
    monkeypatch.setattr(results, "SECONDS", 0.0)
    app = healthy(open_page(PLAYGROUND, **link))
    assert any("time limit" in note for note in [*notes(app), html(app), captions(app), *metrics(app).values()])
    monkeypatch.setattr(results, "SECONDS", 60.0)
    app = healthy(open_page(PLAYGROUND, **link))
    assert not any("time limit" in note for note in [*notes(app), html(app), captions(app), *metrics(app).values()])


def test_a_note_on_a_link_stays_until_something_is_changed():
    app = healthy(open_page(PLAYGROUND, C="banana"))
    assert len(notes(app.run())) == 1 and "C" not in app.query_params
    assert notes(choose(app, C=3.0)) == [] and app.query_params["C"] == "3"


def test_a_link_that_is_followed_later_is_obeyed_and_a_late_one_undoes_nothing():
    """The browser may send a request with the link from before the last run."""
    app = choose(healthy(open_page(PLAYGROUND, C="2", seed="4")), C=5.0)
    app.query_params["C"] = "2"
    assert value(app.run(), "C") == 5.0 and app.query_params["C"] == "5"
    app.query_params["C"] = "7"
    assert value(app.run(), "C") == 7.0
    del app.query_params["seed"]
    assert value(app.run(), "seed") == 0


def test_the_menu_takes_the_settings_to_every_page():
    app = choose(healthy(open_page(PLAYGROUND, problem="moons")), C=5.0)
    compare = next(link for link in app.get("page_link") if link.proto.label == "Compare")
    assert compare.proto.query_string == "problem=moons&C=5"


def test_reset_takes_back_all_but_the_problem():
    app = healthy(open_page(PLAYGROUND, problem="moons", C="5", loss="pinball", tau="0.2", seed="3", n="60"))
    app = healthy(press(app, "reset"))
    assert app.query_params == {"problem": "moons"}
    assert (value(app, "loss"), value(app, "seed"), value(app, "n")) == ("hinge", 0, 200)
    lesson = next(iter(built_in_lessons().values()))
    place = {"lesson": lesson.id, "prompt": lesson.prompts[0].id}
    assert healthy(press(open_page("pages/lessons.py", **place), "reset")).query_params == place


def test_what_the_strip_cannot_mean_is_refused():
    app = open_page(PLAYGROUND, C="2")
    for entry in ("-3", "1e9", -3, "1e309", "nan", None, [], {}, "x" * 300, float("inf"), True):
        healthy(choose(app, C=entry))
        assert value(app, "C") == 2.0 and notes(app)[0].startswith("The entry has C = "), entry


@pytest.mark.parametrize(
    "message", ["x", 5, ["x"], {"id": "1"}, {"id": "1", "values": 5, "action": None}, {"run": "x"}]
)
@pytest.mark.parametrize(
    "page, link, key, name",
    [
        (PLAYGROUND, {"n": "20"}, "strip", "update"),
        (PLAYGROUND, {"n": "20"}, "points", "edits"),
        ("pages/convergence.py", {"n": "20"}, "film", "film"),
        ("pages/convergence.py", {"n": "20"}, "film", "moment"),
        ("pages/lessons.py", {"lesson": "errors", "prompt": "draw"}, "question", "answer"),
    ],
)
def test_a_message_that_no_browser_sends_is_ignored(page, link, key, name, message):
    healthy(open_page(page, {key: {name: message}}, **link))
