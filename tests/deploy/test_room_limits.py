"""One visitor against the rooms of a server: codes that are guessed and rooms that are opened, by many sessions."""

import asyncio
import os

import loop
import pytest
import serving
import visitors

from pages.shared.classroom import rooms

pytestmark = pytest.mark.slow
LETTERS = rooms.LETTERS


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address of a process with a store of its own; the tests come to it as its proxy would."""
    folder = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SVM_LAB_STORE", str(folder / "store.sqlite3"))
        with serving.server("app.py", folder / "log.txt") as (_, url):
            yield url.replace("http", "ws")


async def visit(url, address, *queries, press=""):
    """What the Room page says to a session without cookies, of each query in turn; then a button is pressed."""
    said = []
    async with visitors.stream(url, **{"X-Forwarded-For": address}) as socket:
        for query in queries:
            text, button = await run(socket, query, press)
            said.append(text)
        if press:
            said.append((await run(socket, queries[-1], press, button))[0])
    return said


async def run(socket, query, press, button=""):
    text, found = "", ""
    async for told in visitors.messages(socket, "room", query, button):
        text += told.SerializeToString().decode(errors="replace")
        if told.delta.new_element.button.label == press and press:
            found = told.delta.new_element.button.id
    return text, found


def test_one_address_cannot_search_for_codes(served):
    code, _ = rooms.open_room()
    guesses = [f"{LETTERS[k // 32]}{LETTERS[k % 32]}AAA" for k in range(90)]

    async def attack():
        each = [guesses[k : k + 6] for k in range(0, len(guesses), 6)]
        found = [said for part in each for said in await visit(served, "10.9.9.9", *(f"join={one}" for one in part))]
        mine = await visit(served, "10.9.9.9", f"join={code}")
        other = await visit(served, "10.9.9.8", f"join={code}")
        return found, mine[0], other[0]

    found, mine, other = loop.run(asyncio.wait_for(attack(), 300))
    refused = ["Too many codes" in said for said in found]
    assert sum(refused) == len(guesses) - rooms.WRONG.most[1] and not any(refused[: rooms.WRONG.most[1]])
    assert "Too many codes" in mine, "whoever searches does not see that a code is right"
    assert f"Room {code}" in other


def test_one_address_cannot_take_all_rooms(served):
    assert os.environ["SVM_LAB_STORE"]
    before = len(rooms.list_rooms())

    async def attack():
        most = rooms.OPENED.most[1]
        tries = [await visit(served, "10.9.9.9", "", press="Open a room") for _ in range(most + 5)]
        other = await visit(served, "10.9.9.8", "", press="Open a room")
        return tries, other

    tries, other = loop.run(asyncio.wait_for(attack(), 300))
    refused = ["wait a minute" in said[-1] for said in tries]
    assert refused == [False] * rooms.OPENED.most[1] + [True] * 5
    assert "wait a minute" not in other[-1] and len(rooms.list_rooms()) - before == rooms.OPENED.most[1] + 1
