"""Queues and lanes: the data structures that hold waiting URLs.

A queue has one lane per host; a lane is a heap of entries, and its best entry represents it among the ready hosts.
"""

import heapq
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from thresher.shard.host import Domain, Gate, Host
from thresher.types import Priority

Key: TypeAlias = Priority
"""A priority with all its numbers negated: smaller is better."""

Entry: TypeAlias = "tuple[Key, int, int, Lane]"
"""(key, order, id, lane): smaller is better, and orders are unique."""

Shown: TypeAlias = "tuple[Key, int, int, Lane, Entry]"
"""The best entry of a lane, as listed among the ready hosts: its key includes the standing of its host."""


WOKEN = 8
"""Number of queues that get another chance when a domain has room again; the others follow in turn."""


class Lane:
    """The candidates of one host in one queue.

    `best` represents them among the ready hosts; while they are parked it is None, and `gate` is where they are parked.
    """

    __slots__ = ("best", "gate", "heap", "host", "live", "queue")

    def __init__(self, queue: "Queue", host: Host) -> None:
        self.queue = queue
        self.host = host
        self.heap: list[Entry] = []
        self.live = 0
        self.best: Shown | None = None
        self.gate: Gate | None = None

    def __lt__(self, other: "Lane") -> bool:
        # Reached only if a URL's score changed and changed back: its old and new entries are equally good.
        return False

    def top(self, waiting: Mapping[int, Entry]) -> Entry:
        """Return the best entry that is still waiting; there must be one."""
        heap = self.heap
        while waiting.get(heap[0][2]) is not heap[0]:
            heapq.heappop(heap)
        return heap[0]

    def shown(self, entry: Entry) -> Shown:
        """Return an entry as listed among the ready hosts; it now represents its lane."""
        key, standing = entry[0], self.host.standing
        self.best = ((key[0] - standing, *key[1:]) if standing and key else key, entry[1], entry[2], self, entry)
        self.gate = None
        return self.best


class Queue:
    """One named queue; `ready` holds the representatives of its lanes that are not parked.

    `listed` says that it takes turns, `passed` is the number under which it is skipped, 0 if it is not, and `served` is
    the number of its last turn.
    """

    __slots__ = ("lanes", "listed", "name", "passed", "ready", "served", "size")

    def __init__(self, name: str) -> None:
        self.name = name
        self.lanes: dict[str, Lane] = {}
        self.ready: list[Shown] = []
        self.size = 0
        self.listed = False
        self.passed = 0
        self.served = 0

    def entries(self, waiting: Mapping[int, Entry]) -> Iterator[Entry]:
        """Yield the entries that are still waiting, in no particular order."""
        for lane in self.lanes.values():
            for entry in lane.heap:
                if waiting.get(entry[2]) is entry:
                    yield entry


def priority_of(key: Key) -> Priority:
    """Return the priority of a key."""
    return tuple([-value for value in key])


def line_up(lane: Lane, entry: Entry) -> None:
    """Line up a lane, by its best entry, at its domain, which has no room for it now."""
    heapq.heappush(lane.host.domain.lines.setdefault(lane.queue, []), (entry[0], entry[1], lane))


def called_up(domain: Domain, room: int, waiting: Mapping[int, Entry]) -> Iterator[tuple[Lane, Entry]]:
    """Yield the best lanes in line at a domain with their best entries: a few queues in turn, `room` lanes each."""
    for _ in range(min(WOKEN, len(domain.lines))):
        queue = next(iter(domain.lines))
        line = domain.lines.pop(queue)
        left = room
        while line and left:
            key, order, lane = heapq.heappop(line)
            if not lane.live or lane.gate is not domain:
                continue
            best = lane.top(waiting)
            if (key, order) < (best[0], best[1]):
                # Its score fell, or its best entry was removed, since it was parked: put it back where it now belongs.
                heapq.heappush(line, (best[0], best[1], lane))
            else:
                yield lane, best
                left -= 1
        if line:
            domain.lines[queue] = line
