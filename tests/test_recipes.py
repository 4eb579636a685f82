"""The recipes of the manual, carried out as written: the tests pass, and a mistake is noticed by one that names it."""

import pytest
from recipes import Copy, block

README, ARCHITECTURE, INTERNALS = "README.md", "docs/architecture.md", "docs/internals.md"
FAMILIES, KERNELS = "svmcore/kernels/families.py", "tests/core/kernels/test_families.py"
LOSSES, PROBLEMS = "tests/core/losses/test_losses.py", "tests/core/problems/test_problems.py"
pytestmark = pytest.mark.slow


def with_a_loss(folder, **mistake):
    """A copy with the loss of the README; mistake: what is written instead of what."""
    copy = Copy(folder)
    copy.append("svmcore/losses/smooth.py", changed(block(README, "python loss"), **mistake))
    copy.replace("svmcore/losses/__init__.py", "normalized_sigmoid", "normalized_sigmoid, geman_mcclure")
    copy.replace(LOSSES, "BY_HAND = [\n", f"BY_HAND = [\n    {block(README, 'python loss values').strip()},\n")
    return copy


def with_a_problem(folder, **mistake):
    copy = Copy(folder)
    copy.append("svmcore/problems/planar.py", changed(block(README, "python problem"), **mistake))
    return copy


def with_a_kernel(folder, formula=True, **mistake):
    """A copy with the kernel of the manual; formula: with its line in the tests."""
    copy = Copy(folder)
    numpy = "import numpy as np\n"
    copy.replace(FAMILIES, numpy, numpy + block(ARCHITECTURE, "python kernel import"))
    place = "# a function (X, Z)"
    copy.replace(FAMILIES, place, f"{changed(block(ARCHITECTURE, 'python kernel'), **mistake)}\n{place}")
    copy.replace(FAMILIES, "sigmoid, precomputed)", "sigmoid, laplacian, precomputed)")
    if formula:
        line = block(ARCHITECTURE, "python kernel formula").strip()
        copy.replace(KERNELS, "FORMULAS = {\n", f"FORMULAS = {{\n    {line}\n")
    return copy


def with_a_control(folder, shown=True, **mistake):
    """A copy with the control of the README; shown: on Playground."""
    copy = Copy(folder)
    copy.append("pages/shared/screen/schema.py", changed(block(README, "python control"), **mistake))
    line = "    setting = choose_setting(data)\n"
    if shown:
        copy.replace("pages/playground.py", line, line + block(README, "python control call"))
    return copy


def with_a_watched_solver(folder, **mistake):
    copy = Copy(folder)
    copy.write("svmcore/solvers/box_dual/steepest_descent.py", changed(block(INTERNALS, "python solver"), **mistake))
    copy.write("svmcore/watch/steepest_descent.py", block(INTERNALS, "python watched"))
    registry, line = "svmcore/watch/registry.py", "        linear_system.DIRECT,\n"
    copy.replace(registry, "quasi_newton, smo\n", "quasi_newton, smo, steepest_descent\n")
    copy.replace(registry, line, f"{line}        {block(INTERNALS, 'python watched registry').strip()},\n")
    return copy


def changed(code, old="", new=""):
    assert old in code
    return code.replace(old, new, 1) if old else code


CONVEX_PROX = (
    "lambda z, c: root(lambda v: v - z + c * geman_mcclure.slope_of(v), np.minimum(z, 0.0), np.maximum(z, 0.0))"
)
MISTAKES = {  # what is added, where its tests are and what all name: (what, what is written instead, who notices)
    (with_a_loss, LOSSES, "geman_mcclure"): [
        ("    bounded=True,\n", "", "test_flags_say_what_the_function_does[geman_mcclure"),
        ("2.0 * t / (1.0", "t / (1.0", "test_slope_and_curvature_are_derivatives_away_from_kinks[geman"),
        ("(2.0 - 6.0 * t", "(2.0 - 2.0 * t", "test_slope_and_curvature_are_derivatives"),
        ("np.copysign(size, z)", "size", "test_prox_by_brute_force"),
        ("prox_of=_geman_mcclure_prox", f"prox_of={CONVEX_PROX}", "test_prox_by_brute_force"),
        (r"{t^2}{1", r"{t^2}{2", "test_the_shown_formula_is_the_computed_loss[geman_mcclure"),
        ("colour=31", "colour=3", "test_an_entry_is_complete[geman_mcclure"),
    ],
    (with_a_problem, PROBLEMS, "stripes"): [
        ("rng.uniform", "np.random.uniform", "test_a_set_is_sound_and_drawn_again_from_its_seed[stripes"),
        ("(n, 2))\n    return X", "(n, 2))[::-1]\n    return X", "test_more_points_keep_the_first_ones"),
        ("sigma=0.5", "sigma=50.0", "test_suggested_parameters_learn_the_problem[stripes"),
    ],
    (with_a_kernel, KERNELS, "test"): [
        ("np.exp(-gamma", "np.exp(-2.0 * gamma", "test_the_matrix_is_the_formula[2-laplacian"),
        (r"_1)", r")", "test_the_shown_formula_is_the_computed_kernel"),
        ('"always"', '"never"', "test_definite_is_what_the_eigenvalues_say[laplacian"),
        ("stationary=True", "stationary=True, cheap_features=9", "test_properties_are_those_of_the_values[2-laplacian"),
        ("np.abs(x[", "(x[", "test_what_is_written_for_other_software_is_the_kernel[laplacian"),
        ('gamma_means="', 'libsvm="', "test_the_registry_says_all_that_an_app_needs[laplacian"),
    ],
    (with_a_watched_solver, "tests/core/watch/test_watch.py", "least_squares"): [
        ("violation, beta, intercept, length)", "violation, beta, 0.0, length)", "test_every_watched_run_ends_at_the"),
    ],
}


@pytest.mark.parametrize(
    "make, where, key, old, new, noticed", [(*of, *one) for of, some in MISTAKES.items() for one in some]
)
def test_a_mistake_is_noticed(tmp_path, make, where, key, old, new, noticed):
    failures = make(tmp_path, old=old, new=new).failures(where, "-k", f"{noticed} and {key}")
    assert any(noticed in name and key in name for name in failures), failures


def test_a_loss_in_three_files_and_forty_lines(tmp_path):
    lines = sum(block(README, kind).count("\n") for kind in ("python loss", "python loss values"))
    assert lines <= 38
    copy = with_a_loss(tmp_path)
    solvers = ("tests/core/solvers/test_descent.py", "tests/core/solvers/test_quasi_newton.py", "tests/core/watch")
    tests = ("tests/core/losses", *solvers, "tests/pages/test_losses_page.py")
    assert copy.failures(*tests, "-k", "geman_mcclure or registry or bounded") == []
    copy.run("-m", "docs")
    assert copy.failures("tests/test_docs.py", "tests/test_readme.py", "tests/pages/test_links.py") == []


def test_a_problem_in_one_file(tmp_path):
    copy = with_a_problem(tmp_path)
    assert copy.failures("tests/core/problems", "-k", "stripes or names") == []
    copy.run("-m", "docs")
    assert copy.failures("tests/test_docs.py") == []


def test_a_kernel_in_two_files_and_forty_lines(tmp_path):
    kinds = ("python kernel import", "python kernel", "python kernel formula")
    assert sum(block(ARCHITECTURE, kind).count("\n") for kind in kinds) <= 39  # and its place in the order
    copy = with_a_kernel(tmp_path)
    tests = "core/kernels core/estimators/test_exchange.py core/estimators/test_estimators.py"
    tests += " shared/studies/test_studies_snippet.py"
    assert copy.failures(*(f"tests/{name}" for name in tests.split())) == []
    assert copy.failures("tests/core/estimators/test_rounding.py", "-k", "laplacian") == []
    assert copy.failures("tests/pages/test_controls.py", "tests/pages/test_regression_page.py", "-k", "kernel") == []
    copy.run("-m", "docs")
    assert copy.failures("tests/test_docs.py", "tests/test_readme.py") == []


def test_a_kernel_without_a_formula_is_noticed(tmp_path):
    failures = with_a_kernel(tmp_path, formula=False).failures(KERNELS, "-k", "left_out")
    assert failures == [f"{KERNELS}::test_no_kernel_is_left_out_here"]


def test_a_watched_solver_in_three_files(tmp_path):
    copy = with_a_watched_solver(tmp_path)
    copy.run("-m", "docs")
    tests = "tests/core/watch/test_watch.py tests/core/solvers/test_family.py tests/test_docs.py"
    assert copy.failures(*tests.split()) == []


CONTROLS = ("tests/shared/screen/test_schema.py", "tests/pages/test_controls.py")


def test_a_control_in_two_files(tmp_path):
    assert with_a_control(tmp_path).failures(*CONTROLS, "-k", "temperature or playground or every_control") == []


@pytest.mark.parametrize(
    "mistake, noticed",
    [
        (dict(old="1.0, 0.0, 5.0", new="9.0, 0.0, 5.0"), "test_a_default_is_valid[temperature]"),
        (dict(shown=False), "test_every_control_is_on_a_screen"),
        (dict(old="Temperature of the noise", new="Seed"), "test_two_controls_have_neither_one_name_nor_one_label"),
    ],
)
def test_a_mistake_in_a_control_is_noticed(tmp_path, mistake, noticed):
    failures = with_a_control(tmp_path, **mistake).failures(*CONTROLS, "-k", noticed)
    assert any(name.endswith(noticed) for name in failures), failures
