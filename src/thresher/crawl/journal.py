"""The journal: collects the rows of one transaction and hands each batch to the writer."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from thresher.crawl.writer import Writer
from thresher.errors import PortalFull
from thresher.protocols import Clock
from thresher.shard.protocol import Shard
from thresher.shard.values import Changes
from thresher.store.records import Batch, EventRow, Progress

HEAVY = 32 << 20
"""Bytes of answers after which a batch is written, however few pages it has."""


class Journal:
    """The open batch of a crawl and the one that is being written; `pages` and `seconds` limit a batch.

    At most one batch is being written, so a kill loses at most that one and the open one; their pages are fetched
    again.
    """

    def __init__(
        self, crawl: int, shard: Shard, writer: Writer, clock: Clock, *, pages: int = 64, seconds: float = 0.5
    ) -> None:
        self._crawl = crawl
        self._shard = shard
        self._writer = writer
        self._clock = clock
        self._pages = pages
        self._seconds = seconds
        self._writing: asyncio.Task[int] | None = None
        self._handed: Batch | None = None
        self.batch = self._fresh()

    def _fresh(self) -> Batch:
        self._opened = self._clock.now()
        return Batch(crawl=self._crawl, at=self._clock.wall())

    def event(self, kind: str, detail: dict[str, Any]) -> EventRow:
        """Record something that happened to the crawl as a whole, and return it."""
        event = EventRow(at=self._clock.wall(), kind=kind, detail=detail)
        self.batch.events.append(event)
        return event

    def unwritten(self) -> list[Batch]:
        """Return the batches that a kill would lose, oldest first: the one being written, and the open one."""
        return [self.batch] if self._handed is None else [self._handed, self.batch]

    def uncommitted(self) -> int:
        """Return the number of visits that a kill would lose."""
        return sum(len(batch.visits) for batch in self.unwritten())

    def due(self) -> float | None:
        """Return when the open batch must be handed over, or None while it is empty."""
        batch = self.batch
        if not (batch.visits or batch.events or batch.replies or self._shard.look().outgoing):
            return None
        return self._opened + self._seconds

    def free(self) -> bool:
        """Return whether no batch is being written."""
        return self._writing is None or self._writing.done()

    def ripe(self, now: float) -> bool:
        """Return whether the open batch is full, or due while the writer is free."""
        if len(self.batch.visits) + len(self.batch.events) >= self._pages or self._weight() >= HEAVY:
            return True
        due = self.due()
        return due is not None and self.free() and now >= due

    def _weight(self) -> int:
        return sum(len(answer.raw) for answer in self.batch.exchanges.values())

    async def hand_over(
        self, progress: Progress, state: dict[str, Any] | None, on_full: Callable[[PortalFull], None]
    ) -> None:
        """Wait for the previous batch, then write the open one; `on_full` is called if the disk is full."""
        await self.settle()
        self._handed, self.batch = self.batch, self._fresh()
        batch = self._handed
        note_changes(batch, self._shard.drain())
        batch.progress = progress
        batch.strategy_state = state
        self._writing = asyncio.get_running_loop().create_task(self._writer.write(batch, on_full))
        if not self._writer.threaded:
            await self.settle()

    async def settle(self) -> None:
        """Wait until everything is written; raise PortalFull if the writer gave up."""
        if self._writing is not None:
            writing, self._writing = self._writing, None
            await writing
            self._handed = None


def note_changes(batch: Batch, changes: Changes) -> None:
    """Add the changes in a shard to the batch that writes them."""
    batch.urls, batch.moves, batch.prices = changes.urls, changes.moves, changes.prices
    batch.hosts, batch.robots = changes.hosts, changes.robots
    batch.outbox, batch.delivered = changes.outbox, changes.delivered
    batch.shard_memory = None if changes.memory is None else msgspec.msgpack.encode(changes.memory)
