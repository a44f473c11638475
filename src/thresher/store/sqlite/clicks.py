"""The table `clicks`: the results readers opened."""

from thresher.store.clicks import ClickRow
from thresher.store.sqlite.connection import Database, fetch


class SqliteClicks:
    """The results readers opened."""

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

    def returned(self, row: ClickRow) -> bool:
        """Record the `seconds` after which a reader came back; return False if no open click of theirs matches."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE clicks SET seconds = ? WHERE seconds IS NULL AND id ="
                " (SELECT max(id) FROM clicks WHERE query = ? AND page = ? AND reader = ?)",
                (row.seconds, row.query, row.page, row.reader),
            )
            return connection.changes() > 0

    def all(self, query: str | None = None, reader: str | None = None) -> list[ClickRow]:
        """Return the clicks, oldest first: all, or those for one query or by one reader."""
        sql = (
            "SELECT at, query, page, place, seconds, reader, id FROM clicks"
            " WHERE query = coalesce(?1, query) AND reader = coalesce(?2, reader) ORDER BY id"
        )
        return [
            ClickRow(at=at, query=asked, page=page, place=place, seconds=seconds, reader=name, id=id_)
            for at, asked, page, place, seconds, name, id_ in fetch(self._database.reader(), sql, (query, reader))
        ]
