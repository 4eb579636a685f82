"""Films out of the arrays of a study."""

from pages.shared.figures.film import Film, plane_film
from pages.shared.figures.line_films import curve_film, loss_film, rank_film
from pages.shared.figures.norms import norm_film
from pages.shared.studies import arrays
from pages.shared.studies.show import FilmView

FILMS = {
    arrays.PlaneFilm: plane_film,
    arrays.CurveFilm: curve_film,
    arrays.RankFilm: rank_film,
    arrays.LossFilm: loss_film,
    arrays.NormFilm: norm_film,
}


def film_of(recipe) -> Film:
    """The Film of one of the records of `studies.arrays` that are named for it."""
    return FILMS[type(recipe)](**recipe._asdict())


def with_films(show) -> FilmView:
    """The FilmView with Films in its planes in place of recipes."""
    return show._replace(screens=[screen._replace(film=film_of(screen.film)) for screen in show.screens])
