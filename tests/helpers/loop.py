"""Coroutines in tests that share their process with an open browser, whose thread has an event loop already."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run(coroutine):
    """The result of the coroutine, awaited in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
