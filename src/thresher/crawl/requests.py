"""Requests from other processes to a running crawl, polled and answered."""

from collections.abc import Iterator

from thresher.crawl.journal import Journal
from thresher.protocols import Clock
from thresher.store.protocol import Store
from thresher.store.request_records import Reply, Request, Result, UnknownCommand, pack_command


class Requests:
    """Reads the requests that were left in the store, at most every `poll` seconds; a `poll` of 0 reads none."""

    def __init__(self, store: Store, journal: Journal, clock: Clock, poll: float) -> None:
        self._store = store
        self._journal = journal
        self._clock = clock
        self._poll = poll
        self._due = clock.now()
        self._read: set[int] = set()

    def new(self) -> Iterator[Request]:
        """Yield each request once, if it is due."""
        now = self._clock.now()
        if not self._poll or now < self._due:
            return
        self._due = now + self._poll
        for request in self._store.requests.open():
            if request.id not in self._read:
                self._read.add(request.id)
                yield request

    def reply(self, request: Request, reply: Reply) -> None:
        """Reply to a request with the batch that is open, and note it in the log."""
        self._journal.batch.replies[request.id] = reply
        kind, detail = pack_command(request.command)
        if isinstance(request.command, UnknownCommand):
            kind, detail = "unknown-request", {"kind": kind, "detail": detail}
        if reply.result is Result.REFUSED:
            detail = {**detail, "refused": reply.reason.value if reply.reason else ""}
        self._journal.event(kind, detail)

    def due(self) -> float | None:
        """Return when the next look is due, on the clock's `now` scale; None if none is."""
        return self._due if self._poll else None
