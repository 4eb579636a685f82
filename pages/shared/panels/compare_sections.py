"""The sections of Compare that a chip puts beside the picture."""

from pages.shared.controls import sections
from pages.shared.controls.widgets import raw_value
from pages.shared.page import url_state
from pages.shared.panels import best_possible, contaminated_tables, influence_map
from pages.shared.screen.schema import BESIDE


def offer(data, machines):
    """The chips of the sections that serve these points and machines; what `sections.offer_chips` returns."""
    if raw_value(BESIDE) == "study":  # of older links: the study is now on a page of its own
        url_state.forget(BESIDE.name)
    none = {} if best_possible.searchable(machines) else {"best": best_possible.NONE}
    return sections.offer_chips("compare", ["map", "best"], none | sections.not_for(data.task))


def show(at, data, machines, setting, studies, chosen) -> None:
    """Each section at its place, which `at`, from `offer`, gives; `chosen` is the id of a point, or None."""
    with at("best"):
        best_possible.section(data, machines, setting)
    contaminated_tables.offer(data, machines, setting)
    with at("map"):
        influence_map.section("compare", data, machines, setting, studies, chosen)
