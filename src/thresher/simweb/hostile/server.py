"""The hostile server: a host name for each behaviour, healthy hosts, and listeners that count violations.

Run as `python -m thresher.simweb.hostile.server PAGES [--bombs] [--costly]`. It prints its ports as JSON, serves until
its input ends, and prints what it saw.
"""

import asyncio
import sys
from collections import Counter
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct

from thresher.simweb.hostile.bodies import BODIES, pack_bombs
from thresher.simweb.hostile.costly import COSTLY, pack_costly
from thresher.simweb.hostile.files import DOCUMENTS, pack_files
from thresher.simweb.hostile.heads import HEADS
from thresher.simweb.hostile.redirects import REDIRECTS
from thresher.simweb.hostile.talk import Behaviour, ClientRequest, Sender

BEHAVIOURS: Final[dict[str, Behaviour]] = BODIES | DOCUMENTS | HEADS | REDIRECTS
"""All behaviours for which a crawl ends, by the first label of their hosts' names."""

HEALTHY: Final = "good"
"""Prefix of the names of healthy hosts."""

COPY: Final = "-x"
"""Comes before the number of a copy: `silent-x3` behaves like `silent`."""

ITSELF: Final = frozenset({"huge-robots", "robots-loop", "robots-inside", "entities"})
"""Behaviours that apply to robots.txt as well; the other hosts have none."""

_WORDS: Final = ("river", "boat", "harbour", "sail", "wind", "tide", "rope", "anchor", "keel", "mast", "crew", "storm")


class Ports(Struct, frozen=True):
    """The ports of the hostile server, and the port that represents forbidden addresses."""

    port: int
    forbidden: int


class ServerLog(Struct, frozen=True, kw_only=True):
    """What the server saw: connections to the forbidden port, and the largest response of each host in bytes."""

    forbidden: int
    most_bytes: dict[str, int]
    requests: dict[str, int]


class HostileServer:
    """Serves all behaviours on one port of 127.0.0.1; `pages` is the size of a healthy host.

    With `bombs` and `costly`, these are created before the start, otherwise on request.
    """

    def __init__(self, pages: int = 20, *, bombs: bool = True, costly: bool = False) -> None:
        self._pages = pages
        self._bombs = bombs
        self._costly = costly
        self._servers: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._forbidden = 0
        self._most = Counter[str]()
        self._requests = Counter[str]()
        self.ports = Ports(0, 0)

    async def start(self) -> None:
        """Create what takes long and start listening, on the forbidden port for IPv4 and IPv6."""
        if self._bombs:
            pack_bombs()
            pack_files()
        if self._costly:
            pack_costly()
        listener = await asyncio.start_server(self._intrude, "127.0.0.1", 0)
        forbidden = listener.sockets[0].getsockname()[1]
        self._servers.append(listener)
        for address in ("::1", "127.255.255.254"):
            with suppress(OSError):
                self._servers.append(await asyncio.start_server(self._intrude, address, forbidden))
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 16, backlog=512)
        self._servers.append(server)
        self.ports = Ports(server.sockets[0].getsockname()[1], forbidden)

    def seen(self) -> ServerLog:
        """Return what was seen so far."""
        return ServerLog(forbidden=self._forbidden, most_bytes=dict(self._most), requests=dict(self._requests))

    async def stop(self) -> None:
        """Close all connections."""
        for server in self._servers:
            server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _intrude(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._forbidden += 1
        writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            # The end of the server ends every connection silently.
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
                while await self._answer(await reader.readuntil(b"\r\n\r\n"), writer):
                    pass
        finally:
            self._tasks.discard(task)
            with suppress(OSError):
                writer.close()

    async def _answer(self, request: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether another may follow on the connection."""
        target = request.split(b" ", 2)[1].decode("latin-1")
        host = next((line[5:].strip() for line in request.split(b"\r\n") if line.lower().startswith(b"host:")), b"")
        name = host.decode("latin-1").partition(":")[0].partition(".")[0]
        behaviour = name.rpartition(COPY)[0] or name
        sender = Sender(writer)
        self._requests[name] += 1
        try:
            return await self._behave(ClientRequest(behaviour, target, self.ports.forbidden), sender)
        finally:
            self._most[name] = max(self._most[name], sender.sent)

    async def _behave(self, asked: ClientRequest, sender: Sender) -> bool:
        if asked.behaviour.startswith(HEALTHY):
            await self._healthy(asked, sender)
            return True
        if asked.target == "/robots.txt" and asked.behaviour not in ITSELF:
            await sender.send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return True
        await (BEHAVIOURS | COSTLY)[asked.behaviour](asked, sender)
        return False

    async def _healthy(self, asked: ClientRequest, sender: Sender) -> None:
        """Answer like a good host: some pages of text with links to each other, and 404 for everything else."""
        number = asked.target.removeprefix("/").removesuffix(".html") or "0"
        if not number.isdigit() or int(number) >= self._pages:
            await sender.send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return
        here = int(number)
        words = " ".join(_WORDS[(here * step + step) % len(_WORDS)] for step in range(300))
        links = "".join(f"<a href=/{(here * 3 + step) % self._pages}.html>more {step}</a> " for step in range(1, 4))
        body = f"<title>{asked.behaviour} {here}</title><p>{words} at {asked.behaviour}, {here}</p>{links}".encode()
        fields = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body)
        await sender.send(fields, body)


async def _main(pages: int, *, bombs: bool, costly: bool) -> None:
    server = HostileServer(pages, bombs=bombs, costly=costly)
    await server.start()
    _say(server.ports)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)
    _say(server.seen())
    await server.stop()


def _say(said: Ports | ServerLog) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(said) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), bombs="--bombs" in sys.argv, costly="--costly" in sys.argv))
