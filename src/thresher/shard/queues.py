"""Queues and lanes: where waiting URLs stand, and whose turn it is.

A queue has one lane per host; a lane is a heap of entries, and its best entry stands for it among the hosts that are
ready.
"""

import heapq
from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeAlias

from thresher.shard.hosts import Domain, Gate, Host
from thresher.types import Priority

Key: TypeAlias = Priority
"""A priority with all its numbers negated: smaller is better."""

Entry: TypeAlias = "tuple[Key, int, int, Lane]"
"""(key, order, id, lane): smaller is better, and orders are unique."""


WOKEN = 8
"""Queues that get another chance when a domain has room again; the others follow in turn."""


class Lane:
    """The candidates of one host in one queue.

    `best` is the entry that stands for them among the ready hosts; while they are parked there is none, and `gate` is
    where.
    """

    __slots__ = ("best", "gate", "heap", "host", "live", "queue")

    def __init__(self, queue: "Queue", host: Host) -> None:
        self.queue = queue
        self.host = host
        self.heap: list[Entry] = []
        self.live = 0
        self.best: Entry | None = None
        self.gate: Gate | None = None

    def __lt__(self, other: "Lane") -> bool:
        # Reached only where a URL was priced away and back again: its old entry and its new one are equally good.
        return False


class Queue:
    """One named queue; `ready` holds the best entries of its lanes that are not parked.

    `listed` says that it has its turns, `passed` is the number under which it is passed over, 0 where it is not.
    """

    __slots__ = ("lanes", "listed", "name", "passed", "ready", "size")

    def __init__(self, name: str) -> None:
        self.name = name
        self.lanes: dict[str, Lane] = {}
        self.ready: list[Entry] = []
        self.size = 0
        self.listed = False
        self.passed = 0


class Turns:
    """The queues that may have something to give, in the order of their turns.

    A queue whose best is below the least price is passed over: it has no turn, and costs nothing, until the least price
    falls or it gets something new. `ring` are the others, the next in turn first; `over` counts those passed over.
    """

    def __init__(self) -> None:
        self.ring: OrderedDict[Queue, None] = OrderedDict()
        self.over = 0
        self._passed: list[tuple[Key, int, Queue]] = []
        self._numbers = count(1)

    def join(self, queue: Queue) -> None:
        """Give a queue a turn, after all others."""
        queue.listed = True
        self.ring[queue] = None
        if queue.passed:
            self.drop(queue)

    def leave(self, queue: Queue) -> None:
        """Take its turns from a queue that has nothing to give."""
        queue.listed = False
        del self.ring[queue]

    def pass_over(self, queue: Queue, key: Key) -> None:
        """Take its turns from a queue whose best entry has this key."""
        self.leave(queue)
        queue.passed = next(self._numbers)
        self.over += 1
        heapq.heappush(self._passed, (key, queue.passed, queue))
        if len(self._passed) > 2 * self.over + 16:
            self._passed = [item for item in self._passed if item[2].passed == item[1]]
            heapq.heapify(self._passed)

    def drop(self, queue: Queue) -> None:
        """Pass a queue over no more; it has nothing to give, and no turn."""
        queue.passed = 0
        self.over -= 1

    def readmit(self, least: Key | None) -> None:
        """Give those that were passed over their turns back, as far as they are not below the least price."""
        while self._passed and (least is None or self._passed[0][0] <= least):
            _, number, queue = heapq.heappop(self._passed)
            if queue.passed == number:
                self.join(queue)

    def passed(self) -> Iterator[Queue]:
        """Give the queues that are passed over."""
        return (queue for _, number, queue in self._passed if queue.passed == number)


def priority_of(key: Key) -> Priority:
    """Return the priority that a key stands for."""
    return tuple([-value for value in key])


def line_up(lane: Lane, entry: Entry) -> None:
    """Line a lane up at its domain, which has no room for it, by its best entry."""
    heapq.heappush(lane.host.domain.lines.setdefault(lane.queue, []), (entry[0], entry[1], lane))


def called_up(domain: Domain, room: int, top: Callable[[Lane], Entry]) -> Iterator[tuple[Lane, Entry]]:
    """Give the best lanes in line at a domain with their best entries, for a few queues in turn, `room` for each.

    `top` tells the best entry of a lane.
    """
    for _ in range(min(WOKEN, len(domain.lines))):
        queue = next(iter(domain.lines))
        line = domain.lines.pop(queue)
        left = room
        while line and left:
            key, order, lane = heapq.heappop(line)
            if not lane.live or lane.gate is not domain:
                continue
            best = top(lane)
            if (key, order) < (best[0], best[1]):
                # Priced down or taken out since it was parked: it goes back to where it belongs now.
                heapq.heappush(line, (best[0], best[1], lane))
            else:
                yield lane, best
                left -= 1
        if line:
            domain.lines[queue] = line
