"""SQLite's FTS5 over the same pages, for comparison with the index: BM25 over title and text, all words required."""

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import apsw

PageText = tuple[str, str, str]
"""URL, title and text of a page."""

PORTER: Final = "porter unicode61"
"""Words are compared by their English stems."""

AS_WRITTEN: Final = "unicode61"
"""Words are compared as written, ignoring case."""


class FullTextTable:
    """Pages in an FTS5 table; safe to search from any thread, each with its own connection."""

    def __init__(self, path: Path, tokens: str = AS_WRITTEN) -> None:
        self._path = path
        self._tokens = tokens
        self._local = threading.local()

    def fill(self, blocks: Iterable[Iterable[PageText]]) -> None:
        """Write pages in one transaction; existing pages are kept."""
        connection = apsw.Connection(str(self._path))
        with connection:
            connection.execute(
                "CREATE VIRTUAL TABLE IF NOT EXISTS pages "
                f"USING fts5(url UNINDEXED, title, text, tokenize = '{self._tokens}')"
            )
            for block in blocks:
                connection.executemany("INSERT INTO pages VALUES (?, ?, ?)", block)
        connection.execute("INSERT INTO pages(pages) VALUES ('optimize')")
        connection.close()

    def size(self) -> int:
        """Return the number of pages."""
        if not self._path.exists():
            return 0
        connection = apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READONLY)
        ((number,),) = connection.execute("SELECT coalesce(max(rowid), 0) FROM pages")
        connection.close()
        return int(number)

    def search(self, query: str, number: int) -> list[str]:
        """Return the URLs of the best pages that have all words of a query."""
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READONLY)
        words = " ".join('"' + word.replace('"', '""') + '"' for word in query.split())
        sql = "SELECT url FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?"
        return [url for (url,) in connection.execute(sql, (words, number))] if words else []
