"""The table `requests`: wishes that other processes leave for the engine."""

from typing import Any

import apsw

from thresher.store.records import Request
from thresher.store.soundness import sound
from thresher.store.sqlite import numbers
from thresher.store.sqlite.connection import Database
from thresher.store.sqlite.jsontext import decode, encode


class SqliteRequests:
    """Wishes that other processes leave for the engine."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def leave(self, kind: str, detail: dict[str, Any], at: float) -> Request:
        """Add a wish; once this returns it survives even power loss."""
        text = encode(sound(detail))
        with self._database.writing(durable=True) as connection:
            numbers.draw(connection, 1)
            id_ = connection.execute(
                "INSERT INTO requests (at, kind, detail) VALUES (?, ?, ?) RETURNING id", (at, kind, text)
            ).get
        return Request(id=id_, at=at, kind=kind, detail=decode(text, dict))

    def open(self) -> list[Request]:
        """Return the wishes no batch has marked as done, oldest first."""
        found = self._database.reader().execute(
            "SELECT id, at, kind, detail FROM requests WHERE done IS NULL ORDER BY id"
        )
        return [Request(id=id_, at=at, kind=kind, detail=decode(detail, dict)) for id_, at, kind, detail in found]


def mark_done(connection: apsw.Connection, ids: list[int], seq: int) -> None:
    """Mark wishes as carried out by the batch that ends with a sequence number."""
    connection.executemany("UPDATE requests SET done = ? WHERE id = ? AND done IS NULL", ((seq, id_) for id_ in ids))
