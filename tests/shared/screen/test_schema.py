"""Every field of the schema: its texts, its range, and the screens that it sets something on."""

import math
from types import SimpleNamespace

import pytest

from pages.shared.screen import codec, edits, schema
from pages.shared.screen.choices import ISLS, LOSSES, MACHINES, OWN, WALK, Machine
from pages.shared.screen.fields import REGISTRY, Check, Number, Options, Several
from pages.shared.screen.screen import Screen, parse_values, texts
from pages.shared.studies.source import Source
from svmcore import kernels, problems
from svmcore.losses.registry import Parameter
from svmcore.problems import outliers
from svmcore.words import number

EDITED = codec.encode(edits.script((-3, -3), [(2, edits.FLIPPED)]))
SET = {name: field for name, field in REGISTRY.items() if field.part}
every_field = pytest.mark.parametrize("field", REGISTRY.values(), ids=REGISTRY)


def valid(field):
    """Some of the values that a field can have."""
    if isinstance(field, Number):
        return {field.low, field.high, field.usual, field.read(float(f"{0.5 * (field.low + field.high):.6g}"))}
    if isinstance(field, Check):
        return {True, False}
    if isinstance(field, Several):
        return {"", *field.options, ",".join(list(field.options)[:2])}
    if isinstance(field, Options):
        return set(field.options)
    return {"", EDITED} if field.name == "edits" else {"", "any", "a,b"}


def invalid(field):
    """Some of the values that it cannot have."""
    if isinstance(field, Number):
        return [field.high + 1, field.low - 1, "banana", "", math.nan, "inf", "1e999", None, True, [], {}]
    if isinstance(field, Check):
        return [1, "maybe", "", None]
    return [3, None, ["a", 1], "humbug"][: 4 if isinstance(field, Options) else 3]


@every_field
def test_a_value_survives_the_link(field):
    for value in valid(field):
        text = field.to_text(value)
        assert isinstance(text, str) and field.parse(text) == value == field.parse(value)
        assert type(field.parse(text)) is type(field.read(value)) and field.to_text(field.parse(text)) == text


@every_field
def test_an_invalid_value_gives_a_sentence_with_the_name_and_what_is_valid(field):
    for value in invalid(field):
        with pytest.raises(ValueError) as caught:
            field.parse(value)
        sentence = str(caught.value)
        assert sentence.startswith(f"has {field.name} = ") and f"{field.name} must be {field.valid_input}" in sentence
        if isinstance(field, Number):
            assert f"from {number(field.low, 'g')} to {number(field.high, 'g')}" in sentence
        if isinstance(field, Options):
            assert all(key in sentence for key in field.options)


@every_field
def test_a_default_is_valid(field):
    if not isinstance(field, Options) or field.options:
        assert field.parse(field.to_text(field.usual)) == field.usual


# ------------------------------------------------------------------------------------------ where it applies

TABLES = [
    *({"problem": key} for key in [*schema.PLANAR, *schema.TABLES, WALK]),
    *({"loss": key} for key in schema.LOSS.options),
    *({"kernel": key} for key in schema.KERNEL.options),
    *({"contamination": key} for key in schema.KIND.options),
]


def expected(table):
    """The fields that set something on the screen of a table, from the registries of the core."""
    problem, loss = table.get("problem", "toy_outliers"), table.get("loss", "hinge")
    entry = problems.REGISTRY[problem]
    loss = "epsilon_insensitive" if entry.task == "regression" else loss
    kernel, kind = table.get("kernel", entry.kernel), outliers.KINDS.get(table.get("contamination", "none"))
    names = {name for name, field in SET.items() if field.part in ("data", "machines")} | {"C", "kernel"}
    names -= {*schema.OF_A_SLICE} - ({"slice"} if problem in schema.TABLES else set())
    names |= {option.name for option in entry.options} - {"flips"}
    names |= {"init", "stop"} if loss == ISLS else {parameter.name for parameter in LOSSES[loss].parameters}
    names |= {"sigma" if name == "gamma" else name for name in kernels.KERNELS[kernel].parameters}
    names |= {"points": {"flips", "home_flips"}, "share": {"share"}}[kind.unit] if kind else set()
    return names | ({"walk_n", "walk_C", "rounds", "walk_loss"} if problem == WALK else set())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(table.values()))
def test_a_field_applies_where_it_says(table):
    screen = Screen.read(table)
    assert {name for name in REGISTRY if screen.applies(name)} == expected(table)
    for name, field in SET.items():
        if not screen.applies(name):
            with pytest.raises(ValueError, match=f"^has '{name}', which .*[a-z]"):
                screen.replace(name, field.usual)
    with pytest.raises(ValueError, match="cannot be set here"):
        screen.replace("humbug", 1)
    with pytest.raises(ValueError, match="its page alone"):
        screen.replace("step", 1)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(table.values()))
def test_another_value_is_the_one_thing_that_changes(table):
    screen = Screen.read(table)
    for name in expected(table) - {"problem", "contamination", "loss", "losses", "kernel"}:
        here = screen.field(name)
        assert here.usual == screen.value(name)
        for value in valid(here):
            now = screen.replace(name, here.to_text(value))
            assert now.value(name) == value
            others = {other for other in expected(table) - {name, "edits", "home_flips", "flips"} if now.applies(other)}
            assert all(now.value(other) == screen.value(other) for other in others)
        if isinstance(here, Number):
            with pytest.raises(ValueError, match=f"{name} must be a.* number from {number(here.low, 'g')} to"):
                screen.replace(name, here.high + 1)


@pytest.mark.parametrize("problem", ["moons", "titanic"])
def test_the_usual_view_of_points_holds_what_changes_them_and_nothing_else(problem):
    """By it a page knows whether the points have changed: a choice that the picture alone shows is reset in it."""
    table = {"problem": problem, "contamination": "flip_random"}
    screen, source = Screen.read(table), Source()

    def points(data):
        problem = source.problem(data)
        return [part.tobytes() for part in (edits.places(problem), problem.X, problem.y, problem.X_test)]

    for name in sorted(expected(table)):
        if SET[name].part == "data" and name not in ("problem", "contamination"):
            for value in valid(screen.field(name)):
                now = screen.replace(name, value).data
                other = now.usual_view != screen.data.usual_view
                assert other == (points(now) != points(screen.data)), f"{name} = {value!r}"


@pytest.mark.parametrize("part", ["data", "setting"])
def test_a_screen_begins_with_the_defaults_of_its_fields(part):
    """The record in `choices` has the same ones, but where the problem suggests its own."""
    screen, suggested = Screen.read({}), {"problem", "C", "kernel", "sigma"}
    for name, field in SET.items():
        if field.part == part and name not in suggested:
            assert screen.value(name) == field.usual, name


def test_what_decides_begins_anew():
    screen = Screen.read({"problem": "moons", "n": 60, "contamination": "flip_random", "flips": 7, "C": 3})
    assert (screen.value("n"), screen.value("flips"), screen.setting.C) == (60, 7, 3.0)
    assert screen.replace("contamination", "leverage_cluster").value("flips") == 5
    assert screen.replace("contamination", "none").data.amount == 0
    assert screen.replace("losses", "hinge,ramp").machines == (Machine.from_loss("hinge"), Machine.from_loss("ramp"))
    assert screen.replace("problem", "ripley") == Screen.from_problem("ripley")
    assert screen.replace("problem", OWN).data.problem == OWN
    edited = screen.replace("edits", EDITED)
    assert edited.data.edits.edits and edited.replace("C", 2).data.edits == edited.data.edits
    assert not edited.replace("n", 80).data.edits.edits and not edited.replace("seed", 1).data.edits.edits


def test_a_table_is_read_in_any_order_and_written_again():
    table = {"mu": "2", "flips": "3", "degree": "4", "loss": "ramp", "contamination": "flip_farthest", "seed": "5"}
    table |= {"kernel": "poly", "n": "60", "problem": "moons", "edits": EDITED}
    screen = Screen.read(table)
    assert screen == Screen.read(dict(reversed(table.items()))) and texts(parse_values(table)) == table
    assert all(REGISTRY[name].to_text(screen.value(name)) == text for name, text in table.items())
    assert Screen.read({"tau": 0.2, "share": 0.1, "walk_n": 50}) == Screen.from_problem("toy_outliers")
    with pytest.raises(ValueError, match="has 'breadth', which cannot be set here"):
        Screen.read({"breadth": 1})
    with pytest.raises(ValueError, match="n must be a whole number from"):
        Screen.read({"problem": "moons", "n": 10**6})


@pytest.mark.parametrize("name", kernels.PARAMETERS)
def test_a_kernel_takes_the_whole_range_of_its_controls(name):
    shown = "sigma" if name == "gamma" else name
    field = REGISTRY.get(shown)
    assert field and field.part == "setting", f'schema.py needs a control "{shown}" with part="setting"'
    for value in (field.low, field.high):
        kernels.Kernel(**{name: value**-2.0 if name == "gamma" else value})


@pytest.mark.parametrize("task", MACHINES)
def test_losses_that_share_a_parameter_share_what_their_ranges_have_in_common(task):
    ranges = (0.1, 0.8), (0.3, 0.9)
    one, other = (SimpleNamespace(parameters=(Parameter("tau", 0.5, *ends, "", "any"),)) for ends in ranges)
    shared = schema.parameter((one, other), "tau")
    assert (shared.low, shared.high) == (0.3, 0.8)
    machines = tuple(map(Machine.from_loss, MACHINES[task]))
    for name in {parameter.name for machine in machines for parameter in machine.parameters}:
        shared = schema.parameter(machines, name)
        for value in (shared.low, shared.default, shared.high):
            assert [machine.replace(name, value) for machine in machines]


@pytest.mark.parametrize("name", schema.PARAMETERS)
def test_a_parameter_of_a_loss_is_called_by_its_letter_in_the_formula(name):
    having = [loss for loss in LOSSES.values() if any(p.name == name for p in loss.parameters)]
    (letter,) = {p.letter for loss in having for p in loss.parameters if p.name == name}
    assert len(letter) == 1 and all(p.latex in loss.latex for loss in having for p in loss.parameters)
    field, word = REGISTRY[name], {"height", "width", "skew", "damping"} & {name}
    assert field.short == ", ".join([letter, *word])
    assert field.label == f"{letter}, {name if word else 'parameter'} of the loss"
    assert all(f"{letter} = " in Machine.from_loss(loss.key).name for loss in having)
