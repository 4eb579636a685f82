"""The films of runs, made once for all sessions."""

from pages.shared.figures.drawing import film_of, with_films
from pages.shared.screen.choices import Data, Machine, Reweighting, Setting, Walk
from pages.shared.server.cache import shared_cache
from pages.shared.studies import feature_walk, loss_curves, many_draws, runs, sparsity
from pages.shared.studies.results import record_run, solver_input, source
from pages.shared.studies.show import FilmView


@shared_cache(16, "Drawing the frames …")
def run(data: Data, machine: Machine, setting: Setting, solver, options, centre) -> FilmView:
    """The film of that run: of the whole run, or, with an iteration `centre`, of every step near that iteration."""
    recording, task = record_run(data, machine, setting, solver, options), solver_input(data, machine, setting)
    return with_films(runs.run(recording, task, source.frames(data), centre))


@shared_cache(8, "Racing …")
def race(data: Data, entrants, setting: Setting, clock) -> FilmView:
    """The film of a race; `entrants` are (machine, solver, label), `clock` is "iterations" or "seconds"."""
    tasks = [(label, solver, solver_input(data, machine, setting)) for machine, solver, label in entrants]
    return with_films(runs.compete(tasks, source.frames(data, len(entrants)), clock))


@shared_cache(8, "Following the path …")
def path(data: Data, machine: Machine, setting: Setting, name) -> FilmView:
    """The film of the regularisation path over `name`, "C" or "sigma"."""
    return with_films(runs.path_film(solver_input(data, machine, setting), name, source.frames(data)))


@shared_cache(8, "Changing the loss …")
def morph(data: Data, setting: Setting) -> FilmView:
    return with_films(loss_curves.morph(source.problem(data), setting, source.frames(data)))


@shared_cache(8, "Drawing the rounds …")
def rounds(data: Data, setting: Setting, reweighting: Reweighting) -> FilmView:
    task = sparsity.solver_input(source.problem(data), setting, source.unit(data))
    return with_films(sparsity.rounds(task, reweighting, source.frames(data, 2)))


@shared_cache(8, "Flipping …")
def flip_race(request) -> many_draws.FlippedLabels:
    """The film of labels that are flipped one after another: `request` has the draw, the order and the machines."""
    given = request.order, request.seed, request.machines, request.setting
    made = many_draws.flip_labels(request.draw(request.seed), *given)
    return made._replace(films=[film_of(film) for film in made.films])


@shared_cache(32, "Walking …")
def walk(choice: Walk) -> tuple[feature_walk.Steps, feature_walk.Steps]:
    """The walk in all features, and in two of them."""
    steps = feature_walk.follow(choice)
    return steps, feature_walk.in_the_plane(steps, choice)
