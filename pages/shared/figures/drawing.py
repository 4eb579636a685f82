"""Films out of the arrays of a study."""

from pages.shared.figures.film import Film, film
from pages.shared.figures.line_films import curve_film, ranks
from pages.shared.figures.norms import norms
from pages.shared.studies import arrays
from pages.shared.studies.show import Show

FILMS = {
    arrays.PlaneFilm: film,
    arrays.CurveFilm: curve_film,
    arrays.RankFilm: ranks,
    arrays.NormFilm: norms,
}


def draw(recipe) -> Film:
    """The Film of one of the records of `studies.arrays` that are named for it."""
    return FILMS[type(recipe)](**recipe._asdict())


def drawn(show) -> Show:
    """The Show with Films in its screens in place of recipes."""
    return show._replace(screens=[screen._replace(film=draw(screen.film)) for screen in show.screens])
