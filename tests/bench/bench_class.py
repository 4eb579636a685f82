"""A class on one server: readers who speak Streamlit's protocol, all on this machine.

    python tests/bench/bench_class.py [--seconds 20] [--only alone,twenty,fifty,open,close,votes,jobs,kill] [--url URL]

alone: one session on Playground, a change of C a second. twenty: twenty of them on one process; fifty: fifty on two
processes behind the proxy; each with the ratio to the lone median of the same run. open: sixty open the page within
five seconds, on two processes. close: 200 sessions opened, used and closed: memory and threads before and after. votes:
sixty browsers vote within two seconds; jobs: twenty sessions run a study while one changes C; kill: `kill -9` of one of
two processes while ten read.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "helpers")]

import serving
from readers import Reader

from deploy import serve

PAGE, QUERY = "playground", "problem=moons"


def health(url):
    with urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=30) as reply:
        return json.load(reply)


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
        before, began = sum(reader.runs for reader in readers), time.perf_counter()
        tasks = []
        for reader in readers:
            tasks.append(asyncio.create_task(drag(reader, seconds)))
            await asyncio.sleep(min(stagger, 1.0 / count))
        await asyncio.gather(*tasks)
        rate = (sum(reader.runs for reader in readers) - before) / (time.perf_counter() - began)
        times = [second for reader in readers for second in reader.seconds]
        return times, [failure for reader in readers for failure in reader.failures], rate


def told(name, times, failures, rate, lone):
    ratio = f"p95 {quantile(times, 0.95) / lone:5.1f} x the lone median" if lone else ""
    print(
        f"{name:28s} p50 {1e3 * quantile(times, 0.5):7.0f} ms  p95 {1e3 * quantile(times, 0.95):7.0f} ms  "
        f"{rate:5.1f} runs/s  {len(times)} answers  {len(failures)} failures  {ratio}",
        flush=True,
    )
    for failure in failures[:3]:
        print("   ", failure)


@contextlib.contextmanager
def processes(count, folder):
    """The address of a server: one process, or several behind the proxy."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["SVM_LAB_STORE"] = str(folder / "store.sqlite3")
    if count == 1:
        process, url = serving.start("app.py", folder / "log")
        yield url, [process.pid]
        process.terminate()
        process.wait(10)
        return
    (port,) = serve.free_ports(1)
    command = [sys.executable, "-m", "deploy", "serve", "--processes", str(count), "--port", str(port)]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([*command, "--host", "127.0.0.1"], cwd=ROOT, stdout=log, stderr=log)
    url, end = f"http://127.0.0.1:{port}", time.monotonic() + 120
    while True:
        try:
            health(url)
            break
        except OSError:
            if time.monotonic() > end or process.poll() is not None:
                raise SystemExit((folder / "log").read_text()) from None
            time.sleep(0.3)
    try:
        yield url, sorted({health(url)["process"] for _ in range(40)})
    finally:
        process.terminate()
        process.wait(20)


async def warmed(url):
    """A first visitor; then the time of a second one."""
    async with Reader(url, PAGE, QUERY, "first") as reader:
        await reader.opened()
    async with Reader(url, PAGE, QUERY, "second") as reader:
        return await reader.opened()


async def opening(url, count, within):
    async def one(k):
        await asyncio.sleep(within * k / count)
        async with Reader(url, PAGE, f"problem=moons&seed={k}", f"o{k}") as reader:
            return await reader.opened(), reader.bytes, reader.failures

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


async def jobs(url, seconds, count=20):
    async with contextlib.AsyncExitStack() as stack:
        open_study = "problem=toy_outliers"
        workers = [Reader(url, "playground", f"{open_study}&seed={k}", f"j{k}") for k in range(count)]
        for worker in workers:
            await stack.enter_async_context(worker)
            await worker.opened()
        return await class_of(url, 1, seconds)


def voting(url, count=60):
    """Sixty browsers vote within two seconds, by way of the store that all processes share."""
    from concurrent.futures import ThreadPoolExecutor

    from pages.shared.rooms import rooms

    code, key = rooms.open_room()
    rooms.ask(code, key, "choose", "Which?", {"options": ["a", "b"]})
    question = rooms.look(code).question.id
    began = time.perf_counter()
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda k: rooms.vote(code, f"b{k}", question, 1, k % 2), range(count)))
    seconds = time.perf_counter() - began
    rooms.reveal(code, key)
    print(f"votes: {rooms.look(code).votes[0]} of {count} counted in {seconds:.2f} s", flush=True)


async def killing(url, pids):
    async with contextlib.AsyncExitStack() as stack:
        readers = [Reader(url, PAGE, QUERY, f"k{k}") for k in range(10)]
        for reader in readers:
            await stack.enter_async_context(reader)
            await reader.opened()
        os.kill(pids[0], signal.SIGKILL)
        await asyncio.sleep(1.0)
        hit = [reader for reader in readers if reader.failures]
        back = 0
        for reader in hit:
            async with Reader(url, PAGE, reader.query, f"{reader.name}b") as again:
                await again.opened()
                back += not again.failures
        print(f"kill -9 of one of two processes: {len(hit)} of 10 readers lost it, {back} of them are back", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", default="alone,twenty,fifty,open,close,votes,jobs,kill")
    options = parser.parse_args()
    wanted = set(options.only.split(","))
    with tempfile.TemporaryDirectory() as place:
        folder, lone = Path(place), None
        if wanted & {"alone", "twenty", "close", "jobs"}:
            with processes(1, folder / "one") as (url, _):
                second = asyncio.run(warmed(url))
                times, failures, rate = asyncio.run(class_of(url, 1, options.seconds))
                lone = statistics.median(times)
                told("1 session, 1 process", times, failures, rate, lone)
                if "close" in wanted:
                    before = health(url)
                    asyncio.run(closing(url, 200))
                    time.sleep(15)
                    after = health(url)
                    print(f"200 sessions: memory {before['memory_mb']} -> {after['memory_mb']} MB, "
                          f"threads {before['threads']} -> {after['threads']}", flush=True)  # fmt: skip
                if "twenty" in wanted:
                    told("20 sessions, 1 process", *asyncio.run(class_of(url, 20, options.seconds)), lone)
                    print("   ", health(url))
                if "jobs" in wanted:
                    told("beside 20 sessions", *asyncio.run(jobs(url, options.seconds)), lone)
        if wanted & {"fifty", "open", "kill"}:
            with processes(2, folder / "two") as (url, pids):
                for _ in range(4):
                    second = asyncio.run(warmed(url))
                if lone is None:
                    times, failures, rate = asyncio.run(class_of(url, 1, options.seconds))
                    lone = statistics.median(times)
                    told("1 session, 2 processes", times, failures, rate, lone)
                if "open" in wanted:
                    found = asyncio.run(opening(url, 60, 5.0))
                    print(f"60 open within 5 s: the last after {max(seconds for seconds, *_ in found):.1f} s, "
                          f"{max(seconds for seconds, *_ in found) / second:.1f} x a lone second visitor; "
                          f"{max(size for _, size, _ in found) / 1e6:.2f} MB on the socket; "
                          f"{sum(bool(failed) for *_, failed in found)} failures", flush=True)  # fmt: skip
                if "fifty" in wanted:
                    told("50 sessions, 2 processes", *asyncio.run(class_of(url, 50, options.seconds)), lone)
                    print("   ", health(url))
                if "kill" in wanted:
                    asyncio.run(killing(url, pids))
        if "votes" in wanted:
            os.environ["SVM_LAB_STORE"] = str(folder / "votes.sqlite3")
            voting(None)


if __name__ == "__main__":
    main()
