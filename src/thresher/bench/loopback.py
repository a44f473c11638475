"""Serves a pre-rendered web from a separate process as cheaply as possible, and counts its requests.

Started as `python -m thresher.bench.loopback`; the first line of its input holds the parameters of the web as JSON, and
each further line asks for the counts since the previous one. It exits when its input ends.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
from msgspec import Struct

from thresher.bench.prerendered import Answers, Prerendered, address_of
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web

_NOT_FOUND: Final = b"HTTP/1.1 404 -\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n"
_ROBOTS: Final = b"/robots.txt"
_LONGEST: Final = 1 << 16


class RequestCounts(Struct, frozen=True):
    """Counts since the last report: requests, those for robots files, and CPU time in seconds."""

    requests: int
    robots: int
    cpu_seconds: float


class _Counts:
    def __init__(self) -> None:
        self.requests = 0
        self.robots = 0
        self._cpu = time.process_time()

    def seen(self) -> RequestCounts:
        return RequestCounts(self.requests, self.robots, time.process_time() - self._cpu)


class _Connection(asyncio.Protocol):
    """One connection: complete GET requests in, complete responses out, in order."""

    def __init__(self, server: "_Server") -> None:
        self._server = server
        self._waiting = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        self._answers = self._server.answers[transport.get_extra_info("sockname")[0]]

    def data_received(self, data: bytes) -> None:
        data = self._waiting + data
        while (end := data.find(b"\r\n\r\n")) >= 0:
            target = data[: data.find(b"\r\n")].split(b" ")[1]
            data = data[end + 4 :]
            counts = self._server.counts
            counts.requests += 1
            counts.robots += target == _ROBOTS
            self._transport.write(self._answers.get(target, _NOT_FOUND))
        self._waiting = data
        if len(data) > _LONGEST:
            self._transport.abort()


class _Server:
    def __init__(self) -> None:
        self.answers: Answers = {}
        self.counts = _Counts()

    async def serve(self, parameters: WebParameters) -> None:
        """Listen on one address per host, and report whenever a line is read."""
        loop = asyncio.get_running_loop()
        addresses = [address_of(number) for number in range(parameters.hosts)]
        first = await loop.create_server(lambda: _Connection(self), addresses[0], 0)
        port = first.sockets[0].getsockname()[1]
        await loop.create_server(lambda: _Connection(self), addresses[1:], port, backlog=256)
        web = Prerendered(Web(parameters), port)
        self.answers = web.answers
        _say({"start_pages": web.start_pages, "urls": web.urls})
        while await asyncio.to_thread(sys.stdin.readline):
            _say(self.counts.seen())
            self.counts = _Counts()


def _say(what: Any) -> None:
    sys.stdout.write(msgspec.json.encode(what).decode() + "\n")
    sys.stdout.flush()


class Loopback:
    """A running server; `start_pages` is where crawls begin, `urls` lists all pages."""

    def __init__(self, process: "subprocess.Popen[bytes]", start_pages: list[str], urls: list[str]) -> None:
        self._process = process
        self.start_pages = start_pages
        self.urls = urls

    def seen(self) -> RequestCounts:
        """Return the counts since the last call."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline(), type=RequestCounts)


@contextmanager
def loopback(parameters: WebParameters) -> Iterator[Loopback]:
    """Serve a pre-rendered web while the context is active."""
    command = [sys.executable, "-m", "thresher.bench.loopback"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - our own program
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(parameters) + b"\n")
        process.stdin.flush()
        ready: dict[str, Any] = msgspec.json.decode(process.stdout.readline())
        yield Loopback(process, **ready)
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    asyncio.run(_Server().serve(msgspec.json.decode(sys.stdin.readline(), type=WebParameters)))
