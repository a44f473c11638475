"""What a behaviour uses: the request, and a sender that counts bytes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias


class ClientRequest(NamedTuple):
    """A request: `behaviour` is the first label of its host name; `forbidden` is the port of the forbidden listener."""

    behaviour: str
    target: str
    forbidden: int


class Sender:
    """Sends to one client and counts the bytes its socket took; raises OSError once the client is gone."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._queued = 0
        # Only bytes taken by the socket count as sent; nothing else is buffered here.
        writer.transport.set_write_buffer_limits(0)

    @property
    def sent(self) -> int:
        """Bytes that the socket has taken."""
        transport = self._writer.transport
        left = 0 if transport.is_closing() else transport.get_write_buffer_size()
        return self._queued - left

    async def send(self, *parts: bytes) -> None:
        """Send the parts and wait until the socket has taken them."""
        for part in parts:
            if self._writer.transport.is_closing():
                raise ConnectionResetError
            self._writer.write(part)
            self._queued += len(part)
            await self._writer.drain()

    def reset(self) -> None:
        """Reset the connection."""
        self._writer.transport.abort()


Behaviour: TypeAlias = Callable[[ClientRequest, Sender], Awaitable[None]]

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"


def head(*fields: bytes) -> bytes:
    """Return the head of a good answer with more fields; the connection closes after the answer."""
    return OK + b"".join(field + b"\r\n" for field in fields) + b"Connection: close\r\n\r\n"


async def page(sender: Sender, body: bytes, *fields: bytes) -> None:
    """Send a complete and honest page."""
    await sender.send(head(b"Content-Length: %d" % len(body), *fields), body)


def says(*parts: bytes) -> Behaviour:
    """Return a behaviour that sends bytes unchanged."""

    async def behaviour(_: ClientRequest, sender: Sender) -> None:
        await sender.send(*parts)

    return behaviour
