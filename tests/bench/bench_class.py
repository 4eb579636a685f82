"""A class on one server: readers who speak Streamlit's protocol, all on this machine.

    python tests/bench/bench_class.py [--seconds 20] [--only NAME,NAME,...]

alone: one session on Playground, a change of C a second. reruns: back to back, and the processor time of each. twenty:
twenty of them on one process; fifty: fifty on two processes behind the proxy; each with the ratio to the lone median of
the same run. open: sixty who have never been here open the page within five seconds, on two processes. close: 200
sessions opened, used and closed: memory and threads before and after. follow: the processor time of sixty phones in a
room in which nothing happens. votes: sixty phones in a room vote within two seconds and see the reveal. jobs: twenty
sessions run a study while one changes C. kill: `kill -9` of one of two processes while ten read. The readers share the
processors: their part is printed.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers")]

import serving
from readers import Reader
from serving import health

from pages.shared.points import codec, edits
from pages.shared.rooms import rooms

PAGE, QUERY = "playground", "problem=moons"
POOLS = "AnyIO worker thread (files), ThreadPoolExecutor"
ENDED = 300.0  # seconds within which all jobs should have ended
EDITS = codec.encode(edits.script((-2, -2), [(3, edits.MOVED, 50, -70)]))


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("nan")


async def drag(reader, seconds, pace=1.0):
    """A change of C each second, whether the last has been answered or not, as a hand does it."""
    end, k = time.perf_counter() + seconds, 0
    while time.perf_counter() < end:
        next_time = time.perf_counter() + pace
        k += 1
        await reader.change(C=round(0.5 + 0.01 * k + 0.001 * (hash(reader.name) % 7), 4))
        await asyncio.sleep(max(next_time - time.perf_counter(), 0))
    await reader.settled()


async def class_of(url, count, seconds, stagger=0.05):
    """(times of all changes, failures, runs a second) of so many sessions."""
    async with contextlib.AsyncExitStack() as stack:
        readers = [Reader(url, PAGE, QUERY, f"r{k}") for k in range(count)]
        for reader in readers:
            await stack.enter_async_context(reader)
        await asyncio.gather(*(reader.opened() for reader in readers))
        before, began, own = sum(reader.runs for reader in readers), time.perf_counter(), time.process_time()
        tasks = []
        for reader in readers:
            tasks.append(asyncio.create_task(drag(reader, seconds)))
            await asyncio.sleep(min(stagger, 1.0 / count))
        await asyncio.gather(*tasks)
        taken = time.perf_counter() - began
        rate = (sum(reader.runs for reader in readers) - before) / taken
        share = (time.process_time() - own) / taken
        times = [second for reader in readers for second in reader.seconds]
        return times, [failure for reader in readers for failure in reader.failures], rate, share


def told(name, times, failures, rate, share, lone):
    ratio = f"p95 {quantile(times, 0.95) / lone:5.1f} x the lone median" if lone else ""
    print(
        f"{name:28s} p50 {1e3 * quantile(times, 0.5):7.0f} ms  p95 {1e3 * quantile(times, 0.95):7.0f} ms  "
        f"{rate:5.1f} runs/s  readers {share:4.2f} of a core  {len(times)} answers  {len(failures)} failures  {ratio}",
        flush=True,
    )
    for failure in failures[:3]:
        print("   ", failure)


@contextlib.contextmanager
def alone(folder):
    """(address, process) of the app in one process."""
    os.environ["SVM_LAB_STORE"] = str(folder / "alone.sqlite3")
    process, url = serving.start("app.py", folder / "alone")
    try:
        yield url, process
    finally:
        process.terminate()
        process.wait(10)


async def reruns(url, pid, count=100):
    """(runs a second, runs in a second of the server's processor time) of one session that asks without a pause."""
    async with Reader(url, PAGE, QUERY, "back to back") as reader:
        await reader.opened()
        for k in range(count + 10):
            if k == 10:
                began, spent = time.perf_counter(), serving.processor(pid)
            await reader.change(C=round(1 + 0.003 * k, 3))
            await reader.settled()
        return count / (time.perf_counter() - began), count / (serving.processor(pid) - spent)


async def warmed(url):
    """A first visitor; then the time of a second one."""
    async with Reader(url, PAGE, QUERY, "first") as reader:
        await reader.opened()
    async with Reader(url, PAGE, QUERY, "second") as reader:
        return await reader.opened()


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


async def jobs(url, seconds, count=20):
    """What `class_of` says of one session, alone and while others each run a study in the background.

    Before these: how many studies there are, and the seconds from the first to the end of the last.
    """
    lone = await class_of(url, 1, seconds)
    async with contextlib.AsyncExitStack() as stack:
        # a study draws its points itself, so those of another C are other studies
        workers = [Reader(url, "compare", f"problem=moons&n=500&C={k + 1}", f"j{k}") for k in range(count)]
        for worker in workers:
            await stack.enter_async_context(worker)
            await worker.opened()
        began = time.perf_counter()
        await asyncio.gather(*(worker.press("Run the study") for worker in workers))
        running = (await asyncio.to_thread(health, url))["jobs"]["running"]
        found = await class_of(url, 1, seconds)
        while (await asyncio.to_thread(health, url))["jobs"]["running"] and time.perf_counter() < began + ENDED:
            await asyncio.sleep(1.0)
        failed = [failure for worker in workers for failure in worker.failures]
        return running, time.perf_counter() - began, lone, (found[0], [*found[1], *failed], *found[2:])


async def voting(url, count=60):
    """Phones in a room vote within two seconds; seconds until the last has the reveal, and how many have it."""
    code, key = rooms.open_room()
    rooms.ask(code, key, "choose", "Which?", {"options": ["first", "second"]})
    question = rooms.look(code).question.id
    async with contextlib.AsyncExitStack() as stack:
        phones = [Reader(url, "room", f"join={code}", f"v{k}", mark=b"") for k in range(count)]
        for phone in phones:
            await stack.enter_async_context(phone)
            await phone.opened()
        began = time.perf_counter()
        for k in range(count):
            await asyncio.to_thread(rooms.vote, code, f"b{k}", question, 1, k % 2)
            await asyncio.sleep(max(began + 2.0 * k / count - time.perf_counter(), 0))
        seconds = time.perf_counter() - began
        waits = [asyncio.create_task(phone.waited(b"<meter")) for phone in phones]
        await asyncio.sleep(0)
        began = time.perf_counter()
        await asyncio.to_thread(rooms.reveal, code, key)
        seen = [at - began for at in await asyncio.gather(*waits)]
        failed = [failure for phone in phones for failure in phone.failures]
    print(
        f"votes: {rooms.look(code).votes[0]} of {count} counted in {seconds:.2f} s; the reveal on "
        f"{sum(at < 2.0 for at in seen)} of {count} phones within 2 s, on the last after {max(seen):.2f} s; "
        f"{len(failed)} failures",
        flush=True,
    )


async def following(url, pid, seconds, count=60):
    """Seconds of the server's processor time a minute for phones in a room in which nothing happens; failures."""
    code, key = rooms.open_room()
    rooms.ask(code, key, "choose", "Which?", {"options": ["first", "second"]})
    async with contextlib.AsyncExitStack() as stack:
        phones = [Reader(url, "room", f"join={code}", f"f{k}", mark=b"") for k in range(count)]
        for phone in phones:
            await stack.enter_async_context(phone)
            await phone.opened()
        await asyncio.sleep(5.0)
        began, spent = time.perf_counter(), serving.processor(pid)
        await asyncio.sleep(seconds)
        a_minute = 60.0 * (serving.processor(pid) - spent) / (time.perf_counter() - began)
        seen = asyncio.create_task(phones[-1].waited(b"<meter"))
        await asyncio.sleep(0)
        began = time.perf_counter()
        await asyncio.to_thread(rooms.reveal, code, key)
        revealed = await seen - began
        return a_minute, revealed, [failure for phone in phones for failure in phone.failures]


async def killing(url, pids):
    """Ten have moved a point in a room; one process dies; who was there asks again with the link of the browser."""
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
        hit = [reader for reader in readers if reader.failures]
        back = kept = 0
        for reader in hit:
            async with Reader(url, PAGE, reader.query, f"{reader.name}b") as again:
                await again.opened()
                await again.change(C=3.5)
                await again.settled()
                back += not again.failures
                kept += all(part in again.query for part in ("C=3.5", f"join={code}", f"edits={EDITS}"))
    print(
        f"kill -9 of one of two processes: {len(hit)} of 10 readers lost it, {back} of them are back, {kept} with room "
        f"and edits",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", default="alone,reruns,close,follow,twenty,jobs,fifty,open,votes,kill")
    options = parser.parse_args()
    wanted, seconds = set(options.only.split(",")), options.seconds
    with tempfile.TemporaryDirectory() as place:
        folder, lone = Path(place), None
        if wanted & {"alone", "reruns", "close", "follow", "twenty", "jobs"}:
            with alone(folder) as (url, process):
                lone = on_one(url, process.pid, wanted, seconds)
        if wanted & {"fifty", "open", "votes", "kill"}:
            os.environ["SVM_LAB_STORE"] = str(folder / "store.sqlite3")  # the same for the rooms of this process
            with serving.processes(2, folder) as url:
                on_two(url, wanted, seconds, lone)


def on_one(url, pid, wanted, seconds):
    """The measurements on one process; the median of a lone session."""
    asyncio.run(warmed(url))
    found = asyncio.run(class_of(url, 1, seconds))
    lone = statistics.median(found[0])
    told("1 session, 1 process", *found, lone)
    if "reruns" in wanted:
        rate, full = asyncio.run(reruns(url, pid))
        print(f"full reruns: {rate:.1f} a second, {full:.1f} in a second of processor time", flush=True)
    if "close" in wanted:
        asyncio.run(closing(url, 20))  # what the first ones need stays
        before = quiet(url)
        asyncio.run(closing(url, 200))
        time.sleep(15)
        after = quiet(url)
        left = Counter(after["threads_of"]) - Counter(before["threads_of"])
        print(f"200 sessions: memory {before['memory_mb']} -> {after['memory_mb']} MB, "
              f"threads {before['threads']} -> {after['threads']}; more than before: {dict(left) or 'none'}; "
              f"pools of the server grow and shrink: {POOLS}", flush=True)  # fmt: skip
    if "follow" in wanted:
        spent, revealed, failures = asyncio.run(following(url, pid, seconds))
        print(f"60 phones follow a room: {spent:.2f} s of processor time a minute; a reveal is seen after "
              f"{revealed:.2f} s; {len(failures)} failures", flush=True)  # fmt: skip
    if "twenty" in wanted:
        told("20 sessions, 1 process", *asyncio.run(class_of(url, 20, seconds)), lone)
        print("   ", health(url))
    if "jobs" in wanted:
        running, ended, before, beside = asyncio.run(jobs(url, seconds))
        told("1 session before the jobs", *before, lone)
        told(f"beside {running} jobs", *beside, lone)
        ratio = quantile(beside[0], 0.95) / quantile(before[0], 0.95)
        print(f"{running} jobs: p95 {ratio:.2f} x the lone p95; all have ended after {ended:.0f} s", flush=True)
    return lone


def on_two(url, wanted, seconds, lone):
    """The measurements on two processes behind the proxy."""
    for _ in range(4):
        asyncio.run(warmed(url))
    if "open" in wanted:
        second = statistics.median(asyncio.run(opening(url, 1, 0))[0][0] for _ in range(5))
        found = asyncio.run(opening(url, 60, 5.0))
        last = max(taken for taken, *_ in found)
        print(f"60 open within 5 s: the last after {last:.1f} s, {last / second:.1f} x a lone second visitor; "
              f"{max(size for _, size, _ in found) / 1e6:.2f} MB each; "
              f"{sum(bool(failed) for *_, failed in found)} failures", flush=True)  # fmt: skip
    if "fifty" in wanted:
        if lone is None:
            found = asyncio.run(class_of(url, 1, seconds))
            lone = statistics.median(found[0])
            told("1 session, 2 processes", *found, lone)
        told("50 sessions, 2 processes", *asyncio.run(class_of(url, 50, seconds)), lone)
        print("   ", health(url))
    if "votes" in wanted:
        asyncio.run(voting(url))
    if "kill" in wanted:
        asyncio.run(killing(url, serving.pids(url)))


if __name__ == "__main__":
    main()
