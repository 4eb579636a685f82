"""The app itself, two processes behind a proxy: readers, their room, and `kill -9` in the middle of a class."""

import asyncio
import itertools
import json
import os
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

import loop
import pytest
import serving
import waiting
from readers import Reader, opened, visited
from serving import health, pids

from deploy import serve
from pages.shared.classroom import polls, rooms

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address of two processes, under a sub-path, with a store of their own."""
    serving.tool(*itertools.chain(*serve.PROXIES.values()))
    folder = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch, serving.processes(2, folder, "--base", "svm") as url:
        patch.setenv("SVM_LAB_STORE", str(folder / "store.sqlite3"))
        yield url


def process_of(reader, served):
    """The process to which the proxy sends this reader."""
    asked = urllib.request.Request(f"{served}/health", headers={"Cookie": reader.cookie})
    with urllib.request.urlopen(asked, timeout=waiting.PATIENCE) as reply:
        return json.load(reply)["process"]


@pytest.mark.browser
def test_a_reader_who_has_never_been_here_fetches_what_a_browser_fetches_for_its_first_picture(served):
    async def before():  # a process serves the files of the pictures from its first picture on
        shown = set()
        for k in range(40):
            async with Reader(served, "playground", "problem=moons", f"b{k}") as reader:
                await reader.opened()
            shown.add(process_of(reader, served))
            if len(shown) == 2:
                return

    loop.run(before())
    first = serving.first_visit(f"{served}/playground?problem=moons")
    for part in ("BidiComponent", "plane-"):
        assert any(part in path for path in first.paths), part
    assert not [path for path in first.paths if "plotly-" in path]  # it comes with a hand
    _, size = visited(served, first.paths)
    assert first.like(size)
    _, less = visited(served, [path for path in first.paths if "plane-" not in path])
    assert not first.like(less)


def test_readers_work_on_both_processes_and_survive_the_death_of_one(served):
    code, key = rooms.open_room()
    polls.ask(code, key, "choose", "Which?", {"options": ["a", "b"]})

    async def lesson():
        link = f"problem=moons&join={code}"
        async with opened(Reader(served, "playground", link, f"r{k}") for k in range(6)) as readers:
            for reader in readers:
                await reader.change(C=2.5)
                await reader.settled()
            assert not [failure for reader in readers for failure in reader.failures]
            assert all("C=2.5" in reader.query and f"join={code}" in reader.query for reader in readers)
            before = pids(served)
            assert len(before) == 2
            victim = min(before)
            hit = [reader for reader in readers if process_of(reader, served) == victim]
            assert 0 < len(hit) < 6  # both had readers
            os.kill(victim, signal.SIGKILL)
            end = time.monotonic() + waiting.PATIENCE
            while not all(reader.failures for reader in hit):
                assert time.monotonic() < end
                await asyncio.sleep(0.05)
            assert not [reader for reader in readers if reader.failures and reader not in hit]
            for reader in hit:
                async with opened([Reader(served, "playground", reader.query, f"{reader.name}b")]) as (again,):
                    await again.change(C=3.5)
                    await again.settled()
                    assert again.failures == [] and "C=3.5" in again.query
        return victim

    victim = loop.run(lesson())
    assert rooms.look(code).question.text == "Which?"
    end = time.monotonic() + 90
    while len(now := pids(served)) < 2:
        assert time.monotonic() < end
    assert victim not in now  # it was started again


def test_the_live_channel_and_health_are_below_the_sub_path(served):
    report = health(served)
    assert report["status"] == "ok" and report["memory_mb"] > 50
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(served.removesuffix("/svm") + "/health", timeout=10)
