"""Indexes the pages of a running crawl, in a background thread."""

import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from thresher.errors import ThresherError
from thresher.search.indexer import catch_up, index_lock
from thresher.store.repository import open_store


class CrawlIndexing:
    """Updates the index of a portal every few seconds, and once more at the end; 0 seconds turns it off.

    Failures do not affect the crawl: the next search updates the index.
    """

    def __init__(self, portal: Path, seconds: float) -> None:
        self._portal = portal
        self._seconds = seconds
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="indexing", daemon=True)

    def __enter__(self) -> Self:
        if self._seconds > 0:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        ended = False
        while not ended:
            ended = self._ended.wait(self._seconds)
            with suppress(ThresherError, OSError, ValueError):
                self._catch_up()

    def _catch_up(self) -> None:
        with index_lock(self._portal) as mine:
            if not mine:
                return
            store = open_store(self._portal, read_only=True)
            try:
                catch_up(self._portal, store)
            finally:
                store.close()
