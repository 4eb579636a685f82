"""What the readers of a class do at once, for benchmarks: they drag, open a page, come and go, and vote."""

import asyncio
import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

from readers import Reader

from pages.shared.classroom import polls, rooms

PAGE, QUERY = "playground", "problem=moons"


async def drag(reader, seconds, pace=1.0):
    """A change of C each `pace` seconds, whether the last has been answered or not, as a hand does it."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        next_time = time.perf_counter() + pace
        k = len(reader.sent)
        await reader.change(C=round(0.5 + 0.01 * k + 0.001 * (hash(reader.name) % 7), 4))
        await asyncio.sleep(max(next_time - time.perf_counter(), 0))
    await reader.settled()


async def changed(readers, seconds, pace):
    """The times of the answers to what these readers change, who begin one after the other."""
    before = [len(reader.seconds) for reader in readers]

    async def late(k, reader):
        await asyncio.sleep(pace * k / len(readers))
        await drag(reader, seconds, pace)

    await asyncio.gather(*(late(k, reader) for k, reader in enumerate(readers)))
    return [second for reader, k in zip(readers, before, strict=True) for second in reader.seconds[k:]]


async def turns(url, count, alone, together) -> tuple[list[float], list[float], list[str]]:
    """(times of a lone session, times of so many, failures): so many seconds alone, together, and alone again."""
    async with contextlib.AsyncExitStack() as stack:
        readers = [Reader(url, PAGE, QUERY, f"r{k}") for k in range(count)]
        for reader in readers:
            await stack.enter_async_context(reader)
        await asyncio.gather(*(reader.opened() for reader in readers))
        lone = await changed(readers[:1], alone, 0.25)
        times = await changed(readers, together, 1.0)
        lone += await changed(readers[:1], alone, 0.25)
        return lone, times, [failure for reader in readers for failure in reader.failures]


async def warmed(url):
    """A first visitor; then the time of a second one."""
    async with Reader(url, PAGE, QUERY, "first") as reader:
        await reader.opened()
    async with Reader(url, PAGE, QUERY, "second") as reader:
        return await reader.opened()


async def closing(url, count):
    for start in range(0, count, 20):
        async with contextlib.AsyncExitStack() as stack:
            readers = [Reader(url, PAGE, f"problem=moons&seed={start + k}", f"c{start + k}") for k in range(20)]
            for reader in readers:
                await stack.enter_async_context(reader)
            await asyncio.gather(*(reader.opened() for reader in readers))
            for reader in readers:
                await reader.change(C=2.0)
            await asyncio.gather(*(reader.settled() for reader in readers))


async def opening(url, count, within, files):
    """(seconds until the page stood, bytes of files, failures) of each who opens it and fetches these files."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(count))

    async def one(k):
        await asyncio.sleep(within * k / max(count, 1))
        began = time.perf_counter()
        async with Reader(url, PAGE, f"problem=moons&seed={k}", f"o{k}", files=files) as reader:
            fetched = reader.bytes
            await reader.opened()
            return time.perf_counter() - began, fetched, reader.failures

    return await asyncio.gather(*(one(k) for k in range(count)))


@contextlib.asynccontextmanager
async def phones(url, count=60):
    """(code, key, question, phones) of a room in which a question is asked."""
    code, key = rooms.open_room()
    polls.ask(code, key, "choose", "Which?", {"options": ["first", "second"]})
    async with contextlib.AsyncExitStack() as stack:
        found = [Reader(url, "room", f"join={code}", f"v{k}", mark=b"") for k in range(count)]
        for phone in found:
            await stack.enter_async_context(phone)
            await phone.opened()
        yield code, key, rooms.look(code).question.id, found
