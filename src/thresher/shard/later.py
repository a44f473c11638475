"""URLs that may be fetched only later: failures that may pass, each with the moment of its next try."""

import heapq
from collections.abc import Iterator

from thresher.shard.hosts import Hosts
from thresher.store.url_records import Waiting


class Later:
    """Keeps URLs until their moments come, on the clock's `now` scale; their hosts know that something waits.

    >>> from thresher.shard.hosts import Manners
    >>> later = Later(Hosts(Manners()))
    >>> later.keep(5.0, Waiting(1, "a.test", "", (1.0,), 0, 1, 0.0))
    >>> len(later), later.next(), [row.id for row in later.due(4.0)], [row.id for row in later.due(5.0)]
    (1, 5.0, [], [1])
    """

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._heap: list[tuple[float, int, Waiting]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def keep(self, at: float, waiting: Waiting) -> None:
        """Keep a URL until a moment."""
        self._hosts.get(waiting.host).waiting += 1
        heapq.heappush(self._heap, (at, waiting.order, waiting))

    def due(self, now: float) -> Iterator[Waiting]:
        """Give back the URLs whose moments have come."""
        while self._heap and self._heap[0][0] <= now:
            waiting = heapq.heappop(self._heap)[2]
            self._hosts.get(waiting.host).waiting -= 1
            yield waiting

    def next(self) -> float | None:
        """Return the next moment, None where nothing is kept."""
        return self._heap[0][0] if self._heap else None
