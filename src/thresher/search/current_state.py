"""Keeps the snapshot that searches use up to date."""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from thresher.errors import PortalError, command
from thresher.faults import FilesUnusable
from thresher.search import column_file, columns, text_index
from thresher.search.columns import Columns
from thresher.search.indexer import catch_up, index_lock
from thresher.search.match_bitmaps import NumberedRows
from thresher.search.page_numbers import ids_by_number
from thresher.search.snapshot import Snapshot
from thresher.search.text_index import FOLDER, TextIndex
from thresher.store.protocol import Store

PATIENCE: Final = 120.0
"""Seconds to wait for another process that is building the first index."""


LEFT_TO_OTHERS: Final = 4.0
"""Seconds for which an index that another process wrote is left to that process.

A crawl updates the index more often than this, and merging index segments here would make readers wait.
"""

_LONG: Final = 5.0
"""Maximum age of a state that is searched while a newer one is loaded, as a multiple of `fresh`."""


class CurrentState:
    """The latest state of a portal, reloaded after `fresh` seconds; safe to use from any thread.

    With `wait`, callers wait for the newer state. Without it, a thread loads it while callers continue with the old
    one; they wait only for the first state, and after a period without searches.
    """

    def __init__(
        self, portal: Path, store: Store, fresh: float, on_indexed: Callable[[int], None], *, wait: bool = True
    ) -> None:
        self._portal = portal
        self._store = store
        self._fresh = fresh
        self._on_indexed = on_indexed
        self._wait = wait
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._index: TextIndex | None = None
        self._looked = float("-inf")
        self._saved = 0
        self._written = 0.0
        self._read_at = 0.0

    def snapshot(self) -> Snapshot:
        """Return the state of the portal; raises PortalError if there is no index and none can be built."""
        known = self._snapshot
        if known is not None and not self._is_old():
            return known
        if known is not None and not self._wait and time.monotonic() - self._looked < _LONG * self._fresh:
            if self._lock.acquire(blocking=False):
                threading.Thread(target=self._renew_aside, name="index", daemon=True).start()
            return known
        with self._lock:
            return self._renewed() if self._snapshot is None or self._is_old() else self._snapshot

    def _is_old(self) -> bool:
        return time.monotonic() - self._looked >= self._fresh

    def _renewed(self) -> Snapshot:
        self._bring_up_to_date()
        before, snapshot = self._snapshot, self._read(self._snapshot)
        if before is not None and snapshot is not before:
            snapshot.prepare(before)
        self._snapshot = snapshot
        self._looked = time.monotonic()
        return self._snapshot

    def _renew_aside(self) -> None:
        """Load the latest state in a thread that holds the lock; after a failure the old state stays in use."""
        try:
            self._renewed()
        except Exception:
            logging.getLogger("thresher.search").exception("The index could not be updated.")
            self._looked = time.monotonic()
        finally:
            self._lock.release()

    def save(self) -> None:
        """Save the columns to disk for later commands."""
        with self._lock:
            if self._snapshot is not None and self._saved < self._snapshot.columns.seq:
                column_file.save(self._portal, self._snapshot.columns)
                self._saved = self._snapshot.columns.seq

    def _bring_up_to_date(self) -> None:
        """Update the index unless another process does so; wait for that process if there is no index at all."""
        patience = 0.0 if text_index.state_of(self._portal) else PATIENCE
        if not self._wait and self._snapshot is not None and self._is_in_other_hands():
            return
        try:
            with index_lock(self._portal, patience) as mine:
                if mine:
                    catch_up(self._portal, self._store, self._on_indexed)
                    self._written = text_index.written_at(self._portal)
        except PermissionError:
            # Users with read access only search what was indexed before.
            return

    def _is_in_other_hands(self) -> bool:
        """Return whether another process has just written to the index and can be expected to do so again."""
        written = text_index.written_at(self._portal)
        return written != self._written and time.time() - written < LEFT_TO_OTHERS

    def _read(self, before: Snapshot | None) -> Snapshot:
        state = text_index.state_of(self._portal)
        if state is None:
            raise PortalError(
                f"The index of {self._portal} cannot be written.",
                f"Somebody with write access to the portal must build it: {command('index', self._portal)}",
                FilesUnusable(),
            )
        folder = self._portal / FOLDER / state.folder
        renewed = self._index is None or self._index.folder != folder
        if self._index is None or renewed:
            self._index = TextIndex(folder)
        known = before.columns if before else column_file.load(self._portal)
        self._saved = self._saved or known.seq
        written = text_index.written_at(self._portal)
        current = columns.follow(known, self._store)
        if before is not None and not renewed and written == self._read_at and current is before.columns:
            return before
        self._read_at = written
        searcher = self._index.searcher()
        # Read after the index was opened, so that no page of it lacks a number.
        same = None if renewed else before
        numbered = _numbered(folder, current, same.numbered if same else None)
        return Snapshot(searcher, self._index.schema, current, numbered, before=same)


def _numbered(folder: Path, current: Columns, before: NumberedRows | None) -> NumberedRows:
    new = ids_by_number(folder, len(before.ids) if before else 0)
    return NumberedRows(np.concatenate([before.ids, new]) if before else new, current, before)
