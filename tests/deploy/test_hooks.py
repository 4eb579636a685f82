"""The app on a server, with the hooks into Streamlit and without them: the same for its readers."""

import asyncio

import loop
import pytest
import serving
from readers import Reader, phones
from serving import health

from pages.shared.classroom import polls


@pytest.mark.slow
@pytest.mark.parametrize("state", ["on", "off"])
def test_readers_are_served_with_the_hooks_and_without_them(state, own_store, tmp_path, monkeypatch):
    monkeypatch.setenv("SVM_LAB_HOOKS", state)
    with serving.server("app.py", tmp_path / "log") as (_, url):
        loop.run(asyncio.wait_for(served(url), 120))
    warned = "hooks into Streamlit stay off" in (tmp_path / "log").read_text()
    assert warned == (state == "off"), (tmp_path / "log").read_text()


async def served(url):
    async with Reader(url, "playground", "problem=moons", "reader") as reader:
        await reader.opened()
        for C in (2.0, 3.0):
            await reader.change(C=C)
            await reader.settled()
        assert not reader.failures and "C=3" in reader.query and len(reader.seconds) == 2
        assert (await asyncio.to_thread(health, url))["sessions"] == 1
        async with phones(url, 2) as (code, key, question, found):
            for k, phone in enumerate(found):
                await asyncio.to_thread(polls.vote, code, phone.name, question, 1, k % 2)
            waits = [asyncio.create_task(phone.waited(b"<meter")) for phone in found]
            await asyncio.to_thread(polls.reveal, code, key)
            assert max(await asyncio.gather(*waits)) < float("inf"), "a phone has not seen the reveal"
            assert not [failure for phone in found for failure in phone.failures]
    for _ in range(100):
        if not (await asyncio.to_thread(health, url))["sessions"]:
            return
        await asyncio.sleep(0.1)
    pytest.fail("the server counts sessions that have left")
