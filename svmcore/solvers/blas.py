"""One thread for BLAS: in many small products on a busy computer its threads would stall for fifty times as long."""

from functools import cache

from threadpoolctl import ThreadpoolController


def one_thread():
    """A context in which BLAS uses one thread."""
    return _controller().limit(limits=1, user_api="blas")


@cache
def _controller():
    """The libraries of this process: finding them takes as long as solving a linear machine of 2000 points."""
    return ThreadpoolController()
