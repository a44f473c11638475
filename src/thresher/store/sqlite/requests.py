"""The table `requests`: requests from other processes to the engine, and its replies."""

from collections.abc import Mapping, Sequence

import apsw

from thresher.store.request_records import Command, Reply, Request, pack_command, unpack_command
from thresher.store.soundness import sound
from thresher.store.sqlite import numbers
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode

_REPLIES = "SELECT id, reply FROM requests WHERE reply IS NOT NULL AND id IN (SELECT value FROM json_each(?))"


class SqliteRequests:
    """Requests from other processes to the engine."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def leave(self, command: Command, at: float) -> Request:
        """Add a request; once this returns, it survives even power loss."""
        command = sound(command)
        kind, detail = pack_command(command)
        with self._database.writing(durable=True) as connection:
            numbers.draw(connection, 1)
            id_ = connection.execute(
                "INSERT INTO requests (at, kind, detail) VALUES (?, ?, ?) RETURNING id", (at, kind, encode(detail))
            ).get
        return Request(id=id_, at=at, command=command)

    def open(self) -> list[Request]:
        """Return the requests that no batch has answered yet, oldest first."""
        sql = "SELECT id, at, kind, detail FROM requests WHERE done IS NULL ORDER BY id"
        return [
            Request(id=id_, at=at, command=unpack_command(kind, decode(detail, dict)))
            for id_, at, kind, detail in fetch(self._database.reader(), sql)
        ]

    def replies(self, ids: Sequence[int]) -> dict[int, Reply]:
        """Return replies by request id; requests without a reply are absent."""
        found = fetch(self._database.reader(), _REPLIES, (encode(list(ids)),))
        return {id_: decode(reply, Reply) for id_, reply in found}


def write_replies(connection: apsw.Connection, replies: Mapping[int, Reply], seq: int) -> None:
    """Reply to open requests in the batch that ends with sequence number `seq`."""
    connection.executemany(
        "UPDATE requests SET done = ?, reply = ? WHERE id = ? AND done IS NULL",
        ((seq, encode(reply), id_) for id_, reply in replies.items()),
    )
