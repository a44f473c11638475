"""Queues and lanes: where waiting URLs stand.

A queue has one lane per host; a lane is a heap of entries, and its best entry stands for it among the hosts that are
ready.
"""

from typing import TypeAlias

from thresher.shard.hosts import Gate, Host

Entry: TypeAlias = "tuple[tuple[float, ...], int, int, Lane]"
"""(negated priority, order, id, lane): smaller is better, and orders are unique."""


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
    """One named queue; `ready` holds the best entries of its lanes that are not parked."""

    __slots__ = ("lanes", "listed", "name", "ready", "size")

    def __init__(self, name: str) -> None:
        self.name = name
        self.lanes: dict[str, Lane] = {}
        self.ready: list[Entry] = []
        self.size = 0
        self.listed = False
