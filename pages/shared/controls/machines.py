"""The controls of a machine: its loss, its parameters, C and the kernel."""

from pages.shared.controls import strip
from pages.shared.controls.points import entry_of
from pages.shared.controls.widgets import ask, show
from pages.shared.screen import schema
from pages.shared.screen.choices import COMPARED, MACHINES, Data, Machine, Setting
from pages.shared.screen.fields import MORE
from pages.shared.screen.screen import Screen
from svmcore import kernels

MOST_COMPARED = 6


def choose_machine(data: Data, among=None, **changes) -> Machine:
    """One loss, of those for the task of the problem or of the keys `among`, with its parameters; `changes` are those
    of their fields.
    """
    loss = show(schema.LOSS.only(among or MACHINES[data.task]))
    return Machine.from_loss(loss, choose_loss_parameters([loss], **changes))


def choose_machines(data: Data) -> list[Machine]:
    """Two to six losses for the task of the problem, with their parameters."""
    losses = schema.LOSS_LIST.only(MACHINES[data.task])
    chosen = show(losses, default=tuple(COMPARED[data.task]), most=MOST_COMPARED)
    params = choose_loss_parameters(chosen)
    return [Machine.from_loss(loss, params) for loss in chosen]


def choose_loss_parameters(chosen, **changes) -> dict[str, float]:
    """{name: value} of all parameters of these losses; losses share the control of a parameter with the same name.

    The first one stands in the strip, where its place is kept, the others under "More".
    """
    machines = tuple(map(Machine.from_loss, chosen))
    names = dict.fromkeys(parameter.name for machine in machines for parameter in machine.parameters)
    fields = [schema.parameter(machines, name) for name in names] or [schema.NO_PARAMETER]
    places = [changes, *[{"rank": MORE}] * (len(fields) - 1)]
    values = [show(field, **place) for field, place in zip(fields, places, strict=True)]
    return dict(zip(names, values, strict=False))


def choose_setting(data: Data) -> Setting:
    """C, the kernel and its parameters; the defaults are those suggested by the problem."""
    screen = Screen.from_problem(entry_of(data.problem))
    screen = ask(ask(screen, "C"), "kernel")
    label = schema.KERNEL.label_of(screen.setting.kernel)
    screen = ask(screen, "sigma", off="" if strip.hidden(schema.KERNEL) else f"{label}: this kernel has no width.")
    gamma_means = kernels.KERNELS[screen.setting.kernel].gamma_means
    if gamma_means and not strip.hidden(schema.SIGMA):
        strip.text(gamma_means)
    for name in kernels.PARAMETERS:
        screen = screen if name == "gamma" else ask(screen, name)
    return screen.setting
