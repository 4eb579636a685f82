"""A class on one server: readers who speak Streamlit's protocol, all on this machine.

    python tests/bench/bench_class.py [--only NAME,NAME,...] [--write]

prints the table of deploy/README.md, and with --write puts it there; exit code 1 if a row is not as it is wanted. Less
than four minutes on a machine that does nothing else. What is compared with a lone session is measured in turns with
one: a few seconds alone, a few seconds of the class, and so on.

reruns: one session without a pause, by processor time. twenty: sessions on one process, a change of C a second each;
fifty: on two processes behind the proxy. jobs: one session beside twenty that run a study. close: 200 sessions opened,
used and closed. follow: sixty phones in a room in which nothing happens. open: sixty who have never been here open the
page within five seconds, on two processes. votes: sixty phones vote within two seconds and see the reveal. kill: `kill
-9` of one of two processes while ten read. The readers share the processors.
"""

import argparse
import asyncio
import contextlib
import os
import re
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers")]

import serving
from readers import Reader
from serving import health

from pages.shared.points import codec, edits
from pages.shared.rooms import rooms

PAGE, QUERY = "playground", "problem=moons"
README = ROOT / "deploy" / "README.md"
HEAD = "| what | measured | wanted |\n|---|---|---|\n"
POOLS = ("AnyIO worker thread", "ThreadPoolExecutor")  # of the server: they grow and shrink
EDITS = codec.encode(edits.script((-2, -2), [(3, edits.MOVED, 50, -70)]))
TURNS = 3  # of a lone session and of the class
ALONE, TOGETHER = 3.0, 7.0  # seconds of each
WANTED = {  # what is measured, and what is wanted
    "reruns": ("full runs of Playground in a second of processor time", "at least 30"),
    "twenty": (
        "20 sessions that change C once a second, one process: p95 of their answers, divided by the median of a lone "
        "session",
        "at most 8",
    ),
    "fifty": ("50 sessions, the same, two processes", "at most 12"),
    "jobs": ("one session beside 20 studies in the background: its p95, divided by that without them", "at most 3"),
    "close": ("200 sessions opened, used and closed: memory before and after, threads", "10 % + 50 MB, none more"),
    "follow": ("60 phones that follow a room in which nothing happens: processor time a minute", "at most 6 s"),
    "open": (
        "60 who have never been here open Playground within 5 s, two processes: time of the last one, divided by that "
        "of a lone visitor; over the wire for each",
        "at most 12; 3 MB",
    ),
    "votes": ("60 phones vote within 2 s: votes counted; the reveal on the last phone", "60; 2 s"),
    "kill": ("`kill -9` of one of two processes: readers who are back on the other one with room and edits", "all"),
}


class Figure(NamedTuple):
    """What was measured, in words, and whether it is as wanted."""

    words: str
    holds: bool


def table(figures: dict[str, Figure]) -> str:
    """The table of deploy/README.md with these figures."""
    rows = ((what, figures[name].words, wanted) for name, (what, wanted) in WANTED.items() if name in figures)
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write(figures: dict[str, Figure]) -> None:
    """Put the table into deploy/README.md."""
    text = README.read_text(encoding="utf-8")
    README.write_text(re.sub(re.escape(HEAD) + r"(\|.*\n)*", lambda _: table(figures), text), encoding="utf-8")


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("nan")


# ------------------------------------------------------------------------------------------ readers


async def drag(reader, seconds, pace=1.0):
    """A change of C each `pace` seconds, whether the last has been answered or not, as a hand does it."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        next_time = time.perf_counter() + pace
        k = len(reader.sent)
        await reader.change(C=round(0.5 + 0.01 * k + 0.001 * (hash(reader.name) % 7), 4))
        await asyncio.sleep(max(next_time - time.perf_counter(), 0))
    await reader.settled()


async def turns(url, count):
    """(times of a lone session, times of so many, failures), in turns."""
    async with contextlib.AsyncExitStack() as stack:
        readers = [Reader(url, PAGE, QUERY, f"r{k}") for k in range(count)]
        for reader in readers:
            await stack.enter_async_context(reader)
        await asyncio.gather(*(reader.opened() for reader in readers))
        lone, times = [], []
        for _ in range(TURNS):
            lone += await changed(readers[:1], ALONE, 0.25)
            times += await changed(readers, TOGETHER, 1.0)
        return lone, times, [failure for reader in readers for failure in reader.failures]


async def changed(readers, seconds, pace):
    """The times of the answers to what these readers change, who begin one after the other."""
    before = [len(reader.seconds) for reader in readers]

    async def late(k, reader):
        await asyncio.sleep(pace * k / len(readers))
        await drag(reader, seconds, pace)

    await asyncio.gather(*(late(k, reader) for k, reader in enumerate(readers)))
    return [second for reader, k in zip(readers, before, strict=True) for second in reader.seconds[k:]]


def crowd(url, count, most):
    lone, times, failures = asyncio.run(turns(url, count))
    ratio = quantile(times, 0.95) / statistics.median(lone)
    detail(f"{count} sessions", lone, times, failures)
    return Figure(f"{ratio:.1f}", ratio <= most and not failures)


def detail(name, lone, times, failures):
    told = [
        f"p50 {1e3 * statistics.median(some):.0f} ms, p95 {1e3 * quantile(some, 0.95):.0f} ms" for some in (lone, times)
    ]
    counts = f"{len(times)} answers, {len(failures)} failures"
    print(f"{name}: alone {told[0]}; then {told[1]}; {counts}", *failures[:3], flush=True)


async def warmed(url):
    """A first visitor; then the time of a second one."""
    async with Reader(url, PAGE, QUERY, "first") as reader:
        await reader.opened()
    async with Reader(url, PAGE, QUERY, "second") as reader:
        return await reader.opened()


# ------------------------------------------------------------------------------------------ one process


def reruns(url, pid):
    """Runs in a second of the server's processor time, of one session that asks without a pause."""

    async def asked(count=100):
        async with Reader(url, PAGE, QUERY, "back to back") as reader:
            await reader.opened()
            for k in range(count + 10):
                if k == 10:
                    spent = serving.processor(pid)
                await reader.change(C=round(1 + 0.003 * k, 3))
                await reader.settled()
            return count / (serving.processor(pid) - spent)

    rate = asyncio.run(asked())
    return Figure(f"{rate:.0f}", rate >= 30)


def twenty(url, pid):
    """20 sessions."""
    return crowd(url, 20, 8)


def jobs(url, pid, count=20):
    """One session before, beside and after so many that each run a study in the background."""

    async def beside():
        async with contextlib.AsyncExitStack() as stack:
            one = await stack.enter_async_context(Reader(url, PAGE, QUERY, "one"))
            await one.opened()
            lone = await changed([one], 2 * ALONE, 0.25)
            async with contextlib.AsyncExitStack() as others:
                # a study draws its points itself, so those of another C are other studies
                workers = [Reader(url, "compare", f"problem=moons&n=500&C={k + 1}", f"j{k}") for k in range(count)]
                for worker in workers:
                    await others.enter_async_context(worker)
                    await worker.opened()
                await asyncio.gather(*(worker.press("Run the study") for worker in workers))
                began = (await asyncio.to_thread(health, url))["jobs"]["running"]
                times = await changed([one], 4 * ALONE, 0.25)
                running = (await asyncio.to_thread(health, url))["jobs"]["running"]
                failures = [failure for worker in workers for failure in worker.failures]
            await asyncio.to_thread(idle, url)
            lone += await changed([one], 2 * ALONE, 0.25)
            return began, running, lone, times, failures + one.failures

    began, running, lone, times, failures = asyncio.run(beside())
    ratio = quantile(times, 0.95) / quantile(lone, 0.95)
    detail(f"beside {began} to {running} jobs", lone, times, failures)
    return Figure(f"{ratio:.1f}", ratio <= 3 and running > 0 and not failures)


def idle(url):
    """Wait until no job runs."""
    end = time.monotonic() + 60
    while health(url)["jobs"]["running"] and time.monotonic() < end:
        time.sleep(0.5)


def close(url, pid):
    """200 sessions opened, used and closed."""
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


def quiet(url):
    """The report of a process in which no run of a page is ending."""
    end, report = time.monotonic() + 30, health(url)
    while time.monotonic() < end and "ScriptRunner" in " ".join(report["threads_of"]):
        time.sleep(0.5)
        report = health(url)
    return report


@contextlib.asynccontextmanager
async def phones(url, count=60):
    """(code, key, question, phones) of a room in which a question is asked."""
    code, key = rooms.open_room()
    rooms.ask(code, key, "choose", "Which?", {"options": ["first", "second"]})
    async with contextlib.AsyncExitStack() as stack:
        found = [Reader(url, "room", f"join={code}", f"v{k}", mark=b"") for k in range(count)]
        for phone in found:
            await stack.enter_async_context(phone)
            await phone.opened()
        yield code, key, rooms.look(code).question.id, found


def follow(url, pid):
    """Seconds of the server's processor time a minute for phones in a room in which nothing happens."""

    async def waiting():
        async with phones(url) as (*_, found):
            await asyncio.sleep(3.0)
            began, spent = time.perf_counter(), serving.processor(pid)
            await asyncio.sleep(15.0)
            a_minute = 60.0 * (serving.processor(pid) - spent) / (time.perf_counter() - began)
            return a_minute, [failure for phone in found for failure in phone.failures]

    spent, failures = asyncio.run(waiting())
    return Figure(f"{spent:.1f} s", spent <= 6 and not failures)


# ------------------------------------------------------------------------------------------ two processes


def fifty(url, pids):
    """50 sessions."""
    return crowd(url, 50, 12)


def open_(url, pids):
    """Sixty who have never been here, and a lone one before and after."""
    before = [asyncio.run(opening(url, 1, 0))[0][0] for _ in range(3)]
    found = asyncio.run(opening(url, 60, 5.0))
    lone = statistics.median(before + [asyncio.run(opening(url, 1, 0))[0][0] for _ in range(3)])
    ratio, size = max(taken for taken, *_ in found) / lone, max(size for _, size, _ in found) / 1e6
    failures = [failure for *_, failed in found for failure in failed]
    detail("60 open", [lone], [taken for taken, *_ in found], failures)
    return Figure(f"{ratio:.1f}; {size:.1f} MB", ratio <= 12 and size <= 3 and not failures)


async def opening(url, count, within):
    """(seconds until the page stood, bytes, failures) of each who opens it with all its files."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(count))

    async def one(k):
        await asyncio.sleep(within * k / max(count, 1))
        began = time.perf_counter()
        async with Reader(url, PAGE, f"problem=moons&seed={k}", f"o{k}", cold=True) as reader:
            await reader.opened()
            return time.perf_counter() - began, reader.bytes, reader.failures

    return await asyncio.gather(*(one(k) for k in range(count)))


def votes(url, pids):
    """Phones in a room vote within two seconds; then the reveal."""

    async def voting():
        async with phones(url) as (code, key, question, found):
            began = time.perf_counter()
            for k in range(len(found)):
                await asyncio.to_thread(rooms.vote, code, f"b{k}", question, 1, k % 2)
                await asyncio.sleep(max(began + 2.0 * k / len(found) - time.perf_counter(), 0))
            waits = [asyncio.create_task(phone.waited(b"<meter")) for phone in found]
            await asyncio.sleep(0)
            began = time.perf_counter()
            await asyncio.to_thread(rooms.reveal, code, key)
            last = max([at - began for at in await asyncio.gather(*waits)])
            return rooms.look(code).votes[0], last, [failure for phone in found for failure in phone.failures]

    counted, last, failures = asyncio.run(voting())
    return Figure(f"{counted}; {last:.1f} s", counted == 60 and last <= 2.0 and not failures)


def kill(url, pids):
    """Ten have moved a point in a room; one process dies; who was there asks again with the link of the browser."""

    async def killing():
        code, _ = rooms.open_room()
        async with contextlib.AsyncExitStack() as stack:
            readers = [Reader(url, PAGE, f"{QUERY}&join={code}&edits={EDITS}", f"k{k}") for k in range(10)]
            for reader in readers:
                await stack.enter_async_context(reader)
                await reader.opened()
                await reader.change(C=2.5)
                await reader.settled()
            os.kill(min(pids), signal.SIGKILL)
            await asyncio.sleep(1.0)
            hit, kept = [reader for reader in readers if reader.failures], 0
            for reader in hit:
                async with Reader(url, PAGE, reader.query, f"{reader.name}b") as again:
                    await again.opened()
                    await again.change(C=3.5)
                    await again.settled()
                    whole = all(part in again.query for part in ("C=3.5", f"join={code}", f"edits={EDITS}"))
                    kept += whole and not again.failures
            return len(hit), kept

    hit, kept = asyncio.run(killing())
    return Figure(f"{kept} of {hit}", 0 < hit == kept)


# ------------------------------------------------------------------------------------------ all


ON_ONE = {"reruns": reruns, "twenty": twenty, "jobs": jobs, "close": close, "follow": follow}
ON_TWO = {"open": open_, "votes": votes, "fifty": fifty, "kill": kill}  # the last one leaves one of them


@contextlib.contextmanager
def alone(folder):
    """(address, number of the process) of the app in one process."""
    process, url = serving.start("app.py", folder / "alone")
    try:
        yield url, process.pid
    finally:
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def behind_a_proxy(folder):
    """(address, numbers of both processes)."""
    with serving.processes(2, folder) as url:
        yield url, serving.pids(url)


def measured(wanted, folder) -> dict[str, Figure]:
    """The figures with these names."""
    figures = {}
    os.environ["SVM_LAB_STORE"] = str(folder / "store.sqlite3")  # the same for the rooms of this process
    for rows, served in ((ON_ONE, alone), (ON_TWO, behind_a_proxy)):
        chosen = {name: measure for name, measure in rows.items() if name in wanted}
        if not chosen:
            continue
        with served(folder) as (url, process):
            for _ in range(4):
                asyncio.run(warmed(url))
            for name, measure in chosen.items():
                began = time.perf_counter()
                figures[name] = measure(url, process)
                print(f"{name}: {figures[name].words} ({time.perf_counter() - began:.0f} s)", flush=True)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default=",".join(WANTED))
    parser.add_argument("--write", action="store_true", help="put the table into deploy/README.md")
    options = parser.parse_args()
    names = options.only.split(",")
    if set(names) - set(WANTED) or (options.write and set(names) != set(WANTED)):
        parser.error(f"--only takes some of {', '.join(WANTED)}; --write needs all of them")
    with tempfile.TemporaryDirectory() as place:
        figures = measured(names, Path(place))
    print(table(figures), end="")
    if options.write:
        write(figures)
    missed = [name for name, figure in figures.items() if not figure.holds]
    print(f"not as wanted: {', '.join(missed)}" if missed else "all as wanted")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
