"""Stores URL strings once per crawl, in `urls`; parents and link targets refer to them by id.

A row of `urls` never changes its URL and is never removed, so a look-up stays valid.
"""

import apsw

from thresher.store.records import Batch
from thresher.store.sqlite.connection import fetch
from thresher.store.sqlite.jsontext import encode
from thresher.web.urls import url_id


class Addresses:
    """Says which URLs mentioned in a batch will have a row in its crawl once the batch is written."""

    def __init__(self, connection: apsw.Connection, batch: Batch) -> None:
        parents = {row.candidate.parent for row in batch.urls}
        self._parents = {url: url_id(url) for url in parents if url is not None}
        mentioned = set(self._parents.values())
        mentioned.update(link.target for document in batch.documents for link in document.links)
        self._urls: dict[int, str] = {}
        if mentioned:
            sql = "SELECT id, url FROM urls WHERE crawl = ? AND id IN (SELECT value FROM json_each(?))"
            self._urls.update(fetch(connection, sql, (batch.crawl, encode(sorted(mentioned)))))
            for row in batch.urls:
                if row.id in mentioned:
                    self._urls.setdefault(row.id, row.candidate.url)

    def parent(self, url: str | None) -> tuple[int | None, str | None]:
        """Return how `urls` stores a parent: (id, None) if it has a row, otherwise (None, URL)."""
        if url is None:
            return None, None
        id_ = self._parents[url]
        return (id_, None) if self._urls.get(id_) == url else (None, url)

    def target(self, id_: int, url: str) -> str | None:
        """Return the URL that `links` must store for a target: None if its row has it."""
        return None if self._urls.get(id_) == url else url
