"""Fetches over HTTP: one guarded and limited exchange; every outcome is a value."""

import asyncio
import socket
import ssl
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

import aiohttp
from aiohttp.abc import AbstractResolver
from yarl import URL

from thresher.protocols import Clock
from thresher.reasons import Reason
from thresher.types import Answer, Candidate, Copy, Fetched
from thresher.web.body_room import BodyRoom
from thresher.web.codings import ACCEPT
from thresher.web.exchange import Exchange, Response, drain
from thresher.web.failures import reason_for
from thresher.web.guard import AddressGuard
from thresher.web.receiving import BodyRefused, Hold, receive, receive_robots
from thresher.web.resolver import AddressRefused, GuardedResolver
from thresher.web.sitemaps import SITEMAP_TYPES
from thresher.web.sniff import SIGNATURES
from thresher.web.status import NOT_MODIFIED, REDIRECTS, reason_of, retry_after
from thresher.web.urls import canonical
from thresher.web.validators import conditions

TYPES: Final = MappingProxyType(
    {"text/html": 10_000_000, "application/xhtml+xml": 10_000_000, "text/plain": 10_000_000}
)
"""The MIME types accepted by default, each with its largest body in bytes."""

NO_ROOM_WAIT: Final = 30.0
"""Seconds before a host is asked again after there was no room for its body."""

_MAX_HEADER: Final = 8190
_NAMED: Final = 8

# The socket factory sees only an address; this tells it the host. Each fetch runs in its own context, which the tasks
# that aiohttp starts for a connection inherit.
_host: ContextVar[str] = ContextVar("host", default="")


class _Connector(aiohttp.TCPConnector):
    """A connector that keeps at most `idle` unused connections open, which aiohttp's own limit does not count."""

    def __init__(self, *, idle: int, **options: Any) -> None:
        super().__init__(**options)
        self._max_idle = idle
        self._room = 0

    def _release(self, key: Any, protocol: Any, *, should_close: bool = False) -> None:
        if not self._room:
            # Connections also disappear on their own, so they are counted again, but not every time.
            self._room = max(0, self._max_idle - sum(map(len, self._conns.values())))
        full = not self._room
        self._room -= not full
        super()._release(key, protocol, should_close=should_close or full)


class HttpFetcher:
    """Fetches over HTTP/1.1 with connection reuse; no cookies or proxies, and redirects are not followed.

    `agent` is the User-Agent. Times are in seconds: `connect_timeout` for opening a connection, `read_timeout` for a
    silent server, `deadline` for the whole exchange. `max_body` limits the body of every page in bytes, received and
    decoded; `types` maps accepted MIME types to their own limits. If the declared type is missing or doubtful, the type
    is detected from the first bytes by the `signatures` of known types. A robots.txt may have any type and is cut at
    its limit; a list of addresses has the types of sitemaps. `parallel` is the number of simultaneous connections,
    `idle` how many more are kept open for reuse, for at most `keep_alive` seconds.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        guard: AddressGuard | None = None,
        agent: str = "Thresher",
        connect_timeout: float = 10.0,
        read_timeout: float = 20.0,
        deadline: float = 60.0,
        max_body: int = 10_000_000,
        types: Mapping[str, int] = TYPES,
        signatures: Sequence[tuple[bytes, str]] = SIGNATURES,
        parallel: int = 100,
        idle: int = 100,
        keep_alive: float = 15.0,
        resolver: AbstractResolver | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._clock = clock
        self._guard = guard or AddressGuard()
        self._deadline = deadline
        self._signatures = signatures
        self._types = {mime: min(limit, max_body) for mime, limit in types.items()}
        self._lists = {mime: min(limit, max_body) for mime, limit in SITEMAP_TYPES.items()}
        self._parallel = parallel
        self._idle = idle
        self._room = BodyRoom()
        self._keep_alive = keep_alive
        self._resolver = resolver
        self._tls = tls
        self._timeout = aiohttp.ClientTimeout(total=None, connect=connect_timeout, sock_read=read_timeout)
        self._headers = {"User-Agent": agent, "Accept-Encoding": ACCEPT}
        self._session: aiohttp.ClientSession | None = None
        self._closed = False

    async def fetch(self, candidate: Candidate) -> Answer:
        """Return `Fetched` for a complete 200, `Redirected` for one hop, `Failed` for everything else; never raise.

        A candidate with a copy is requested conditionally: `Unchanged` says that it has not changed.
        """
        types = self._lists if candidate.lists else self._types
        return await self._make(Exchange(candidate.url, self._clock), types, candidate.copy)

    def prepare(self, hosts: Iterable[str]) -> int:
        """Start looking up hosts that will soon be fetched from; return how many look-ups were started.

        Never raises and never waits; stops at the resolver's limit of early look-ups. The guard checks an address found
        early when it is used, like any other.
        """
        names = None if self._closed else self._names()
        return names.prepare(hosts) if isinstance(names, GuardedResolver) else 0

    async def close(self) -> None:
        """Close connections; the fetcher cannot be used afterwards."""
        self._closed = True
        if self._session is not None:
            await self._session.close()
            self._session = None
        if self._resolver is not None:
            await self._resolver.close()

    async def _make(self, exchange: Exchange, types: Mapping[str, int], copy: Copy | None) -> Answer:
        """Perform an exchange; every error becomes a failure."""
        address = canonical(exchange.url)
        if address is None:
            return exchange.failed(Reason.BAD_URL)
        try:
            url = URL(address, encoded=True)
            _host.set(url.raw_host or "")
            async with asyncio.timeout(self._deadline) as deadline:
                hold = Hold(self._room, deadline)
                try:
                    answer = await self._ask(exchange, url, types, copy, hold)
                except BaseException:
                    hold.end()
                    raise
                hold.end(answer if isinstance(answer, Fetched) else None)
                return answer
        except Exception as error:
            reason = reason_for(error)
            wait = NO_ROOM_WAIT if reason is Reason.NO_ROOM else None
            return exchange.failed(reason, detail=f"{type(error).__name__}: {error}"[:200], wait=wait)

    async def _ask(
        self, exchange: Exchange, url: URL, types: Mapping[str, int], copy: Copy | None, hold: Hold
    ) -> Answer:
        asked = conditions(copy) if copy is not None else {}
        # Servers that negotiate send one of the first few types; others send what they have.
        headers = self._headers | {"Accept": ", ".join(islice(types, _NAMED)) + ", */*;q=0.1"} | asked
        async with self._open().get(url, allow_redirects=False, headers=headers) as response:
            exchange.response = response
            status = response.status
            if status in REDIRECTS:
                return exchange.redirected(await drain(response))
            if status == NOT_MODIFIED and copy is not None and asked:
                await drain(response)
                return exchange.unchanged(copy)
            reason = reason_of(status)
            if reason is not None:
                wait = retry_after(response.headers.get("Retry-After"), exchange.at)
                await drain(response)
                return exchange.failed(reason, status=status, wait=wait)
            robots = url.raw_path == "/robots.txt"
            received = await (receive_robots(response) if robots else receive(response, types, hold, self._signatures))
            if isinstance(received, BodyRefused):
                wait = NO_ROOM_WAIT if received.reason is Reason.NO_ROOM else None
                return exchange.failed(received.reason, detail=received.detail, status=status, wait=wait)
            return exchange.fetched(*received)

    def _names(self) -> AbstractResolver:
        """Return the resolver, created on first use because it belongs to the running loop."""
        if self._resolver is None:
            self._resolver = GuardedResolver(self._guard, self._clock)
        return self._resolver

    def _open(self) -> aiohttp.ClientSession:
        """Return the session, created on first use because it belongs to the running loop."""
        if self._closed:
            raise aiohttp.ClientConnectionError("The fetcher is closed.")
        if self._session is None:
            connector = _Connector(
                idle=self._idle,
                limit=self._parallel,
                keepalive_timeout=self._keep_alive,
                use_dns_cache=False,
                resolver=self._names(),
                socket_factory=self._socket,
                ssl=self._tls or True,
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=self._timeout,
                auto_decompress=False,
                trust_env=False,
                max_line_size=_MAX_HEADER,
                max_field_size=_MAX_HEADER,
                response_class=Response,
            )
        return self._session

    def _socket(self, info: Any) -> socket.socket:
        """Create the socket for a connection; the only door to the network."""
        family, kind, protocol, _, (address, port, *_) = info
        host = _host.get()
        if not self._guard.permits(address, port, host):
            raise AddressRefused(None, f"{host or 'a host'} is at {address}, which is not reachable for crawls")
        return socket.socket(family, kind, protocol)
