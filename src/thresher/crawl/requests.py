"""Requests from other processes to a running crawl, polled, obeyed and answered."""

from collections.abc import Iterator
from typing import Protocol

from thresher.crawl.budget import Stop
from thresher.crawl.journal import Journal
from thresher.protocols import Clock
from thresher.store.event_kinds import EventKind
from thresher.store.protocol import Store
from thresher.store.request_records import (
    AddUrl,
    Command,
    ContinueCrawl,
    PauseCrawl,
    Reply,
    Request,
    RequestResult,
    StopCrawl,
    UnknownCommand,
    pack_command,
)


class Steered(Protocol):
    """A crawl that other processes can steer."""

    def stop(self, because: Stop) -> bool:
        """Ask for a clean stop; return False if the crawl has already ended by itself."""

    def pause(self, paused: bool) -> None:
        """Pause or resume fetching."""

    def add(self, url: str) -> Reply:
        """Queue a URL; the reply says whether it will be fetched, and if not, why."""


class RequestReader:
    """Reads the requests left in the store, at most every `poll` seconds; a `poll` of 0 reads none."""

    def __init__(self, store: Store, journal: Journal, clock: Clock, poll: float) -> None:
        self._store = store
        self._journal = journal
        self._clock = clock
        self._poll = poll
        self._due = clock.now()
        self._read: set[int] = set()

    def answer(self, crawl: Steered) -> None:
        """Carry out and answer the requests since the last look, if one is due."""
        for request in self._new():
            self._reply(request, obeyed(request.command, crawl))

    def due(self) -> float | None:
        """Return when the next look is due, on the clock's `now` scale; None if none is."""
        return self._due if self._poll else None

    def _new(self) -> Iterator[Request]:
        """Yield each request once, if it is due."""
        now = self._clock.now()
        if not self._poll or now < self._due:
            return
        self._due = now + self._poll
        for request in self._store.requests.open():
            if request.id not in self._read:
                self._read.add(request.id)
                yield request

    def _reply(self, request: Request, reply: Reply) -> None:
        """Reply to a request in the open batch, and log it."""
        self._journal.batch.replies[request.id] = reply
        kind, detail = pack_command(request.command)
        if isinstance(request.command, UnknownCommand):
            kind, detail = EventKind.UNKNOWN_REQUEST, {"kind": kind, "detail": detail}
        if reply.result is RequestResult.REFUSED:
            detail = {**detail, "refused": reply.reason.value if reply.reason else ""}
        self._journal.event(kind, detail)


def obeyed(command: Command, crawl: Steered) -> Reply:
    """Carry out a command and return the reply."""
    match command:
        case StopCrawl():
            crawl.stop(Stop.REQUESTED)
        case PauseCrawl() | ContinueCrawl():
            crawl.pause(isinstance(command, PauseCrawl))
        case AddUrl():
            return crawl.add(command.url)
        case UnknownCommand():
            return Reply(RequestResult.UNKNOWN)
    return Reply(RequestResult.DONE)
