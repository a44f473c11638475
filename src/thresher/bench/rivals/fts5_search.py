"""SQLite's FTS5 over the same pages, as a peer of the index: BM25 over title and text, all words required."""

import threading
from collections.abc import Iterable
from pathlib import Path

import apsw

from thresher.bench.search.made_portal import MadePage


class FullTextTable:
    """Pages in a table of FTS5; any thread may search, each through a connection of its own."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()

    def fill(self, pages: Iterable[list[MadePage]]) -> None:
        """Write pages."""
        connection = apsw.Connection(str(self._path))
        connection.execute("CREATE VIRTUAL TABLE pages USING fts5(url UNINDEXED, title, text)")
        for block in pages:
            with connection:
                connection.executemany(
                    "INSERT INTO pages VALUES (?, ?, ?)", [(page.url, page.title, page.text) for page in block]
                )
        connection.execute("INSERT INTO pages(pages) VALUES ('optimize')")
        connection.close()

    def search(self, query: str, number: int) -> list[str]:
        """Return the addresses of the best pages that have all words of a query."""
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READONLY)
        words = " ".join('"' + word.replace('"', '""') + '"' for word in query.split())
        sql = "SELECT url FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?"
        return [url for (url,) in connection.execute(sql, (words, number))] if words else []
