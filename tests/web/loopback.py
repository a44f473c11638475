"""A server on the loopback that says exactly what a test tells it to, and counts who came."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

Talk = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]


class Loopback:
    """Answers each request with `talk(head, writer)`; `connects` and `heads` tell what it saw."""

    def __init__(
        self, talk: Talk, host: str = "127.0.0.1", again: bool = False, tls: ssl.SSLContext | None = None
    ) -> None:
        self._talk = talk
        self._host = host
        self._again = again
        self._tls = tls
        self._server: asyncio.Server | None = None
        self.port = 0
        self.connects = 0
        self.heads: list[bytes] = []

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, self._host, 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connects += 1
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.heads.append(head)
                await self._talk(head, writer)
                await writer.drain()
                if not self._again:
                    break
        with suppress(OSError):
            writer.close()


def says(*parts: bytes) -> Talk:
    """Return a talk that writes the parts as they are."""

    async def talk(head: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"".join(parts))

    return talk


def page(body: bytes, *fields: bytes, status: bytes = b"200 OK", mime: bytes = b"text/html") -> Talk:
    """Return a talk that gives a well-formed answer."""
    head = [b"HTTP/1.1 " + status, b"Content-Type: " + mime, b"Content-Length: %d" % len(body), *fields]
    return says(b"\r\n".join(head), b"\r\n\r\n", body)
