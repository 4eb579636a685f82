"""The sockets of the live channel: which question is answered, which one ends or is not begun, and who is sent away."""

import asyncio
import time

import pytest
from visitors import Socket, talk, talk_on

from pages.shared.live import channel
from pages.shared.plane import component as plane
from pages.shared.server import run_queue
from svmcore import deadline


class Echo:
    """Answers with what was asked, after a while, or when the time limit of the answer is over."""

    def __init__(self, seconds=0.0, stubborn=False):
        self.id = channel.register(self)
        self.seconds, self.stubborn, self.begun, self.at_work = seconds, stubborn, 0, 0

    def answer(self, question):
        self.begun += 1
        self.at_work += 1
        assert self.at_work == 1 and run_queue.queue.is_busy  # so that jobs wait
        end = time.monotonic() + question.get("seconds", self.seconds)
        while time.monotonic() < end and (self.stubborn or not deadline.is_over()):
            time.sleep(0.001)
        self.at_work -= 1
        return plane.pack({"asked": question.get("what")})

    def refusal(self, why):
        return plane.pack({"refused": why})


@pytest.fixture(autouse=True)
def several_places(monkeypatch):
    """On one core nothing is ever begun beside anything."""
    monkeypatch.setattr(channel.os, "cpu_count", lambda: 4)


@pytest.fixture
def patient(monkeypatch):
    """What ends earlier has been ended by something else than the limit of time."""
    monkeypatch.setattr(channel, "LIMIT", 60.0)


def test_every_question_is_answered_until_the_browser_goes():
    echo = Echo()
    socket = talk(*({"scene": echo.id, "what": k} for k in range(3)))
    assert [result["asked"] for result in socket.sent] == [0, 1, 2] and socket.closed is None
    assert not run_queue.queue.is_busy


@pytest.mark.parametrize(
    "text, code",
    [
        ('{"scene": "guessed"}', channel.UNKNOWN),
        ('{"scene": "' + "x" * channel.LONGEST + '"}', channel.TOO_LONG),
        *((text, channel.UNREADABLE) for text in ("", "humbug", "[]", "3", "null", "{}", '{"scene": 3}', "[" * 90000)),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_socket_that_says_something_else_is_closed(text, code):
    socket = talk(text)
    assert (socket.closed, socket.sent) == (code, [])


def test_what_takes_too_long_is_refused_and_nothing_is_begun_beside_it(monkeypatch):
    monkeypatch.setattr(channel, "LIMIT", 0.1)
    slow = Echo(seconds=0.5, stubborn=True)
    socket = talk({"scene": slow.id}, {"scene": slow.id})
    first, second = (result["refused"] for result in socket.sent)
    assert "longer than" in first and "still" in second and slow.begun == 1


def test_a_question_whose_browser_has_gone_ends_and_those_that_wait_behind_it_are_not_begun(patient):
    slow, other = [Echo(seconds=20.0) for _ in range(20)], Echo()
    gone = [Socket({"scene": echo.id}, hasty=True, stays=0.8 - 0.03 * k) for k, echo in enumerate(slow)]
    reader = Socket({"scene": other.id, "what": "C"})
    began = time.monotonic()
    talk_on(*gone, reader)  # those that wait go before those that are in work
    while any(echo.at_work for echo in slow) and time.monotonic() - began < 15.0:
        time.sleep(0.01)
    assert reader.sent == [{"asked": "C"}] and time.monotonic() - began < 15.0
    assert not [socket.sent for socket in gone if socket.sent]
    assert sum(echo.begun for echo in slow) < 20 and not any(echo.at_work for echo in slow)


def test_the_newest_question_of_a_scene_ends_the_one_before(patient):
    echo = Echo(seconds=20.0)
    first, second = Socket({"scene": echo.id}, stays=0.1), Socket({"scene": echo.id, "what": "C"}, stays=0.1)
    third = Socket({"scene": echo.id, "what": "sigma", "seconds": 0}, stays=0.1)
    began = time.monotonic()
    talk_on(first, second, third)
    assert time.monotonic() - began < 15.0
    assert ["newer" in socket.sent[0].get("refused", "") for socket in (first, second)] == [True, True]
    assert third.sent == [{"asked": "sigma"}]


def test_of_questions_that_wait_for_no_answer_the_newest_counts_and_each_has_one():
    echo = Echo(seconds=0.2)
    socket = talk(*({"scene": echo.id, "what": k} for k in range(4)), hasty=True, stays=0.5)
    assert [result.get("asked") for result in socket.sent] == [None, None, None, 3]
    assert all("newer" in result["refused"] for result in socket.sent[:-1]) and echo.begun < 4


class Steady(Socket):
    """A browser that asks again and again, sooner than it is answered."""

    async def receive_text(self):
        await asyncio.sleep(0.01)
        return await super().receive_text()


def test_a_question_in_work_is_answered_though_others_have_come_since():
    echo = Echo(seconds=0.1)
    socket = Steady(*({"scene": echo.id, "what": k} for k in range(30)), hasty=True, stays=0.5)
    talk_on(socket)
    asked = [result["asked"] for result in socket.sent if "asked" in result]
    assert len(socket.sent) == 30 and asked == sorted(asked) and asked[-1] == 29 and len(asked) > 1


def test_so_many_questions_are_read_ahead():
    echo = Echo(seconds=0.2)
    socket = Socket(*({"scene": echo.id, "what": k} for k in range(3 * channel.AHEAD)), hasty=True, stays=0.5)
    read = []
    talk_on(socket, Watching(socket, read))
    assert max(read) <= 2 * (channel.AHEAD + 1) and len(socket.sent) == 3 * channel.AHEAD


class Watching(Socket):
    """Notes how much another socket has said while its first question is in work."""

    def __init__(self, other, notes):
        super().__init__()
        self.other, self.notes = other, notes

    async def receive_text(self):
        while not [result for result in self.other.sent if "asked" in result]:
            self.notes.append(self.other.said)
            await asyncio.sleep(0.01)
        return await super().receive_text()


def test_a_socket_on_which_nothing_is_asked_is_closed(monkeypatch):
    monkeypatch.setattr(channel, "SILENT", 0.1)
    echo = Echo()
    asked = talk({"scene": echo.id}, stays=20.0)
    assert (talk(stays=20.0).closed, asked.closed, len(asked.sent)) == (channel.IDLE, channel.IDLE, 1)


def test_a_scene_is_asked_on_few_sockets_the_oldest_are_closed():
    echo = Echo()
    sockets = [Socket({"scene": echo.id}, stays=0.3) for _ in range(channel.OF_SCENE + 2)]
    talk_on(*sockets)
    assert [socket.closed for socket in sockets] == [channel.TOO_MANY] * 2 + [None] * channel.OF_SCENE


def test_an_address_has_so_many_sockets(monkeypatch):
    how = {"address": "172.18.0.2", "x-forwarded-for": "192.0.2.7"}
    monkeypatch.setattr(channel, "OF_ADDRESS", 2)
    sockets = [Socket(stays=0.1, **how) for _ in range(4)]
    local = [Socket(stays=0.1) for _ in range(4)]  # behind a proxy that does not say where they come from
    talk_on(*sockets, *local, Socket(address="192.0.2.8"))
    assert [socket.closed for socket in sockets] == [None, None, channel.TOO_MANY, channel.TOO_MANY]
    assert {socket.closed for socket in local} == {None} and not channel._open
    assert talk(**how).closed is None  # they have gone


def test_who_asks_from_elsewhere_waits_for_one_question_of_an_address_that_asks_many(monkeypatch, patient):
    monkeypatch.setattr(channel.os, "cpu_count", lambda: 2)  # one place
    done = []

    class Noted(Echo):
        def answer(self, question):
            found = super().answer(question)
            done.append(question["what"])
            return found

    many, one = [Noted(seconds=0.1) for _ in range(6)], Noted()
    crowd = [Socket({"scene": echo.id, "what": "many"}, address="192.0.2.7") for echo in many]
    talk_on(*crowd, Socket({"scene": one.id, "what": "one"}, address="192.0.2.8"))
    assert sorted(done) == ["many"] * 6 + ["one"] and done.index("one") < 4


def test_the_base_path_of_the_server_is_that_of_the_channel(monkeypatch):
    assert [route.path for route in channel.routes()] == ["/live"]
    monkeypatch.setattr("pages.shared.server.static_files.st.get_option", lambda name: "/lab/")
    assert [route.path for route in channel.routes()] == ["/lab/live"]
