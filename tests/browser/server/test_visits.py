"""What visits leave behind: a server that is open to all has as many open files after a thousand readers as before."""

import asyncio
import os
import re
import time

import loop
import pytest
import serving
from readers import Reader
from waiting import PATIENCE

pytestmark = pytest.mark.slow
ROUNDS, AT_ONCE, MORE = 8, 25, 40


def open_files(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


async def visit(url, rounds):
    async def one():
        async with Reader(url, "help", mark=b"") as reader:
            await reader.opened()
            assert not reader.failures

    for _ in range(rounds):
        await asyncio.gather(*(one() for _ in range(AT_ONCE)))


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="the system does not list open files")
def test_visits_leave_no_open_files(tmp_path):
    with serving.server("app.py", tmp_path / "log.txt") as (process, url):
        loop.run(visit(url, 1))
        time.sleep(12)  # longer than a browser may take to come back
        before = open_files(process)
        loop.run(visit(url, ROUNDS))
        end = time.monotonic() + PATIENCE
        while open_files(process) > before + MORE and time.monotonic() < end:
            time.sleep(0.5)
        assert open_files(process) <= before + MORE


def test_browser_tests_run_under_the_policy(app, page):
    """Whatever a page does against it is an error of its console, which ends a browser test."""
    reply = page.goto(f"{app}/help")
    assert "default-src 'self'" in reply.headers["content-security-policy"]
    page.expected = re.compile("Content Security Policy")
    refused = """async () => { try { await fetch('https://elsewhere.invalid/'); } catch { return true; } }"""
    violation = """() => new Promise(told => {
        document.addEventListener('securitypolicyviolation', event => told(event.violatedDirective));
        const script = document.createElement('script');
        script.src = 'data:text/javascript,1';
        document.head.append(script);
    })"""
    assert page.evaluate(violation).startswith("script-src") and page.evaluate(refused)
