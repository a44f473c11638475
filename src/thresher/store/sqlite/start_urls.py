"""The table `start_urls`: the start pages of crawls."""

from collections.abc import Sequence

from thresher.store.sqlite import numbers
from thresher.store.sqlite.connection import Database, fetch


class SqliteStartUrls:
    """The start pages of this portal's crawls."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, urls: Sequence[str], at: float) -> None:
        """Add start pages; existing ones are unchanged. Durable at once."""
        with self._database.writing(durable=True) as connection:
            numbers.draw(connection, 1)
            connection.executemany(
                "INSERT INTO start_urls (url, at) VALUES (?, ?) ON CONFLICT (url) DO NOTHING",
                ((url, at) for url in urls),
            )

    def urls(self) -> list[str]:
        """Return the start pages in the order they were added."""
        return [url for (url,) in fetch(self._database.reader(), "SELECT url FROM start_urls ORDER BY id")]
