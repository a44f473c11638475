"""Resolves host names: cached, asynchronous, mapped and guarded."""

import asyncio
import socket
from collections import OrderedDict
from collections.abc import Iterable
from itertools import islice
from typing import Final, NamedTuple

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import DefaultResolver

from thresher.protocols import Clock
from thresher.web.guard import AddressGuard, is_address

_MAX_PREPARED: Final = 1000


class AddressRefused(OSError):
    """The guard refused every address of a host."""


class _Entry(NamedTuple):
    expires: float
    addresses: asyncio.Future[list[tuple[int, str]]]


class GuardedResolver(AbstractResolver):
    """Resolves names for aiohttp's connector, which must not cache by itself.

    Answers are cached for `ttl` seconds and failures for `failure_ttl`, for at most `size` names. A name is looked up
    once however many wait for it, and at most `early` names at once before anybody waits. Mapped hosts are not looked
    up at all; forbidden addresses are left out at every use, not only when they arrive.
    """

    def __init__(
        self,
        guard: AddressGuard,
        clock: Clock,
        ttl: float = 300.0,
        failure_ttl: float = 30.0,
        size: int = 50_000,
        early: int = 16,
        inner: AbstractResolver | None = None,
    ) -> None:
        self._guard = guard
        self._clock = clock
        self._ttl = ttl
        self._failure_ttl = failure_ttl
        self._size = size
        self._early = early
        self._unasked = 0
        self._inner = inner
        self._cache: OrderedDict[str, _Entry] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return where a host may be reached; raise AddressRefused if nowhere, OSError if it is unknown."""
        target = self._guard.target(host)
        if target is not None:
            address, mapped_port = target
            kind = socket.AF_INET6 if ":" in address else socket.AF_INET
            return [_result(host, address, mapped_port or port, kind)]
        found = await self.lookup(host)
        wanted = [(kind, address) for kind, address in found if family in (socket.AF_UNSPEC, kind)]
        permitted = [pair for pair in wanted if self._guard.permits(pair[1], port, host)]
        if wanted and not permitted:
            raise AddressRefused(None, f"{host} is at {wanted[0][1]}, which is not reachable for crawls")
        if not permitted:
            raise OSError(None, f"{host} has no address")
        return [_result(host, address, port, kind) for kind, address in permitted]

    async def lookup(self, host: str) -> list[tuple[int, str]]:
        """Return (family, address) of a host from the cache or the network."""
        entry = self._fresh(host) or self._look_up(host)
        # Many may wait for one answer: cancelling one must not take it from the others.
        return await asyncio.shield(entry.addresses)

    def prepare(self, hosts: Iterable[str]) -> int:
        """Start looking up hosts that will be needed soon; return how many look-ups were started.

        Never raises and never waits. Hosts that are known, mapped, addresses or out of reach are skipped, and so are
        hosts beyond the limit of early look-ups; without a running event loop nothing is started.
        """
        begun = 0
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return begun
        for host in islice(hosts, _MAX_PREPARED):
            if self._unasked >= self._early:
                break
            if self._wanted(host):
                self._unasked += 1
                self._look_up(host).addresses.add_done_callback(self._answered)
                begun += 1
        return begun

    def _wanted(self, host: str) -> bool:
        """Return whether looking up a host early is useful."""
        if not host or self._fresh(host) is not None or is_address(host) or self._guard.target(host) is not None:
            return False
        return self._guard.public or self._guard.names(host)

    def _answered(self, _: asyncio.Future[list[tuple[int, str]]]) -> None:
        self._unasked -= 1

    def _fresh(self, host: str) -> _Entry | None:
        entry = self._cache.get(host)
        return entry if entry is not None and entry.expires > self._clock.now() else None

    def _look_up(self, host: str) -> _Entry:
        entry = _Entry(self._clock.now() + self._ttl, asyncio.get_running_loop().create_future())
        self._cache[host] = entry
        self._cache.move_to_end(host)
        if len(self._cache) > self._size:
            self._cache.popitem(last=False)
        task = asyncio.create_task(self._fill(host, entry))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return entry

    async def _fill(self, host: str, entry: _Entry) -> None:
        try:
            if self._inner is None:
                self._inner = DefaultResolver()
            results = await self._inner.resolve(host, 0, socket.AF_UNSPEC)
        except asyncio.CancelledError:
            entry.addresses.cancel()
            raise
        except Exception as error:
            failure = error if isinstance(error, OSError) else OSError(None, str(error) or type(error).__name__)
            entry.addresses.set_exception(failure)
            entry.addresses.exception()
            if self._cache.get(host) is entry:
                self._cache[host] = entry._replace(expires=self._clock.now() + self._failure_ttl)
        else:
            entry.addresses.set_result(list(dict.fromkeys((int(r["family"]), r["host"]) for r in results)))

    async def close(self) -> None:
        """Cancel pending look-ups."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._cache.clear()
        if self._inner is not None:
            await self._inner.close()


def _result(hostname: str, address: str, port: int, family: int) -> ResolveResult:
    flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(hostname=hostname, host=address, port=port, family=family, proto=0, flags=flags)
