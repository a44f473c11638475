"""Turns: what can be fetched now, and which queue goes next.

Queues with open candidates are served in turn (`next`) or, if their scores are comparable, by their best candidates
(`dearest`). A queue whose best score is below the minimum is skipped, at no cost, until the minimum falls or it gets
something better.

A queue loses score as its topic gets ahead of the others (`topic_shares.py`). A turn that ends at a dead host does not
count.

A closed host is parked until it reopens, and costs nothing meanwhile.
"""

import heapq
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import chain, count, islice
from typing import Final

from thresher.shard.host import Domain, Gate, Host
from thresher.shard.hosts import HostTable
from thresher.shard.queues import Entry, Key, Lane, Queue, called_up, line_up
from thresher.shard.topic_shares import TopicShares

NEAR: Final = 32
"""Number of skipped queues from which one is served anyway."""


class Turns:
    """The queues that may have something to give, in order of turn.

    `waiting` has all waiting URLs, and `queues` all queues by name; empty queues are removed from it. `shares` says how
    much score a queue loses for being ahead of the others.
    """

    def __init__(
        self, hosts: HostTable, waiting: Mapping[int, Entry], queues: dict[str, Queue], shares: TopicShares
    ) -> None:
        self._hosts = hosts
        self._waiting = waiting
        self._queues = queues
        self._ring: OrderedDict[Queue, None] = OrderedDict()
        self._passed: list[tuple[Key, int, Queue]] = []
        self._over = 0
        self._shares = shares
        self._key = shares.key
        self._numbers = count(1)

    def next(self, now: float, least: Key | None) -> Queue | None:
        """Return the queue whose turn it is, with its best open entry at the top; None if there is none.

        Nothing below the score `least` gets a turn.
        """
        self._readmit(least)
        while self._ring:
            queue = next(iter(self._ring))
            if not self._settle(queue, now):
                self._leave(queue)
            elif least is not None and self._key(queue) > least:
                self._pass_over(queue)
            else:
                return self._serve(queue)
        return None

    def named(self, names: Sequence[str], now: float, least: Key | None) -> Queue | None:
        """Return the first of the named queues with something to give, and count that as its turn."""
        for name in names:
            queue = self._queues.get(name)
            if queue is None or not self._settle(queue, now):
                continue
            if not queue.listed:
                self.join(queue)
            if least is None or self._key(queue) <= least:
                return self._serve(queue)
            self._pass_over(queue)
        return None

    def dearest(self, now: float, within: float, least: Key | None = None) -> Queue | None:
        """Return the queue with the best open entry, whoever's turn it is; None if there is none.

        Among queues whose best scores are `within` this distance of it, the one served longest ago is returned. Nothing
        below the score `least` is returned.
        """
        for queue in list(self._ring):
            if self._settle(queue, now):
                self._pass_over(queue)
            else:
                self._leave(queue)
        near: list[Queue] = []
        while self._passed and len(near) < NEAR:
            key, number, queue = heapq.heappop(self._passed)
            if queue.passed != number:
                continue
            self.join(queue)
            if not self._settle(queue, now):
                self._leave(queue)
            elif self._key(queue) > key:
                self._pass_over(queue)
            elif least is not None and key > least:
                self._pass_over(queue)
                break
            elif not near or not key or key[0] <= self._key(near[0])[0] + within:
                near.append(queue)
            else:
                self._pass_over(queue)
                break
        chosen = min(near, key=lambda queue: queue.served, default=None)
        for queue in near:
            if queue is not chosen:
                self._pass_over(queue)
        return None if chosen is None else self._serve(chosen)

    def ready(self, now: float, limit: int) -> list[tuple[str, Key]]:
        """Return at most `limit` queues with something to give, in turn, each with its best key."""
        self._readmit(None)
        while True:
            near = list(islice(self._ring, limit))
            idle = [queue for queue in near if not self._settle(queue, now)]
            if not idle:
                return [(queue.name, queue.ready[0][0]) for queue in near]
            for queue in idle:
                self._leave(queue)

    def passed(self, now: float, limit: int, queues: Sequence[str] | None = None) -> int:
        """Return how many hosts of `queues` (None for all), at most `limit`, are skipped because of their scores.

        The best host of each queue is open; some of the others may turn out to be closed.
        """
        hosts = 0
        for _, number, queue in self._passed:
            if hosts >= limit:
                break
            if queue.passed != number:
                continue
            if not self._settle(queue, now):
                self._drop(queue)
                self._forget(queue)
            elif queues is None or queue.name in queues:
                hosts += len(queue.ready)
        return min(hosts, limit)

    def ahead(self, limit: int) -> list[str]:
        """Return at most `limit` hosts that come next, roughly in order, a few from each queue whose turn is near."""
        # The best of a queue are at the top of its heap, so the cost does not depend on how many are waiting.
        passed = (queue for _, number, queue in self._passed if queue.passed == number)
        near = list(islice(chain(self._ring, passed), limit))
        each = max(2, limit // max(1, len(near)))
        found: dict[str, None] = {}
        for place in range(each):
            for queue in near:
                if place < len(queue.ready) and (shown := queue.ready[place])[3].best is shown:
                    found[shown[3].host.name] = None
        return list(found)[:limit]

    def join(self, queue: Queue) -> None:
        """Give a queue a turn, after all others."""
        queue.listed = True
        self._shares.join(queue.name)
        self._ring[queue] = None
        if queue.passed:
            self._drop(queue)

    def show(self, lane: Lane, entry: Entry) -> None:
        """List a lane among the ready hosts by its best entry; a take finds out whether its host is closed."""
        queue = lane.queue
        heapq.heappush(queue.ready, lane.shown(entry))
        if not queue.listed:
            self.join(queue)

    def relist(self, lane: Lane, now: float) -> None:
        """List a lane again after something was taken from it, or park it if its host is closed now."""
        gate = self._hosts.shut(lane.host, now)
        if gate is None:
            self.show(lane, lane.top(self._waiting))
        else:
            self._park(lane, gate)

    def emptied(self, lane: Lane) -> None:
        """Remove an empty lane, and its queue if that is empty and has no turn."""
        queue = lane.queue
        lane.best = None
        lane.heap = []
        lane.gate = None
        del queue.lanes[lane.host.name]
        if not queue.listed and not queue.passed:
            self._forget(queue)
        self._wake(lane.host.domain)

    def reopen(self, host: Host, now: float) -> None:
        """Wake what is parked at a host and at its domain if they are open again."""
        if host.parked and self._hosts.shut(host, now) is not host:
            woken, host.parked = host.parked, []
            # The queue served last was parked first; in that order it would get every turn at a slow host.
            for lane in sorted(woken, key=lambda lane: lane.queue.served):
                if lane.live and lane.gate is host:
                    self.show(lane, lane.top(self._waiting))
        self._wake(host.domain)

    def _serve(self, queue: Queue) -> Queue:
        self._ring.move_to_end(queue)
        queue.served = next(self._numbers)
        return queue

    def _leave(self, queue: Queue) -> None:
        """Remove a queue with nothing to give from the turns."""
        queue.listed = False
        del self._ring[queue]
        self._forget(queue)

    def _forget(self, queue: Queue) -> None:
        if not queue.size:
            del self._queues[queue.name]
            self._shares.end(queue.name)

    def _pass_over(self, queue: Queue) -> None:
        queue.listed = False
        del self._ring[queue]
        queue.passed = next(self._numbers)
        self._over += 1
        heapq.heappush(self._passed, (self._key(queue), queue.passed, queue))
        if len(self._passed) > 2 * self._over + 16:
            self._passed = [item for item in self._passed if item[2].passed == item[1]]
            heapq.heapify(self._passed)

    def _drop(self, queue: Queue) -> None:
        """Stop skipping a queue."""
        queue.passed = 0
        self._over -= 1

    def _readmit(self, least: Key | None) -> None:
        """Give skipped queues their turns back if they are not below the score `least`."""
        while self._passed and (least is None or self._passed[0][0] <= least):
            _, number, queue = heapq.heappop(self._passed)
            if queue.passed == number:
                self.join(queue)

    def _settle(self, queue: Queue, now: float) -> bool:
        """Bring an entry that can be taken to the top of a queue; return False if there is none."""
        ready = queue.ready
        while ready:
            shown = ready[0]
            lane = shown[3]
            if lane.best is not shown:
                heapq.heappop(ready)
            elif self._waiting.get(shown[2]) is not shown[4]:
                heapq.heappop(ready)
                if lane.live:
                    self.show(lane, lane.top(self._waiting))
            else:
                gate = self._hosts.shut(lane.host, now)
                if gate is None:
                    return True
                heapq.heappop(ready)
                self._park(lane, gate)
        return False

    def _park(self, lane: Lane, gate: Gate) -> None:
        lane.best = None
        lane.gate = gate
        if gate is lane.host:
            lane.host.parked.append(lane)
            # The domain's slot that this lane does not use may go to another lane.
            self._wake(lane.host.domain)
        else:
            line_up(lane, lane.top(self._waiting))

    def _wake(self, domain: Domain) -> None:
        """List the best lanes in line at a domain, as many as it has room for."""
        room = self._hosts.manners.per_domain - domain.active
        if room > 0 and domain.lines:
            for lane, entry in called_up(domain, room, self._waiting):
                self.show(lane, entry)
