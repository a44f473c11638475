"""The table `clicks`: which results readers opened."""

from thresher.store.clicks import ClickRow
from thresher.store.sqlite.connection import Database, fetch


class SqliteClicks:
    """What readers opened."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, row: ClickRow) -> int:
        """Add a click and return its number."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO clicks (at, query, page, place, seconds, reader) VALUES (?, ?, ?, ?, ?, ?)",
                (row.at, row.query, row.page, row.place, row.seconds, row.reader),
            )
            return connection.last_insert_rowid()

    def returned(self, number: int, seconds: float, reader: str) -> bool:
        """Keep when a reader came back; False where the click is not this reader's, or that was told before."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE clicks SET seconds = ? WHERE id = ? AND reader = ? AND seconds IS NULL",
                (seconds, number, reader),
            )
            return connection.changes() > 0

    def all(self) -> list[ClickRow]:
        """Return all clicks, oldest first."""
        sql = "SELECT at, query, page, place, seconds, reader, id FROM clicks ORDER BY id"
        return [
            ClickRow(at=at, query=query, page=page, place=place, seconds=seconds, reader=reader, id=id_)
            for at, query, page, place, seconds, reader, id_ in fetch(self._database.reader(), sql)
        ]
