"""Films out of the arrays of a study."""

from pages.shared.figures.film import Film, film
from pages.shared.figures.line_films import curve_film, ranks
from pages.shared.figures.norms import norms
from pages.shared.studies import arrays

FILMS = {
    arrays.PlaneFilm: film,
    arrays.CurveFilm: curve_film,
    arrays.RankFilm: ranks,
    arrays.NormFilm: norms,
}


def draw(recipe) -> Film:
    """The Film of one of the records of `studies.arrays` that are named for it."""
    return FILMS[type(recipe)](**recipe._asdict())


def drawn(show):
    """A `studies.runs.Show` whose screens hold Films."""
    return show._replace(screens=[screen._replace(film=draw(screen.film)) for screen in show.screens])
