"""One thread for BLAS: on a busy computer several wait for each other, fifty times as long as a small product takes,
and three times as long as the factorisation of 4000 points.
"""

from functools import cache

from threadpoolctl import ThreadpoolController


def one_thread():
    """A context in which BLAS uses one thread."""
    return _controller().limit(limits=1)


@cache
def _controller():
    """The libraries of this process: finding them takes as long as solving a linear machine of 2000 points."""
    return ThreadpoolController().select(user_api="blas")
