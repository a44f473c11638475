"""The writer: commits batches one after the other, and waits if the disk is full.

In real time it commits in a separate thread, so fetching continues; on virtual time it commits at once, so every run is
the same.
"""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from thresher.crawl.duplicates import NearDuplicates
from thresher.errors import PortalFull
from thresher.store.archive.archive_files import RecordPosition
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.types import Kept

RETRY_SECONDS = 2.0


class Archive(Protocol):
    """Archives answers byte for byte."""

    def append(self, exchanges: Sequence[Kept]) -> Sequence[RecordPosition]:
        """Archive answers and return their positions, all or none; raise PortalFull if there is no room."""

    def close(self) -> None:
        """Close the archive."""


class Writer:
    """Commits batches; `min_free` is the disk space that must stay free at `directory`, in bytes.

    `near` records near-duplicates here, because its lookups in the store would hold up the coordinator.
    """

    def __init__(
        self,
        store: Store,
        *,
        threaded: bool = True,
        directory: Path | None = None,
        min_free: int = 64 << 20,
        archive: Archive | None = None,
        near: NearDuplicates | None = None,
    ) -> None:
        self._store = store
        self._near = near
        self._archive = archive
        self.threaded = threaded
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="writer") if threaded else None
        self._directory = directory
        self._min_free = min_free
        self._giving_up = False

    async def write(self, batch: Batch, on_full: Callable[[PortalFull], None]) -> int:
        """Commit a batch and return its sequence number; on a full disk call `on_full` once and retry until it fits.

        Raises PortalFull only after `give_up`.
        """
        told = False
        while True:
            try:
                return await self._commit(batch)
            except PortalFull as full:
                if self._giving_up or self._executor is None:
                    raise
                if not told:
                    on_full(full)
                    told = True
            await asyncio.sleep(RETRY_SECONDS)

    def give_up(self) -> None:
        """Stop waiting for disk space: the next failure is raised."""
        self._giving_up = True

    def close(self) -> None:
        """End the writer's thread and close the archive."""
        if self._executor is not None:
            self._executor.shutdown(wait=True)
        if self._archive is not None:
            self._archive.close()

    async def _commit(self, batch: Batch) -> int:
        if self._executor is None:
            return self._checked(batch)
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._checked, batch)

    def _checked(self, batch: Batch) -> int:
        if self._directory is not None and shutil.disk_usage(self._directory).free < self._min_free:
            raise PortalFull(
                f"Less than {self._min_free >> 20} MB of disk space is free at {self._directory}.",
                "Free some disk space: the crawl then continues automatically, and nothing is lost.",
            )
        if self._archive is not None and batch.exchanges:
            self._keep(batch, self._archive)
        if self._near is not None:
            self._near.note(batch)
        return self._store.commit(batch)

    def _keep(self, batch: Batch, archive: Archive) -> None:
        """Archive the answers of a batch and record their positions in its visits; once, however often it is tried."""
        answers, batch.exchanges = batch.exchanges, {}
        try:
            places = archive.append(list(answers.values()))
        except PortalFull:
            batch.exchanges = answers
            raise
        for number, place in zip(answers, places, strict=True):
            batch.visits[number] = replace(batch.visits[number], archive=place.file, offset=place.offset)
