"""The tables `peers`, `peer_neighbours`, `peer_models`, `peer_measures` and `peer_nonces`."""

from collections.abc import Sequence
from typing import Any, Final

from thresher.store.peer_records import NeighbourRow, PeerMeasureRow, PeerModelRow, PeerRow, PeerState
from thresher.store.sqlite.connection import Database, fetch

_PEER: Final = "key, name, address, state, since, seen"
_MODEL: Final = "peer, topic, version, own, at, accuracy, low, pages, centre, unit, used, model"
_MEASURE: Final = "measurer, peer, topic, version, accuracy, pages, at"


class SqlitePeers:
    """The peers of this portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[PeerRow]:
        """Return all peers, by name and key."""
        return [_peer(row) for row in self._rows(f"SELECT {_PEER} FROM peers ORDER BY name, key")]  # noqa: S608

    def get(self, key: str) -> PeerRow | None:
        """Return a peer by its public key, or None if it is unknown."""
        found = self._rows(f"SELECT {_PEER} FROM peers WHERE key = ?", (key,))  # noqa: S608
        return _peer(found[0]) if found else None

    def put(self, row: PeerRow) -> None:
        """Add a peer, or replace its row."""
        with self._database.writing(durable=True) as connection:
            connection.execute(
                f"INSERT OR REPLACE INTO peers ({_PEER}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608
                (row.key, row.name, row.address, row.state.value, row.since, row.seen),
            )

    def seen(self, key: str, at: float) -> None:
        """Record that a peer sent a valid message; unknown peers are ignored."""
        with self._database.writing() as connection:
            connection.execute("UPDATE peers SET seen = max(seen, ?) WHERE key = ?", (at, key))

    def forget(self, key: str, *, keep: bool = False) -> bool:
        """Remove a peer's models and all measurements by or of it; return False if it is unknown.

        The peer itself is removed too unless `keep` is set, as for a blocked peer.
        """
        with self._database.writing(durable=True) as connection:
            known = bool(list(connection.execute("SELECT 1 FROM peers WHERE key = ?", (key,))))
            if not keep:
                connection.execute("DELETE FROM peers WHERE key = ?", (key,))
            connection.execute("DELETE FROM peer_neighbours WHERE key = ?", (key,))
            connection.execute("DELETE FROM peer_models WHERE peer = ?", (key,))
            connection.execute("DELETE FROM peer_measures WHERE peer = ? OR measurer = ?", (key, key))
        return known

    def neighbours(self) -> list[NeighbourRow]:
        """Return the neighbour list, by key."""
        sql = "SELECT key, address, at, signature FROM peer_neighbours ORDER BY key"
        return [NeighbourRow(*values) for values in self._rows(sql)]

    def set_neighbours(self, rows: Sequence[NeighbourRow]) -> None:
        """Replace the neighbour list."""
        with self._database.writing(durable=True) as connection:
            connection.execute("DELETE FROM peer_neighbours")
            connection.executemany(
                "INSERT OR REPLACE INTO peer_neighbours (key, address, at, signature) VALUES (?, ?, ?, ?)",
                [(row.key, row.address, row.at, row.signature) for row in rows],
            )

    def models(self, *, used: bool = False) -> list[PeerModelRow]:
        """Return the received models, by peer and topic; with `used`, only those in use."""
        sql = f"SELECT {_MODEL} FROM peer_models WHERE used >= ? ORDER BY peer, topic"  # noqa: S608
        return [_model(values) for values in self._rows(sql, (int(used),))]

    def put_models(self, peer: str, rows: Sequence[PeerModelRow]) -> None:
        """Replace all models of a peer."""
        with self._database.writing(durable=True) as connection:
            connection.execute("DELETE FROM peer_models WHERE peer = ?", (peer,))
            connection.executemany(
                f"INSERT OR REPLACE INTO peer_models ({_MODEL}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                [
                    (
                        *(peer, row.topic, row.version, row.own, row.at, row.accuracy, row.low, row.pages),
                        *(row.centre, row.unit, int(row.used), row.model),
                    )
                    for row in rows
                ],
            )

    def measures(self) -> list[PeerMeasureRow]:
        """Return the measurements of peers, by measurer, peer and topic."""
        sql = f"SELECT {_MEASURE} FROM peer_measures ORDER BY measurer, peer, topic"  # noqa: S608
        names = _MEASURE.split(", ")
        return [PeerMeasureRow(**dict(zip(names, values, strict=True))) for values in self._rows(sql)]

    def put_measures(self, measurer: str, rows: Sequence[PeerMeasureRow]) -> None:
        """Replace all measurements by a peer."""
        with self._database.writing(durable=True) as connection:
            connection.execute("DELETE FROM peer_measures WHERE measurer = ?", (measurer,))
            connection.executemany(
                f"INSERT OR REPLACE INTO peer_measures ({_MEASURE}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                [(measurer, row.peer, row.topic, row.version, row.accuracy, row.pages, row.at) for row in rows],
            )

    def take_nonce(self, sender: str, nonce: str, at: float, since: float) -> bool:
        """Record the nonce of a message and return True, or return False if it is already known."""
        with self._database.writing(durable=True) as connection:
            connection.execute("DELETE FROM peer_nonces WHERE at < ?", (since,))
            connection.execute(
                "INSERT OR IGNORE INTO peer_nonces (sender, nonce, at) VALUES (?, ?, ?)", (sender, nonce, at)
            )
            return bool(connection.changes())

    def _rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        return list(fetch(self._database.reader(), sql, values))


def _peer(values: Sequence[Any]) -> PeerRow:
    key, name, address, state, since, seen = values
    return PeerRow(key=key, name=name, address=address, state=PeerState(state), since=since, seen=seen)


def _model(values: Sequence[Any]) -> PeerModelRow:
    named = dict(zip(_MODEL.split(", "), values, strict=True))
    return PeerModelRow(**{**named, "used": bool(named["used"]), "model": bytes(named["model"])})
