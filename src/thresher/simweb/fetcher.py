"""The generated web as a fetcher: the same answers as over HTTP, without a network and on any clock."""

import asyncio
from collections.abc import Collection
from typing import Final

from thresher.protocols import Clock
from thresher.reasons import Reason
from thresher.simweb.access_log import Access, AccessLog, InProgress
from thresher.simweb.answers import Responder, SimAnswer, answer
from thresher.simweb.web import Web
from thresher.types import Answer, Candidate, Copy, Failed, Fetched, Redirected, Unchanged
from thresher.web.status import NOT_MODIFIED, REDIRECTS, reason_of, retry_after
from thresher.web.urls import host_of, parse
from thresher.web.validators import conditions

_ADDRESS: Final = "127.0.0.1"


class SimFetcher:
    """Fetches from a planned web.

    Waiting uses `asyncio.sleep`, so a virtual event loop spends no real time on slow hosts. `latency` (seconds) is
    added to every exchange; `read_timeout` (seconds) is how long to wait for a silent host; `agent` and `log` are for
    the access log, which is optional. Timed answers count from the first fetch. If `types` are given, pages of other
    types are refused; lists of addresses may have any type.
    """

    def __init__(
        self,
        web: Web | Responder,
        clock: Clock,
        *,
        latency: float = 0.0,
        read_timeout: float = 20.0,
        agent: str = "thresher",
        log: AccessLog | None = None,
        types: Collection[str] = (),
    ) -> None:
        self._web = web
        self._clock = clock
        self._latency = latency
        self._read_timeout = read_timeout
        self._agent = agent
        self._log = log
        self._types = types
        self._progress = InProgress()
        self._since: float | None = None

    async def fetch(self, candidate: Candidate) -> Answer:
        """Return what an HTTP fetcher would return for the same request; unknown hosts have no address."""
        url, at = candidate.url, self._clock.wall()
        host = host_of(url)
        if host not in self._web.host_numbers:
            return Failed(url=url, reason=Reason.DNS_FAILED, at=at, detail=f"there is no host {host}")
        if not url.startswith(f"http://{host}/"):
            return Failed(url=url, reason=Reason.CONNECT_FAILED, at=at, detail="only port 80 is served", ip=_ADDRESS)
        started = self._clock.now()
        asked = conditions(candidate.copy) if candidate.copy is not None else {}
        reply = await self._exchange(host, url[len("http://") + len(host) :], started, asked)
        seconds = self._clock.now() - started
        if reply is None:
            return Failed(url=url, reason=Reason.TIMEOUT, at=at, seconds=seconds, ip=_ADDRESS)
        request = [("Host", host), ("User-Agent", self._agent), *asked.items()]
        found = _outcome(url, reply, at, seconds, request, candidate.copy)
        return found if candidate.lists else self._typed(found)

    def _typed(self, found: Answer) -> Answer:
        """Return an answer, or a failure if its type is not wanted."""
        if not isinstance(found, Fetched) or not self._types or not found.mime or found.mime in self._types:
            return found
        return Failed(
            url=found.url, reason=Reason.TYPE_REFUSED, at=found.at, detail=found.mime, status=found.status, ip=found.ip
        )

    async def close(self) -> None:
        """Close the access log, if there is one."""
        if self._log is not None:
            self._log.close()
            self._log = None

    async def _exchange(self, host: str, target: str, started: float, asked: dict[str, str]) -> SimAnswer | None:
        """Make one exchange and log it, however it ends; return None if the answer took too long."""
        self._since = started if self._since is None else self._since
        received, others = self._clock.wall(), self._progress.arrive(host)
        answered: float | None = None
        fields = {name.lower(): value for name, value in asked.items()}
        reply = answer(self._web, "GET", host, target, started - self._since, fields)
        try:
            wait = self._latency + reply.delay if reply is not None else 0.0
            if reply is None or reply.hang or wait > self._read_timeout:
                reply = None
                await asyncio.sleep(self._read_timeout)
            else:
                await asyncio.sleep(wait)
                answered = self._clock.wall()
        finally:
            self._progress.leave(host)
            if self._log is not None:
                self._log.write(
                    Access(
                        received=received,
                        answered=answered,
                        host=host,
                        target=target,
                        status=reply.status if reply is not None and answered is not None else 0,
                        agent=self._agent,
                        bytes=len(reply.body) if reply is not None and answered is not None else 0,
                        in_progress=others,
                    )
                )
        return reply


def _outcome(
    url: str, reply: SimAnswer, at: float, seconds: float, request: list[tuple[str, str]], copy: Copy | None
) -> Answer:
    fields = {name.lower(): value for name, value in reply.headers}
    if reply.status in REDIRECTS:
        to = parse(fields.get("location", ""), url) if "location" in fields else None
        if to is None:
            return Failed(url=url, reason=Reason.BAD_REDIRECT, at=at, status=reply.status, seconds=seconds, ip=_ADDRESS)
        return Redirected(
            url=url,
            to=to,
            status=reply.status,
            at=at,
            seconds=seconds,
            ip=_ADDRESS,
            headers=reply.headers,
            raw=reply.body,
            request=request,
        )
    if reply.status == NOT_MODIFIED and copy is not None:
        return Unchanged(
            url=url, at=at, copy=copy, headers=reply.headers, seconds=seconds, ip=_ADDRESS, request=request
        )
    reason = reason_of(reply.status)
    if reason is not None:
        return Failed(
            url=url,
            reason=reason,
            at=at,
            status=reply.status,
            retry_after=retry_after(fields.get("retry-after"), at),
            seconds=seconds,
            ip=_ADDRESS,
        )
    return Fetched(
        url=url,
        status=reply.status,
        headers=reply.headers,
        body=reply.body,
        raw=reply.body,
        mime=fields.get("content-type", "").partition(";")[0].strip().lower(),
        at=at,
        seconds=seconds,
        ip=_ADDRESS,
        request=request,
    )
