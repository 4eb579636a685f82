"""The rows of `bench_class`: each takes the address and the process, or both processes, and gives a `Figure`.

What is compared with a lone session stands between two measurements of it.
"""

import asyncio
import os
import signal
import statistics
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import serving
from readers import Reader, opened, phones
from serving import health

from pages.shared.classroom import polls, rooms
from pages.shared.screen import codec, edits

PAGE, QUERY = "playground", "problem=moons"
POOLS = ("AnyIO worker thread", "ThreadPoolExecutor")  # of the server: they grow and shrink
EDITS = codec.encode(edits.script((-2, -2), [(3, edits.MOVED, 50, -70)]))
ALONE, TOGETHER = 6.0, 60.0  # seconds of a lone session, before and after those of the class


class Figure(NamedTuple):
    """What was measured, in words, and whether it is as wanted."""

    words: str
    holds: bool


class Row(NamedTuple):
    """A row of the table: what is measured, and what is wanted, on how many processes, and how."""

    what: str
    wanted: str
    processes: int
    measure: Callable


ROWS: dict[str, Row] = {}


def row(processes, what, wanted):
    """Enter a function as a row, under its own name."""

    def enter(measure):
        ROWS[measure.__name__.rstrip("_")] = Row(what, wanted, processes, measure)
        return measure

    return enter


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


async def warmed(url):
    """A first visitor; then the time of a second one."""
    async with Reader(url, PAGE, QUERY, "first") as reader:
        await reader.opened()
    async with Reader(url, PAGE, QUERY, "second") as reader:
        return await reader.opened()


async def closing(url, count):
    for start in range(0, count, 20):
        async with opened(Reader(url, PAGE, f"{QUERY}&seed={k}", f"c{k}") for k in range(start, start + 20)) as readers:
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


def failures_of(readers):
    return [failure for reader in readers for failure in reader.failures]


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("nan")


def crowd(url, count, most):
    async def turns():
        async with opened(Reader(url, PAGE, QUERY, f"r{k}") for k in range(count)) as readers:
            lone = await changed(readers[:1], ALONE, 0.25)
            times = await changed(readers, TOGETHER, 1.0)
            lone += await changed(readers[:1], ALONE, 0.25)
            return lone, times, failures_of(readers)

    lone, times, failures = asyncio.run(turns())
    ratio = quantile(times, 0.95) / statistics.median(lone)
    detail(f"{count} sessions", lone, times, failures)
    return Figure(f"{ratio:.1f}", ratio <= most and not failures)


def detail(name, lone, times, failures):
    told = [
        f"p50 {1e3 * statistics.median(some):.0f} ms, p95 {1e3 * quantile(some, 0.95):.0f} ms" for some in (lone, times)
    ]
    counts = f"{len(times)} answers, {len(failures)} failures"
    print(f"{name}: alone {told[0]}; then {told[1]}; {counts}", *failures[:3], flush=True)


@row(1, "full runs of Playground in a second of processor time", "at least 30")
def reruns(url, pid):

    async def asked(count=100):
        async with opened([Reader(url, PAGE, QUERY, "back to back")]) as (reader,):
            for k in range(count + 10):
                if k == 10:
                    spent = serving.processor(pid)
                await reader.change(C=round(1 + 0.003 * k, 3))
                await reader.settled()
            return count / (serving.processor(pid) - spent)

    rate = asyncio.run(asked())
    return Figure(f"{rate:.0f}", rate >= 30)


CHANGING = "20 sessions that change C once a second, one process"


@row(1, f"{CHANGING}: p95 of their answers, divided by the median of a lone session", "at most 8")
def twenty(url, pid):
    return crowd(url, 20, 8)


@row(2, "50 sessions, the same, two processes", "at most 12")
def fifty(url, pids):
    return crowd(url, 50, 12)


@row(1, "one session beside 20 studies in the background: its p95, divided by its median without them", "at most 3")
def jobs(url, pid, count=20):

    async def beside():
        async with opened([Reader(url, PAGE, QUERY, "one")]) as one:
            lone = await changed(one, ALONE, 0.25)
            # a study draws its points itself, so those of another C are other studies
            link = "tables=moons&n=500&tuned=given&repeats=20&C="
            async with opened(Reader(url, "robustness", f"{link}{k}", f"j{k}") for k in range(1, count + 1)) as workers:
                await asyncio.gather(*(worker.press("Run this study") for worker in workers))
                began = (await asyncio.to_thread(health, url))["jobs"]["running"]
                times = await changed(one, 2 * ALONE, 0.25)
                running = (await asyncio.to_thread(health, url))["jobs"]["running"]
            await asyncio.to_thread(idle, url)
            lone += await changed(one, ALONE, 0.25)
            return began, running, lone, times, failures_of(workers + one)

    began, running, lone, times, failures = asyncio.run(beside())
    ratio = quantile(times, 0.95) / statistics.median(lone)
    detail(f"beside {began} to {running} jobs", lone, times, failures)
    return Figure(f"{ratio:.1f}", ratio <= 3 and running > 0 and not failures)


def idle(url):
    """Wait until no job runs."""
    end = time.monotonic() + 60
    while health(url)["jobs"]["running"] and time.monotonic() < end:
        time.sleep(0.5)


@row(1, "200 sessions opened, used and closed: memory before and after, threads", "10 % + 50 MB, none more")
def close(url, pid):
    asyncio.run(closing(url, 20))  # what the first ones need stays
    before = quiet(url)
    asyncio.run(closing(url, 200))
    end = time.monotonic() + 20
    while (after := quiet(url))["sessions"] and time.monotonic() < end:
        time.sleep(1)
    more = Counter(after["threads_of"]) - Counter(before["threads_of"])
    left = {name: n for name, n in more.items() if not name.startswith(POOLS)}
    old, new = before["memory_mb"], after["memory_mb"]
    told = ", ".join(f"{n} {name}" for name, n in left.items())
    words = f"{old:.0f} MB, {new:.0f} MB, {told or 'none'} more"
    return Figure(words, new <= 1.1 * old + 50 and not left)


def quiet(url):
    """The report of a process in which no run of a page is ending."""
    end, report = time.monotonic() + 30, health(url)
    while time.monotonic() < end and "ScriptRunner" in " ".join(report["threads_of"]):
        time.sleep(0.5)
        report = health(url)
    return report


@row(1, "60 phones that follow a room in which nothing happens: processor time a minute", "at most 6 s")
def follow(url, pid):

    async def waiting():
        async with phones(url) as (*_, found):
            await asyncio.sleep(3.0)
            began, spent = time.perf_counter(), serving.processor(pid)
            await asyncio.sleep(15.0)
            a_minute = 60.0 * (serving.processor(pid) - spent) / (time.perf_counter() - began)
            return a_minute, failures_of(found)

    spent, failures = asyncio.run(waiting())
    return Figure(f"{spent:.1f} s", spent <= 6 and not failures)


OPEN = (
    "60 who have never been here open Playground within 5 s, two processes: time of the last one, divided by that of "
    "a lone visitor; over the wire to a browser"
)


@row(2, OPEN, "at most 12; 1.7 MB")
def open_(url, pids):
    first = serving.first_visit(f"{url}/{PAGE}?{QUERY}")
    before = [asyncio.run(opening(url, 1, 0, first.paths))[0][0] for _ in range(3)]
    found = asyncio.run(opening(url, 60, 5.0, first.paths))
    lone = statistics.median(before + [asyncio.run(opening(url, 1, 0, first.paths))[0][0] for _ in range(3)])
    ratio, size = max(taken for taken, *_ in found) / lone, first.in_all / 1e6
    failures = [failure for _, _, failed in found for failure in failed]
    failures += [f"{size} bytes of files, a browser {first.of_files}" for _, size, _ in found if not first.like(size)]
    detail("60 open", [lone], [taken for taken, *_ in found], failures)
    return Figure(f"{ratio:.1f}; {size:.1f} MB", ratio <= 12 and size <= 1.7 and not failures)


@row(2, "60 phones vote within 2 s: votes counted; the reveal on the last phone", "60; 2 s")
def votes(url, pids):

    async def voting():
        async with phones(url) as (code, key, question, found):
            began = time.perf_counter()
            for k in range(len(found)):
                await asyncio.to_thread(polls.vote, code, f"b{k}", question, 1, k % 2)
                await asyncio.sleep(max(began + 2.0 * k / len(found) - time.perf_counter(), 0))
            waits = [asyncio.create_task(phone.waited(b"<meter")) for phone in found]
            await asyncio.sleep(0)
            began = time.perf_counter()
            await asyncio.to_thread(polls.reveal, code, key)
            last = max([at - began for at in await asyncio.gather(*waits)])
            return rooms.look(code).votes[0], last, failures_of(found)

    counted, last, failures = asyncio.run(voting())
    return Figure(f"{counted}; {last:.1f} s", counted == 60 and last <= 2.0 and not failures)


@row(2, "`kill -9` of one of two processes: readers who are back on the other one with room and edits", "all")
def kill(url, pids):
    """The last row, which leaves one process. Ten have moved a point in a room; who was there asks again with the link
    of the browser.
    """

    async def killing():
        code, _ = rooms.open_room()
        link = f"{QUERY}&join={code}&edits={EDITS}"
        async with opened(Reader(url, PAGE, link, f"k{k}") for k in range(10)) as readers:
            for reader in readers:
                await reader.change(C=2.5)
                await reader.settled()
            os.kill(min(pids), signal.SIGKILL)
            await asyncio.sleep(1.0)
            hit, kept = [reader for reader in readers if reader.failures], 0
            for reader in hit:
                async with opened([Reader(url, PAGE, reader.query, f"{reader.name}b")]) as (again,):
                    await again.change(C=3.5)
                    await again.settled()
                    whole = all(part in again.query for part in ("C=3.5", f"join={code}", f"edits={EDITS}"))
                    kept += whole and not again.failures
            return len(hit), kept

    hit, kept = asyncio.run(killing())
    return Figure(f"{kept} of {hit}", 0 < hit == kept)
