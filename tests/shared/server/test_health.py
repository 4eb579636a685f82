"""The watch over a process: a full one drops results, tasks are done, and the route reports."""

import json
import time

import loop
import pytest
from loop import asked

from pages.shared.server import cache, health, sessions


def test_a_full_process_drops_half_of_its_results_the_oldest_first(monkeypatch):
    results = cache.Cache(1000.0, 1000.0)
    monkeypatch.setattr(cache, "RESULTS", results)
    for key in range(4):
        results.compute("kind", key, lambda: bytes(10**6), 16)
    health.look(time.monotonic())
    assert results.total == pytest.approx(4.0, rel=0.01) and cache.process_megabytes() > 10
    monkeypatch.setattr(cache, "MOST", 1.0)
    held = [1.0]
    monkeypatch.setattr(cache, "process_megabytes", lambda: held[0])
    monkeypatch.setattr(health.gc, "collect", lambda: held.__setitem__(0, held[0] - 1.0))
    for held[0] in (1.5, 2.5):  # a socket on which much has come is in a cycle when it is gone
        assert results.total == pytest.approx(4.0, rel=0.01)
        health.look(time.monotonic())
    again = []
    for key in (3, 2, 1, 0):
        results.compute("kind", key, lambda key=key: again.append(key) or b"", 16)
    assert results.total == pytest.approx(2.0, rel=0.02) and again == [1, 0]


def test_the_health_route_reports():
    (route,) = health.routes()
    assert route.path == "/health"
    told = json.loads(loop.run(route.endpoint(None)).body)
    assert told["status"] == "ok" and told["memory_mb"] > 10 and told["threads"] >= 1
    assert told["threads_of"]["MainThread"] == 1 and sum(told["threads_of"].values()) == told["threads"]
    assert told["memory_per_session_mb"] is None, "without a session"
    assert set(told) == {
        "status", "process", "sessions", "runs", "jobs", "threads", "threads_of", "memory_mb", "memory_most_mb",
        "memory_per_session_mb", "results_mb", "results_most_mb", "results_of_a_session_mb",
        "results_of_a_session_most_mb",
    }  # fmt: skip
    assert set(told["runs"]) == {"running", "waiting", "p50_ms", "p95_ms"}


def test_a_task_is_done_at_each_look(monkeypatch):
    done = []
    monkeypatch.setattr(health, "_tasks", [])
    health.add_task(lambda: done.append(True))
    for _ in range(2):
        health.look(time.monotonic())
    assert done == [True, True]


def test_a_session_is_connected_as_long_as_its_websocket_is_open(monkeypatch):
    """A session that comes back over another websocket is, too, from its next run on; the newest are remembered."""
    monkeypatch.setattr(sessions, "REMEMBERED", 2)
    monkeypatch.setattr(health, "_before", [cache.process_megabytes() - 500.0])
    state = {"session": "one", "handshake": "first"}
    monkeypatch.setattr(sessions, "_handshakes", type(sessions._handshakes)())
    monkeypatch.setattr(sessions, "current", lambda: state["session"])
    told = type("Context", (), {"headers": property(lambda self: {sessions.HANDSHAKE: state["handshake"]})})()
    monkeypatch.setattr(sessions.st, "context", told)

    async def serve(scope, receive, send):
        assert sessions.arrive() == state["session"] and sessions.is_connected(state["session"])
        told = health.report()
        assert sessions.count() == told["sessions"] == 1 and 400 < told["memory_per_session_mb"] < 1000

    async def open_websocket(handshake):
        state["handshake"] = handshake
        await sessions.note_websockets(serve)(asked("websocket", sec_websocket_key=handshake), None, None)

    loop.run(open_websocket("first"))
    assert not sessions.is_connected("one") and sessions.count() == 0 and sessions.is_connected("without a websocket")
    loop.run(open_websocket("second"))
    assert not sessions.is_connected("one")
    for name in ("two", "three"):
        state["session"] = name
        loop.run(open_websocket(f"of {name}"))
    assert list(sessions._handshakes) == ["two", "three"]


def test_sessions_that_hold_many_files_are_looked_for(monkeypatch):
    """Their number after a collection is what is compared with, so those that readers need start no second one."""
    files, collected = [10], []
    monkeypatch.setattr(health, "_files", [])
    monkeypatch.setattr(health.os, "listdir", lambda path: range(files[0]))
    monkeypatch.setattr(health.gc, "collect", lambda: (collected.append(files[0]), files.__setitem__(0, 300)))
    for now in (10, 10 + health.MOST_FILES, 500, 300, 310):
        files[0] = now
        health.collect_sessions()
    assert collected == [500]
    for now in (20, 21 + health.MOST_FILES):
        files[0] = now
        health.collect_sessions()
    assert collected == [500, 21 + health.MOST_FILES]
