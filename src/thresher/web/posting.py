"""Sends data to another program over HTTP: one guarded and limited POST; every outcome is a value."""

import socket
from typing import Any, Final

import aiohttp
from msgspec import Struct
from yarl import URL

from thresher.protocols import Clock
from thresher.reasons import Reason
from thresher.web.failures import reason_for
from thresher.web.guard import AddressGuard
from thresher.web.resolver import AddressRefused, GuardedResolver
from thresher.web.urls import canonical

_MAX_HEADER: Final = 8190


class Posted(Struct, frozen=True):
    """A complete answer with any status."""

    status: int
    body: bytes


class Poster:
    """Posts JSON through the address guard, without cookies, proxies or redirects.

    `connect_timeout`, `read_timeout` and `deadline` are in seconds; an answer may have `most` bytes. An answer with a
    content coding is refused. Each connection is used for one message.
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
        most: int = 1_000_000,
    ) -> None:
        self._clock = clock
        self._guard = guard or AddressGuard()
        self._headers = {"User-Agent": agent, "Accept-Encoding": "identity", "Content-Type": "application/json"}
        self._timeout = aiohttp.ClientTimeout(total=deadline, connect=connect_timeout, sock_read=read_timeout)
        self._most = most

    async def post(self, url: str, data: bytes) -> Posted | Reason:
        """Return the answer, or the reason why there is none; never raise."""
        address = canonical(url)
        if address is None:
            return Reason.BAD_URL
        try:
            return await self._post(URL(address, encoded=True), data)
        except Exception as error:
            return reason_for(error)

    async def _post(self, url: URL, data: bytes) -> Posted | Reason:
        host = url.raw_host or ""

        def guarded(info: Any) -> socket.socket:
            family, kind, protocol, _, (address, port, *_) = info
            if not self._guard.permits(address, port, host):
                raise AddressRefused(None, f"{host} is at {address}, which may not be reached")
            return socket.socket(family, kind, protocol)

        connector = aiohttp.TCPConnector(
            force_close=True,
            use_dns_cache=False,
            resolver=GuardedResolver(self._guard, self._clock),
            socket_factory=guarded,
        )
        session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=self._timeout,
            auto_decompress=False,
            trust_env=False,
            max_line_size=_MAX_HEADER,
            max_field_size=_MAX_HEADER,
        )
        async with session, session.post(url, data=data, allow_redirects=False, headers=self._headers) as response:
            if response.headers.get("Content-Encoding", "identity") != "identity":
                return Reason.PROTOCOL_ERROR
            body = bytearray()
            async for chunk in response.content.iter_any():
                body += chunk
                if len(body) > self._most:
                    response.close()
                    return Reason.BODY_TOO_LARGE
            return Posted(response.status, bytes(body))
