"""Requests: what other processes want of a running crawl, read now and then."""

from collections.abc import Iterator

from thresher.crawl.journal import Journal
from thresher.protocols import Clock
from thresher.store.protocol import Store
from thresher.store.records import Request


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
        """Give each request once, where it is time; what is given counts as done with the batch that is open."""
        now = self._clock.now()
        if not self._poll or now < self._due:
            return
        self._due = now + self._poll
        for request in self._store.requests.open():
            if request.id not in self._read:
                self._read.add(request.id)
                self._journal.batch.requests_done.append(request.id)
                self._journal.event(request.kind, request.detail)
                yield request

    def due(self) -> float | None:
        """Return when the next look is due, on the clock's `now` scale; None where none is."""
        return self._due if self._poll else None
