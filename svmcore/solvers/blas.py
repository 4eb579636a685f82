"""One thread for BLAS: on a busy computer several threads wait for one another, fifty times as long as a small product
itself takes, and three times as long as the factorisation of 4000 points.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """A context in which BLAS uses one thread."""
    limited = [(library, number) for library in _libraries() if (number := library.get_num_threads()) != 1]
    for library, _ in limited:
        library.set_num_threads(1)
    try:
        yield
    finally:
        for library, number in limited:
            library.set_num_threads(number)


@lru_cache(1)
def _libraries():
    """The libraries of this process: finding them takes as long as solving a linear machine of 2000 points."""
    return ThreadpoolController().select(user_api="blas").lib_controllers
