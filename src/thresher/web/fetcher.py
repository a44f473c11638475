"""Fetching over HTTP: one exchange, guarded and limited, whose every outcome is a value."""

import asyncio
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Final

import aiohttp
from aiohttp.abc import AbstractResolver
from yarl import URL

from thresher.protocols import Clock
from thresher.reasons import Reason
from thresher.types import Answer, Candidate, Failed, Fetched, Redirected
from thresher.web.codings import ACCEPT, Decoder
from thresher.web.failures import reason_for
from thresher.web.guard import AddressGuard
from thresher.web.resolver import AddressRefused, GuardedResolver
from thresher.web.robots import MAX_ROBOTS
from thresher.web.status import REDIRECTS, reason_of, retry_after
from thresher.web.urls import canonical, parse

TYPES: Final = MappingProxyType(
    {"text/html": 10_000_000, "application/xhtml+xml": 10_000_000, "text/plain": 10_000_000}
)
"""The MIME types accepted by default, each with its largest body in bytes."""

_DRAINED: Final = 1 << 16
_DRAIN_SECONDS: Final = 0.5
_MAX_HEADER: Final = 8190

# The socket factory sees an address only; this tells it which host the address is meant for. Each fetch runs in its
# own context, and the tasks that aiohttp starts for a connection inherit it.
_host: ContextVar[str] = ContextVar("host", default="")


class _Response(aiohttp.ClientResponse):
    """A response that remembers its peer, which the connection forgets once the body has arrived."""

    peer = ""

    async def start(self, connection: Any) -> "aiohttp.ClientResponse":
        name = connection.transport.get_extra_info("peername") if connection.transport else None
        self.peer = str(name[0]) if name else ""
        return await super().start(connection)


class HttpFetcher:
    """Fetches over HTTP/1.1 with connection reuse, without cookies, proxies or redirects of its own.

    `agent` is the User-Agent; times are in seconds: `connect_timeout` for opening a connection, `read_timeout` for a
    silence of the server, `deadline` for the whole exchange. `max_body` limits every body in bytes, received and
    decoded; `types` maps accepted MIME types to limits of their own. A robots file may have any type and is cut at its
    limit. An answer without a type counts as text/html. `parallel` is the number of connections at once.
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
        parallel: int = 100,
        keep_alive: float = 15.0,
        resolver: AbstractResolver | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._clock = clock
        self._guard = guard or AddressGuard()
        self._deadline = deadline
        self._max_body = max_body
        self._types = dict(types)
        self._parallel = parallel
        self._keep_alive = keep_alive
        self._resolver = resolver
        self._tls = tls
        self._timeout = aiohttp.ClientTimeout(total=None, connect=connect_timeout, sock_read=read_timeout)
        self._headers = {
            "User-Agent": agent,
            "Accept": ", ".join(self._types) + ", */*;q=0.1",
            "Accept-Encoding": ACCEPT,
        }
        self._session: aiohttp.ClientSession | None = None
        self._closed = False

    async def fetch(self, candidate: Candidate) -> Answer:
        """Return `Fetched` for a complete 200, `Redirected` for one hop, `Failed` for everything else; never raise."""
        exchange = _Exchange(candidate.url, self._clock)
        address = canonical(candidate.url)
        if address is None:
            return exchange.failed(Reason.BAD_URL)
        try:
            url = URL(address, encoded=True)
            _host.set(url.raw_host or "")
            async with asyncio.timeout(self._deadline):
                return await self._ask(exchange, url)
        except Exception as error:
            return exchange.failed(reason_for(error), detail=f"{type(error).__name__}: {error}"[:200])

    async def close(self) -> None:
        """Give back connections; the fetcher cannot be used afterwards."""
        self._closed = True
        if self._session is not None:
            await self._session.close()
            self._session = None
        if self._resolver is not None:
            await self._resolver.close()

    async def _ask(self, exchange: "_Exchange", url: URL) -> Answer:
        async with self._open().get(url, allow_redirects=False, headers=self._headers) as response:
            exchange.response = response
            status = response.status
            if status in REDIRECTS:
                await _drain(response)
                return exchange.redirected(response)
            reason = reason_of(status)
            if reason is not None:
                wait = retry_after(response.headers.get("Retry-After"), exchange.at)
                await _drain(response)
                return exchange.failed(reason, status=status, wait=wait)
            return await self._receive(exchange, url.raw_path == "/robots.txt")

    async def _receive(self, exchange: "_Exchange", robots: bool) -> Answer:
        """Read the body of a 200 as far as its type and size allow."""
        response = exchange.response
        assert response is not None
        mime = response.headers.get("Content-Type", "text/html").partition(";")[0].strip().lower()
        if not robots and mime not in self._types:
            return exchange.failed(Reason.TYPE_REFUSED, detail=mime, status=200)
        limit = MAX_ROBOTS if robots else min(self._max_body, self._types[mime])
        if not robots and (response.content_length or 0) > limit:
            return exchange.failed(Reason.BODY_TOO_LARGE, detail=f"{response.content_length} bytes", status=200)
        decoder = Decoder(",".join(response.headers.getall("Content-Encoding", [])), limit)
        received: list[bytes] = []
        async for chunk in response.content.iter_any():
            received.append(chunk)
            if decoder.feed(chunk):
                break
        body = decoder.cut() if robots else decoder.finish()
        if isinstance(body, Reason):
            response.close()
            return exchange.failed(body, status=200)
        return exchange.fetched(mime, body, body if decoder.plain else b"".join(received))

    def _open(self) -> aiohttp.ClientSession:
        """Return the session, made on first use because it belongs to the running loop."""
        if self._closed:
            raise aiohttp.ClientConnectionError("The fetcher is closed.")
        if self._session is None:
            self._resolver = self._resolver or GuardedResolver(self._guard, self._clock)
            connector = aiohttp.TCPConnector(
                limit=self._parallel,
                keepalive_timeout=self._keep_alive,
                use_dns_cache=False,
                resolver=self._resolver,
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
                response_class=_Response,
            )
        return self._session

    def _socket(self, info: Any) -> socket.socket:
        """Make the socket for a connection; the last and only door to the network."""
        family, kind, protocol, _, (address, port, *_) = info
        host = _host.get()
        if not self._guard.permits(address, port, host):
            raise AddressRefused(None, f"{host or 'a host'} is at {address}, which is not reachable for crawls")
        return socket.socket(family, kind, protocol)


async def _drain(response: aiohttp.ClientResponse) -> None:
    """Read a short body away so that its connection can be used again; a long or slow one costs the connection."""
    left = _DRAINED - (response.content_length or 0)
    with suppress(aiohttp.ClientError, OSError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while left >= 0 and (chunk := await response.content.readany()):
                left -= len(chunk)


class _Exchange:
    """What is known of one exchange while it lasts, and the answers it can end in."""

    def __init__(self, url: str, clock: Clock) -> None:
        self.url = url
        self.at = clock.wall()
        self.response: aiohttp.ClientResponse | None = None
        self._clock = clock
        self._start = clock.now()

    def _seconds(self) -> float:
        return self._clock.now() - self._start

    def _ip(self) -> str:
        return self.response.peer if isinstance(self.response, _Response) else ""

    def failed(self, reason: Reason, detail: str = "", status: int | None = None, wait: float | None = None) -> Failed:
        return Failed(
            url=self.url,
            reason=reason,
            at=self.at,
            detail=detail,
            status=status,
            retry_after=wait,
            seconds=self._seconds(),
            ip=self._ip(),
        )

    def redirected(self, response: aiohttp.ClientResponse) -> Redirected | Failed:
        location = next((value for name, value in response.raw_headers if name.lower() == b"location"), b"")
        try:
            text = location.decode()
        except UnicodeDecodeError:
            text = location.decode("latin-1")
        to = parse(text, self.url) if text.strip() else None
        if to is None:
            return self.failed(Reason.BAD_REDIRECT, detail=text[:200], status=response.status)
        return Redirected(
            url=self.url, to=to, status=response.status, at=self.at, seconds=self._seconds(), ip=self._ip()
        )

    def fetched(self, mime: str, body: bytes, raw: bytes) -> Fetched:
        response = self.response
        assert response is not None
        version = response.version
        return Fetched(
            url=self.url,
            status=response.status,
            headers=[(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.raw_headers],
            body=body,
            raw=raw,
            mime=mime,
            at=self.at,
            seconds=self._seconds(),
            ip=self._ip(),
            http_version=f"{version.major}.{version.minor}" if version else "1.1",
            request=[(str(name), value) for name, value in response.request_info.headers.items()],
        )
