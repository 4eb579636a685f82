"""The sections of Compare that a chip puts beside the picture."""

from pages.shared.controls import sections
from pages.shared.panels import best_possible, influence_map, robustness_study


def offer(data, machines):
    """The chips of the sections that serve these points and machines; what `sections.offer_chips` returns."""
    kinds = ["study", "map", *["best"] * bool(best_possible.searchable(machines))]
    return sections.offer_chips("compare", kinds if data.task == "classification" else [])


def show(at, data, machines, setting, studies, chosen) -> None:
    """Each section at its place, which `at`, from `offer`, gives; `chosen` is the id of a point, or None."""
    with at("best"):
        best_possible.section(data, machines, setting)
    with at("study"):
        robustness_study.section(data, machines, setting)
    with at("map"):
        influence_map.section("compare", data, machines, setting, studies, chosen)
