"""The table `tries`: counts of attempts."""

from thresher.store.sqlite.connection import Database, fetch
from thresher.store.tries import DAY


class SqliteTries:
    """Attempts by kind and name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, kind: str, name: bytes, at: float, since: float, most: int) -> float | None:
        """Count an attempt and return None; if `most` were counted after `since`, return when the first of them was."""
        with self._database.writing() as connection:
            sql = "SELECT at FROM tries WHERE kind = ? AND name = ? AND at > ? ORDER BY at DESC LIMIT ?"
            found = fetch(connection, sql, (kind, name, since, most))
            if len(found) >= most:
                return float(found[-1][0])
            connection.execute("DELETE FROM tries WHERE at <= ?", (at - DAY,))
            connection.execute("INSERT INTO tries (kind, name, at) VALUES (?, ?, ?)", (kind, name, at))
        return None

    def counted(self, kind: str, name: bytes, at: float) -> tuple[int, float]:
        """Return the number of attempts in the day before `at`, and when the last was, 0 if there was none."""
        sql = "SELECT count(*), coalesce(max(at), 0.0) FROM tries WHERE kind = ? AND name = ? AND at > ?"
        ((number, last),) = fetch(self._database.reader(), sql, (kind, name, at - DAY))
        return number, last

    def forget(self, kind: str, name: bytes) -> None:
        """Forget the attempts of a name."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM tries WHERE kind = ? AND name = ?", (kind, name))
