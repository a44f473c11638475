"""The tables `topic_moves` and `topic_colours`."""

from collections.abc import Mapping, Sequence

from thresher.store.sqlite.connection import Database, fetch


class SqliteTopicHistory:
    """Former names of topics, and their colours."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def move(self, moves: Sequence[tuple[str, str]], at: float) -> None:
        """Record that topics have new names, as pairs (old, new); colours follow. Durable at once."""
        with self._database.writing(durable=True) as connection:
            for before, later in moves:
                connection.execute("INSERT OR REPLACE INTO topic_moves VALUES (?, ?, ?)", (before, later, at))
                # The new name is in use, so it has not moved.
                connection.execute("DELETE FROM topic_moves WHERE path = ?", (later,))
                connection.execute("UPDATE OR IGNORE topic_colours SET path = ? WHERE path = ?", (later, before))
                connection.execute("DELETE FROM topic_colours WHERE path = ?", (before,))

    def forget(self, path: str) -> None:
        """Forget what became of a topic: it is back under its old path. Colours stay. Durable at once."""
        with self._database.writing(durable=True) as connection:
            connection.execute("DELETE FROM topic_moves WHERE path = ?", (path,))

    def moves(self) -> dict[str, str]:
        """Return the next name of each topic that was renamed, moved or merged; that one may have changed again."""
        return dict(fetch(self._database.reader(), "SELECT path, later FROM topic_moves"))

    def colours(self) -> dict[str, int]:
        """Return the colour numbers of branches."""
        return dict(fetch(self._database.reader(), "SELECT path, colour FROM topic_colours"))

    def paint(self, colours: Mapping[str, int]) -> None:
        """Give colours to branches that have none."""
        with self._database.writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO topic_colours VALUES (?, ?)", list(colours.items()))
