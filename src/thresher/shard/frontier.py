"""The frontier: which URL is fetched next.

Candidates wait in named queues. A queue keeps, for each host it knows, a heap of that host's candidates, and a heap of
its hosts by their best candidate. Queues are served in turn. A host that is shut for now is parked at the gate that
keeps it shut and costs nothing until the gate opens, so a take is O(log n) with 10⁵ hosts and 10⁴ queues.

Only ids, priorities and orders live here; the rest of a candidate stays in the store until it is taken.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter

from thresher.shard.hosts import Domain, Gate, Host, HostTable
from thresher.shard.queues import Entry, Key, Lane, Queue, Turns, called_up, line_up, priority_of
from thresher.types import Priority


class Frontier:
    """Waiting URLs in queues of `bound` URLs; they collect a `bucket` more before they cut the worst, oldest first.

    >>> hosts = HostTable()
    >>> frontier = Frontier(hosts)
    >>> for order, (url_id, priority) in enumerate([(7, 0.2), (8, 0.9)]):
    ...     frontier.add(url_id, hosts.get("a.test"), "", (priority,), order)
    >>> frontier.take(now=0.0)
    8
    """

    def __init__(self, hosts: HostTable, *, bound: int = 30_000, bucket: int = 3_000) -> None:
        self._hosts = hosts
        self._bound = bound
        self._bucket = bucket
        self._waiting: dict[int, Entry] = {}
        self._queues: dict[str, Queue] = {}
        self._turns = Turns()
        self._key: tuple[Priority, Key] = ((), ())

    def __len__(self) -> int:
        return len(self._waiting)

    def among(self, ids: Iterable[int]) -> set[int]:
        """Return those ids that wait."""
        return self._waiting.keys() & ids

    def sizes(self) -> dict[str, int]:
        """Return the number of waiting URLs by queue, empty queues left out."""
        return {queue.name: queue.size for queue in self._queues.values() if queue.size}

    def outbid(self, prices: Mapping[int, Priority]) -> list[int]:
        """Return those waiting URLs for which a better price than theirs is offered."""
        return [url for url, price in prices.items() if price > priority_of(self._waiting[url][0])]

    def add(self, url_id: int, host: Host, queue: str, priority: Priority, order: int) -> None:
        """Let a URL wait; one that waits already is moved to its new place."""
        if url_id in self._waiting:
            self.discard(url_id)
        lane = self._lane(queue, host)
        entry: Entry = (self._negated(priority), order, url_id, lane)
        self._waiting[url_id] = entry
        heapq.heappush(lane.heap, entry)
        lane.live += 1
        host.waiting += 1
        lane.queue.size += 1
        if lane.gate is lane.host.domain:
            line_up(lane, entry)
        elif lane.gate is None and (lane.best is None or entry < lane.best):
            # A new lane counts as ready until a take finds its host shut.
            self._show(lane, entry)

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
            host.waiting += 1
            lanes[lane] = None
        for lane in lanes:
            heap = lane.heap
            if len(heap) > 1:
                heapq.heapify(heap)
            lane.best = heap[0]
            lane.queue.ready.append(heap[0])
            lane.queue.size += lane.live
        for filled in self._queues.values():
            heapq.heapify(filled.ready)
            self._turns.join(filled)

    def reprice(self, url_id: int, priority: Priority) -> bool:
        """Move a waiting URL up or down in its queue; return False where it does not wait."""
        entry = self._waiting.get(url_id)
        if entry is None:
            return False
        lane = entry[3]
        self.add(url_id, lane.host, lane.queue.name, priority, entry[1])
        return True

    def discard(self, url_id: int) -> bool:
        """Take a URL out without fetching it; return False where it does not wait."""
        entry = self._waiting.pop(url_id, None)
        if entry is None:
            return False
        self._left(entry[3])
        return True

    def take(self, now: float, least: Priority | None = None, queues: Sequence[str] | None = None) -> int | None:
        """Return the id of the best URL whose host is open, from the queue whose turn it is; None where there is none.

        Nothing below the priority `least` is taken. Of `queues`, where they are named, the first that has something to
        give is served in place of the one whose turn it is. The fetch is counted as begun.
        """
        key = None if least is None else self._negated(least)
        queue = self._next_queue(now, key) if queues is None else self._named(queues, now, key)
        if queue is None:
            return None
        entry = heapq.heappop(queue.ready)
        lane = entry[3]
        host = lane.host
        del self._waiting[entry[2]]
        self._hosts.start(host)
        self._left(lane)
        if lane.live:
            gate = self._hosts.shut(host, now)
            if gate is None:
                self._show(lane, self._top(lane))
            else:
                self._park(lane, gate)
        return entry[2]

    def ahead(self, limit: int) -> list[str]:
        """Return at most `limit` hosts that come next, nearly in order, a few of each queue whose turn is near."""
        # The best of a queue stand at the top of its heap, so that it costs the same however many wait.
        near = list(islice(self._turns.ring, limit))
        each = max(2, limit // max(1, len(near)))
        found: dict[str, None] = {}
        for place in range(each):
            for queue in near:
                if place < len(queue.ready) and (entry := queue.ready[place])[3].best is entry:
                    found[entry[3].host.name] = None
        return list(found)[:limit]

    def reopen(self, host: Host, now: float) -> None:
        """Wake what is parked at a host and at its domain, as far as they are open again."""
        if host.parked and self._hosts.shut(host, now) is not host:
            woken, host.parked = host.parked, []
            for lane in woken:
                if lane.live and lane.gate is host:
                    self._show(lane, self._top(lane))
        self._wake_domain(host.domain)

    def ready(self, now: float, limit: int) -> list[tuple[str, Priority]]:
        """Return at most `limit` queues that have something to give, in turn, each with its best open priority."""
        self._turns.readmit(None)
        while True:
            near = list(islice(self._turns.ring, limit))
            idle = [queue for queue in near if not self._settle(queue, now)]
            if not idle:
                return [(queue.name, priority_of(queue.ready[0][0])) for queue in near]
            for queue in idle:
                self._unlist(queue)

    def passed(self, now: float, limit: int, queues: Sequence[str] | None = None) -> int:
        """Return how many hosts of `queues` (None for all), at most `limit`, are passed over for their price.

        The best host of each queue is open; of the others some may turn out to be shut.
        """
        hosts = 0
        for queue in self._turns.passed():
            if hosts >= limit:
                break
            if not self._settle(queue, now):
                self._turns.drop(queue)
                self._forget(queue)
            elif queues is None or queue.name in queues:
                hosts += len(queue.ready)
        return min(hosts, limit)

    def close_queue(self, name: str) -> list[int]:
        """Take out everything that waits in a queue and return the ids."""
        queue = self._queues.get(name)
        gone = [entry[2] for entry in self._entries(queue)] if queue is not None else []
        for url_id in gone:
            self.discard(url_id)
        return gone

    def close_host(self, host: Host) -> list[int]:
        """Take out everything that waits for a host and return the ids."""
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
        """Cut every queue that outgrew its bound and bucket down to the bound; return the ids that were cut."""
        gone: list[int] = []
        for queue in self._queues.values():
            if queue.size > self._bound + self._bucket:
                worst = heapq.nlargest(
                    queue.size - self._bound, self._entries(queue), key=lambda entry: (entry[0], -entry[1])
                )
                gone += [entry[2] for entry in worst]
        for url_id in gone:
            self.discard(url_id)
        return gone

    def best(self, limit: int) -> list[int]:
        """Return the ids of at most `limit` waiting URLs of each queue, the best first; nothing is taken."""
        if limit < 1:
            return []
        return [
            entry[2]
            for queue in self._queues.values()
            for entry in heapq.nsmallest(limit, self._entries(queue), key=itemgetter(0, 1))
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
        # The links of a page often share one priority: they share its negation too.
        if priority != self._key[0]:
            self._key = (priority, tuple([-value for value in priority]))
        return self._key[1]

    def _entries(self, queue: Queue) -> Iterator[Entry]:
        for lane in queue.lanes.values():
            for entry in lane.heap:
                if self._waiting.get(entry[2]) is entry:
                    yield entry

    def _left(self, lane: Lane) -> None:
        """One entry of a lane is gone: keep the counts, and the heap free of stale entries beyond half."""
        lane.live -= 1
        lane.host.waiting -= 1
        lane.queue.size -= 1
        if not lane.live:
            lane.best = None
            lane.heap = []
            del lane.queue.lanes[lane.host.name]
            if not lane.queue.size and not lane.queue.listed and not lane.queue.passed:
                del self._queues[lane.queue.name]
            lane.gate = None
            self._wake_domain(lane.host.domain)
        elif len(lane.heap) > 2 * lane.live + 16:
            lane.heap = [entry for entry in lane.heap if self._waiting.get(entry[2]) is entry]
            heapq.heapify(lane.heap)

    def _top(self, lane: Lane) -> Entry:
        while self._waiting.get(lane.heap[0][2]) is not lane.heap[0]:
            heapq.heappop(lane.heap)
        return lane.heap[0]

    def _show(self, lane: Lane, entry: Entry) -> None:
        lane.best = entry
        lane.gate = None
        queue = lane.queue
        heapq.heappush(queue.ready, entry)
        if not queue.listed:
            self._turns.join(queue)

    def _park(self, lane: Lane, gate: Gate) -> None:
        lane.best = None
        lane.gate = gate
        if gate is lane.host:
            lane.host.parked.append(lane)
            # What this lane was let through for may let another through.
            self._wake_domain(lane.host.domain)
        else:
            line_up(lane, self._top(lane))

    def _wake_domain(self, domain: Domain) -> None:
        room = self._hosts.manners.per_domain - domain.active
        if room > 0 and domain.lines:
            for lane, entry in called_up(domain, room, self._top):
                self._show(lane, entry)

    def _settle(self, queue: Queue, now: float) -> bool:
        """Bring an entry that can be taken to the top of a queue; return False where the queue has none."""
        ready = queue.ready
        while ready:
            entry = ready[0]
            lane = entry[3]
            if lane.best is not entry:
                heapq.heappop(ready)
            elif self._waiting.get(entry[2]) is not entry:
                heapq.heappop(ready)
                if lane.live:
                    self._show(lane, self._top(lane))
            else:
                gate = self._hosts.shut(lane.host, now)
                if gate is None:
                    return True
                heapq.heappop(ready)
                self._park(lane, gate)
        return False

    def _next_queue(self, now: float, least: Key | None) -> Queue | None:
        turns, ring = self._turns, self._turns.ring
        if turns.over:
            turns.readmit(least)
        while ring:
            queue = next(iter(ring))
            if not self._settle(queue, now):
                self._unlist(queue)
            elif least is not None and queue.ready[0][0] > least:
                turns.pass_over(queue, queue.ready[0][0])
            else:
                ring.move_to_end(queue)
                return queue
        return None

    def _named(self, names: Sequence[str], now: float, least: Key | None) -> Queue | None:
        for name in names:
            queue = self._queues.get(name)
            if queue is None or not self._settle(queue, now):
                continue
            if not queue.listed:
                self._turns.join(queue)
            if least is None or queue.ready[0][0] <= least:
                self._turns.ring.move_to_end(queue)
                return queue
            self._turns.pass_over(queue, queue.ready[0][0])
        return None

    def _unlist(self, queue: Queue) -> None:
        self._turns.leave(queue)
        self._forget(queue)

    def _forget(self, queue: Queue) -> None:
        if not queue.size:
            del self._queues[queue.name]
