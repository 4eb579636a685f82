"""A line between a browser and a server that can be cut and mended: what a lecture hall's network does."""

import asyncio
import itertools
import threading
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from serving import free_port


class Wire:
    """Passes on what comes to `address` to a server; `cut` ends all connections and takes no others until `mend`.

    After `lose`, until `mend`, connections stand but nothing arrives: a cut that neither end has noticed. After `move`
    this holds for those that stand, and new ones carry: what a phone sees that has gone to another network.

    What is sent arrives `delay` seconds later, and all connections together carry `rate` bytes a second in each
    direction. A connection is cut after `lasts` seconds, as some proxies do.
    """

    def __init__(self, server, *, delay=0.0, rate=float("inf"), lasts=None):
        parts = urlsplit(server)
        self._delay, self._rate, self._lasts, self._free = delay, rate, lasts, [0.0, 0.0]
        self._to, self._loop, self._port = (parts.hostname, parts.port), asyncio.new_event_loop(), free_port()
        self._open, self._listening, self._lost = set(), None, 0
        self._numbers, self._standing = itertools.count(1), set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.mend()
        self.address = f"{parts.scheme}://127.0.0.1:{self._port}"

    @property
    def carries(self):
        """How many connections the server has not ended: a socket stands, and a request for a file does for seconds."""
        return len(self._standing)

    def cut(self):
        """From now on the server cannot be reached."""
        self._do(self._cut())

    def lose(self):
        """From now on all that is sent is lost."""
        self._lost = float("inf")

    def move(self):
        """From now on all that is sent is lost, but for what is sent on new connections."""
        self._lost = next(self._numbers)

    def mend(self):
        """The server can be reached at the same address as before."""
        self._do(self._mend())

    def stop(self):
        """Cut the line for good."""
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def _do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)

    async def _mend(self):
        self._lost = 0
        self._listening = await asyncio.start_server(self._passed, "127.0.0.1", self._port)

    async def _cut(self):
        if self._listening:
            for one in self._listening.sockets:
                self._loop.remove_reader(one.fileno())
            for _ in range(5):  # a connection that is just being taken would be left open by a server that is closed
                await asyncio.sleep(0.0)
            self._listening.close()
        self._listening = None
        tasks = list(self._open)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _passed(self, reader, writer):
        self._open.add(asyncio.current_task())
        number = next(self._numbers)
        try:
            with suppress(OSError, asyncio.CancelledError):  # TimeoutError is an OSError
                await asyncio.sleep(2 * self._delay)  # a connection is made by a packet there and one back
                there, back = await asyncio.open_connection(*self._to)
                self._standing.add(number)
                both = asyncio.gather(self._pumped(reader, back, 0, number), self._pumped(there, writer, 1, number))
                try:
                    await asyncio.wait_for(both, self._lasts)
                finally:
                    self._standing.discard(number)
                    back.transport.abort()
        finally:
            writer.transport.abort()
            self._open.discard(asyncio.current_task())

    async def _pumped(self, reader, writer, direction, number):
        sent = asyncio.Queue()
        arriving = asyncio.ensure_future(self._delivered(sent, writer, number))
        most = 65536 if self._rate == float("inf") else max(1024, int(self._rate / 200))  # none keeps the line for long
        try:
            with suppress(OSError):
                while part := await reader.read(most):
                    sent.put_nowait((await self._carried(len(part), direction) + self._delay, part))
            if direction == 1:
                self._standing.discard(number)
            sent.put_nowait((self._loop.time() + self._delay, b""))
            await arriving
        finally:
            arriving.cancel()

    async def _carried(self, size, direction):
        """When the line has taken so many bytes, after what others have sent."""
        end = self._free[direction] = max(self._free[direction], self._loop.time()) + size / self._rate
        await asyncio.sleep(end - self._loop.time())
        return end

    async def _delivered(self, sent, writer, number):
        with suppress(OSError):
            while True:
                due, part = await sent.get()
                await asyncio.sleep(max(0.0, due - self._loop.time()))
                if number <= self._lost:
                    await asyncio.sleep(0.0 if part else float("inf"))  # an end does not arrive, either
                elif part:
                    writer.write(part)
                    await writer.drain()
                else:
                    return writer.write_eof()


@contextmanager
def wire(server, **line):
    """A `Wire` to the server at this address, until the end of the block."""
    made = Wire(server, **line)
    try:
        yield made
    finally:
        made.stop()
