"""The frontier: decides which URL is fetched next.

Candidates wait in named queues. A queue has a heap of candidates for each of its hosts, and a heap of its hosts by
their best candidate (`queues.py`). `turns.py` decides which queue is served. Closed hosts and low scores cost nothing,
so a take is O(log n) with 10⁵ hosts and 10⁴ queues.

Only ids, priorities and orders are in memory; the rest of a candidate stays in the store until it is taken.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from thresher.shard.host import Domain, Host
from thresher.shard.hosts import HostTable
from thresher.shard.queues import Entry, Key, Lane, Queue, line_up, priority_of
from thresher.shard.topic_shares import TopicShares
from thresher.shard.turns import Turns
from thresher.types import Priority


class Frontier:
    """Waiting URLs in queues of `bound` URLs; a queue may grow by `bucket` before its worst, oldest first, are cut.

    `balance` is as in `TopicShares`. `turns` decides which queue goes next; `shares` knows how many pages each queue's
    topic has.

    >>> hosts = HostTable()
    >>> frontier = Frontier(hosts)
    >>> for order, (url_id, priority) in enumerate([(7, 0.2), (8, 0.9)]):
    ...     frontier.add(url_id, hosts.get("a.test"), "", (priority,), order)
    >>> frontier.take(now=0.0)
    8
    """

    def __init__(self, hosts: HostTable, *, bound: int = 30_000, bucket: int = 3_000, balance: float = 0.0) -> None:
        self._hosts = hosts
        self._bound = bound
        self._bucket = bucket
        self._waiting: dict[int, Entry] = {}
        self._queues: dict[str, Queue] = {}
        self.shares = TopicShares(balance)
        self.turns = Turns(hosts, self._waiting, self._queues, self.shares)
        self._key: tuple[Priority, Key] = ((), ())

    def __len__(self) -> int:
        return len(self._waiting)

    def among(self, ids: Iterable[int]) -> set[int]:
        """Return the given ids that are waiting."""
        return self._waiting.keys() & ids

    def sizes(self) -> dict[str, int]:
        """Return the number of waiting URLs by queue, without empty queues."""
        return {queue.name: queue.size for queue in self._queues.values() if queue.size}

    def outbid(self, prices: Mapping[int, Priority]) -> list[int]:
        """Return the waiting URLs that are offered a better score."""
        return [url for url, price in prices.items() if self._negated(price) < self._waiting[url][0]]

    def add(self, url_id: int, host: Host, queue: str, priority: Priority, order: int) -> None:
        """Queue a URL; if it is already waiting, it is moved."""
        if url_id in self._waiting:
            self.discard(url_id)
        lane = self._lane(queue, host)
        entry: Entry = (self._negated(priority), order, url_id, lane)
        self._waiting[url_id] = entry
        heapq.heappush(lane.heap, entry)
        lane.live += 1
        lane.queue.size += 1
        # As `HostTable.wait_for` does, for every link.
        if not host.waiting:
            self._hosts.capacity.changed[host] = None
        host.waiting += 1
        if lane.gate is lane.host.domain:
            line_up(lane, entry)
        elif lane.gate is None and (lane.best is None or entry < lane.best[4]):
            # A new lane counts as ready until a take finds its host closed.
            self.turns.show(lane, entry)

    def add_all(self, found: Iterable[tuple[int, Host, str, Priority, int]]) -> list[int]:
        """Queue (id, host, queue, priority, order), one after another; return the ids that were cut to make room."""
        for url_id, host, queue, priority, order in found:
            self.add(url_id, host, queue, priority, order)
        return self.cut()

    def fill(self, waiting: Iterable[tuple[int, Host, str, Priority, int]]) -> None:
        """Fill an empty frontier with (id, host, queue, priority, order), each URL once; cheaper than `add`."""
        lanes: dict[Lane, None] = {}
        waits, find, negated = self._waiting, self._lane, self._negated
        for url_id, host, queue, priority, order in waiting:
            lane = find(queue, host)
            entry = (negated(priority), order, url_id, lane)
            waits[url_id] = entry
            lane.heap.append(entry)
            lane.live += 1
            lanes[lane] = None
        for lane in lanes:
            heap = lane.heap
            if len(heap) > 1:
                heapq.heapify(heap)
            lane.queue.ready.append(lane.shown(heap[0]))
            lane.queue.size += lane.live
            self._hosts.wait_for(lane.host, lane.live)
        for filled in self._queues.values():
            heapq.heapify(filled.ready)
            self.turns.join(filled)

    def reprice(self, url_id: int, priority: Priority) -> bool:
        """Change the priority of a waiting URL; return False if it is not waiting."""
        entry = self._waiting.get(url_id)
        if entry is None:
            return False
        lane = entry[3]
        self.add(url_id, lane.host, lane.queue.name, priority, entry[1])
        return True

    def discard(self, url_id: int) -> bool:
        """Remove a URL without fetching it; return False if it is not waiting."""
        entry = self._waiting.get(url_id)
        if entry is None:
            return False
        self._leave(entry)
        return True

    def take(self, now: float, least: Priority | None = None, queues: Sequence[str] | None = None) -> int | None:
        """Return the id of the best URL whose host is open, from the queue whose turn it is; None if there is none.

        Nothing below the priority `least` is taken. If `queues` are named, the first of them with something to give is
        served instead. The fetch is counted as started.
        """
        key = None if least is None else self._negated(least)
        turns = self.turns
        return self._give(turns.next(now, key) if queues is None else turns.named(queues, now, key), now)

    def take_dearest(self, now: float, within: float, least: Priority | None = None) -> int | None:
        """Return the id of the best URL whose host is open, whichever queue it is in; None if there is none.

        Queues whose best scores are `within` this distance of the very best take turns. Nothing below the priority
        `least` is taken.
        """
        key = None if least is None else self._negated(least)
        return self._give(self.turns.dearest(now, within, key), now)

    def ready(self, now: float, limit: int) -> list[tuple[str, Priority]]:
        """Return at most `limit` queues with something to give, in turn, each with its best open priority."""
        return [(name, priority_of(key)) for name, key in self.turns.ready(now, limit)]

    def close_queue(self, name: str) -> list[int]:
        """Remove all URLs waiting in a queue and return their ids."""
        queue = self._queues.get(name)
        gone = [entry[2] for entry in queue.entries(self._waiting)] if queue is not None else []
        for url_id in gone:
            self.discard(url_id)
        return gone

    def close_host(self, host: Host) -> list[int]:
        """Remove all URLs waiting for a host and return their ids."""
        gone: list[int] = []
        for queue in self._queues.values():
            lane = queue.lanes.get(host.name)
            if lane is not None:
                gone += [entry[2] for entry in lane.heap if self._waiting.get(entry[2]) is entry]
        for url_id in gone:
            self.discard(url_id)
        host.parked = []
        return gone

    def cut(self) -> list[int]:
        """Cut every queue that exceeds its bound and bucket down to the bound; return the ids that were cut."""
        gone = [
            id_
            for queue in self._queues.values()
            if queue.size > self._bound + self._bucket
            for id_ in self._surplus(queue)
        ]
        for url_id in gone:
            self.discard(url_id)
        return gone

    def _surplus(self, queue: Queue) -> list[int]:
        """Return the ids beyond the bound of a queue.

        Half of the bound goes to the best URLs. Of the others, the domains with the most lose their worst, because
        otherwise a domain with endless links would drive out all the rest.
        """
        # Sorting everything is faster than selecting, and gives the same result.
        ranked = sorted(queue.entries(self._waiting), key=lambda entry: (entry[0], -entry[1]))
        best = (self._bound + 1) // 2
        level = _level(Counter(entry[3].host.domain for entry in ranked[best:]).values(), self._bound - best)
        seen: Counter[Domain] = Counter()
        over: list[int] = []
        for _, _, url_id, lane in ranked[best:]:
            domain = lane.host.domain
            seen[domain] += 1
            if seen[domain] > level:
                over.append(url_id)
        return over[self._bound - queue.size :]

    def best(self, limit: int) -> list[int]:
        """Return the ids of at most `limit` waiting URLs of each queue, best first, without taking them."""
        if limit < 1:
            return []
        return [
            entry[2]
            for queue in self._queues.values()
            for entry in heapq.nsmallest(limit, queue.entries(self._waiting), key=itemgetter(0, 1))
        ]

    def _lane(self, queue: str, host: Host) -> Lane:
        into = self._queues.get(queue)
        if into is None:
            into = self._queues[queue] = Queue(queue)
        lane = into.lanes.get(host.name)
        if lane is None:
            lane = into.lanes[host.name] = Lane(into, host)
        return lane

    def _negated(self, priority: Priority) -> Key:
        # The links of a page often share one priority, so they share its negation too.
        if priority != self._key[0]:
            self._key = (priority, tuple([-value for value in priority]))
        return self._key[1]

    def _leave(self, entry: Entry) -> None:
        """Remove an entry from all counts; rebuild its lane's heap when more than half of it is stale."""
        lane = entry[3]
        host = lane.host
        del self._waiting[entry[2]]
        host.waiting -= 1
        if not host.waiting:
            self._hosts.capacity.changed[host] = None
        lane.live -= 1
        lane.queue.size -= 1
        if not lane.live:
            self.turns.emptied(lane)
        elif len(lane.heap) > 2 * lane.live + 16:
            lane.heap = [entry for entry in lane.heap if self._waiting.get(entry[2]) is entry]
            heapq.heapify(lane.heap)

    def _give(self, queue: Queue | None, now: float) -> int | None:
        """Take the best entry of a settled queue."""
        if queue is None:
            return None
        entry = heapq.heappop(queue.ready)[4]
        lane = entry[3]
        self._hosts.start(lane.host)
        self._leave(entry)
        if lane.live:
            self.turns.relist(lane, now)
        return entry[2]


def _level(sizes: Iterable[int], bound: int) -> int:
    """Return the largest number such that at most `bound` are left if no size exceeds it.

    >>> _level([2, 3, 50, 70], bound=25), _level([2, 3], bound=25)
    (10, 3)
    """
    level, ascending = 0, sorted(sizes)
    for left, size in zip(range(len(ascending), 0, -1), ascending, strict=True):
        level = min(size, bound // left)
        if level < size:
            break
        bound -= size
    return level
